"""Conversion of arrays to another dtype, on their device."""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.array import Array, empty
from gpucore.calls import kernel
from gpucore.elementwise.capability import check_array, check_dtype
from gpucore.errors import ArgumentError
from gpucore.hints import In, Out
from gpucore.types import DType, ElementDType

S = TypeVar("S")
D = TypeVar("D")


@kernel
def convert_elements(source: In[S], target: Out[D]):
    """Convert each element."""
    i = gp.global_id(0)
    if i < target.size:
        target[i] = target.dtype(source[i])


def convert(source: Array, dtype: ElementDType) -> Array:
    """A copy of an array of scalars with another scalar dtype."""
    if dtype is source.dtype:
        return source.copy()
    for each in (source.dtype, dtype):
        if not isinstance(each, DType) or each.width > 1:
            raise ArgumentError(f"astype converts scalars, not {source.dtype!r} to {dtype!r}")
    call = f"x.astype(gp.{dtype.ir_type})"
    check_array(call, source)
    check_dtype(call, source.device, dtype)
    made = empty(source.shape, dtype, device=source.device)
    convert_elements(source.ravel(), made.ravel(), invocations=made.size)
    return made
