"""The library's kernels on device cuda under NVIDIA's compute-sanitizer: python tests/gpu/sanitizer.py [TOOL ...]

Needs an NVIDIA GPU, the plugin for it, and compute-sanitizer of the CUDA toolkit on the PATH (or in COMPUTE_SANITIZER).
The tools are memcheck, racecheck, synccheck and initcheck, all by default. Each runs the calls of `--calls` in a
process of its own: sorts by each method, products in each variant and dtype, scans, reductions and selections, at small
odd sizes. Results are compared with NumPy's. Exit code 1 if a tool reports anything or a result is wrong. The output of
a tool is kept in .sanitizer/TOOL.log.

memcheck and racecheck begin with a planted defect: a tool that does not report it is of no use.
`--part sorts` (or products, scans) leaves the others out: racecheck takes minutes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.algorithms.matmul import VARIANTS
from gpucore.algorithms.sort.methods import METHODS

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
FOUND = 99  # the exit code of a process in which a tool reports something
SORT_SIZES = (1, 67, 1000, 4099, 70_001)
SHAPES = ((1, 1, 1), (7, 5, 9), (33, 40, 31), (130, 70, 258), (256, 512, 256), (129, 1000, 65))
FLOAT_BOUNDS = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-22, "f64": 2.0**-50}


@gp.kernel(workgroup_size=64, coarsen=False)
def write_beyond(y: gp.InOut[gp.i32]):
    y[gp.global_id(0) + (1 << 24)] = 7


@gp.kernel(workgroup_size=64, coarsen=False)
def race(y: gp.InOut[gp.i32]):
    tile = gp.workgroup_array(gp.i32, 64)
    j = gp.local_id(0)
    tile[j] = j
    y[j] = tile[(j + 32) % 64]  # of another subgroup, with no barrier between


PLANTED = {"memcheck": write_beyond, "racecheck": race}


def call_sorts(device: gp.Device) -> Iterator[str]:
    numbers = np.random.default_rng(1)
    for dtype in (np.uint32, np.float32, np.int64, np.float64):
        for n in SORT_SIZES:
            keys = numbers.integers(0, 1000, n).astype(dtype)
            given = gp.asarray(keys, device=device)
            for variant in (None, *METHODS):
                try:
                    found = gp.sort(given, variant=variant).numpy()
                except gp.ArgumentError:  # the method does not take it
                    if variant is None:
                        raise
                    continue
                check(np.array_equal(found, np.sort(keys)), f"sort of {n} {keys.dtype} by {variant}")
            order = gp.argsort(given).numpy()
            check(np.array_equal(order, np.argsort(keys, kind="stable")), f"argsort of {n} {keys.dtype}")
            yield f"sorts of {n} {keys.dtype}"


def as_part(host: np.ndarray[Any, Any], dtype: Any, device: gp.Device) -> gp.Array:
    """A copy of `host` at the start of an array with 16 elements more. initcheck takes a copy of 16 bytes to workgroup
    memory for a read of them all, also of those that it fills with zeros instead."""
    whole = gp.zeros(host.size + 16, dtype, device=device)
    part = whole[: host.size].reshape(host.shape)
    part[...] = gp.asarray(host, device=device).astype(dtype)
    return part


def call_products(device: gp.Device) -> Iterator[str]:
    numbers = np.random.default_rng(2)
    for name, bound in FLOAT_BOUNDS.items():
        dtype = getattr(gp, name)
        for m, k, n in SHAPES:
            a, b = (numbers.standard_normal(shape).astype(np.float32) for shape in ((m, k), (k, n)))
            x, y = (as_part(host, dtype, device) for host in (a, b))
            exact_a, exact_b = (each.astype(gp.f64).numpy() for each in (x, y))
            most = k * bound * (np.abs(exact_a) @ np.abs(exact_b)) + bound
            for variant in (*VARIANTS, "register_tile", "matrix_units"):
                try:
                    found = gp.matmul(x, y, variant=variant).astype(gp.f64).numpy()
                except (gp.ArgumentError, gp.CapabilityError):  # the device or the dtype has no such variant
                    if variant == VARIANTS[0]:
                        raise
                    continue
                near = np.abs(found - exact_a @ exact_b) <= most
                check(bool(np.all(near)), f"product {m} x {k} x {n} of {name} by {variant}")
            yield f"products {m} x {k} x {n} of {name}"
        for batch in ((3, 17, 40, 35),):
            count, m, k, n = batch
            a, b = numbers.integers(-3, 4, (count, m, k)), numbers.integers(-3, 4, (count, k, n))
            x, y = (as_part(each.astype(np.float32), dtype, device) for each in (a, b))
            found = gp.matmul(x, y).astype(gp.f32).numpy()
            check(np.array_equal(found, a @ b), f"products of {count} matrices of {name}")
            yield f"a batch of {name}"


def call_scans(device: gp.Device) -> Iterator[str]:
    numbers = np.random.default_rng(3)
    for dtype in (np.int32, np.uint32, np.float32):
        for n in SORT_SIZES:
            x = numbers.integers(0, 9, n).astype(dtype)
            given = gp.asarray(x, device=device)
            check(np.array_equal(gp.cumsum(given).numpy(), np.cumsum(x)), f"scan of {n} {x.dtype}")
            for of, expected in ((gp.sum, x.sum()), (gp.min, x.min()), (gp.max, x.max()), (gp.argmax, x.argmax())):
                check(int(of(given)) == int(expected), f"{of.__name__} of {n} {x.dtype}")
            check(np.array_equal(gp.unique(given).numpy(), np.unique(x)), f"unique of {n} {x.dtype}")
            largest = gp.topk(given, min(n, 10))[0].numpy()
            check(np.array_equal(np.sort(largest), np.sort(x)[-min(n, 10) :]), f"topk of {n} {x.dtype}")
            yield f"scans and reductions of {n} {x.dtype}"


PARTS = {"sorts": call_sorts, "products": call_products, "scans": call_scans}


def check(holds: bool, what: str) -> None:
    if not holds:
        raise SystemExit(f"wrong: {what}")


def run_calls(parts: list[str]) -> int:
    device = gp.device("cuda")
    for part in parts:
        for done in PARTS[part](device):
            print(done, flush=True)
    print(f"right on {device.id}, {device.info.name}, {device.info.driver}")
    return 0


def run_planted(name: str) -> int:
    y = gp.zeros(64, gp.i32, device="cuda")
    try:
        PLANTED[name](y, invocations=64)
        y.device.synchronize()
    except gp.DeviceError as error:
        print(error)
    return 0


def under(program: str, tool: str, *arguments: str) -> subprocess.CompletedProcess[Any]:
    """This file under a tool. Memory that the pool keeps would hide what is out of range of an array."""
    command = [program, "--tool", tool, "--error-exitcode", str(FOUND), "--launch-timeout", "120", sys.executable,
               __file__, *arguments]  # fmt: skip
    variables = {**os.environ, "GPUCORE_CACHE": "off"}
    return subprocess.run(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def is_clean(done: subprocess.CompletedProcess[Any]) -> bool:
    """Whether the calls ended well and the tool reported nothing: racecheck's warnings do not change the exit code."""
    hazards = [line for line in done.stdout.splitlines() if b"RACECHECK SUMMARY" in line]
    return done.returncode == 0 and all(b" 0 hazards" in line for line in hazards)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=", ".join(TOOLS))
    parser.add_argument("--part", action="append", choices=PARTS, help="only these calls; may be repeated")
    parser.add_argument("--calls", action="store_true", help="make the calls in this process")
    parser.add_argument("--plant", choices=PLANTED, help="run a defect in this process")
    given = parser.parse_args()
    parts = given.part or [*PARTS]
    if unknown := {*given.tools} - {*TOOLS}:
        parser.error(f"there is no tool {', '.join(unknown)}")
    if given.plant:
        return run_planted(given.plant)
    if given.calls:
        return run_calls(parts)
    program = os.environ.get("COMPUTE_SANITIZER") or shutil.which("compute-sanitizer")
    if program is None:
        parser.error("compute-sanitizer is not on the PATH; it is in the CUDA toolkit (bin or compute-sanitizer)")
    folder, failed = ROOT / ".sanitizer", False
    folder.mkdir(exist_ok=True)
    for tool in given.tools or TOOLS:
        if tool in PLANTED and is_clean(planted := under(program, tool, "--plant", tool)):
            print(f"{tool}: does not report what is planted\n{planted.stdout.decode(errors='replace')}")
            failed = True
        log = folder / f"{tool}.log"
        done = under(program, tool, "--calls", *(option for part in parts for option in ("--part", part)))
        log.write_bytes(done.stdout)
        last = done.stdout.decode(errors="replace").strip().splitlines()[-1:] or [""]
        print(f"{tool}: {'clean' if is_clean(done) else f'exit code {done.returncode}'}; {last[0]}; {log}")
        failed = failed or not is_clean(done)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
