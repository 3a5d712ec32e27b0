"""The k largest elements, partitions and quantiles, without sorting the whole array; distinct elements, by sorting."""

from __future__ import annotations

from gpucore.algorithms.select.distinct import unique
from gpucore.algorithms.select.faces import partition, topk
from gpucore.algorithms.select.quantiles import median, percentile, quantile

__all__ = ["median", "partition", "percentile", "quantile", "topk", "unique"]
