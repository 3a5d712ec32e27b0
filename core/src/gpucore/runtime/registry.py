"""The registry of this process's open devices: one backend Device for each device id.

Each is wrapped in an `OpenDevice`, which removes itself on close and raises in a forked child, where a driver's threads
do not exist and its locks may be held: the first call could hang.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from gpucore.errors import BackendUnavailableError, ClosedError, ForkedProcessError, GpucoreError
from gpucore.runtime import log
from gpucore.runtime.forks import ADVICE, check_usable, note_use
from gpucore.runtime.interrupts import HeldBack
from gpucore.runtime.protocol import (
    Backend,
    Buffer,
    Device,
    DeviceInfo,
    Launcher,
    Mark,
    Pipeline,
    Recording,
    Source,
    Step,
    uses_of,
)
from gpucore.runtime.root_cause import describe_cause
from gpucore.runtime.select import Decision, choose, decide, replace_choice


class Recorder(Protocol):
    """What keeps dispatches and copies, as `gpucore.graphs` does."""

    def is_recording(self) -> bool: ...

    def dispatch(
        self, run: Callable[..., None], pipeline: Pipeline, buffers: Sequence[Buffer], /, *rest: Any
    ) -> None: ...

    def copy(self, run: Callable[..., None], source: Buffer, target: Buffer, nbytes: int, /) -> None: ...


class Profiler(Protocol):
    """What runs and measures dispatches and copies, as `gpucore.profile` does. The caller holds the device's lock."""

    def dispatch(
        self, run: Callable[..., None], pipeline: Pipeline, buffers: Sequence[Buffer], /, *rest: Any
    ) -> None: ...

    def copy(self, run: Callable[..., None], source: Buffer, target: Buffer, nbytes: int, /) -> None: ...

    def write(self, run: Callable[..., object], data: memoryview, offset: int, /) -> None:
        """A copy from the host. If `run` returns False, nothing was queued."""

    def read(self, run: Callable[..., object], out: memoryview, offset: int, /) -> None:
        """A copy to the host, likewise."""

    def is_done(self, mark: Mark, /) -> bool:
        """Whether a mark of core is done. Raises also what a mark of the profiler was the first to find."""

    def end(self) -> None:
        """Wait for the work, and measure no more: the device is closed."""


class QueueOrder(Protocol):
    """What keeps the order between queues, as `gpucore.streams` does."""

    @property
    def queue(self) -> int: ...

    def select(self) -> None: ...

    def use(self, read: Sequence[Buffer], written: Sequence[Buffer], /) -> None: ...

    def join(self) -> None: ...

    def put_barrier(self) -> None: ...

    def end(self) -> None: ...


class OpenDevice(Device):
    """A backend's device, with two checks before each call: not closed, not in a forked child.

    Buffers and pipelines are not wrapped: call `check()` before using one directly.
    """

    is_plain = True
    """Dispatches go to the backend at once: neither refused, nor recorded, nor measured, nor in one of several
    queues."""

    def __init__(self, device: Device, backend: Backend) -> None:
        self.info: DeviceInfo = device.info
        self.memory_space, self.stream, self.queues = device.memory_space, device.stream, device.queues
        self.idle_polls = device.idle_polls
        self.backend = backend
        self._device = device
        self._refusal: type[GpucoreError] | None = None
        self._graph: Recorder | None = None
        self._profiler: Profiler | None = None
        self.order_of_queues: QueueOrder | None = None  # while several are in use

    @property
    def plugin_device(self) -> Device:
        """The backend's device itself, for core's own kinds of devices."""
        return self._device

    @property
    def graph(self) -> Recorder | None:
        """What keeps dispatches and copies of its thread instead of running them."""
        return self._graph

    @graph.setter
    def graph(self, graph: Recorder | None) -> None:
        self._graph = graph
        self._update()

    @property
    def profiler(self) -> Profiler | None:
        """What runs and measures dispatches and copies."""
        return self._profiler

    @profiler.setter
    def profiler(self, profiler: Profiler | None) -> None:
        self._profiler = profiler
        self._update()

    def _update(self) -> None:
        watched = self._refusal or self._graph or self._profiler or self.order_of_queues
        self.is_plain = watched is None

    @property
    def is_usable(self) -> bool:
        """False once closed, and in a forked child. Do not use objects of a device that is not usable."""
        return self._refusal is None

    def check(self) -> None:
        """Raise ClosedError after close(), ForkedProcessError in a child forked after the device was opened."""
        if self._refusal is ForkedProcessError:
            raise ForkedProcessError(
                f"{self.info.id} was opened before this process was forked, which drivers do not support; {ADVICE}"
            )
        if self._refusal is not None:
            raise self._refusal(f"{self.info.id} is closed; gp.device({self.info.id!r}) opens it again")

    def allocate(self, nbytes: int) -> Buffer:
        if self._refusal:
            self.check()
        with HeldBack():
            return self._device.allocate(nbytes)

    def compile(self, source: Source) -> Pipeline:
        if self._refusal:
            self.check()
        with HeldBack():
            return self._device.compile(source)

    def load(self, source: Source, binary: bytes) -> Pipeline:
        if self._refusal:
            self.check()
        with HeldBack():
            return self._device.load(source, binary)

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        watcher = None if self.is_plain else self._watcher()
        if self.order_of_queues is not None and (watcher is None or watcher is self._profiler):
            uses = uses_of(pipeline, buffers)
            self.before([buffer for buffer, is_written in uses if not is_written],
                        [buffer for buffer, is_written in uses if is_written])  # fmt: skip
        if watcher is None:
            self._device.dispatch(pipeline, buffers, scalars, workgroups)
        else:  # what a graph keeps is run by this method, so that a profiler sees it
            run = self._device.dispatch if watcher is self._profiler else self.dispatch
            watcher.dispatch(run, pipeline, buffers, scalars, workgroups)

    def launcher(self, pipeline: Pipeline, nbytes: int) -> Launcher | None:
        """What the backend returns. It may be used as long as `is_plain`."""
        self.check()
        return self._device.launcher(pipeline, nbytes)

    def record(self, steps: Sequence[Step]) -> Recording | None:
        self.check()
        with HeldBack():
            return self._device.record(steps)

    def replay(self, recording: Recording, steps: Sequence[Step], buffers: Sequence[Sequence[Buffer]]) -> bool:
        """Run a recording of steps with these buffers, if nothing watches each of them; return whether it did. While
        `is_plain`, it may be run at once."""
        self.check()
        if self._graph is not None or self._profiler is not None:
            return False
        pairs = [pair for step, each in zip(steps, buffers, strict=True) for pair in step.uses(each)]
        self.before([buffer for buffer, is_written in pairs if not is_written],
                    [buffer for buffer, is_written in pairs if is_written])  # fmt: skip
        recording.run(buffers)
        return True

    def pinned(self, nbytes: int) -> memoryview | None:
        self.check()
        with HeldBack():
            return self._device.pinned(nbytes)

    def select(self, queue: int) -> None:
        self.check()
        self._device.select(queue)

    def order(self, mark: Mark) -> None:
        self.check()
        self._device.order(mark)

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        watcher = None if self.is_plain else self._watcher()
        if self.order_of_queues is not None and (watcher is None or watcher is self._profiler):
            self.before([source], [target])
        if watcher is None:
            self._device.copy(source, target, nbytes)
        else:
            watcher.copy(self._device.copy if watcher is self._profiler else self.copy, source, target, nbytes)

    def write(self, buffer: Buffer, data: memoryview, offset: int) -> None:
        """Call `buffer.write`."""
        self.check()
        self.before([], [buffer])
        if self._profiler is None:
            buffer.write(data, offset)
        else:
            self._profiler.write(buffer.write, data, offset)

    def read(self, buffer: Buffer, out: memoryview, offset: int) -> None:
        """Call `buffer.read`."""
        self.check()
        self.before([buffer], [])
        if self._profiler is None:
            buffer.read(out, offset)
        else:
            self._profiler.read(buffer.read, out, offset)

    def start_copy(self, start: Callable[..., bool], host: memoryview, offset: int, *, inward: bool) -> bool:
        """Call `Buffer.start_write` or `Buffer.start_read`."""
        if self._profiler is None:
            return start(host, offset)
        answers: list[bool] = []

        def run(*arguments: Any) -> bool:
            answers.append(start(*arguments))
            return answers[0]

        (self._profiler.write if inward else self._profiler.read)(run, host, offset)
        return answers[0]

    def before(self, read: Sequence[Buffer], written: Sequence[Buffer]) -> None:
        """Called before work that uses buffers is queued in other ways than by this object."""
        if self.order_of_queues is not None:
            self.order_of_queues.use(read, written)

    def begin_queues(self, make: Callable[[Device], QueueOrder]) -> QueueOrder:
        """Keep an order between several queues from now on, unless one is kept already."""
        self.check()
        if self.order_of_queues is None:
            self.order_of_queues = make(self._device)
            self._update()
        return self.order_of_queues

    def end_queues(self) -> None:
        """Use only the first queue from now on. All work is done."""
        if self.order_of_queues is not None:
            self.order_of_queues.end()
            self.order_of_queues = None
            self._update()

    def _watcher(self) -> Recorder | Profiler | None:
        """What deals with the work of this thread in the place of the device. Raises what `check` raises."""
        self.check()
        return self._graph if self._graph is not None and self._graph.is_recording() else self._profiler

    def adopt(self, address: int, nbytes: int) -> Buffer:
        self.check()
        with HeldBack():
            return self._device.adopt(address, nbytes)

    def wait_for_stream(self, stream: int) -> None:
        self.check()
        if self.order_of_queues is not None:
            self.order_of_queues.select()
        self._device.wait_for_stream(stream)

    def block_stream(self, stream: int) -> None:
        self.check()
        if self.order_of_queues is not None:
            self.order_of_queues.join()
        self._device.block_stream(stream)

    def mark_before_write(self, nbytes: int) -> Mark | None:
        if self._refusal:
            self.check()
        if self.order_of_queues is not None:
            self.order_of_queues.select()
        return self._device.mark_before_write(nbytes)

    def mark(self) -> Mark:
        if self._refusal:
            self.check()
        if self.order_of_queues is not None:
            self.order_of_queues.select()
        return self._device.mark()

    def fence(self) -> Mark:
        if self._refusal:
            self.check()
        if self.order_of_queues is not None:
            self.order_of_queues.select()
        return self._device.fence()

    def is_idle(self) -> bool:
        if self._refusal:
            self.check()
        return self._device.is_idle()

    def elapsed(self, start: Mark, end: Mark) -> float:
        if self._refusal:
            self.check()
        return self._device.elapsed(start, end)

    def close(self) -> None:
        """Close the backend's device and forget it; the next `open_device` opens another. A second call, and one in a
        forked child, does nothing."""
        is_first = False
        try:
            with _lock:
                if is_first := self._refusal is None:
                    self._refusal = ClosedError
                    self._update()
                    if _open.get(self.info.id) is self:  # which a device that was opened apart is not
                        del _open[self.info.id]
        finally:  # also if Ctrl-C comes: nobody else could close it
            if is_first:
                self._device.close()

    def disable_after_fork(self) -> None:
        """Raise at all further use, because this process is a forked child of the one that opened the device."""
        self._refusal = ForkedProcessError
        self._update()


EXIT_SECONDS = 30.0
"""How long drivers may take to close their devices when the interpreter ends, and kernels whose reports are due."""
_STANDARD_ERROR = 2

_open: dict[str, OpenDevice] = {}
_disabled: list[OpenDevice] = []  # kept alive: destroying a driver's objects in a forked child can hang it
_lock = threading.Lock()  # for the dictionaries; never held during a call of a driver
_opening: dict[str, threading.Lock] = {}


def open_device(choice: str | DeviceInfo | Decision | None = None) -> OpenDevice:
    """The device that `choice` selects (see `select.choose`), opened if it is not open yet.

    Concurrent threads get the same object for the same device. If a device of automatic choice cannot be opened, the
    next best one is opened, with a FallbackWarning. Raises what `choose` raises, BackendUnavailableError if a requested
    device cannot be opened, and ForkedProcessError in a child that was forked after the driver had been used.
    """
    decision = choice if isinstance(choice, Decision) else choose(choice)
    while True:
        try:
            return _open_decided(decision)
        except BackendUnavailableError as error:
            if not decision.is_automatic:
                raise
            decision = decide(replace_choice(decision, str(error)))


def _open_decided(decision: Decision) -> OpenDevice:
    key = decision.info.id
    with _lock:
        if found := _open.get(key):
            return found
        opening = _opening.setdefault(key, threading.Lock())
    with opening:
        with _lock:
            if found := _open.get(key):
                return found
        with HeldBack():  # in a call back of a driver it would be lost; a device that is not registered stays open
            opened = OpenDevice(_open_backend(decision), decision.backend)
            with _lock:
                _open[key] = opened
            # Registered after the driver's own clean-up, so that it runs before it at exit.
            atexit.unregister(_close_at_exit)
            atexit.register(_close_at_exit)
        log.debug(f"opened {key} ({decision.info.name}), {decision.why}")
        return opened


def open_devices() -> list[OpenDevice]:
    """The open devices, in order of opening."""
    with _lock:
        return list(_open.values())


def close_all() -> None:
    """Close every open device. Failures are logged, and do not prevent closing the others."""
    for device in open_devices():
        try:
            device.close()
        except Exception as error:  # noqa: BLE001 (at exit there is no caller to handle it)
            log.debug(f"closing {device.info.id} failed: {describe_cause(error)}")


def _close_at_exit() -> None:
    """Close every open device. A driver that does not come back, as from a kernel without end, does not keep the
    process: faulthandler says where it is, and ends the process with status 1."""
    faulthandler.dump_traceback_later(EXIT_SECONDS, exit=True, file=_STANDARD_ERROR)
    try:
        close_all()
    finally:
        faulthandler.cancel_dump_traceback_later()


def _open_backend(decision: Decision) -> Device:
    name = decision.info.id
    check_usable(decision.backend, name)
    note_use(decision.backend)
    try:
        device: object = decision.backend.open(decision.info.index)
    except GpucoreError:
        raise
    except Exception as error:
        reason = describe_cause(error)
        raise BackendUnavailableError(f"{name} was found, but cannot be opened: {reason}") from error
    if not isinstance(device, Device):
        raise BackendUnavailableError(f"{name}: its backend opened a {type(device).__name__}, which is not a Device")
    if device.info.id != name:
        raise BackendUnavailableError(f"{name}: its backend opened {device.info.id!r} instead")
    return device


def _disable_in_child() -> None:
    global _lock
    _lock = threading.Lock()
    _opening.clear()
    _disabled.extend(_open.values())
    _open.clear()
    for device in _disabled:
        device.disable_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disable_in_child)
