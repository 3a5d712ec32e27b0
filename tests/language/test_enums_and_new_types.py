"""Enums as types of elements and values, exhaustive match, and typing.NewType over scalars."""

from __future__ import annotations

import enum
import typing

import numpy as np
import pytest

import gpucore as gp


class Cell(enum.IntEnum):
    ROCK = 3
    WATER = 5
    SAND = 7


Metres = typing.NewType("Metres", gp.f32)  # type: ignore[valid-newtype]


@gp.kernel(workgroup_size=32)
def erode(cells: gp.In[Cell], after: gp.Out[Cell], heights: gp.InOut[Metres], strong: gp.bool):
    i = gp.global_id(0)
    if i < cells.size:
        kind = cells[i]
        match kind:
            case Cell.ROCK if strong:
                after[i] = Cell.SAND
                heights[i] -= Metres(2.0)
            case Cell.ROCK | Cell.SAND:
                after[i] = kind
                heights[i] -= 1.0
            case Cell.WATER:
                after[i] = Cell.WATER


@pytest.mark.parametrize("strong", [False, True])
def test_match_on_an_array_of_enums(device: gp.Device, strong: bool) -> None:
    cells = np.random.default_rng(4).choice(np.array(list(Cell), np.int32), 53)
    after = gp.zeros(53, gp.i32, device=device)
    heights = gp.asarray(np.arange(53, dtype=np.float32), device=device)
    erode(gp.asarray(cells, device=device), after, heights, strong, invocations=53)
    rock, sand = cells == Cell.ROCK, cells == Cell.SAND
    np.testing.assert_array_equal(after.numpy(), np.where(rock & strong, Cell.SAND, cells))
    lost = np.where(rock & strong, 2, np.where(rock | sand, 1, 0))
    np.testing.assert_array_equal(heights.numpy(), np.arange(53) - lost)


@gp.kernel
def forgets_sand(cells: gp.In[Cell], y: gp.Out[gp.i32]):
    match cells[0]:
        case Cell.ROCK:
            y[0] = 1
        case Cell.WATER:
            y[0] = 2


def test_a_match_that_leaves_out_a_member_is_refused() -> None:
    with pytest.raises(gp.KernelTypeError, match=r"leaves out Cell\.SAND") as caught:
        forgets_sand.ir()
    assert caught.value.code == "GP212"


class Other(enum.IntEnum):
    ROCK = 3


@gp.kernel
def compares_two_enums(cells: gp.In[Cell], y: gp.Out[gp.i32]):
    if cells[0] == Other.ROCK:
        y[0] = 1


def test_members_of_another_enum_are_refused() -> None:
    with pytest.raises(gp.KernelTypeError, match=r"a Cell is compared with Other\.ROCK") as caught:
        compares_two_enums.ir()
    assert caught.value.code == "GP201"


@gp.kernel
def adds_lengths_to_numbers(x: gp.In[Metres], y: gp.In[gp.f32], z: gp.Out[gp.f32]):
    z[0] = x[0] + y[0]


def test_a_new_type_does_not_mix_with_what_is_beneath() -> None:
    with pytest.raises(gp.KernelTypeError, match="mixes Metres and f32") as caught:
        adds_lengths_to_numbers.ir()
    assert caught.value.code == "GP201"


@gp.kernel(workgroup_size=32)
def convert_lengths(x: gp.In[Metres], y: gp.Out[gp.f32], z: gp.Out[Metres], zero: Metres):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = gp.f32(max(x[i], zero)) / 1000.0
        z[i] = Metres(gp.f32(i)) - x[i]


def test_conversions_of_a_new_type(device: gp.Device) -> None:
    x = np.arange(-20, 21, dtype=np.float32)
    y, z = (gp.zeros(x.size, device=device) for _ in range(2))
    convert_lengths(gp.asarray(x * 1000, device=device), y, z, 0.0, invocations=x.size)
    np.testing.assert_allclose(y.numpy(), np.maximum(x, 0), rtol=2.5 * 2.0**-23)
    np.testing.assert_array_equal(z.numpy(), np.arange(x.size) - x * 1000)
