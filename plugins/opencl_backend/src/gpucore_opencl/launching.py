"""Launches without an event, which pyopencl always asks for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

Launch = Callable[[ctypes.c_void_p, ctypes.c_void_p, Any, Any], int]
"""Queues a kernel: the queue, the kernel, three global, three local sizes. Returns the driver's status, 0 if well."""


def launcher(pyopencl: Any) -> Launch | None:
    """The function of the driver that pyopencl has loaded; None where it cannot be found, as on Windows."""
    try:
        enqueue = ctypes.CDLL(pyopencl._cl.__file__).clEnqueueNDRangeKernel
    except (OSError, AttributeError):
        return None
    dimensions, none = ctypes.c_uint(3), ctypes.c_uint(0)

    def launch(queue: ctypes.c_void_p, kernel: ctypes.c_void_p, sizes: Any, workgroup_size: Any) -> int:
        return int(enqueue(queue, kernel, dimensions, None, sizes, workgroup_size, none, None, None))

    return launch
