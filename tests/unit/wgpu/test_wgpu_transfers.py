"""Writes and reads through staging memory, and marks that are only waited for."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wgpu_kernels as kernels
from wgpu_builder import prove, wait, wgsl

from gpucore.errors import ClosedError, DeviceError
from gpucore.runtime import Buffer, Device, Pipeline
from gpucore.runtime.packing import packer
from gpucore_wgpu import native
from gpucore_wgpu.staging import LARGE, SMALL

resource = pytest.importorskip("resource", reason="only POSIX tells the memory of a process")

STEP = kernels.scale_in_place()


def random_bytes(count: int, seed: int = 0) -> bytes:
    return np.random.default_rng(seed).integers(0, 256, count, dtype=np.uint8).tobytes()


def read(buffer: Buffer, count: int, offset: int = 0) -> bytes:
    out = bytearray(count)
    buffer.read(memoryview(out), offset)
    return bytes(out)


class Step:
    """y[0] = y[0] * a + b: the result tells in which order things ran."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.pipeline: Pipeline = device.compile(wgsl(STEP, device))
        valid = prove(STEP)
        self.pack = packer(valid.slots, valid.scalars_nbytes).pack
        self.y = device.allocate(16)
        self.write(0)

    def write(self, value: int) -> None:
        self.y.write(memoryview(np.full(4, value, np.int32)).cast("B"))

    def run(self, a: int, b: int) -> None:
        self.device.dispatch(self.pipeline, [self.y], self.pack(a, b), (1, 1, 1))

    def value(self) -> int:
        return int.from_bytes(read(self.y, 4), "little", signed=True)


@pytest.fixture
def step(device: Device) -> Iterator[Step]:
    made = Step(device)
    yield made
    made.y.release()
    made.pipeline.release()


# ---------------------------------------------------------------- bytes

PLACES = [
    (0, 1), (4, 3), (8, SMALL // 2 - 3), (4, SMALL // 2), (12, SMALL // 2 + 1), (0, SMALL + 5), (16, LARGE - 4),
    (4, LARGE), (8, LARGE + 1), (20, 3 * LARGE + 7), (0, 6 * LARGE + 2),
]  # fmt: skip


@pytest.mark.parametrize(("offset", "count"), PLACES)
def test_writes_of_any_size_change_only_their_own_bytes(device, offset, count):
    """A write of a number of bytes that is no multiple of 4 reaches the end, as the backend interface says."""
    tail = 16 if count % 4 == 0 else 0
    before = random_bytes(offset + count + tail, 1)
    data = random_bytes(count, 2)
    buffer = device.allocate(len(before))
    buffer.write(memoryview(before))
    buffer.write(memoryview(data), offset)
    wait(device.mark())
    assert read(buffer, len(before)) == before[:offset] + data + before[offset + count :]
    buffer.release()


@pytest.mark.parametrize(
    ("offset", "count"), [(first + shift, count) for first, count in PLACES for shift in (0, 1, 3)]
)
def test_reads_of_any_place_and_size(device, offset, count):
    data = random_bytes(offset + count + 1, 3)
    buffer = device.allocate(len(data))
    buffer.write(memoryview(data))
    assert read(buffer, count, offset) == data[offset : offset + count]
    buffer.release()


def test_data_may_change_after_a_write(device):
    data = bytearray(random_bytes(LARGE + 9, 4))
    expected, buffer = bytes(data), device.allocate(len(data))
    buffer.write(memoryview(data))
    data[:] = bytes(len(data))
    assert read(buffer, len(expected)) == expected
    buffer.release()


def test_many_writes_without_a_wait(device):
    """More than fit in the staging memory."""
    buffer, count = device.allocate(64 * 100_000), 100_000
    parts = [random_bytes(count, seed) for seed in range(64)]
    for number, part in enumerate(parts):
        buffer.write(memoryview(part), number * count)
    assert read(buffer, 64 * count) == b"".join(parts)
    buffer.release()


def test_writes_while_the_device_is_busy(device):
    """Unfinished work uses all staging memory: the rest is kept by the driver."""
    loop, out = device.compile(wgsl(kernels.count_up(), device)), device.allocate(20 * 64 * 4)
    valid = prove(kernels.count_up())
    scalars = packer(valid.slots, valid.scalars_nbytes).pack(60000, 60000)
    data = random_bytes(10 * LARGE + 6, 5)
    buffer = device.allocate(len(data))
    for _ in range(10):
        device.dispatch(loop, [out], scalars, (64, 1, 1))
    buffer.write(memoryview(data))
    buffer.write(memoryview(data[:8]), 16)
    assert read(buffer, len(data)) == data[:16] + data[:8] + data[24:]
    for thing in (loop, out, buffer):
        thing.release()


@pytest.mark.parametrize("offset", [1, 2, 3])
def test_a_write_that_is_refused_leaves_what_is_pending(step, offset):
    step.run(1, 5)
    with pytest.raises(DeviceError, match=f"write 4 bytes to byte {offset}, which is no multiple of 4"):
        step.y.write(memoryview(b"abcd"), offset)
    with pytest.raises(DeviceError, match="write 8 bytes from byte 12 of a buffer of 16 bytes"):
        step.y.write(memoryview(bytes(8)), 12)
    with pytest.raises(DeviceError, match="read 8 bytes from byte 12 of a buffer of 16 bytes"):
        step.y.start_read(memoryview(bytearray(8)), 12)
    assert step.value() == 5


# ---------------------------------------------------------------- order


def test_a_read_follows_launches_that_were_not_submitted(step):
    for number in range(1, 4):
        step.run(10, number)
    assert step.value() == 123
    step.write(7)
    step.run(10, 1)
    step.write(9)
    assert step.value() == 9


def test_distinct_scalars_beyond_their_memory(step):
    """Blocks of scalars stay where they are until there is no room: then they get new places."""
    expected = 0
    for number in range(9000):
        step.run(1, number)
        expected += number
    for number in (0, 1, 8999):
        step.run(1, number)
        expected += number
    assert step.value() == expected


@pytest.mark.parametrize("fault", ["write", "submit"])
def test_scalars_after_a_submit_that_failed(device, step, monkeypatch, fault):
    def fail(*arguments: Any) -> None:
        raise RuntimeError("refused")

    with monkeypatch.context() as patch:
        patch.setattr(native.Commands, fault, fail)
        step.run(3, 1234)
        with pytest.raises(DeviceError, match="refused to run what was dispatched\nrefused"):
            device.fence()
    step.write(2)
    step.run(3, 1234)
    assert step.value() == 1240


def test_started_reads_are_filled_by_the_mark_after_them(device, step):
    outs = [bytearray(b"\xff" * 4) for _ in range(20)]
    for number, out in enumerate(outs):
        step.run(0, number)
        assert step.y.start_read(memoryview(out))
    step.run(0, 77)
    assert all(out == b"\xff" * 4 for out in outs)
    wait(device.fence())
    assert [int.from_bytes(out, "little") for out in outs] == list(range(20))
    assert step.value() == 77


def test_started_reads_of_any_place_and_size(device):
    data = random_bytes(3 * LARGE + 50, 6)
    buffer = device.allocate(len(data))
    buffer.write(memoryview(data))
    places = [(0, 1), (3, 9), (1, LARGE), (5, 2 * LARGE + 3), (len(data) - 1, 1), (7, 0)]
    outs = [bytearray(count) for _, count in places]
    for (offset, _), out in zip(places, outs, strict=True):
        assert buffer.start_read(memoryview(out), offset)
    buffer.write(memoryview(bytes(len(data))))
    wait(device.mark())
    for (offset, count), out in zip(places, outs, strict=True):
        assert out == data[offset : offset + count], (offset, count)
    buffer.release()


def test_no_more_reads_are_started_than_there_is_memory_for(device):
    data = random_bytes(20 << 20, 7)
    buffer = device.allocate(len(data))
    buffer.write(memoryview(data))
    outs = [bytearray(len(data)) for _ in range(5)]
    started = [buffer.start_read(memoryview(out)) for out in outs]
    assert started[0] and not started[-1]
    wait(device.fence())
    for out, is_started in zip(outs, started, strict=True):
        assert out == (data if is_started else bytes(len(data)))
    assert buffer.start_read(memoryview(outs[-1]))
    wait(device.fence())
    assert outs[-1] == data
    buffer.release()


@pytest.mark.parametrize("between", ["nothing", "wait", "dispatch", "write", "other read", "submitted dispatch"])
def test_an_expected_read_gets_what_is_there_when_it_is_made(device, step, between):
    step.run(10, 1)
    step.y.expect_read(4)
    expected = 1
    if between == "wait":
        wait(device.fence())
    elif between == "write":
        step.write(expected := 8)
    elif between == "other read":
        assert read(step.y, 8)[:4] == bytes([1, 0, 0, 0])
    elif between != "nothing":
        step.run(10, 2)
        expected = 12
        if between == "submitted dispatch":
            wait(device.fence())
    assert step.value() == expected


def test_expected_reads_that_are_never_made(device, step):
    other = device.allocate(2 * LARGE)
    for number in range(200):
        step.run(0, number)
        step.y.expect_read(4)
        other.expect_read(2 * LARGE - 1 if number % 2 else 1000, 1)
    wait(device.fence())
    assert step.value() == 199
    other.release()


def test_a_buffer_released_after_a_read_was_started(device):
    data = random_bytes(1000, 8)
    buffer, out = device.allocate(1000), bytearray(1000)
    buffer.write(memoryview(data))
    wait(device.fence())
    assert buffer.start_read(memoryview(out))
    buffer.release()
    wait(device.fence())
    assert out == data
    with pytest.raises(ClosedError):
        buffer.start_read(memoryview(out))


def test_a_device_closed_with_transfers_under_way(backend):
    device = backend.open(0)
    data = random_bytes(2 * LARGE, 9)
    buffer, out = device.allocate(len(data)), bytearray(len(data))
    buffer.write(memoryview(data))
    assert buffer.start_read(memoryview(out))
    fence = device.fence()
    buffer.expect_read(100)
    buffer.write(memoryview(data))
    device.close()
    for use in (fence.is_done, device.fence, lambda: buffer.expect_read(4), lambda: buffer.write(memoryview(data))):
        with pytest.raises(ClosedError):
            use()


# ---------------------------------------------------------------- marks that are only waited for


def test_a_fence_does_not_wait_for_later_work(device, step):
    if device.info.api != "Vulkan":
        pytest.skip(f"{device.info.api} here runs work when it is submitted")
    loop, out = device.compile(wgsl(kernels.count_up(), device)), device.allocate(20 * 512 * 4)
    valid = prove(kernels.count_up())
    scalars = packer(valid.slots, valid.scalars_nbytes).pack(60000, 60000)
    device.dispatch(loop, [out], scalars, (1, 1, 1))  # compiles it
    wait(device.fence())
    step.run(1, 3)
    early = device.fence()
    for _ in range(3):
        device.dispatch(loop, [out], scalars, (512, 1, 1))
    late = device.fence()
    wait(early)
    assert not late.is_done()
    wait(late)
    assert early.is_done()
    for thing in (loop, out):
        thing.release()


def test_fences_in_any_order(device, step):
    fences = []
    for number in range(50):
        step.run(1, number)
        fences.append(device.fence() if number % 3 else device.mark())
    for fence in reversed(fences):
        wait(fence)
    assert device.fence().is_done()  # nothing was queued since
    assert step.value() == sum(range(50))


def test_a_fence_after_a_write_alone(device):
    buffer = device.allocate(8)
    buffer.write(memoryview(b"abcdefgh"))
    wait(device.fence())
    assert read(buffer, 8) == b"abcdefgh"
    buffer.release()


# ---------------------------------------------------------------- interrupts


def test_a_read_that_is_interrupted(device, step, monkeypatch):
    """What was to be filled is not filled later, and the device goes on."""
    step.run(0, 5)
    out = bytearray(b"\xff" * 4)

    def interrupt(commands: Any) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(native.Commands, "poll", interrupt)
        with pytest.raises(KeyboardInterrupt):
            step.y.read(memoryview(out))
    for number in range(30):
        step.run(1, 1)
        assert step.value() == 6 + number
    wait(device.fence())
    assert out == b"\xff" * 4


def test_an_interrupt_while_the_driver_calls_back_is_raised(step, monkeypatch, capsys):
    """cffi prints exceptions of callbacks and goes on: Ctrl-C would be lost, and what waits would wait for ever."""
    arrive, interrupts = native.Mapping.arrive, iter([KeyboardInterrupt()])

    def interrupted(self: Any, succeeded: bool) -> None:
        for interrupt in interrupts:
            raise interrupt
        arrive(self, succeeded)

    monkeypatch.setattr(native.Mapping, "arrive", interrupted)
    step.run(0, 5)
    with pytest.raises(KeyboardInterrupt):
        step.value()
    assert step.value() == 5
    assert capsys.readouterr().err == ""


START = """
import gc
import numpy as np
import gpucore as gp

device = gp.device("wgpu")
x = gp.asarray(np.arange(1024, dtype=np.float32), device=device)

def in_use():  # bytes of resident memory
    text = open("/proc/self/status").read()
    return int(text.split("VmRSS:")[1].split()[0]) << 10
"""


def run(tmp_path: Path, device: Device, program: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(START.replace('"wgpu"', repr(device.info.id)) + textwrap.dedent(program))
    result = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr[-3000:]


@pytest.mark.parametrize("what", ["x.numpy()", "gp.asarray(host, device=device)", "interrupted(x.numpy), x.numpy()"])
def test_many_small_transfers_do_not_pile_up(tmp_path, device, what):
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc/self/status")
    run(tmp_path, device, f"""
        from gpucore_wgpu.native import Commands

        host, poll = np.ones(1000, np.float32), Commands.poll

        def interrupted(read):
            def interrupt(commands):
                Commands.poll = poll
                raise KeyboardInterrupt
            Commands.poll = interrupt
            try:
                read()
            except KeyboardInterrupt:
                return
            raise AssertionError("not interrupted")

        def repeat(count):
            for _ in range(count):
                {what}
            device.synchronize()
            gc.collect()

        repeat(1000)
        before = in_use()
        repeat(5000)
        assert in_use() - before < 8 << 20, in_use() - before
        assert x.numpy().tolist() == list(range(1024))
    """)  # fmt: skip


def test_ctrl_c_ends_a_wait_for_work_at_once(tmp_path, device):
    if device.info.api != "Vulkan":
        pytest.skip(f"{device.info.api} here runs work when it is submitted")
    started = time.monotonic()
    run(tmp_path, device, """
        import signal, time

        @gp.kernel(workgroup_size=64)
        def spin(x: gp.InOut[gp.f32], n: gp.i32):
            i = gp.global_id(0)
            total = gp.f32(0.0)
            for k in range(n):
                total = total * 0.5 + x[i & 1023]
            x[i & 1023] = total

        def interrupt(number, frame):
            global rang
            rang = time.monotonic()
            raise KeyboardInterrupt

        y = gp.zeros(1024, gp.f32, device=device)
        spin(y, 10, invocations=64)
        device.synchronize()
        signal.signal(signal.SIGALRM, interrupt)
        began = time.monotonic()
        spin(y, 60000, invocations=1 << 12)
        device.synchronize()
        times = 1 + int(0.5 / (time.monotonic() - began))  # half a second of work
        for act in (device.synchronize, y.numpy):
            for _ in range(times):
                spin(y, 60000, invocations=1 << 12)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            try:
                act()
            except KeyboardInterrupt:
                assert time.monotonic() - rang < 0.5
            else:
                raise AssertionError("the work ended first")
        assert x.numpy().tolist() == list(range(1024))
        assert y.numpy().tolist() == [0.0] * 1024
    """)  # fmt: skip
    assert time.monotonic() - started < 100
