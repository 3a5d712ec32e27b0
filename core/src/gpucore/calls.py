"""`gp.kernel` and `gp.Kernel`: at run time the real ones, for type checkers what `calls.pyi` declares."""

from gpucore.decorator import kernel
from gpucore.kernel import Kernel

__all__ = ["Kernel", "kernel"]
