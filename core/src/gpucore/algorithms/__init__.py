"""Algorithms in the kernel language. Their kernels use the public API only."""

from __future__ import annotations

from gpucore.algorithms.matmul import matmul
from gpucore.algorithms.matmul import warm_up as _warm_up_matmul
from gpucore.algorithms.sort import SortOrder, argsort, merge, searchsorted, segmented_sort, sort, sort_by_key, topk
from gpucore.algorithms.sort import warm_up as _warm_up_sort
from gpucore.device import Device
from gpucore.operators import register_product

__all__ = [
    "SortOrder", "argsort", "matmul", "merge", "searchsorted", "segmented_sort", "sort", "sort_by_key", "topk",
]  # fmt: skip

register_product(matmul)


def warm_up(device: Device) -> None:
    """Compile the kernels of this package for a device. `gpucore cache warm gpucore.algorithms` calls it."""
    _warm_up_sort(device)
    _warm_up_matmul(device)
