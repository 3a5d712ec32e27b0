"""What a kernel is: the names of `gpucore.ir`, whose docstring states the semantics, and what works on kernels.

walk        the statements and expressions of a kernel
build       expressions of expressions and numbers
expansions  built-in functions in terms of older ones
Rewriter    an equivalent kernel of a kernel
Ranges      the values that integers may have
exits       which statements leave a loop
"""

from gpucore import ir as _ir
from gpucore.ir import *  # noqa: F403 (what its __all__ has)
from gpucore.ir import build, expansions, walk
from gpucore.ir.arithmetic import wrap_i32
from gpucore.ir.exits import ExitFlags, exits
from gpucore.ir.ranges import MAX_INDEX, Ranges, type_interval
from gpucore.ir.rewriting import Rewriter

__all__ = [
    "MAX_INDEX",
    "ExitFlags",
    "Ranges",
    "Rewriter",
    "build",
    "exits",
    "expansions",
    "type_interval",
    "walk",
    "wrap_i32",
]
__all__ += _ir.__all__
