"""Operations on whole arrays: copies of regions, conversions, operators. Each runs one kernel, compiled once.

Importing this gives the methods of arrays the kernels that they run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.array import Array
from gpucore.elementwise import conversions, regions
from gpucore.elementwise.operators import apply, elementwise, operate, where
from gpucore.indexing import Region
from gpucore.operators import register_kernels
from gpucore.types import ElementDType

__all__ = ["elementwise", "where"]


class _Kernels:
    """See ArrayKernels."""

    def assign(self, target: Array, region: Region, values: Array) -> None:
        regions.assign(target, region, values)

    def copied(self, source: Array, region: Region) -> Array:
        return regions.copied(source, region)

    def convert(self, source: Array, dtype: ElementDType) -> Array:
        return conversions.convert(source, dtype)

    def operate(self, text: str, x: Any, *others: Any) -> Any:
        return operate(text, x, *others)

    def apply(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Array:
        return apply(function, args)


register_kernels(_Kernels())
