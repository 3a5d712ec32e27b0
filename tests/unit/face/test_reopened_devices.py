"""A device that is opened and closed again and again leaves nothing behind: no memory, descriptors or threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpucore.testing import require_device
from gpucore.testing.processes import ONE_HEAP

PROGRAM = """
import gc, json, os, sys, time
import psutil
import gpucore as gp
from gpucore.testing.processes import resident_bytes

@gp.kernel(workgroup_size=4)
def fill(y: gp.Out[gp.i32], value: gp.Const[int]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = value

def turn(number):
    with gp.device(sys.argv[1]) as device:
        y = gp.zeros(1 << 18, gp.i32, device=device)
        fill(y, number % 3, invocations=y.size)
        assert y.numpy()[-1] == number % 3
    if is_kept:
        kept.append(y)

def state():
    gc.collect()
    process = psutil.Process()
    return resident_bytes(), process.num_fds(), process.num_threads()

def settled():
    # NVIDIA's OpenCL driver ends threads and descriptors of a closed device a little later
    seen = [state()]
    while len(seen) < 100 and (len(seen) < 6 or len({each[1:] for each in seen[-6:]}) > 1):
        time.sleep(0.2)
        seen.append(state())
    return seen[-1]

kept = []
first, times, is_kept = map(int, sys.argv[2:])
for number in range(first):
    turn(number)
start = settled()
for number in range(times):
    turn(number)
print(json.dumps([after - before for before, after in zip(start, settled())]))
"""


def growth(tmp_path: Path, backend: str, first: int, times: int, *, is_kept: bool = False) -> list[int]:
    require_device(backend)
    program = tmp_path / "reopened.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), backend, str(first), str(times), str(int(is_kept))]
    environment = {**os.environ, **ONE_HEAP}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    grown: list[int] = json.loads(done.stdout)
    return grown


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc: descriptors are counted there")
@pytest.mark.parametrize("backend", ["simulator", "cpu", "wgpu", "opencl", "cuda"])
def test_nothing_is_left(tmp_path: Path, backend: str) -> None:
    """An array that is kept alive takes 1 MiB a turn. 64 KiB are left to drivers."""
    resident, descriptors, threads = growth(tmp_path, backend, 10, 40)
    assert (descriptors, threads) == (0, 0)
    assert resident < 40 * (64 << 10)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc: descriptors are counted there")
@pytest.mark.parametrize("backend", ["wgpu", "opencl", "cuda"])
def test_arrays_that_are_kept_have_no_memory(tmp_path: Path, backend: str) -> None:
    """Closing the device has freed it, and what the driver has for the device. Arrays in memory of the process keep
    theirs."""
    resident, descriptors, threads = growth(tmp_path, backend, 10, 20, is_kept=True)
    assert (descriptors, threads) == (0, 0)
    assert resident < 20 * (64 << 10)
