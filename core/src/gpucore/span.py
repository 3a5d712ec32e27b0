"""Source locations, and their display: the line, with carets under the location."""

from __future__ import annotations

import linecache
import os

from gpucore.immutable import Immutable

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Span(Immutable):
    """A range of source text. Lines count from 1, columns from 0 (as in Python's `ast`)."""

    file: str  # its path
    line: int  # of the first character
    column: int  # likewise, in bytes of UTF-8
    end_line: int  # of the last character
    end_column: int  # after it
    function: str = ""  # the name of the kernel or helper
    called_from: Span | None = None  # the call of the helper

    def __str__(self) -> str:
        text = self.source_line()
        column = _characters(text, self.column) if text else self.column
        return f"{self.file}:{self.line}:{column + 1}"

    def source_line(self) -> str:
        """The text of the first line of the span, or "" if the file cannot be read."""
        return linecache.getline(self.file, self.line).rstrip("\n")

    @property
    def is_own(self) -> bool:
        """Whether it is in the code of gpucore."""
        return self.file.startswith(_PACKAGE)

    def calls(self) -> list[Span]:
        """This place, and the calls that lead to it, the innermost first."""
        found, caller = [self], self.called_from
        while caller is not None:
            found.append(caller)
            caller = caller.called_from
        return found

    def in_kernel(self) -> Span:
        """The place in the user's code: of gpucore's own helpers the call of them."""
        return next((span for span in self.calls() if not span.is_own), self)

    def excerpt(self) -> str:
        """The source line with a caret line under it; "" if the text cannot be read."""
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
    """Convert a column of Python's `ast`, in UTF-8 bytes, to one in characters."""
    return len(text.encode()[:byte_column].decode(errors="ignore"))
