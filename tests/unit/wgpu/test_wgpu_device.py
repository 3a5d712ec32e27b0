"""Running on a device: order, many dispatches, transfers, errors, time."""

from __future__ import annotations

import gc
import time
import weakref

import numpy as np
import pytest
import wgpu_kernels as kernels
from wgpu_builder import Kernel, builtin, i32, prove, wait, wgsl

from gpucore import ir
from gpucore.errors import (
    BackendError,
    BackendUnavailableError,
    ClosedError,
    DeviceError,
    DeviceLostError,
    DriverCompileError,
    OutOfMemoryError,
)
from gpucore.ir import I32
from gpucore.ir.build import add, mul
from gpucore.runtime import Buffer, Device, Source
from gpucore.runtime.packing import packer
from gpucore.span import Span
from gpucore_wgpu import native
from gpucore_wgpu.emit import emit
from gpucore_wgpu.marks import WgpuMark
from gpucore_wgpu.plugin import WgpuBackend


def upload(device: Device, array: np.ndarray) -> Buffer:
    buffer = device.allocate(array.nbytes)
    buffer.write(memoryview(array).cast("B"))
    return buffer


def download(device: Device, buffer: Buffer, like: np.ndarray) -> np.ndarray:
    wait(device.mark())
    result = np.empty_like(like)
    buffer.read(memoryview(result).cast("B"))
    return result


def pack(module: ir.Module, *values: object) -> bytes:
    valid = prove(module)
    return packer(valid.slots, valid.scalars_nbytes).pack(*values)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000])
def test_saxpy(run, n):
    x, y = np.arange(n, dtype=np.float32), np.linspace(-1, 1, n, dtype=np.float32)
    padded = -(-n // 64)
    _, result = run(kernels.saxpy(), [x, y], (2.5, n), workgroups=padded)
    np.testing.assert_allclose(result, np.float32(2.5) * x + y, rtol=1e-6)


def test_reduction_in_workgroup_memory(run):
    x = np.random.default_rng(1).integers(-(2**31), 2**31, 64 * 5, dtype=np.int64).astype(np.int32)
    _, sums = run(kernels.block_sum(), [x, np.zeros(5, np.int32)], workgroups=5)
    np.testing.assert_array_equal(sums, x.reshape(5, 64).astype(np.int64).sum(1).astype(np.int32))


def test_register_tile(run):
    rng = np.random.default_rng(2)
    a, b = (rng.standard_normal((9, 4)).astype(np.float32) for _ in range(2))
    _, _, c = run(kernels.outer_product_rows(), [a, b, np.zeros((2, 4), np.float32)], (9,))
    np.testing.assert_allclose(c, (a.astype(float).T @ b)[:2], rtol=1e-5, atol=1e-5)


def test_many_dispatches_in_one_submit_see_their_own_scalars(device):
    module = kernels.scale_in_place()
    pipeline, y = device.compile(wgsl(module, device)), upload(device, np.zeros(4, np.int32))
    expected = 0
    for step in range(1000):
        device.dispatch(pipeline, [y], pack(module, 3, step), (1, 1, 1))
        expected = (expected * 3 + step) % 2**32
    assert int(download(device, y, np.zeros(4, np.uint32))[0]) == expected


def test_writes_between_dispatches_keep_their_order(device):
    module = kernels.scale_in_place()
    pipeline, y = device.compile(wgsl(module, device)), device.allocate(16)
    z = upload(device, np.zeros(4, np.int32))
    for start in (5, 7):
        y.write(memoryview(np.full(4, start, np.int32)).cast("B"))
        device.dispatch(pipeline, [y], pack(module, 10, 1), (1, 1, 1))
        device.copy(y, z, 16)
        device.dispatch(pipeline, [z], pack(module, 2, 0), (1, 1, 1))
    assert download(device, y, np.zeros(4, np.int32)).tolist() == [71, 7, 7, 7]
    assert download(device, z, np.zeros(4, np.int32)).tolist() == [142, 7, 7, 7]


def test_a_buffer_released_while_its_work_is_pending_is_still_used(device):
    module = kernels.scale_in_place()
    pipeline = device.compile(wgsl(module, device))
    y, z = upload(device, np.full(4, 3, np.int32)), device.allocate(16)
    device.dispatch(pipeline, [y], pack(module, 4, 1), (1, 1, 1))
    device.copy(y, z, 16)
    y.release()
    y.release()
    assert download(device, z, np.zeros(4, np.int32)).tolist() == [13, 3, 3, 3]
    with pytest.raises(ClosedError):
        y.read(memoryview(bytearray(4)))


@pytest.mark.parametrize("nbytes", [1, 2, 3, 4, 5, 17, 4099])
def test_bytes_of_any_number_come_back(device, nbytes):
    data = np.random.default_rng(nbytes).integers(0, 256, nbytes).astype(np.uint8)
    buffer = upload(device, data)
    np.testing.assert_array_equal(download(device, buffer, data), data)
    if nbytes > 8:
        part = bytearray(nbytes - 8)
        buffer.read(memoryview(part), 8)
        assert bytes(part) == data.tobytes()[8:]
        buffer.write(memoryview(b"\x01\x02\x03\x04"), 4)
        changed = data.tobytes()[:4] + b"\x01\x02\x03\x04" + data.tobytes()[8:]
        assert download(device, buffer, data).tobytes() == changed


def test_reads_of_any_bytes(device):
    data = np.random.default_rng(5).integers(0, 256, 1027).astype(np.uint8)
    buffer = upload(device, data)
    wait(device.mark())
    for offset, count in ((1, 1), (3, 2), (1, 4), (2, 7), (1026, 1), (1021, 6), (5, 1022), (7, 0)):
        part = bytearray(count)
        buffer.read(memoryview(part), offset)
        assert part == data.tobytes()[offset : offset + count], (offset, count)


def test_what_wgpu_refuses_is_a_device_error(device):
    buffer = upload(device, np.zeros(4, np.int32))
    with pytest.raises(DeviceError, match="write 4 bytes"):
        buffer.write(memoryview(b"abcd"), 1)  # the backend interface has no such writes
    with pytest.raises(DeviceError, match="read 4 bytes"):
        buffer.read(memoryview(bytearray(4)), 4096)
    assert download(device, buffer, np.ones(4, np.int32)).tolist() == [0, 0, 0, 0]


def test_transfers_larger_than_a_chunk(device):
    data = np.random.default_rng(3).integers(0, 2**32, (65 << 20) // 4, dtype=np.uint32)
    buffer = upload(device, data)
    assert np.array_equal(download(device, buffer, data), data)
    buffer.release()


def test_one_buffer_read_and_written_by_one_dispatch(device):
    kernel = Kernel("double", 4)
    x, y = kernel.buffer("x", I32), kernel.buffer("y", I32, writable=True)
    i = kernel.global_id()
    kernel.store(y, i, mul(kernel.load("x_i", x, i), i32(2)))
    pipeline, buffer = device.compile(wgsl(kernel.module(), device)), upload(device, np.arange(4, dtype=np.int32))
    device.dispatch(pipeline, [buffer, buffer], b"", (1, 1, 1))
    device.dispatch(pipeline, [buffer, buffer], b"", (1, 1, 1))
    assert download(device, buffer, np.zeros(4, np.int32)).tolist() == [0, 4, 8, 12]


def test_three_dimensions_of_workgroups(device):
    kernel = Kernel("place")
    out = kernel.buffer("out", I32, writable=True)
    x, y, z = (builtin(ir.BuiltinKind.WORKGROUP_ID, axis) for axis in range(3))
    nx, ny = (builtin(ir.BuiltinKind.NUM_WORKGROUPS, axis) for axis in range(2))
    index = kernel.let("index", add(add(x, mul(y, nx)), mul(z, mul(nx, ny))))
    kernel.store(out, index, add(add(x, mul(y, i32(10))), mul(z, i32(100))))
    pipeline, buffer = device.compile(wgsl(kernel.module(), device)), device.allocate(4 * 24)
    device.dispatch(pipeline, [buffer], b"", (2, 3, 4))
    expected = [x + 10 * y + 100 * z for z in range(4) for y in range(3) for x in range(2)]
    assert download(device, buffer, np.zeros(24, np.int32)).tolist() == expected


def test_out_of_memory_leaves_the_device_usable(device):
    with pytest.raises(OutOfMemoryError, match="largest buffer"):
        device.allocate(1 << 50)
    data = np.arange(8, dtype=np.int32)
    np.testing.assert_array_equal(download(device, upload(device, data), data), data)


def test_code_that_does_not_compile_names_the_users_line(device, tmp_path):
    file = tmp_path / "user.py"
    file.write_text("first\nthe line at fault\n")
    span = Span(str(file), 2, 0, 2, 8)
    text = "@compute @workgroup_size(1)\nfn k() {\n  oops;\n}\n"
    source = Source("wgsl", text, "k", (1, 1, 1), (), 0, lines=(None, None, span, None))
    with pytest.raises(DriverCompileError) as caught:
        device.compile(source)
    assert "oops" in caught.value.log
    assert caught.value.span is span
    assert "the line at fault" in str(caught.value)


def test_elapsed_is_the_time_of_the_work_between_two_marks(device):
    pipeline = device.compile(wgsl(kernels.count_up(), device))
    out = device.allocate(20 * 64 * 4)
    start = device.mark()
    for _ in range(30):
        device.dispatch(pipeline, [out], pack(kernels.count_up(), 60000, 60000), (64, 1, 1))
    end = device.mark()
    wait(end)
    assert start.is_done()
    assert 1e-4 < device.elapsed(start, end) < 20


def test_time_passes_between_marks(device):
    marks = [device.mark() for _ in range(3)]
    wait(marks[-1])
    assert 0 <= device.elapsed(marks[0], marks[1]) <= device.elapsed(marks[0], marks[2]) < 1


def test_timestamps_are_given_back(device):
    marks = [device.mark() for _ in range(1100)]
    assert marks[0].timestamp is not None
    assert marks[-1].timestamp is None  # more marks alive than queries: the host's time serves
    wait(marks[-1])
    assert device.elapsed(marks[0], marks[-1]) >= 0
    del marks
    gc.collect()
    mark = device.mark()
    assert isinstance(mark, WgpuMark) and mark.timestamp is not None


def test_the_time_before_a_launch_is_not_device_time(device):
    """A mark with nothing before it is submitted with the work after it."""
    if "timestamp-query" not in device._device.features:
        pytest.skip(f"{device.info.id} has no timestamps")
    pipeline, out = device.compile(wgsl(kernels.count_up(), device)), device.allocate(20 * 4)
    wait(device.mark())
    start = device.mark()
    time.sleep(0.5)
    device.dispatch(pipeline, [out], pack(kernels.count_up(), 20, 20), (1, 1, 1))
    end = device.mark()
    wait(end)
    wait(start)
    assert 0 < device.elapsed(start, end) < 0.4


def test_several_marks_before_a_launch(device):
    """As of timers in one another: none of them counts the time until the launch."""
    if "timestamp-query" not in device._device.features:
        pytest.skip(f"{device.info.id} has no timestamps")
    pipeline, out = device.compile(wgsl(kernels.count_up(), device)), device.allocate(20 * 4)
    wait(device.mark())
    starts = [device.mark() for _ in range(3)]
    time.sleep(0.5)
    device.dispatch(pipeline, [out], pack(kernels.count_up(), 20, 20), (1, 1, 1))
    ends = [device.mark() for _ in range(3)]
    wait(ends[-1])
    for start, end in zip(starts, ends, strict=True):
        wait(start)
        assert 0 < device.elapsed(start, end) < 0.4


def test_a_write_to_the_queue_comes_after_a_mark(device):
    """A mark that is not submitted yet is, before a write that does not wait for what is recorded."""
    wait(device.mark())
    buffer = device.allocate(64)
    wait(device.mark())
    start = device.mark()
    assert start._submit == device._recorder.next_submit
    device._recorder._write_directly(buffer.handle, 0, memoryview(bytes(64)))
    assert start._submit < device._recorder.next_submit


def test_the_time_between_the_last_query_and_none(backend):
    """Where the second mark has no timestamp, the host's time serves for both, from the beginning of the work."""
    device = backend.open(0)
    if "timestamp-query" not in device._device.features:
        pytest.skip(f"{device.info.id} has no timestamps")
    pipeline, out = device.compile(wgsl(kernels.count_up(), device)), device.allocate(20 * 4)
    marks = [device.mark()]
    while marks[-1].timestamp is not None:
        marks.append(device.mark())
    wait(marks[-1])
    del marks[-2:]
    gc.collect()
    start = device.mark()
    assert start.timestamp is not None
    for _ in range(20):
        device.dispatch(pipeline, [out], pack(kernels.count_up(), 60000, 60000), (1, 1, 1))
    begin = time.perf_counter()
    end = device.mark()
    assert end.timestamp is None
    wait(end)
    took = time.perf_counter() - begin
    wait(start)
    assert 0.5 * took < device.elapsed(start, end) < 20
    del start, end, marks
    device.close()


def test_a_mark_with_nothing_after_it_is_done_too(device):
    mark = device.mark()
    wait(mark)
    assert mark.ended > 0
    later = device.mark()
    del later  # its place in the queue stays
    end = device.mark()
    wait(end)
    assert device.elapsed(mark, end) >= 0


def test_empty_passes_give_timestamps_too(backend):
    device = backend.open(0)
    if not device._clock._inside_encoders:
        pytest.skip(f"{device.info.id} has no timestamps inside encoders")
    device._clock._inside_encoders = False
    start = device.mark()
    pipeline, out = device.compile(wgsl(kernels.count_up(), device)), device.allocate(20 * 4)
    device.dispatch(pipeline, [out], pack(kernels.count_up(), 60000, 60000), (1, 1, 1))
    end = device.mark()
    wait(end)
    assert 0 < device.elapsed(start, end) < 20
    device.close()


def test_use_of_a_released_pipeline(device):
    module = kernels.scale_in_place()
    pipeline, y = device.compile(wgsl(module, device)), upload(device, np.full(4, 3, np.int32))
    device.dispatch(pipeline, [y], pack(module, 2, 1), (1, 1, 1))
    pipeline.release()
    pipeline.release()
    with pytest.raises(ClosedError):
        device.dispatch(pipeline, [y], pack(module, 2, 1), (1, 1, 1))
    assert download(device, y, np.zeros(4, np.int32)).tolist() == [7, 3, 3, 3]


def test_use_after_close(backend):
    device = backend.open(0)
    module = kernels.count_up()
    pipeline, out = device.compile(wgsl(module, device)), device.allocate(80)
    device.dispatch(pipeline, [out], pack(module, 9, 9), (1, 1, 1))
    mark = device.mark()
    device.dispatch(pipeline, [out], pack(module, 9, 9), (1, 1, 1))
    device.close()
    device.close()
    for use in (
        lambda: device.allocate(4),
        lambda: device.dispatch(pipeline, [out], pack(module, 9, 9), (1, 1, 1)),
        lambda: out.read(memoryview(bytearray(4))),
        lambda: out.write(memoryview(b"abcd")),
        device.mark,
        mark.is_done,
    ):
        with pytest.raises(ClosedError):
            use()
    out.release()
    pipeline.release()


def test_a_lost_device_says_so(backend):
    device = backend.open(0)
    module = kernels.scale_in_place()
    pipeline, y = device.compile(wgsl(module, device)), device.allocate(16)
    loop = device.compile(wgsl(kernels.count_up(), device))
    device.dispatch(loop, [device.allocate(80)], pack(kernels.count_up(), 9, 9), (1, 1, 1))
    mark = device.mark()
    device._device.destroy()
    if loop.checks_loops:
        with pytest.raises(DeviceLostError):
            wait(mark)
    with pytest.raises(DeviceLostError):
        y.read(memoryview(bytearray(16)))
    with pytest.raises(DeviceLostError):
        y.write(memoryview(bytes(16)))

    def run_once():
        device.dispatch(pipeline, [y], pack(module, 1, 1), (1, 1, 1))
        wait(device.mark())

    with pytest.raises(DeviceLostError):
        run_once()
    with pytest.raises(DeviceLostError):
        device.allocate(16)
    with pytest.raises(DeviceLostError):
        device.compile(wgsl(module, device))
    device.close()


def test_checked_mode(monkeypatch, run):
    monkeypatch.setenv("GPUCORE_WGPU_CHECKED", "1")
    x, y = np.arange(70, dtype=np.float32), np.ones(70, np.float32)
    _, result = run(kernels.saxpy(), [x, y], (3.0, 70), workgroups=2)
    np.testing.assert_array_equal(result, 3 * x + 1)


@pytest.mark.parametrize(("word", "checks"), [("yes", True), ("ON", True), ("0", False), ("off", False)])
def test_words_for_checked_mode(monkeypatch, device, word, checks):
    trusted = []
    create = native.create_trusted_shader_module
    monkeypatch.setattr(native, "create_trusted_shader_module", lambda *args: trusted.append(args) or create(*args))
    monkeypatch.setenv("GPUCORE_WGPU_CHECKED", word)
    device.compile(wgsl(kernels.saxpy(), device)).release()
    assert len(trusted) == (0 if checks else 1)


def test_a_word_without_a_meaning_for_checked_mode(monkeypatch, device):
    monkeypatch.setenv("GPUCORE_WGPU_CHECKED", "maybe")
    with pytest.raises(BackendError, match="GPUCORE_WGPU_CHECKED='maybe' is not valid"):
        device.compile(wgsl(kernels.saxpy(), device))


def test_emission_is_repeatable():
    assert wgsl(kernels.block_sum()).text == wgsl(kernels.block_sum()).text
    assert emit(prove(kernels.saxpy())).writes == (False, True)


def test_open_refuses_an_index_that_is_not_there():
    with pytest.raises(BackendUnavailableError):
        WgpuBackend().open(99)


def test_a_closed_device_goes_away_without_the_collector(backend):
    """With work in the queue, reads and timestamps, and with nothing but its creation."""
    gc.collect()
    gc.disable()
    try:
        for is_used in (False, True):
            device = backend.open(0)
            parts = [weakref.ref(each) for each in (device, device._recorder, device._device, device._device.queue)]
            if is_used:
                out, start = upload(device, np.zeros(20, np.int32)), device.mark()
                pipeline = device.compile(wgsl(kernels.count_up(), device))
                device.dispatch(pipeline, [out], pack(kernels.count_up(), 20, 1), (1, 1, 1))
                end = device.mark()
                wait(end)
                download(device, out, np.zeros(20, np.int32))
                device.elapsed(start, end)
                device.dispatch(pipeline, [out], pack(kernels.count_up(), 20, 1), (1, 1, 1))
                del pipeline, out, start, end
            device.close()
            del device
            assert [part() for part in parts] == [None] * 4
    finally:
        gc.enable()


def test_a_closed_device_goes_away_while_what_was_made_of_it_is_kept(backend):
    """The driver's device has a thread and tens of MB. It is gone, and what is kept says that it was closed."""
    device = backend.open(0)
    driver_device = weakref.ref(device._device)
    out, pipeline = upload(device, np.zeros(20, np.int32)), device.compile(wgsl(kernels.count_up(), device))
    part = out.part(0, 16)
    start = device.mark()
    device.dispatch(pipeline, [part], pack(kernels.count_up(), 4, 1), (1, 1, 1))
    end = device.mark()
    wait(end)
    device.dispatch(pipeline, [out], pack(kernels.count_up(), 20, 1), (1, 1, 1))
    device.close()
    assert driver_device() is None
    for call in (
        lambda: out.read(memoryview(bytearray(4))), lambda: out.write(memoryview(bytes(4))), end.is_done,
        lambda: device.elapsed(start, end), lambda: device.allocate(4), lambda: part.handle,
        lambda: device.dispatch(pipeline, [out], pack(kernels.count_up(), 20, 1), (1, 1, 1)),
    ):  # fmt: skip
        with pytest.raises(ClosedError, match="closed"):
            call()
    for each in (out, pipeline, device):
        each.release() if each is not device else each.close()


def test_the_driver_reports_work_of_a_device_that_is_closed_and_gone(caplog):
    """Another device's poll reports the work: to nobody."""
    backend = WgpuBackend()
    device = backend.open(backend.probe().devices[0].index)
    kept = device.allocate(4)
    device.mark()
    device.close()
    del device
    gc.collect()
    for info in backend.probe().devices:
        other = backend.open(info.index)
        wait(other.mark())
        other.close()
    assert kept.nbytes == 4
    assert [record.getMessage() for record in caplog.records] == []
