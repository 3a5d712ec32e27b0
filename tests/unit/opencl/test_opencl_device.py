"""The OpenCL device: memory, marks, errors; and what a probe says where something is missing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from device_run import run, wait
from ir_build import KernelBuilder, constant, saxpy

from gpucore.errors import BackendUnavailableError, ClosedError, DriverCompileError, OutOfMemoryError
from gpucore.ir import F32, I32
from gpucore.runtime.protocol import DeviceKind
from gpucore.span import Span
from gpucore_opencl.plugin import OpenCLBackend

backend = OpenCLBackend()


def test_probe_describes_the_devices() -> None:
    found = backend.probe()
    for index, info in enumerate(found.devices):
        assert (info.id, info.index, info.backend) == (f"opencl:{index}", index, "opencl")
        assert info.name and info.driver and info.api.startswith("OpenCL ")
        assert info.limits.max_workgroup_invocations >= 1 and info.limits.max_buffer_size >= 1 << 20
        if "Portable Computing Language" in info.driver and "cuda" not in info.name.lower():
            assert info.kind is DeviceKind.SOFTWARE


def test_write_and_read_at_offsets(device: Any) -> None:
    buffer = device.allocate(40)
    assert buffer.nbytes == 40
    buffer.write(memoryview(bytes(40)))
    buffer.write(memoryview(b"abcdefgh"), 12)
    out = bytearray(12)
    buffer.read(memoryview(out), 8)
    assert bytes(out) == b"\0\0\0\0abcdefgh"
    buffer.release()
    buffer.release()


def test_a_closed_device_has_released_its_context() -> None:
    """Also while a buffer, parts of it, a pipeline and the device are kept, and after page-locked memory was used."""
    info = backend.probe().devices[0]
    device = backend.open(info.index)
    context = device._context  # type: ignore[attr-defined]
    buffer, source = device.allocate(1 << 20), backend.emit(saxpy(), info)
    parts, pipeline = [buffer.part(0, 4096 * (1 + i)) for i in range(70)], device.compile(source)  # more than it keeps
    pinned = device.pinned(1 << 20)
    assert pinned is not None and buffer.start_write(pinned)
    wait(device.mark())
    del pinned
    # NVIDIA's driver does not count what is made in a context
    assert context.reference_count > 1 or info.driver.startswith("NVIDIA")
    device.close()
    deadline = time.monotonic() + 10.0  # a driver's thread releases commands that have ended a little later
    while context.reference_count > 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert context.reference_count == 1
    with pytest.raises(ClosedError, match="closed"):
        buffer.part(0, 64)
    for each in (*parts, buffer, pipeline):
        each.release()


def test_parts_are_kept_and_released_with_their_buffer(device: Any) -> None:
    alignment = device.info.limits.part_alignment
    buffer, target = device.allocate(100 * alignment), device.allocate(100 * alignment)
    data = bytes(i // alignment for i in range(100 * alignment))
    buffer.write(memoryview(data))
    parts = [buffer.part(i * alignment, alignment) for i in range(100)]
    assert buffer.part(99 * alignment, alignment) is parts[99]
    assert buffer.part(99 * alignment, 8) is not parts[99]
    for i, part in enumerate(parts):  # those that the buffer no longer keeps, too
        device.copy(part, target.part((99 - i) * alignment, alignment), alignment)
    out = bytearray(100 * alignment)
    target.read(memoryview(out))
    assert bytes(out) == data[::-1]
    buffer.release()
    assert parts[99].memory is None


def test_copy_between_buffers(device: Any) -> None:
    source, target = device.allocate(64), device.allocate(64)
    source.write(memoryview(bytes(range(64))))
    target.write(memoryview(bytes(64)))
    device.copy(source, target, 40)
    out = bytearray(64)
    target.read(memoryview(out))
    assert bytes(out) == bytes(range(40)) + bytes(24)


def test_marks_and_elapsed_time(device: Any) -> None:
    pipeline = device.compile(backend.emit(saxpy()))
    x, y = device.allocate(1 << 22), device.allocate(1 << 22)
    for buffer in (x, y):
        buffer.write(memoryview(np.ones(1 << 20, np.float32)).cast("B"))
    start = device.mark()
    for _ in range(3):
        device.dispatch(
            pipeline, [x, y], np.array([2.0, 0], np.float32).tobytes()[:4] + b"\0\0\x10\0" + bytes(8), (4096, 1, 1)
        )
    end = device.mark()
    wait(end)
    assert start.is_done()
    assert 0 < device.elapsed(start, end) < 20
    out = np.empty(1 << 20, np.float32)
    y.read(memoryview(out).cast("B"))
    assert out.tolist() == [7.0] * (1 << 20)


def test_the_same_kernel_takes_other_buffers_and_scalars(device: Any) -> None:
    pipeline = device.compile(backend.emit(saxpy()))
    for scale in (1.0, 3.0):
        x, y = device.allocate(1024), device.allocate(1024)
        x.write(memoryview(np.arange(256, dtype=np.float32)).cast("B"))
        y.write(memoryview(np.zeros(256, np.float32)).cast("B"))
        scalars = np.float32(scale).tobytes() + np.int32(256).tobytes() + bytes(8)
        device.dispatch(pipeline, [x, y], scalars, (1, 1, 1))
        out = np.empty(256, np.float32)
        y.read(memoryview(out).cast("B"))
        assert out.tolist() == [scale * i for i in range(256)]
        x.release()
        y.release()


def test_a_compiler_without_memory_is_not_a_refused_text(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(source: object) -> list[bytes]:
        raise device.pyopencl.MemoryError("clBuildProgram failed: OUT_OF_HOST_MEMORY")

    monkeypatch.setattr(device, "_options", fail)
    with pytest.raises(OutOfMemoryError, match="lacks memory to compile saxpy"):
        device.compile(backend.emit(saxpy()))


def test_too_large_an_allocation_leaves_the_device_usable(device: Any) -> None:
    with pytest.raises(OutOfMemoryError, match=r"no 1\d+ bytes"):
        device.allocate(1 << 50)
    buffer = device.allocate(16)
    buffer.write(memoryview(b"0123456789abcdef"))
    out = bytearray(16)
    buffer.read(memoryview(out))
    assert bytes(out) == b"0123456789abcdef"


def test_a_compile_error_names_the_users_line(device: Any) -> None:
    kernel = KernelBuilder("broken")
    out = kernel.buffer("out", F32, "out")
    kernel.span = Span("kernels.py", 12, 4, 12, 20)
    kernel.store(out, constant(0), constant(1.0, F32))
    source = backend.emit(kernel.valid())
    broken = replace(source, text=source.text.replace("1.0f", "1.0f +"))
    with pytest.raises(DriverCompileError) as caught:
        device.compile(broken)
    assert caught.value.span == kernel.span
    assert "expected expression" in caught.value.log


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(BackendUnavailableError, match="there is no opencl:99"):
        backend.open(99)


@pytest.mark.parametrize("content", [None, "libnothing_of_this_name.so\n"])
def test_no_driver_is_told_apart(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "dangling.icd").write_text(content)
    program = (
        "from gpucore_opencl.plugin import OpenCLBackend\n"
        "found = OpenCLBackend().probe()\n"
        "print(found.status.value, len(found.devices), bool(found.reason), 'pocl-opencl-icd' in found.hint)\n"
    )
    environment = {**os.environ, "OCL_ICD_VENDORS": str(tmp_path), "OCL_ICD_FILENAMES": ""}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["no_driver", "0", "True", "True"], done.stderr


def test_without_pyopencl_the_probe_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    found = OpenCLBackend().probe()
    assert found.status.value == "no_driver" and "pyopencl" in found.reason and found.hint == "pip install pyopencl"


def test_the_plugin_imports_no_driver() -> None:
    program = "import sys, gpucore_opencl.plugin; print('pyopencl' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.parametrize("name", ["main", "atomic_load", "convert_int_sat", "as_int2", "vload3", "native_exp2"])
def test_a_kernel_may_have_a_name_that_opencl_refuses(device: Any, name: str) -> None:
    kernel = KernelBuilder(name)
    kernel.store(kernel.buffer("out", I32, "out"), constant(0), constant(7))
    out = np.zeros(1, np.int32)
    run(device, kernel.valid(), [out])
    assert out.tolist() == [7]


def test_platforms_without_devices_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that answers, for hardware that is not there."""
    pyopencl = pytest.importorskip("pyopencl")

    class NotFound(pyopencl.Error):  # type: ignore[misc]
        code = pyopencl.status_code.DEVICE_NOT_FOUND

    class Empty:
        name = "Empty platform"

        def get_devices(self) -> list[Any]:
            raise NotFound

    monkeypatch.setattr(pyopencl, "get_platforms", lambda: [Empty()])
    found = OpenCLBackend().probe()
    assert (found.status.value, found.devices) == ("no_device", ())
    assert "no OpenCL platform has a device (Empty platform)" in found.reason and found.hint
