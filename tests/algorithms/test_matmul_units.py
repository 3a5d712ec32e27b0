"""The kernels of products by units: batches, matrices stored by columns, more tiles than workgroups, and the store as
words, which devices whose groups multiply choose. Here every device runs them in a small tile."""

from __future__ import annotations

import itertools
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from turns import Turns

import gpucore as gp
from gpucore.algorithms.matmul import launches, units
from gpucore.algorithms.shapes import SHAPES, MatmulShape, Shapes, UnitTile
from gpucore.testing.checks import skip_without

Host = np.ndarray[Any, Any]
ONE_AND_ALL = (None, gp.Capability.MATRIX_GROUPS)
"""What makes a tile one of workgroups that have one each, and one of workgroups that have several."""


def whole(shape: tuple[int, ...], seed: int) -> Host:
    """Whole numbers, whose products and sums are exact."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(np.float32)


def product(device: gp.Device, tile: UnitTile, a: Host, b: Host, dtype: str, words: bool = False) -> Host:
    """Of arrays of rank 3, those that are turned as they lie in memory."""
    x, y = (gp.asarray(host, device=device).astype(getattr(gp, dtype)) for host in (a, b))
    m, k = a.shape[:0:-1] if tile.turns_a else a.shape[1:]
    n = b.shape[1 if tile.turns_b else 2]
    c = gp.full((max(a.shape[0], b.shape[0]), m, n), 77, x.dtype, device=device)
    kernel, tiles = units.make_kernel(tile.invocations, 1), c.shape[0] * -(-m // tile.tile_m) * -(-n // tile.tile_n)
    workgroups = 2 if tile.is_persistent else tiles
    kernel(x, y, c.view(gp.u32) if words else c, k, tile, workgroups=workgroups)
    return c.astype(gp.f32).numpy()


WAYS = ((False, False), (True, False), (False, True), (True, True))
"""Whether a and b lie by columns."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("batches", [(1, 1), (3, 3), (1, 2), (2, 1)])
@pytest.mark.parametrize("needs", ONE_AND_ALL, ids=["one", "all"])
def test_batches_and_matrices_by_columns(
    device: gp.Device, turns: Turns, needs: gp.Capability | None, batches: tuple[int, int], way: tuple[bool, bool]
) -> None:
    """Each workgroup has one tile, or two have up to six."""
    turns.skip_others(ONE_AND_ALL.index(needs) + WAYS.index(way), 2)
    m, k, n = 17, 40, 35
    tile = UnitTile(16, 32, 16, 3, 32, needs=needs, turns_a=way[0], turns_b=way[1])
    a, b = whole((batches[0], m, k), 1), whole((batches[1], k, n), 2)
    held = (np.swapaxes(each, 1, 2).copy() if turned else each for each, turned in zip((a, b), way, strict=True))
    assert np.array_equal(product(device, tile, *held, "bf16"), a @ b)


@pytest.mark.parametrize("shape", [(1, 1, 1), (16, 16, 32), (33, 17, 70), (5, 200, 7)])
@pytest.mark.parametrize("needs", ONE_AND_ALL, ids=["one", "all"])
def test_inner_lengths_of_fewer_steps_than_stages_and_more(
    device: gp.Device, turns: Turns, needs: gp.Capability | None, shape: tuple[int, int, int]
) -> None:
    """Of the software devices that compile f16, one has each of both: the simulator has them, too."""
    skip_without(device, gp.Capability.F16)
    if device.backend.name != "simulator":
        turns.skip_others(ONE_AND_ALL.index(needs))
    m, k, n = shape
    a, b = whole((1, m, k), k), whole((1, k, n), n)
    assert np.array_equal(product(device, UnitTile(16, 32, 16, 4, 32, needs=needs), a, b, "f16"), a @ b)


INSIDE_AND_AT_EDGES = [
    *itertools.product([(8, 0, 8)], WAYS),
    *itertools.product([(8, 8, 8), (6, 0, 2), None], WAYS[:1]),
]
"""What lies beyond a whole tile, and beyond one step more than there are stages; tiles without a rest and half a step
or one; and how a and b lie."""


@pytest.mark.parametrize(("rest", "way"), INSIDE_AND_AT_EDGES)
@pytest.mark.parametrize("sides", [(16, 32, 32, 3, 32), (32, 64, 64, 2, 64)])
def test_tiles_inside_and_at_the_edges(
    sides: tuple[int, ...], rest: tuple[int, int, int] | None, way: tuple[bool, bool]
) -> None:
    """On a device with units that multiply by subgroups: in loops without branches, and in others."""
    device = gp.device("simulator")
    tile = UnitTile(*sides, turns_a=way[0], turns_b=way[1])
    assert device.matrix(gp.f16) is not None and not tile.is_persistent
    m, k, n = 64, 32, 64
    if rest:
        m, k, n = tile.tile_m + rest[0], (tile.stages + 1) * tile.tile_k + rest[1], tile.tile_n + rest[2]
    a, b = whole((2, m, k), 1), whole((1, k, n), 2)
    held = [np.swapaxes(each, 1, 2).copy() if turned else each for each, turned in zip((a, b), way, strict=True)]
    assert np.array_equal(product(device, tile, *held, "f16"), a @ b)
    assert np.array_equal(product(device, tile, *held, "f16", words=True), a @ b)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_words_by_way_of_workgroup_memory(simulator_with_groups: gp.Device, dtype: str, way: tuple[bool, bool]) -> None:
    tile = UnitTile(64, 64, 64, 2, 128, needs=gp.Capability.MATRIX_GROUPS, turns_a=way[0], turns_b=way[1])
    assert tile.has_words
    a, b = whole((2, 72, 72), 1), whole((1, 72, 136), 2)
    held = (np.swapaxes(each, 1, 2).copy() if turned else each for each, turned in zip((a, b), way, strict=True))
    assert np.array_equal(product(simulator_with_groups, tile, *held, dtype, words=True), a @ b)


@pytest.mark.parametrize("tile", [UnitTile(64, 64, 32, 2, 128), UnitTile(32, 32, 32, 2, 128)], ids=str)
def test_tiles_for_subgroups_where_there_are_groups(simulator_with_groups: gp.Device, tile: UnitTile) -> None:
    """Groups hold the first one, whose loop is not that of subgroups; subgroups the second. Whole tiles, and others."""
    for m, k, n in ((64, 64, 64), (40, 70, 66)):
        a, b = whole((1, m, k), 1), whole((1, k, n), 2)
        assert np.array_equal(product(simulator_with_groups, tile, a, b, "bf16"), a @ b)


def test_a_bias_is_added_to_all_columns_of_words(simulator_with_groups: gp.Device) -> None:
    a, b, bias = whole((72, 80), 1), whole((80, 136), 2), whole((136,), 3)
    x, y, z = (gp.asarray(host, device=simulator_with_groups).astype(gp.f16) for host in (a, b, bias))
    assert np.array_equal(gp.matmul(x, y, bias=z).astype(gp.f32).numpy(), a @ b + bias)


PADDED = [((6, 7), True), ((6, 4), True), ((6, 3), False), ((6, 1), False), ((1 << 28, 7), False), ((6, 8), False)]
"""Shapes of bf16, and whether rows of multiples of 8 are made of them: of twice the memory and of 2**31 - 1 elements at
most."""


@pytest.mark.parametrize(("shape", "is_padded"), PADDED)
def test_rows_are_padded_where_the_copy_is_not_too_large(
    shape: tuple[int, int], is_padded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = gp.device("simulator")
    made = gp.ones(shape if shape[0] < 100 else (1, 1), gp.bf16, device=device)
    x: Any = SimpleNamespace(shape=shape, dtype=gp.bf16, offset=0, device=device) if shape[0] > 100 else made
    found = launches.padded(x, 1 << 40)
    assert (found is not x) == is_padded
    if is_padded:
        assert found.shape == (shape[0], 8) and (found.astype(gp.f32).numpy()[:, shape[1] :] == 0).all()
        limits = replace(device.limits, max_buffer_size=shape[0] * 16 - 1)
        monkeypatch.setattr(device, "_info", replace(device.info, limits=limits))
        assert launches.padded(x, 1 << 40) is x


@pytest.mark.parametrize("k", [1, 3, 7])
def test_short_rows_are_multiplied_with_and_without_padding(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    device = gp.device("simulator")
    shape = MatmulShape((), units=(UnitTile(16, 32, 16, 2, 32),), large=1)
    monkeypatch.setitem(SHAPES, device.kind, Shapes(matmul=shape))
    a, b = whole((35, k), 1), whole((k, 3), 2)
    x, y = (gp.asarray(each, device=device).astype(gp.bf16) for each in (a, b))
    assert np.array_equal(gp.matmul(x, y).astype(gp.f32).numpy(), a @ b)
