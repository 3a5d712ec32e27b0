"""Algorithms in the kernel language. Their kernels use the public API only."""

from __future__ import annotations

from gpucore.algorithms.counting import bincount, compact, histogram, nonzero
from gpucore.algorithms.matmul import matmul
from gpucore.algorithms.matmul import warm_up as _warm_up_matmul
from gpucore.algorithms.reduce import all, any, argmax, argmin, count_nonzero, max, mean, min, prod, reduce, sum
from gpucore.algorithms.scan import cumprod, cumsum, scan
from gpucore.algorithms.scan.segmented import segmented_reduce, segmented_scan
from gpucore.algorithms.select import median, partition, percentile, quantile, topk, unique
from gpucore.algorithms.sort import SortOrder, argsort, merge, searchsorted, segmented_sort, sort, sort_by_key
from gpucore.algorithms.sort import warm_up as _warm_up_sort
from gpucore.device import Device
from gpucore.operators import register_product
from gpucore.reductions import register_reductions

__all__ = [
    "SortOrder", "all", "any", "argmax", "argmin", "argsort", "bincount", "compact", "count_nonzero", "cumprod",
    "cumsum", "histogram", "matmul", "max", "mean", "median", "merge", "min", "nonzero", "partition", "percentile",
    "prod", "quantile", "reduce", "scan", "searchsorted", "segmented_reduce", "segmented_scan", "segmented_sort",
    "sort", "sort_by_key", "sum", "topk", "unique",
]  # fmt: skip

register_product(matmul)
register_reductions(
    {
        "sum": sum, "prod": prod, "mean": mean, "min": min, "max": max, "any": any, "all": all, "argmin": argmin,
        "argmax": argmax, "cumsum": cumsum, "cumprod": cumprod, "nonzero": nonzero,
    }
)  # fmt: skip


def warm_up(device: Device) -> None:
    """Compile the kernels of this package for a device. `gpucore cache warm gpucore.algorithms` calls it."""
    _warm_up_sort(device)
    _warm_up_matmul(device)
