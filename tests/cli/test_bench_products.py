"""gpucore bench products: each case has figures and errors, wrong products are found, and peers record theirs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.bench import products, session
from gpucore.bench.case import Sizes
from gpucore.bench.cases import SIZES
from gpucore.bench.factors import Factors
from gpucore.bench.products import WAYS, product_cases
from gpucore.bench.session import Row
from gpucore.device import Device
from gpucore.runtime import DeviceKind
from gpucore.tuning import rounds

FAKES = Path(__file__).parent / "fake_peers"
NAMES = [way.name for way in WAYS]
SHAPES = ["8", "7x9x5", "2x4x6x9"]


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small sizes on all devices, few rounds, and NumPy as the only other library."""
    monkeypatch.setattr(session, "_QUICK_LIMIT", 0.02)
    monkeypatch.setitem(SIZES, "products", Sizes(*[(8, 9)] * 4))
    for module in ("cupy", "torch", "numba"):
        monkeypatch.setitem(sys.modules, module, None)


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """`torch(text)`: the fake PyTorch of a GPU, with the text at its end, is installed; devices are GPUs."""

    def install(text: str = "") -> None:
        parts = [(FAKES / f"fake_{name}.py").read_text() for name in ("torch", "torch_gpu")]
        (tmp_path / "torch.py").write_text("".join([*parts, text]))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "torch")
        monkeypatch.setattr(Device, "kind", DeviceKind.GPU)
        monkeypatch.setattr(products, "_SHORT", 60.0)  # products are recorded, however busy the machine is

    yield install
    sys.modules.pop("torch", None)


def measure(run: Any, device: str, *options: object) -> tuple[int, dict[str, Any]]:
    shown = run("bench", "products", "--quick", "--rounds", "1", "--device", device, "--json", "-", *options)
    assert shown.err == ""
    return shown.code, json.loads(shown.out)


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize(("device", "shapes"), [("simulator", SHAPES[:1]), ("cpu", SHAPES)])
def test_each_case_has_a_ratio_errors_and_the_time_of_a_call(
    run: Any, monkeypatch: pytest.MonkeyPatch, device: str, shapes: list[str]
) -> None:
    """On the simulator, which takes longest, one shape, and one call where others have three or more."""
    if device == "simulator":
        monkeypatch.setitem(SIZES, "products", Sizes(*[(8,)] * 4))
        for least in ("_LEAST", "_LEAST_CALLS"):
            monkeypatch.setattr(rounds, least, 1)
    code, document = measure(run, device)
    assert (code, document["failures"]) == (0, [])
    own, rows = f"{device}:0", document["rows"]
    assert {(row["what"], row["size_text"]) for row in rows} == {(name, shape) for name in NAMES for shape in shapes}
    for row in rows:
        names = {own} if "f16" in row["what"] else {own, "NumPy"}
        assert row["seconds"].keys() == row["calls"].keys() == row["errors"].keys() == names
        medians = {name: seconds["median"] for name, seconds in row["seconds"].items()}
        assert row["ratio"] == (pytest.approx(medians["NumPy"] / medians[own]) if "NumPy" in names else None)
        numbers = [int(number) for number in row["size_text"].split("x")]
        operations = 2 * (numbers[0] ** 3 if len(numbers) == 1 else np.prod(numbers))
        assert row["figures"][own] == pytest.approx(operations / medians[own] / 1e9) and row["unit"] == "GFLOP/s"
        for errors in row["errors"].values():
            assert list(errors) == ["uniform", "normal"] and all(0 <= error <= 1 for error in errors.values())
    assert any(error for row in rows for error in row["errors"][own].values())


def test_the_table_has_columns_for_calls_and_errors(run: Any) -> None:
    shown = run("bench", "products", "matmul", "--quick", "--rounds", "1", "--device", "cpu", "--sizes", 8, 256)
    assert shown.code == 0
    heads = [line.split() for line in shown.out.splitlines() if line.startswith("what ")]
    assert heads == [["what", "size", "unit", "cpu:0", "NumPy", "ratio", *more] for more in (["call", "error"], [])]
    lines = [line for line in shown.out.splitlines() if line.startswith("f32 fast  ")]
    assert [line.split()[2] for line in lines] == ["8"] and len(lines[0].split()) == 9


def test_shapes_and_ways_of_a_whole_run() -> None:
    cases = [case for size in (512, 1001, 1024, 2048, 4096, 4099, 8192) for case in product_cases(size)]
    assert list(dict.fromkeys(case.size_text for case in cases)) == [
        "64x512x512x512", "1000x999x1001", "1024", "2048", "4096", "4096x64x4096", "4095x4097x4099", "8192",
        "64x8192x64",
    ]  # fmt: skip
    assert [case.what for case in cases] == NAMES * 9


def test_processors_have_sizes_of_their_own(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIZES, "products", Sizes((8,), (), (), (9,)))
    document = json.loads(run("bench", "products", "--rounds", "1", "--limit", 0, "--device", "cpu", "--json", "-").out)
    assert {row["size"] for row in document["rows"]} == {9}


def test_the_plot_has_squares_and_other_shapes(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    shown = run(
        "bench", "products", "--quick", "--rounds", "1", "--device", "cpu", "--plot", tmp_path / "x.svg", "--json", "-"
    )
    assert (shown.code, shown.err) == (0, f"wrote {tmp_path / 'x.svg'}\n")
    drawn = set(re.findall("<!-- (.*) -->", (tmp_path / "x.svg").read_text()))
    assert {"squares", "other shapes, m x k x n", *SHAPES, *NAMES} - {"f16", "bf16"} <= drawn
    assert "time of the fastest peer / that of gpucore (more is better)" in drawn


def test_without_peers_the_plot_has_rates(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = pytest.importorskip("gpucore.bench.plot").plot
    rows = [
        Row("products", case.what, case.size, case.size_text, case.unit, case.amount, {"cpu:0": {"median": 0.1}})
        for case in product_cases(8)
    ]
    plot(rows, ["cpu:0"], tmp_path / "x.svg", ["cpu:0"])
    drawn = re.findall("<!-- (.*) -->", (tmp_path / "x.svg").read_text())
    assert {"squares", "GFLOP/s (more is better)", "f16"} <= {*drawn} and "other shapes, m x k x n" not in drawn


# ---------------------------------------------------------------- wrong results


@pytest.mark.parametrize("wrong", [1.0, np.nan])
def test_a_wrong_number_of_a_product_is_found(run: Any, monkeypatch: pytest.MonkeyPatch, wrong: float) -> None:
    multiply = gp.matmul

    def matmul(a: gp.Array, b: gp.Array, **options: Any) -> gp.Array:
        result = multiply(a, b, **options)
        if result.dtype == gp.f32 and result.ndim == 2:
            host = result.numpy()
            host[-1, 1] += wrong
            result.set(host)
        return result

    monkeypatch.setattr(gp, "matmul", matmul)
    monkeypatch.setattr(products, "_SHORT", 0.0)  # no product is recorded
    code, document = measure(run, "cpu")
    assert code == 1
    names = [name for name in NAMES if name.startswith("f32")]
    assert {failure.partition(" is wrong: the largest error is ")[0] for failure in document["failures"]} == {
        f"cpu:0: {name} {shape}" for name in names for shape in SHAPES[:2]
    }
    assert not any(row["what"] in names for row in document["rows"] if row["size_text"] in SHAPES[:2])


def test_the_error_is_beyond_the_rounding_of_the_result() -> None:
    for dtype, rounding in (("f16", 2.0**-11), ("f32", 0.0)):
        factors = Factors(dtype, (7, 9, 5))
        a, b = (each.astype(np.float64) for each in factors.pairs["normal"])
        bound = 9 * 2.0**-24 * (np.abs(a) @ np.abs(b))
        assert factors.error("normal", a @ b) == 0
        beyond = (a @ b + np.sign(a @ b) * 3 * bound) / (1 - rounding)
        assert factors.error("normal", beyond) == pytest.approx(3, rel=0.1)
        assert np.isnan(factors.error("normal", (a @ b)[1:]))
        assert np.isnan(factors.error("normal", a @ b * np.inf))
    lengths = [np.unique(Factors(dtype, (7, 9, 5)).pairs["uniform"][0].view(np.uint32) & 0xFFFF).size
               for dtype in ("bf16", "f32")]  # fmt: skip
    assert lengths == [1, 63]


# ---------------------------------------------------------------- peers of a GPU


def test_pytorch_on_a_gpu_is_timed_in_graphs(run: Any, torch: Any) -> None:
    torch()
    code, document = measure(run, "cpu")
    assert (code, document["failures"]) == (0, [])
    for row in document["rows"]:
        assert row["seconds"].keys() == {"cpu:0", "PyTorch cuda:0"}  # NumPy is no peer of a GPU
        assert row["seconds"]["PyTorch cuda:0"]["median"] == pytest.approx(0.25 / 10)
        assert row["calls"]["PyTorch cuda:0"]["median"] == pytest.approx(0.25 / 3)
        assert row["errors"].keys() == row["seconds"].keys()
    settings = vars(sys.modules["torch"].settings)
    assert len(settings) == 3 and not any(settings.values())


@pytest.mark.parametrize("text", [
    "CUDAGraph.replay = lambda self: None",  # what is timed does nothing
    "run_at_once = lambda a, b, out=None, run=run_at_once: run(a, Tensor(b.values * np.float32(1.01)), out)",
])  # fmt: skip
def test_a_wrong_product_of_a_peer_is_found(run: Any, torch: Any, text: str) -> None:
    torch(text)
    code, document = measure(run, "cpu")
    assert code == 1
    assert {failure.partition(" is wrong")[0] for failure in document["failures"]} == {
        f"PyTorch cuda:0: {name} {shape}" for name in NAMES for shape in SHAPES
    }
    assert all(row["seconds"].keys() == {"cpu:0"} for row in document["rows"]) and len(document["rows"]) == 21


@pytest.mark.parametrize("where", ["__matmul__", "__sub__"])
def test_a_gpu_without_memory_for_the_exact_product_is_told(run: Any, torch: Any, where: str) -> None:
    torch(f"""
class OutOfMemoryError(RuntimeError): pass
def refuse(*tensors): raise OutOfMemoryError("no memory is left")
Tensor.{where} = refuse
""")
    code, document = measure(run, "cpu")
    assert (code, document["rows"]) == (0, [])
    reason = "is not measured: MemoryError: a GPU lacks the memory to compute the product in f64"
    assert any(reason in note for note in document["notes"])


def test_a_dtype_that_a_device_lacks_is_told(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = gp.asarray

    def asarray(host: Any, *, device: Any) -> gp.Array:
        if host.dtype == np.float64:
            raise gp.ArgumentError("there is no f64 here")
        return upload(host, device=device)

    monkeypatch.setattr(gp, "asarray", asarray)
    code, document = measure(run, "cpu")
    assert code == 0 and "f64" not in {row["what"] for row in document["rows"]}
    told = [note for note in document["notes"] if note.startswith("cpu:0: f64 8 is not measured: ")]
    assert len(told) == 1 and "there is no f64 here" in told[0]
