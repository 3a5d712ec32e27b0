"""Absolute values of the least integers, which are negative, as on drivers that assume that none is."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing.checks import skip_without
from gpucore_wgpu import driver_defects
from gpucore_wgpu.driver_defects import Defect


@gp.kernel
def high_words(x: gp.In[gp.i64], high: gp.Out[gp.i64], is_negative: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        high[i] = gp.mul_hi(abs(x[i]), x[i])
        is_negative[i] = gp.i32(abs(x[i]) < 0)


@gp.kernel
def vectors(x: gp.In[gp.i32x2], y: gp.Out[gp.i32x2], high: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = abs(x[i])
        high[i] = gp.mul_hi(abs(x[i].x), x[i].x)


@pytest.mark.parametrize("has_defect", [False, True])
def test_absolute_values_of_the_least_integers(has_defect: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    device = gp.device("wgpu")
    skip_without(device, gp.Capability.INT64)
    if has_defect:
        monkeypatch.setitem(driver_defects._DRIVERS, Defect.ABSOLUTE_VALUE, lambda device: True)
        assert "abs(" not in high_words.source("wgsl", device=device)
    values = [-(2**63), 1 - 2**63, -1, 0, 1, 2**63 - 1, -(2**40)]
    high, is_negative = (gp.empty(len(values), dtype, device=device) for dtype in (gp.i64, gp.i32))
    x = gp.asarray(np.array(values, np.int64), device=device)
    gp.kernel(high_words.function)(x, high, is_negative, invocations=len(values))
    magnitudes = [value if value == -(2**63) else abs(value) for value in values]
    assert high.numpy().tolist() == [a * b >> 64 for a, b in zip(magnitudes, values, strict=True)]
    assert is_negative.numpy().tolist() == [1, 0, 0, 0, 0, 0, 0]
    pairs = np.array([[-(2**31), -5], [2**31 - 1, 0], [-7, -(2**31)]], np.int32)
    y, high = gp.empty(3, gp.i32x2, device=device), gp.empty(3, gp.i32, device=device)
    gp.kernel(vectors.function)(gp.asarray(pairs, gp.i32x2, device=device), y, high, invocations=3)
    assert y.numpy().tolist() == [[-(2**31), 5], [2**31 - 1, 0], [7, -(2**31)]]
    assert high.numpy().tolist() == [2**30, (2**31 - 1) ** 2 >> 32, -1]
