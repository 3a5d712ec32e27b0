"""gp.matmul of f64 by units for matrices, on the simulator: of any shape, with the finish, and in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.algorithms import shapes
from gpucore.algorithms.matmul.by_units import unit_tiles
from gpucore.algorithms.shapes import MatmulShape, Shapes, UnitTile
from gpucore.ir import MatrixUnit
from gpucore.ir.panels import padding_of
from gpucore.runtime.protocol import DeviceKind
from gpucore.simulator import matrices

TILE = UnitTile(32, 32, 16, 2, 128)


@pytest.fixture
def simulator(monkeypatch: pytest.MonkeyPatch) -> Iterator[gp.Device]:
    """One with a small tile, and that pads rows of odd lengths."""
    monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=MatmulShape((), doubles=(TILE,), large=1)))
    with gp.device("simulator") as opened:
        yield opened


def drawn(*shapes: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    random = np.random.default_rng(1)
    return [random.normal(size=shape) * 2.0 ** random.integers(-9, 9, shape) for shape in shapes]


def check(found: Any, a: Any, b: Any) -> None:
    """Within the rounding of sums of fma in any order."""
    bound = 2 * a.shape[1] * 2.0**-53 * (np.abs(a) @ np.abs(b))
    assert found.dtype == np.float64 and (np.abs(found - a @ b) <= bound).all()


@pytest.mark.parametrize(("m", "k", "n"), [(1, 1, 1), (37, 45, 53), (65, 16, 32), (3, 66, 70), (32, 3, 33)])
@pytest.mark.parametrize("variant", ["matrix_units", "auto"])
def test_products_of_any_shape(
    simulator: gp.Device, m: int, k: int, n: int, variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    accumulate = matrices.accumulate
    monkeypatch.setattr("gpucore.simulator.collectives.accumulate", lambda x: calls.append(1) or accumulate(x))
    a, b = drawn((m, k), (k, n))
    check(gp.matmul(a, b, variant=variant, device=simulator), a, b)
    assert calls


def test_the_finish_and_parts(simulator: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, c, bias = drawn((33, 90), (90, 35), (33, 35), (35,))
    wanted = np.maximum(2 * (a @ b) - c + bias, 0)
    bound = 2 * (90 + 3) * 2.0**-53 * (2 * (np.abs(a) @ np.abs(b)) + np.abs(c) + np.abs(bias))  # NumPy's sums err, too
    found = gp.matmul(a, b, out=c.copy(), alpha=2, beta=-1, bias=bias, epilogue=relu, device=simulator)
    assert (np.abs(found - wanted) <= bound).all()
    shape = replace(shapes.shapes_of(simulator).matmul, fills=64, least_steps=2)
    monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=shape))
    assert shape.parts(4, 6) > 1
    check(gp.matmul(a, b, device=simulator), a, b)
    found = gp.matmul(a, b, out=c.copy(), alpha=2, beta=-1, bias=bias, epilogue=relu, device=simulator)
    assert (np.abs(found - wanted) <= bound).all()


def relu(value):
    return gp.max(value, 0)


def test_infinities_and_nan(simulator: gp.Device) -> None:
    a, b = drawn((34, 20), (20, 33))
    a[3, 5], a[4, 0], a[5, 19], b[7, 9], b[0, 32] = np.nan, np.inf, -np.inf, np.inf, 0
    a[8], b[:, 4] = 1e200, 1e200
    with np.errstate(all="ignore"):
        wanted = (a[:, :, None] * b).sum(axis=1)
    found = gp.matmul(a, b, device=simulator)
    assert np.array_equal(np.isnan(found), np.isnan(wanted))
    assert np.array_equal(np.isinf(found), np.isinf(wanted)) and np.isinf(found).sum() > 60
    assert np.allclose(found, wanted, rtol=1e-12, atol=1e-10, equal_nan=True)


def test_devices_without_copies_have_tiles_of_two_stages() -> None:
    """Of which 64 KiB have room for large ones; and tiles of f64 have 32 bytes between their rows."""
    limits = replace(gp.device("simulator").limits, max_workgroup_memory=64 << 10)
    unit = MatrixUnit(16, 16, 16, 32, 64 << 10, copies=False)
    fitting = [tile for tile in MatmulShape(()).units if tile.needs is None and tile.fits(unit, limits, 2)]
    assert {tile.stages for tile in fitting} == {2}
    assert [(tile.tile_m, tile.tile_n) for tile in fitting] == [(128, 128), (64, 64), (32, 32)]
    assert any(tile.stages > 2 and tile.fits(replace(unit, copies=True), limits, 2) for tile in MatmulShape(()).units)
    assert padding_of(8) == 32 and {padding_of(nbytes) for nbytes in (1, 2, 4)} == {16}
    exact = 2 * (32 * (16 * 8 + 32) + 16 * (32 * 8 + 32))
    of_f64 = MatrixUnit(16, 16, 4, 32, exact, copies=True)
    assert TILE.fits(of_f64, limits, 8) and not TILE.fits(replace(of_f64, memory=exact - 1), limits, 8)


def test_tiles_of_f64_are_those_of_the_table() -> None:
    with gp.device("simulator") as device:
        assert unit_tiles(device, gp.f64) == [*MatmulShape(()).doubles]
        assert unit_tiles(device, gp.f32) == []
