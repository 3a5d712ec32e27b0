"""Infinite f16 to integers, as on drivers that take every f16 for finite when it is widened."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing.checks import skip_without
from gpucore_wgpu import driver_defects
from gpucore_wgpu.driver_defects import Defect

NUMBERS = [np.inf, -np.inf, 65504.0, -65504.0, 1.5, -1.5, 0.0, np.nan]


@gp.kernel
def integers(x: gp.In[gp.f16], narrow: gp.Out[gp.u32], signed: gp.Out[gp.i64], unsigned: gp.Out[gp.u64]):
    i = gp.global_id(0)
    if i < x.size:
        narrow[i] = gp.u32(x[i])
        signed[i] = gp.i64(x[i])
        unsigned[i] = gp.u64(x[i])


@gp.kernel
def vectors(x: gp.In[gp.f16x2], out: gp.Out[gp.i32x2]):
    i = gp.global_id(0)
    if i < x.size:
        out[i] = gp.i32x2(x[i])


@pytest.mark.parametrize("has_defect", [False, True])
def test_infinite_f16_saturate(has_defect: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    device = gp.device("wgpu")
    skip_without(device, gp.Capability.F16, gp.Capability.INT64)
    monkeypatch.setitem(driver_defects._DRIVERS, Defect.INFINITE_F16, lambda device: has_defect)
    assert ("1.7014118e+38" in integers.source("wgsl", device=device)) is has_defect
    x = gp.asarray(np.array(NUMBERS, np.float16), device=device)
    narrow, signed, unsigned = (gp.empty(len(NUMBERS), dtype, device=device) for dtype in (gp.u32, gp.i64, gp.u64))
    gp.kernel(integers.function)(x, narrow, signed, unsigned, invocations=len(NUMBERS))
    assert narrow.numpy().tolist() == [2**32 - 1, 0, 65504, 0, 1, 0, 0, 0]
    assert signed.numpy().tolist() == [2**63 - 1, -(2**63), 65504, -65504, 1, -1, 0, 0]
    assert unsigned.numpy().tolist() == [2**64 - 1, 0, 65504, 0, 1, 0, 0, 0]
    pairs = gp.empty(len(NUMBERS) // 2, gp.i32x2, device=device)
    gp.kernel(vectors.function)(
        gp.asarray(np.array(NUMBERS, np.float16).reshape(-1, 2), gp.f16x2, device=device), pairs, invocations=4
    )
    assert pairs.numpy().ravel().tolist() == [2**31 - 1, -(2**31), 65504, -65504, 1, -1, 0, 0]
