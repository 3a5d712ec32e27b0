"""A backend that implements the whole backend interface over bytearrays, and breaks it on demand.

A pipeline runs `Source.payload`, a callable `(buffers: list[bytearray], scalars, workgroups)`, at once. `emit` gives
none, since a fake has no language: a dispatch of such a pipeline only counts. The simulator runs the kernel of
`gpucore doctor`, which looks at its results, and all kernels of a backend that `computes`.

`Faults` says what goes wrong: each field is an exception to raise at that call, or what its comment says.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpucore.errors import BackendUnavailableError, ClosedError, DeviceLostError, DriverCompileError, OutOfMemoryError
from gpucore.ir import Capability, Limits, ValidModule, print_module
from gpucore.runtime import (
    Backend,
    Buffer,
    Device,
    DeviceInfo,
    DeviceKind,
    Mark,
    Pipeline,
    ProbeResult,
    ProbeStatus,
    Source,
)
from gpucore.simulator.plugin import SimulatorBackend

PAGE = 1 << 16
MEMORY = 1 << 50
CHECK_KERNEL = "write_sequence"  # of `gpucore doctor`


@dataclass
class Faults:
    """What goes wrong. Nothing by default."""

    probe: BaseException | None = None
    probe_answer: object = None  # returned by probe() instead of a result, when `has_probe_answer`
    has_probe_answer: bool = False
    probe_sleep: float = 0.0  # seconds
    probe_signal: int = 0  # the process kills itself with it
    probe_exit: int | None = None  # os._exit code
    probe_output: str = ""  # written to stdout and stderr, as drivers do
    open: BaseException | None = None
    open_sleep: float = 0.0
    allocate: BaseException | None = None
    compile: BaseException | None = None
    dispatch: BaseException | None = None
    read: BaseException | None = None
    write: BaseException | None = None
    copy: BaseException | None = None
    mark: BaseException | None = None
    is_done: BaseException | None = None
    elapsed: BaseException | None = None
    close: BaseException | None = None
    left: int | None = None  # how often these are raised; None: always
    lost: bool = False  # every call on the device raises DeviceLostError
    lost_at: str = ""  # the call at which a device is lost: it and all later ones of that device raise DeviceLostError
    never_done: bool = False  # marks are never reached


class FakeBuffer(Buffer):
    """Pages made when first written: a buffer may be far larger than the memory. Unwritten bytes are 0."""

    def __init__(self, device: FakeDevice, nbytes: int) -> None:
        self.nbytes = nbytes
        self.is_released = False
        self._device = device
        self._pages: dict[int, bytearray] = {}

    def write(self, data: memoryview, offset: int = 0) -> None:
        self._device.fail("write")
        self.put(data, offset)

    def read(self, out: memoryview, offset: int = 0) -> None:
        self._device.fail("read")
        self.take(out, offset)

    def put(self, data: memoryview, offset: int = 0) -> None:
        """What `write` does, and dispatches and copies."""
        self._check(offset, data.nbytes)
        source = data.cast("B")
        for page, start, low, high in _pieces(offset, data.nbytes):
            self._pages.setdefault(page, bytearray(PAGE))[low:high] = source[start : start + high - low]

    def take(self, out: memoryview, offset: int = 0) -> None:
        """What `read` does, and dispatches and copies."""
        self._check(offset, out.nbytes)
        target = out.cast("B")
        for page, start, low, high in _pieces(offset, out.nbytes):
            target[start : start + high - low] = self._pages.get(page, bytes(PAGE))[low:high]

    def release(self) -> None:
        self.is_released = True
        self._pages.clear()
        self._device.buffers.discard(self)

    def _check(self, offset: int, nbytes: int) -> None:
        if self.is_released:
            raise ClosedError("the fake buffer is released")
        assert 0 <= offset <= offset + nbytes <= self.nbytes, "core let an access out of range pass"


class FakePipeline(Pipeline):
    def __init__(self, source: Source) -> None:
        self.source = source
        self.is_released = False

    def release(self) -> None:
        self.is_released = True


class FakeMark(Mark):
    def __init__(self, device: FakeDevice) -> None:
        self._device = device
        self.time = time.perf_counter()

    def is_done(self) -> bool:
        self._device.fail("is_done")
        return not self._device.faults.never_done


class FakeDevice(Device):
    def __init__(self, info: DeviceInfo, faults: Faults, calls: list[str], computes: bool = False) -> None:
        self.info, self.faults, self.calls, self.computes = info, faults, calls, computes
        self.is_closed = self.is_lost = False
        self.buffers: set[FakeBuffer] = set()  # that are not released

    def allocate(self, nbytes: int) -> Buffer:
        self.fail("allocate")
        assert nbytes > 0, "core asked for an empty buffer"
        if nbytes >= MEMORY:
            raise OutOfMemoryError(f"the fake has no memory for a buffer of {nbytes} bytes")
        buffer = FakeBuffer(self, nbytes)
        self.buffers.add(buffer)
        return buffer

    def compile(self, source: Source) -> Pipeline:
        self.fail("compile")
        if source.language != "fake":
            raise DriverCompileError("GP900", f"the fake does not read {source.language}")
        if self.computes and source.payload is None:
            raise DriverCompileError("GP900", "the fake computes what its own emitter made")
        return FakePipeline(source)

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        self.fail("dispatch")
        assert min(workgroups) >= 1 and len(buffers) == len(pipeline.source.writes)
        run: Any = pipeline.source.payload
        if run is None:
            return
        contents = [bytearray(buffer.nbytes) for buffer in buffers]
        for buffer, content in zip(buffers, contents, strict=True):
            buffer.take(memoryview(content))
        run(contents, scalars, workgroups)
        for buffer, content, written in zip(buffers, contents, pipeline.source.writes, strict=True):
            if written:
                buffer.put(memoryview(content))

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.fail("copy")
        assert isinstance(source, FakeBuffer) and isinstance(target, FakeBuffer)
        content = memoryview(bytearray(nbytes))
        source.take(content)
        target.put(content)

    def mark(self) -> Mark:
        self.fail("mark")
        return FakeMark(self)

    def elapsed(self, start: Mark, end: Mark) -> float:
        self.fail("elapsed")
        assert isinstance(start, FakeMark) and isinstance(end, FakeMark)
        return end.time - start.time

    def close(self) -> None:
        self.calls.append("close")
        self.is_closed = True
        if self.faults.close is not None:
            raise self.faults.close

    def fail(self, call: str) -> None:
        """Count a call, and raise what it is meant to raise."""
        self.calls.append(call)
        if self.is_closed:
            raise ClosedError("the fake device is closed")
        self.is_lost = self.is_lost or call == self.faults.lost_at
        if self.faults.lost or self.is_lost:
            raise DeviceLostError("the fake device is lost")
        if (error := getattr(self.faults, call, None)) is not None and self.faults.left != 0:
            self.faults.left = None if self.faults.left is None else self.faults.left - 1
            raise error


@dataclass
class FakeBackend(Backend):
    """A backend with one device for each of `kinds`."""

    name: str = "fake"
    kinds: tuple[DeviceKind, ...] = (DeviceKind.GPU,)
    priority: int = 50
    language: str = "fake"
    capabilities: frozenset[Capability] = frozenset({Capability.F64})
    hint: str = ""
    unavailable: ProbeStatus | None = None  # the status that probe answers instead
    reason: str = ""
    api: str = ""  # the middle part of ids
    faults: Faults = field(default_factory=Faults)
    calls: list[str] = field(default_factory=list)  # every call of the backend and its devices
    on_probe: Callable[[], None] | None = None
    survives_fork: bool = False
    settings: frozenset[str] | None = None
    compiles: bool = True
    computes: bool = False  # dispatches do what the kernel says
    limits: Limits = field(default_factory=Limits)

    def probe(self) -> ProbeResult:
        self.calls.append("probe")
        self._misbehave()
        if self.faults.has_probe_answer:
            return self.faults.probe_answer  # type: ignore[return-value]
        if self.unavailable is not None:
            return ProbeResult(self.unavailable, reason=self.reason)
        return ProbeResult(ProbeStatus.AVAILABLE, tuple(self.info(index) for index in range(len(self.kinds))))

    def info(self, index: int) -> DeviceInfo:
        """What a probe says of one device."""
        middle = f"{self.api}:" if self.api else ""
        return DeviceInfo(
            f"{self.name}:{middle}{index}", self.name, index, f"Fake {index}", self.kinds[index], "fake driver 1.0",
            api=self.api, capabilities=self.capabilities, limits=self.limits, details=(("timestamps", "host"),),
            compiles=self.compiles,
        )  # fmt: skip

    def open(self, index: int) -> Device:
        self.calls.append("open")
        time.sleep(self.faults.open_sleep)
        if self.faults.open is not None:
            raise self.faults.open
        if not 0 <= index < len(self.kinds):
            raise BackendUnavailableError(f"there is no {self.name}:{index}")
        return FakeDevice(self.info(index), self.faults, self.calls, self.computes)

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        self.calls.append("emit")
        if self.computes:
            return replace(SimulatorBackend().emit(module), language="fake", payload=run_on_simulator(module))
        writes = tuple(index in module.written_buffers for index in range(len(module.module.buffers)))
        text = print_module(module.module)
        run = run_on_simulator(module) if module.module.name == CHECK_KERNEL else None
        name, size = module.module.name, module.module.workgroup_size
        return Source("fake", text, name, size, writes, module.scalars_nbytes, payload=run)

    def _misbehave(self) -> None:
        faults = self.faults
        if faults.probe_output:
            print(faults.probe_output, flush=True)
            print(faults.probe_output, file=sys.stderr, flush=True)
            os.write(1, faults.probe_output.encode())
        if self.on_probe is not None:
            self.on_probe()
        time.sleep(faults.probe_sleep)
        if faults.probe_signal:
            signal.signal(faults.probe_signal, signal.SIG_DFL) if faults.probe_signal != signal.SIGKILL else None
            os.kill(os.getpid(), faults.probe_signal)
        if faults.probe_exit is not None:
            os._exit(faults.probe_exit)
        if faults.probe is not None:
            raise faults.probe


def run_on_simulator(module: ValidModule) -> Callable[[list[bytearray], bytes, tuple[int, int, int]], None]:
    """A payload that does what the kernel says."""
    simulator = SimulatorBackend()
    device = simulator.open(0)
    pipeline = device.compile(simulator.emit(module))

    def run(contents: list[bytearray], scalars: bytes, workgroups: tuple[int, int, int]) -> None:
        buffers = [device.allocate(len(content)) for content in contents]
        for buffer, content in zip(buffers, contents, strict=True):
            buffer.write(memoryview(content))
        device.dispatch(pipeline, buffers, scalars, workgroups)
        for buffer, content in zip(buffers, contents, strict=True):
            buffer.read(memoryview(content))

    return run


def _pieces(offset: int, nbytes: int) -> list[tuple[int, int, int, int]]:
    """(page, start in the data, low and high in the page) of a stretch of bytes."""
    pieces = []
    start = 0
    while start < nbytes:
        page, low = divmod(offset + start, PAGE)
        high = min(PAGE, low + nbytes - start)
        pieces.append((page, start, low, high))
        start += high - low
    return pieces
