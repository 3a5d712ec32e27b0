"""A backend whose driver is the TypeScript runtime in a browser: gpucore's own tests run on it."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from browser import Browser

from gpucore.errors import BackendUnavailableError, ClosedError, DeviceError, DriverCompileError, OutOfMemoryError
from gpucore.ir import Capability, Limits
from gpucore.runtime import Buffer, Device, DeviceInfo, DeviceKind, Mark, Pipeline, ProbeResult, ProbeStatus, Source
from gpucore_wgpu.emit import Generated
from gpucore_wgpu.pages import API
from gpucore_wgpu.plugin import WgpuBackend

_MAX_COMMANDS, _MAX_NBYTES = 200, 8 << 20  # that are kept before they are sent
_GRAIN = 16
_FEATURES = {"shader-f16": Capability.F16, "subgroups": Capability.SUBGROUP}
_drivers = itertools.count(1)


class WebBackend(WgpuBackend):
    """WGSL as for pages."""

    name = "web"
    offline_targets = ()  # pages take no packages

    def __init__(self, browser: Browser) -> None:
        super().__init__()
        self._browser = browser
        self._info = _info(browser.evaluate("window.opened()"))

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (self._info,))

    def open(self, index: int) -> Device:
        if index:
            raise BackendUnavailableError(f"web has no device {index}")
        return WebDevice(self._browser, self._info)


def _info(opened: Mapping[str, Any]) -> DeviceInfo:
    limits = opened["limits"]
    count = limits["maxComputeWorkgroupsPerDimension"]
    sizes = (f"maxComputeWorkgroupSize{axis}" for axis in "XYZ")
    x, y, z = (limits[name] for name in sizes)
    capabilities = frozenset(found for name, found in _FEATURES.items() if name in opened["features"])
    least, greatest = opened["subgroups"] if Capability.SUBGROUP in capabilities else (0, 0)
    return DeviceInfo(
        id="web:0",
        backend="web",
        index=0,
        name=opened["info"]["description"] or "a browser's device",
        kind=DeviceKind.SOFTWARE,
        driver="a browser",
        api=API,
        capabilities=capabilities,
        limits=Limits(
            max_workgroup_size=(x, y, z),
            max_workgroup_invocations=limits["maxComputeInvocationsPerWorkgroup"],
            max_workgroups=(count, count, count),
            max_workgroup_memory=limits["maxComputeWorkgroupStorageSize"],
            max_buffer_size=limits["maxBufferSize"],
            max_binding_size=min(limits["maxStorageBufferBindingSize"], limits["maxBufferSize"]),
            max_buffers=limits["maxStorageBuffersPerShaderStage"],
            min_subgroup_size=least,
            max_subgroup_size=greatest,
            part_alignment=max(16, limits["minStorageBufferOffsetAlignment"]),
        ),
        details=(("timestamps", "host"),),
    )


class _Commands:
    """Commands for the page, which are sent together."""

    def __init__(self, browser: Browser) -> None:
        self.browser, self._driver = browser, next(_drivers)
        browser.evaluate("id => window.openDriver(id)", self._driver)
        self._pending: list[list[Any]] = []
        self._nbytes = 0
        self.is_closed = False

    def put(self, *command: Any, nbytes: int = 0) -> None:
        if self.is_closed:
            raise ClosedError("the device was closed")
        self._pending.append(list(command))
        self._nbytes += nbytes
        if len(self._pending) >= _MAX_COMMANDS or self._nbytes >= _MAX_NBYTES:
            self.flush()

    def flush(self) -> None:
        pending, self._pending, self._nbytes = self._pending, [], 0
        if pending:
            self.browser.evaluate("([id, commands]) => window.perform(id, commands)", [self._driver, pending])

    def ask(self, method: str, *values: Any) -> Any:
        if self.is_closed:
            raise ClosedError("the device was closed")
        self.flush()
        call = [self._driver, method, list(values)]
        return self.browser.evaluate("([id, name, values]) => window.call(id, name, values)", call)

    def close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.browser.evaluate("id => window.closeDriver(id)", self._driver)


class WebBuffer(Buffer):
    """Memory in the page."""

    def __init__(self, commands: _Commands, id: int, nbytes: int) -> None:
        self.commands, self.id, self.nbytes = commands, id, nbytes
        self._is_released = False

    @property
    def placed(self) -> Any:
        if self._is_released:
            raise ClosedError("this buffer was released")
        return self.id

    def write(self, data: memoryview, offset: int = 0) -> None:
        data = data.cast("B")
        self._check(len(data), offset)
        for start in range(0, len(data), _MAX_NBYTES):
            part = bytes(data[start : start + _MAX_NBYTES])
            text = base64.b64encode(part).decode()
            self.commands.put("write", self.placed, offset + start, text, nbytes=len(part))

    def read(self, out: memoryview, offset: int = 0) -> None:
        out = out.cast("B")
        self._check(len(out), offset)
        for start in range(0, len(out), _MAX_NBYTES):
            size = min(_MAX_NBYTES, len(out) - start)
            text = self.commands.ask("read", self.placed, offset + start, size)
            out[start : start + size] = base64.b64decode(text)

    def part(self, offset: int, nbytes: int) -> Buffer:
        return WebPart(self, offset, nbytes)

    def release(self) -> None:
        if not self._is_released and not self.commands.is_closed:
            self.commands.put("release", self.id)
        self._is_released = True

    def _check(self, count: int, offset: int) -> None:
        if offset + count > -(-self.nbytes // _GRAIN) * _GRAIN:
            raise DeviceError(f"{count} bytes from byte {offset} are not in a buffer of {self.nbytes} bytes")


class WebPart(WebBuffer):
    """A part of memory, for dispatches and copies."""

    def __init__(self, buffer: WebBuffer, offset: int, nbytes: int) -> None:
        super().__init__(buffer.commands, buffer.id, nbytes)
        self._buffer, self._offset = buffer, offset

    @property
    def placed(self) -> Any:
        return [self._buffer.placed, self._offset, self.nbytes]


class WebPipeline(Pipeline):
    """A pipeline in the page."""

    def __init__(self, source: Source, id: int) -> None:
        self.source, self.id = source, id
        self.is_released = False

    def release(self) -> None:
        self.is_released = True


class WebMark(Mark):
    """The end of the work that was queued before."""

    polls = 5

    def __init__(self, commands: _Commands, id: int) -> None:
        self._commands, self._id = commands, id
        self.seconds = 0.0
        commands.put("mark", id)
        commands.flush()

    def is_done(self) -> bool:
        answer = self._commands.ask("ask", self._id)
        self.seconds = answer["time"] / 1000
        if answer["error"]:
            raise DeviceError(answer["error"])
        return bool(answer["isDone"])


class WebDevice(Device):
    """The device of the page."""

    def __init__(self, browser: Browser, info: DeviceInfo) -> None:
        self.info = info
        self._commands = _Commands(browser)
        self._ids = itertools.count(1)

    def allocate(self, nbytes: int) -> Buffer:
        if nbytes > self.info.limits.max_buffer_size:
            raise OutOfMemoryError(f"{nbytes} bytes are more than the {self.info.limits.max_buffer_size} of a buffer")
        buffer = WebBuffer(self._commands, next(self._ids), nbytes)
        self._commands.put("allocate", buffer.id, nbytes)
        return buffer

    def compile(self, source: Source) -> Pipeline:
        generated = Generated.of(source)
        described = {
            "text": source.text, "entry": source.entry, "writes": list(source.writes),
            "scalarsNbytes": source.scalars_nbytes,
            "tables": base64.b64encode(generated.tables if generated else b"").decode(),
        }  # fmt: skip
        pipeline = WebPipeline(source, next(self._ids))
        if log := self._commands.ask("compile", pipeline.id, described):
            raise DriverCompileError("GP611", f"the WGSL of '{source.entry}' does not compile", log=log)
        return pipeline

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        assert isinstance(pipeline, WebPipeline)
        if pipeline.is_released:
            raise ClosedError(f"the pipeline of '{pipeline.source.entry}' was released")
        text = base64.b64encode(scalars).decode()
        self._commands.put("dispatch", pipeline.id, _placed(buffers), text, list(workgroups))

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        if source is not target:
            self._commands.put("copy", *_placed([source, target]), nbytes)

    def mark(self) -> Mark:
        return WebMark(self._commands, next(self._ids))

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, WebMark) and isinstance(end, WebMark)
        return end.seconds - start.seconds

    def close(self) -> None:
        self._commands.close()


def _placed(buffers: Sequence[Buffer]) -> list[Any]:
    return [buffer.placed for buffer in buffers if isinstance(buffer, WebBuffer)]
