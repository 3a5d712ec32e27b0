"""One device in eight threads, in forked and started processes, and at the end of a program, with real drivers."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing import require_device

BACKENDS = ["simulator", "cpu", "wgpu", "opencl", "cuda"]
DRIVERS = BACKENDS[1:]
THREADS = 8

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


def advanced(values: np.ndarray, factor: int, times: int) -> np.ndarray:
    for _ in range(times):
        values = (values * np.int32(factor) + np.arange(len(values), dtype=np.int32)).astype(np.int32)
    return values


def in_threads(work: object, count: int = THREADS) -> list[BaseException]:
    """What went wrong when each of so many threads, which begin together, did `work(number)`."""
    failures: list[BaseException] = []
    barrier = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            barrier.wait()
            work(number)  # type: ignore[operator]
        except BaseException as error:  # noqa: BLE001 (returned)
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


@pytest.mark.parametrize("backend", BACKENDS)
def test_eight_threads_with_one_kernel_and_arrays_of_their_own(backend: str) -> None:
    """From the first call, which compiles it. Sizes differ, so that memory goes from thread to thread."""
    device = require_device(backend)
    kernel = gp.kernel_from_text(
        "def advance(x: gp.InOut[gp.i32], factor: gp.i32):\n"
        "    i = gp.global_id(0)\n    if i < x.size:\n        x[i] = x[i] * factor + i\n"
    )
    rounds, size = (3, 50) if backend == "simulator" else (20, 2000)

    def work(number: int) -> None:
        for turn in range(rounds):
            values = np.arange(number, number + size + 17 * turn, dtype=np.int32)
            x = gp.asarray(values, device=device)
            for _ in range(3):
                kernel(x, number + 2)
            np.testing.assert_array_equal(x.numpy(), advanced(values, number + 2, 3))
            np.testing.assert_array_equal(gp.sort(x).numpy(), np.sort(advanced(values, number + 2, 3)))

    assert in_threads(work) == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_eight_threads_with_one_array(backend: str) -> None:
    """Calls are queued whole, in some order: those that commute have one result."""
    device = require_device(backend)
    x = gp.zeros(100, gp.i32, device=device)
    kernel = gp.kernel_from_text(
        "def add_one(x: gp.InOut[gp.i32]):\n    i = gp.global_id(0)\n    if i < x.size:\n        x[i] = x[i] + 1\n"
    )

    def work(number: int) -> None:
        for _ in range(10):
            kernel(x)

    assert in_threads(work) == []
    assert x.numpy().tolist() == [10 * THREADS] * 100


def run(use: str, backend: str) -> subprocess.CompletedProcess[str]:
    require_device(backend)
    command = [sys.executable, str(Path(__file__).with_name("process_program.py")), use, backend]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@needs_fork
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_forked_child_is_refused_and_the_parent_goes_on(backend: str) -> None:
    assert run("fork_after_use", backend).stdout == "refused at once True\n"


@needs_fork
@pytest.mark.parametrize("backend", DRIVERS)
def test_a_fork_before_the_first_use(backend: str) -> None:
    assert run("fork_before_use", backend).stdout == "True True\n"


@pytest.mark.parametrize(
    ("method", "backend"),
    [*(("spawn", backend) for backend in DRIVERS), pytest.param("forkserver", "cpu", marks=needs_fork)],
)
def test_workers_open_the_device_and_get_the_kernel(method: str, backend: str) -> None:
    done = run(method, backend)
    assert done.stdout == "True True\n", done.stderr


def test_arrays_say_how_they_are_passed_on() -> None:
    with pytest.raises(TypeError, match=r"numpy\(\)"):
        pickle.dumps(gp.zeros(3, device="simulator"))


ENDINGS = {"exit_with_work": 0, "exit_in_a_thread": 0, "exit_by_an_exception": 7, "exit_at_once": 0}


@pytest.mark.parametrize(
    ("backend", "ending"),
    [*(("cpu", ending) for ending in ENDINGS), *((backend, "exit_in_a_thread") for backend in DRIVERS[1:])],
)
def test_a_program_ends_quietly_with_work_in_the_queue(backend: str, ending: str) -> None:
    done = run(ending, backend)
    assert (done.returncode, done.stdout, done.stderr) == (ENDINGS[ending], "", "")


@pytest.mark.parametrize("backend", ["cpu", "opencl", "cuda"])  # the driver of CI for wgpu ends each loop
def test_a_kernel_without_end_does_not_keep_the_process(backend: str) -> None:
    done = run("exit_with_an_endless_kernel", backend)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Timeout (0:00:01)!") and "_close_at_exit" in done.stderr
