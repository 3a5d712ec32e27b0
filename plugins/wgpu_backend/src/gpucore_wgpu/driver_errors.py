"""Converts wgpu's exceptions to gpucore's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import wgpu

from gpucore.plugin import DeviceError, DeviceLostError, DriverCompileError, GpucoreError, OutOfMemoryError, Source

DRIVER_ERRORS = (wgpu.GPUError, RuntimeError, ValueError, TypeError)  # the last two: wgpu-py's argument checks
_LOST = re.compile(r"device (is|was) lost|is destroyed|device .* has been destroyed", re.IGNORECASE)
_NO_MEMORY = re.compile(r"not enough memory|out of memory", re.IGNORECASE)  # wgpu-native calls it a validation error
_PLACE = re.compile(r"(?:wgsl|^\s*┌─ .*?):(\d+):\d+", re.MULTILINE)


@contextmanager
def driver_errors(action: str) -> Iterator[None]:
    """Convert wgpu's exceptions during `action` to a DeviceError that names it, or OutOfMemoryError."""
    try:
        yield
    except GpucoreError:
        raise
    except DRIVER_ERRORS as error:
        raise device_error(action, error) from error


def device_error(action: str, error: Exception) -> DeviceError:
    """The gpucore error for an exception of wgpu."""
    text = str(error).strip()
    if isinstance(error, wgpu.GPUOutOfMemoryError) or _NO_MEMORY.search(text):
        return OutOfMemoryError(f"the device has no memory left to {action}")
    if _LOST.search(text):
        return DeviceLostError(f"the device is lost: it could not {action}; open it again\n{text}")
    return DeviceError(f"the driver refused to {action}\n{text}")


def compile_error(source: Source, error: Exception) -> DriverCompileError:
    """The error for WGSL that naga or the driver rejected.

    For generated text it points to the user's line for the first line number in the log, or to the kernel if there is
    none (drivers' errors have none). A user's own WGSL has no kernel line; the log has its line.
    """
    log = str(error)
    if not any(source.lines):
        return DriverCompileError(
            "GP611",
            f"the WGSL of '{source.entry}' does not compile",
            why="naga or the driver rejected it; the log has the reason",
            fix="correct the text at the line in the log",
            log=log,
        )
    found = _PLACE.search(log)
    line = int(found[1]) - 1 if found else 0
    span = source.lines[line] if line < len(source.lines) else None
    return DriverCompileError(
        "GP611",
        f"the WGSL of kernel '{source.entry}' does not compile",
        span or next(filter(None, source.lines)),
        why="the driver rejected code that gpucore generated; this is a defect of gpucore or of the driver",
        fix="please report it with the log and the kernel",
        log=log,
    )
