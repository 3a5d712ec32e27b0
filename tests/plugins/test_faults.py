"""A driver fails at each call of the backend interface, in each way: what the program sees, then and afterwards.

The device is a fake one whose kernels the simulator runs, so that results are checked after a failure.
"""

from __future__ import annotations

import gc
import itertools
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from fake_backend import FakeBackend, FakeDevice

import gpucore as gp
from gpucore.errors import DeviceError, OutOfMemoryError, SynchronizeTimeoutError
from gpucore.ir import Limits
from gpucore.runtime.plugins.manager import register_backend

NUMBERS = itertools.count()
VALUES = np.arange(300, dtype=np.int32)

TWICE = """
def twice(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = {} * x[i]
"""


class Program:
    """A device with two arrays and a kernel that has run. Each method makes one call of the interface (others too)."""

    def __init__(self, device: gp.Device) -> None:
        self.device = device
        self.kernel = gp.kernel_from_text(TWICE.format(2))
        self.x, self.y = gp.asarray(VALUES, device=device), gp.zeros(300, gp.i32, device=device)
        self.kernel(self.x, self.y)
        self.start = device.mark()

    def allocate(self) -> Any:
        return gp.empty(70_001, gp.i32, device=self.device).shape

    def compile(self) -> Any:
        y = gp.zeros(300, gp.i32, device=self.device)
        gp.kernel_from_text(TWICE.format(3))(self.x, y)
        return y.numpy()

    def dispatch(self) -> Any:
        self.kernel(self.x, self.y)
        return self.y.numpy()

    def copy(self) -> Any:
        return self.x.copy().numpy()

    def write(self) -> Any:
        self.x.set(VALUES)
        return self.x.numpy()

    def read(self) -> Any:
        return self.x.numpy()

    def mark(self) -> Any:
        return self.device.mark().is_done()

    def is_done(self) -> Any:
        self.device.synchronize()
        return True

    def elapsed(self) -> Any:
        return self.device.mark().elapsed(self.start) > 0

    def close(self) -> Any:
        self.device.close()
        return True


EXPECTED: dict[str, Any] = {
    "allocate": (70_001,), "compile": 3 * VALUES, "dispatch": 2 * VALUES, "copy": VALUES, "write": VALUES,
    "read": VALUES, "mark": True, "is_done": True, "elapsed": True,
}  # fmt: skip
CALLS = [*EXPECTED]
ERRORS: dict[str, Callable[[], Exception]] = {
    "out of memory": lambda: OutOfMemoryError("the fake is full"),
    "failed": lambda: DeviceError("the fake failed"),
    "timeout": lambda: SynchronizeTimeoutError("the fake did not answer"),
}


@pytest.fixture
def backend(only_fakes: None) -> Iterator[FakeBackend]:
    backend = FakeBackend(f"faulty{next(NUMBERS)}", computes=True)
    register_backend(backend)
    yield backend
    backend.faults.__init__()  # type: ignore[misc]
    gp.device(backend.name).close()


@pytest.fixture
def program(backend: FakeBackend) -> Program:
    return Program(gp.device(backend.name))


def driver_of(device: gp.Device) -> FakeDevice:
    driver = device.driver_device.plugin_device
    assert isinstance(driver, FakeDevice)
    return driver


def all_calls_work(program: Program) -> None:
    for call in CALLS:
        np.testing.assert_array_equal(getattr(program, call)(), EXPECTED[call])


def live_buffers(program: Program) -> int:
    gc.collect()
    program.device.free_memory()
    return len(driver_of(program.device).buffers)


@pytest.mark.parametrize("fault", ERRORS)
@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_fails_once_or_twice(program: Program, backend: FakeBackend, call: str, fault: str) -> None:
    """Its own error comes out, and afterwards all calls work, no array has changed, and no memory is left over. Of two
    allocations that fail, the second is the one that is tried again once memory was freed."""
    error = ERRORS[fault]()
    buffers = live_buffers(program)
    setattr(backend.faults, call, error)
    backend.faults.left = 2 if call == "allocate" else 1
    with pytest.raises(type(error)) as caught:
        getattr(program, call)()
    assert caught.value is error
    del caught
    error.__traceback__ = None
    setattr(backend.faults, call, None)
    np.testing.assert_array_equal(program.x.numpy(), VALUES)
    all_calls_work(program)
    assert live_buffers(program) == buffers


@pytest.mark.parametrize("fault", ERRORS)
@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_always_fails_leaves_the_others(
    program: Program, backend: FakeBackend, call: str, fault: str
) -> None:
    """The error of one device is not that of another one, in this thread and in others; the device closes, and a new
    one works."""
    other = Program(gp.device(register_another().name))
    setattr(backend.faults, call, ERRORS[fault]())
    for _ in range(3):
        with pytest.raises(type(ERRORS[fault]())):
            getattr(program, call)()
        all_calls_work(other)
    assert in_thread(lambda: all_calls_work(other)) is None
    assert isinstance(in_thread(getattr(program, call)), type(ERRORS[fault]()))
    other.device.close()
    program.device.close()
    setattr(backend.faults, call, None)
    all_calls_work(Program(gp.device(backend.name)))


@pytest.mark.parametrize("call", CALLS)
def test_a_device_that_is_lost_at_a_call(program: Program, backend: FakeBackend, call: str) -> None:
    """DeviceLostError then and ever after, in each thread; it closes, another device works meanwhile, and a new one is
    opened under the same name."""
    other = Program(gp.device(register_another().name))
    backend.faults.lost_at = call
    with pytest.raises(gp.DeviceLostError):
        getattr(program, call)()
    backend.faults.lost_at = ""
    for later in CALLS:
        with pytest.raises(gp.DeviceLostError):
            getattr(program, later)()
        assert isinstance(in_thread(getattr(program, later)), gp.DeviceLostError)
    assert repr(program.x)  # shows no elements
    all_calls_work(other)
    other.device.close()
    program.device.close()
    with pytest.raises(gp.ClosedError):
        program.x.numpy()
    all_calls_work(Program(gp.device(backend.name)))


@pytest.mark.parametrize("fault", [*ERRORS, "lost"])
def test_a_close_that_fails(program: Program, backend: FakeBackend, fault: str) -> None:
    """Its error comes out, the device is closed all the same, and a new one works."""
    error = gp.DeviceLostError("gone") if fault == "lost" else ERRORS[fault]()
    backend.faults.close = error
    with pytest.raises(type(error)):
        program.device.close()
    backend.faults.close = None
    for call in ("allocate", "dispatch", "read", "is_done"):
        with pytest.raises(gp.ClosedError):
            getattr(program, call)()
    new = Program(gp.device(backend.name))
    assert new.device is not program.device
    all_calls_work(new)
    kernel, closed = program.kernel, weakref.ref(program.device)
    program.__dict__.clear()
    error.__traceback__ = None
    gc.collect()
    assert kernel is not None
    assert closed() is None, "a kernel keeps what it compiled for a device that is closed"


@pytest.mark.parametrize("call", ["synchronize", "mark", "program"])
def test_work_that_never_ends(program: Program, backend: FakeBackend, call: str) -> None:
    backend.faults.never_done = True
    wait = {"synchronize": program.device.synchronize, "mark": program.device.mark().wait, "program": gp.synchronize}
    with pytest.raises(SynchronizeTimeoutError, match=r"is still busy after 0\.02 seconds"):
        wait[call](timeout=0.02)
    backend.faults.never_done = False
    all_calls_work(program)


def test_memory_held_by_cycles_is_freed_and_the_allocation_made_again(program: Program, backend: FakeBackend) -> None:
    gc.disable()
    try:
        cycle: list[Any] = [gp.zeros(50_000, gp.i32, device=program.device)]
        cycle.append(cycle)
        (held,) = [each for each in driver_of(program.device).buffers if each.nbytes >= 200_000]
        del cycle
        backend.faults.allocate, backend.faults.left = OutOfMemoryError("the fake is full"), 1
        assert program.allocate() == (70_001,)
        assert held.is_released
    finally:
        gc.enable()


@pytest.mark.parametrize("how", ["lost_at", "raises"])
def test_a_program_whose_device_failed_ends_quietly(run_python: Callable[..., Any], how: str) -> None:
    """After each call, in one process each way: exit code 0, and nothing on standard error."""
    code = f"""
        import sys
        sys.path.insert(0, {__file__.rpartition("/")[0]!r})
        from test_faults import CALLS, ERRORS, FakeBackend, Program, register_another
        import gpucore as gp
        for call in [*CALLS, "close"]:
            backend = register_another()
            program = Program(gp.device(backend.name))
            if {how!r} == "lost_at" and call != "close":
                backend.faults.lost_at = call
            else:
                setattr(backend.faults, call, ERRORS["failed"]())
            try:
                getattr(program, call)()
            except gp.DeviceError:
                print(call)
            kept = globals().setdefault("kept", [])
            kept.append(program)
    """
    done = run_python(code)
    assert done.stdout.split() == [*CALLS, "close"]
    assert (done.returncode, done.stderr) == (0, "")


def register_another() -> FakeBackend:
    backend = FakeBackend(f"sound{next(NUMBERS)}", computes=True)
    register_backend(backend)
    return backend


def in_thread(call: Callable[[], Any]) -> BaseException | None:
    """What a call raises in another thread."""
    raised: list[BaseException] = []

    def work() -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 (returned)
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def test_offsets_beyond_32_bits(only_fakes: None) -> None:
    """Memory of the fake takes what is written, so an array may be larger than the machine."""
    last, capabilities = 2**31 - 2, frozenset({gp.Capability.INT64})
    limits = Limits(max_buffer_size=1 << 40, max_binding_size=1 << 40)
    register_backend(FakeBackend("large", limits=limits, capabilities=capabilities))
    device = gp.device("large")
    array = gp.empty(last + 1, gp.u64, device=device)
    for at in (2**28 - 20, 2**28 + 5, 2**29 - 20, 2**29 + 5, 2**30, last):  # bytes around 2**31, 2**32, and beyond
        array[at] = at
        array[at - 10 : at - 7] = np.array([1, 2, 3], np.uint64)
        assert int(array[at]) == at
        assert array[at - 11 : at - 6].numpy().tolist() == [0, 1, 2, 3, 0]
    assert array.nbytes == 8 * (2**31 - 1)
    device.close()
