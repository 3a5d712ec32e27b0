"""Arrays keep what NumPy gives them, whatever its layout; ranges and shapes at their ends."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp

BASE = np.arange(24, dtype=np.float32).reshape(4, 6)
READ_ONLY = BASE.copy()
READ_ONLY.flags.writeable = False
LAYOUTS = {
    "strided": BASE[::2, 1::2],
    "backwards": BASE[::-1, ::-1],
    "transposed": BASE.T,
    "big endian": BASE.astype(">f4"),
    "read only": READ_ONLY,
    "misaligned": np.arange(101, dtype=np.uint8)[1:].view(np.uint32),
    "rank 0": np.float32(3),
    "empty": np.zeros((0, 3), np.int32),
    "2 bytes": np.ones(1, np.float16),
    "6 bytes": np.arange(3, dtype=np.float16),
    "258 bytes": np.arange(129, dtype=np.float16),
}


@pytest.mark.parametrize("device", ["simulator", "cpu"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_comes_back(name, device):
    host = np.asarray(LAYOUTS[name])
    array = gp.asarray(host, device=device)
    for found in (array.numpy(), array.copy().numpy(), array.reshape(-1).numpy().reshape(host.shape)):
        assert found.dtype == host.dtype.newbyteorder("=")
        np.testing.assert_array_equal(found, host, strict=host.dtype.isnative)


@pytest.mark.parametrize(
    ("ends", "dtype", "wanted"),
    [
        ((5,), gp.i32, [0, 1, 2, 3, 4]),
        ((9, 2, -3), gp.f32, [9.0, 6.0, 3.0]),
        ((5, 1), gp.i32, []),
        ((-(2**31), 2**31, 2**31), gp.i32, [-(2**31), 0]),
        ((2**64 - 3, 2**64 - 1), gp.u64, [2**64 - 3, 2**64 - 2]),
        ((-3, 3, 2), gp.i64, [-3, -1, 1]),
        ((0, 1, 10**400), gp.f32, [0.0]),
        ((10**30, 3 * 10**30, 10**30), gp.f64, [1e30, 2e30]),
    ],
)
def test_arange(ends, dtype, wanted):
    assert gp.arange(*ends, dtype=dtype, device="simulator").numpy().tolist() == wanted


@pytest.mark.parametrize("ends", [(1.5,), (True,), ("3",), (0, 5, 0), (2**31 + 1,), (2**40,)])
def test_arange_refuses(ends):
    with pytest.raises(gp.ArgumentError):
        gp.arange(*ends, device="simulator")


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(1.5, gp.i32), (2**31, gp.i32), (-1, gp.u32), (1e39, gp.f32), (70000, gp.f16), (np.nan, gp.i32), ("1", gp.f32),
     (1j, gp.f32), (10**400, gp.f32)],
)  # fmt: skip
def test_full_refuses_what_does_not_fit(value, dtype):
    with pytest.raises(gp.ArgumentError, match="does not fit"):
        gp.full(3, value, dtype, device="simulator")


def test_full_takes_what_fits():
    assert gp.full(2, np.inf, gp.f32, device="simulator").numpy().tolist() == [np.inf, np.inf]
    assert np.isnan(gp.full(2, np.nan, gp.f16, device="simulator").numpy()).all()
    assert gp.full((2, 1), np.int64(7), gp.u32, device="simulator").numpy().tolist() == [[7], [7]]


@pytest.mark.parametrize(("shape", "wanted"), [
    ((3, 4), (3, 4)), ((-1,), (12,)), ((3, -1), (3, 4)), (((2, 6),), (2, 6)), ((np.int64(-1), 6), (2, 6)),
])  # fmt: skip
def test_reshape(shape, wanted):
    assert gp.arange(12, device="simulator").reshape(*shape).shape == wanted


@pytest.mark.parametrize("shape", [(-1, 5), (-1, -1), (0, -1), (5,), (), (2.0, 6), (True, 12), ("a",)])
def test_reshape_refuses(shape):
    with pytest.raises(gp.ArgumentError):
        gp.arange(12, device="simulator").reshape(*shape)


def test_reshape_of_nothing():
    nothing = gp.empty((0, 3), device="simulator")
    assert nothing.reshape(-1, 3).shape == (0, 3)
    assert nothing.reshape(5, 0).shape == (5, 0)
    with pytest.raises(gp.ArgumentError, match="no length fits in place of -1"):
        nothing.reshape(0, -1)
