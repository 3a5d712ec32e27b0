"""benchmarks/cpu.py measures verified results. How fast they are is no test's business."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from page_programs import ROOT

PROGRAM = ROOT / "benchmarks" / "cpu.py"


def test_rows_and_ratios(tmp_path: Path) -> None:
    pytest.importorskip("gpucore_cpu")
    written = tmp_path / "results.json"
    rows = "exp 2^20,heat,dot 2^16,spmv,histogram,launch 64"
    command = [sys.executable, str(PROGRAM), "--only", rows, "--threads", "1", "--rounds", "2", "-o", str(written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = {row["name"]: row for row in json.loads(written.read_text())["rows"]}
    assert len(found) == len(rows.split(","))
    for row in found.values():
        assert "numpy" not in row["failures"] and row["seconds"]["gpucore"]["min"] > 0
    seconds = found["exp 2^20"]["seconds"]
    assert found["exp 2^20"]["ratios"]["numpy"] == seconds["numpy"]["median"] / seconds["gpucore"]["median"]
    chart = written.with_suffix(".svg").read_text()
    assert all((name in chart) == bool(row["ratios"]) for name, row in found.items())


def test_checks_find_one_wrong_element(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROGRAM.parent))
    import cpu_workloads  # noqa: PLC0415 (from the folder above)

    workload = cpu_workloads.add(10, 1.0)
    right = workload.inputs[0] + workload.inputs[1]
    workload.check(right)
    right[777] = np.nextafter(right[777], np.float32(9))
    with pytest.raises(AssertionError, match="1 elements differ"):
        workload.check(right)
