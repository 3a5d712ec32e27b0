"""A pool of freed buffers, reused for arrays of the same size. (Drivers take up to a millisecond to allocate.)

The queue of a device is in order, so a buffer can be reused while work on it is still queued: the work of the next
owner is queued after it.
"""

from __future__ import annotations

import functools
from collections import OrderedDict

from gpucore.runtime.interrupts import HeldBack
from gpucore.runtime.protocol import Buffer

_MAX_BYTES = 1 << 30
_MOST_BYTES = 9 << 29  # 4.5 GiB: other processes use the device, too
_STEPS = 8  # buffer sizes for each power of two


@functools.lru_cache(maxsize=1024)
def rounded_size(nbytes: int) -> int:
    """The size to allocate for `nbytes`: at most an eighth more, so that arrays of similar sizes share buffers."""
    step = max(256, 1 << max(0, (nbytes - 1).bit_length() - 1) >> (_STEPS.bit_length() - 1))
    return -(-nbytes // step) * step


class Pool:
    """The free buffers of one device. Beyond 1 GiB in total, the oldest are released; on a device with memory of its
    own beyond `multiple` times the largest of them, up to 4.5 GiB, so that a loop over large arrays allocates nothing.
    """

    def __init__(self, multiple: int = 0) -> None:
        self._free: OrderedDict[int, list[Buffer]] = OrderedDict()
        self._multiple, self._most = multiple, _MAX_BYTES
        self.nbytes = 0

    def take(self, size: int) -> Buffer | None:
        """A free buffer of exactly `size` bytes, if there is one."""
        buffers = self._free.get(size)
        if not buffers:
            return None
        self.nbytes -= size
        return buffers.pop()

    def give(self, buffer: Buffer) -> None:
        """Keep a buffer that is no longer used, or release it if it is larger than the pool."""
        nbytes = buffer.nbytes
        buffers = self._free.get(nbytes)
        if buffers is None:
            self._most = max(self._most, min(self._multiple * nbytes, _MOST_BYTES))
            if nbytes > self._most:
                with HeldBack():
                    buffer.release()
                return
            buffers = self._free[nbytes] = []
        buffers.append(buffer)
        self._free.move_to_end(nbytes)
        self.nbytes += nbytes
        while self.nbytes > self._most:
            self._drop_oldest()

    def clear(self) -> None:
        """Release all buffers."""
        while self._free:
            self._drop_oldest()
        self._most = _MAX_BYTES

    def _drop_oldest(self) -> None:
        size, buffers = next(iter(self._free.items()))
        if buffers:
            with HeldBack():
                buffers.pop(0).release()
                self.nbytes -= size
        else:
            del self._free[size]
