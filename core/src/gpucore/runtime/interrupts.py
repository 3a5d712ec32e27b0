"""Ctrl-C, held back while something is made that nobody could close yet."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Handle a SIGINT that comes in this block at its end; a second one at once, for blocks that hang.

    Only the main thread is interrupted, so in others this does nothing; nor if the process has no handler in Python.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    noted: list[tuple[int, Any]] = []

    def note(number: int, frame: Any) -> None:
        noted.append((number, frame))
        if len(noted) > 1:
            noted.clear()
            handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is note:  # a driver may have set another one
            signal.signal(signal.SIGINT, handler)
        if noted:
            handler(*noted[0])
