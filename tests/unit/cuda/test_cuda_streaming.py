"""Accesses of 16 bytes are for arrays that begin at multiples of them: which kernels run, on a stand-in for a GPU."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest
from fake_cuda import FakeDriver, FakePycuda

import gpucore as gp
from gpucore.runtime.protocol import Pipeline, Source
from gpucore.runtime.registry import OpenDevice
from gpucore_cuda.device import CUDADevice
from gpucore_cuda.nvrtc import Nvrtc
from gpucore_cuda.plugin import CUDABackend
from gpucore_cuda.probe import describe

SIZE = 5000
T = TypeVar("T")


@gp.kernel
def copy(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]


@gp.kernel
def moved(x: gp.In[T], y: gp.Out[T]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]


class Recorded(CUDADevice):
    """A device that keeps the texts that it compiles."""

    texts: list[str]

    def compile(self, source: Source) -> Pipeline:
        self.texts.append(source.text)
        return super().compile(source)


def test_kernels_for_aligned_and_other_arrays(nvrtc: Nvrtc) -> None:
    driver: Any = FakeDriver()
    fake: Any = FakePycuda(driver)
    opened = Recorded(fake, driver, describe(driver, "cuda", 0))
    opened.texts = []
    device = gp.Device(OpenDevice(opened, CUDABackend()))
    x, y = (gp.empty(SIZE, gp.f32, device=device) for _ in range(2))

    def grid_of(first: int, second: int) -> int:
        """The workgroups of a copy from one element on to another one."""
        copy(x[first:], y[second : second + SIZE - first])
        return int(fake.log[-1][2][0])

    for _ in range(2):  # the second calls are made in the short way
        assert grid_of(0, 0) == 5  # 20 workgroups of 256 elements, of which one does 4
        assert grid_of(4, 8) == 5
        for first, second in ((1, 1), (0, 1), (3, 4)):
            assert grid_of(first, second) == 5  # of which one does 4
    wide, narrow = opened.texts
    assert "float4" in wide and "float4" not in narrow
    device.close()


def test_the_length_of_an_array_is_no_matter(nvrtc: Nvrtc) -> None:
    """Less than a workgroup, or nothing."""
    driver: Any = FakeDriver()
    fake: Any = FakePycuda(driver)
    device = gp.Device(OpenDevice(CUDADevice(fake, driver, describe(driver, "cuda", 0)), CUDABackend()))
    for size, grid in ((1, 1), (255, 1), (1024, 1), (1025, 2)):
        x, y = (gp.empty(size, gp.f32, device=device) for _ in range(2))
        copy(x, y)
        assert fake.log[-1][2] == (grid, 1, 1), size
    launches = len(fake.log)
    copy(gp.empty(0, gp.f32, device=device), gp.empty(0, gp.f32, device=device))
    assert not [each for each in fake.log[launches:] if each[0] == "launch"]
    device.close()


@gp.kernel
def mixed(a: gp.In[T], b: gp.InOut[T], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        b[i] = a[i]
        y[i] = y[i] + 1.0


@pytest.mark.parametrize("name", ["u8", "i8", "u16", "f16", "f64", "u64", "f16x2", "f16x4", "i32x2"])
def test_nvrtc_takes_the_accesses(nvrtc: Nvrtc, name: str) -> None:
    for kernel in (moved, mixed):
        binary, log = nvrtc.compile(kernel.emit("cuda", T=getattr(gp, name)), 90)
        assert binary and not log.strip(), kernel.name
