"""The queue of the cpu device, without a device."""

from __future__ import annotations

import functools
import threading
import time
import weakref

import pytest

from gpucore.errors import ClosedError, DeviceError, DispatchError
from gpucore_cpu.queue import Queue, Work


class SlowEnd:
    """A thread that has one among its local values takes a while to end."""

    def __del__(self) -> None:
        time.sleep(0.2)


def test_close_waits_for_the_work_in_progress_and_its_thread() -> None:
    queue, started, ended, local = Queue(), threading.Event(), threading.Event(), threading.local()

    def work() -> None:
        local.value = SlowEnd()
        started.set()
        time.sleep(0.2)
        ended.set()

    before = set(threading.enumerate())
    queue.put(work)
    assert started.wait(10)
    threads = set(threading.enumerate()) - before
    queue.close()
    assert ended.is_set()
    assert threads and not any(thread.is_alive() for thread in threads)
    with pytest.raises(ClosedError):
        queue.check()


def test_close_drops_what_waits() -> None:
    queue, started, done = Queue(), threading.Event(), []

    def work() -> None:
        started.set()
        time.sleep(0.05)

    queue.put(work)
    queue.put(lambda: done.append(1))
    assert started.wait(10)
    queue.close()
    assert done == []


def test_work_runs_in_the_order_of_put_and_is_counted() -> None:
    queue, done = Queue(), []
    numbers = [queue.put(lambda k=k: done.append(k)) for k in range(20)]  # type: ignore[misc]
    assert numbers == list(range(1, 21)) == list(range(1, queue.submitted + 1))
    queue.wait(numbers[-1])
    assert done == list(range(20))
    assert queue.has_finished(20)
    assert not queue.has_finished(21)
    queue.close()


def test_work_runs_at_once_only_where_nothing_comes_before_it() -> None:
    queue, release, done = Queue(), threading.Event(), []
    assert queue.run_now(lambda: done.append("now"))
    number = queue.put(lambda: release.wait(10) and None)
    assert not queue.run_now(lambda: done.append("never"))
    release.set()
    queue.wait(number)
    assert done == ["now"]
    queue.close()


def run_brief(queue: Queue, work: Work, brief: Work) -> None:
    """Queue a task and run it here: the queue's own thread cannot take it in between."""
    with queue._lock:
        number = queue.put(work, brief)
        queue.run_brief(lambda: queue.has_finished(number))


def test_a_pause_runs_brief_tasks_for_a_few_ms() -> None:
    queue, rest = Queue(), functools.partial(time.sleep, 1e-3)
    with queue._lock:  # the queue's own thread begins when this one has paused
        number = [queue.put(rest, rest) for _ in range(2000)][-1]
        queue.pause(lambda: queue.has_finished(number), 1e-3)
        assert queue.has_finished(1) and not queue.has_finished(number)
    queue.close()


def test_a_thread_that_waits_runs_brief_work() -> None:
    queue, done = Queue(), []
    run_brief(queue, lambda: done.append(0), lambda: done.append(threading.get_ident()))
    assert done == [threading.get_ident()]
    assert queue.has_finished(1)
    queue.close()


def test_brief_work_that_takes_longer_goes_on_in_the_queue() -> None:
    queue, done = Queue(), []
    run_brief(queue, lambda: done.append(threading.get_ident()), lambda: False)
    queue.wait(queue.submitted)
    assert done != [threading.get_ident()] and len(done) == 1
    queue.close()


def test_brief_work_that_ctrl_c_interrupts_goes_on_in_the_queue() -> None:
    queue, done = Queue(), []

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_brief(queue, lambda: done.append(1), interrupt)
    queue.wait(queue.submitted)
    assert done == [1]
    queue.close()


def test_ctrl_c_before_brief_work_begins_loses_nothing() -> None:
    """Python calls signal handlers between any two calls: here when the waiting thread releases the lock."""

    class Interrupted:
        is_armed = False

        def __enter__(self) -> None:
            lock.acquire()

        def __exit__(self, *failure: object) -> None:
            lock.release()
            if self.is_armed:
                self.is_armed = False
                raise KeyboardInterrupt

    queue, done = Queue(), []
    lock, interrupted = queue._lock, Interrupted()
    queue._lock = interrupted  # type: ignore[assignment]

    def arm() -> bool:
        interrupted.is_armed = True
        return False

    with interrupted:  # so that the queue's own thread does not take the task
        queue.put(lambda: done.append("work"), lambda: done.append("brief"))
        with pytest.raises(KeyboardInterrupt):
            queue.run_brief(arm)
    deadline = time.monotonic() + 10
    while not queue.has_finished(1) and time.monotonic() < deadline:
        time.sleep(0.001)
    assert done == ["work"]
    queue.close()


def test_the_first_failure_is_kept_and_the_work_after_it_runs() -> None:
    queue, done = Queue(), []

    def fail(text: str) -> None:
        raise ValueError(text)

    queue.put(lambda: fail("first"))
    queue.put(lambda: fail("second"))
    queue.wait(queue.put(lambda: done.append(1)))
    failure = queue.take_failure()
    assert isinstance(failure, DispatchError)
    assert "first" in str(failure)
    assert isinstance(failure.__cause__, ValueError)
    assert queue.take_failure() is None
    assert done == [1]
    queue.close()


def test_the_thread_keeps_no_reference_to_a_task_that_is_done() -> None:
    class Memory:
        pass

    queue, memory, release = Queue(), Memory(), threading.Event()
    kept = weakref.ref(memory)
    with queue._lock:  # so that the thread takes the second task, too
        queue.put(release.wait)
        number = queue.put(functools.partial(id, memory), functools.partial(id, memory))
    del memory
    release.set()
    deadline = time.monotonic() + 10
    while (not queue.has_finished(number) or kept() is not None) and time.monotonic() < deadline:
        time.sleep(0.001)
    assert queue.has_finished(number)
    assert kept() is None
    queue.close()


@pytest.mark.parametrize(
    ("raised", "expected"),
    [(KeyboardInterrupt("Ctrl-C"), KeyboardInterrupt), (RuntimeError("can't start new thread"), DeviceError)],
)
def test_nothing_is_queued_if_the_thread_does_not_start(
    monkeypatch: pytest.MonkeyPatch, raised: BaseException, expected: type[BaseException]
) -> None:
    queue, done = Queue(), []

    def refuse(thread: threading.Thread) -> None:
        raise raised

    monkeypatch.setattr(threading.Thread, "start", refuse)
    for _ in range(2):
        with pytest.raises(expected, match=str(raised)):
            queue.put(lambda: done.append("refused"))
    assert queue.is_idle and queue.submitted == 0
    monkeypatch.undo()
    queue.wait(queue.put(lambda: done.append("queued")))
    assert done == ["queued"]
    queue.close()
