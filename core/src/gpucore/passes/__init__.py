"""Passes between lowering and validation. Each takes a Module and returns a Module.

The front end writes plain, redundant IR, and the passes simplify it: constants are folded, private arrays and variables
become values where possible, dead code is removed. None changes what a kernel computes, and none depends on the device.
Other passes run only where needed: `instrument` (first) expands the reports of a kernel under debug, `split_triples`
makes scalars of vectors of three, `emulate` replaces what a device lacks, `expand_functions` and `expand_matches`
rewrite what a backend does not implement in older operations, `fold_dispatch` makes the variant of a kernel for grids
beyond the device's limits, `clamp_indices` (after those that simplify) keeps indices in range where device memory is
memory of the process, `coarsen` and `unroll_loops` (after that) let an invocation of a kernel that is bound by memory
do more at once, and `pack_small_integers` (last) puts integers of 8 and 16 bits into words where a device has none.
"""

from typing import TYPE_CHECKING

from gpucore.lazy import load_on_use

if TYPE_CHECKING:
    from gpucore.passes.pipeline import *  # noqa: F403 (what its __all__ has)
else:
    __getattr__ = load_on_use(__name__, "gpucore.passes.pipeline", hides=("fold_dispatch", "instrument"))
