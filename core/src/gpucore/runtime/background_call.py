"""Calls of code that may hang, each on its own thread, with a timeout."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")

_MAX_WAIT = 0.1  # seconds of one wait: on Windows, Ctrl-C does not interrupt an unlimited wait


class BackgroundCall(Generic[Answer]):
    """A call and, once it has ended, its result. Any number of threads may wait for it."""

    def __init__(self, call: Callable[[], Answer], name: str) -> None:
        self._call, self._name = call, name
        self._is_over = threading.Event()
        self._started_at: float | None = None  # on the monotonic clock; None after the first wait
        self._ended_at = 0.0
        self._answers: list[Answer] = []
        self._error: BaseException | None = None

    def start(self) -> None:
        """Make the call on a daemon thread: Python cannot end it, and a daemon does not keep the process alive."""
        self._started_at = time.monotonic()
        threading.Thread(target=self.run, name=self._name, daemon=True).start()

    def run(self) -> None:
        """Make the call on this thread."""
        try:
            self._answers.append(self._call())
        except BaseException as error:  # noqa: BLE001 (raised again by `answer`)
            self._error = error
        finally:
            self._ended_at = time.monotonic()
            self._is_over.set()

    def wait(self, seconds: float) -> bool:
        """Whether the call ends within that many seconds: counted from its start for the first wait, else from now.

        A call that ends later counts as timed out, even if this thread could not run meanwhile because the call held
        the interpreter lock."""
        begin, self._started_at = self._started_at or time.monotonic(), None
        deadline = begin + seconds
        while not self._is_over.wait(min(_MAX_WAIT, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                return False
        return self._ended_at <= deadline

    def join(self) -> None:
        """Wait until the call has ended."""
        while not self._is_over.wait(_MAX_WAIT):
            continue

    @property
    def answer(self) -> Answer:
        """The result of a call that has ended. Raises what the call raised."""
        if self._error is not None:
            raise self._error
        return self._answers[0]
