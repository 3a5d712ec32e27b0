"""Ctrl-C at each line of a call."""

from __future__ import annotations

import gc
import linecache
import signal
import sys
from collections.abc import Callable
from typing import Any


def interrupted(call: Callable[[], Any], lines: int) -> bool | None:
    """Call with SIGINT at so many lines of Python from its start; whether it was interrupted, None if it has fewer.

    Lines with `with` do not count: Python also traces them at the end of the block, before `__exit__` is called, where
    no signal is handled. Nor do those of finalizers, `__del__` and what they call: Python reports what they raise,
    and drops it. Objects of other tests are not collected meanwhile.
    """
    before, left = sys.gettrace(), lines

    def trace(frame: Any, event: str, argument: object) -> Any:
        nonlocal left
        if frame.f_code.co_name.startswith(("__del__", "discard")):
            return None
        if event == "line":
            text = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
            left -= not text.lstrip().startswith("with ")
        if left == 0:
            left = -1
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)
        return trace

    gc.disable()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
        gc.enable()
    return False if left < 0 else None
