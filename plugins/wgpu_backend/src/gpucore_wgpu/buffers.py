"""Buffers and parts of buffers."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import wgpu

from gpucore.plugin import Buffer, ClosedError, DeviceError
from gpucore_wgpu.driver_errors import driver_errors

if TYPE_CHECKING:
    from gpucore_wgpu.recorder import Recorder

_GRAIN = 16  # sizes are rounded up to this, so that a buffer of scalars may be bound as one of vectors
_NOTED = 64  # bind groups, before those that are no longer kept are looked for
_MAX_PARTS = 64  # of a buffer that are kept with their bind groups

USAGE = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST

_serials = itertools.count(1)


class WgpuBuffer(Buffer):
    """A storage buffer. `serial` identifies it, even after its release."""

    offset = 0  # of a part
    _most_noted = _NOTED

    def __init__(self, recorder: Recorder, nbytes: int) -> None:
        """`nbytes` > 0. Raises OutOfMemoryError."""
        self.nbytes = nbytes
        self.serial = next(_serials)
        self.recorder = recorder
        with driver_errors(f"allocate {nbytes} bytes"):
            self._handle: Any = recorder.device.create_buffer(size=padded(nbytes), usage=USAGE)
        recorder.owned.add(self)
        # the caches that hold a bind group with this buffer, and its key there
        self.bind_groups: list[tuple[dict[tuple[int, ...], Any], tuple[int, ...]]] = []
        self._parts: dict[tuple[int, int], WgpuPart] = {}

    @property
    def handle(self) -> Any:
        """The wgpu buffer. Raises ClosedError after the release, or if the device is closed."""
        if self._handle is None:
            raise ClosedError("its device was closed" if self.recorder.is_discarded else "this buffer was released")
        return self._handle

    @property
    def memory(self) -> WgpuBuffer:
        """The buffer that has the memory: of a part, the whole."""
        return self

    def part(self, offset: int, nbytes: int) -> WgpuPart:
        size = min(padded(nbytes), padded(self.nbytes) - offset)
        found = self._parts.get((offset, size))
        if found is None:
            while len(self._parts) >= _MAX_PARTS:
                self._parts.pop(next(iter(self._parts))).forget_bind_groups()
            found = self._parts[offset, size] = WgpuPart(self, offset, size)
        return found

    def note_bind_group(self, groups: dict[tuple[int, ...], Any], key: tuple[int, ...]) -> None:
        """A bind group with this buffer is kept in `groups` under `key`."""
        if len(self.bind_groups) >= self._most_noted:
            self.bind_groups = [noted for noted in self.bind_groups if noted[1] in noted[0]]
            self._most_noted = max(_NOTED, 2 * len(self.bind_groups))
        self.bind_groups.append((groups, key))

    def forget_bind_groups(self) -> None:
        """Drop the bind groups with this buffer."""
        for groups, key in self.bind_groups:
            groups.pop(key, None)
        self.bind_groups.clear()

    def write(self, data: memoryview, offset: int = 0) -> None:
        data = _as_bytes(data)
        self._check_range("write", len(data), offset)
        if offset % 4:
            raise DeviceError(f"cannot write {len(data)} bytes to byte {offset}, which is no multiple of 4")
        with driver_errors(f"write {len(data)} bytes"):
            self.recorder.write(self, offset, data)

    def read(self, out: memoryview, offset: int = 0) -> None:
        handle, out = self.handle, _as_bytes(out)
        self._check_range("read", len(out), offset)
        with driver_errors(f"read {len(out)} bytes"):
            self.recorder.downloads.read(handle, offset, out)

    def expect_read(self, nbytes: int, offset: int = 0) -> None:
        handle = self.handle
        self._check_range("read", nbytes, offset)
        with driver_errors(f"read {nbytes} bytes"):
            self.recorder.downloads.expect(handle, offset, nbytes)

    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        handle, out = self.handle, _as_bytes(out)
        self._check_range("read", len(out), offset)
        with driver_errors(f"read {len(out)} bytes"):
            return self.recorder.downloads.start(handle, offset, out)

    def _check_range(self, action: str, count: int, offset: int) -> None:
        """Raise before anything is recorded: an error of the driver would be one of all that is pending."""
        if offset + count > padded(self.nbytes):
            raise DeviceError(f"cannot {action} {count} bytes from byte {offset} of a buffer of {self.nbytes} bytes")

    def release(self) -> None:
        if self._handle is None:
            return
        if not self.recorder.is_discarded:
            self.recorder.flush_if_used(self._handle)
        handle, self._handle = self._handle, None
        self.forget_bind_groups()
        self._parts.clear()
        handle.destroy()


class WgpuPart(WgpuBuffer):
    """A part of a buffer. It stays usable when its buffer has forgotten it."""

    def __init__(self, whole: WgpuBuffer, offset: int, nbytes: int) -> None:
        self.nbytes, self.offset = nbytes, offset
        self.serial = next(_serials)
        self.recorder = whole.recorder
        self.bind_groups = []
        self._whole = whole

    @property
    def handle(self) -> Any:
        return self._whole.handle

    @property
    def memory(self) -> WgpuBuffer:
        return self._whole

    def note_bind_group(self, groups: dict[tuple[int, ...], Any], key: tuple[int, ...]) -> None:
        super().note_bind_group(groups, key)
        self._whole.note_bind_group(groups, key)


def padded(nbytes: int) -> int:
    """The actual size of a buffer of `nbytes`."""
    return -(-nbytes // _GRAIN) * _GRAIN


def _as_bytes(data: memoryview) -> memoryview:
    return data.cast("B") if data.format != "B" or data.ndim != 1 else data
