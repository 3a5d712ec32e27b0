"""Products of tiles in panels, which groups of 128 invocations add to their sums, and the waits for them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gpucore.ir import panels
from gpucore.simulator.matrices import INTEGERS, LANES, as_sums, element_type, fragment, numbers

BEGIN, WAIT = "group_multiply", "group_wait"
"""The operations of a Request, of all invocations of a workgroup."""

INVOCATIONS = 4 * LANES
"""The invocations of a group."""

Places: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

_ROWS, _BLOCK = 64, 16  # of a product, and of a subgroup's part of it
_ARITHMETIC = panels.Arithmetic(operator.add, operator.mul, operator.rshift, operator.and_, operator.xor)


class Part(NamedTuple):
    """A part of a tile: the memory, the first element, the bytes of a panel, whether it is stored by columns."""

    memory: Any  # a list, or a ShadowMemory
    first: int
    panel: int
    is_transposed: bool
    site: Any = None  # in a checked run


class Product(NamedTuple):
    """What a GroupMultiply says to one invocation."""

    sums: list[Any]
    first: int
    inputs: str
    type: str  # of the elements
    left: Part
    right: Part
    columns: int
    inner: int

    def places(self) -> tuple[Places, Places]:
        """The elements of the left part, and of the right one, by rows and columns of the product."""
        nbytes = element_type(self.type).itemsize
        shapes = ((_ROWS, self.inner), (self.inner, self.columns))
        parts = zip((self.left, self.right), shapes, strict=True)
        left, right = (part.first + _offsets(shape, part.panel, nbytes, part.is_transposed) for part, shape in parts)
        return left, right


@functools.cache
def _offsets(shape: tuple[int, int], panel: int, nbytes: int, is_transposed: bool) -> Places:
    """From the first element of a part to each."""
    rows, columns = np.indices(shape)
    if is_transposed:
        rows, columns = columns, rows
    return panels.element_in_panels(_ARITHMETIC, np.zeros_like(rows), rows, columns, nbytes, panel, is_one=False)


def elements_of_part(lengths: Sequence[int], indices: Sequence[int], rows: int, columns: int, nbytes: int) -> list[int]:
    """The numbers of the elements of a part of an array, in the order of a tile in panels; -1 beyond the lengths."""
    *first, row, column = indices
    strides = np.cumprod((1, *lengths[:0:-1]))[::-1]
    is_inside = all(0 <= index < length for index, length in zip(first, lengths, strict=False))
    own_rows, own_columns = (row + np.arange(rows))[:, None], (column + np.arange(columns))[None, :]
    inside = (own_rows >= 0) & (own_rows < lengths[-2]) & (own_columns >= 0) & (own_columns < lengths[-1])
    start = sum(index * int(stride) for index, stride in zip(first, strides, strict=False))
    numbers = np.where(inside & is_inside, start + own_rows * lengths[-1] + own_columns, -1)
    ordered = np.empty(rows * columns, np.int64)
    ordered[_offsets((rows, columns), rows * panels.PANEL, nbytes, False)] = numbers
    return [int(number) for number in ordered]


def differing_parts(products: Sequence[Product]) -> tuple[int, int] | None:
    """The numbers of two invocations of a group whose parts of tiles begin at different elements; None if there are
    none."""
    firsts = [(product.left.first, product.right.first) for product in products]
    for number, own in enumerate(firsts):
        leader = number - number % INVOCATIONS
        if own != firsts[leader]:
            return leader, number
    return None


class Products:
    """The products of a workgroup that are under way. They read as late as they may: when the sums are waited for."""

    def __init__(self) -> None:
        self._pending: list[tuple[int, Sequence[Product]]] = []  # the first invocation of a group, what each gave

    def begin(self, products: Sequence[Product]) -> None:
        """What all invocations of the workgroup gave to a GroupMultiply."""
        for number in range(0, len(products), INVOCATIONS):
            own = products[number : number + INVOCATIONS]
            product = own[0]
            nbytes = element_type(product.type).itemsize
            starts = [part.first * nbytes % panels.PANEL_ALIGNMENT for part in (product.left, product.right)]
            assert starts == [0, 0], (
                "a part of a tile that a group multiplies begins with a multiple of 8 rows of a panel"
            )
            self._begin(number, own)

    def _begin(self, number: int, products: Sequence[Product]) -> None:
        """What a group gave, whose first invocation has a number."""
        self._pending.append((number, products))

    def wait(self, sums: Sequence[list[Any]]) -> None:
        """End those that are added to these arrays, one of each invocation."""
        pending, self._pending = self._pending, []
        for number, products in pending:
            if products[0].sums is sums[number]:
                self._end(number, products)
            else:
                self._pending.append((number, products))

    def _end(self, number: int, products: Sequence[Product]) -> None:
        """Add a product to the sums of a group."""
        product = products[0]
        of_left, of_right = product.places()
        total = _matrix(product, product.left, of_left) @ _matrix(product, product.right, of_right)
        across = np.arange(0, product.columns, 8)[:, None]
        convert = np.ndarray.tolist if product.inputs in INTEGERS else list  # integers are those of Python
        for lane, own in enumerate(products):
            rows, columns = np.array(fragment(lane % LANES)).T
            added = total[rows + lane // LANES * _BLOCK, columns + across].reshape(-1)
            stop = own.first + len(added)
            before = np.array(own.sums[own.first : stop], np.float64)
            own.sums[own.first : stop] = convert(as_sums(before + added, product.inputs))


def _matrix(product: Product, part: Part, places: Places) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The numbers in a part."""
    memory = getattr(part.memory, "data", part.memory)
    elements = np.array(operator.itemgetter(*places.flat)(memory), element_type(product.type))
    return numbers(elements, product.inputs).reshape(places.shape)
