"""What a device of wgpu gets: each dispatch with its text and all bytes before and after it."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from gpucore.ir import Capability, ValidModule
from gpucore.runtime import Buffer, Device, DeviceInfo, Pipeline, Source
from gpucore_wgpu.emit import SLOT, Generated
from gpucore_wgpu.plugin import WgpuBackend

MOST_BYTES = 1 << 20  # of the buffers of a dispatch that is kept
MOST_INVOCATIONS = 1 << 16
MOST_OF_ONE_TEXT = 30  # dispatches, the first ones
FLAGS_BYTES = 64


@dataclass(frozen=True)
class Kernel:
    """A generated text, and what kernels need of a device to get it."""

    name: str
    text: str
    entry: str
    workgroup_size: tuple[int, int, int]
    needs: frozenset[Capability]


@dataclass(frozen=True)
class Dispatch:
    """One run of a kernel: every binding in its order, and what the device made of the buffers."""

    kernel: Kernel
    scalars: bytes
    workgroups: tuple[int, int, int]
    before: tuple[bytes, ...]  # of the buffers alone
    after: tuple[bytes, ...]
    checks_loops: bool
    tables: bytes

    @property
    def bindings(self) -> list[tuple[str, bytes]]:
        """Kind ("storage" or "uniform") and bytes of every binding."""
        found = [("storage", data) for data in self.before]
        if self.scalars:
            found.append(("uniform", _padded(self.scalars)))
        if self.checks_loops:
            found.append(("storage", bytes(FLAGS_BYTES)))
        if self.tables:
            found.append(("uniform", self.tables))
        return found


class Log:
    """The kernels that were emitted, by their text, and the dispatches that were kept."""

    def __init__(self) -> None:
        self.kernels: dict[str, Kernel] = {}
        self.dispatches: list[Dispatch] = []
        self.left_out = 0  # because of their size
        self._counts: dict[str, int] = {}
        self._known: set[Dispatch] = set()

    def wants(self, source: Source, buffers: Sequence[Buffer], workgroups: tuple[int, int, int]) -> bool:
        """Whether a dispatch is to be kept, as far as is known before it runs."""
        kernel = self.kernels.get(source.text)
        if kernel is None or self._counts.get(kernel.text, 0) >= MOST_OF_ONE_TEXT:
            return False
        x, y, z = (size * count for size, count in zip(source.workgroup_size, workgroups, strict=True))
        is_small = sum(buffer.nbytes for buffer in buffers) <= MOST_BYTES and x * y * z <= MOST_INVOCATIONS
        self.left_out += not is_small
        return is_small

    def add(self, dispatch: Dispatch) -> None:
        """Keep a dispatch, unless one with the same bytes was kept."""
        if dispatch not in self._known:
            text = dispatch.kernel.text
            self._counts[text] = self._counts.get(text, 0) + 1
            self._known.add(dispatch)
            self.dispatches.append(dispatch)


@contextmanager
def recorded() -> Iterator[Log]:
    """Keep what devices of wgpu emit and dispatch in the block."""
    log = Log()
    with pytest.MonkeyPatch.context() as patch:
        _record_kernels(patch, log)
        _record_dispatches(patch, log)
        yield log


def _record_kernels(patch: pytest.MonkeyPatch, log: Log) -> None:
    emit = WgpuBackend.emit

    def recording(self: WgpuBackend, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        source = emit(self, module, device)
        log.kernels[source.text] = kernel_of(module, source)
        return source

    patch.setattr(WgpuBackend, "emit", recording)


def _record_dispatches(patch: pytest.MonkeyPatch, log: Log) -> None:
    device_class = importlib.import_module("gpucore_wgpu.device").WgpuDevice  # loads the driver
    run = device_class.dispatch
    one_at_a_time = threading.Lock()  # behaviours of several threads would change what another has just read

    def recording(
        self: Device,
        pipeline: Pipeline,
        buffers: Sequence[Buffer],
        scalars: bytes,
        workgroups: tuple[int, int, int],
    ) -> None:
        source = pipeline.source
        with one_at_a_time:
            if not log.wants(source, buffers, workgroups):
                run(self, pipeline, buffers, scalars, workgroups)
                return
            before = tuple(map(_content, buffers))
            run(self, pipeline, buffers, scalars, workgroups)
            after = tuple(map(_content, buffers))
            generated = Generated.of(source)
            assert generated is not None
            kernel = log.kernels[source.text]
            log.add(
                Dispatch(kernel, bytes(scalars), workgroups, before, after, generated.checks_loops, generated.tables)
            )

    patch.setattr(device_class, "dispatch", recording)


def kernel_of(module: ValidModule, source: Source) -> Kernel:
    """A kernel as it was emitted, with the index of its truncation flag as a constant: naga's writers of other
    languages take no pipeline constants."""
    text = source.text.replace(f"override {SLOT}: u32;", f"const {SLOT}: u32 = 1u;")
    return Kernel(module.module.name, text, source.entry, source.workgroup_size, frozenset(module.needs))


def _content(buffer: Any) -> bytes:
    """The bytes of a buffer of wgpu, or of a part of one."""
    data = bytearray(buffer.nbytes)
    buffer.memory.read(memoryview(data), buffer.offset)
    return bytes(data)


def _padded(data: bytes) -> bytes:
    return data.ljust(-(-len(data) // 16) * 16, b"\0")
