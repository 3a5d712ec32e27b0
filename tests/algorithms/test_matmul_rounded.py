"""Products of f32 on devices whose units round f32, and that have no groups."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from turns import Turns

import gpucore as gp
from gpucore.algorithms.matmul import by_units
from gpucore.algorithms.matmul.batches import PARTS
from gpucore.algorithms.shapes import SHAPES, UnitTile, shapes_of

LEFT_OUT = {"highest": 2.0**-19, "high": 2.0**-19, "fast": 2.0**-10}
SMALL = UnitTile(16, 16, 8, 3, 32), UnitTile(32, 32, 16, 2, 64, min_tiles=3)


@pytest.fixture
def rounding(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> gp.Device:
    """A device that rounds f32, with small tiles, in which products of all sizes are."""
    shapes = shapes_of(device)
    if device.matrix(gp.f32, "high") is None:
        pytest.skip(f"{device.id} has no units that round f32")
    of_matmul = dataclasses.replace(shapes.matmul, rounded=SMALL[::-1], split=(), split_from=1, large=1)
    monkeypatch.setitem(SHAPES, device.kind, dataclasses.replace(shapes, matmul=of_matmul))
    return device


def bound_of(a: np.ndarray, b: np.ndarray, precision: str) -> np.ndarray:
    return (2 * (a.shape[-1] + 6) * 2.0**-24 + LEFT_OUT[precision]) * (np.abs(a) @ np.abs(b))


WAYS = ((False, False), (True, False), (False, True), (True, True))
"""Whether a and b lie by columns."""


@pytest.mark.parametrize("precision", LEFT_OUT)
@pytest.mark.parametrize("shape", [(1, 16, 1), (5, 37, 3), (16, 24, 16), (35, 21, 70)])
@pytest.mark.parametrize("way", WAYS)
def test_products(
    rounding: gp.Device, turns: Turns, precision: str, shape: tuple[int, int, int], way: tuple[bool, bool]
) -> None:
    """Each precision of matrices that lie in each way; on the simulator many tiles of half of these."""
    if shape[0] == 35 and rounding.backend.name == "simulator":
        turns.skip_others(WAYS.index(way) + [*LEFT_OUT].index(precision), 2)
    (m, k, n), random = shape, np.random.default_rng(3)
    a, b = (random.standard_normal(each).astype(np.float32) for each in ((2, m, k), (k, n)))
    given = a.swapaxes(1, 2).copy() if way[0] else a, b.T.copy() if way[1] else b
    x, y = (gp.asarray(each, device=rounding) for each in given)
    tiles = by_units.split_tiles(rounding, gp.f32, PARTS[precision])
    assert {tile.precision for tile in tiles} == {"fast" if precision == "fast" else "high"}
    options = {"transpose_a": way[0], "transpose_b": way[1], "precision": precision, "variant": "matrix_units"}
    found = gp.matmul(x, y, **options).numpy()
    a, b = a.astype(np.float64), b.astype(np.float64)
    assert (np.abs(found - a @ b) <= bound_of(a, b, precision)).all()


@pytest.mark.parametrize("precision", LEFT_OUT)
def test_infinities_nan_and_a_finish(rounding: gp.Device, precision: str) -> None:
    """Also where a number rounds to infinity: 3.4028e38, whose product with a small one is finite."""
    random, (m, k, n) = np.random.default_rng(4), (19, 23, 21)
    a, b = (random.standard_normal(each).astype(np.float32) for each in ((m, k), (k, n)))
    a[0, 1], a[1, 2], a[2, 0], a[3, 3], b[3, :], b[0, :] = np.inf, np.nan, 3.4028e38, -np.inf, 0, 2.0**-100
    bias, before = (random.standard_normal(each).astype(np.float32) for each in (n, (m, n)))
    x, y, added, out = (gp.asarray(each, device=rounding) for each in (a, b, bias, before))
    gp.matmul(x, y, out=out, alpha=2, beta=-1, bias=added, precision=precision)
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore"):
        expected, bound = 2 * (a @ b) - before + bias, 2 * bound_of(a, b, precision)
        bound += 2.0**-22 * (2 * np.abs(a) @ np.abs(b) + np.abs(before) + np.abs(bias))  # of the finish
    found, is_finite = out.numpy(), np.isfinite(expected)
    assert np.array_equal(np.isnan(found), np.isnan(expected)) and np.isnan(found).any()
    assert np.array_equal(found[np.isinf(expected)], expected[np.isinf(expected)]) and np.isinf(found).any()
    assert (np.abs(found[is_finite] - expected[is_finite]) <= bound[is_finite]).all() and is_finite[2].all()


@pytest.mark.parametrize("k", [1, 3, 15, 16, 17, 40])
def test_the_bound_of_highest(rounding: gp.Device, k: int) -> None:
    """That of docs/numbers.md, at lengths at which what is left out of each product counts most."""
    random = np.random.default_rng(k)
    a, b = (1 + (random.integers(0, 1 << 23, shape) / 2.0**23).astype(np.float32) for shape in ((70, k), (k, 50)))
    x, y = (gp.asarray(each, device=rounding) for each in (a, b))
    bound = 2 * k * 2.0**-24 * (a.astype(np.float64) @ b)
    if k < 16:
        with pytest.raises(gp.ArgumentError, match=f"with an inner length below 16, here {k}; leave out the variant"):
            gp.matmul(x, y, variant="matrix_units")
        found = gp.matmul(x, y).numpy()
        by_units = gp.matmul(x, y, variant="matrix_units", precision="high").numpy()
        assert (np.abs(by_units - a.astype(np.float64) @ b) <= bound + 2.0**-19 * 4 * k).all()
    else:
        found = gp.matmul(x, y, variant="matrix_units").numpy()
    assert (np.abs(found - a.astype(np.float64) @ b) <= bound).all()


def test_small_magnitudes(rounding: gp.Device) -> None:
    """Those below 2**-110 have an error of 2**-133 at most: the rule of docs/matmul.md."""
    random = np.random.default_rng(5)
    a = np.ldexp(random.uniform(1, 2, (20, 30)), random.integers(-130, -105, (20, 30))).astype(np.float32)
    b = np.ldexp(random.uniform(1, 2, (30, 20)), 100).astype(np.float32)
    found = gp.matmul(gp.asarray(a, device=rounding), gp.asarray(b, device=rounding)).numpy()
    a, b = a.astype(np.float64), b.astype(np.float64)
    assert (np.abs(found - a @ b) <= bound_of(a, b, "highest") + 30 * 2.0**-133 * 2.0**101).all()


def test_the_bits_that_each_precision_keeps(rounding: gp.Device) -> None:
    """ "highest" is as "high" here: it keeps all bits of one number, and leaves out little of long sums."""
    a, b = np.zeros((3, 16), np.float32), np.ones((16, 2), np.float32)
    a[:, 5] = 1 + 2.0**-21
    x, y = (gp.asarray(each, device=rounding) for each in (a, b))
    found = {precision: gp.matmul(x, y, precision=precision, variant="matrix_units").numpy() for precision in PARTS}
    assert (found["highest"] == 1 + 2.0**-21).all() and (found["high"] == 1 + 2.0**-21).all()
    assert (found["fast"] == 1).all()


def test_matrices_of_which_parts_would_be_too_large(rounding: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Units that round numbers need no memory for parts."""
    a, b = np.full((200, 64), 2, np.float32), np.full((64, 16), 3, np.float32)
    x, y = (gp.asarray(each, device=rounding) for each in (a, b))
    monkeypatch.setattr(by_units, "can_have", lambda device, size, nbytes: size * nbytes <= 65536)
    assert np.array_equal(gp.matmul(x, y, variant="matrix_units").numpy(), a @ b)
