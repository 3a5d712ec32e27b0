"""A place in a user's source file, and how it is shown: the line, with a caret under the place."""

from __future__ import annotations

import linecache
import time

from gpucore.immutable import Immutable

LOADED_AT = time.time()
"""When this process loaded gpucore: a file that is older cannot have changed since."""


class Span(Immutable):
    """A stretch of source text. Lines count from 1, columns from 0 (as in Python's `ast`).

    `called_from` is set on code of a helper function: the place of the call that brought it in.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str = ""
    called_from: Span | None = None

    def __str__(self) -> str:
        text = self.source_line()
        column = _characters(text, self.column) if text else self.column
        return f"{self.file}:{self.line}:{column + 1}"

    def source_line(self) -> str:
        """The text of the first line of the span, or "" where the file cannot be read."""
        return linecache.getline(self.file, self.line).rstrip("\n")

    def excerpt(self) -> str:
        """The source line with a caret line under it; "" where the text cannot be read."""
        text = self.source_line()
        if not text.strip():
            return ""
        start = _characters(text, self.column)
        end = _characters(text, self.end_column) if self.end_line == self.line else len(text)
        gutter = len(str(self.line))
        carets = "^" * max(1, end - start)
        padding = "".join("\t" if character == "\t" else " " for character in text[:start])
        return f" {self.line} | {text}\n {' ' * gutter} | {padding}{carets}"


def _characters(text: str, byte_column: int) -> int:
    """Python's `ast` counts columns in UTF-8 bytes; a caret stands under characters."""
    return len(text.encode()[:byte_column].decode(errors="ignore"))
