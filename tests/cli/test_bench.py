"""gpucore bench: what it measures, verifies, leaves out and writes. How fast anything is is no test's business."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_backend import FakeBackend

from gpucore.bench import cub, first_calls, session
from gpucore.bench.case import Sizes
from gpucore.bench.cases import COPY, SIZES
from gpucore.bench.session import BENCHMARKS
from gpucore.device import Device
from gpucore.runtime import DeviceKind
from gpucore.timing import Timer

QUICK = ("--quick", "--device", "simulator", "--rounds", "1")
FAKES = Path(__file__).parent / "fake_peers"  # modules like PyTorch and CuPy


@pytest.fixture(autouse=True)
def no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if NumPy were the only other library. Rows take few rounds."""
    monkeypatch.setattr(session, "_QUICK_LIMIT", 0.05)
    monkeypatch.setitem(SIZES, COPY, Sizes(*[(1 << 10,)] * 3))
    for module in ("cupy", "torch", "numba"):
        monkeypatch.setitem(sys.modules, module, None)


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """`torch(text)`: the fake PyTorch, with the text at its end, is installed."""

    def install(text: str = "") -> None:
        (tmp_path / "torch.py").write_text((FAKES / "fake_torch.py").read_text() + text)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "torch")

    yield install
    sys.modules.pop("torch", None)


def figure_of(row: dict[str, Any], seconds: float) -> float:
    """The figure that a time of a row means."""
    size = row["size"]
    match row["benchmark"]:
        case "launch":
            return seconds * 1e6
        case "compile":
            return seconds * 1e3
        case "sort":
            return float(size / seconds / 1e6)
        case "matmul":
            return float(2 * size**3 / seconds / 1e9)
    return float(moved(row) / seconds / 1e9)


def moved(row: dict[str, Any]) -> float:
    """The bytes that a row must move, for each element."""
    words = {"y = a*x + y, f32": 3, "copy, f32": 2, "sum in grid strides, f32": 1}
    each = {
        "transfer": 1, "copy": 8, "sort": 16 if "pairs" in row["what"] else 8, "elementwise": 12, "reduce": 4,
        "scan": 8, "histogram": 4, "compact": 7, "stream": 4 * words.get(row["what"].removesuffix(", back to back"), 0),
    }  # fmt: skip
    return float(each[row["benchmark"]] * row["size"])


def rows_of(document: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of the copy, and the others."""
    rows = document["rows"]
    return [row for row in rows if row["benchmark"] == COPY], [row for row in rows if row["benchmark"] != COPY]


# ---------------------------------------------------------------- figures


UNITS = {"launch": "us", "compile": "ms", "sort": "Mkeys/s", "matmul": "GFLOP/s"}
WHATS = {
    "launch": 5, "transfer": 2, "compile": 9, "sort": 9, "matmul": 1, "elementwise": 1, "reduce": 8, "scan": 4,
    "histogram": 4, "compact": 2, "stream": 6,
}  # fmt: skip
NO_SHARES = {"launch", "transfer", "compile", "matmul"}
EXCLUSIVE_SCANS = {"exclusive scan u32", "exclusive scan u32, back to back"}
WITHOUT_PEERS = {"launch", "launch, bound", "launch, in a graph of 20"} | EXCLUSIVE_SCANS


@pytest.mark.parametrize("benchmark", [name for name in BENCHMARKS if name != "products"])
def test_each_benchmark_gives_a_table_and_json(run: Any, tmp_path: Path, benchmark: str) -> None:
    file = tmp_path / "figures.json"
    shown = run("bench", benchmark, *QUICK, "--json", file)
    assert (shown.code, shown.err) == (0, ""), shown.out + shown.err
    document = json.loads(file.read_text())
    assert list(document) == ["machine", "peers", "notes", "failures", "rows"]
    assert document["peers"] == {"NumPy": np.__version__} and document["failures"] == []
    assert list(document["machine"]["devices"]) == ["simulator:0"]
    assert document["machine"]["packages"]["numpy"] == np.__version__
    about = json.dumps(document["machine"])
    assert os.sep not in about and f'"{platform.node()}"' not in about
    copies, rows = rows_of(document)
    assert len(copies) == (benchmark not in NO_SHARES)
    assert len({row["what"] for row in rows}) == len(rows) == WHATS[benchmark]
    for row in rows:
        assert row["benchmark"] == benchmark and row["unit"] == UNITS.get(benchmark, "GB/s")
        assert row["figures"].keys() == row["seconds"].keys() and "simulator:0" in row["figures"]
        for name, seconds in row["seconds"].items():
            assert 0 < seconds["min"] <= seconds["median"] <= seconds["max"] and seconds["rounds"] >= 1
            assert row["figures"][name] == pytest.approx(figure_of(row, seconds["median"]))
        medians = {name: seconds["median"] for name, seconds in row["seconds"].items()}
        ratio = medians["NumPy"] / medians["simulator:0"] if "NumPy" in medians else None
        assert row["ratio"] == (None if ratio is None else pytest.approx(ratio))
        assert sum(line.startswith(f"{row['what']}  ") for line in shown.out.splitlines()) == 1
        has_share = benchmark not in NO_SHARES and row["what"] != "sort u32 from NumPy to NumPy"
        assert row["shares"].keys() == (medians.keys() if has_share else set())
        for name, share in row["shares"].items():  # the simulator and NumPy have the same memory
            assert share == pytest.approx(moved(row) / medians[name] / 1e9 / max(copies[0]["figures"].values()))
    has_peer = {row["what"] for row in rows if row["ratio"]}
    assert has_peer == {row["what"] for row in rows} - WITHOUT_PEERS - {
        row["what"] for row in rows if benchmark == "compile"
    }


def test_json_on_standard_output_is_all_there_is(run: Any) -> None:
    shown = run("bench", "reduce", "elementwise", "reduce", *QUICK, "--json", "-")
    assert (shown.code, shown.err) == (0, "")
    assert [row["benchmark"] for row in json.loads(shown.out)["rows"]] == [COPY, *["reduce"] * 8, "elementwise"]


def test_all_devices_are_measured_but_the_simulator(run: Any, register: Any) -> None:
    assert run("bench", "reduce", "--quick", "--rounds", "1", "--device", "all").code == 3
    register(FakeBackend("first"))
    register(FakeBackend("second"))
    shown = run("bench", "reduce", "--quick", "--rounds", "1", "--device", "all", "first:0", "--json", "-")
    assert list(json.loads(shown.out)["machine"]["devices"]) == ["first:0", "second:0"]


def test_names_and_help(run: Any) -> None:
    shown = run("bench", "sorting")
    assert shown.code == 2 and f"there is no benchmark 'sorting'; choose from {', '.join(BENCHMARKS)}" in shown.err
    shown = run("bench", "--help")
    assert shown.code == 0
    for name, text in BENCHMARKS.items():
        assert any(line.split() == [name, *text.split()] for line in shown.out.splitlines())


# ---------------------------------------------------------------- peers


def test_a_peer_that_is_found_is_measured(run: Any, torch: Any) -> None:
    torch()
    names = [name for name in BENCHMARKS if name not in ("compile", "stream", "products")]
    shown = run("bench", *names, *QUICK, "--json", "-")
    document = json.loads(shown.out)
    assert (shown.code, document["failures"]) == (0, [])
    assert document["peers"] == {"NumPy": np.__version__, "PyTorch cpu": "1.2.3"}
    without_cub = "CUB is not measured: CuPy, whose arrays it takes, is not measured"
    assert document["notes"] == ["CuPy is not installed", "numba is not installed", without_cub]
    for row in document["rows"]:
        medians = {name: seconds["median"] for name, seconds in row["seconds"].items()}
        assert ("PyTorch cpu" in medians) == ("NumPy" in medians and "histogram u32" not in row["what"])
        if "PyTorch cpu" in medians:
            fastest = min(medians["NumPy"], medians["PyTorch cpu"])
            assert row["ratio"] == pytest.approx(fastest / medians["simulator:0"])


def test_cupy_is_measured_beside_a_gpu(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cupy.py").write_text((FAKES / "fake_cupy.py").read_text())
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "cupy")
    monkeypatch.setenv("CUPY_TF32", "1")
    monkeypatch.setattr(cub, "find_nvcc", lambda: None)
    names = "launch", "transfer", "elementwise", "scan"
    try:
        document = json.loads(run("bench", "elementwise", *QUICK, "--json", "-").out)
        assert "CuPy is not measured: it runs on none of these devices" in document["notes"]
        monkeypatch.setattr(Device, "kind", DeviceKind.GPU)  # the simulator is one now: its own clock is read
        shown = run("bench", *names, *QUICK, "--json", "-")
    finally:
        sys.modules.pop("cupy", None)
    document = json.loads(shown.out)
    assert (shown.code, document["failures"], os.environ["CUPY_TF32"]) == (0, [], "0")
    measured = {row["what"]: row["seconds"].get("CuPy", {}).get("median") for row in document["rows"]}
    assert {what for what, seconds in measured.items() if not seconds} == WITHOUT_PEERS - {"launch"}
    assert {measured[what] for what in ("a*x + y, f32", "cumsum u32")} == {0.25}
    assert "CUB is not measured: nvcc, which compiles it, is not on the PATH" in "".join(document["notes"])


def test_libraries_of_the_processor_sort_the_hosts_array_without_a_copy(run: Any, torch: Any) -> None:
    torch("def tensor(values, device): raise RuntimeError('a copy')")
    document = json.loads(run("bench", "sort", *QUICK, "--json", "-").out)
    assert "PyTorch cpu: sort u32 on the device 2^8 is not measured: RuntimeError: a copy" in document["notes"]
    assert [row["what"] for row in document["rows"] if "PyTorch cpu" in row["figures"]] == [
        "sort u32 from NumPy to NumPy"
    ]


def test_no_time_by_the_clock_of_a_device_gives_no_figure(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Device, "kind", DeviceKind.GPU)
    monkeypatch.setattr(Timer, "seconds", 0.0)
    file = tmp_path / "figures.json"
    shown = run("bench", "elementwise", *QUICK, "--json", file)
    assert shown.code == 0
    _, (row,) = rows_of(json.loads(file.read_text()))
    assert (row["figures"]["simulator:0"], row["ratio"]) == (None, None) and row["figures"]["NumPy"] > 0
    assert row["shares"]["simulator:0"] is None and row["shares"]["NumPy"] > 0
    (line,) = (line.split() for line in shown.out.splitlines() if line.startswith("a*x + y"))
    assert (line[6], line[-1]) == ("-", "-")


def test_peers_that_are_missing_are_named(run: Any) -> None:
    shown = run("bench", "elementwise", *QUICK)
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert [line for line in lines if "is not" in line] == [
        "CuPy is not installed", "PyTorch is not installed", "numba is not installed",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("raise OSError('no driver')", "PyTorch cannot be used: OSError: no driver"),
        ("import nonsense", "PyTorch cannot be imported: ModuleNotFoundError: No module named 'nonsense'"),
        (
            "def add(y, x, alpha): raise RuntimeError('too large')",
            "PyTorch cpu: a*x + y, f32 2^10 is not measured: RuntimeError: too large",
        ),
    ],
)  # fmt: skip
def test_a_peer_that_fails_is_left_out(run: Any, torch: Any, text: str, note: str) -> None:
    torch(text)
    shown = run("bench", "elementwise", *QUICK, "--json", "-")
    document = json.loads(shown.out)
    assert shown.code == 0 and note in document["notes"]
    assert document["rows"][-1]["figures"].keys() == {"simulator:0", "NumPy"}


@pytest.mark.parametrize("alone", [False, True])
def test_a_peer_that_fails_while_it_is_timed_is_left_out(
    run: Any, torch: Any, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    torch("""
calls = []
def add(y, x, alpha):
    calls.append(1)
    if len(calls) > 2:
        raise MemoryError("no memory is left")
    return Tensor(y.values + np.float32(alpha) * x.values)
""")
    monkeypatch.setattr(session, "_ALONE", 0 if alone else 1 << 40)  # each library in rounds of its own
    document = json.loads(run("bench", "elementwise", *QUICK, "--json", "-").out)
    assert "PyTorch cpu: a*x + y, f32 2^10 is not measured: MemoryError: no memory is left" in document["notes"]
    assert document["rows"][-1]["figures"].keys() == {"simulator:0", "NumPy"}


@pytest.mark.parametrize(
    ("benchmark", "what", "text"),
    [
        ("sort", "sort u32 on the device 2^8", "sort = lambda x: (x, None)"),
        ("matmul", "matmul f32 16", "matmul = lambda a, b: Tensor(a.values @ b.values * np.float32(1.001))"),
        ("elementwise", "a*x + y, f32 2^10", "add = lambda y, x, alpha: Tensor(y.values - alpha * x.values)"),
        ("reduce", "sum f32 2^10", "sum = lambda x, dtype=None: Tensor(x.values[1:].sum() + 9)"),
        ("reduce", "gp.argmin f32 2^10", "argmin = lambda x: Tensor(x.values.argmax())"),
        ("scan", "cumsum u32 2^10", "cumsum = lambda x, axis, dtype: x"),
        ("histogram", "bincount u32, 256 bins 2^10", "bincount = lambda x, minlength: Tensor(np.arange(256))"),
        ("compact", "compact u32, half of them 2^10", "Tensor.__getitem__ = lambda self, mask: self"),
        ("sort", "sort pairs of u32 on the device 2^8", "sort = lambda x: (Tensor(np.sort(x.values)), x)"),
        ("launch", "launch and wait 1000", "Tensor.add_ = lambda self, other, alpha: None"),
        ("transfer", "host to device, pageable 4 KiB", "Tensor.copy_ = lambda self, other: None"),
    ],
)
def test_a_wrong_result_is_an_error_and_is_not_timed(
    run: Any, torch: Any, tmp_path: Path, benchmark: str, what: str, text: str
) -> None:
    torch(text)
    file = tmp_path / "figures.json"
    shown = run("bench", benchmark, *QUICK, "--json", file)
    assert shown.code == 1
    assert any(line.startswith(f"FAILED  PyTorch cpu: {what} is wrong: ") for line in shown.out.splitlines())
    rows = [row for row in json.loads(file.read_text())["rows"] if what.startswith(row["what"])]
    assert rows and all("PyTorch cpu" not in row["figures"] and "simulator:0" in row["figures"] for row in rows)


def test_a_wrong_result_of_a_device_is_an_error(run: Any, register: Any) -> None:
    register(FakeBackend("idle"))  # accepts every kernel and computes nothing
    shown = run(
        "bench", "sort", "matmul", "elementwise", "reduce", "launch", "--quick", "--rounds", "1", "--device", "idle"
    )
    assert shown.code == 1
    for what in ("sort u32 on the device 2^10", "matmul f32 256", "a*x + y, f32 2^18", "sum f32 2^18", "launch 1000"):
        assert f"FAILED  idle:0: {what} is wrong: " in shown.out


def test_wrong_first_calls_are_an_error(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"saxpy": (0.1, ""), "sort": (0.2, "it is not sorted"), "matmul": (0.3, "")}
    monkeypatch.setattr(session, "run_processes", lambda device: dict.fromkeys(session.CACHES, calls))
    shown = run("bench", "compile", *QUICK)
    assert shown.code == 1
    assert "FAILED  simulator:0: first sort, no cache, is wrong: it is not sorted" in shown.out.splitlines()
    assert "first saxpy, no cache  " in shown.out and "first sort, no cache  " not in shown.out


def test_a_process_of_first_calls_that_fails_is_told(run: Any, register: Any) -> None:
    register(FakeBackend("here"))  # other processes do not have it
    shown = run("bench", "reduce", "compile", "--quick", "--rounds", "1", "--device", "here")
    assert shown.code == 4
    assert "error: the process that makes the first calls on here:0 ended with status 1: " in shown.err
    assert "FAILED  here:0: sum f32" in shown.out  # what was found so far


def test_where_the_cache_is_empty_those_of_drivers_are_too(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[str, list[bool]]] = []
    names = "GPUCORE_CACHE_DIR", "CUDA_CACHE_PATH", "XDG_CACHE_HOME"

    def process(command: list[str], env: dict[str, str], **options: Any) -> subprocess.CompletedProcess[str]:
        files = [Path(env[name]) / "file" for name in names]
        found.append((env["GPUCORE_CACHE"], [file.exists() for file in files]))
        for file in files:
            file.touch()
        return subprocess.CompletedProcess(command, 0, "first calls: {}\n", "")

    monkeypatch.setattr(first_calls.subprocess, "run", process)
    assert first_calls.run_processes("cpu:0") == {cache: {} for cache in first_calls.CACHES}
    assert found == [("off", [False] * 3), ("on", [False] * 3), ("on", [True] * 3)]


# ---------------------------------------------------------------- what is left out


def test_sizes_that_take_too_long_are_left_out(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIZES, "elementwise", Sizes((), (), (1 << 10, 1 << 11)))
    shown = run("bench", "elementwise", *QUICK, "--json", "-")
    assert [row["size"] for row in rows_of(json.loads(shown.out))[1]] == [1 << 10, 1 << 11]
    monkeypatch.setitem(SIZES, "elementwise", Sizes((), (), (1 << 10, 1 << 11, 1 << 12)))
    monkeypatch.setattr(session, "_QUICK_CALL_LIMIT", 1e-9)
    document = json.loads(run("bench", "elementwise", *QUICK, "--json", "-").out)
    assert [row["size"] for row in rows_of(document)[1]] == [1 << 10]
    notes = [note for note in document["notes"] if note.startswith("simulator:0: ")]
    assert len(notes) == 1
    assert notes[0].startswith("simulator:0: a*x + y, f32 2^11 is not measured: one run would take about ")


def test_the_sizes_that_are_named_are_measured(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIZES, "elementwise", Sizes((), (), (1 << 10, 1 << 11, 1 << 12)))
    shown = run("bench", "elementwise", "launch", "compile", *QUICK, "--json", "-", "--sizes", "2^10", "4096", "2^30")
    document = json.loads(shown.out)
    assert [row["size"] for row in rows_of(document)[1]] == [1 << 10, 1 << 12]
    assert {
        "launch is not measured: it has none of these sizes",
        "compile is not measured: it has none of these sizes",
    } <= {*document["notes"]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--sizes", "2^3"), "no benchmark has one of these sizes; there are matmul 2^8, 2^9, 2^10, 2^11, 2^12"),
        (("--sizes", "2^x"), "a size is a number such as 2^20 or 1048576, not '2^x'"),
        (("--sizes", "-5"), "a size is a number such as 2^20 or 1048576"),
        (("--sizes", "2^99999999"), "a size is a number such as 2^20"),
        (("--rounds", "0"), "the number of rounds is from 1 to 10000, not '0'"),
        (("--limit", "nan"), "a limit is a number of seconds from 0, not 'nan'"),
        (("--limit", "soon"), "a limit is a number of seconds from 0, not 'soon'"),
    ],
)
def test_options_that_mean_nothing_are_refused(run: Any, options: tuple[str, ...], message: str) -> None:
    shown = run("bench", "matmul", "--device", "simulator", *options)
    assert (shown.code, shown.out) == (2, "") and message in shown.err


def test_rounds_and_limit(run: Any) -> None:
    def rounds(*options: object) -> set[int]:
        shown = run("bench", "matmul", "--quick", "--device", "simulator", "--json", "-", *options)
        (row,) = json.loads(shown.out)["rows"]
        return {seconds["rounds"] for seconds in row["seconds"].values()}

    assert rounds("--rounds", 2) == {2}
    assert rounds("--limit", 0) == {3}
    assert rounds("--rounds", 5, "--limit", 100) == {5}


def test_sizes_that_need_too_much_memory_are_left_out(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_physical_memory", lambda: 100_000)
    shown = run("bench", "elementwise", "matmul", *QUICK, "--json", "-")
    document = json.loads(shown.out)
    assert {row["benchmark"] for row in document["rows"]} == {COPY, "elementwise", "matmul"}
    monkeypatch.setattr(session, "_physical_memory", lambda: 40_000)
    shown = run("bench", "elementwise", "matmul", *QUICK, "--json", "-")
    document = json.loads(shown.out)
    assert {row["benchmark"] for row in document["rows"]} == {"matmul"}
    assert "a*x + y, f32 2^10 is not measured: it needs too much memory" in document["notes"]
