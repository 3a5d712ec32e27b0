"""Maps a compiler's log back to the user's source."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpucore.span import Span


def map_log(log: str, message: re.Pattern[str], lines: Sequence[Span | None]) -> tuple[Span | None, str]:
    """The source location of the first error, and the log with a source location appended to each line that has one.

    `message` matches a line of the log that refers to a line of the generated text. Its group `line` is the number,
    counted from 1; the groups `severity` and `kind` say what it reports (the first match counts). `lines` has the
    source location of each line of the text. An error without a location is attributed to the whole kernel. If `lines`
    is empty, there is no location.

    All three groups must exist, in any order: a pattern for which nothing is a kind has an empty one, `(?P<kind>)`.
    Where no line matches, every error is of the whole kernel, without a word: try the pattern on a real log.
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
