"""An in-order queue of tasks with a thread that runs them, and a pool of threads that share one task.

A thread that waits for the queue runs short tasks itself, which costs less than to wake another thread.

Threads start at the first task that needs one. They are daemons and hold no reference to the device, so an unused
device can be collected, and an exiting interpreter does not wait for a kernel that never ends.
"""

from __future__ import annotations

import collections
import itertools
import os
import threading
import time
import weakref
from collections.abc import Callable

from gpucore.errors import ClosedError, DeviceError, DispatchError, ForkedProcessError

Work = Callable[[], object]
_CLOSE_PATIENCE = 2.0  # seconds that close() waits for the running task
_queues: weakref.WeakSet[Queue] = weakref.WeakSet()


class Queue:
    """Runs tasks one after the other, in the order of `put`."""

    def __init__(self, num_threads: int) -> None:
        self.pool = Pool(num_threads)
        self._waiting: collections.deque[tuple[Work, Work | None]] = collections.deque()
        self._is_running = False
        self._changed = threading.Condition()
        self._submitted = 0
        self._finished = 0
        self._failure: DeviceError | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self.forked = False
        _queues.add(self)

    @property
    def submitted(self) -> int:
        """How many tasks were put so far; the number of the last one."""
        return self._submitted

    def has_finished(self, number: int) -> bool:
        """Whether the task with that number, and all before it, are done."""
        return self._finished >= number

    def check(self) -> None:
        """Raise if the queue cannot be used any more."""
        if self.forked:
            raise ForkedProcessError(
                "this cpu device was opened before os.fork(), which copies none of its threads: open devices in the "
                "child, or start processes with the method 'spawn'"
            )
        if self._closed:
            raise ClosedError("the cpu device is closed")

    def run_now(self, work: Work) -> bool:
        """Run a short task in this thread if no other is queued or running. False: nothing was done."""
        if self._finished != self._submitted:
            return False
        self._attempt(work)
        return True

    def put(self, work: Work, brief: Work | None = None) -> int:
        """Queue a task; returns its number. A thread that waits for the queue may run `brief` instead; if that returns
        False, `work` does the rest."""
        with self._changed:
            self._waiting.append((work, brief))
            self._submitted += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="gpucore-cpu-queue", daemon=True)
                self._thread.start()
            self._changed.notify_all()
            return self._submitted

    def wait(self, number: int) -> None:
        """Wait until the task with that number is done."""
        while not self.has_finished(number):
            self.check()
            self.run_brief(lambda: self.has_finished(number))
            with self._changed:
                self._changed.wait_for(lambda: self._finished >= number or self._closed, timeout=0.1)

    def pause(self, is_done: Callable[[], bool], seconds: float) -> None:
        """Run brief tasks, or sleep, until a task has made `is_done` true or the queue is closed."""
        self.run_brief(is_done)
        with self._changed:
            self._changed.wait_for(lambda: is_done() or self._closed, timeout=seconds)

    def run_brief(self, is_done: Callable[[], bool]) -> None:
        """Run the tasks at the head of the queue in this thread, as long as they are brief and no other runs one.

        A task stays at the head until it is complete: Ctrl-C may end the call at any point.
        """
        while not is_done():
            is_mine = is_complete = False
            try:
                with self._changed:
                    if self._is_running or self._closed or self.forked or not self._waiting:
                        return
                    work, brief = self._waiting[0]
                    if brief is None:
                        return
                    self._is_running = is_mine = True
                is_complete = self._attempt(brief) is not False
            finally:
                if is_mine:
                    self._end_brief_task(work, is_complete)

    def _end_brief_task(self, work: Work, is_complete: bool) -> None:
        """Take the task at the head out of the queue, or let the thread of the queue do the rest of its work."""
        with self._changed:
            if self._waiting:  # unless close() has emptied it
                self._waiting.popleft()
                if not is_complete:
                    self._waiting.appendleft((work, None))
            self._end_task(is_complete)

    def _end_task(self, is_complete: bool = True) -> None:
        """Count a task, and let others know; the caller holds the lock."""
        self._is_running = False
        self._finished += is_complete
        self._changed.notify_all()

    def take_failure(self) -> DeviceError | None:
        """The first failure since the last call, if any."""
        failure, self._failure = self._failure, None
        return failure

    def close(self) -> None:
        """Drop queued tasks, let the running one end, stop the threads. A second call does nothing."""
        if self.forked or self._closed:
            return
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._is_running, _CLOSE_PATIENCE)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_CLOSE_PATIENCE)
        self.pool.close()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._waiting or self._is_running:
                    if self._closed:
                        return
                    self._changed.wait()
                work, _ = self._waiting.popleft()
                self._is_running = True
            self._attempt(work)
            del work  # it may have the last reference to a buffer
            with self._changed:
                self._end_task()

    def _attempt(self, work: Work) -> object:
        """Run a task; a failure is kept for the next mark."""
        try:
            return work()
        except DeviceError as error:
            self._failure = self._failure or error
        except Exception as error:  # noqa: BLE001 (the next mark raises it, in the thread that asked)
            failure = DispatchError(f"a task failed on the cpu device: {error}")
            failure.__cause__ = error
            self._failure = self._failure or failure
        return None


class Pool:
    """Threads that process a range in chunks by calling one function."""

    def __init__(self, num_threads: int) -> None:
        self.num_threads = num_threads
        self._helpers: list[_Helper] = []

    def share(self, function: Callable[[int, int, int], None], first: int, last: int, chunk: int) -> None:
        """Call function(number of the thread, start, stop) for chunks of first .. last on all threads, and wait.

        The calling thread takes part as number 0. Raises what a call raised, after all have ended.
        """
        starts = itertools.count(first, chunk)  # its next() is atomic

        def take(number: int) -> None:
            for start in starts:
                if start >= last:
                    return
                function(number, start, min(start + chunk, last))

        wanted = min(self.num_threads, -(-(last - first) // chunk)) - 1
        while len(self._helpers) < wanted:
            self._helpers.append(_Helper(len(self._helpers) + 1))
        helpers = self._helpers[:wanted]
        for helper in helpers:
            helper.start(take)
        failures: list[BaseException] = []
        try:
            take(0)
        except Exception as error:  # noqa: BLE001 (raised below, when all threads have ended)
            failures.append(error)
        failures += [failure for helper in helpers if (failure := helper.finish()) is not None]
        if failures:
            raise failures[0]

    def close(self) -> None:
        """Stop the threads; a busy one ends after its task."""
        deadline = time.monotonic() + _CLOSE_PATIENCE
        for helper in self._helpers:
            helper.stop()
        for helper in self._helpers:
            helper.join(max(0.0, deadline - time.monotonic()))
        self._helpers.clear()


class _Helper:
    """One thread of a pool. Tasks are passed by two locks, which is cheaper than a condition."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._task: Callable[[int], None] | None = None
        self._failure: BaseException | None = None
        self._go, self._done = threading.Lock(), threading.Lock()
        self._go.acquire()
        self._done.acquire()
        self._thread = threading.Thread(target=self._serve, name=f"gpucore-cpu-{number}", daemon=True)
        self._thread.start()

    def start(self, task: Callable[[int], None]) -> None:
        self._task = task
        self._go.release()

    def finish(self) -> BaseException | None:
        """Wait for the task; returns what it raised."""
        self._done.acquire()
        failure, self._failure = self._failure, None
        return failure

    def stop(self) -> None:
        """Make the thread end, now or after its task."""
        self._task = None
        self._go.release()

    def join(self, timeout: float) -> None:
        self._thread.join(timeout)

    def _serve(self) -> None:
        while True:
            self._go.acquire()
            if self._task is None:
                return
            task, self._task = self._task, None
            try:
                task(self._number)
            except Exception as error:  # noqa: BLE001 (finish() returns it)
                self._failure = error
            del task  # it may have the last reference to a buffer
            self._done.release()


def _mark_forked() -> None:
    """A forked child has none of its parent's threads: it cannot use the parent's queues."""
    for queue in list(_queues):
        queue.forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_forked)
