"""CUB beside the others in gpucore bench: cub.cu, compiled on the host with fake headers by an nvcc that is c++, and
what is told where it cannot be measured. That the real headers take cub.cu only a machine with nvcc shows."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpucore.bench import cub, session
from gpucore.bench.case import Sizes
from gpucore.bench.cases import COPY, SIZES, cases_of
from gpucore.bench.peers import CuPy
from gpucore.device import Device
from gpucore.runtime import DeviceKind

FAKES = Path(__file__).parent / "fake_peers"
QUICK = ("--quick", "--device", "simulator", "--rounds", "1")
NVCC = f"""#!{sys.executable}
import os, pathlib, subprocess, sys

folder = pathlib.Path(__file__).parent
with (folder / "calls").open("a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1:] == ["--version"]:
    sys.exit(print((folder / "version").read_text()))
options = [each for each in sys.argv[1:] if each != "-Xcompiler" and not each.startswith("-arch")]
sys.exit(subprocess.run(["c++", "-x", "c++", "-I", {str(FAKES / "include")!r}, *options]).returncode)
"""

needs_compiler = pytest.mark.skipif(
    shutil.which("c++") is None or sys.platform == "win32", reason="there is no C++ compiler named c++"
)


@pytest.fixture(autouse=True)
def peers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """As if CuPy were the only other library, the simulator a GPU, and no nvcc installed."""
    monkeypatch.setattr(session, "_QUICK_LIMIT", 0.05)
    monkeypatch.setitem(SIZES, COPY, Sizes(*[(1 << 10,)] * 3))
    monkeypatch.setattr(Device, "kind", DeviceKind.GPU)
    monkeypatch.setenv("PATH", os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if not has_nvcc(p)))
    for name in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    for module in ("torch", "numba"):
        monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "cupy.py").write_text((FAKES / "fake_cupy.py").read_text())
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    yield
    sys.modules.pop("cupy", None)


def has_nvcc(folder: str) -> bool:
    return shutil.which("nvcc", path=folder) is not None


@pytest.fixture
def nvcc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], list[str]]:
    """An nvcc in the folder of CUDA_HOME. `nvcc()` are the calls of it."""
    folder = tmp_path / "cuda" / "bin"
    folder.mkdir(parents=True)
    (folder / "nvcc").write_text(NVCC)
    (folder / "nvcc").chmod(0o755)
    (folder / "version").write_text("release 13.0")
    monkeypatch.setenv("CUDA_HOME", str(folder.parent))
    return lambda: (folder / "calls").read_text().splitlines()


def open_cub() -> cub.Cub:
    path = cub.find_nvcc()
    assert path is not None
    return cub.open_cub(CuPy(importlib.import_module("cupy"), 0), path)


@needs_compiler
def test_all_functions_of_cub_give_right_results(nvcc: Any) -> None:
    library = open_cub()
    assert (library.name, library.version) == ("CUB", "3.0.1")
    measured = []
    for benchmark in sorted(cub.BENCHMARKS):
        for size in (1 << 8, 1 << 10):
            for case in cases_of(benchmark, size):
                if (prepared := case.prepare(library, case.inputs(size))) is not None:
                    assert prepared[1]() == ""
                    measured.append(case.what)
    assert sorted(set(measured)) == [
        "compact u32, half of them", "cumsum u32", "exclusive scan u32", "gp.argmin f32", "gp.sum f32", "gp.sum u32",
        "histogram u32, 256 bins", "sort pairs of u32 on the device", "sort u32 on the device", "sum f32",
    ]  # fmt: skip


@needs_compiler
def test_free_drops_the_temporary_storage_of_all_functions(nvcc: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cupy = importlib.import_module("cupy")
    empty, storages = cupy.empty, []

    def noted(count: int, dtype: Any) -> Any:
        array = empty(count, dtype)
        if count == 77:  # bytes, which all the functions here need
            storages.append(weakref.ref(array))
        return array

    monkeypatch.setattr(cupy, "empty", noted)
    library = open_cub()
    x = library.asarray(np.arange(100, dtype=np.uint32))
    for name in ("sort", "cumsum", "sum u32", "sort"):
        library.operations[name](x)
    assert [storage() is None for storage in storages] == [False] * 3
    library.free()
    assert [storage() is None for storage in storages] == [True] * 3
    assert library.operations["sum u32"](x)[0] == 4950


@needs_compiler
def test_errors_of_cub_are_told(nvcc: Any) -> None:
    library = open_cub()
    keys = library.asarray(np.arange(13, dtype=np.uint32))
    with pytest.raises(RuntimeError, match=r"^sort_keys of CUB failed: out of memory$"):
        library.operations["sort"](keys)


@needs_compiler
def test_what_nvcc_makes_is_kept_by_its_version_and_the_gpu(
    nvcc: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", str(tmp_path / "cache"))
    compiled: list[int] = []

    def count() -> None:
        open_cub()
        compiled.append(sum("-o" in call.split() for call in nvcc()))

    count()
    assert "-arch=sm_90" in nvcc()[-1]
    count()
    (tmp_path / "cuda" / "bin" / "version").write_text("release 13.1")
    count()
    device = importlib.import_module("cupy").cuda.Device
    monkeypatch.setattr(device, "compute_capability", "100")
    count()
    count()
    assert compiled == [1, 1, 2, 3, 3]


@needs_compiler
def test_cub_is_measured_beside_cupy(run: Any, nvcc: Any) -> None:
    shown = run("bench", "histogram", "compact", "elementwise", *QUICK, "--json", "-")
    document = json.loads(shown.out)
    assert (shown.code, document["failures"]) == (0, [])
    assert list(document["peers"]) == ["NumPy", "CuPy", "CUB"] and document["peers"]["CUB"] == "3.0.1"
    rows = {row["what"]: row for row in document["rows"]}
    assert {what for what, row in rows.items() if row["figures"].get("CUB")} == {
        f"{what}{ending}" for what in ("histogram u32, 256 bins", "compact u32, half of them")
        for ending in ("", ", back to back")
    }  # fmt: skip
    histogram = rows["histogram u32, 256 bins"]
    assert list(histogram["figures"]) == ["simulator:0", "NumPy", "CuPy", "CUB"]
    # What is between two marks takes 250 ms here: a call, or three copies in a row, of which each moves twice as much.
    assert histogram["shares"]["CUB"] == pytest.approx(0.5 / 3)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("raise SystemExit('cub.cu(1): error: expected a declaration')",
         "CUB cannot be used: RuntimeError: nvcc ended with status 1: cub.cu(1): error: expected a declaration"),
        ("raise SystemExit(2)", "CUB cannot be used: RuntimeError: nvcc ended with status 2: it printed nothing"),
    ],
)  # fmt: skip
def test_where_nvcc_fails_the_others_are_measured(run: Any, nvcc: Any, tmp_path: Path, text: str, note: str) -> None:
    (tmp_path / "cuda" / "bin" / "nvcc").write_text(f"#!{sys.executable}\n{text}\n")
    document = json.loads(run("bench", "histogram", *QUICK, "--json", "-").out)
    assert note in document["notes"]
    assert all(list(row["figures"]) == ["simulator:0", "NumPy", "CuPy"] for row in document["rows"])


def test_without_nvcc_the_reason_is_told(run: Any) -> None:
    document = json.loads(run("bench", "histogram", *QUICK, "--json", "-").out)
    assert (
        "CUB is not measured: nvcc, which compiles it, is not on the PATH or in the folder of CUDA_HOME or CUDA_PATH"
    ) in document["notes"]
    assert all("CuPy" in row["figures"] for row in document["rows"])
    document = json.loads(run("bench", "matmul", *QUICK, "--json", "-").out)
    assert not any("CUB" in note for note in document["notes"])
