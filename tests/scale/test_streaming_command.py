"""`gpucore sort --stream` and `gpucore matmul --stream`, from the command to the file."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import numpy as np
import pytest
from stream_files import names_in, saved

from gpucore.cli import main
from gpucore.testing import require_device


@pytest.fixture(autouse=True)
def installed() -> None:
    require_device("cpu")
    if not importlib.metadata.entry_points(group="gpucore.streaming"):
        pytest.skip("gpucore-dask is not installed: its entry points are not found")


def test_sort(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = np.random.default_rng(1).standard_normal(50_000).astype(np.float32)
    source, target = saved(tmp_path, values), tmp_path / "out.npy"
    command = ["sort", str(source), "--stream", "--memory", "200KB", "-o", str(target), "--device", "cpu"]
    for more, expected in (([], np.sort(values)), (["--descending"], np.sort(values)[::-1])):
        assert main([*command, *more]) == 0  # the second one onto the result of the first one
        assert np.array_equal(np.load(target), expected)
        shown = capsys.readouterr()
        assert shown.out == "" and shown.err.splitlines()[-1].startswith("cpu:0, ") and "overlap" in shown.err
    assert names_in(tmp_path) == ["in.npy", "out.npy"]


def test_matmul(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random = np.random.default_rng(2)
    a, b = random.integers(0, 9, (90, 70)).astype(np.int32), random.integers(0, 9, (70, 80)).astype(np.int32)
    paths = [str(saved(tmp_path, a, "a.npy")), str(saved(tmp_path, b, "b.npy"))]
    command = ["matmul", *paths, "--stream", "--memory", "0.02MiB", "-o", str(tmp_path / "c.npy"), "--device", "cpu"]
    assert main(command) == 0
    assert np.array_equal(np.load(tmp_path / "c.npy"), a @ b)
    assert "download" in capsys.readouterr().err


def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = saved(tmp_path, np.ones((2, 3), np.float32))
    target = str(tmp_path / "out.npy")
    assert main(["sort", str(source), "--stream", "-o", target]) == 2
    assert capsys.readouterr().err == f"error: stream_sort takes an array of rank 1; {source} has shape (2, 3)\n"
    assert main(["sort", str(tmp_path / "none.npy"), "--stream", "-o", target]) == 2
    assert "none.npy cannot be read: No such file or directory" in capsys.readouterr().err
    assert names_in(tmp_path) == ["in.npy"]
