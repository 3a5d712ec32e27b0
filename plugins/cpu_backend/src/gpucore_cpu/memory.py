"""Memory of the process for buffers and for running kernels, aligned as the generated code expects."""

from __future__ import annotations

import ctypes

import numpy as np
import numpy.typing as npt

from gpucore.plugin import OutOfMemoryError
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


def memory_at(address: int, nbytes: int) -> Bytes:
    """Memory of the process that something else owns."""
    return np.frombuffer(memoryview((ctypes.c_uint8 * nbytes).from_address(address)), np.uint8)


class ScratchMemory:
    """Scratch memory of each thread, reused from dispatch to dispatch."""

    def __init__(self, num_threads: int) -> None:
        self.addresses = (ctypes.c_void_p * num_threads)()  # by the number of the thread
        self._memory: list[Bytes | None] = [None] * num_threads
        self._nbytes = [-1] * num_threads

    def address(self, thread: int, nbytes: int) -> int:
        """The address of at least `nbytes` of memory for the thread with that number."""
        if self._nbytes[thread] < nbytes:
            memory = self._memory[thread] = allocate_aligned(max(nbytes, ALIGN))
            self._nbytes[thread] = memory.size
            self.addresses[thread] = memory.ctypes.data
        return self.addresses[thread] or 0
