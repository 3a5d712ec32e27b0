"""Products of tiles of f32 with a precision: by units that round numbers, where a device has some."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gpucore as gp
from gpucore.errors import ArgumentError, CompileError

LEFT_OUT = {"highest": 0.0, "high": 2.0**-19, "fast": 2.0**-10}


@functools.cache
def multiplying(m: int, n: int, k: int, invocations: int) -> gp.Kernel:
    """a @ b.T, one step of k after the other."""

    @gp.kernel(workgroup_size=invocations)
    def multiply(a: gp.In[gp.f32, 2], b: gp.In[gp.f32, 2], c: gp.Out[gp.f32, 2], precision: gp.Const[str]):
        left, right = gp.tiles(gp.f32, 1, (m, k)), gp.tiles(gp.f32, 1, (n, k))
        row, column = gp.workgroup_id(1) * m, gp.workgroup_id(0) * n
        total = gp.matrix(gp.f32, (m, n))
        for first in range(0, a.shape[1], k):
            gp.copy_tile(left[0], a, row, first)
            gp.copy_tile(right[0], b, column, first)
            gp.copy_wait()
            total = gp.multiply_add(left[0], right[0].T, total, precision=precision)
            gp.barrier(buffers=False)
        gp.store_matrix(total, c, row, column)

    return multiply


@pytest.mark.parametrize("precision", LEFT_OUT)
@pytest.mark.parametrize(("m", "n", "k", "invocations"), [(16, 16, 8, 32), (32, 48, 16, 96), (16, 16, 12, 32)])
def test_products(device: gp.Device, precision: str, m: int, n: int, k: int, invocations: int) -> None:
    """Of 12 of the inner length units multiply none: registers do."""
    random, (rows, inner, columns) = np.random.default_rng(m + k), (37, 43, 53)
    a, b = (random.standard_normal(shape).astype(np.float32) for shape in ((rows, inner), (columns, inner)))
    c = gp.full((rows, columns), np.nan, gp.f32, device=device)
    grid = -(-columns // n), -(-rows // m)
    x, y = (gp.asarray(each, device=device) for each in (a, b))
    multiplying(m, n, k, invocations)(x, y, c, precision, workgroups=grid)
    left, right = a.astype(np.float64), b.T.astype(np.float64)
    bound = (2 * inner * 2.0**-24 + LEFT_OUT[precision]) * (np.abs(left) @ np.abs(right))
    error = np.abs(c.numpy() - left @ right)
    assert (error <= bound).all()
    if precision == "fast" and k % 8 == 0:
        is_rounded = device.matrix(gp.f32, "fast") is not None
        assert (error > 2 * inner * 2.0**-24 * (np.abs(left) @ np.abs(right))).any() == is_rounded


def test_infinities_of_rounded_numbers(device: gp.Device) -> None:
    """With "fast" they are those of IEEE 754; with "high" the smaller part of an infinity is NaN."""
    a, b = np.ones((16, 8), np.float32), np.ones((16, 8), np.float32)
    a[1, 2], a[2, 3], b[5, 2] = np.inf, -np.inf, -2
    with np.errstate(invalid="ignore"):
        wanted = a @ b.T
    for precision in ("highest", "fast", "high"):
        c = gp.full((16, 16), 7, gp.f32, device=device)
        x, y = (gp.asarray(each, device=device) for each in (a, b))
        multiplying(16, 16, 8, 32)(x, y, c, precision, workgroups=1)
        found = c.numpy()
        if precision == "high" and device.matrix(gp.f32, "high") is not None:
            assert np.isnan(found[1:3]).all()
            found[1:3] = wanted[1:3]
        assert np.array_equal(found, wanted)


@gp.kernel(workgroup_size=32)
def asks(out: gp.Out[gp.i32]):
    unit = gp.target.matrix(gp.f32, "high")
    out[0] = 0 if unit is None else unit.k
    out[1] = 0 if gp.target.matrix(gp.f32) is None else 1


def test_units_for_f32_are_those_of_a_precision(device: gp.Device) -> None:
    out, unit = gp.zeros(2, gp.i32, device=device), device.matrix(gp.f32, "high")
    asks(out, workgroups=1)
    assert out.numpy().tolist() == [0 if unit is None else 8, 0]
    assert device.matrix(gp.f32) is None and device.matrix(gp.f32, "fast") == unit
    assert device.matrix(gp.bf16, "high") == device.matrix(gp.bf16)
    with pytest.raises(ArgumentError, match="precision must be one of highest, high, fast, not 'exact'"):
        device.matrix(gp.f32, "exact")


@gp.kernel(workgroup_size=32)
def of_halves(c: gp.Out[gp.f32, 2], precision: gp.Const[str]):
    tile = gp.tiles(gp.bf16, 1, (16, 16))
    gp.store_matrix(gp.multiply_add(tile[0], tile[0], gp.matrix(gp.f32, (16, 16)), precision), c, 0, 0)


@gp.kernel(workgroup_size=32)
def asks_for_another(out: gp.Out[gp.i32]):
    out[0] = 1 if gp.target.matrix(gp.f32, "exact") is None else 0


def test_refusals() -> None:
    c = gp.zeros((16, 16), device="simulator")
    with pytest.raises(CompileError, match="a precision other than 'highest' is for tiles of f32"):
        of_halves(c, "fast", workgroups=1)
    with pytest.raises(CompileError, match="the precision is 'highest', 'high' or 'fast'"):
        of_halves(c, "exact", workgroups=1)
    with pytest.raises(CompileError, match="precision must be one of highest, high, fast, not 'exact'"):
        asks_for_another(gp.zeros(1, gp.i32, device="simulator"), workgroups=1)
