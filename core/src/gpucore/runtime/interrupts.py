"""Ctrl-C, held back while something is made that nobody could close yet, or is changed in several steps."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import signal
import threading
from typing import Any

_get: Any = _signal.getsignal  # those of `signal` make enums of numbers and handlers, which takes twenty times as long
_set: Any = _signal.signal
_SIGINT = int(signal.SIGINT)
_main = threading.main_thread


class HeldBack:
    """A `with` block at whose end a SIGINT is handled that came in it; a second one is handled at once, for blocks that
    hang. About two microseconds.

    Only the main thread is interrupted, so in others this does nothing; nor if the process has no handler in Python.
    """

    __slots__ = ("_handler", "_noted")

    def __enter__(self) -> None:
        self._handler: Any = None
        self._noted: list[tuple[int, Any]] = []
        if threading.get_ident() == _main().ident:
            handler = _get(_SIGINT)
            if callable(handler) and getattr(handler, "__func__", None) is not HeldBack._note:
                self._handler = handler
                _set(_SIGINT, self._note)

    def _note(self, number: int, frame: Any) -> None:
        self._noted.append((number, frame))
        if len(self._noted) > 1:
            self._noted.clear()
            self._handler(number, frame)

    def __exit__(self, *exception: object) -> None:
        if self._handler is not None:
            if _get(_SIGINT) == self._note:  # a driver may have set another one
                _set(_SIGINT, self._handler)
            if self._noted:
                self._handler(*self._noted[0])
