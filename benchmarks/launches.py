"""What calls cost on the host: launches, replays, new arrays, waits, and the first calls of a process.

python benchmarks/launches.py [DEVICE ...] [--json FILE]

All sides run in turn in each round, so that what the machine does besides meets all of them; a figure is the median of
the rounds. PyTorch and CuPy are measured beside CUDA devices if they are installed. The first calls are those of new
processes: without the cache on disk, with an empty one, and with one that an earlier process has filled.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore as gp

ROUNDS, COUNT = 40, 50  # launches in a round: fewer than drivers queue before they make the host wait
SIZE = 1000
STEPS = 20  # launches of a graph

FIRST_CALLS = """
import json, sys, time
import numpy as np, gpucore as gp
device = gp.device(sys.argv[1])

@gp.kernel
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]

random = np.random.default_rng(1)
keys = gp.asarray(random.integers(0, 2**32, 200_000, dtype=np.uint32), device=device)
matrix = gp.asarray(random.normal(size=(300, 300)).astype("f4"), device=device)
x, y = (gp.asarray(random.normal(size=1000).astype("f4"), device=device) for _ in range(2))
device.synchronize()
found = {}
for name, call in (("saxpy", lambda: saxpy(2.0, x, y)), ("sort", lambda: gp.sort(keys)),
                   ("matmul", lambda: gp.matmul(matrix, matrix))):
    before = time.perf_counter()
    call()
    device.synchronize()
    found[name] = 1e3 * (time.perf_counter() - before)
print(json.dumps(found))
"""


@gp.kernel
def axpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32], n: gp.i32):
    i = gp.global_id(0)
    if i < n:
        y[i] = a * x[i] + y[i]


RAW = """extern "C" __global__ void axpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}"""

Work = tuple[Callable[[], object], int, Callable[[], object]]
"""What is timed, how many launches that is, and what is called after it, untimed."""


def own_work(device: gp.Device) -> dict[str, Work]:
    """What gpucore is measured at."""
    x, y = gp.ones(SIZE, device=device), gp.ones(SIZE, device=device)
    small = np.ones(1024, np.float32)
    step = axpy.bind(1e-9, x, y, SIZE, invocations=SIZE)
    with device.record() as graph:
        for _ in range(STEPS):
            step()

    def launch() -> None:
        for _ in range(COUNT):
            axpy(1e-9, x, y, SIZE, invocations=SIZE)

    def bound() -> None:
        for _ in range(COUNT):
            step()

    def empty() -> None:
        for _ in range(COUNT):
            gp.empty(SIZE, device=device)

    def wait() -> None:
        axpy(1e-9, x, y, SIZE, invocations=SIZE)
        device.synchronize()

    done = device.synchronize
    return {
        "launch": (launch, COUNT, done), "launch of a bound kernel": (bound, COUNT, done),
        "launch in a graph": (graph.replay, STEPS, done), "empty": (empty, COUNT, done),
        "launch and wait": (wait, 1, done),
        "asarray of 4 KB": (lambda: gp.asarray(small, device=device), 1, done), "numpy of 4 KB": (y.numpy, 1, done),
    }  # fmt: skip


def torch_work() -> dict[str, Work]:
    """What PyTorch is measured at."""
    torch: Any = importlib.import_module("torch")
    x, y = (torch.ones(SIZE, device="cuda") for _ in range(2))
    done = torch.cuda.synchronize

    def launch() -> None:
        for _ in range(COUNT):
            torch.add(x, y, out=y)

    def empty() -> None:
        for _ in range(COUNT):
            torch.empty(SIZE, device="cuda")

    def wait() -> None:
        torch.add(x, y, out=y)
        done()

    return {"launch": (launch, COUNT, done), "empty": (empty, COUNT, done), "launch and wait": (wait, 1, done)}


def cupy_work() -> dict[str, Work]:
    """What CuPy is measured at."""
    cupy: Any = importlib.import_module("cupy")
    kernel, x, y = cupy.RawKernel(RAW, "axpy"), cupy.ones(SIZE, "f4"), cupy.ones(SIZE, "f4")
    arguments, done = (np.float32(1e-9), x, y, np.int32(SIZE)), cupy.cuda.Device().synchronize

    def launch() -> None:
        for _ in range(COUNT):
            kernel((4,), (256,), arguments)

    def wait() -> None:
        kernel((4,), (256,), arguments)
        done()

    return {"launch": (launch, COUNT, done), "launch and wait": (wait, 1, done)}


def measure(work: dict[tuple[str, str], Work]) -> dict[str, dict[str, float]]:
    """Microseconds of each, by who and what."""
    times: dict[tuple[str, str], list[float]] = {key: [] for key in work}
    for number in range(ROUNDS + 3):
        for key, (run, count, after) in work.items():
            before = time.perf_counter()
            run()
            taken = (time.perf_counter() - before) / count
            after()
            if number >= 3:  # the first rounds warm up
                times[key].append(taken * 1e6)
    found: dict[str, dict[str, float]] = {}
    for (who, what), values in times.items():
        found.setdefault(who, {})[what] = round(statistics.median(values), 2)
    return found


def first_calls(device: str) -> dict[str, dict[str, float]]:
    """Milliseconds of the first calls of new processes."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, mode in (("without a cache", "off"), ("with an empty cache", "on"), ("with a filled cache", "on")):
            environment = {**os.environ, "GPUCORE_CACHE": mode, "GPUCORE_CACHE_DIR": os.path.join(folder, "cache")}
            command = [sys.executable, "-c", FIRST_CALLS, device]
            run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            found[name] = {what: round(ms, 1) for what, ms in json.loads(run.stdout).items()}
    return found


def main() -> None:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("devices", nargs="*")
    parser.add_argument("--json")
    options = parser.parse_args()
    names = options.devices or [info.id for info in gp.devices() if not info.id.startswith("simulator")]
    work: dict[tuple[str, str], Work] = {}
    for name in names:
        device = gp.device(name)
        work |= {(device.id, what): each for what, each in own_work(device).items()}
    versions = {"python": platform.python_version(), "numpy": np.__version__, "gpucore": gp.__version__}
    if any(name.startswith("cuda") for name in names):
        for library, make in (("torch", torch_work), ("cupy", cupy_work)):
            try:
                work |= {(library, what): each for what, each in make().items()}
                versions[library] = importlib.import_module(library).__version__
            except ImportError:
                print(f"{library} is not installed")
    result = {
        "machine": platform.processor() or platform.machine(), "versions": versions,
        "devices": {name: [gp.device(name).name, gp.device(name).info.driver] for name in names},
        "microseconds": measure(work), "first calls, milliseconds": {name: first_calls(name) for name in names},
    }  # fmt: skip
    print(json.dumps(result, indent=1))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)


if __name__ == "__main__":
    main()
