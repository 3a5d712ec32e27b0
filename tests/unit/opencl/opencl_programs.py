"""Programs written in OpenCL C, for tests of what a device does with queues."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.runtime.protocol import Buffer, Source
from gpucore_opencl.plugin import OpenCLBackend

LONG = 100_000_000  # steps: some tenths of a second
_TEXT = """
__kernel void add(__global uint* x, uint n) { x[get_global_id(0)] += n; }
__kernel void advance(__global uint* x, uint n) {
    uint v = x[get_global_id(0)];
    for (uint i = 0; i < n; i++) v = v * 1664525u + 1013904223u;
    x[get_global_id(0)] = v;
}
"""


class Programs:
    """`add` adds a number to each element; `advance` does so many steps of a sequence, one after the other."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self._pipelines = {
            entry: device.compile(Source("opencl", _TEXT, entry, (1, 1, 1), (True,), 4)) for entry in ("add", "advance")
        }

    def run(self, entry: str, buffer: Buffer, n: int, count: int = 1) -> None:
        """Queue a program for so many elements."""
        self.device.dispatch(self._pipelines[entry], [buffer], np.uint32(n).tobytes(), (count, 1, 1))


def stepped(value: int, steps: int) -> int:
    """What `advance` makes of a value."""
    factor, term = 1664525, 1013904223  # of one step; those of 2, 4, 8 ... follow
    while steps:
        if steps & 1:
            value = (value * factor + term) % 2**32
        factor, term = factor * factor % 2**32, (factor * term + term) % 2**32
        steps >>= 1
    return value


def words_of(buffer: Buffer, count: int) -> list[int]:
    """The first elements of a buffer, after the work of the selected queue."""
    out = np.zeros(count, np.uint32)
    buffer.read(memoryview(out).cast("B"))
    return [int(word) for word in out]


def buffer_of(device: Any, *words: int) -> Buffer:
    """A new buffer of these elements."""
    made = device.allocate(4 * len(words))
    made.write(memoryview(np.array(words, np.uint32)).cast("B"))
    return made


def open_device() -> Any:
    """A device that the caller closes."""
    return OpenCLBackend().open(0)
