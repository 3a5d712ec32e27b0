"""Memory of this process, and the environment of others."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from pathlib import Path

from gpucore.testing.checks import check

_STATM = Path("/proc/self/statm")
_PATIENCE = 10.0
"""Seconds. NVIDIA's OpenCL driver ends contexts seconds after they were released."""


def resident_bytes() -> int | None:
    """Bytes of resident memory of this process, or None if the system does not report it (other than Linux).

    glibc first gives back what has been freed: between allocations that stay it keeps hundreds of MB of a driver's.
    """
    if not _STATM.exists():
        return None
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
    return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def check_growth(before: int | None, allowed: int) -> None:
    """Fail unless this process has grown by less than `allowed` bytes since its resident_bytes() were `before`.

    What a driver frees within ten seconds counts as freed.
    """
    if before is None:
        return
    deadline = time.monotonic() + _PATIENCE
    while (grown := (resident_bytes() or 0) - before) >= allowed:
        check(time.monotonic() < deadline, f"the process grew by {grown >> 20} MiB")
        time.sleep(0.1)


def environment_of_child() -> dict[str, str]:
    """Variables with which a new process of this interpreter finds the same modules."""
    path = os.pathsep.join(str(entry) or os.getcwd() for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path}
