"""The built-in backend "simulator": kernels as plain Python, for debugging. It defines the meaning of the IR.

A kernel becomes one Python function whose code object carries the file name and the line numbers of the user's own
function, so pdb, breakpoint(), tracebacks and coverage.py work on the kernel's real lines. Integers are Python ints
kept in range, bools are Python bools, floats are NumPy scalars of their type, vectors are tuples of those. Buffers are
NumPy arrays; workgroup and private arrays are lists. Every index is checked.

`operators` has a template, a short Python source, for each operator; `templates` makes syntax trees of them.
Operations that take more than an expression are in `ir.arithmetic`. `expressions` and `emit` walk the IR, `device` runs
the result.
"""
