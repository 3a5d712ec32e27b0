"""Runs `gpucore demo` here and draws what it prints: `python benchmarks/demo_picture.py` writes docs/demo.svg.

The picture has the first sort and the products of the first device, and the summary; three dots stand for the rest.
Options of the demo may follow: `python benchmarks/demo_picture.py --quick --device cpu`.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from unittest import mock

from rich.console import Console
from rich.text import Text

from gpucore.cli import demo, main
from gpucore.cli.rich_screen import RichScreen

PICTURE = Path(__file__).parents[1] / "docs" / "demo.svg"
COLUMNS = 116
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # it would be loaded from another site


class _Recorded(RichScreen):
    """A screen that keeps what is written."""

    def __init__(self) -> None:
        super().__init__(io.StringIO())
        self.block = "\N{FULL BLOCK}"
        self._console = _console()

    def lines(self) -> list[str]:
        """What was written, with the escape sequences of its colours."""
        return self._console.export_text(styles=True).splitlines()


def draw(options: list[str]) -> tuple[str, int]:
    """The picture as SVG, and the demo's exit status."""
    screen = _Recorded()
    with mock.patch.object(demo, "open_screen", return_value=screen):
        status = main(["demo", *options])
    console = _console()
    console.print(Text.from_ansi("\n".join([f"$ {' '.join(['gpucore', 'demo', *options])}", *_cut(screen.lines())])))
    svg = console.export_svg(title="gpucore demo", unique_id="demo")
    return _FONT.sub("", svg), status


def _console() -> Console:
    return Console(record=True, file=io.StringIO(), width=COLUMNS, markup=False, highlight=False, emoji=False)


def _cut(lines: list[str]) -> list[str]:
    plain = [Text.from_ansi(line).plain for line in lines]
    second = next(number for number, line in enumerate(plain) if line.startswith("Sort 2"))
    products = next(number for number, line in enumerate(plain) if line.startswith("Matrix products"))
    after = products + plain[products:].index("") + 1
    summary = next(number for number, line in enumerate(plain) if line.startswith("Summary"))
    return [*lines[:second], "...", *lines[products:after], "...", *lines[summary:]]


if __name__ == "__main__":
    svg, status = draw(sys.argv[1:])
    PICTURE.write_text(svg, encoding="utf-8")
    sys.exit(status)
