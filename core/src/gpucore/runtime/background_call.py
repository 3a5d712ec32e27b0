"""Calls of code that may hang: made on a thread of their own, waited for only so long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")

_LONGEST_WAIT = 0.1  # seconds without a look at signals: on Windows a wait without end is deaf to Ctrl-C


class BackgroundCall(Generic[Answer]):
    """One call, and its outcome once it has one. Any number of threads may wait for it."""

    def __init__(self, call: Callable[[], Answer], name: str) -> None:
        self._call, self._name = call, name
        self._is_over = threading.Event()
        self._started_at: float | None = None  # by the monotonic clock; None once somebody has waited
        self._ended_at = 0.0
        self._answers: list[Answer] = []
        self._error: BaseException | None = None

    def start(self) -> None:
        """Make the call on a daemon thread: Python cannot end it, and it does not keep the process alive."""
        self._started_at = time.monotonic()
        threading.Thread(target=self.run, name=self._name, daemon=True).start()

    def run(self) -> None:
        """Make the call on this thread."""
        try:
            self._answers.append(self._call())
        except BaseException as error:  # noqa: BLE001 (raised again where the answer is asked for)
            self._error = error
        finally:
            self._ended_at = time.monotonic()
            self._is_over.set()

    def wait(self, seconds: float) -> bool:
        """Whether the call ends within that many seconds: from its start for who waits first, else from now.

        One that ends later has not, even if this thread could not run in the meantime: code that holds the lock of the
        interpreter stops threads, not time."""
        begin, self._started_at = self._started_at or time.monotonic(), None
        deadline = begin + seconds
        while not self._is_over.wait(min(_LONGEST_WAIT, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                return False
        return self._ended_at <= deadline

    def join(self) -> None:
        """Wait until the call has ended."""
        while not self._is_over.wait(_LONGEST_WAIT):
            continue

    @property
    def answer(self) -> Answer:
        """What the call returned; raises what it raised. Only for one that has ended."""
        if self._error is not None:
            raise self._error
        return self._answers[0]
