"""Memory of this process, and the environment of others."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from pathlib import Path

from gpucore.testing.checks import check

_STATM = Path("/proc/self/statm")
_WAITS = 5
_PATIENCE = 10.0
"""Seconds. Drivers may end contexts seconds after they were released."""


ONE_HEAP = {"MALLOC_ARENA_MAX": "1"}
"""Variables of a process in which glibc has one heap. It has one for each thread of a time otherwise, each with holes,
which its statistics and its names of mappings leave out."""


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


def settled_bytes() -> int | None:
    """The least of resident_bytes(), until they have not fallen for half a second, or for ten seconds."""
    least = resident_bytes()
    if least is None:
        return None
    deadline, waits = time.monotonic() + _PATIENCE, 0
    while waits < _WAITS and time.monotonic() < deadline:
        time.sleep(0.1)
        now = resident_bytes() or 0
        waits = waits + 1 if now >= least else 0
        least = min(least, now)
    return least


def environment_of_child() -> dict[str, str]:
    """Variables with which a new process of this interpreter finds the same modules."""
    path = os.pathsep.join(str(entry) or os.getcwd() for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path}
