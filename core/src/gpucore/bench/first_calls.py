"""compile: the first saxpy, sort and matmul of new processes, by what the cache on disk has.

`python -m gpucore.bench.first_calls DEVICE` is such a process; it prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.bench.checks import Product, check_axpy, check_equal
from gpucore.bench.kernels import axpy
from gpucore.bench.libraries import A

WHATS = ("saxpy", "sort", "matmul")
CACHES = {"no cache": "off", "empty cache": "on", "filled cache": "on"}
"""What the cache has -> GPUCORE_CACHE. The second fills it for the third."""
_FOLDERS = "GPUCORE_CACHE_DIR", "CUDA_CACHE_PATH", "XDG_CACHE_HOME"
"""Where gpucore keeps what it compiles, and drivers on Linux do."""
_SIZES, _SIMULATOR_SIZES = (1000, 200_000, 300), (100, 100, 3)  # elements, keys, and rows of the matrices
_MARK = "first calls: "  # drivers print, too

Calls = dict[str, tuple[float, str]]
"""Seconds of each call, and what is wrong with its result."""


def run_processes(device_id: str) -> dict[str, Calls]:
    """The first calls on a device by what the cache has. Raises DeviceError if a process fails."""
    with tempfile.TemporaryDirectory() as folder:
        return {cache: _run_process(device_id, mode, os.path.join(folder, mode)) for cache, mode in CACHES.items()}


def _run_process(device_id: str, mode: str, folder: str) -> Calls:
    folders = {name: os.path.join(folder, name) for name in _FOLDERS}
    for each in folders.values():
        os.makedirs(each, exist_ok=True)
    environment = {**os.environ, **folders, "GPUCORE_CACHE": mode}
    command = [sys.executable, "-P", "-m", __name__, device_id]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    answers = [line.removeprefix(_MARK) for line in done.stdout.splitlines() if line.startswith(_MARK)]
    if done.returncode or not answers:
        last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        raise gp.DeviceError(
            f"the process that makes the first calls on {device_id} ended with status {done.returncode}: {last}"
        )
    calls: Calls = {name: (seconds, problem) for name, (seconds, problem) in json.loads(answers[-1]).items()}
    return calls


def _make_first_calls(device: gp.Device) -> Calls:
    count, number_of_keys, side = _SIMULATOR_SIZES if device.backend.wants_unoptimised_ir else _SIZES
    random = np.random.default_rng(1)
    x, y = (random.random(count, dtype=np.float32) for _ in range(2))
    keys = random.integers(0, 1 << 32, number_of_keys, dtype=np.uint32)
    product = Product.random(side)
    x_there, y_there, keys_there, a, b = (
        gp.asarray(host, device=device) for host in (x, y, keys, product.a, product.b)
    )
    device.synchronize()
    works: tuple[tuple[Callable[[], Any], Callable[[Any], str]], ...] = (
        (lambda: axpy(A, x_there, y_there, count, invocations=count), lambda _: check_axpy(A, x, y, y_there.numpy())),
        (lambda: gp.sort(keys_there), lambda result: check_equal(result.numpy(), np.sort(keys))),
        (lambda: gp.matmul(a, b), lambda result: product.check(result.numpy())),
    )
    found = {}
    for what, (work, check) in zip(WHATS, works, strict=True):
        start = time.perf_counter()
        result = work()
        device.synchronize()
        found[what] = time.perf_counter() - start, check(result)
    return found


if __name__ == "__main__":
    print(_MARK + json.dumps(_make_first_calls(gp.device(sys.argv[1]))), flush=True)
