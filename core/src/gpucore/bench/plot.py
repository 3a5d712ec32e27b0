"""Figures of what was measured, one for each benchmark, with matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gpucore.bench.cases import COPY
from gpucore.bench.session import Row
from gpucore.errors import ArgumentError
from gpucore.runtime.plugins.records import install_command

_AXES = {
    "transfer": "bytes", "sort": "keys", "matmul": "rows and columns", "elementwise": "elements",
    "reduce": "elements",
    "stream": "elements",
}  # fmt: skip
"""What the sizes of a benchmark count. Others have one size, and are drawn as bars."""
_MARKERS = "os^vD*Pp<>"
_WIDTH, _HEIGHT = 7.0, 4.5  # inches of a diagram
_BAR = 0.8  # of the distance between two groups of bars


def check_plot(path: Path) -> None:
    """Raises ArgumentError if matplotlib is not installed, or does not write files of that kind."""
    if find_spec("matplotlib") is None:
        raise ArgumentError(f"plots need matplotlib, which is not installed; {install_command('matplotlib')}")
    kinds = _new_figure(1).canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in kinds:
        raise ArgumentError(f"{path} cannot be written: matplotlib writes {', '.join(f'.{kind}' for kind in kinds)}")


def plot(rows: Sequence[Row], names: Sequence[str], path: Path) -> list[Path]:
    """Write a figure for each benchmark, and return the files: `path` for one benchmark, else with the benchmark's name
    before the suffix. `names` are the libraries in the order of the table."""
    benchmarks = list(dict.fromkeys(row.benchmark for row in rows if row.benchmark != COPY))
    written = []
    for benchmark in benchmarks:
        file = path if len(benchmarks) == 1 else path.with_name(f"{path.stem}-{benchmark}{path.suffix}")
        chosen = [row for row in rows if row.benchmark == benchmark]
        shown = [name for name in names if any(row.figure(name) is not None for row in chosen)]
        figure = _plot_lines(chosen, shown) if benchmark in _AXES else _plot_bars(chosen, shown)
        try:
            figure.savefig(file)
        except OSError as error:
            raise ArgumentError(f"{file} cannot be written: {error.strerror or error}") from error
        written.append(file)
    return written


def _new_figure(diagrams: int) -> Any:
    """A figure with no window."""
    return import_module("matplotlib.figure").Figure(
        figsize=(_WIDTH * diagrams, _HEIGHT), layout="constrained", dpi=120
    )


def _plot_lines(rows: Sequence[Row], names: Sequence[str]) -> Any:
    """A diagram for each kind of work: rates over sizes, both on logarithmic scales."""
    whats = list(dict.fromkeys(row.what for row in rows))
    figure = _new_figure(len(whats))
    for axes, what in zip(figure.subplots(1, len(whats), squeeze=False)[0], whats, strict=True):
        chosen = [row for row in rows if row.what == what]
        for number, name in enumerate(names):
            points = [(row.size, row.figure(name)) for row in chosen if row.figure(name) is not None]
            if points:
                sizes, figures = zip(*points, strict=True)
                axes.plot(sizes, figures, marker=_MARKERS[number % len(_MARKERS)], color=f"C{number}", label=name)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks([row.size for row in chosen], [row.size_text for row in chosen])
        axes.yaxis.set_major_locator(import_module("matplotlib.ticker").LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.set(title=what, xlabel=_AXES[chosen[0].benchmark], ylabel=f"{chosen[0].unit.name} (more is better)")
        axes.grid(alpha=0.3)
        axes.legend()
    return figure


def _plot_bars(rows: Sequence[Row], names: Sequence[str]) -> Any:
    """One diagram with a group of horizontal bars for each row."""
    figure = _new_figure(1)
    figure.set_figheight(max(_HEIGHT, 0.25 * len(rows) * (len(names) + 1)))
    axes = figure.subplots()
    height = _BAR / len(names)
    for number, name in enumerate(names):
        places = [
            (index + height * (number - (len(names) - 1) / 2), row.figure(name))
            for index, row in enumerate(rows)
            if row.figure(name) is not None
        ]
        bars = axes.barh(*zip(*places, strict=True), height, color=f"C{number}", label=name)
        axes.bar_label(bars, fmt="%.3g", padding=3)
    axes.set_yticks(range(len(rows)), [row.what for row in rows])
    axes.invert_yaxis()
    axes.set(title=rows[0].benchmark, xlabel=f"{rows[0].unit.name} (less is better)")
    axes.margins(x=0.1)
    axes.grid(axis="x", alpha=0.3)
    axes.legend()
    return figure
