"""Terminal output of commands: lines, tables, a progress bar. Plain aligned text here; rich_screen.py has colours.

`open_screen` chooses: colours need rich, a terminal, no NO_COLOR and a TERM other than "dumb". Text is printed
literally, without markup.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal, NamedTuple, TextIO

_GAP = "  "  # between columns
_MIN_WIDTH = 8

Style = Literal["good", "bad", "strong", "faint"]


class Styled(NamedTuple):
    """Text with a style, which plain output ignores."""

    text: str
    style: Style


Part = str | Styled
Cell = Part | Sequence[Part]
"""A cell of a table; text may contain newlines."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. If the table is wider than the terminal, columns are wrapped unless `no_wrap`."""

    title: str
    right: bool = False
    no_wrap: bool = False  # for text that people copy
    min_width: int = 0  # in characters


class Progress(ABC):
    """A progress bar in use."""

    @abstractmethod
    def describe(self, text: str) -> None:
        """Show the current activity."""

    @abstractmethod
    def advance(self, steps: int = 1) -> None:
        """Count finished steps."""


class Screen(ABC):
    """The output of a command."""

    block = "#"  # one cell of a bar chart

    @abstractmethod
    def write(self, *parts: Part) -> None:
        """One line."""

    @abstractmethod
    def title(self, text: str) -> None:
        """A heading across the screen."""

    @abstractmethod
    def table(self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
        """A table with a line of headings."""

    @abstractmethod
    def progress(self, total: int) -> AbstractContextManager[Progress]:
        """A bar for `total` steps: `with screen.progress(9) as bar:`. Lines written in the block appear above it."""


class PlainScreen(Screen):
    """Aligned text with no escape sequences; a progress bar only on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: _PlainProgress | None = None

    def write(self, *parts: Part) -> None:
        self._print("".join(map(_text, parts)))

    def title(self, text: str) -> None:
        self._print(f"== {text} {'=' * max(4, 72 - len(text))}")

    def table(self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
        cells = [[_cell_text(cell).split("\n") for cell in row] for row in rows]
        width = shutil.get_terminal_size().columns if is_terminal(self._stream) else sys.maxsize
        widths = fit(cells, columns, width, len(_GAP))
        if is_terminal(self._stream):
            cells = [[_break_lines(cell, width) for cell, width in zip(row, widths, strict=True)] for row in cells]
        self._print_row([column.title for column in columns], columns, widths)
        rules = ["-" * width if column.title else "" for column, width in zip(columns, widths, strict=True)]
        self._print_row(rules, columns, widths)
        for row in cells:
            for number in range(max(map(len, row))):
                line = [cell[number] if number < len(cell) else "" for cell in row]
                self._print_row(line, columns, widths)

    @contextmanager
    def progress(self, total: int) -> Iterator[Progress]:
        self._bar = _PlainProgress(self._stream, total)
        try:
            yield self._bar
        finally:
            self._bar.erase()
            self._bar = None

    def _print_row(self, texts: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> None:
        padded = [
            text.rjust(width) if column.right else text.ljust(width)
            for text, column, width in zip(texts, columns, widths, strict=True)
        ]
        self._print(_GAP.join(padded).rstrip())

    def _print(self, line: str) -> None:
        if self._bar is not None:
            self._bar.erase()
        print(line, file=self._stream, flush=True)
        if self._bar is not None:
            self._bar.draw()


def fit(rows: Sequence[Sequence[Sequence[str]]], columns: Sequence[Column], max_width: int, gap: int) -> list[int]:
    """Widths of columns, whose cells are lines of text, to fit a line. The widest that may be wrapped are narrowed
    first, none to less than its title."""
    fitted = [
        max(len(column.title), *(len(line) for row in rows for line in row[index]), 0)
        for index, column in enumerate(columns)
    ]
    excess = sum(fitted) + gap * (len(fitted) - 1) - max_width
    while excess > 0:
        breakable = [
            index
            for index, column in enumerate(columns)
            if not column.no_wrap and fitted[index] > max(_MIN_WIDTH, column.min_width, len(column.title))
        ]
        if not breakable:
            break
        fitted[max(breakable, key=lambda index: fitted[index])] -= 1
        excess -= 1
    return fitted


def _break_lines(lines: Sequence[str], width: int) -> list[str]:
    return [part for line in lines for part in textwrap.wrap(line, max(1, width)) or [""]]


class _PlainProgress(Progress):
    """A bar of ASCII characters that is redrawn in place; draws nothing without a terminal."""

    def __init__(self, stream: TextIO, total: int) -> None:
        self._stream, self._total = stream, total
        self._is_drawing = is_terminal(stream)
        self._done, self._text, self._drawn = 0, "", 0

    def describe(self, text: str) -> None:
        self._text = text
        self.draw()

    def advance(self, steps: int = 1) -> None:
        self._done += steps
        self.draw()

    def draw(self) -> None:
        if not self._is_drawing:
            return
        full = 24 * self._done // max(1, self._total)
        line = f"[{'#' * full}{'.' * (24 - full)}] {self._done}/{self._total} {self._text}"
        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write(f"\r{line.ljust(self._drawn)}")
        self._stream.flush()
        self._drawn = len(line)

    def erase(self) -> None:
        if self._drawn:
            self._stream.write(f"\r{' ' * self._drawn}\r")
            self._stream.flush()
            self._drawn = 0


def open_screen(stream: TextIO | None = None) -> Screen:
    """The screen for a stream (default: the current standard output)."""
    stream = sys.stdout if stream is None else stream
    if not is_terminal(stream) or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return PlainScreen(stream)
    try:
        from gpucore.cli.rich_screen import RichScreen  # noqa: PLC0415 (rich is an extra)
    except ImportError:
        return PlainScreen(stream)
    return RichScreen(stream)


def is_terminal(stream: TextIO) -> bool:
    """Whether the stream is a terminal."""
    return not stream.closed and stream.isatty()


def parts_of(cell: Cell) -> Sequence[Part]:
    """The parts of a cell. A Styled is a tuple as well, and one part."""
    return [cell] if isinstance(cell, (str, Styled)) else cell


def _cell_text(cell: Cell) -> str:
    return "".join(map(_text, parts_of(cell)))


def _text(part: Part) -> str:
    return part.text if isinstance(part, Styled) else part
