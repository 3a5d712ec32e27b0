"""A progress bar with bytes and GB/s, on a terminal alone: with rich if it is installed, else of plain characters."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TextIO

_WIDTH = 24
_PAUSE = 0.1  # seconds between two drawings

Advance = Callable[[int], None]


@contextmanager
def shown(what: str, total: int, is_asked: bool) -> Iterator[Advance]:
    """A bar for bytes on standard error, if it is asked for and that is a terminal. Yields what counts bytes."""
    stream = sys.stderr
    if not is_asked or stream is None or stream.closed or not stream.isatty():
        yield lambda nbytes: None
        return
    rich = None if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else _import_rich()
    with _plain(what, total, stream) if rich is None else _coloured(rich, what, total) as advance:
        yield advance


def _import_rich() -> ModuleType | None:
    try:
        import rich.console  # noqa: PLC0415 (an extra of core)
        import rich.progress  # noqa: PLC0415
    except ImportError:
        return None
    module: ModuleType = rich
    return module


@contextmanager
def _coloured(rich: ModuleType, what: str, total: int) -> Iterator[Advance]:
    progress = rich.progress
    columns = (
        progress.TextColumn("{task.description}", markup=False), progress.BarColumn(),
        progress.DownloadColumn(), progress.TransferSpeedColumn(), progress.TimeRemainingColumn(),
    )  # fmt: skip
    with progress.Progress(*columns, console=rich.console.Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda nbytes: bar.advance(task, nbytes)


@contextmanager
def _plain(what: str, total: int, stream: TextIO) -> Iterator[Advance]:
    bar = _PlainBar(what, total, stream)
    try:
        yield bar.advance
    finally:
        bar.erase()


class _PlainBar:
    """A line that is written again in place."""

    def __init__(self, what: str, total: int, stream: TextIO) -> None:
        self._what, self._total, self._stream = what, total, stream
        self._start = time.perf_counter()
        self._done, self._length, self._drawn = 0, 0, 0.0

    def advance(self, nbytes: int) -> None:
        self._done += nbytes
        now = time.perf_counter()
        if now - self._drawn < _PAUSE and self._done < self._total:
            return
        full = _WIDTH * self._done // max(1, self._total)
        rate = self._done / max(now - self._start, 1e-9) / 1e9
        amount = f"{self._done / 1e9:.2f}/{self._total / 1e9:.2f} GB  {rate:.2f} GB/s"
        line = f"{self._what} [{'#' * full}{'.' * (_WIDTH - full)}] {amount}"
        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write(f"\r{line.ljust(self._length)}")
        self._stream.flush()
        self._length, self._drawn = len(line), now

    def erase(self) -> None:
        """Leave an empty line."""
        if self._length:
            self._stream.write(f"\r{' ' * self._length}\r")
            self._stream.flush()
