"""Backends that hang, or end the process. Importing this module registers them, in the kit's child process.

Each is correct but for one call; test_isolation.py has the behaviours that meet it.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from mutant_backends import Grid, WrappedBackend, WrappedBuffer, WrappedDevice, with_buffers

import gpucore as gp
from gpucore.runtime import Buffer, Device, Mark, Pipeline, Source

_LONG = 600.0


def _hang(*_: Any) -> Any:
    time.sleep(_LONG)


def _hang_in_c(*_: Any) -> Any:
    """In C code that keeps Python's lock: no thread of Python runs."""
    ctypes.PyDLL(None).sleep(int(_LONG))


def _abort(*_: Any) -> Any:
    os.abort()


def _crash(*_: Any) -> Any:
    ctypes.string_at(0)


def _exit(*_: Any) -> Any:
    os.write(2, b"the driver gives up\n")
    os._exit(3)


def _assert(*given: Any) -> Any:
    assert not given


def _leave(*_: Any) -> Any:
    raise SystemExit("the driver leaves")


def _device(**calls: Callable[..., Any]) -> type[WrappedDevice]:
    return type("Fatal", (WrappedDevice,), calls)


def _buffer(**calls: Callable[..., Any]) -> type[WrappedDevice]:
    return with_buffers(type("FatalBuffer", (WrappedBuffer,), calls))


class _MarksHang(WrappedDevice):
    def mark(self) -> Mark:
        return _mark(_hang)


class _MarksAreNeverDone(WrappedDevice):
    def mark(self) -> Mark:
        return _mark(lambda _: False)


def _mark(is_done: Callable[..., bool]) -> Mark:
    made: Mark = type("FatalMark", (Mark,), {"is_done": is_done})()
    return made


class _AbortsInThird(WrappedDevice):
    """The third dispatch ends the process."""

    count: ClassVar[list[int]] = []

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        self.count.append(1)
        if len(self.count) == 3:
            os.abort()
        super().dispatch(pipeline, buffers, scalars, workgroups)


class _Prints(WrappedDevice):
    """Correct: it prints more than a pipe holds, to both outputs."""

    def compile(self, source: Source) -> Pipeline:
        for descriptor in (1, 2):
            os.write(descriptor, b"compiling, as drivers say\n" * 20_000)
        return super().compile(source)


class _HangsInOpen(WrappedBackend):
    def open(self, index: int) -> Device:
        return _hang()  # type: ignore[no-any-return]


class _AbortsInOpen(WrappedBackend):
    def open(self, index: int) -> Device:
        return _abort()  # type: ignore[no-any-return]


class _HangsInEmit(WrappedBackend):
    def emit(self, *_: Any) -> Source:
        return _hang()  # type: ignore[no-any-return]


DEVICES: dict[str, type[WrappedDevice]] = {
    "hangs_in_dispatch": _device(dispatch=_hang),
    "hangs_in_c_in_copy": _device(copy=_hang_in_c),
    "hangs_in_mark": _MarksHang,
    "marks_never_done": _MarksAreNeverDone,
    "hangs_in_read": _buffer(read=_hang),
    "hangs_in_release": _buffer(release=_hang),
    "hangs_in_close": _device(close=_hang),
    "aborts_in_compile": _device(compile=_abort),
    "aborts_in_third_dispatch": _AbortsInThird,
    "crashes_in_dispatch": _device(dispatch=_crash),
    "crashes_in_elapsed": _device(elapsed=_crash),
    "asserts_in_elapsed": _device(elapsed=_assert),
    "exits_in_write": _buffer(write=_exit),
    "leaves_in_allocate": _device(allocate=_leave),
    "prints_much": _Prints,
}
BACKENDS: dict[str, type[WrappedBackend]] = {
    "hangs_in_emit": _HangsInEmit,
    "hangs_in_open": _HangsInOpen,
    "aborts_in_open": _AbortsInOpen,
}

for _name, _class in DEVICES.items():
    gp.register_backend(WrappedBackend(_name, _class))
for _name, _backend in BACKENDS.items():
    gp.register_backend(_backend(_name))
