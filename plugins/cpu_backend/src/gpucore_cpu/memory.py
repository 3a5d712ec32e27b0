"""Memory of the process for buffers and for running kernels, aligned as the generated code expects."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpucore.errors import OutOfMemoryError
from gpucore_cpu.scratch import ALIGN

Bytes = npt.NDArray[np.uint8]


def allocate_aligned(nbytes: int) -> Bytes:
    """Uninitialised bytes at an address that is a multiple of 64. Raises OutOfMemoryError."""
    try:
        memory = np.empty(nbytes + ALIGN, np.uint8)
    except (MemoryError, ValueError) as error:
        raise OutOfMemoryError(f"no memory for {nbytes} bytes") from error
    start = -memory.ctypes.data % ALIGN
    return memory[start : start + nbytes]


class ScratchMemory:
    """Scratch memory of each thread, reused from dispatch to dispatch."""

    def __init__(self) -> None:
        self._memory: dict[int, Bytes] = {}

    def address(self, thread: int, nbytes: int) -> int:
        """The address of at least `nbytes` of memory for the thread with that number."""
        memory = self._memory.get(thread)
        if memory is None or memory.size < nbytes:
            memory = self._memory[thread] = allocate_aligned(max(nbytes, ALIGN))
        return int(memory.ctypes.data)
