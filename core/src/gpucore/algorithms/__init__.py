"""Algorithms in the kernel language. Their kernels use the public API only."""

from gpucore.algorithms.matmul import matmul
from gpucore.algorithms.sort import SortOrder, sort
from gpucore.operators import register_product

__all__ = ["SortOrder", "matmul", "sort"]

register_product(matmul)
