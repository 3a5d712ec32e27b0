"""The directive `measured`: a plot or a table of a file of benchmarks/results, and a link to the file.

A Sphinx extension. `{measured} KIND FILE`, with a function of this module for each kind. The option `rows` names rows
of the file, between `|`; the text below it is the caption. The kind `table` also has the option `libraries`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import matplotlib.pyplot as plt
from docutils import nodes
from docutils.parsers.rst import directives
from drawing import drawing, to_html
from sphinx.addnodes import download_reference
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
_OURS = ("cuda:0", "wgpu:vulkan:0", "opencl:0", "cpu:0")
_ON_HOST = ("NumPy", "numba")  # beside a GPU their bars cannot be seen
_MARKS = "osD^v*PX"


def draw_lines(results: dict[str, Any], rows: Sequence[str]) -> None:
    """The figures of one row by size, a line for each device and library."""
    (what,) = rows
    found = sorted((row for row in results["rows"] if row["what"] == what), key=lambda row: row["size"])
    for number, name in enumerate(_libraries(found)):
        points = [(row["size"], row["figures"][name]) for row in found if name in row["figures"]]
        plt.plot(*zip(*points, strict=True), marker=_MARKS[number], markersize=4, label=_name(name))
    plt.xscale("log", base=2)
    plt.yscale("log")
    plt.xlabel("elements")
    plt.ylabel(found[0]["unit"])
    plt.grid()
    plt.legend()


def draw_bars(results: dict[str, Any], rows: Sequence[str]) -> None:
    """The figures of some rows at their largest size, a bar for each device and library."""
    largest = {row["what"]: row for row in sorted(results["rows"], key=lambda row: row["size"]) if row["what"] in rows}
    chosen = [largest[what] for what in rows]
    names = [name for name in _libraries(chosen) if name not in _ON_HOST]
    for number, name in enumerate(names):
        places = [place - 0.4 + 0.8 * (number + 0.5) / len(names) for place in range(len(chosen))]
        plt.bar(places, [row["figures"].get(name, 0) for row in chosen], 0.8 / len(names), label=_name(name))
    plt.xticks(range(len(rows)), [_short(what) for what in rows])
    plt.ylabel(chosen[0]["unit"])
    plt.grid(axis="y")
    plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))


def draw_ratios(results: dict[str, Any], rows: Sequence[str]) -> None:
    """The speed of gpucore / that of the fastest peer by the size of square products, a line for each row."""
    for number, what in enumerate(rows):
        squares = [row for row in results["rows"] if row["what"] == what and len(set(row["size_text"].split("x"))) == 1]
        points = sorted((row["size"], row["ratio"]) for row in squares)
        plt.plot(*zip(*points, strict=True), marker=_MARKS[number], markersize=4, label=what)
    plt.axhline(1, color="C7", linewidth=1)
    plt.xscale("log", base=2)
    plt.yscale("log", base=2)
    plt.yticks(ticks := [0.5, 1, 2, 4, 8], [str(tick) for tick in ticks])
    plt.xlabel("rows = columns")
    plt.ylabel("speed / that of cuBLAS")
    plt.grid()
    plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))


def draw_peers(results: dict[str, Any], _rows: Sequence[str]) -> None:
    """The time of each peer / that of the cpu plugin on one thread: a line for each workload, a dot for each peer."""
    chosen = [row for row in results["rows"] if row["threads"] == 1 and row["ratios"]][::-1]
    plt.gcf().set_size_inches(7.0, 0.5 + 0.19 * len(chosen))
    for number, peer in enumerate(("numpy", "numba", "numba fastmath", "pocl")):
        points = [(row["ratios"][peer], place) for place, row in enumerate(chosen) if peer in row["ratios"]]
        ratios, places = zip(*points, strict=True)
        plt.scatter(ratios, places, s=18, marker=_MARKS[number], label=peer, zorder=3)
    plt.axvline(1, color="C7", linewidth=1)
    plt.xscale("log", base=2)
    plt.xticks(ticks := [1 / 4, 1, 4, 16, 64], [f"{tick:g}" for tick in ticks])
    plt.yticks(range(len(chosen)), [row["name"] for row in chosen], fontsize="small")
    plt.xlabel("time of the peer / time of gpucore")
    plt.grid()
    plt.legend(loc="lower right")


def draw_steps(results: dict[str, Any], _rows: Sequence[str]) -> None:
    """The speed of each version of a product, from the first step on."""
    rows = [row for row in results["rows"] if "variant" in row][::-1]
    bars = plt.barh([row["variant"] for row in rows], [row["TFLOP/s"] for row in rows])
    plt.bar_label(bars, [f"{row['TFLOP/s']:.3g}" for row in rows], padding=4)
    plt.xlabel("TFLOP/s")


def table_of(results: dict[str, Any], rows: Sequence[str], libraries: Sequence[str]) -> nodes.table:
    """The figures of some rows at their largest size: a line for each row, a column for each library."""
    largest = {row["what"]: row for row in sorted(results["rows"], key=lambda row: row["size"])}
    lines = [["", *map(_name, libraries)]]
    for what in rows:
        figures = largest[what]["figures"]
        lines.append([_short(what), *(f"{figures[name]:.0f}" if name in figures else "" for name in libraries)])
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in lines[0]), cols=len(lines[0]))
    for part, of_part in ((nodes.thead, lines[:1]), (nodes.tbody, lines[1:])):
        cells = [[nodes.entry("", nodes.paragraph("", text)) for text in line] for line in of_part]
        group += part("", *(nodes.row("", *line) for line in cells))
    return nodes.table("", group)


def _short(what: str) -> str:
    return what.removesuffix(", back to back")


def _libraries(rows: Sequence[dict[str, Any]]) -> list[str]:
    """gpucore's devices first, then the others."""
    names = dict.fromkeys(name for row in rows for name in row["figures"])
    return sorted(names, key=lambda name: _OURS.index(name) if name in _OURS else len(_OURS))


def _name(library: str) -> str:
    return f"gpucore, {library.partition(':')[0]}" if library in _OURS else library.partition(" ")[0]


KINDS: dict[str, Callable[[dict[str, Any], Sequence[str]], None]] = {
    "lines": draw_lines, "bars": draw_bars, "ratios": draw_ratios, "peers": draw_peers, "steps": draw_steps,
}  # fmt: skip


class Measured(SphinxDirective):
    """`{measured} KIND FILE`."""

    required_arguments = 2
    has_content = True
    option_spec: ClassVar = {"rows": directives.unchanged_required, "libraries": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        kind, name = self.arguments
        file = RESULTS / name
        self.env.note_dependency(str(file))
        caption = " ".join(self.content)
        rows = self._names("rows")
        results = json.loads(file.read_text(encoding="utf-8"))
        if kind == "table":
            shown: nodes.Node = table_of(results, rows, self._names("libraries"))
        else:
            with drawing(f"{kind}-{name}"):
                KINDS[kind](results, rows)
                shown = nodes.raw("", to_html(caption), format="html")
        target = download_reference("", "", nodes.literal(name, name))
        target["refdoc"], target["reftarget"] = self.env.docname, f"/../benchmarks/results/{name}"
        return [nodes.container("", shown, nodes.paragraph("", caption + " ", target), classes=["measured"])]

    def _names(self, option: str) -> list[str]:
        return [name.strip() for name in self.options.get(option, "").split("|") if name.strip()]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("measured", Measured)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
