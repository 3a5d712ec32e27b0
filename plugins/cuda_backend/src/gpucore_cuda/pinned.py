"""Page-locked host memory, which the device copies at the full rate of the bus, without the host."""

from __future__ import annotations

import ctypes
import mmap
import weakref
from collections import deque
from typing import Any

import numpy as np


class Pinned:
    """The pinned memory of one device that users hold. When the device is closed it stays theirs, and is not pinned any
    more: so it is the system's memory, which the driver locks, and none of the driver's own."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self._memory: dict[int, mmap.mmap] = {}  # by address
        self._dropped: deque[int] = deque()  # unlocked at the next call: a finalizer must not call the driver

    def allocate(self, nbytes: int) -> Any:
        """Memory that is freed after the last view of it is gone."""
        while self._dropped:
            address = self._dropped.popleft()
            self._driver.unlock_memory(address)
            del self._memory[address]
        memory = mmap.mmap(-1, nbytes)
        shown = (ctypes.c_char * nbytes).from_buffer(memory)
        address = ctypes.addressof(shown)
        self._driver.lock_memory(address, nbytes)
        self._memory[address] = memory
        weakref.finalize(shown, self._dropped.append, address).atexit = False
        return shown

    def has(self, data: memoryview) -> bool:
        """Whether all bytes are in such memory."""
        if not self._memory:
            return False
        first = int(np.frombuffer(data, np.uint8).ctypes.data)
        spans = ((address, address + len(memory)) for address, memory in self._memory.items())
        return any(begin <= first and first + data.nbytes <= end for begin, end in spans)

    def close(self) -> None:
        """Unlock all, with the device's context current."""
        for address in self._memory:
            self._driver.unlock_memory(address)
        self._memory.clear()
        self._dropped.clear()
