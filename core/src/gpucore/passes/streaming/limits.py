"""How much is done at once. Processes that find their kernels on disk import this, and not the passes."""

from __future__ import annotations

from gpucore.immutable import Immutable


class Streaming(Immutable):
    """How much an invocation of an element-wise kernel does on a kind of device."""

    nbytes: int  # of each array that it accesses, as far as the limits below allow
    max_access: int = 16  # bytes of one access; 0: a single element
    max_elements: int = 16  # of 4 bytes or more
    max_rows: int = 4  # of groups of neighbours
    max_cost: int = 1200  # of all, in operators


class Unrolling(Immutable):
    """How many iterations are made one on a kind of device."""

    nbytes: int  # that they read, as far as the limits below allow
    max_iterations: int = 8
    max_cost: int = 400  # of all, in operators
