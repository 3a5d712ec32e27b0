"""Ctrl-C at each line of a call, one after the other."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from typing import Any


def interrupt_at_each_line(call: Callable[[], object], step: int) -> Iterator[bool]:
    """Call again and again, with an interrupt at a line that is `step` lines further each time, in this thread and all
    that it calls; for each call whether it was interrupted. Ends with the first one that has no such line. Garbage is
    not collected meanwhile: what tests have called then would be interrupted, too."""
    lines, before = 0, sys.gettrace()

    def trace(frame: Any, event: str, argument: object) -> Any:
        nonlocal lines
        lines -= event == "line"
        if lines == 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    first = 1
    while lines <= 0:
        lines, is_interrupted = first, False
        gc.disable()
        sys.settrace(trace)
        try:
            call()
        except KeyboardInterrupt:
            is_interrupted = True
        finally:
            sys.settrace(before)
            gc.enable()
        yield is_interrupted
        first += step
