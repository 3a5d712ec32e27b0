"""Where the elements of a tile lie in panels, from which groups of invocations multiply: one function for all that
address them, in the arithmetic of the caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

PANEL = 128
"""Bytes of a row in a panel."""

PIECE = 16
"""Bytes of a row that stay together."""

PANEL_ALIGNMENT = 8 * PANEL
"""A tile in panels, and each part of one that a group multiplies, begins at a multiple of these bytes."""

PANEL_ELEMENTS = (1, 2)
"""Bytes of the elements that groups multiply."""

PADDING = 16
"""Bytes between the rows of other tiles, so that accesses to a column are spread over the banks of workgroup memory."""


def padding_of(nbytes: int) -> int:
    """Bytes between the rows of a tile of elements of so many bytes. Of 8 bytes half a subgroup reads four rows of four
    elements, or four columns of four, at once."""
    return 2 * PADDING if nbytes == 8 else PADDING


Number = TypeVar("Number")


class Arithmetic(NamedTuple):
    """Operations on numbers of a kind, of which the second may be a Python number."""

    add: Callable[[Any, Any], Any]
    mul: Callable[[Any, Any], Any]
    shift_right: Callable[[Any, Any], Any]
    bit_and: Callable[[Any, Any], Any]
    bit_xor: Callable[[Any, Any], Any]


def element_in_panels(
    of: Arithmetic, first: Number, row: Number, column: Number, nbytes: int, panel: int, *, is_one: bool
) -> Number:
    """The number of the element in a row and a column, of a tile that begins with element `first`.

    A panel has 128 bytes of each row, and `panel` bytes in all; elements have `nbytes`. Piece p of 16 bytes of row r is
    where piece p ^ (r % 8) would be, so that accesses to a column are spread over all banks. `is_one`: the tile has one
    panel.
    """
    width, piece = PANEL // nbytes, PIECE // nbytes
    place = of.add(first, of.mul(row, width))
    if not is_one:
        place = of.add(place, of.mul(of.shift_right(column, width.bit_length() - 1), panel // nbytes))
    pieces = of.shift_right(column, piece.bit_length() - 1)
    moved = of.bit_and(of.bit_xor(pieces, row), PANEL // PIECE - 1)
    made: Number = of.add(of.add(place, of.mul(moved, piece)), of.bit_and(column, piece - 1))
    return made
