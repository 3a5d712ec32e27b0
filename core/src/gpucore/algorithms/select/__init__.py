"""Selection by rank without sorting the whole array: the k largest elements, partitions, quantiles."""

from __future__ import annotations

from gpucore.algorithms.select.faces import partition, topk

__all__ = ["partition", "topk"]
