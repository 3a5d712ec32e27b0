"""gpucore bench: progress, Ctrl-C, terminals and plots."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from gpucore.bench import session
from gpucore.bench.case import Sizes
from gpucore.bench.cases import COPY, SIZES, cases_of
from gpucore.bench.libraries import BACK_TO_BACK, RECORDED, WITH_THE_WAIT
from gpucore.bench.plot import plot
from gpucore.bench.session import Row
from gpucore.bench.sorts import DISTRIBUTIONS
from gpucore.cli import main

QUICK = ("--quick", "--device", "simulator", "--rounds", "1")


@pytest.fixture(autouse=True)
def no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if NumPy were the only other library. Rows take few rounds."""
    monkeypatch.setattr(session, "_QUICK_LIMIT", 0.05)
    monkeypatch.setitem(SIZES, COPY, Sizes(*[(1 << 10,)] * 3))
    for module in ("cupy", "torch", "numba"):
        monkeypatch.setitem(sys.modules, module, None)


# ---------------------------------------------------------------- progress and Ctrl-C


def interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes while the third row is measured."""
    rounds, count = session.interleave, 0

    def interrupted(*args: Any, **options: Any) -> Any:
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt
        return rounds(*args, **options)

    monkeypatch.setattr(session, "interleave", interrupted)


def test_ctrl_c_shows_and_writes_what_was_measured(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    interrupt(monkeypatch)
    file = tmp_path / "figures.json"
    shown = run("bench", "matmul", "elementwise", *QUICK, "--json", file)
    assert (shown.code, shown.err) == (130, "interrupted\n")
    assert "matmul f32" in shown.out and "a*x + y" not in shown.out
    assert [row["benchmark"] for row in json.loads(file.read_text())["rows"]] == [COPY, "matmul"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_narrow_terminal_loses_no_cell(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich")
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["bench", "scan", *QUICK]) == 0
    words = re.sub(r"\x1b\[[\d;]*m", "", stream.getvalue()).partition("gpucore ")[0].split()
    assert {"what", "size", "unit", "ratio", "u32", "2^10", "GB/s"} <= set(words)
    figures, shares = 3 + 2 * (2 * 3 - 2), 2 * (2 * 2 - 1)  # NumPy has no exclusive scan
    assert sum(re.fullmatch(r"[\d.,]*\d", word) is not None for word in words) == figures
    assert sum(re.fullmatch(r"\d+%", word) is not None for word in words) == shares


def test_the_bar_is_drawn_on_a_terminal(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stderr", stream)
    shown = run("bench", "matmul", "elementwise", *QUICK)
    assert shown.code == 0 and "\r" not in shown.out
    pieces = [piece.strip() for piece in stream.getvalue().split("\r")]
    assert f"[{'#' * 24}] 3/3 a*x + y, f32 2^10" in pieces and pieces[-1] == ""


# ---------------------------------------------------------------- plots


def test_without_matplotlib_nothing_is_measured(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    shown = run("bench", "reduce", *QUICK, "--plot", tmp_path / "x.png")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err == ("error: plots need matplotlib, which is not installed; pip install --upgrade matplotlib\n")


def test_a_figure_for_each_benchmark(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    shown = run("bench", "transfer", "launch", *QUICK, "--plot", tmp_path / "x.svg")
    assert shown.code == 0
    files = [tmp_path / "x-transfer.svg", tmp_path / "x-launch.svg"]
    assert shown.err.splitlines() == [f"wrote {file}" for file in files]
    lines, bars = (file.read_text() for file in files)
    for word in (
        "host to device, pageable",
        "device to host, pageable",
        "GB/s (more is better)",
        "4 KiB",
        "simulator:0",
    ):
        assert f"<!-- {word} -->" in lines
    for word in ("us (less is better)", "launch and wait", "NumPy"):
        assert f"<!-- {word} -->" in bars
    shown = run("bench", "elementwise", *QUICK, "--plot", tmp_path / "y.png")
    assert (shown.code, shown.err) == (0, f"wrote {tmp_path / 'y.png'}\n")
    assert (tmp_path / "y.png").read_bytes().startswith(b"\x89PNG")


def test_sorts_are_lines_and_distributions_are_bars(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = []
    for case in (case for size in (1 << 18, 1 << 20) for case in cases_of("sort", size)):
        for ending in ("", BACK_TO_BACK, RECORDED, WITH_THE_WAIT) if "on the device" in case.what else ("",):
            seconds = {name: {"median": each * case.size} for name, each in (("cuda:0", 2e-11), ("CUB", 2.5e-11))}
            rows.append(Row("sort", case.what + ending, case.size, case.size_text, case.unit, case.amount, seconds))
    assert plot(rows, ["cuda:0", "CUB"], tmp_path / "x.svg") == [tmp_path / "x.svg"]
    drawn = re.findall("<!-- (.*) -->", (tmp_path / "x.svg").read_text())
    titles = [word for word in drawn if word.startswith(("sort ", "distributions"))]
    assert titles == [
        "sort u32 on the device", "sort pairs of u32 on the device",
        "sort u32 on the device, back to back", "sort pairs of u32 on the device, back to back",
        "sort u32 on the device, recorded", "sort pairs of u32 on the device, recorded",
        "sort u32 on the device, with the wait", "sort pairs of u32 on the device, with the wait",
        "sort u32 from NumPy to NumPy", "distributions of 2^20 keys",
    ]  # fmt: skip
    assert {"random", *DISTRIBUTIONS, "cuda:0", "CUB", "Gkeys/s (more is better)", "50", "40"} <= {*drawn}
    assert "Mkeys/s" not in "".join(drawn)


def test_ctrl_c_plots_what_was_measured(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    interrupt(monkeypatch)
    shown = run("bench", "matmul", "elementwise", *QUICK, "--plot", tmp_path / "x.svg")
    assert (shown.code, shown.err) == (130, f"wrote {tmp_path / 'x.svg'}\ninterrupted\n")
    assert "<!-- matmul f32 -->" in (tmp_path / "x.svg").read_text()


def test_files_that_cannot_be_written_are_refused_before_measuring(run: Any, tmp_path: Path) -> None:
    shown = run("bench", "reduce", *QUICK, "--json", tmp_path / "nowhere" / "x.json")
    assert (shown.code, shown.out) == (2, "") and "there is no folder" in shown.err
    shown = run("bench", "reduce", *QUICK, "--plot", "-")
    assert (shown.code, shown.out) == (2, "") and "--plot bench.png" in shown.err


def test_kinds_of_files_that_matplotlib_does_not_write_are_refused(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    shown = run("bench", "reduce", *QUICK, "--plot", tmp_path / "x.jpeg2000")
    assert (shown.code, shown.out) == (2, "") and "matplotlib writes " in shown.err
