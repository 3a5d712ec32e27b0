"""Pinned memory, and large copies through it."""

from __future__ import annotations

import ctypes
import gc
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyopencl
import pytest
from device_run import wait
from interrupts import interrupt_at_each_line
from opencl_programs import LONG, Programs, buffer_of, open_device, stepped, words_of

from gpucore.errors import OutOfMemoryError
from gpucore_opencl.queues import Queue
from gpucore_opencl.staging import Staging

MIB = 1 << 20
SLOT = 100_004  # bytes: not a power of two


@pytest.fixture
def staged() -> Iterator[Any]:
    """A device whose large copies are staged, as on those with memory of their own."""
    before = set(threading.enumerate())  # with those of other devices
    opened = open_device()
    opened.staging = Staging(opened._ring, SLOT)
    opened.queue._staging = opened.staging
    yield opened
    opened.close()
    new = set(threading.enumerate()) - before
    assert not [thread for thread in new if thread.name.startswith("gpucore-opencl")]


def numbers(nbytes: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, nbytes, np.uint8)


@pytest.mark.parametrize(
    ("nbytes", "offset", "rest"), [(MIB, 0, 0), (MIB + 3, 4, 0), (8 * SLOT + 1, 0, 5), (27 * SLOT, 12, 99)]
)
def test_staged_copies_are_whole(staged: Any, nbytes: int, offset: int, rest: int) -> None:
    size = offset + nbytes + rest
    buffer, around, data = staged.allocate(size), numbers(size, 1), numbers(nbytes, 2)
    buffer.write(memoryview(around))
    wanted = around.copy()
    wanted[offset : offset + nbytes] = data
    buffer.write(memoryview(bytes(data)), offset)  # read-only memory
    buffer.write(memoryview(data), offset)
    data[:] = 0  # what was written is not needed any more
    out, part = numbers(size, 3), numbers(nbytes + 2, 4)
    kept = part.copy()
    buffer.read(memoryview(out))
    buffer.read(memoryview(part)[1:-1], offset)
    assert np.array_equal(out, wanted)
    assert np.array_equal(part[1:-1], wanted[offset : offset + nbytes])
    assert (part[0], part[-1]) == (kept[0], kept[-1])


def test_staged_copies_keep_their_place(staged: Any) -> None:
    programs, count = Programs(staged), MIB // 4 + 1
    x = staged.allocate(4 * count)
    host, out = np.arange(count, dtype=np.uint32), np.zeros(count, np.uint32)
    for number in (1, 2, 3):
        x.write(memoryview(host + number).cast("B"))
        programs.run("add", x, 7, count)
        x.read(memoryview(out).cast("B"))
        assert np.array_equal(out, host + number + 7)


def test_writes_do_not_wait_for_kernels(staged: Any) -> None:
    programs, busy, x = Programs(staged), buffer_of(staged, 3), staged.allocate(MIB)
    data, out = numbers(MIB, 5), numbers(MIB, 6)
    programs.run("advance", busy, LONG)
    mark = staged.mark()
    x.write(memoryview(data))
    assert not mark.is_done()
    wanted = data.copy()
    data[:] = 0
    x.read(memoryview(out))
    assert mark.is_done() and np.array_equal(out, wanted)
    assert words_of(busy, 1) == [stepped(3, LONG)]


@pytest.mark.parametrize("name", ["start_write", "start_read"])
@pytest.mark.parametrize("after", [0, 1, 7])
def test_an_interrupt_leaves_the_device_usable(
    staged: Any, monkeypatch: pytest.MonkeyPatch, name: str, after: int
) -> None:
    x, data, out = staged.allocate(12 * SLOT), numbers(12 * SLOT, 7), numbers(12 * SLOT, 8)
    x.write(memoryview(data))
    begin: Callable[..., Any] = getattr(Queue, name)
    calls = 0

    def interrupted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > after:
            raise KeyboardInterrupt
        return begin(*arguments)

    monkeypatch.setattr(Queue, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        x.write(memoryview(numbers(12 * SLOT, 9))) if name == "start_write" else x.read(memoryview(out))
    kept = out.copy()
    monkeypatch.undo()
    x.write(memoryview(data))
    assert np.array_equal(out, kept)  # nothing writes to it after the interrupt
    x.read(memoryview(out))
    assert np.array_equal(out, data)


@pytest.mark.parametrize("is_read", [False, True])
def test_an_interrupt_at_any_line_leaves_the_device_usable(staged: Any, is_read: bool) -> None:
    x, data, out = staged.allocate(12 * SLOT), numbers(12 * SLOT, 7), numbers(12 * SLOT, 8)
    interrupts = 0

    def copy() -> None:
        x.read(memoryview(out)) if is_read else x.write(memoryview(numbers(12 * SLOT, 9)))

    x.write(memoryview(data))
    for is_interrupted in interrupt_at_each_line(copy, 3):
        interrupts += is_interrupted
        x.write(memoryview(data))
        x.read(memoryview(out))
        assert np.array_equal(out, data)
    assert interrupts > 30


def test_without_pinned_memory_large_copies_go_through_the_driver(staged: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(nbytes: int) -> memoryview:
        raise staged.pyopencl.MemoryError("no memory can be locked")

    monkeypatch.setattr(staged, "_allocate_pinned", fail)
    x, data, out = staged.allocate(2 * MIB + 1), numbers(2 * MIB + 1, 1), numbers(2 * MIB + 1, 2)
    x.write(memoryview(data))
    x.read(memoryview(out))
    assert np.array_equal(out, data)


# ---------------------------------------------------------------- pinned memory


@pytest.mark.parametrize("nbytes", [1, 4, 1001, MIB + 3])
def test_pinned_memory_is_copied_from_and_to(device: Any, nbytes: int) -> None:
    memory, x = device.pinned(nbytes), device.allocate(nbytes)
    assert (memory.nbytes, memory.format, memory.readonly) == (nbytes, "B", False)
    data = np.frombuffer(memory, np.uint8)
    data[:] = numbers(nbytes, 1)
    assert x.start_write(memory)
    wait(device.mark())
    data[:] = 0
    assert x.start_read(memory)
    wait(device.mark())
    assert np.array_equal(data, numbers(nbytes, 1))


def test_more_pinned_memory_than_there_is(device: Any) -> None:
    with pytest.raises(OutOfMemoryError, match=f"has no {1 << 60} bytes of memory left"):
        device.pinned(1 << 60)


def test_pinned_memory_is_given_while_a_kernel_runs(device: Any) -> None:
    if not device.info.name.startswith("pthread"):
        pytest.skip("the kernel is known to run long enough on PoCL only")
    programs, busy = Programs(device), buffer_of(device, 3)
    programs.run("advance", busy, LONG)
    mark = device.mark()
    memory = device.pinned(MIB)
    memory[:] = bytes(MIB)
    del memory
    device.pinned(8)
    assert not mark.is_done()
    assert words_of(busy, 1) == [stepped(3, LONG)]


Destroyed = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
CALLBACKS: list[Any] = []


@pytest.fixture
def destroyed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The handles of the large buffers that the driver has destroyed: it calls back from a thread of its own."""
    handles: list[int] = []
    called = Destroyed(lambda handle, _: handles.append(handle))
    notify = ctypes.CDLL(pyopencl._cl.__file__).clSetMemObjectDestructorCallback
    notify.argtypes = [ctypes.c_void_p, Destroyed, ctypes.c_void_p]

    class Noted(pyopencl.Buffer):
        def __init__(self, context: Any, flags: int, nbytes: int) -> None:
            super().__init__(context, flags, nbytes)
            if nbytes >= MIB:
                assert notify(self.int_ptr, called, None) == 0

    CALLBACKS.append(called)  # a buffer that outlives the test calls it later
    monkeypatch.setattr(pyopencl, "Buffer", Noted)
    return handles


def filled(device: Any, nbytes: int) -> memoryview:
    memory = device.pinned(nbytes)
    np.frombuffer(memory, np.uint8)[:] = 1
    return memory[3:]


@pytest.mark.parametrize("in_thread", [False, True])
@pytest.mark.parametrize("is_closed", [False, True])
def test_pinned_memory_is_freed_with_its_last_view(in_thread: bool, is_closed: bool, destroyed: list[int]) -> None:
    device = open_device()
    views = [filled(device, MIB) for _ in range(6)]
    arrays = [np.frombuffer(view, np.uint8)[5:] for view in views]
    views.clear()
    if is_closed:
        device.close()
    gc.collect()
    assert not destroyed and all(array.min() == 1 for array in arrays)
    if in_thread:
        thread = threading.Thread(target=arrays.clear)
        thread.start()
        thread.join()
    else:
        arrays.clear()
    if not is_closed:
        device.pinned(8)  # waits for the commands that return the memory to the driver
    deadline = time.monotonic() + 20
    while len(set(destroyed)) < 6:
        assert time.monotonic() < deadline, f"{len(destroyed)} of 6 are freed"
        time.sleep(1e-3)
    device.close()
