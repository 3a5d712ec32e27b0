"""Buffers, and reads from them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import wgpu

from gpucore.errors import ClosedError, DeviceError
from gpucore.runtime import Buffer
from gpucore_wgpu import native
from gpucore_wgpu.driver_errors import driver_errors

if TYPE_CHECKING:
    from gpucore_wgpu.recorder import Recorder

_GRAIN = 16  # sizes are rounded up to this, so that a buffer of scalars may be bound as one of vectors
_CHUNK = 64 << 20  # bytes per transfer; each needs the same amount of staging memory
_NOTED = 64  # bind groups, before those that are no longer kept are looked for
_MAX_PARTS = 64  # of a buffer that are kept with their bind groups
_KEPT_STAGING = 1 << 20  # a staging buffer of this size is kept for small reads

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
        # the caches that hold a bind group with this buffer, and its key there
        self.bind_groups: list[tuple[dict[tuple[int, ...], Any], tuple[int, ...]]] = []
        self._parts: dict[tuple[int, int], WgpuPart] = {}

    @property
    def handle(self) -> Any:
        """The wgpu buffer. Raises ClosedError after the release, or if the device is closed."""
        if self._handle is None or self.recorder.is_discarded:
            raise ClosedError("this buffer was released" if self._handle is None else "its device was closed")
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
        handle, commands = self.handle, self.recorder.commands
        self.recorder.flush_if_used(self)
        data = data.cast("B") if data.format != "B" or data.ndim != 1 else data
        whole = len(data) & ~3
        with driver_errors(f"write {len(data)} bytes"), native.pointer_to(data) as pointer:
            for start in range(0, whole, _CHUNK):
                size = min(_CHUNK, whole - start)
                commands.write(handle, offset + start, pointer + start, size)
                self.recorder.note_staged(size)
            if whole != len(data):
                commands.write(handle, offset + whole, bytes(data[whole:]).ljust(4, b"\0"), 4)
                self.recorder.note_staged(4)

    def read(self, out: memoryview, offset: int = 0) -> None:
        handle = self.handle
        out = out.cast("B") if out.format != "B" or out.ndim != 1 else out
        if offset + len(out) > padded(self.nbytes):
            raise DeviceError(f"cannot read {len(out)} bytes from byte {offset} of a buffer of {self.nbytes} bytes")
        with driver_errors(f"read {len(out)} bytes"):
            for start in range(0, len(out), _CHUNK):
                self.recorder.reader.read(handle, offset + start, out[start : start + _CHUNK])

    def release(self) -> None:
        if self._handle is None:
            return
        if not self.recorder.is_discarded:
            self.recorder.flush_if_used(self)
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


class Reader:
    """Copies buffers to the host through staging memory."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._kept: Any = None

    def read(self, handle: Any, offset: int, out: memoryview) -> None:
        """Fill `out` from byte `offset` of a buffer, after all work submitted or recorded so far.

        Copies are of whole words: the last one may extend into the padding of the buffer.
        """
        if not len(out):
            return
        before = offset % 4
        size = -(-(before + len(out)) // 4) * 4
        staging, self._kept = self._staging(size), None
        recorder = self._recorder
        recorder.commands.copy(handle, offset - before, staging, 0, size)
        recorder.flush()
        mapping = native.Mapping(staging, size)
        try:
            recorder.wait(mapping)
            out[:] = memoryview(mapping.view())[before : before + len(out)]
            mapping.unmap()
        except BaseException:  # it may still be about to be mapped
            staging.destroy()
            raise
        if staging.size == _KEPT_STAGING:
            self._kept = staging
        else:
            staging.destroy()

    def release(self) -> None:
        """Free the staging buffer kept between reads."""
        if self._kept is not None:
            self._kept.destroy()
            self._kept = None

    def _staging(self, size: int) -> Any:
        if size <= _KEPT_STAGING and self._kept is not None:
            return self._kept
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        return self._recorder.device.create_buffer(size=max(size, _KEPT_STAGING), usage=usage)
