"""The CUDA device: its use of pycuda on a stand-in that has pycuda's rules; on a GPU, if there is one, for real."""

from __future__ import annotations

import dataclasses
import gc
import struct
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from fake_cuda import ADDRESS, FakeBindings, FakeDriver, FakePycuda, pointers
from interrupts import interrupt_at_each_line
from ir_build import KernelBuilder, binary, builtin, constant, saxpy

from gpucore.errors import BackendUnavailableError, DeviceError, DeviceLostError, DriverCompileError, OutOfMemoryError
from gpucore.ir import F32, BuiltinKind, ValidModule
from gpucore.runtime.protocol import CopyStep, DispatchStep, Source, WriteStep
from gpucore_cuda import staging
from gpucore_cuda.device import CUDADevice
from gpucore_cuda.driver import NOT_READY, DriverError
from gpucore_cuda.nvidia_binding import NvidiaBinding
from gpucore_cuda.nvrtc import Nvrtc
from gpucore_cuda.plugin import CUDABackend
from gpucore_cuda.probe import describe

emit = CUDABackend().emit


@pytest.fixture
def fake() -> FakePycuda:
    return FakePycuda(FakeDriver())


@pytest.fixture(params=["pycuda", "cuda-bindings"])
def opened(request: pytest.FixtureRequest, fake: FakePycuda, nvrtc: Nvrtc) -> Iterator[CUDADevice]:
    driver: Any = fake.driver
    binding = fake if request.param == "pycuda" else NvidiaBinding(FakeBindings(fake))
    device = CUDADevice(binding, driver, describe(driver, "cuda", 0))
    yield device
    device.close()


def large_kernel() -> ValidModule:
    kernel = KernelBuilder("large")
    out, tile = kernel.buffer("out", F32), kernel.workgroup_array("tile", F32, 20_000)
    kernel.store(tile, builtin(BuiltinKind.LOCAL_ID), constant(1.0, F32))
    kernel.barrier()
    kernel.store(out, constant(0), kernel.load(tile, constant(1)))
    return kernel.valid()


def test_machine_code_of_packages(opened: CUDADevice, fake: FakePycuda, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is loaded without NVRTC, and without the text; large workgroup memory is given at the launch."""
    backend, source = CUDABackend(), emit(large_kernel())
    info = backend.offline_device("sm_90")
    assert info is not None
    cubin = backend.build(source, info)

    def missing() -> Any:
        raise BackendUnavailableError("NVRTC")

    monkeypatch.setattr("gpucore_cuda.device.load_nvrtc", missing)
    pipeline = opened.load(dataclasses.replace(source, text=""), cubin)
    assert ("allow", 80_000) in fake.log and pipeline.dynamic_memory == 80_000
    opened.dispatch(pipeline, [opened.allocate(4)], b"", (1, 1, 1))
    assert fake.log[-1][5] == 80_000
    with pytest.raises(BackendUnavailableError, match="NVRTC"):
        opened.compile(source)
    fake.driver.load_module = refuse  # type: ignore[method-assign]
    with pytest.raises(DriverCompileError, match=r"refused the machine code of large: .*CUDA_ERROR_NO_BINARY"):
        opened.load(source, cubin)
    fake.driver.state = 700
    with pytest.raises(DeviceLostError, match="is lost"):
        opened.load(source, cubin)


def refuse(cubin: bytes) -> int:
    raise DriverError("cuModuleLoadData", 209, "CUDA_ERROR_NO_BINARY_FOR_GPU")


def test_memory_goes_in_and_out(opened: CUDADevice, fake: FakePycuda) -> None:
    first, second = opened.allocate(64), opened.allocate(64)
    first.write(memoryview(bytes(range(64))))
    first.write(memoryview(b"abcd"), 8)
    opened.copy(first, second, 32)
    out = bytearray(8)
    second.read(memoryview(out), 4)
    assert bytes(out) == bytes([4, 5, 6, 7]) + b"abcd"
    for buffer in (first, second, first):
        buffer.release()
    assert fake.memory == {} and fake.stack == []


def test_a_dispatch_is_one_launch_with_packed_arguments(opened: CUDADevice, fake: FakePycuda) -> None:
    pipeline = opened.compile(emit(saxpy()))
    x, y = opened.allocate(64), opened.allocate(64)
    scalars = struct.pack("<fi8x", 2.0, 16)
    opened.dispatch(pipeline, [x, y], scalars, (3, 2, 1))
    call, name, grid, block, arguments, shared, stream = fake.log[-1]
    assert (call, name, grid, block, shared, stream) == ("launch", "saxpy", (3, 2, 1), (256, 1, 1), 0, 0)
    assert pointers(arguments, 2) == [x.address, y.address]
    assert arguments[16:] == scalars
    assert fake.stack == [] and fake.driver.current == ADDRESS


def test_workgroup_memory_beyond_48_kib_is_asked_for(opened: CUDADevice, fake: FakePycuda) -> None:
    pipeline = opened.compile(emit(large_kernel()))
    assert ("allow", 80_000) in fake.log
    buffers = [opened.allocate(4)]
    opened.dispatch(pipeline, buffers, b"", (1, 1, 1))
    assert fake.log[-1][5] == 80_000
    opened.launcher(pipeline, 8).run((2, 1, 1))
    assert fake.log[-1][2] == (2, 1, 1) and fake.log[-1][5] == 80_000
    steps = [DispatchStep(tuple(buffers), pipeline, b"", (3, 1, 1))] * 2
    recording = opened.record(steps)
    assert recording is not None
    recording.run([step.buffers for step in steps])
    assert fake.log[-1][:3] == ("node runs", "large", (3, 1, 1)) and fake.log[-1][4] == 80_000
    assert len([entry for entry in fake.log if entry[0] == "allow"]) == 1


def test_an_array_of_a_users_own_text_gets_its_size_at_launch(opened: CUDADevice, fake: FakePycuda) -> None:
    text = (
        'extern __shared__ float tile[];\nextern "C" __global__ void own(float* x) { tile[0] = x[0]; x[1] = tile[0]; }'
    )
    source = Source("cuda", text, "own", (1, 1, 1), (True,), 0, workgroup_memory=1024)
    opened.dispatch(opened.compile(source), [opened.allocate(8)], b"", (1, 1, 1))
    assert fake.log[-1][5] == 1024
    assert not [entry for entry in fake.log if entry[0] == "allow"]


def test_another_librarys_context_is_replaced(opened: CUDADevice, fake: FakePycuda) -> None:
    pipeline = opened.compile(emit(saxpy()))
    x, y = opened.allocate(64), opened.allocate(64)
    opened.dispatch(pipeline, [x, y], bytes(16), (1, 1, 1))
    fake.driver.current = 0xBAD
    opened.dispatch(pipeline, [x, y], bytes(16), (2, 1, 1))
    assert fake.log[-1][2] == (2, 1, 1) and fake.driver.current == ADDRESS
    fake.driver.current = 0xBAD
    x.write(memoryview(bytes(64)))
    assert fake.driver.current == ADDRESS


def test_streams_events_and_graphs_are_not_used_in_another_context(opened: CUDADevice, fake: FakePycuda) -> None:
    """Where the default stream is another one, they would succeed."""
    pipeline = opened.compile(emit(saxpy()))
    x, y = opened.allocate(64), opened.allocate(64)
    recording = opened.record([DispatchStep((x, y), pipeline, bytes(16), (1, 1, 1))] * 2)
    assert recording is not None
    mark = opened.mark()
    for act in (
        lambda: opened.order(mark),
        lambda: opened.wait_for_stream(77),
        lambda: opened.block_stream(77),
        lambda: opened.select(3),
        lambda: recording.run([(x, y)] * 2),
    ):
        seen: list[int] = []
        fake.driver.current = 0xBAD
        fake.driver.watch = seen.append
        act()
        assert seen and set(seen) == {ADDRESS}
        fake.driver.watch = None


def test_a_graph_whose_change_fails_is_changed_again(opened: CUDADevice, fake: FakePycuda) -> None:
    pipeline = opened.compile(emit(saxpy()))
    x, y, z = (opened.allocate(64) for _ in range(3))
    recording = opened.record([DispatchStep((x, y), pipeline, bytes(16), (1, 1, 1))] * 2)
    assert recording is not None
    change = fake.driver.change_node

    def interrupted(*arguments: Any) -> None:
        change(*arguments)
        raise KeyboardInterrupt

    fake.driver.change_node = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        recording.run([(x, y), (x, z)])
    fake.driver.change_node = change  # type: ignore[method-assign]
    recording.run([(x, y)] * 2)
    assert fake.log[-1][0] == "node runs" and pointers(fake.log[-1][3], 2) == [x.address, y.address]


def test_every_thread_gets_the_context_and_leaves_no_stack(opened: CUDADevice, fake: FakePycuda) -> None:
    pipeline = opened.compile(emit(saxpy()))
    x, y = opened.allocate(64), opened.allocate(64)

    def work() -> None:
        fake.driver.current = 0  # a new thread has none
        opened.dispatch(pipeline, [x, y], bytes(16), (7, 1, 1))
        opened.allocate(16).release()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert fake.log[-1][2] == (7, 1, 1) and fake.stack == []


def test_marks_reuse_their_events(opened: CUDADevice, fake: FakePycuda) -> None:
    start, end = opened.mark(), opened.mark()
    assert start.is_done() and end.is_done()
    assert opened.elapsed(start, end) == 2e-3
    del start, end
    gc.collect()
    for _ in range(10):
        opened.mark()
    assert [entry[0] for entry in fake.log].count("event") == 2


@pytest.mark.parametrize("nbytes", [64 << 10, 1_000_003, 4 << 20, (4 << 20) + 1, (17 << 20) + 12345])
def test_large_copies_are_staged_in_chunks(opened: CUDADevice, fake: FakePycuda, nbytes: int) -> None:
    data = np.random.default_rng(nbytes).integers(0, 256, nbytes, dtype=np.uint8)
    buffer, back = opened.allocate(nbytes), np.zeros(nbytes, np.uint8)
    buffer.write(memoryview(data))
    buffer.read(memoryview(back))
    assert (back == data).all()
    sizes = [entry[1] for entry in fake.log if entry[0] == "copy in"]
    assert sum(sizes) == nbytes and max(sizes) <= 4 << 20
    assert fake.driver.pinned
    opened.close()
    assert not fake.driver.pinned


def test_an_interrupted_copy_leaves_the_device_usable(
    opened: CUDADevice, fake: FakePycuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = np.random.default_rng(1).integers(0, 256, 9 << 20, dtype=np.uint8)
    buffer, back = opened.allocate(data.nbytes), np.zeros_like(data)
    copy = fake.driver.copy_in
    calls = []

    def interrupted(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) == 3:
            raise DriverError("cuMemcpyHtoDAsync_v2", 999, "CUDA_ERROR_UNKNOWN")
        copy(*arguments)

    monkeypatch.setattr(fake.driver, "copy_in", interrupted)
    with pytest.raises(DeviceError, match="CUDA_ERROR_UNKNOWN"):
        buffer.write(memoryview(data))
    monkeypatch.undo()
    buffer.write(memoryview(data))
    buffer.read(memoryview(back))
    assert (back == data).all()


@pytest.mark.parametrize("is_read", [False, True])
def test_an_interrupt_at_any_line_of_a_copy_leaves_the_device_usable(
    opened: CUDADevice, is_read: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "_LEAST_SHARED", 1)
    nbytes, interrupts = (1 << 20) + 12345, 0
    data, other = (np.random.default_rng(seed).integers(0, 256, nbytes, dtype=np.uint8) for seed in (1, 2))
    buffer, back = opened.allocate(nbytes), np.zeros(nbytes, np.uint8)

    def copy() -> None:
        buffer.read(memoryview(back)) if is_read else buffer.write(memoryview(other))

    for is_interrupted in interrupt_at_each_line(copy, 2):
        interrupts += is_interrupted
        buffer.write(memoryview(data))
        buffer.read(memoryview(back))
        assert np.array_equal(back, data)
    assert interrupts > 20


def test_queues_are_streams_ordered_by_events(opened: CUDADevice, fake: FakePycuda) -> None:
    pipeline = opened.compile(emit(saxpy()))
    x, y = opened.allocate(64), opened.allocate(64)
    first = opened.mark()
    opened.select(2)
    opened.order(first)
    opened.dispatch(pipeline, [x, y], bytes(16), (1, 1, 1))
    streams = [entry[1] for entry in fake.log if entry[0] == "stream"]
    (ordered,) = [entry for entry in fake.log if entry[0] == "order"]
    assert len(streams) == 2 and ordered[1] == streams[1] == fake.log[-1][-1]
    opened.select(0)
    opened.dispatch(pipeline, [x, y], bytes(16), (1, 1, 1))
    assert fake.log[-1][-1] == 0
    opened.close()
    assert [entry[1] for entry in fake.log if entry[0] == "destroy stream"] == streams


def test_a_launcher_launches_what_the_block_has(opened: CUDADevice, fake: FakePycuda) -> None:
    pipeline = opened.compile(emit(saxpy()))
    x, y = opened.allocate(64), opened.allocate(64)
    made = opened.launcher(pipeline, 32)
    for number, grid in ((1, (3, 1, 1)), (2, (3, 1, 1)), (3, (4, 5, 1))):
        made.block[:] = struct.pack("<2Qfi8x", x.address, y.address, 2.0, number)
        made.run(grid)
        assert fake.log[-1][:5] == ("launch", "saxpy", grid, (256, 1, 1), bytes(made.block))
    fake.driver.current = 0xBAD  # another library's
    made.run((9, 1, 1))
    assert fake.log[-1][2] == (9, 1, 1) and fake.driver.current == ADDRESS


def test_a_recording_is_one_graph_launch_and_takes_other_buffers(opened: CUDADevice, fake: FakePycuda) -> None:
    pipeline = opened.compile(emit(saxpy()))
    x, y, z = (opened.allocate(64) for _ in range(3))
    steps = [
        WriteStep((x,), memoryview(b"abcdefgh"), 8),
        DispatchStep((x, y), pipeline, bytes(16), (3, 1, 1)),
        CopyStep((x, z), 64),
    ]
    recording = opened.record(steps)
    assert not [entry for entry in fake.log if entry[0] == "node runs"]
    recording.run([step.buffers for step in steps])
    assert bytes(fake.memory[z.address][8:16]) == b"abcdefgh"
    (ran,) = [entry for entry in fake.log if entry[0] == "node runs"]
    assert ran[1:3] == ("saxpy", (3, 1, 1)) and pointers(ran[3], 2) == [x.address, y.address]
    recording.run([(x,), (x, z), (x, z)])
    assert pointers(fake.log[-1][3], 2) == [x.address, z.address]
    assert len([entry for entry in fake.log if entry[0] == "change"]) == 1
    recording.run([step.buffers for step in steps])
    assert pointers(fake.log[-1][3], 2) == [x.address, y.address]
    recording.release()
    recording.release()
    assert [entry[0] for entry in fake.log].count("destroy executable") == 1


def test_pinned_memory_is_unlocked_when_it_is_dropped_and_stays_after_close(
    opened: CUDADevice, fake: FakePycuda
) -> None:
    first, second = opened.pinned(5000), opened.pinned(7)
    assert sorted(fake.driver.locked.values()) == [7, 5000]
    buffer = opened.allocate(5000)
    first[:3] = b"abc"
    assert buffer.start_write(first[:8]) and buffer.start_read(first[8:16])
    assert bytes(first[8:11]) == b"abc"
    assert not buffer.start_read(memoryview(bytearray(8)))
    del second
    gc.collect()
    opened.pinned(9)
    gc.collect()
    assert 7 not in fake.driver.locked.values()
    opened.close()
    assert not fake.driver.locked
    first[:3] = b"xyz"
    assert bytes(first[:3]) == b"xyz"


def test_out_of_memory_leaves_the_device_usable(opened: CUDADevice, fake: FakePycuda) -> None:
    with pytest.raises(OutOfMemoryError, match="has no 2147483648 bytes"):
        opened.allocate(1 << 31)
    assert fake.stack == []
    opened.allocate(16).release()


def test_a_failed_call_is_a_device_error_and_a_failed_queue_a_lost_device(opened: CUDADevice, fake: FakePycuda) -> None:
    buffer = opened.allocate(16)
    fake.driver.fail_next = DriverError("cuMemcpyHtoDAsync_v2", 1, "CUDA_ERROR_INVALID_VALUE")
    with pytest.raises(DeviceError, match="CUDA_ERROR_INVALID_VALUE") as caught:
        buffer.write(memoryview(bytes(4)))
    assert not isinstance(caught.value, DeviceLostError)
    fake.driver.fail_next = DriverError("cuMemcpyHtoDAsync_v2", 700, "CUDA_ERROR_ILLEGAL_ADDRESS")
    fake.driver.state = 700
    with pytest.raises(DeviceLostError, match="CUDA_ERROR_ILLEGAL_ADDRESS"):
        buffer.write(memoryview(bytes(4)))


def test_a_device_says_whether_it_is_idle(opened: CUDADevice, fake: FakePycuda) -> None:
    fake.driver.state = NOT_READY
    fake.driver.current = 0  # another library's
    assert not opened.is_idle()
    assert fake.driver.current != 0
    fake.driver.state = 0
    assert opened.is_idle()
    fake.driver.state = 700
    with pytest.raises(DeviceLostError, match="cuStreamQuery failed with 700"):
        opened.is_idle()


def test_close_frees_everything_once(opened: CUDADevice, fake: FakePycuda) -> None:
    buffer, pipeline = opened.allocate(64), opened.compile(emit(saxpy()))
    mark = opened.mark()
    opened.close()
    opened.close()
    assert fake.memory == {} and fake.stack == [] and fake.log.count(("detach",)) == 1
    buffer.release()
    pipeline.release()
    del mark
    with pytest.raises(DeviceError, match="closed"):
        opened.allocate(4)


def test_on_a_gpu_queued_work_is_in_order_and_timed(device: Any) -> None:
    pipeline = device.compile(emit(saxpy()))
    count = 1 << 20
    x, y = device.allocate(4 * count), device.allocate(4 * count)
    for buffer in (x, y):
        buffer.write(memoryview(np.ones(count, np.float32)).cast("B"))
    scalars = struct.pack("<fi8x", 2.0, count)
    start = device.mark()
    for _ in range(3):
        device.dispatch(pipeline, [x, y], scalars, (count // 256, 1, 1))
    end = device.mark()
    deadline = time.monotonic() + 20
    while not end.is_done():
        assert time.monotonic() < deadline
    assert 0 < device.elapsed(start, end) < 1
    out = np.empty(count, np.float32)
    y.read(memoryview(out).cast("B"))
    assert out.tolist() == [7.0] * count
    with pytest.raises(OutOfMemoryError):
        device.allocate(1 << 50)


def test_on_a_gpu_a_device_closes_in_another_thread(device: Any) -> None:
    other = CUDABackend().open(device.info.index)
    results: list[Any] = []

    def work() -> None:
        kernel = KernelBuilder("fill")
        out = kernel.buffer("out", F32, "out")
        i = kernel.global_id()
        kernel.store(out, i, binary(constant(1.0, F32), "+", 1.0))
        buffer = other.allocate(256)
        other.dispatch(other.compile(emit(kernel.valid())), [buffer], b"", (1, 1, 1))
        result = np.empty(64, np.float32)
        buffer.read(memoryview(result).cast("B"))
        other.close()
        results.append(result.tolist())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert results == [[2.0] * 64]
    device.allocate(16).release()
