"""The places of elements in panels."""

from __future__ import annotations

import operator

import pytest

from gpucore.ir import panels

NUMBERS = panels.Arithmetic(operator.add, operator.mul, operator.rshift, operator.and_, operator.xor)


def places(rows: int, columns: int, nbytes: int) -> list[list[int]]:
    width = panels.panel_of(columns, nbytes)
    is_one = columns * nbytes <= width
    return [
        [
            panels.element_in_panels(NUMBERS, 0, row, column, nbytes, rows * width, is_one=is_one, width=width)
            for column in range(columns)
        ]
        for row in range(rows)
    ]


@pytest.mark.parametrize(
    ("rows", "columns", "nbytes"),
    [
        (8, 8, 2),
        (16, 16, 2),
        (16, 32, 2),
        (24, 48, 2),
        (8, 64, 2),
        (16, 96, 2),
        (32, 128, 2),
        (16, 32, 1),
        (16, 160, 1),
    ],
)
def test_elements_have_places_of_their_own_and_columns_are_in_all_banks(rows: int, columns: int, nbytes: int) -> None:
    found = places(rows, columns, nbytes)
    assert sorted(place for row in found for place in row) == list(range(rows * columns))
    piece = panels.PIECE // nbytes
    for column in range(0, columns, piece):
        for row in found:  # pieces stay together
            assert row[column] % piece == 0
            assert row[column : column + piece] == [*range(row[column], row[column] + piece)]
        for first in range(0, rows, 8):  # a matrix of 8 rows of 16 bytes is read from all banks at once
            assert {found[first + r][column] // piece % 8 for r in range(8)} == set(range(8))


def test_other_tiles_have_padding() -> None:
    assert [panels.panel_of(columns, nbytes) for columns, nbytes in ((20, 2), (24, 1), (32, 4), (32, 8))] == [0] * 4
    assert [panels.panel_of(columns, 2) for columns in (8, 16, 32, 48, 64, 96, 256)] == [16, 32, 64, 32, 128, 64, 128]
