"""The screen with rich: colours, drawn tables, a live progress bar. Imported only if rich is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, TextIO

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichBar
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from gpucore.cli.screen import Cell, Column, Part, Progress, Screen, Styled, fit, parts_of

_GAP = 3  # between columns
_STYLES = {"good": "bold green", "bad": "bold red", "strong": "bold", "faint": "dim"}


class RichScreen(Screen):
    """A terminal with colours."""

    block = "\N{FULL BLOCK}"

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, markup=False, highlight=False, emoji=False)
        if not stream.encoding or "utf" not in stream.encoding.lower():
            self.block = Screen.block

    def write(self, *parts: Part) -> None:
        self._console.print(_assemble(parts), soft_wrap=True)

    def title(self, text: str) -> None:
        self._console.print(Rule(Text(text, "bold cyan"), align="left", style="cyan"))

    def table(self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold cyan")
        cells = [[_assemble(parts_of(cell)) for cell in row] for row in rows]
        lines = [[cell.plain.split("\n") for cell in row] for row in cells]
        widths = fit(lines, columns, self._console.width, _GAP)  # rich would leave out columns that may be wrapped
        table.width = sum(widths) + _GAP * (len(widths) - 1)
        for column, width in zip(columns, widths, strict=True):
            justify: Literal["left", "right"] = "right" if column.right else "left"
            table.add_column(Text(column.title), justify=justify, overflow="fold", width=width)
        for row in cells:
            table.add_row(*row)
        self._console.print(table, crop=False)

    @contextmanager
    def progress(self, total: int) -> Iterator[Progress]:
        bar = RichBar(
            SpinnerColumn(), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False), console=self._console, transient=True,
        )  # fmt: skip
        with bar:
            yield _RichProgress(bar, total)


class _RichProgress(Progress):
    def __init__(self, bar: RichBar, total: int) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=total)

    def describe(self, text: str) -> None:
        self._bar.update(self._task, description=text)

    def advance(self, steps: int = 1) -> None:
        self._bar.advance(self._task, steps)


def _assemble(parts: Sequence[Part]) -> Text:
    text = Text()
    for part in parts:
        if isinstance(part, Styled):
            text.append(part.text, _STYLES[part.style])
        else:
            text.append(part)
    return text
