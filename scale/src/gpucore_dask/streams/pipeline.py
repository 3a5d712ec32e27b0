"""Pieces of a large array on their way through a device, in three buffers of the host.

In one step the files' thread writes piece i-4 and reads piece i, in one buffer; piece i-1 is uploaded from another one,
piece i-3 is downloaded to the third one, and piece i-2, which has no buffer, is computed. Then the buffers change their
parts: from the files to the upload, from there to the download, from there to the files.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore_dask.streams.measures import Measures

Bytes = npt.NDArray[np.uint8]
BUFFERS = 3
_STAGES = 5


class Piece(Protocol):
    """What goes through the device at once. `bytes_in` is what is read and uploaded; `bytes_out` what is downloaded and
    written, 0 if nothing is."""

    bytes_in: int
    bytes_out: int

    def read(self, buffer: Bytes) -> None:
        """Fill the buffer from files."""

    def upload(self, buffer: Bytes) -> Sequence[Any]:
        """Queue copies to the device, and return their marks."""

    def compute(self) -> None:
        """Queue the work."""

    def download(self, buffer: Bytes) -> Any:
        """Queue the copy of the result to the host, and return its mark."""

    def write(self, buffer: Bytes) -> None:
        """Write the result to files."""


def make_buffers(nbytes: int, device: gp.Device) -> list[Bytes]:
    """Buffers that the device copies at its full rate. They are made of words, as no array has 2^31 elements."""
    words = -(-nbytes // np.dtype(np.uint64).itemsize)
    return [gp.empty_pinned(words, np.uint64, device=device).view(np.uint8) for _ in range(BUFFERS)]


def run(pieces: Iterable[Piece], buffers: Sequence[Bytes], device: gp.Device, measures: Measures) -> None:
    """Bring all pieces through the device, in order. What a piece raises ends it; the thread has ended then."""
    upcoming = iter(pieces)
    stages: deque[Piece | None] = deque([None] * _STAGES, maxlen=_STAGES)
    with ThreadPoolExecutor(1, "gpucore-files") as files:
        for step in itertools.count():
            stages.appendleft(next(upcoming, None))
            if all(piece is None for piece in stages):
                return
            reading, uploading, computing, downloading, writing = stages
            at_files, going_up, going_down = (buffers[(step - behind) % BUFFERS] for behind in range(BUFFERS))
            files_are_done = files.submit(_use_files, reading, writing, at_files, measures)
            _use_device((uploading, going_up), computing, (downloading, going_down), device, measures)
            files_are_done.result()


def _use_files(reading: Piece | None, writing: Piece | None, buffer: Bytes, measures: Measures) -> None:
    if writing is not None and writing.bytes_out:
        with measures.of("write", writing.bytes_out):
            writing.write(buffer)
    if reading is not None:
        with measures.of("read", reading.bytes_in):
            reading.read(buffer)


def _use_device(
    uploading: tuple[Piece | None, Bytes], computing: Piece | None, downloading: tuple[Piece | None, Bytes],
    device: gp.Device, measures: Measures,
) -> None:  # fmt: skip
    copies: list[_Copy] = []
    piece, buffer = uploading
    if piece is not None:
        start = time.perf_counter()
        copies.append(_Copy("upload", piece.bytes_in, start, piece.upload(buffer), measures))
    piece, buffer = downloading
    if piece is not None and piece.bytes_out:
        start = time.perf_counter()
        copies.append(_Copy("download", piece.bytes_out, start, [piece.download(buffer)], measures))
    if computing is not None:  # last: on a device with one queue it would hold the copies up
        before = device.mark()
        computing.compute()
        after = device.mark()
    for copy in copies:
        copy.wait()
    if computing is not None:
        measures.add("compute", computing.bytes_in, after.elapsed(before))


class _Copy:
    """A copy under way. It is counted as soon as it is seen to be done: many devices copy before the call returns."""

    def __init__(self, phase: str, nbytes: int, start: float, marks: Sequence[Any], measures: Measures) -> None:
        self._phase, self._nbytes, self._start = phase, nbytes, start
        self._marks, self._measures = marks, measures
        self._is_counted = all(mark.is_done() for mark in marks)
        if self._is_counted:
            self._count()

    def wait(self) -> None:
        """Wait for its end."""
        if not self._is_counted:
            for mark in self._marks:
                mark.wait()
            self._count()

    def _count(self) -> None:
        self._measures.add(self._phase, self._nbytes, time.perf_counter() - self._start)
