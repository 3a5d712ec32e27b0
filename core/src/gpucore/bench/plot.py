"""Figures of what was measured, one for each benchmark, with matplotlib (the extra `plot`).

A figure has a diagram for each kind of work: rates over sizes, with a line for each library. Benchmarks of one size are
bars, and so are the distributions of keys at the largest size. Products are ratios: lines for squares, bars for others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gpucore.bench.cases import COPY
from gpucore.bench.libraries import BACK_TO_BACK, RECORDED, WITH_THE_WAIT
from gpucore.bench.session import Row
from gpucore.bench.sorts import FROM_NUMPY, OF_A_DISTRIBUTION, OF_PAIRS, ON_THE_DEVICE
from gpucore.errors import ArgumentError
from gpucore.runtime.plugins.records import install_command

_AXES = {
    "transfer": "bytes", "sort": "keys", "matmul": "rows and columns", "elementwise": "elements",
    "reduce": "elements", "scan": "elements", "histogram": "elements", "compact": "elements", "stream": "elements",
}  # fmt: skip
"""What the sizes of a benchmark count. Others have one size, and are drawn as bars."""
_DRAWN = {"Mkeys/s": ("Gkeys/s", 1e-3)}
"""Units of rows -> those of diagrams, and the factor."""
_LINEAR = {ON_THE_DEVICE, OF_PAIRS}
"""Rates that have a linear axis: it shows how large numbers differ; those beside them in other rows small ones."""
_MARKERS = "os^vD*Pp<>"
_WIDTH, _HEIGHT = 7.0, 4.5  # inches of a diagram
_COLUMNS = 3  # of diagrams; two where these would be more than three rows
_TICKS = 12  # at most, of an axis
_BAR = 0.8  # of the distance between two groups of bars
_PRODUCTS = "products"


def check_plot(path: Path) -> None:
    """Raises ArgumentError if matplotlib is not installed, or does not write files of that kind."""
    if find_spec("matplotlib") is None:
        raise ArgumentError(f"plots need matplotlib, which is not installed; {install_command('matplotlib')}")
    kinds = _new_figure(1).canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in kinds:
        raise ArgumentError(f"{path} cannot be written: matplotlib writes {', '.join(f'.{kind}' for kind in kinds)}")


def plot(rows: Sequence[Row], names: Sequence[str], path: Path, own: Sequence[str] = ()) -> list[Path]:
    """Write a figure for each benchmark, and return the files: `path` for one benchmark, else with the benchmark's name
    before the suffix. `names` are the libraries in the order of the table, `own` those of gpucore."""
    benchmarks = list(dict.fromkeys(row.benchmark for row in rows if row.benchmark != COPY))
    written = []
    for benchmark in benchmarks:
        file = path if len(benchmarks) == 1 else path.with_name(f"{path.stem}-{benchmark}{path.suffix}")
        chosen = [row for row in rows if row.benchmark == benchmark]
        shown = [name for name in names if any(row.figure(name) is not None for row in chosen)]
        if benchmark == _PRODUCTS:
            figure = _plot_products(chosen, own)
        else:
            figure = _plot_lines(chosen, shown) if benchmark in _AXES else _plot_bars(chosen, shown)
        try:
            figure.savefig(file)
        except OSError as error:
            raise ArgumentError(f"{file} cannot be written: {error.strerror or error}") from error
        written.append(file)
    return written


def _new_figure(columns: int, rows: int = 1) -> Any:
    """A figure with no window."""
    return import_module("matplotlib.figure").Figure(
        figsize=(_WIDTH * columns, _HEIGHT * rows), layout="constrained", dpi=120, facecolor="white"
    )


def _plot_lines(rows: Sequence[Row], names: Sequence[str]) -> Any:
    """A diagram for each kind of work; the last one has the distributions of keys."""
    distributions = _distributions(rows)
    left = [row for row in rows if not row.what.startswith(OF_A_DISTRIBUTION)]
    whats = sorted(dict.fromkeys(row.what for row in left), key=_order)
    count = len(whats) + bool(distributions)
    columns = min(count, _COLUMNS if count <= _COLUMNS else 2)
    figure = _new_figure(columns, -(-count // columns))
    diagrams = figure.subplots(-(-count // columns), columns, squeeze=False).flat
    for what in whats:
        _draw_lines(next(diagrams), [row for row in left if row.what == what], names)
    if distributions:
        axes = next(diagrams)
        _draw_bars(axes, distributions, names)
        axes.set_title(f"distributions of {distributions[0][1].size_text} keys")
    for axes in diagrams:
        axes.remove()
    return figure


_ENDS = (1, BACK_TO_BACK), (2, RECORDED), (3, WITH_THE_WAIT)


def _order(what: str) -> int:
    """Keys beside pairs: in the order of the times."""
    if what == FROM_NUMPY:
        return 4
    return next((place for place, end in _ENDS if what.endswith(end)), 0)


def _draw_lines(axes: Any, rows: Sequence[Row], names: Sequence[str]) -> None:
    """Rates over sizes, on logarithmic scales but for those in _LINEAR."""
    unit, factor = _DRAWN.get(rows[0].unit.name, (rows[0].unit.name, 1.0))
    for number, name in enumerate(names):
        points = [(row.size, figure * factor) for row in rows if (figure := row.figure(name)) is not None]
        if points:
            axes.plot(*zip(*points, strict=True), marker=_MARKERS[number % len(_MARKERS)], markersize=5,
                      color=f"C{number}", label=name)  # fmt: skip
    axes.set_xscale("log", base=2)
    if rows[0].what not in _LINEAR:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(import_module("matplotlib.ticker").LogLocator(subs=(1, 2, 5), numticks=15))
    shown = rows[:: -(-len(rows) // _TICKS)]
    axes.set_xticks([row.size for row in shown], [row.size_text for row in shown])
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.set(title=rows[0].what, xlabel=_AXES[rows[0].benchmark], ylabel=f"{unit} (more is better)")
    axes.grid(alpha=0.3)
    axes.legend()


def _distributions(rows: Sequence[Row]) -> list[tuple[str, Row]]:
    """The distributions of keys at the largest size, the random one first."""
    found = [row for row in rows if row.what.startswith(OF_A_DISTRIBUTION)]
    size = max((row.size or 0 for row in found), default=0)
    random = [("random", row) for row in rows if row.what == ON_THE_DEVICE and row.size == size]
    return random + [(row.what.removeprefix(OF_A_DISTRIBUTION), row) for row in found if row.size == size]


def _plot_bars(rows: Sequence[Row], names: Sequence[str]) -> Any:
    """One diagram with a group of bars for each row."""
    figure = _new_figure(1)
    figure.set_figheight(max(_HEIGHT, 0.25 * len(rows) * (len(names) + 1)))
    axes = figure.subplots()
    _draw_bars(axes, [(row.what, row) for row in rows], names)
    axes.set_title(rows[0].benchmark)
    return figure


def _draw_bars(axes: Any, groups: Sequence[tuple[str, Row]], names: Sequence[str]) -> None:
    """A group of horizontal bars for each row, under its title."""
    unit = groups[0][1].unit
    unit_name, factor = _DRAWN.get(unit.name, (unit.name, 1.0))
    height = _BAR / len(names)
    for number, name in enumerate(names):
        places = [
            (index + height * (number - (len(names) - 1) / 2), figure * factor)
            for index, (_, row) in enumerate(groups)
            if (figure := row.figure(name)) is not None
        ]
        if places:
            bars = axes.barh(*zip(*places, strict=True), height, color=f"C{number}", label=name)
            axes.bar_label(bars, fmt="%.3g", padding=3, fontsize=7)
    axes.set_yticks(range(len(groups)), [title for title, _ in groups])
    axes.invert_yaxis()
    axes.set(xlabel=f"{unit_name} ({'more' if unit.is_rate else 'less'} is better)")
    axes.margins(x=0.4)  # beside the bars: the legend
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower right")


# ---------------------------------------------------------------- products


def _plot_products(rows: Sequence[Row], own: Sequence[str]) -> Any:
    """Two diagrams, of squares and of other shapes, with the ratio to the fastest peer in each way; where no peer was
    measured, with the rate of the fastest device."""
    has_ratio = any(row.ratio(own) is not None for row in rows)
    squares = [row for row in rows if row.size_text == str(row.size)]
    others = [row for row in rows if row not in squares]
    parts = [(draw, part) for draw, part in ((_draw_squares, squares), (_draw_shapes, others)) if part]
    figure = _new_figure(len(parts))
    figure.set_figheight(max(_HEIGHT, 0.16 * len(others)))
    label = "time of the fastest peer / that of gpucore" if has_ratio else rows[0].unit.name
    for axes, (draw, part) in zip(figure.subplots(1, len(parts), squeeze=False).flat, parts, strict=True):
        values: dict[str, dict[str, float]] = {}  # by way and shape
        for row in part:
            value = row.ratio(own) if has_ratio else row.figure(row.fastest(own))
            if value is not None:
                values.setdefault(row.what, {})[row.size_text] = value
        draw(axes, values, list(dict.fromkeys(row.size_text for row in part)), f"{label} (more is better)")
        if has_ratio:
            (axes.axhline if draw is _draw_squares else axes.axvline)(1.0, color="0.4", linestyle="--", zorder=0)
        axes.legend(fontsize=8)
    return figure


_Values = Mapping[str, Mapping[str, float]]


def _draw_squares(axes: Any, values: _Values, shapes: Sequence[str], label: str) -> None:
    for number, (way, found) in enumerate(values.items()):
        axes.plot([shapes.index(shape) for shape in found], [*found.values()], color=f"C{number}", label=way,
                  marker=_MARKERS[number % len(_MARKERS)], markersize=5)  # fmt: skip
    axes.set_xticks(range(len(shapes)), shapes)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_locator(import_module("matplotlib.ticker").LogLocator(base=2, subs=(1, 1.5), numticks=15))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.set(title="squares", xlabel="rows and columns", ylabel=label)
    axes.grid(alpha=0.3)


def _draw_shapes(axes: Any, values: _Values, shapes: Sequence[str], label: str) -> None:
    height = _BAR / max(len(values), 1)
    for number, (way, found) in enumerate(values.items()):
        places = [shapes.index(shape) + height * (number - (len(values) - 1) / 2) for shape in found]
        bars = axes.barh(places, [*found.values()], height, color=f"C{number}", label=way)
        axes.bar_label(bars, fmt="%.2f", padding=3, fontsize=7)
    axes.set_yticks(range(len(shapes)), shapes)
    axes.invert_yaxis()
    axes.set(title="other shapes, m x k x n", xlabel=label)
    axes.margins(x=0.25)  # beside the bars: the legend
    axes.grid(axis="x", alpha=0.3)
