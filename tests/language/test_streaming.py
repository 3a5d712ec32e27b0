"""Kernels with several elements an invocation do, bit for bit, what they do with one."""

from __future__ import annotations

import dataclasses
from contextlib import nullcontext
from typing import Any, TypeVar

import numpy as np
import pytest

import gpucore as gp
from gpucore import compiler, dispatch
from gpucore.kernel import Kernel

T = TypeVar("T", gp.f32, gp.u8, gp.i16, gp.f16, gp.f64, gp.i64, gp.u32)
SIZES = (*range(10), 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024, 1025, 2049, 4100)


def _saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


def _two(low: gp.i32, high: gp.i32, x: gp.In[gp.f32], y: gp.Out[gp.f32], z: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i >= low and i < high:
        if x[i] > 0.5:
            y[i] = x[i] * 0.5
        else:
            y[i] = x[0]
        z[i] = z[i] * 3 + gp.u32(i)


def _copy(x: gp.In[T], y: gp.Out[T]):
    i = gp.global_id(0)
    if i >= y.size:
        return
    y[i] = x[i]


def _shifted(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[gp.max(i - 1, 0)] + x[i]


def _doubled(y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    y[i] = y[i] * 2.0


def _total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 64):
        t += x[i]
    y[gp.global_id(0)] = t


def _total_while(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    i = gp.global_id(0)
    while i < x.size:
        t += x[i]
        i += gp.num_workgroups(0) * 64
    y[gp.global_id(0)] = t


def _both(function: Any) -> tuple[Kernel, Kernel]:
    """The kernel as core makes it, and as it is written."""
    make: Any = gp.kernel
    return make(workgroup_size=64)(function), make(workgroup_size=64, coarsen=False)(function)


SAXPY, TWO, COPY, SHIFTED, DOUBLED = map(_both, (_saxpy, _two, _copy, _shifted, _doubled))
TOTAL, TOTAL_WHILE = map(_both, (_total, _total_while))


def _random(count: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed + count).standard_normal(count).astype(np.float32)


def _bits(array: gp.Array) -> list[int]:
    host: Any = array.numpy()
    return host.view(f"u{host.dtype.itemsize}").tolist()


def test_every_size(device: gp.Device) -> None:
    x = gp.asarray(_random(max(SIZES)), device=device)
    for size in SIZES:
        y = _random(size, 1)
        results = []
        for kernel in SAXPY:
            out = gp.asarray(y, device=device)
            kernel(1.7, x, out)
            results.append(_bits(out))
        assert results[0] == results[1], size


def test_guards_and_two_outputs(device: gp.Device) -> None:
    size = 1000
    x = gp.asarray(_random(size), device=device)
    for low, high in ((0, size), (1, size - 1), (255, 257), (300, 299), (-5, 700), (512, 513), (900, 1000)):
        results = []
        for kernel in TWO:
            y, z = gp.zeros(size, gp.f32, device=device), gp.asarray(np.arange(size, dtype=np.uint32), device=device)
            kernel(low, high, x, y, z, invocations=size)
            results.append((_bits(y), _bits(z)))
        assert results[0] == results[1], (low, high)


@pytest.mark.parametrize("grid", [{"workgroups": 1}, {"workgroups": 3}, {"invocations": 65}, {"workgroups": (2, 3)}])
def test_no_other_ids_than_those_of_the_call(device: gp.Device, grid: dict[str, Any]) -> None:
    x, y = gp.asarray(_random(1000), device=device), gp.zeros(1000, gp.f32, device=device)
    COPY[0](x, y, **grid)
    wanted = x.numpy()
    wanted[64 * {1: 1, 3: 3, 65: 2}.get(next(iter(grid.values())), 2) :] = 0
    assert y.numpy().tolist() == wanted.tolist()


@pytest.mark.parametrize("name", ["f32", "u8", "i16", "f16", "f64", "i64"])
def test_slices_of_any_type_begin_anywhere(device: gp.Device, name: str) -> None:
    dtype = getattr(gp, name)
    if not _has(device, name):
        pytest.skip(f"no {name}")
    bits = np.random.default_rng(7).integers(0, 256, 600 * dtype.itemsize, dtype=np.uint8)
    x = gp.asarray(bits.view(dtype.dtype), device=device)
    unsigned = f"u{dtype.itemsize}"
    for first, second, count in ((0, 0, 600), (1, 0, 599), (0, 3, 500), (5, 5, 64), (4, 8, 513), (16, 32, 65)):
        y = gp.zeros(600, dtype, device=device)
        COPY[0](x[first : first + count], y[second : second + count])
        wanted = np.zeros(600, unsigned)
        wanted[second : second + count] = x.numpy().view(unsigned)[first : first + count]
        assert y.numpy().view(unsigned).tolist() == wanted.tolist(), (first, second, count)


def _has(device: gp.Device, name: str) -> bool:
    capability = {"f16": "f16", "f64": "f64", "i64": "int64"}.get(name)
    return capability is None or device.supports(capability)


def test_neighbours(device: gp.Device) -> None:
    for size in (1, 64, 257, 1000):
        x = gp.asarray(_random(size), device=device)
        y, z = (gp.empty(size, gp.f32, device=device) for _ in range(2))
        SHIFTED[0](x, y)
        SHIFTED[1](x, z)
        assert _bits(y) == _bits(z), size


def test_arrays_of_other_lengths(device: gp.Device) -> None:
    """A longer input; an output that is longer than the ids of the call."""
    x, y = gp.asarray(_random(777), device=device), gp.zeros(500, gp.f32, device=device)
    COPY[0](x, y)
    assert y.numpy().tolist() == x.numpy()[:500].tolist()
    COPY[0](x, z := gp.zeros(777, gp.f32, device=device), invocations=500)
    assert z.numpy()[:512].tolist() == x.numpy()[:512].tolist() and not z.numpy()[512:].any()


def test_a_call_with_more_ids_than_an_earlier_one_changes_no_other_array(device: gp.Device) -> None:
    """The kernel is compiled for ids in range where the first call has no others."""
    if not (device.info.kernels_share_memory or device.backend.name in ("simulator", "wgpu")):
        pytest.skip("an index out of range is undefined on this device")
    for kernel in DOUBLED:
        around = gp.ones(2048, gp.f32, device=device)
        y = around[256:320]
        kernel(y, workgroups=1)
        for workgroups in (2, 9):
            with pytest.raises(gp.OutOfRangeError) if device.info.backend == "simulator" else nullcontext():
                kernel(y, workgroups=workgroups)
        changed = around.numpy() != 1
        assert changed[256:320].all() and not changed[:256].any() and not changed[320:].any()


def test_loops_add_in_order(device: gp.Device) -> None:
    for size in (0, 1, 64, 511, 512, 513, 1024, 1500, 4100):
        x = gp.asarray(_random(size), device=device)
        for workgroups in (1, 2, 5):
            results = []
            for kernel in (*TOTAL, *TOTAL_WHILE):
                out = gp.empty(64 * workgroups, gp.f32, device=device)
                kernel(x, out, workgroups=workgroups)
                results.append(_bits(out))
            assert results.count(results[0]) == 4, (size, workgroups)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grids are folded as if devices took at most three workgroups along an axis."""
    within = dispatch._within
    monkeypatch.setattr(dispatch, "_within", lambda kernel, requested, limit, called:
                        within(kernel, requested, (3, 3, 3), called))  # fmt: skip


def test_grids_that_are_folded(device: gp.Device, narrow: None) -> None:
    x = gp.asarray(_random(2049), device=device)
    for size in (64, 200, 257, 575):
        y, z = gp.zeros(size, gp.f32, device=device), gp.zeros(size, gp.f32, device=device)
        COPY[0](x, y)
        COPY[1](x, z)
        assert _bits(y) == _bits(z) == _bits(x[:size]), size


@pytest.mark.parametrize(("nbytes", "rows"), [(16, 1), (128, 8)])
def test_other_amounts_of_work(monkeypatch: pytest.MonkeyPatch, device: gp.Device, nbytes: int, rows: int) -> None:
    kind = device.info.kind
    shape = dataclasses.replace(compiler.STREAMING[kind], nbytes=nbytes, max_rows=rows, max_elements=64)
    monkeypatch.setitem(compiler.STREAMING, kind, shape)
    kernel, plain = _both(_saxpy)
    x = gp.asarray(_random(3000), device=device)
    for size in (5, 256, 1025, 3000):
        y, z = (gp.asarray(_random(size, 1), device=device) for _ in range(2))
        kernel(0.3, x, y)
        plain(0.3, x, z)
        assert _bits(y) == _bits(z), size


def test_the_text_shown_is_the_text_that_runs(device: gp.Device) -> None:
    text = SAXPY[0].source(device.backend.language, device=device)
    assert ("called_workgroups" in text) == device.backend.coarsens
