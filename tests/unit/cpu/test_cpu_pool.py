"""The pool of threads that share the workgroups of a launch. The entry is a Python function here, not a kernel."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from gpucore_cpu.jit import Compiler
from gpucore_cpu.pool import Pool
from gpucore_cpu.processor import read_processor

Part = tuple[int, int, int]  # the thread, the first workgroup, the one after the last
_ENTRY = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32,
    ctypes.c_int64, ctypes.c_int64,
)  # fmt: skip


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool(3, Compiler(read_processor()).load)
    yield pool
    pool.close()


def run(pool: Pool, total: int, first: int = 0, num_threads: int = 3,
        work: Callable[[int, int], object] = lambda start, stop: None) -> tuple[int, list[Part]]:  # fmt: skip
    """Share workgroups; returns how many the calling thread ran, and the parts in order."""
    lock, parts, scratches = threading.Lock(), [], set()

    def entry(buffers: int, scalars: int, scratch: int, x: int, y: int, z: int, start: int, stop: int) -> None:
        assert (ctypes.string_at(buffers, 8), ctypes.string_at(scalars, 4)) == (b"8 bytes!", b"four")
        assert (x, y, z) == (total, 1, 1)
        work(start, stop)
        with lock:
            parts.append((threading.get_ident(), start, stop))
            scratches.add((threading.get_ident(), scratch))

    function = _ENTRY(entry)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    buffers, scalars = b"8 bytes!", b"four"
    own = pool.prepare(address, 100, buffers, scalars, (total, 1, 1), first, num_threads)()
    threads = {thread for thread, _, _ in parts}
    assert len(scratches) == len(threads) == len({scratch for _, scratch in scratches}), (
        "each has its own scratch memory"
    )
    return own, sorted(parts, key=lambda part: part[1])


@pytest.mark.parametrize(("first", "total"), [(0, 100), (3, 4), (5, 7), (0, 64), (17, 3000)])
def test_a_pool_covers_the_range_once(pool: Pool, first: int, total: int) -> None:
    for _ in range(20):
        own, parts = run(pool, total, first)
        assert [part[1] for part in parts] == [first, *(part[2] for part in parts[:-1])]
        assert parts[-1][2] == total
        assert own == sum(stop - start for thread, start, stop in parts if thread == threading.get_ident())


def test_all_threads_take_part_where_all_are_wanted(pool: Pool) -> None:
    together = threading.Barrier(3, timeout=30)

    def meet(start: int, stop: int) -> None:
        together.wait()  # for the two other workgroups

    _, parts = run(pool, 3, work=meet)
    assert len({thread for thread, _, _ in parts}) == 3


def test_no_more_threads_take_part_than_are_wanted(pool: Pool) -> None:
    run(pool, 100)  # starts all
    for _ in range(20):
        _, parts = run(pool, 100, num_threads=2)
        assert len({thread for thread, _, _ in parts}) <= 2


def test_threads_that_sleep_are_woken(pool: Pool) -> None:
    """Helpers sleep after 100 us without work, and so does the caller while it waits for their last parts."""
    together = threading.Barrier(3, timeout=30)

    def meet(start: int, stop: int) -> None:
        together.wait()
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.01)

    for _ in range(3):
        run(pool, 3, work=meet)
        time.sleep(0.01)


def test_parts_become_smaller_towards_the_end(pool: Pool) -> None:
    _, parts = run(pool, 6000)
    sizes = [stop - start for _, start, stop in parts]
    assert sizes[0] == 1000  # a sixth of the whole, for three threads
    assert sizes == sorted(sizes[:-1], reverse=True) + sizes[-1:]
    assert min(sizes[:-1]) >= 6000 // (3 * 32)


def test_close_ends_the_threads() -> None:
    before = threading.active_count()
    pool = Pool(4, Compiler(read_processor()).load)
    run(pool, 100, num_threads=4)
    assert threading.active_count() == before + 3
    pool.close()
    assert threading.active_count() == before


def test_ctrl_c_while_a_thread_starts_leaves_one_thread_for_each_number(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, start = threading.active_count(), threading.Thread.start

    def interrupt(thread: threading.Thread) -> None:
        start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(pool, 100)
    monkeypatch.undo()
    run(pool, 100)
    assert threading.active_count() == before + 2


def test_a_thread_that_ctrl_c_kept_from_starting_is_not_waited_for(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(thread: threading.Thread) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(pool, 100)
    monkeypatch.undo()
    _, parts = run(pool, 100)
    assert parts[-1][2] == 100
    pool.close()


def test_a_closed_pool_starts_no_threads() -> None:
    before, pool = threading.active_count(), Pool(4, Compiler(read_processor()).load)
    pool.close()
    own, _ = run(pool, 100, num_threads=4)
    assert own == 100
    assert threading.active_count() == before


def test_a_pool_does_with_the_threads_that_it_gets(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start

    def refuse(thread: threading.Thread) -> None:
        if thread.name == "gpucore-cpu-2":
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    for _ in range(3):
        _, parts = run(pool, 100)
        assert parts[-1][2] == 100
    monkeypatch.undo()
    test_all_threads_take_part_where_all_are_wanted(pool)
