"""The progress bar of streams, and what importing them loads."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from stream_files import saved

import gpucore_dask as gd
from gpucore.testing import require_device


class Terminal(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def source(tmp_path: Path) -> Path:
    require_device("cpu")
    return saved(tmp_path, np.arange(50_000, dtype=np.uint32)[::-1])


def stream(source: Path, progress: bool) -> gd.Streamed:
    target = source.with_name("out.npy")
    return gd.stream_sort(source, target, device="cpu", memory=200_000, progress=progress, overwrite=True)


def test_a_bar_of_plain_characters(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    stream(source, True)
    drawn = terminal.getvalue().split("\r")
    assert drawn[0] == drawn[-1] == "" and drawn[-2].strip() == ""
    assert re.fullmatch(r"sort \[#{24}\] 0\.00/0\.00 GB  \d+\.\d\d GB/s *", drawn[-3])


def test_a_bar_of_rich(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich", reason="rich is not installed")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    stream(source, True)
    drawn = terminal.getvalue()
    assert "sort" in drawn and "0.0/800.0 kB" in drawn and "800.0/800.0 kB" in drawn and "MB/s" in drawn


def test_no_bar_unless_asked_for_nor_without_a_terminal(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream(source, True)
    assert capsys.readouterr() == ("", "")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    stream(source, False)
    assert terminal.getvalue() == ""


def test_importing_loads_no_driver_and_no_scheduler() -> None:
    program = (
        "import sys, gpucore_dask as gd; gd.stream_sort\n"
        "names = 'dask', 'distributed', 'zarr', 'rich', 'llvmlite', 'wgpu', 'pyopencl', 'gpucore_cpu'\n"
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"
