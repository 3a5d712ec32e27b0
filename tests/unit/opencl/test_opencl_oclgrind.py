"""The library's kernels under Oclgrind, a simulator that checks each access: none is out of range, none is a race, and
no barrier is missed. Debian's package `oclgrind` has it; it is a driver, which is named to these processes alone.

Oclgrind 21.10 has another check, of reads of memory that was not written. It ends at the first `freeze`, an instruction
that its own LLVM 14 makes, so it is not used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("oclgrind_program.py")


@pytest.fixture(scope="module")
def library() -> Path:
    pytest.importorskip("pyopencl", reason="pyopencl is not installed")
    program = shutil.which("oclgrind")
    if program is None:
        pytest.skip("oclgrind is not installed (Debian: oclgrind)")
    found = Path(program).resolve().parents[1] / "lib" / "oclgrind" / "liboclgrind-rt-icd.so"
    if not found.exists():
        pytest.skip(f"{found} is not there: this oclgrind was built without a library for OpenCL's loader")
    return found


def run(library: Path, folder: Path, name: str) -> tuple[str, str]:
    """What a program printed, and what Oclgrind reported."""
    log, vendors = folder / "oclgrind.log", folder / "vendors"
    vendors.mkdir()
    (vendors / "oclgrind.icd").write_text(f"{library}\n")
    variables = {
        **os.environ, "OCL_ICD_VENDORS": str(vendors), "OCL_ICD_FILENAMES": "", "OCLGRIND_LOG": str(log),
        "OCLGRIND_DATA_RACES": "1", "OCLGRIND_MAX_ERRORS": "20", "GPUCORE_CACHE": "off",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }  # fmt: skip
    command = [sys.executable, str(PROGRAM), name]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, log.read_text() if log.exists() else ""


@pytest.mark.parametrize(
    "name", ["sorts", "products", "reductions_and_scans", pytest.param("sorts_by_networks", marks=pytest.mark.large)]
)
def test_nothing_is_reported(library: Path, tmp_path: Path, name: str) -> None:
    assert run(library, tmp_path, name) == ("right\n", "")


@pytest.mark.parametrize(
    ("name", "report"),
    [("race", "Write-write data race at global memory address"), ("write_beyond", "Invalid write of size 4 at global")],
)
def test_what_is_planted_is_reported(library: Path, tmp_path: Path, name: str, report: str) -> None:
    shown, log = run(library, tmp_path, name)
    assert shown == "right\n" and report in log
