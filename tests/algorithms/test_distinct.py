"""gp.unique, against NumPy on every device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from driver_traffic import Traffic
from sort_order import any_bits, bits_of, is_supported, numpy_dtype

import gpucore as gp

ALL = {"return_index": True, "return_inverse": True, "return_counts": True}


@pytest.mark.parametrize("dtype", ["f32", "f64", "i8"])
def test_values_indices_inverse_and_counts(device: gp.Device, dtype: str) -> None:
    if not is_supported(device, dtype) or (device.backend.name == "opencl" and dtype != "f32"):
        pytest.skip(f"{device.id} lacks {dtype}, or takes seconds")
    for shape in ((0,), (1,), (0, 3), (2, 60), (250,)) if device.backend.name != "simulator" else ((0,), (2, 30)):
        x: Any = any_bits(numpy_dtype(dtype), int(np.prod(shape)))
        x[1::2] = x[: x.size // 2]
        x = x.reshape(shape)
        results = gp.unique(x, **ALL, device=device)
        for got, want in zip(results, np.unique(x, **ALL), strict=True):
            assert got.shape == want.shape
            assert np.array_equal(got, want, equal_nan=got.dtype.kind == "f")
        assert [got.dtype for got in results] == [x.dtype, *[np.dtype(np.int32)] * 3]
        values = results[0]
        assert values.dtype.kind != "f" or not np.signbit(values[(values == 0) | np.isnan(values)]).any()
        assert np.array_equal(bits_of(gp.unique(x, device=device)), bits_of(values))


def test_options_and_devices(device: gp.Device) -> None:
    x = gp.asarray([3, 1, 3, 2, 1, 3], gp.i32, device=device)
    values = gp.unique(x)
    assert isinstance(values, gp.Array) and values.device is device and values.tolist() == [1, 2, 3]
    values, counts = gp.unique(x, return_counts=True)
    assert (values.tolist(), counts.tolist()) == ([1, 2, 3], [2, 1, 3])
    values, inverse = gp.unique(x, return_inverse=True)
    assert np.array_equal(values.numpy()[inverse.numpy()], x.numpy())


def test_it_waits_once(device: gp.Device, watch: Callable[[gp.Device], Traffic]) -> None:
    x = gp.asarray(np.arange(100) % 7, gp.i32, device=device)
    traffic = watch(device)
    gp.unique(x, **ALL)
    assert (traffic.uploads, traffic.downloads) == (0, 1)


def test_what_is_refused() -> None:
    with pytest.raises(gp.ArgumentError, match="return_index, return_inverse and return_counts are True or False"):
        gp.unique(np.zeros(3, "f4"), return_counts=1, device="simulator")  # type: ignore[call-overload, unused-ignore]
    with pytest.raises(gp.ArgumentError, match="complex64"):
        gp.unique(np.zeros(3, "c8"), device="simulator")
