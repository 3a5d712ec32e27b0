"""What kernels keep between calls: bounded, gone with a closed device, released when nothing uses it."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any, TypeVar

import pytest

import gpucore as gp
from gpucore import variants
from gpucore.runtime.protocol import Pipeline
from gpucore.variants import MAX_VARIANTS

CLOSED = [name for name in ("simulator", "cpu", "wgpu", "opencl") if any(i.backend == name for i in gp.devices())]


def make() -> gp.Kernel:
    @gp.kernel(workgroup_size=4)
    def fill(y: gp.Out[gp.i32], value: gp.Const[int]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = value

    made: gp.Kernel = fill
    return made


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> list[Pipeline]:
    """The pipelines of the simulator that were released."""
    from gpucore.simulator.device import SimulatorPipeline  # noqa: PLC0415 (of this test alone)

    gc.collect()
    gp.device("simulator").synchronize()  # releases those of other tests
    found: list[Pipeline] = []
    monkeypatch.setattr(SimulatorPipeline, "release", lambda self: found.append(self))
    return found


def run(kernel: gp.Kernel, value: int, device: Any = "simulator") -> list[int]:
    y = gp.zeros(3, gp.i32, device=device)
    kernel(y, value, invocations=3)
    result: list[int] = y.numpy().tolist()
    return result


@pytest.mark.parametrize("name", CLOSED)
def test_a_closed_device_goes_away(name: str) -> None:
    """In a process of its own, where no other test holds the device."""
    command = [sys.executable, str(Path(__file__).parent / "closing_program.py"), name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stdout == "gone\n", done.stdout + done.stderr


def test_variants_have_a_bound(released: list[Pipeline]) -> None:
    kernel = make()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for value in range(MAX_VARIANTS + 20):
            assert run(kernel, value) == [value] * 3
            assert run(kernel, 0) == [0] * 3  # used again and again: it stays
    assert [warning.category for warning in caught] == [gp.RecompilationWarning]
    assert len(kernel._variants) == MAX_VARIANTS
    gc.collect()
    run(kernel, 0)  # the device releases what nothing refers to
    assert len(set(map(id, released))) == 20
    assert run(kernel, 1) == [1] * 3  # compiled anew


def test_discarded_specialisations_are_reported_once_with_what_varies(monkeypatch: pytest.MonkeyPatch) -> None:
    @gp.kernel(workgroup_size=4)
    def scale(y: gp.Out[gp.i32], factor: gp.Const[int], offset: gp.Const[int]):
        y[gp.global_id(0)] = factor * 2 + offset

    monkeypatch.setattr(variants, "MAX_VARIANTS", 3)
    y = gp.zeros(4, gp.i32, device="simulator")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for value in (*range(6), *range(6)):
            scale(y, value, value % 2, invocations=4)
    (warning,) = caught
    assert warning.category is gp.RecompilationWarning and warning.filename == __file__
    assert str(warning.message) == (
        "scale has more than 3 specialisations: the Const parameter factor has had 4 values. The least recently used "
        "specialisation is discarded each time, and compiled again when it is needed\n  hint: give factor a type such "
        "as gp.i32 instead of gp.Const if its value need not be known when the kernel is compiled, or use fewer values"
    )


def test_discarded_specialisations_for_types_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    T = TypeVar("T", gp.i32, gp.u32, gp.f32)

    @gp.kernel(workgroup_size=4)
    def copy(x: gp.In[T], y: gp.Out[T]):
        y[gp.global_id(0)] = x[gp.global_id(0)]

    monkeypatch.setattr(variants, "MAX_VARIANTS", 2)
    for dtype in (gp.i32, gp.u32):
        copy(gp.zeros(4, dtype, device="simulator"), gp.zeros(4, dtype, device="simulator"), invocations=4)
    x, y = gp.zeros(4, gp.f32, device="simulator"), gp.zeros(4, gp.f32, device="simulator")
    with pytest.warns(gp.RecompilationWarning, match="its arrays have had many element types, T 3 types. The least"):
        copy(x, y, invocations=4)


def test_pipelines_of_a_dropped_kernel_are_released(released: list[Pipeline]) -> None:
    kernel = make()
    for value in range(5):
        run(kernel, value)
    assert not released
    del kernel
    gc.collect()
    gp.device("simulator").synchronize()
    assert len(released) == 5


def test_kernels_share_no_bound_and_threads_may_drop_what_others_launch() -> None:
    kernel, wrong = make(), []

    def work(first: int) -> None:
        for value in range(first, first + 40):
            for each in (value, 0):
                found = run(kernel, each, "cpu")
                if found != [each] * 3:
                    wrong.append((each, found))

    threads = [threading.Thread(target=work, args=(40 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(kernel._variants) <= MAX_VARIANTS
