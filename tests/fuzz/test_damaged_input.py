"""Damaged .npy files, cache entries, metadata of distributions and environment variables: the right result, or an error
of gpucore in its form. Never a traceback, a crash, or a wrong result.

DAMAGE_CASES is how many of each kind (a few by default), DAMAGE_SEED the first seed. A failure names its seed:
`DAMAGE_SEED=1234 DAMAGE_CASES=1 pytest tests/fuzz/test_damaged_input.py` repeats it.
"""

from __future__ import annotations

import importlib
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import damaged_input
import numpy as np
import pytest

import gpucore as gp
from gpucore.cli import main
from gpucore.runtime import cache
from gpucore.runtime.plugins.discovery import find_plugins
from gpucore.runtime.plugins.manager import PluginTable
from gpucore.runtime.plugins.records import PluginStatus
from gpucore.testing import require_device

sys.path.insert(0, str(Path(__file__).parents[1] / "plugins"))  # fake_plugins, and what it writes imports fake_backend
fake_plugins = importlib.import_module("fake_plugins")

CASES, FIRST = int(os.environ.get("DAMAGE_CASES", "0")), int(os.environ.get("DAMAGE_SEED", "0"))


def seeds(usual: int) -> Iterator[tuple[int, random.Random]]:
    for seed in range(FIRST, FIRST + (CASES or usual)):
        yield seed, random.Random(seed)


def check_refusal(code: int, err: str, seed: int) -> None:
    assert code in (2, 3, 4), (seed, code, err)
    lines = [line for line in err.splitlines() if not line.startswith(("warning: ", "  "))]
    assert lines and lines[0].startswith("error: ") and "Traceback" not in err, (seed, err)


def check_result(command: str, given: list[Any], found: Any, seed: int) -> None:
    """Products of floats within the bound of sums in any order; damage makes numbers that are not whole."""
    expected = np.sort(given[0]) if command == "sort" else given[0] @ given[1]
    assert (found.dtype, found.shape) == (expected.dtype.newbyteorder("="), expected.shape), seed
    is_equal = (found == expected) | (np.isnan(found) & np.isnan(expected))
    if command == "matmul" and found.dtype.kind == "f":
        sizes = np.abs(given[0]).astype(np.longdouble) @ np.abs(given[1]).astype(np.longdouble)
        bound = 2 * given[0].shape[1] * np.finfo(found.dtype).eps * sizes
        is_equal |= np.abs(found.astype(np.longdouble) - expected) <= bound
        is_equal |= sizes > np.finfo(found.dtype).max  # a part of the sum overflows, in some orders
    assert np.all(is_equal), (seed, found, expected)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("command", ["sort", "matmul"])
def test_files(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    require_device("cpu")
    outcomes: Counter[str] = Counter()
    target = tmp_path / "out.npy"
    for seed, chooser in seeds(150):
        paths = [tmp_path / name for name in ("a.npy", "b.npy")[: 1 if command == "sort" else 2]]
        for path, data in zip(paths, damaged_input.damaged_arrays(chooser, command), strict=True):
            path.write_bytes(data)
        target.unlink(missing_ok=True)
        code = main([command, *map(str, paths), "-o", str(target), "--device", "cpu"])
        err = capsys.readouterr().err
        if code:
            check_refusal(code, err, seed)
            assert not target.exists(), seed
        else:
            given = [damaged_input.loaded(path) for path in paths]
            assert all(each is not None for each in given), (seed, "gpucore reads what NumPy does not")
            check_result(command, given, np.load(target), seed)
        outcomes["right" if code == 0 else "refused"] += 1
        assert {*os.listdir(tmp_path)} - {path.name for path in paths} == ({target.name} if code == 0 else set()), seed
    assert CASES or min(outcomes["right"], outcomes["refused"]) > 15, outcomes


@pytest.mark.parametrize("backend", ["cpu", "opencl", "wgpu"])
def test_cache_entries(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged entry is a miss: the kernel is compiled again, without a warning, and kept again."""
    device = require_device(backend)
    folder, whole = tmp_path / "cache", tmp_path / "whole"
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", str(folder))
    monkeypatch.setattr(cache, "_stores", {})
    text = "def fill(y: gp.Out[gp.i32]):\n    i = gp.global_id(0)\n    if i < y.size:\n        y[i] = 3 * i\n"

    def check(seed: int) -> None:
        y = gp.zeros(70, gp.i32, device=device)
        gp.kernel_from_text(text)(y)
        assert y.numpy().tolist() == [3 * i for i in range(70)], seed

    check(-1)
    names = {path.name for path in folder.rglob("*") if path.is_file()}
    assert names
    shutil.copytree(folder, whole)
    for seed, chooser in seeds(25):
        damaged_input.damage_entries(chooser, folder)
        check(seed)
        assert names <= {path.name for path in folder.rglob("*") if path.is_file()}, seed
        shutil.rmtree(folder)
        shutil.copytree(whole, folder)
        folder.chmod(0o700)


def test_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin whose metadata is damaged is loaded, refused with a reason, or not seen; the others are not touched."""
    installed = ",".join(sorted({record.name for record in find_plugins()}))
    monkeypatch.setenv("GPUCORE_BLOCK", installed)
    outcomes: Counter[PluginStatus | None] = Counter()
    for seed, chooser in seeds(80):
        site = tmp_path / f"site{seed}"
        bad = fake_plugins.write_plugin(site, "bad", fake_plugins.good_plugin("bad"))
        fake_plugins.write_plugin(site, "sound", fake_plugins.good_plugin("sound"))
        damaged_input.damage_metadata(chooser, bad)
        with monkeypatch.context() as patch:
            patch.syspath_prepend(str(site))
            records = PluginTable().load_all(10.0)
        by_name = {record.name: record for record in records}
        assert by_name["simulator"].status is PluginStatus.LOADED, seed
        sound = by_name["sound"]
        assert sound.status is PluginStatus.LOADED or "dist-sound" in sound.reason, (seed, sound)
        for record in records:
            if record.status not in (PluginStatus.LOADED, PluginStatus.BLOCKED):
                assert record.reason and "Traceback" not in record.reason, (seed, record)
        outcomes[by_name["bad"].status if "bad" in by_name else None] += 1
    assert CASES or len(outcomes) > 2, outcomes


def test_environment_variables(tmp_path: Path) -> None:
    """In a process for each case."""
    path, target = tmp_path / "in.npy", tmp_path / "out.npy"
    np.save(path, np.array([3, 1, 2], np.int32))
    outcomes: Counter[str] = Counter()
    for seed, chooser in seeds(12):
        variables = damaged_input.environment(chooser)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GPUCORE_")}
        kept |= {"PYTHONPATH": os.pathsep.join(sys.path), "XDG_CACHE_HOME": str(tmp_path / "caches")}
        named = ["--device", "simulator"] if chooser.random() < 0.3 else []
        done = subprocess.run(
            [sys.executable, "-m", "gpucore", "sort", str(path), "-o", str(target), *named],
            env=kept | variables, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        if done.returncode:
            check_refusal(done.returncode, done.stderr, seed)
        else:
            assert "Traceback" not in done.stderr, (seed, variables, done.stderr)
            assert np.load(target).tolist() == [1, 2, 3], (seed, variables)
        target.unlink(missing_ok=True)
        outcomes["right" if done.returncode == 0 else "refused"] += 1
    assert CASES or len(outcomes) == 2, outcomes
