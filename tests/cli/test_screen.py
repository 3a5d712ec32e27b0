"""Plain text, rich, and which of the two."""

from __future__ import annotations

import io
import re
import sys

import pytest

from gpucore.cli.numbers import count, format_bytes, format_rate, format_seconds
from gpucore.cli.screen import Column, PlainScreen, Screen, Styled, open_screen

COLUMNS = (Column("name"), Column("size", right=True), Column(""))
ROWS = [["one", "1", [Styled("good", "good"), "\n", "two lines"]], [Styled("a longer name", "strong"), "1000", ""]]


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal with colours, 100 columns wide."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_plain_table_is_aligned() -> None:
    stream = io.StringIO()
    PlainScreen(stream).table(COLUMNS, ROWS)
    assert stream.getvalue().splitlines() == [
        "name           size",
        "-------------  ----",
        "one               1  good",
        "                     two lines",
        "a longer name  1000",
    ]


@pytest.mark.parametrize("screen", ["plain", "rich"])
@pytest.mark.parametrize("width", [30, 50, 70])
def test_ids_are_never_broken(monkeypatch: pytest.MonkeyPatch, screen: str, width: int) -> None:
    """On a narrow terminal the other columns give way."""
    monkeypatch.setenv("COLUMNS", str(width))
    if screen == "plain":
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        pytest.importorskip("rich")
    last = Column("", min_width=15)
    columns = (Column("device", no_wrap=True), Column("adapter"), Column("memory", right=True), last)
    adapter = "a graphics card with a long name of many words"
    rows = [[Styled("vendor:vulkan:0", "strong"), adapter, "128 MiB", "vendor:vulkan:1 of 2 or more"]]
    stream = Terminal()
    open_screen(stream).table(columns, rows)
    lines = re.sub("\x1b\\[[0-9;]*m", "", stream.getvalue()).splitlines()
    words = [word for line in lines for word in line.split()]
    assert words.count("vendor:vulkan:0") == words.count("vendor:vulkan:1") == 1
    if width == 70:  # the others are too narrow for any table of these
        assert max(map(len, lines)) <= width and set(adapter.split()) <= set(words)


def test_table_without_rows_has_headings() -> None:
    stream = io.StringIO()
    PlainScreen(stream).table(COLUMNS[:2], [])
    assert stream.getvalue() == "name  size\n----  ----\n"


def test_a_stream_that_is_no_terminal_gets_plain_text() -> None:
    assert isinstance(open_screen(io.StringIO()), PlainScreen)


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_can_be_off(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    stream = Terminal()
    screen = open_screen(stream)
    show_all(screen)
    assert isinstance(screen, PlainScreen)
    assert "\x1b" not in stream.getvalue()


def test_empty_no_color_means_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich")
    monkeypatch.setenv("NO_COLOR", "")
    assert not isinstance(open_screen(Terminal()), PlainScreen)


def test_without_rich_a_terminal_gets_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "rich"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "gpucore.cli.rich_screen", raising=False)
    monkeypatch.setitem(sys.modules, "rich", None)
    stream = Terminal()
    screen = open_screen(stream)
    show_all(screen)
    assert isinstance(screen, PlainScreen)
    assert "a longer name  1000" in stream.getvalue()


def test_rich_screen_has_colours_and_takes_no_markup() -> None:
    pytest.importorskip("rich")
    stream = Terminal()
    screen = open_screen(stream)
    show_all(screen)
    screen.write("[bold]an adapter[/bold] :smile:", Styled(" [red]", "faint"))
    text = stream.getvalue()
    assert not isinstance(screen, PlainScreen)
    assert "\x1b[1;32mgood\x1b[0m" in text
    assert "[bold]an adapter[/bold] :smile:" in text
    assert "[red]" in text
    assert "a longer name" in text


def show_all(screen: Screen) -> None:
    """Everything that a screen can do."""
    screen.title("A title")
    with screen.progress(3) as bar:
        bar.describe("[b]working[/b]")
        bar.advance()
        screen.write("a line ", Styled("with style", "bad"))
        bar.advance(2)
    screen.table(COLUMNS, ROWS)


def test_plain_bar_is_drawn_and_wiped_around_lines() -> None:
    stream = Terminal()
    screen = PlainScreen(stream)
    with screen.progress(4) as bar:
        bar.describe("working")
        bar.advance(2)
        screen.write("a line")
    pieces = stream.getvalue().split("\r")
    assert "[............] 0/4 working".replace("[", "[" + "." * 12) in pieces
    assert f"[{'#' * 12}{'.' * 12}] 2/4 working" in pieces
    assert "a line\n" in pieces  # at the start of a line that was wiped
    assert pieces[-1] == "" and pieces[-2].strip() == ""  # nothing is left of it


def test_plain_bar_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    stream = Terminal()
    with PlainScreen(stream).progress(4) as bar:
        bar.describe("x" * 100)
    assert max(map(len, stream.getvalue().split("\r"))) == 39


def test_plain_bar_is_silent_where_nobody_watches() -> None:
    stream = io.StringIO()
    screen = PlainScreen(stream)
    with screen.progress(2) as bar:
        bar.describe("working")
        screen.write("a line")
        bar.advance()
    assert stream.getvalue() == "a line\n"


@pytest.mark.parametrize(
    ("nbytes", "text"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (16384, "16 KiB"),
        (5 << 29, "2.5 GiB"),
        (1 << 40, "1 TiB"),
        (1 << 62, "4096 PiB"),
    ],
)
def test_format_bytes(nbytes: int, text: str) -> None:
    assert format_bytes(nbytes) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 us"), (1.5e-6, "1.5 us"), (0.00421, "4.21 ms"), (0.5, "500 ms"), (12.34, "12.3 s"), (1234.0, "1234 s")],
)
def test_format_seconds(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text


@pytest.mark.parametrize(("rate", "text"), [(0.0042, "0.0042"), (27.94, "27.9"), (101.2, "101"), (37712.0, "37,712")])
def test_format_rate(rate: float, text: str) -> None:
    assert format_rate(rate) == text


def test_count() -> None:
    assert [count(0, "value"), count(1, "value"), count(100000, "value")] == ["0 values", "1 value", "100,000 values"]
