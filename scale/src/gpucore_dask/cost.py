"""The cost model: what a sort and a product take on P workers, from a few rates. Formulas, no measurements.

With N bytes and n elements of a sort on P workers, in p chunks; S keys a second that one device sorts; D bytes a second
of a device's link, B of a worker's network; t seconds of the scheduler for each task:

    sort      compute  2 n / (P S)               runs, and buckets
              link     4 N / (P D)               each goes up and down
              network  (1 - 1/P) N / (P B) + 0.2 N / (P B)    the exchange; tails of buckets, at worst
              host     3 N / (P H)               parts, buckets and output chunks are copied, H bytes a second
              engine   t (p^2 + 7p + 2) by tasks, t (13p + 2) by p2p
    product   compute  2 n^3 / (P F)             n the side of square matrices, F flop/s of one device
              link     pairs go up, and tiles up and down for each panel; beside compute: the longer one counts
              network  8 n^2 / (sqrt(P) B)       panels of A and B, 4 bytes an element
              engine   t q^3 / g                 q blocks a side, g pairs a panel
    product   compute  2 n^3 / F for the tiles of the worker that has most of them
    of files  link     8 n s for each of these, of side s, and its 4 s^2 down
              read     the same 8 n s, R bytes a second; the longest of compute, link and read counts
              host     three buffers of a worker, of 8 s bytes for each column of a panel, made page-locked once
              engine   t for each tile
"""

from __future__ import annotations

import math
from typing import NamedTuple

import gpucore as gp
from gpucore_dask import splitting
from gpucore_dask.bounds import MAX_CHUNKS_BY_TASKS, PAIRS, PANEL
from gpucore_dask.streams.pipeline import BUFFERS

_P2P_TASKS = 13  # for a chunk, two of them aliases


class Rates(NamedTuple):
    """Rates of one worker, and of the scheduler. The defaults are of an H200 (sort and product measured with gpucore,
    link pageable), of Dask's TCP, and of the scheduler on the machine of the tests."""

    sort: float = 6.5e9
    """Keys of 4 bytes a second."""
    flops: float = 43e12
    """Of products of f32."""
    link: float = 10.6e9
    """Bytes a second between host and device, one way."""
    network: float = 2e9
    """Bytes a second into a worker."""
    host: float = 20e9
    """Bytes a second that a task copies."""
    task: float = 0.7e-3
    """Seconds of the scheduler for a task."""
    read: float = 4e9
    """Bytes a second that a worker reads of files."""
    pin: float = 2e9
    """Bytes a second of page-locked memory that are made."""


class Cost(NamedTuple):
    """Seconds of each part, and bytes."""

    compute: float
    link: float
    network: float
    host: float
    engine: float
    tasks: int
    host_memory: float
    """Bytes that a worker has or spills."""
    overlaps: bool
    """Whether tasks read, upload and compute at the same time."""
    read: float = 0.0
    """Seconds in which files are read."""

    @property
    def total(self) -> float:
        """Seconds, if network, scheduler and tasks wait for each other, and nothing else takes time."""
        parts = self.compute, self.link, self.read
        device = max(parts) if self.overlaps else sum(parts)
        return device + self.network + self.host + self.engine


def sort_tasks(chunks: int, exchange: str = "auto") -> int:
    """The tasks of a sort of so many chunks, beside the array's own."""
    if chunks == 1:
        return 2
    if exchange == "tasks" or (exchange == "auto" and chunks <= MAX_CHUNKS_BY_TASKS):
        return chunks * chunks + 7 * chunks + 2
    return _P2P_TASKS * chunks + 2


def sort_cost(size: int, itemsize: int, workers: int, chunks: int, rates: Rates | None = None) -> Cost:
    """The cost of a sort of `size` elements of `itemsize` bytes."""
    rates = rates or Rates()
    _check(size=size, itemsize=itemsize, workers=workers, chunks=chunks)
    nbytes, passes = size * itemsize, itemsize / 4
    buckets = 1 if chunks == 1 else 2
    away = 0 if chunks == 1 else (1 - 1 / workers) + 0.2 * (workers > 1)
    tasks = sort_tasks(chunks)
    busy = min(workers, chunks)
    return Cost(
        compute=buckets * size * passes / (busy * rates.sort),
        link=2 * buckets * nbytes / (busy * rates.link),
        network=away * nbytes / (busy * rates.network),
        host=3 * nbytes * (chunks > 1) / (busy * rates.host),
        engine=tasks * rates.task,
        tasks=tasks,
        host_memory=3 * nbytes / workers,
        overlaps=False,
    )


def num_samples(size: int, chunks: int) -> int:
    """The most samples that the one task of the splitters has."""
    return size // splitting.stretch_of(size, chunks) + chunks


def matmul_cost(side: int, block: int, workers: int, rates: Rates | None = None) -> Cost:
    """The cost of a product of square matrices of f32 of this side, in square blocks."""
    rates = rates or Rates()
    _check(side=side, block=block, workers=workers)
    blocks = -(-side // block)
    tasks = blocks * blocks * -(-blocks // PAIRS)
    busy = min(workers, blocks * blocks)
    moved = 4 * (2 * blocks**3 * block**2 + 2 * tasks * block**2)
    return Cost(
        compute=2 * side**3 / (busy * rates.flops),
        link=moved / (busy * rates.link),
        network=8 * side**2 / (math.sqrt(busy) * rates.network) * (workers > 1),
        host=0,
        engine=tasks * rates.task,
        tasks=tasks,
        host_memory=12 * side**2 / workers + 2 * PAIRS * 4 * block**2,
        overlaps=True,
    )


def matmul_files_cost(side: int, tile: tuple[int, int], workers: int, rates: Rates | None = None) -> Cost:
    """The cost of a product of two files with square matrices of f32 of this side, in tiles of `tile` rows and columns:
    the chunks of `gd.matmul`."""
    rates = rates or Rates()
    height, width = tile
    _check(side=side, rows=height, columns=width, workers=workers)
    tasks = -(-side // height) * -(-side // width)
    turns = -(-tasks // workers)
    panels = 4 * side * (height + width) * turns
    return Cost(
        compute=2 * side * height * width * turns / rates.flops,
        link=(panels + 4 * height * width * turns) / rates.link,
        network=0,
        host=BUFFERS * 4 * PANEL * (height + width) / rates.pin,
        engine=tasks * rates.task,
        tasks=tasks,
        host_memory=4 * side**2 / workers + BUFFERS * 4 * PANEL * (height + width),
        overlaps=True,
        read=panels / rates.read,
    )


def matmul_side(rates: Rates | None = None) -> int:
    """The least side of a block of f32 for which a product takes as long as its uploads: 4 F / B."""
    rates = rates or Rates()
    return math.ceil(4 * rates.flops / rates.link)


def _check(**numbers: int) -> None:
    for name, number in numbers.items():
        if number < 1:
            raise gp.ArgumentError(f"the cost model takes a positive {name}, not {number}")
