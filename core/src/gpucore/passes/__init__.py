"""What happens to a kernel between lowering and validation. Each pass takes a Module and returns a Module.

The front end writes plain, redundant IR. The passes simplify it: constants are computed, private arrays and variables
become values where they can, code without effect goes. None changes what a kernel computes, and none depends on the
device. The others are done where they are needed: `instrument` (first) writes out what a kernel reports under debug,
`emulate` expresses what a device lacks by what it has, `expand_functions` writes functions that a backend does not list
in older operations, `fold_dispatch` makes the variant of a kernel for grids beyond
the device's limits, and `clamp_indices` (last) keeps indices in range where the device's memory is the process's own.
"""

from typing import TYPE_CHECKING

from gpucore.lazy import load_on_use

if TYPE_CHECKING:
    from gpucore.passes.pipeline import *  # noqa: F403 (what its __all__ has)
else:
    __getattr__ = load_on_use(__name__, "gpucore.passes.pipeline", hides=("fold_dispatch", "instrument"))
