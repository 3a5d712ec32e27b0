"""Freed memory is kept and used again: the sizes that are allocated, and what the pool holds and releases."""

from __future__ import annotations

import pytest

from gpucore import pool
from gpucore.pool import Pool, rounded_size
from gpucore.runtime import Buffer

SIZES = sorted({n for k in range(41) for n in (2**k - 1, 2**k, 2**k + 1, 3 * 2**k, 3 * 2**k + 1, 9 * 2**k - 1) if n})


class CountedBuffer(Buffer):
    """Counts its releases."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes
        self.releases = 0

    def write(self, data: memoryview, offset: int = 0) -> None:
        raise NotImplementedError

    def read(self, out: memoryview, offset: int = 0) -> None:
        raise NotImplementedError

    def release(self) -> None:
        self.releases += 1


@pytest.mark.parametrize("nbytes", SIZES)
def test_a_size_is_rounded_up_by_an_eighth_at_most(nbytes: int) -> None:
    size = rounded_size(nbytes)
    assert nbytes <= size <= max(nbytes + 255, nbytes * 9 / 8)
    assert size % 256 == 0
    assert rounded_size(size) == size


@pytest.mark.parametrize("exponent", [12, 13, 20, 27, 33])
def test_eight_sizes_in_an_octave(exponent: int) -> None:
    low = 1 << exponent
    sizes = {rounded_size(low + 1 + low * k // 997) for k in range(997)}
    assert sizes == {low + low * k // 8 for k in range(1, 9)}


def test_small_sizes_are_multiples_of_256() -> None:
    assert [rounded_size(n) for n in (1, 255, 256, 257, 512, 513, 2048)] == [256, 256, 256, 512, 512, 768, 2048]


def test_the_pool_gives_a_buffer_of_that_size_once() -> None:
    free, small, large = Pool(), CountedBuffer(256), CountedBuffer(512)
    free.give(small)
    free.give(large)
    assert free.nbytes == 768
    assert free.take(300) is None
    assert free.take(512) is large
    assert free.take(512) is None
    assert free.take(256) is small
    assert free.nbytes == 0
    assert small.releases == large.releases == 0


def test_the_pool_holds_so_many_bytes_and_drops_the_oldest_size_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_MAX_BYTES", 1024)
    free = Pool()
    first, second, third = CountedBuffer(512), CountedBuffer(256), CountedBuffer(256)
    for buffer in (first, second, third):
        free.give(buffer)
    assert (free.nbytes, first.releases) == (1024, 0)
    fourth = CountedBuffer(256)
    free.give(fourth)
    assert (free.nbytes, first.releases) == (768, 1)
    assert [buffer.releases for buffer in (second, third, fourth)] == [0, 0, 0]


def test_a_size_that_was_given_again_is_not_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_MAX_BYTES", 1024)
    free = Pool()
    first, second, third = CountedBuffer(256), CountedBuffer(512), CountedBuffer(256)
    for buffer in (first, second, third):  # the size of the first and third was given last
        free.give(buffer)
    free.give(CountedBuffer(256))
    assert (first.releases, second.releases, third.releases) == (0, 1, 0)


def test_a_buffer_larger_than_the_pool_is_released_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_MAX_BYTES", 1024)
    free, kept, huge, whole = Pool(), CountedBuffer(256), CountedBuffer(1025), CountedBuffer(1024)
    free.give(kept)
    free.give(huge)
    assert (huge.releases, kept.releases, free.nbytes) == (1, 0, 256)
    free.give(whole)  # is the whole pool
    assert (whole.releases, kept.releases, free.nbytes) == (0, 1, 1024)


def test_a_pool_may_hold_several_of_its_largest_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_MAX_BYTES", 1024)
    monkeypatch.setattr(pool, "_MOST_BYTES", 8192)
    free = Pool(multiple=3)
    large, huge = [CountedBuffer(2048) for _ in range(4)], CountedBuffer(16384)
    for buffer in large:
        free.give(buffer)
    assert ([buffer.releases for buffer in large], free.nbytes) == ([1, 0, 0, 0], 3 * 2048)
    free.give(huge)
    assert (huge.releases, free.nbytes) == (1, 3 * 2048)
    free.clear()
    free.give(CountedBuffer(512))
    assert free.nbytes == 512


def test_clear_releases_each_once() -> None:
    free = Pool()
    buffers = [CountedBuffer(size) for size in (256, 512, 256, 1024)]
    for buffer in buffers:
        free.give(buffer)
    free.clear()
    free.clear()
    assert [buffer.releases for buffer in buffers] == [1, 1, 1, 1]
    assert free.nbytes == 0
    assert free.take(256) is None
