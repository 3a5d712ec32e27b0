"""Where the elements of a tile lie in panels, from which units multiply: one function for all that address them, in the
arithmetic of the caller."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

PANEL = 128
"""Bytes of a row in the panels from which groups multiply, and the most in others."""

PIECE = 16
"""Bytes of a row that stay together."""

PANEL_ALIGNMENT = 8 * PANEL
"""A tile in panels, and each part of one that a group multiplies, begins at a multiple of these bytes."""

PANEL_ELEMENTS = (1, 2)
"""Bytes of the elements of tiles in panels."""

PADDING = 16
"""Bytes between the rows of other tiles, so that accesses to a column are spread over the banks of workgroup memory."""


def has_padding(memory: int) -> bool:
    """Whether the rows of all tiles that subgroups multiply have padding, on a device with so much workgroup memory:
    the compilers of those with little make slower code of panels, though more stages would fit."""
    return memory <= 48 << 10


def padding_of(nbytes: int) -> int:
    """Bytes between the rows of a tile of elements of so many bytes. Of 8 bytes half a subgroup reads four rows of four
    elements, or four columns of four, at once."""
    return 2 * PADDING if nbytes == 8 else PADDING


def panel_of(columns: int, nbytes: int) -> int:
    """Bytes of a row in a panel, of a tile with rows of so many elements that units multiply; 0 if it has padding
    instead, as its rows are no whole pieces, or its elements are larger."""
    is_whole = nbytes in PANEL_ELEMENTS and columns * nbytes % PIECE == 0
    return math.gcd(columns * nbytes, PANEL) if is_whole else 0


Number = TypeVar("Number")


class Arithmetic(NamedTuple):
    """Operations on numbers of a kind, of which the second may be a Python number."""

    add: Callable[[Any, Any], Any]
    mul: Callable[[Any, Any], Any]
    shift_right: Callable[[Any, Any], Any]
    bit_and: Callable[[Any, Any], Any]
    bit_xor: Callable[[Any, Any], Any]


def element_in_panels(
    of: Arithmetic, first: Number, row: Number, column: Number, nbytes: int, panel: int, *, is_one: bool,
    width: int = PANEL,
) -> Number:  # fmt: skip
    """The number of the element in a row and a column, of a tile that begins with element `first`.

    A panel has `width` bytes of each row, a power of two up to 128, and `panel` bytes in all; elements have `nbytes`.
    Of panels of 128 bytes piece p of 16 bytes of row r is where piece p ^ (r % 8) would be; of narrower ones as many
    rows as have 128 bytes change in the same way. So accesses to a column are spread over all banks. `is_one`: the tile
    has one panel.
    """
    across, piece, pieces = width // nbytes, PIECE // nbytes, width // PIECE
    place = of.add(first, of.mul(row, across))
    if not is_one:
        place = of.add(place, of.mul(of.shift_right(column, across.bit_length() - 1), panel // nbytes))
    if width < PANEL:
        row = of.shift_right(of.bit_and(row, PANEL // PIECE - 1), (PANEL // width).bit_length() - 1)
    moved = of.bit_and(of.bit_xor(of.shift_right(column, piece.bit_length() - 1), row), pieces - 1)
    made: Number = of.add(of.add(place, of.mul(moved, piece)), of.bit_and(column, piece - 1))
    return made
