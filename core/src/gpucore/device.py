"""The user's view of devices: properties, waiting, timing. Each device is opened once per process."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
import threading
import time
import weakref
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable, Sequence
from typing import Any, NoReturn, Protocol

from gpucore import observer
from gpucore.diagnostics import Diagnostics, Reporting, Shape
from gpucore.errors import ArgumentError, DeviceError, DeviceLostError, KernelError, OutOfMemoryError
from gpucore.graphs import Recordable
from gpucore.host import host_only
from gpucore.ir import Capability, Limits, MatrixUnit, matrix_unit
from gpucore.ordering import Ordering
from gpucore.pool import Pool, rounded_size
from gpucore.runtime import log, registry
from gpucore.runtime.interrupts import HeldBack
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.protocol import Backend, Buffer, DeviceInfo, DeviceKind, Mark, Pipeline
from gpucore.runtime.registry import OpenDevice, open_device
from gpucore.runtime.root_cause import describe_cause
from gpucore.runtime.select import Decision, choose, preference
from gpucore.streams import Streaming
from gpucore.types import ElementDType, tile_element
from gpucore.waiting import WRITE_STEP, Waiting

_GLIMPSE_PAUSE = 50e-6
_GLIMPSE_PATIENCE = 2e-3
_KEPT = 8  # times the largest free buffer that a GPU keeps: an algorithm's temporary arrays are as large as its own
_MAX_UNREAD = 64  # dispatches with unread reports, each of which holds a buffer
_MAX_UNREAD_NBYTES = 256 << 20  # of these buffers


class CloseListener(Protocol):
    """An object that keeps resources of a device, such as compiled kernels."""

    def forget_device(self, device: Device) -> None:
        """Drop the resources: the device is closed."""


@host_only
class Device(Waiting, Ordering, Recordable, Streaming):
    """An open device. Get one with `gp.device("cuda:0")` or `gp.default_device()`; do not construct it.

    `with gp.device("cuda:0") as device:` closes it at the end of the block. ClosedError if it is used after that.
    """

    def __init__(self, driver_device: OpenDevice) -> None:
        self._info = driver_device.info
        limits = self._info.limits
        self._max_nbytes, self._max_bound = limits.max_buffer_size, limits.max_binding_size
        self._driver_device = driver_device
        self.lock = threading.RLock()
        self.recording = threading.RLock()  # held while the library records for itself
        self._garbage: deque[Buffer] = deque()
        self._dropped: deque[Pipeline] = deque()
        self.held: dict[Buffer, int] = {}
        """The memory of arrays, and their bytes in it. The garbage collector must not finalize what is reused."""
        self._owners: dict[Buffer, Any] = {}  # of adopted memory
        self._returning: deque[tuple[Mark, Any]] = deque()  # owners, and the work after which they may be dropped
        self._close_listeners: weakref.WeakSet[CloseListener] = weakref.WeakSet()
        self._graph = None  # that is recorded
        self._next_stream = self._in_streams = 0
        self.sequences: OrderedDict[Hashable, Any] = OrderedDict()  # what the library has recorded for itself
        self.plans: Any = None  # of its calls
        self.shapes: Any = None  # of its algorithms' kernels, see `gpucore.algorithms.shapes`
        self._kept, self._parked, self._dropped_graphs = Counter(), set(), deque()
        self.waiting = self._garbage, self._dropped, self._returning, self._dropped_graphs  # always the same
        self._pool = Pool(_KEPT if self.kind is DeviceKind.GPU else 0)
        self._diagnostics = Diagnostics(self._pool.give)

    def __repr__(self) -> str:
        return f"<gpucore device {self.id}: {self.info.name}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an open device cannot be pickled: pickle its .id, and open it with gp.device(...)")

    @property
    def info(self) -> DeviceInfo:
        """All its properties, as the backend reports them."""
        return self._info

    @property
    def backend(self) -> Backend:
        """The backend that opened the device."""
        return self._driver_device.backend

    @property
    def driver_device(self) -> OpenDevice:
        """The backend's device."""
        return self._driver_device

    @property
    def id(self) -> str:
        """Its id: "cuda:0", "wgpu:vulkan:0"."""
        return self.info.id

    @property
    def name(self) -> str:
        """The name of the adapter."""
        return self.info.name

    @property
    def kind(self) -> DeviceKind:
        """What it is: a GPU, an integrated GPU, a CPU, or software."""
        return self.info.kind

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The optional features that this device has."""
        return self.info.capabilities

    @property
    def limits(self) -> Limits:
        """Sizes and numbers that kernels and arrays cannot exceed."""
        return self.info.limits

    def supports(self, capability: Capability | str) -> bool:
        """Whether the device has a capability, given as a member of gp.Capability or by its value ("f64"). Raises
        ValueError for another text."""
        return Capability(capability) in self.info.capabilities

    def matrix(self, dtype: ElementDType, precision: str = "highest") -> MatrixUnit | None:
        """What the device's units for products of matrices multiply, of tiles of a dtype; None if it has none. f32 has
        units for a `precision` of "high" and "fast" alone. Raises ArgumentError for what is neither."""
        return matrix_unit(self.info.capabilities, self.info.limits, tile_element(dtype), precision)

    # ---------------------------------------------------------------- for arrays and kernels

    def allocate(self, nbytes: int) -> Buffer:
        """A buffer of at least `nbytes`, a free one if there is one. If memory is short, free garbage and try again."""
        size = rounded_size(nbytes)
        with self.lock:
            found = self._take_dropped(size) if self._garbage else None
            if found is None:
                if self._garbage or self._dropped or self._returning or self._dropped_graphs:
                    self.collect_garbage()
                found = self._pool.take(size)
            if found is not None:
                found.forget()
                return found
        if nbytes > self._max_nbytes:
            raise ArgumentError(
                f"an array of {nbytes} bytes is larger than the largest buffer of {self.id} ({self._max_nbytes} "
                "bytes); split the array, or choose another device"
            )
        try:
            return self._try_allocate(nbytes)
        except OutOfMemoryError:
            self.free_memory()
            return self._try_allocate(nbytes)

    def _take_dropped(self, size: int) -> Buffer | None:
        """The buffer dropped first, if it has exactly `size` bytes and no other use, without the pool. Locked."""
        buffer = self._garbage[0]
        is_simple = buffer.nbytes == size and not (buffer.is_adopted or buffer.is_exported or self._kept)
        if not (is_simple and self._driver_device.is_usable):
            return None
        self._garbage.popleft()
        self.held.pop(buffer, None)
        self._diagnostics.forget_buffer(buffer)
        return buffer

    def free_memory(self) -> None:
        """Wait for all work, and give the memory that no array has any more back to the driver."""
        gc.collect()
        self._finish()
        with self.lock:
            self.collect_garbage()
            self._pool.clear()

    def _try_allocate(self, nbytes: int) -> Buffer:
        # Rounding up must not exceed the binding limit: a kernel could not bind the buffer.
        size = rounded_size(nbytes)
        if size > self._max_bound:
            size = max(nbytes, min(size, self._max_bound if nbytes <= self._max_bound else self._max_nbytes))
        with self.lock:
            self.collect_garbage()
            found = self._pool.take(size)
            if found is None:
                return self.driver_device.allocate(size)
            found.forget()
            return found

    def adopt(self, address: int, nbytes: int, owner: Any) -> Buffer:
        """A buffer in memory of another library, in the device's memory space. `owner` is kept until no queued work
        needs it."""
        with self.lock:
            self.collect_garbage()
            buffer = self.driver_device.adopt(address, nbytes)
            buffer.is_adopted = True
            self._owners[buffer] = owner
            self.driver_device.before([], [buffer])  # its library's work, which this thread's queue waits for
            return buffer

    def export(self, buffer: Buffer) -> None:
        """Note that other libraries know the memory of a buffer from now on."""
        with self.lock:
            buffer.is_exported = True
            self.driver_device.before([], [buffer])

    def dispatch_reporting(
        self, reporting: Reporting, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes,
        workgroups: tuple[int, int, int], shapes: Sequence[Shape],
    ) -> None:  # fmt: skip
        """Queue a kernel in debug mode, with an extra buffer for its reports. The caller holds the lock.

        `shapes` are those of the arrays whose stores are marked, one for each of `reporting.planes`.
        """
        self.refuse_while_recording("a kernel in debug mode")
        if len(self._diagnostics) >= _MAX_UNREAD or self._diagnostics.nbytes >= _MAX_UNREAD_NBYTES:
            self._finish()
        layout = reporting.lay_out(shapes, self.limits.max_binding_size)
        records = self.allocate(layout.nbytes)
        try:
            self.driver_device.before([], [records])
            for offset, data in layout.initial():
                records.write(data, offset)
            self.driver_device.dispatch(pipeline, [*buffers, records], scalars, workgroups)
        except BaseException:
            self._pool.give(records)
            raise
        self._diagnostics.add(reporting, records, layout, [buffer.whole or buffer for buffer in buffers])

    def read(self, buffer: Buffer, out: memoryview, offset: int = 0) -> None:
        """Fill `out` from a buffer, after all queued work."""
        self.refuse_while_recording("a wait for results")
        with self.lock:
            self.driver_device.check()
            self.driver_device.before([buffer], [])
            buffer.expect_read(out.nbytes, offset)
        if not self._in_streams or self._diagnostics:
            self._finish()
        else:  # for the work in this thread's queue, and what it depends on
            self.wait(self._fence())
        self._raise_failure(buffer)
        with self.lock:
            self.driver_device.read(buffer, out, offset)

    def peek(self, buffer: Buffer, out: memoryview, offset: int = 0) -> bool:
        """Fill `out` from a buffer if the queued work ends within 2 ms; otherwise return False. Raises no failure of a
        kernel."""
        if self._graph is not None and self._graph.is_recording():
            return False
        with self.lock:
            self.driver_device.check()
            self.driver_device.before([buffer], [])
            buffer.expect_read(out.nbytes, offset)
            mark, deadline = self.driver_device.fence(), time.monotonic() + _GLIMPSE_PATIENCE
            while not mark.is_done():
                if time.monotonic() > deadline:
                    return False
                mark.pause(_GLIMPSE_PAUSE)
            self.driver_device.read(buffer, out, offset)
            return True

    def write(self, buffer: Buffer, data: memoryview, offset: int = 0) -> None:
        """Copy contiguous bytes into a buffer, in queue order. Waits if the device has too many writes pending."""
        if self._graph is not None and self._graph.is_recording():
            with self.lock:
                self._graph.write(buffer, data, offset)
            return
        while data.nbytes:
            written = self._write_some(buffer, data, offset)
            if isinstance(written, int):
                data, offset = data[written:], offset + written
            else:
                self.wait(written)
            del written  # a mark can keep the host memory of an earlier write

    def _write_some(self, buffer: Buffer, data: memoryview, offset: int) -> int | Mark:
        """The number of bytes written (all, if the device accepts them), or the mark to wait for before writing."""
        with self.lock:
            self.driver_device.check()
            step = data.nbytes
            mark = self.driver_device.mark_before_write(step)
            if mark is not None and step > WRITE_STEP:
                step = WRITE_STEP
                mark = self.driver_device.mark_before_write(step)
            if mark is not None:
                return mark
            self.driver_device.write(buffer, data[:step], offset)
            return step

    def keep_until(self, mark: Any, owner: object) -> None:
        """Keep an object until the work before a mark (of `device.mark()`) is done. The caller holds the lock."""
        self._returning.append((mark._mark, owner))

    def discard(self, buffer: Buffer) -> None:
        """Free later. Called by finalizers, which run at any point in any thread and must not call a driver."""
        self._garbage.append(buffer)

    def discard_pipeline(self, pipeline: Pipeline) -> None:
        """Release later, as `discard` does."""
        self._dropped.append(pipeline)

    def add_close_listener(self, listener: CloseListener) -> None:
        """Call the listener's `forget_device` when this device is closed. The listener is referenced weakly."""
        with self.lock:
            self._close_listeners.add(listener)

    def collect_garbage(self) -> None:
        """Release pipelines, and return buffers to the pool, that finalizers queued. The caller holds the lock."""
        if not self._driver_device.is_usable:
            return
        if self._dropped_graphs:
            self.forget_dropped_graphs()
        while self._dropped:
            with HeldBack():
                pipeline = self._dropped.popleft()
                if pipeline in self._kept:
                    self._parked.add(pipeline)
                else:
                    pipeline.release()
        garbage, kept, held, give = self._garbage, self._kept, self.held, self._pool.give
        while garbage:
            buffer = garbage.popleft()
            held.pop(buffer, None)
            if kept and buffer in kept:
                self._parked.add(buffer)
                continue
            self._diagnostics.forget_buffer(buffer)
            if buffer.is_adopted:
                self._join_streams()
                self._returning.append((self.driver_device.fence(), self._owners.pop(buffer)))
            if buffer.is_adopted or buffer.is_exported:  # release waits for streams of others
                buffer.release()
            else:
                give(buffer)
        while self._returning:
            mark, _owner = self._returning[0]
            try:
                if not mark.is_done():
                    break
            except DeviceError:  # raised once: the work has ended
                self._returning.popleft()
                raise
            self._returning.popleft()

    def close(self) -> None:
        """Close the device. Arrays on it are lost; the next `gp.device` with the id opens it again.

        Raises KernelError, after closing, for a failure of a kernel in debug mode that was not raised before.
        """
        error = self.last_report()
        try:
            with self.lock:
                self._close_locked()
        finally:  # also if the driver fails, or Ctrl-C comes: kernels would keep what they compiled for the device
            for listener in [*self._close_listeners]:
                listener.forget_device(self)
            _forget(self)
        if error is not None:
            raise error

    def _close_locked(self) -> None:
        try:
            if self.driver_device.is_usable:
                if self.driver_device.profiler is not None:
                    self.driver_device.profiler.end()
                with contextlib.suppress(DeviceLostError):  # that is known: a lost device is closed to open another one
                    self.collect_garbage()
                self._pool.clear()
        finally:
            try:
                self.driver_device.close()
            finally:
                self.sequences.clear()
                self.plans = None
                self._garbage.clear()
                self.held.clear()
                self._dropped.clear()
                # What others see of adopted memory keeps its array, which keeps this device.
                self._owners = {buffer: owner for buffer, owner in self._owners.items() if buffer.is_exported}
                self._returning.clear()

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def last_report(self, timeout: float | None = None) -> KernelError | None:
        """Print the output of kernels, and return their first failure. Called before the device is closed."""
        if not self.driver_device.is_usable or not self._diagnostics.has_unraised:
            return None
        try:
            self.synchronize(timeout)
        except KernelError as error:
            return error
        except DeviceError as error:
            log.debug(f"reports of {self.id} are lost: {describe_cause(error)}")
        return None


_open: dict[str, Device] = {}
_open_lock = threading.Lock()
_found: dict[Hashable, tuple[int, Device]] = {}  # by what `device` goes by: the state of the plugins, and its answer


def _renew_locks() -> None:
    """Replace the locks in a forked child: the threads that held them do not exist there."""
    global _open_lock
    _open_lock = threading.Lock()
    for each in _open.values():
        each.lock, each.recording = threading.RLock(), threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


@host_only
def device(which: str | DeviceInfo | Device | None = None) -> Device:
    """Open the device that `which` names: a backend ("cuda", its best device), a device ("cuda:0", "wgpu:vulkan:0"), or
    "gpu", the best GPU; without it, that of `gp.default_device()`. It is opened once, and stays open until `close`.

    Raises BackendUnavailableError, with all reasons, if the device cannot be used: no other device is used instead.
    ArgumentError for text that is not a device name.
    """
    if isinstance(which, Device):
        if not which._driver_device.is_plain:
            which.driver_device.check()
        return which
    if which is not None and type(which) is not str:
        return _open_chosen(choose(which))
    key = preference() if which is None else which
    generation, found = _found.get(key, (None, None))
    if found is None or generation != TABLE.generation or not found._driver_device.is_plain:
        generation = TABLE.generation
        found = _open_chosen(choose(which))
        _found[key] = generation, found
    return found


@host_only
def default_device() -> Device:
    """The device of calls without `device=`: that of `gp.use`, else of `gp.set_default_device`, else of the environment
    variable GPUCORE_BACKEND, else of the config file, else the best one found: GPUs first, then integrated GPUs, CPUs,
    and the simulator last. Opens it.

    A FallbackWarning says why the best one is no GPU although a plugin for GPUs is installed. Raises
    BackendUnavailableError if a device that was named cannot be used, NoDeviceError if there is no suitable one,
    BackendError for a wrong environment variable or config file.
    """
    return device(None)


def open_devices() -> list[Device]:
    """The devices that are open, in order of opening."""
    with _open_lock:
        return list(_open.values())


@host_only
def synchronize(timeout: float | None = None) -> None:
    """Wait until all queued work of every open device has ended, as `Device.synchronize` of each does, and raise what
    it raises. `timeout` is in seconds, for each device."""
    for each in open_devices():
        each.synchronize(timeout)


def _open_chosen(decision: Decision) -> Device:
    driver_device = open_device(decision)
    with _open_lock:
        found = _open.get(driver_device.info.id)
        is_new = found is None or found.driver_device is not driver_device
        if found is None or is_new:
            found = _open[driver_device.info.id] = Device(driver_device)
            # Registered after the registry's handler that closes devices, so that it runs before it.
            atexit.unregister(_report_at_exit)
            atexit.register(_report_at_exit)
    if is_new and observer.current is not None:
        observer.current.opened(found)
    return found


def _report_at_exit() -> None:
    """Print the reports of kernels that the program did not wait for."""
    for each in list(_open.values()):
        if (error := each.last_report(registry.EXIT_SECONDS)) is not None:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)


def _forget(closed: Device) -> None:
    with _open_lock:
        if _open.get(closed.id) is closed:
            del _open[closed.id]
        for key in [key for key, (_, found) in [*_found.items()] if found is closed]:
            _found.pop(key, None)  # which would keep it
