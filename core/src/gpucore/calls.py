"""`gp.kernel` and `gp.Kernel`: at run time those of `gpucore.kernel`, for type checkers what `calls.pyi` declares."""

from gpucore.kernel import Kernel, kernel

__all__ = ["Kernel", "kernel"]
