"""gp.prefetch changes no result, wherever its index points, and is refused for memory that is near."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp


@gp.kernel(workgroup_size=32)
def doubled(x: gp.In[gp.f32], table: gp.In[gp.f32, 2], y: gp.InOut[gp.f32], ahead: gp.i32):
    i = gp.global_id(0)
    gp.prefetch(x, i + ahead)
    if i % 3 == 0:
        gp.prefetch(table, (i - ahead, i * 7))
    for k in range(i % 5):
        gp.prefetch(y, k * ahead)
    if i < x.size:
        y[i] = 2.0 * x[i] + table[i % table.shape[0], 1]


@pytest.mark.parametrize("ahead", [0, 16, -1000, 2**31 - 1])
@pytest.mark.parametrize("debug", [False, True])
def test_results_are_the_same(device: gp.Device, ahead: int, debug: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubled, "debug", debug)
    x, table = np.arange(75, dtype=np.float32), np.arange(12, dtype=np.float32).reshape(4, 3)
    y = gp.zeros(75, gp.f32, device=device)
    doubled(gp.asarray(x, device=device), gp.asarray(table, device=device), y, ahead, invocations=75)
    np.testing.assert_array_equal(y.numpy(), 2 * x + table[np.arange(75) % 4, 1])


@gp.struct
class Particle:
    where: gp.f32x4
    mass: gp.f32
    age: gp.f32


@gp.kernel(workgroup_size=32)
def ages(particles: gp.In[Particle], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    gp.prefetch(particles, i + 32)
    y[i] = particles[i].age


def test_a_struct_is_prefetched_as_a_whole(device: gp.Device) -> None:
    particles = np.zeros(64, Particle.dtype)  # type: ignore[attr-defined]
    particles["age"] = np.arange(64)
    y = gp.zeros(64, gp.f32, device=device)
    ages(gp.asarray(particles, Particle, device=device), y, workgroups=2)
    np.testing.assert_array_equal(y.numpy(), np.arange(64))
    assert ages.source("llvm").count("call void @llvm.prefetch") == 8 * particles.itemsize // 64  # of 8 lanes


@pytest.mark.parametrize("language", ["wgsl", "cuda", "opencl", "python"])
def test_backends_that_do_not_prefetch_never_see_it(language: str) -> None:
    assert "prefetch" not in doubled.source(language)


def test_the_cpu_backend_prefetches() -> None:
    assert "call void @llvm.prefetch" in doubled.source("llvm")


@gp.kernel(workgroup_size=32)
def near(y: gp.Out[gp.i32]):
    tile = gp.workgroup_array(gp.i32, 32)
    gp.prefetch(tile, 3)
    y[gp.global_id(0)] = 1


def test_workgroup_arrays_are_refused() -> None:
    with pytest.raises(gp.KernelTypeError, match=r"gp\.prefetch works on a buffer"):
        near.source("wgsl")


@gp.kernel(workgroup_size=32)
def ahead_of_stores(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    gp.prefetch(y, i + 32)
    y[i] = x[i]


def test_arrays_that_the_kernel_only_writes_are_prefetched(device: gp.Device) -> None:
    x, y = np.arange(64, dtype=np.float32), gp.zeros(64, gp.f32, device=device)
    ahead_of_stores(gp.asarray(x, device=device), y, workgroups=2)
    np.testing.assert_array_equal(y.numpy(), x)
    assert "call void @llvm.prefetch" in ahead_of_stores.source("llvm")
