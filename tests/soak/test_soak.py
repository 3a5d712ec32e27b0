"""`make soak` for some seconds: it passes, it says what it did, and it finds what is planted."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from soak_watch import VARIABLES, Resources, Sample

SOAK = Path(__file__).with_name("soak.py")

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="Windows has no signals for threads")


def soak(report: Path, **settings: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    variables = {**os.environ, "SOAK_REPORT": str(report), "SOAK_DEVICES": "cpu,simulator", **settings}
    done = subprocess.run(
        [sys.executable, str(SOAK)], env=variables, capture_output=True, text=True, timeout=120, check=False
    )
    return done, json.loads(report.read_text()) if report.exists() else {}


def test_a_few_seconds_pass_with_interrupts(tmp_path: Path) -> None:
    pytest.importorskip("gpucore_cpu", reason="gpucore-cpu is not installed")
    done, report = soak(tmp_path / "report.json", SOAK_SECONDS="5", SOAK_SEED="3", SOAK_INTERRUPTS="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (report["passed"], report["problems"], report["seed"]) == (True, [], 3)
    assert set(report["devices"]) == {"cpu:0", "simulator:0"} == set(report["seconds_of_devices"])
    assert report["calls"] == sum(report["counts"].values()) > 2
    assert report["interrupted"] > 0
    assert "again: SOAK_SEED=3 SOAK_SECONDS=5 make soak" in done.stdout


def test_a_wrong_result_ends_it_and_names_the_call(tmp_path: Path) -> None:
    done, report = soak(
        tmp_path / "report.json", SOAK_SECONDS="20", SOAK_SEED="4", SOAK_PLANT="1", SOAK_DEVICES="simulator"
    )
    assert done.returncode == 1
    (problem,) = report["problems"]
    assert "of seed 4: wrong_on_purpose on simulator:0" in problem and "elements are wrong, the first at 0" in problem
    assert "Traceback" in done.stderr and not report["passed"]


HOLES = """
import ctypes, sys
sys.path.insert(0, sys.argv[1])
from soak_watch import memory_in_use
from gpucore.testing.processes import resident_bytes
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
def allocated(size):
    block = libc.malloc(size)
    ctypes.memset(block, 1, size)
    return block
made, freed = {"C": (allocated, libc.free), "Python": (bytearray, bytearray.clear)}[sys.argv[2]]
def state():
    resident = resident_bytes()
    return resident, memory_in_use(resident)
blocks = [None] * 100_000
start = state()
for i in range(100_000):
    blocks[i] = made(400)
full = state()
for block in blocks[::2]:
    freed(block)
for before, after in (start, full), (full, state()):
    print(*(later - earlier >> 20 for earlier, later in zip(before, after)))
"""


@pytest.mark.parametrize("language", ["C", "Python"])
def test_holes_in_the_heap_are_not_in_use(language: str) -> None:
    """40 MB that are allocated count, and no longer when every other block is freed, though the pages stay."""
    if not hasattr(ctypes.CDLL(None), "mallinfo2"):
        pytest.skip("the C library is not glibc 2.33 or later, which says how much of its heap is in use")
    folder, variables = str(Path(__file__).parent), {**os.environ, **VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", HOLES, folder, language], env=variables, check=True, capture_output=True, text=True
    )
    allocated, freed = (tuple(map(int, line.split())) for line in done.stdout.splitlines())
    assert all(37 <= grown <= 50 for grown in allocated)
    assert freed[0] >= -2 and -22 <= freed[1] <= -18


def samples(**growth: int) -> Resources:
    """A hundred seconds in which something grows with each sample."""
    start = {"resident": 1 << 29, "in_use": 1 << 28, "descriptors": 9, "threads": 5, "kept": 0}
    return Resources(
        samples=[
            Sample(second, 10 * second, **{name: each + growth.get(name, 0) * second for name, each in start.items()})
            for second in range(100)
        ]
    )


@pytest.mark.parametrize(
    ("growth", "problems"),
    [
        ({}, []),
        ({"resident": 1 << 20, "in_use": 2550}, []),
        ({"resident": 1 << 20, "in_use": 2600}, ["memory grows by 260 bytes a call; the bound is 256"]),
        ({"in_use": 100_000, "kept": 99_000}, []),
        ({"descriptors": 1}, ["descriptors: up to 108 at the end, 75 before"]),
        ({"threads": 1}, ["threads: up to 104 at the end, 71 before"]),
    ],
)
def test_what_grows_is_a_problem(growth: dict[str, int], problems: list[str]) -> None:
    assert samples(**growth).problems(256, 60.0) == problems


def test_a_few_large_samples_are_no_growth_and_short_runs_are_not_judged() -> None:
    found = samples()
    found.samples[80] = replace(found.samples[80], in_use=1 << 30)
    assert found.problems(256, 60.0) == []
    assert samples(in_use=1 << 20).problems(256, 100.0) == []
