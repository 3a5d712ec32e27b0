"""How the invocations of a workgroup hold a matrix: each has the elements of some rows in some columns."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from gpucore.blocks.matrices import arithmetic, products
from gpucore.immutable import Immutable
from gpucore.structs import StructDType, struct
from gpucore.types import DType


class MatrixLayout(Immutable):
    """`down` x `across` invocations hold a matrix of `rows` x `columns` elements.

    An invocation has `width` neighbouring columns, those as far as all invocations across have, and so on. Its rows are
    `down` apart.
    """

    dtype: DType
    rows: int
    columns: int
    down: int
    across: int
    width: int

    @property
    def own_rows(self) -> int:
        """Rows of which an invocation has elements."""
        return self.rows // self.down

    @property
    def own_columns(self) -> int:
        """Columns of which an invocation has elements."""
        return self.columns // self.across

    @property
    def count(self) -> int:
        """Elements that an invocation has."""
        return self.own_rows * self.own_columns


_MOST_ELEMENTS = 512
"""Of one invocation: no device has more registers, and each is a variable of the kernel."""


@cache
def choose_layout(dtype: DType, rows: int, columns: int, invocations: int, kind: str) -> MatrixLayout | None:
    """The layout in which products need the fewest reads of tiles; None if no layout fits the workgroup.

    On GPUs an invocation has up to four neighbouring columns, which it reads at once. On CPUs the invocations next to
    each other, which run in the lanes of a vector, have neighbouring columns.
    """
    layouts = []
    for across in range(1, invocations + 1):
        down = invocations // across
        if down * across == invocations and rows % down == 0 and columns % across == 0:
            width = 1 if kind in ("cpu", "software") else math.gcd(columns // across, 4)
            layouts.append(MatrixLayout(dtype, rows, columns, down, across, width))
    fitting = [layout for layout in layouts if layout.count <= _MOST_ELEMENTS]
    return min(fitting, key=lambda layout: (layout.own_rows + layout.own_columns, -layout.across), default=None)


@cache
def matrix_type(layout: MatrixLayout) -> StructDType:
    """The type of matrices in a layout: a struct of the elements that an invocation has, row by row."""
    names = [f"element_{number}" for number in range(layout.count)]
    members: dict[str, Any] = {
        "__module__": __name__,
        "__annotations__": dict.fromkeys(names, layout.dtype),
        "layout": layout,
        "__add_product__": products.add_product,
        "__add__": arithmetic.add,
        "__radd__": arithmetic.add_reflected,
        "__sub__": arithmetic.subtract,
        "__rsub__": arithmetic.subtract_reflected,
        "__mul__": arithmetic.multiply,
        "__rmul__": arithmetic.multiply_reflected,
        "__neg__": arithmetic.negate,
    }
    return struct(type(f"matrix_{layout.dtype!r}_{layout.rows}x{layout.columns}", (), members))  # type: ignore[return-value]
