"""Algorithms in the kernel language. Their kernels use the public API only."""

from gpucore.algorithms.matmul import matmul
from gpucore.algorithms.sort import SortOrder, sort

__all__ = ["SortOrder", "matmul", "sort"]
