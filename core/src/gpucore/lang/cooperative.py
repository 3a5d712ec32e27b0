"""Matrices that subgroups hold together, of which the helpers of `gpucore.blocks.matrices` are made."""

from __future__ import annotations

from typing import Any

from gpucore.lang.outside import outside


def cooperative_load(dtype: Any, array: Any, row: Any, column: Any, /) -> Any:
    """`ir.CooperativeLoad` of the part of a tile, or of workgroup memory of rank 2, that begins at a row and column."""
    outside("cooperative_load")


def cooperative_store(matrix: Any, array: Any, row: Any, column: Any, /) -> None:
    """`ir.CooperativeStore` to where `cooperative_load` loads it."""
    outside("cooperative_store")


def cooperative(op: Any, /, *operands: Any) -> Any:
    """`ir.CooperativeOperation`. `op` is an `ir.CooperativeOp`; the result has the type of the sums."""
    outside("cooperative")


def matrix_scratch(dtype: Any, shape: tuple[int, int], /) -> Any:
    """Workgroup memory in which all calls of one dtype and shape follow each other, with barriers between them."""
    outside("matrix_scratch")


def is_zero(value: Any, /) -> bool:
    """Whether a value is known to be the number 0: a compile-time value."""
    outside("is_zero")


def not_cooperative() -> None:
    """The kernel is lowered as for a device without cooperative matrices."""
    outside("not_cooperative")
