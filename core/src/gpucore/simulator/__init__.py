"""The built-in backend "simulator": kernels as plain Python. It is the meaning of the IR and the way to debug kernels.

A kernel becomes one Python function whose code object carries the file name and the line numbers of the user's own
function, so pdb, breakpoint(), tracebacks and coverage.py work on the kernel's real lines. Integers are Python ints
kept in range, bools are Python bools, floats are NumPy scalars of their type, vectors are tuples of those. Buffers are
NumPy arrays; workgroup and private arrays are lists. Every index is checked.

`forms` turns small texts into syntax trees, `operators` says in such texts what each operator means, `arithmetic` has
what takes more than an expression, `expressions` and `emit` walk the IR, `device` runs the result.
"""
