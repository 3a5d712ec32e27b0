"""An in-order queue of tasks with a thread that runs them.

A thread that waits for the queue runs short tasks itself, which costs less than to wake another thread.

The thread starts at the first task that needs it. It is a daemon and holds no reference to the device, so an unused
device can be collected, and an exiting interpreter does not wait for a kernel that never ends.
"""

from __future__ import annotations

import collections
import os
import threading
import time
import weakref
from collections.abc import Callable

from gpucore.plugin import ClosedError, DeviceError, DispatchError, ForkedProcessError
from gpucore_cpu.pool import CLOSE_PATIENCE

_RUN_IN_PAUSE = 3e-3  # seconds, and the last task

Work = Callable[[], object]
_queues: weakref.WeakSet[Queue] = weakref.WeakSet()


class Queue:
    """Runs tasks one after the other, in the order of `put`."""

    def __init__(self) -> None:
        self._waiting: collections.deque[tuple[Work, Work | None]] = collections.deque()
        self._is_running = False
        self._lock = threading.RLock()  # entered as itself: Ctrl-C within Condition.__enter__ would leave it locked
        self._added = threading.Condition(self._lock)  # the queue's thread waits for it; to wake it takes long
        self._changed = threading.Condition(self._lock)
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

    @property
    def is_idle(self) -> bool:
        """Whether all tasks are done."""
        return not self._waiting and not self._is_running

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
        if not self.is_idle:
            return False
        self._attempt(work)
        return True

    def put(self, work: Work, brief: Work | None = None) -> int:
        """Queue a task; returns its number. A thread that waits for the queue may run `brief` instead; if that returns
        False, `work` does the rest. Raises DeviceError, and queues nothing, if the queue's thread cannot be started."""
        with self._lock:
            self._ensure_thread()
            self._submitted += 1
            self._waiting.append((work, brief))
            if len(self._waiting) == 1 and not self._is_running:
                self._added.notify()
            return self._submitted

    def wait(self, number: int) -> None:
        """Wait until the task with that number is done."""
        while not self.has_finished(number):
            self.check()
            self.run_brief(lambda: self.has_finished(number))
            with self._lock:
                self._changed.wait_for(lambda: self._finished >= number or self._closed, timeout=0.1)

    def pause(self, is_done: Callable[[], bool], seconds: float) -> None:
        """Run brief tasks for a few ms, or sleep, until a task has made `is_done` true or the queue is closed."""
        end = time.perf_counter() + _RUN_IN_PAUSE
        self.run_brief(lambda: is_done() or time.perf_counter() > end)
        with self._lock:
            self._changed.wait_for(lambda: is_done() or self._closed, timeout=seconds)

    def run_brief(self, is_done: Callable[[], bool]) -> None:
        """Run the tasks at the head of the queue in this thread, as long as they are brief and no other runs one."""
        try:
            while not is_done() and self._run_brief():
                pass
        finally:
            with self._lock:
                if self._waiting and not self._is_running:
                    self._added.notify()

    def _run_brief(self) -> bool:
        """Run the first task in this thread. False: it is not brief, or another thread runs one, or there is none.

        It stays at the head until it is complete: Ctrl-C may end any call here, so the state is changed without calls.
        """
        is_mine = is_complete = False
        try:
            with self._lock:
                if self._is_running or self._closed or self.forked or not self._waiting:
                    return False
                work, brief = self._waiting[0]
                if brief is None:
                    return False
                self._waiting[0] = work, None  # does what is left if Ctrl-C ends the call, or the task takes longer
                self._is_running = is_mine = True
            is_complete = self._attempt(brief) is not False
        finally:
            if is_mine:
                with self._lock:
                    self._is_running = False
                    self._finished += is_complete
                    if is_complete and self._waiting:  # close() empties it
                        self._waiting.popleft()
                    self._changed.notify_all()
        return True

    def take_failure(self) -> DeviceError | None:
        """The first failure since the last call, if any."""
        failure, self._failure = self._failure, None
        return failure

    def close(self) -> None:
        """Drop queued tasks, let the running one end, stop the threads. A second call does nothing."""
        if self.forked or self._closed:
            return
        with self._lock:
            self._closed = True
            self._waiting.clear()
            self._added.notify_all()
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._is_running, CLOSE_PATIENCE)
        thread = self._thread
        if thread is not None and thread.is_alive() and thread is not threading.current_thread():
            thread.join(CLOSE_PATIENCE)

    def _ensure_thread(self) -> None:
        """Start the queue's thread if it was not started, or if Ctrl-C ended the start. Then there may be two, which do
        no harm: each task is run by one. The caller holds the lock."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._serve, name="gpucore-cpu-queue", daemon=True)
            try:
                self._thread.start()
            except RuntimeError as error:
                raise DeviceError(
                    f"the thread that runs kernels on the cpu device cannot be started: {error}"
                ) from error

    def _serve(self) -> None:
        while True:
            with self._lock:
                while not self._waiting or self._is_running:
                    if self._closed:
                        return
                    self._added.wait()
                self._is_running = True  # first, for is_idle
                work = self._waiting.popleft()[0]
            self._attempt(work)
            del work  # it may have the last reference to a buffer, and so may the brief form of the task
            with self._lock:
                self._is_running = False
                self._finished += 1
                self._changed.notify_all()

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


def _mark_forked() -> None:
    """A forked child has none of its parent's threads: it cannot use the parent's queues."""
    for queue in list(_queues):
        queue.forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_forked)
