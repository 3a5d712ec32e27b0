"""Indented text, line by line, with the user's source location of each line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gpucore.span import Span


class Writer:
    """Collects lines. `span` is attached to every line written until it is changed."""

    def __init__(self, indent: str = "    ") -> None:
        self.span: Span | None = None
        self._indent = indent
        self._depth = 0
        self._lines: list[str] = []
        self._spans: list[Span | None] = []

    def line(self, text: str = "") -> None:
        """Write one line at the current depth."""
        self._lines.append(self._indent * self._depth + text if text else "")
        self._spans.append(self.span)

    @contextmanager
    def block(self, opening: str, closing: str = "}") -> Iterator[None]:
        """Write `opening`, indent what is written inside, then write `closing`."""
        self.line(opening)
        self._depth += 1
        yield
        self._depth -= 1
        self.line(closing)

    @property
    def last(self) -> str:
        """The last line written, without its indentation."""
        return self._lines[-1].strip() if self._lines else ""

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def spans(self) -> tuple[Span | None, ...]:
        """The user's source location of each line of `text`."""
        return tuple(self._spans)
