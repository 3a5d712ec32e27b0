"""Kernels whose products groups of 128 invocations do, checked as written and with their waits delayed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import gpucore as gp
from gpucore.algorithms.matmul.units import make_kernel
from gpucore.algorithms.shapes import UnitTile
from gpucore.simulator.device import GROUPS_VARIABLE
from gpucore.simulator.groups import Products
from gpucore.simulator.plugin import SimulatorBackend

TILE = UnitTile(64, 64, 64, 2, 128, needs=gp.Capability.MATRIX_GROUPS)


@pytest.fixture(params=[False, True], ids=["as written", "optimised"], autouse=True)
def simulator(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[gp.Device]:
    gp.device("simulator").close()
    monkeypatch.setenv(GROUPS_VARIABLE, "1")
    monkeypatch.setattr(SimulatorBackend, "wants_unoptimised_ir", not request.param)
    with gp.device("simulator") as device:
        yield device


def test_a_product_in_stages_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []
    end = Products._end

    def count(self: Products, number: int, products: object) -> None:
        ended.append(number)
        end(self, number, products)

    monkeypatch.setattr(Products, "_end", count)
    random = np.random.default_rng(1)
    a, b = random.normal(size=(50, 80)).astype(np.float16), random.normal(size=(80, 70)).astype(np.float16)
    c = np.zeros((1, 50, 70), np.float16)
    report = gp.check(make_kernel(128, 1), a[None], b[None], c, 80, TILE, workgroups=2, schedules=1)
    assert report.ok, str(report)
    assert ended == [0] * 4


@pytest.mark.parametrize("lengths", [(32, 96, 64), (20, 64, 40)])
def test_a_product_by_subgroups_is_right(lengths: tuple[int, int, int]) -> None:
    """In a loop without branches, and at the edges."""
    (m, k, n), random = lengths, np.random.default_rng(1)
    a, b = random.normal(size=(1, m, k)).astype(np.float16), random.normal(size=(1, k, n)).astype(np.float16)
    tile = UnitTile(16, 32, 32, 3, 32)
    report = gp.check(make_kernel(32, 1), a, b, np.zeros((1, m, n), np.float16), k, tile, workgroups=4, schedules=1)
    assert report.ok, str(report)


@gp.kernel(workgroup_size=128)
def in_parts(x: gp.In[gp.f16, 3], c: gp.Out[gp.f32, 2], waits: gp.Const[bool]):
    tile = gp.tiles(gp.f16, 2, (64, 64))
    gp.copy_tile(tile[0], x[0], 0, 0)
    gp.copy_group()
    gp.copy_tile(tile[1], x[1], 0, 0)
    gp.copy_group()
    if waits:
        gp.copy_wait(0)
    else:
        gp.copy_wait(1)
    gp.store_matrix(gp.multiply_add(tile[0], tile[1], gp.matrix(gp.f32, (64, 64))), c, 0, 0)


@pytest.mark.parametrize("waits", [False, True])
def test_a_tile_that_one_copy_fills_is_read_too_early(waits: bool) -> None:
    x = np.random.default_rng(1).normal(size=(2, 64, 64)).astype(np.float16)
    report = gp.check(in_parts, x, np.zeros((64, 64), np.float32), waits, workgroups=1, schedules=1)
    assert report.ok == waits, str(report)
    assert waits or "copy" in str(report)


@gp.kernel(workgroup_size=128)
def overwritten(x: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2], waits: gp.Const[bool]):
    tile = gp.tiles(gp.f16, 1, (64, 64))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_wait()
    total = gp.matrix(gp.f32, (64, 64))
    total += tile[0] @ tile[0]
    if waits:
        gp.barrier()
    if gp.local_index() < 64:
        tile[0, gp.local_index(), 0] = gp.f16(1)
    gp.store_matrix(total, c, 0, 0)


@pytest.mark.parametrize("waits", [False, True])
def test_a_tile_that_is_written_too_early(waits: bool) -> None:
    x, c = np.ones((64, 64), np.float16), np.zeros((64, 64), np.float32)
    report = gp.check(overwritten, x, c, waits, workgroups=1, schedules=1)
    assert [(each.code, each.array) for each in report.findings] == [] if waits else [("GP701", "tile")], str(report)
