"""`make bench`: matmul and sort on every device except software devices, compared with other libraries.

    python benchmarks/run.py [--devices cuda:0,wgpu:vulkan:0] [--matmul 1024,4096] [--sort 20,24] [-o results.json]

The other libraries are PyTorch (cuBLAS with TF32 off, CUB sort) if CUDA is available, otherwise NumPy. Inputs are
random. Each whole output is verified before anything is timed. Writes benchmarks/results/<machine>.json.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from timing import Timed, device_time, interleave, torch_time, wall_time

import gpucore as gp


def load_torch() -> Any:
    """PyTorch if it is installed and sees CUDA, else None."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    torch.backends.cuda.matmul.allow_tf32 = False
    return torch


def worst(product: Any, expected: Any, bound: Any) -> float:
    """The maximum error of an entry, relative to its bound."""
    return float((np.abs(product - expected) / bound).max())


def bench_matmul(devices: list[gp.Device], torch: Any, m: int, k: int, n: int) -> dict[str, Any]:
    """One shape in f32: seconds of each implementation, and its maximum error relative to the bound."""
    rng = np.random.default_rng(0)
    a = rng.standard_normal((m, k), dtype=np.float32)
    b = rng.standard_normal((k, n), dtype=np.float32)
    expected = a.astype(np.float64) @ b.astype(np.float64)
    bound = k * 2.0**-24 * (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64))  # for any order of summation
    implementations: dict[str, Timed] = {}
    errors: dict[str, float] = {}
    if torch is not None:
        ta, tb = torch.from_numpy(a).cuda(), torch.from_numpy(b).cuda()
        implementations["torch (cuBLAS)"] = torch_time(torch, lambda: torch.matmul(ta, tb))
        errors["torch (cuBLAS)"] = worst(torch.matmul(ta, tb).cpu().numpy(), expected, bound)
    else:
        implementations["numpy"] = wall_time(lambda: a @ b)
        errors["numpy"] = worst(a @ b, expected, bound)
    for device in devices:
        da, db = gp.asarray(a, device=device), gp.asarray(b, device=device)
        errors[device.id] = worst(gp.matmul(da, db).numpy(), expected, bound)
        implementations[device.id] = device_time(device, lambda da=da, db=db: gp.matmul(da, db))
    wrong = {name: error for name, error in errors.items() if not error <= 1}
    if wrong:
        raise SystemExit(f"matmul {m}x{k}x{n} is wrong: {wrong} of the bound")
    seconds = interleave(implementations)
    flops = 2 * m * k * n
    rates = {name: flops / s["median"] / 1e12 for name, s in seconds.items()}
    return {"what": "matmul f32", "shape": [m, k, n], "seconds": seconds, "tflops": rates, "error_of_bound": errors}


def bench_sort(devices: list[gp.Device], torch: Any, log_n: int) -> dict[str, Any]:
    """2**log_n random u32 keys in device memory: seconds of each implementation."""
    keys = np.random.default_rng(1).integers(0, 2**32, 1 << log_n, dtype=np.uint32)
    expected = np.sort(keys)
    implementations: dict[str, Timed] = {}
    if torch is not None:
        tensor = torch.from_numpy((keys ^ np.uint32(0x80000000)).view(np.int32)).cuda()
        implementations["torch (CUB)"] = torch_time(torch, lambda: torch.sort(tensor))
    else:
        implementations["numpy"] = wall_time(lambda: np.sort(keys))
    for device in devices:
        x = gp.asarray(keys, device=device)
        if not np.array_equal(gp.sort(x).numpy(), expected):
            raise SystemExit(f"sort of 2^{log_n} on {device.id} is wrong")
        implementations[device.id] = device_time(device, lambda x=x: gp.sort(x))
    seconds = interleave(implementations)
    rates = {name: len(keys) / s["median"] / 1e9 for name, s in seconds.items()}
    return {"what": "sort u32", "log_n": log_n, "seconds": seconds, "gkeys_per_second": rates}


def describe_machine(devices: list[gp.Device], torch: Any) -> dict[str, Any]:
    """The hardware and software that the results were measured with."""
    packages = {}
    for name in ("gpucore", "numpy", "wgpu", "pyopencl", "pycuda", "nvidia-cuda-nvrtc", "llvmlite", "torch"):
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": packages,
        "devices": {d.id: {"name": d.name, "driver": d.info.driver} for d in devices},
        "peer": torch.cuda.get_device_name(0) if torch is not None else "NumPy",
    }


def show(row: dict[str, Any]) -> None:
    """One line for each implementation, as a ratio to the first."""
    key = "tflops" if "tflops" in row else "gkeys_per_second"
    peer = next(iter(row[key].values()))
    for name, rate in row[key].items():
        size = str(row.get("shape", row.get("log_n")))
        print(f"{row['what']:12} {size:22} {name:18} {rate:9.3f} {key:18} {rate / peer:6.3f} of peer")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--devices", help="comma-separated ids; default: all but software devices")
    parser.add_argument("--matmul", default="512,1024,2048", help="sizes, or shapes such as 1000x999x1001")
    parser.add_argument("--sort", default="16,20", help="logarithms of the number of keys")
    parser.add_argument("-o", "--output", help="default: benchmarks/results/<machine>.json")
    options = parser.parse_args()
    ids = options.devices.split(",") if options.devices else [d.id for d in gp.devices() if d.kind.value != "software"]
    devices, torch = [gp.device(name) for name in ids], load_torch()
    rows = []
    for text in filter(None, options.matmul.split(",")):
        m, k, n = (int(part) for part in (text.split("x") if "x" in text else [text] * 3))
        rows.append(bench_matmul(devices, torch, m, k, n))
        show(rows[-1])
    for text in filter(None, options.sort.split(",")):
        rows.append(bench_sort(devices, torch, int(text)))
        show(rows[-1])
    machine = describe_machine(devices, torch)
    name = re.sub(r"\W+", "-", machine["peer"] if torch is not None else devices[0].name).strip("-").lower()
    path = Path(options.output or Path(__file__).parent / "results" / f"{name}.json")
    path.write_text(json.dumps({"machine": machine, "rows": rows}, indent=1) + "\n")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
