"""Products of f32 as sums of bf16: the error by the number of parts, and IEEE 754's infinities and NaNs.

Devices whose units multiply bf16 choose them; here their kernels run on every device, in a small tile.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import gpucore as gp
from gpucore.algorithms.matmul import by_units, split
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.shapes import UnitTile
from gpucore.runtime.protocol import DeviceKind

TILE = UnitTile(16, 64, 64, 2, 128)
LEFT_OUT = {3: 2.0**-23, 2: 2.0**-15, 1: 2.0**-7}
"""By the number of parts a bound on what is left out of a product, relative to it.

The first part of x is within 2**-8 |x| / 2 (half a unit of 8 bits), each further one within 2**-8 of the rest: 1 part
leaves 2**-8 of each factor, 2 parts the product of the second parts and the rests, 3 parts products of 2**-25 and less.
"""
Host = npt.NDArray[np.float32]


def skip_where_too_much(device: gp.Device, count: int) -> None:
    nbytes = 2 if device.supports(gp.Capability.INT16) else 4
    nbytes *= count * TILE.stages * (TILE.tile_m + TILE.tile_n) * TILE.tile_k
    if nbytes > device.limits.max_workgroup_memory:
        pytest.skip(f"the tiles need {nbytes} bytes of workgroup memory, which {device.id} lacks")
    if count > 1 and device.backend.name == "opencl" and device.kind is not DeviceKind.GPU:
        pytest.skip("compiled there for 10 s and more; one part is, and other devices have several")


def parts_of(x: gp.Array, y: gp.Array, count: int) -> tuple[gp.Array, gp.Array]:
    return by_units.split_all(x.reshape(1, *x.shape), y.reshape(1, *y.shape), count)


def product(device: gp.Device, a: Host, b: Host, count: int) -> Host:
    skip_where_too_much(device, count)
    x, y = gp.asarray(a, device=device), gp.asarray(b, device=device)
    c = gp.full((1, a.shape[0], b.shape[1]), np.nan, gp.f32, device=device)
    tiles = -(-c.shape[1] // TILE.tile_m) * -(-c.shape[2] // TILE.tile_n)
    left, right = parts_of(x, y, count)
    x, y = x.reshape(1, *x.shape), y.reshape(1, *y.shape)
    kernel = split.make_kernel(TILE.invocations, 1)
    kernel(left, right, c, x, y, a.shape[1], TILE, count, workgroups=tiles)
    return c.numpy()[0]


@pytest.mark.parametrize("columns", [1, 7, 8, 12, 70])
def test_parts_add_up(device: gp.Device, columns: int) -> None:
    """Three parts hold every bit of an f32 of 2**-110 and more, two 2**-16 of it; behind them are zeros."""
    bits = np.random.default_rng(columns).integers(0, 1 << 32, (19, columns), dtype=np.uint32)
    x = bits.view(np.float32)
    x[~(np.isfinite(x) & (np.abs(x) > 2.0**-100) & (np.abs(x) < 2.0**127))] = 1.1
    for count, error in ((1, 2.0**-8), (2, 2.0**-16), (3, 0.0)):
        of_both = parts_of(gp.asarray(x, device=device), gp.asarray(x.T.copy(), device=device), count)
        for parts, whole in zip(of_both, (x, x.T), strict=True):
            held = parts.astype(gp.f32).numpy().astype(np.float64)
            rows, columns = whole.shape
            assert held.shape == (count, rows, -(-columns // 8) * 8) and (held[:, :, columns:] == 0).all()
            assert (np.abs(held.sum(axis=0)[:, :columns] - whole) <= error * np.abs(whole)).all()


@pytest.mark.parametrize("count", [3, 2, 1])
@pytest.mark.parametrize("shape", [(1, 1, 1), (33, 67, 45), (64, 48, 32), (5, 130, 7)])
def test_products(device: gp.Device, shape: tuple[int, int, int], count: int) -> None:
    if device.backend.name == "simulator" and shape[0] * shape[1] > 500:
        shape = (3, 20, 5)
    m, k, n = shape
    random = np.random.default_rng(k)
    for make in (random.standard_normal, random.random):
        a, b = (make(each).astype(np.float32) for each in ((m, k), (k, n)))
        left, right = a.astype(np.float64), b.astype(np.float64)
        bound = (2 * (k + 6) * 2.0**-24 + LEFT_OUT[count]) * (np.abs(left) @ np.abs(right))
        assert (np.abs(product(device, a, b, count) - left @ right) <= bound).all()


@pytest.mark.parametrize("count", [3, 1])
def test_infinities_and_nan_are_those_of_ieee(device: gp.Device, count: int) -> None:
    """Also where a number rounds to infinity in bf16: 3.4e38, whose product with a small one is finite."""
    m, k, n = (4, 5, 4) if device.backend.name == "simulator" else (40, 35, 37)
    a, b = (np.random.default_rng(1).standard_normal(each).astype(np.float32) for each in ((m, k), (k, n)))
    a[0, 1], a[1, 2], a[2, 0] = np.inf, np.nan, np.float32(3.4e38)
    a[-1, -1], b[-1, -1] = -np.inf, 0.0
    b[0, :], b[1, 0] = 2.0**-100, 0.0
    with np.errstate(invalid="ignore", over="ignore"):
        expected = a.astype(np.float64) @ b.astype(np.float64)
        found = product(device, a, b, count)
        magnitude = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    assert np.array_equal(np.isnan(found), np.isnan(expected)) and np.isnan(found).any()
    is_infinite = np.isinf(expected)
    assert np.array_equal(found[is_infinite], expected[is_infinite]) and is_infinite.any()
    is_finite = np.isfinite(expected)
    bound = (2 * k * 2.0**-24 + LEFT_OUT[count]) * magnitude[is_finite]
    assert (np.abs(found[is_finite] - expected[is_finite]) <= bound).all() and is_finite[2].all()


def test_small_magnitudes(device: gp.Device) -> None:
    """Those below 2**-110 have an error of 2**-133 at most; of 2**-126 where subnormal numbers are zero."""
    m, k, n = (3, 20, 4) if device.backend.name == "simulator" else (20, 30, 20)
    random = np.random.default_rng(5)
    a = np.ldexp(random.uniform(1, 2, (m, k)), random.integers(-130, -105, (m, k))).astype(np.float32)
    b = np.ldexp(random.uniform(1, 2, (k, n)), 100).astype(np.float32)
    found = product(device, a, b, 3)
    tiny = gp.full(1, 2.0**-127, gp.f32, device=device)
    lost = 2.0**-133 if (tiny + tiny).item() > 0 and (tiny * 1.5).item() > 0 else 2.0**-126
    left, right = a.astype(np.float64), b.astype(np.float64)
    bound = (2 * (k + 6) * 2.0**-24 + LEFT_OUT[3]) * (left @ right) + k * lost * 2.0**101
    assert (np.abs(found - left @ right) <= bound).all()


def test_parts_of_the_inner_dimension_and_a_finish(device: gp.Device) -> None:
    skip_where_too_much(device, 3)
    m, k, n = (3, 80, 5) if device.backend.name == "simulator" else (33, 140, 35)
    a, b = (np.random.default_rng(2).standard_normal(each).astype(np.float32) for each in ((m, k), (k, n)))
    a[1, 33] = np.nan
    x, y = gp.asarray(a, device=device), gp.asarray(b, device=device)
    (left, right), tiles = parts_of(x, y, 3), -(-m // TILE.tile_m) * -(-n // TILE.tile_n)
    x, y = x.reshape(1, m, k), y.reshape(1, k, n)
    sums = gp.empty((-(-k // 64), 1, m, n), gp.f32, device=device)
    split.make_parts_kernel(TILE.invocations, 1)(
        left, right, sums, x, y, 64, k, TILE, 3, workgroups=(tiles, sums.shape[0])
    )
    for part, found in enumerate(sums.numpy()[:, 0]):
        own = slice(64 * part, 64 * part + 64)
        expected = a[:, own].astype(np.float64) @ b[own].astype(np.float64)
        magnitude = np.abs(a[:, own].astype(np.float64)) @ np.abs(b[own].astype(np.float64))
        assert np.array_equal(np.isnan(found), np.isnan(expected))
        assert np.allclose(found, expected, rtol=0, atol=np.nanmax(magnitude) * 2.0**-17, equal_nan=True)
    c, bias = gp.full((1, m, n), 2, gp.f32, device=device), gp.asarray(np.arange(n, dtype=np.float32), device=device)
    finish = Finish(scales=True, has_before=True, has_bias=True)
    kernel = split.make_finishing_kernel(TILE.invocations, 1)
    kernel(left, right, c, x, y, bias.reshape(1, n), 3.0, 5.0, k, TILE, 3, finish, workgroups=tiles)
    expected = 3 * (a.astype(np.float64) @ b.astype(np.float64)) + 10 + np.arange(n)
    assert np.allclose(c.numpy()[0], expected, rtol=2.0**-17, atol=2.0**-12, equal_nan=True)


@pytest.mark.parametrize("precision", ["highest", "high", "fast"])
@pytest.mark.parametrize("shape", [(64, 64, 64), (130, 200, 257)])
def test_gp_matmul_by_precision(device: gp.Device, shape: tuple[int, int, int], precision: str) -> None:
    if device.backend.name == "simulator":
        pytest.skip("products of this size take the simulator minutes")
    m, k, n = shape
    a, b = (np.random.default_rng(3).standard_normal(each).astype(np.float32) for each in ((m, k), (k, n)))
    left, right = a.astype(np.float64), b.astype(np.float64)
    bound = (2 * (k + 6) * 2.0**-24 + LEFT_OUT[{"highest": 3, "high": 2, "fast": 1}[precision]]) * (
        abs(left) @ abs(right)
    )
    for variant in ("auto", "register_tile"):
        found = gp.matmul(a, b, precision=precision, variant=variant, device=device)
        assert (np.abs(found - left @ right) <= bound).all()
    of_integers = gp.matmul(a.astype(np.int32), b.astype(np.int32), precision=precision, device=device)
    assert np.array_equal(of_integers, a.astype(np.int32) @ b.astype(np.int32))


def test_wrong_precisions_are_refused(device: gp.Device) -> None:
    a = np.ones((2, 2), np.float32)
    with pytest.raises(gp.ArgumentError, match="precision must be one of highest, high, fast, not 'medium'"):
        gp.matmul(a, a, precision="medium", device=device)
