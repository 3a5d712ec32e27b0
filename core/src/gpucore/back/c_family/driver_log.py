"""A compiler's log, told in places of the user's code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpucore.span import Span


def map_log(log: str, message: re.Pattern[str], lines: Sequence[Span | None]) -> tuple[Span | None, str]:
    """The user's place of the first error, and the log with the user's place at the end of each line that names one.

    `message` matches a line of the log that names a line of the text: group `line` is its number, counted from 1, the
    first that matched of the groups `severity` and `kind` says what it is. `lines` is the place of each line of the
    text. An error in lines of no place, or of none, is laid to the kernel as a whole; without `lines` there is none.
    """
    mapped: list[str] = []
    errors: list[Span] = []
    for text in log.splitlines():
        found = message.match(text)
        span = _span(found, lines) if found else None
        if found and span is not None:
            text = f"{text}  [{span}]"
            if "error" in (found["severity"] or found["kind"] or "error"):
                errors.append(span)
        mapped.append(text)
    whole = next((span for span in lines if span is not None), None)
    return (errors[0] if errors else whole), "\n".join(mapped)


def _span(found: re.Match[str], lines: Sequence[Span | None]) -> Span | None:
    number = int(found["line"])
    return lines[number - 1] if 0 < number <= len(lines) else None
