"""`kernel.source(..., device=...)` is the text that the device's driver gets, to the byte."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gpucore as gp
from gpucore.runtime import Pipeline, Source
from gpucore.testing.checks import skip_without

SIZE = 64


@gp.kernel(workgroup_size=SIZE)
def doubled(x: gp.InOut[gp.f32], n: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * 2.0 + gp.f32(n)


@gp.kernel(workgroup_size=SIZE)
def collatz(x: gp.InOut[gp.i32]):
    """Loops of unknown length, and private memory that is indexed at run time."""
    i = gp.global_id(0)
    seen = gp.private_array(gp.i32, 4)
    value = x[i]
    steps = 0
    while value > 1:
        value = value // 2 if value % 2 == 0 else 3 * value + 1
        seen[steps & 3] = value
        steps += 1
    x[i] = steps + seen[i & 3]


@gp.kernel(workgroup_size=SIZE)
def scan(x: gp.InOut[gp.i32], rounds: gp.i32):
    """Barriers in branches and loops."""
    shared = gp.workgroup_array(gp.i32, SIZE)
    i = gp.local_id(0)
    shared[i] = x[gp.global_id(0)]
    gp.barrier()
    if rounds > 0:
        for k in range(rounds):
            value = shared[(i + k) % SIZE]
            gp.barrier()
            shared[i] = value + shared[i]
            gp.barrier()
    x[gp.global_id(0)] = shared[i]


@gp.kernel(workgroup_size=SIZE)
def ranked(x: gp.InOut[gp.i32]):
    """Subgroups, the device's own or made by core."""
    i = gp.global_id(0)
    x[i] = gp.subgroup_add(x[i]) + gp.i32(gp.popcount(gp.subgroup_ballot(x[i] > 2).x))


@gp.kernel(workgroup_size=SIZE)
def quotients(x: gp.InOut[gp.i64], y: gp.In[gp.f64]):
    i = gp.global_id(0)
    x[i] = x[i] // gp.i64(3) + gp.i64(gp.round(y[i] * 1.5))


KERNELS = {
    "doubled": (doubled, (np.float32,), {"n": 3}),
    "collatz": (collatz, (np.int32,), {}),
    "scan": (scan, (np.int32,), {"rounds": 2}),
    "ranked": (ranked, (np.int32,), {}),
    "quotients": (quotients, (np.int64, np.float64), {}),
}


@pytest.fixture
def compiled(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> list[Pipeline]:
    """What the driver's device makes from now on."""
    made: list[Pipeline] = []
    original = device.driver_device.compile

    def compile_and_note(source: Source) -> Pipeline:
        made.append(original(source))
        return made[-1]

    monkeypatch.setattr(device.driver_device, "compile", compile_and_note)
    return made


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("debug", [False, True], ids=["plain", "debug"])
def test_the_text_shown_is_the_text_that_runs(
    device: gp.Device, compiled: list[Pipeline], name: str, debug: bool
) -> None:
    kernel, dtypes, scalars = KERNELS[name]
    fresh = gp.kernel(workgroup_size=SIZE, debug=debug)(kernel.function)
    if name == "quotients":
        skip_without(device, gp.Capability.F64, gp.Capability.INT64)
    arrays = [gp.ones(SIZE, dtype, device=device) for dtype in dtypes]
    fresh(*arrays, **scalars, invocations=SIZE)
    device.synchronize()
    (pipeline,) = compiled
    language = device.backend.language
    assert fresh.source(language, device=device, debug=debug) == pipeline.source.text
    shown = fresh.emit(language, device=device.id, debug=debug)
    assert dataclasses.replace(shown, payload=None) == dataclasses.replace(pipeline.source, payload=None)


def test_a_device_of_another_language_is_refused(device: gp.Device) -> None:
    other = "wgsl" if device.backend.language != "wgsl" else "python"
    with pytest.raises(gp.ArgumentError, match=f"^doubled: {device.id} runs {device.backend.language}, not {other}"):
        doubled.source(other, device=device)


@gp.kernel(workgroup_size=SIZE, coarsen=False)
def gathered(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[x[i]]


def test_ir_for_a_device(device: gp.Device) -> None:
    """On a device whose kernels share this process's memory, an index that was loaded is clamped."""
    general, own = gathered.ir(), gathered.ir(device=device)
    assert "kernel gathered" in own
    assert ("min(" in own and "min(" not in general) == device.info.kernels_share_memory
