"""How the invocations of a workgroup hold a matrix: each has the elements of some rows in some columns."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from gpucore.blocks.matrices import arithmetic, products
from gpucore.blocks.matrices.opaque import part_type
from gpucore.immutable import Immutable
from gpucore.ir import GROUP_COLUMNS, MATRIX_LANES
from gpucore.structs import MATRIX_LAYOUT, StructDType, struct
from gpucore.types import DType, f32

_FRAGMENT = (16, 8)  # rows and columns of the sums of one MatrixMultiply
_MOST_OF_GROUPS = 128  # likewise: with more, compilers let a group wait for each of its products
_MOST_ELEMENTS = 256
"""Of one invocation: no device has more registers, and each is a variable of the kernel."""


class MatrixLayout(Immutable):
    """`down` x `across` holders share a matrix of `rows` x `columns` elements: the invocations, or with `is_fragments`
    the subgroups.

    Of invocations each has `width` neighbouring columns, those as far as all holders across have, and so on; its rows
    are `down` apart. A subgroup has a block of neighbouring rows and columns, made of fragments as in
    `ir.MatrixMultiply`; an invocation has the four elements of each, one fragment after the other, row by row. With
    `is_groups`, too, four subgroups hold a block together, as in `ir.GroupMultiply`: each has 16 of every 64 rows. Of a
    matrix of one column all that would share a row have its element.

    With an `edge` a subgroup has a block of parts of so many rows and columns. Of each part an invocation has
    neighbours in one row, when its elements are in registers; a matrix of sums is held as cooperative matrices.
    """

    dtype: DType
    rows: int
    columns: int
    down: int
    across: int
    width: int
    is_fragments: bool = False
    is_groups: bool = False
    edge: int = 0

    @property
    def is_opaque(self) -> bool:
        """Whether it is of cooperative matrices."""
        return self.edge > 0 and self.dtype is f32

    @property
    def parts_of_block(self) -> tuple[int, int]:
        """Parts of a subgroup, down and across."""
        return self.block[0] // self.edge, self.block[1] // self.edge

    @property
    def parts(self) -> int:
        """All of them."""
        return math.prod(self.parts_of_block)

    def number_in_part(self, part: int, neighbour: int) -> int:
        """The number of an element of a part that this invocation has."""
        i, j = divmod(part, self.parts_of_block[1])
        return self.number(i, j * self.own_columns // self.parts_of_block[1] + neighbour)

    @property
    def type(self) -> StructDType:
        """The type of matrices in it."""
        return matrix_type(self)

    @property
    def block(self) -> tuple[int, int]:
        """Rows and columns of a holder."""
        return self.rows // self.down, max(self.columns // self.across, 1)

    @property
    def own_rows(self) -> int:
        """Rows of which an invocation has elements."""
        if self.edge:
            return self.block[0] // self.edge
        return self.block[0] // (32 if self.is_groups else 8) if self.is_fragments else self.block[0]

    @property
    def own_columns(self) -> int:
        """Columns of which an invocation has elements."""
        if self.edge:
            return self.block[1] * self.edge // MATRIX_LANES
        return max(self.block[1] // 4, 1) if self.is_fragments else self.block[1]

    @property
    def count(self) -> int:
        """Elements that an invocation has."""
        return self.own_rows * self.own_columns

    def number(self, i: int, j: int) -> int:
        """The number of the element in its own row i and column j."""
        if not self.is_fragments or self.columns == 1:
            return i * self.own_columns + j
        return (i // 2 * (self.own_columns // 2) + j // 2) * 4 + i % 2 * 2 + j % 2

    def place(self, number: int) -> tuple[int, int]:
        """The own row and column of an element."""
        if not self.is_fragments or self.columns == 1:
            return divmod(number, self.own_columns)
        i, j = divmod(number // 4, self.own_columns // 2)
        return 2 * i + number % 4 // 2, 2 * j + number % 2


@cache
def choose_layout(
    dtype: DType,
    shape: tuple[int, int],
    invocations: int,
    kind: str,
    *,
    has_units: bool,
    has_groups: bool,
    edge: int = 0,
) -> MatrixLayout | None:
    """The layout in which products need the fewest reads of tiles; None if no layout fits the workgroup.

    With units for groups four subgroups have a block of 64 rows or a multiple, if the shape has such a block for each
    group; with units for subgroups these have fragments, if the shape has enough of them, and with cooperative matrices
    of an `edge` parts, likewise. Otherwise on GPUs an
    invocation has up to four neighbouring columns, which it reads at once. On CPUs the invocations next to each other,
    which run in the lanes of a vector, have neighbouring columns.
    """
    if shape[1] == 1:
        return _of_column(dtype, shape[0], invocations, has_units=has_units, has_groups=has_groups)
    if has_groups and invocations % (4 * MATRIX_LANES) == 0:
        found = _best_of_groups(dtype, shape, invocations // (4 * MATRIX_LANES))
        if found is not None:
            return found
    if has_units and invocations % MATRIX_LANES == 0:
        found = _best(dtype, shape, invocations // MATRIX_LANES, (_FRAGMENT[0], 2 * _FRAGMENT[1]), is_fragments=True)
        if found is not None:
            return found
    if edge and invocations % MATRIX_LANES == 0:
        width = min(edge * edge // MATRIX_LANES, 4)
        found = _best(dtype, shape, invocations // MATRIX_LANES, (edge, edge), most=width, edge=edge)
        if found is not None:
            return found
    return _best(dtype, shape, invocations, (1, 1), most=1 if kind in ("cpu", "software") else 4)


def _of_column(dtype: DType, rows: int, invocations: int, *, has_units: bool, has_groups: bool) -> MatrixLayout | None:
    """The layout of one column: where units multiply, that of the rows of a matrix of which each subgroup has whole
    rows."""
    subgroups, others = divmod(invocations, MATRIX_LANES)
    groups = subgroups // 4
    if has_groups and others == 0 and subgroups == 4 * groups and rows % (64 * groups) == 0:
        return MatrixLayout(dtype, rows, 1, groups, 1, 1, True, True)
    if has_units and others == 0 and rows % (_FRAGMENT[0] * subgroups) == 0:
        return MatrixLayout(dtype, rows, 1, subgroups, 1, 1, True)
    down = math.gcd(rows, invocations)
    layout = MatrixLayout(dtype, rows, 1, down, invocations // down, 1)
    return layout if layout.count <= _MOST_ELEMENTS else None


def _best_of_groups(dtype: DType, shape: tuple[int, int], groups: int) -> MatrixLayout | None:
    """The layout of blocks of 64 rows or a multiple, and of as many columns as a group multiplies at once; each product
    of 64 rows reads the columns again."""
    layouts = []
    for across in range(1, groups + 1):
        down = groups // across
        if down * across == groups and shape[0] % (64 * down) == 0 and shape[1] % across == 0:
            layouts.append(MatrixLayout(dtype, *shape, down, across, 2, True, True))
    fitting = [each for each in layouts if each.block[1] in GROUP_COLUMNS and each.count <= _MOST_OF_GROUPS]
    return min(fitting, key=lambda layout: layout.block[0] // 64 * (64 + layout.block[1]), default=None)


def _best(
    dtype: DType,
    shape: tuple[int, int],
    holders: int,
    least: tuple[int, int],
    most: int = 2,
    is_fragments: bool = False,
    edge: int = 0,
) -> MatrixLayout | None:
    """The best layout of blocks of a multiple of `least` rows and columns."""
    layouts = []
    for across in range(1, holders + 1):
        down = holders // across
        if down * across == holders and shape[0] % (down * least[0]) == 0 and shape[1] % (across * least[1]) == 0:
            width = math.gcd(shape[1] // across, most)
            layouts.append(MatrixLayout(dtype, *shape, down, across, width, is_fragments, edge=edge))
    fitting = [layout for layout in layouts if layout.count <= _MOST_ELEMENTS]
    return min(fitting, key=lambda layout: (sum(layout.block), -layout.across), default=None)


@cache
def matrix_type(layout: MatrixLayout) -> StructDType:
    """The type of matrices in a layout: a struct of the elements that an invocation has, or of the parts of its
    subgroup."""
    names = [f"element_{number}" for number in range(layout.parts if layout.is_opaque else layout.count)]
    dtype = part_type(layout.dtype, layout.edge) if layout.is_opaque else layout.dtype
    members: dict[str, Any] = {
        "__module__": __name__,
        "__annotations__": dict.fromkeys(names, dtype),
        MATRIX_LAYOUT: layout,
        "__add_product__": products.add_product,
        "__add__": arithmetic.add,
        "__radd__": arithmetic.add_reflected,
        "__sub__": arithmetic.subtract,
        "__rsub__": arithmetic.subtract_reflected,
        "__mul__": arithmetic.multiply,
        "__rmul__": arithmetic.multiply_reflected,
        "__neg__": arithmetic.negate,
    }
    return struct(type(f"matrix_{layout.dtype.ir_type}_{layout.rows}x{layout.columns}", (), members))  # type: ignore[return-value]  # `struct` is typed as a decorator: it returns what it gets
