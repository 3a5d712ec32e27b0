"""The built-in backend "simulator": kernels as plain Python. It defines the meaning of the IR and is for debugging.

A kernel becomes one Python function whose code object carries the file name and the line numbers of the user's own
function, so pdb, breakpoint(), tracebacks and coverage.py work on the kernel's real lines. Integers are Python ints
kept in range, bools are Python bools, floats are NumPy scalars of their type, vectors are tuples of those. Buffers are
NumPy arrays; workgroup and private arrays are lists. Every index is checked.

`forms` turns small texts into syntax trees, `operators` has such texts for each operator, `arithmetic` has operations
that take more than an expression, `expressions` and `emit` walk the IR, `device` runs the result.
"""
