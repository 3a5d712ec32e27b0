"""Errors of functions of floats on any device, in units in the last place (ulp) of the exact value.

    python benchmarks/accuracy.py simulator cpu wgpu:vulkan:0 [--types f32,f64,f16] [--functions log10,erf]
                                  [--count 1000000] [-o folder]

Arguments are a dense sample of each domain: uniform, uniform over the exponents, and the neighbours of its ends.
Subnormal arguments and results are left out, because devices may flush them. Zeros, infinities and NaN are tested
separately: arguments whose result is of the wrong kind (finite, infinite, NaN) are listed. Writes
benchmarks/results/accuracy-<device>.json; rows of other types and functions that the file has are kept.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
from references import EDGES, FUNCTIONS, Function, errors_in_ulp, wider

import gpucore as gp
from gpucore.bench.machine import describe_machine
from gpucore.testing.kernels.functions import kernel_of

TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16}
COUNT, COUNT_ON_SIMULATOR = 1 << 20, 1 << 12
_MAX_LISTED = 12  # wrong edges per function


def compute(device: gp.Device, function: Function, arguments: tuple[Any, ...]) -> Any:
    """The results of the function on the device."""
    out = gp.zeros(arguments[0].size, arguments[0].dtype, device=device)
    arrays = [gp.asarray(argument, device=device) for argument in arguments]
    kernel_of(function.function, function.arity)(*arrays, out, invocations=out.size)
    return out.numpy()


def exact_values(function: Function, arguments: tuple[Any, ...]) -> Any:
    """The exact values in a wider type."""
    high = wider(arguments[0].dtype)
    with np.errstate(all="ignore"):
        return np.asarray(function.exact(*(argument.astype(high) for argument in arguments)))


def measure(device: gp.Device, function: Function, dtype: Any, count: int) -> dict[str, Any]:
    """One row of results, on a sample and at the edges of the function's domain.

    It has the maximum error and its arguments; the maximum over results of at least 1/16 (hardware computes some
    functions with a fixed absolute error, which near a zero of the function is many ulp); the mean; the maximum
    absolute error; and how often a finite result came out as infinity or NaN.
    """
    arguments = function.sample(np.random.default_rng(11), dtype, count)
    exact = exact_values(function, arguments)
    result = compute(device, function, arguments)
    info = np.finfo(dtype)
    with np.errstate(over="ignore"):
        counted = np.isfinite(exact.astype(dtype)) & ((np.abs(exact) >= info.tiny) | (exact == 0))
    result, exact = result[counted], exact[counted]
    arguments = tuple(argument[counted] for argument in arguments)
    finite = np.isfinite(result)
    errors = np.where(finite, errors_in_ulp(result, exact), -1.0)
    worst = int(np.argmax(errors))
    absolute = np.abs(result[finite].astype(exact.dtype) - exact[finite])
    return {
        "function": function.name,
        "type": np.dtype(dtype).name.replace("float", "f"),
        "domain": function.domain,
        "count": int(errors.size),
        "max_ulp": significant(errors[worst]),
        "at": [float(argument[worst]) for argument in arguments],
        "max_ulp_from_1_16": significant(errors[np.abs(exact) >= 1 / 16].max()),
        "mean_ulp": significant(errors[finite].mean()),
        "max_absolute": significant(absolute.max()),
        "not_finite": int(errors.size - finite.sum()),
        "edges_off": find_wrong_edges(device, function, dtype),
    }


def find_wrong_edges(device: gp.Device, function: Function, dtype: Any) -> list[str]:
    """Zeros, infinities, NaN and small numbers whose result is of the wrong kind, as text."""
    tuples = list(itertools.product(EDGES, repeat=function.arity))
    arguments = tuple(np.array(values, dtype) for values in zip(*tuples, strict=True))
    with np.errstate(all="ignore"):
        exact = exact_values(function, arguments).astype(dtype)
    result = compute(device, function, arguments)
    found = []
    for values, got, wanted in zip(tuples, result.tolist(), exact.tolist(), strict=True):
        if kind(got) != kind(wanted):
            found.append(f"{function.name}({', '.join(map(str, values))}) = {got:.6g}, not {wanted:.6g}")
    return found if len(found) <= _MAX_LISTED else [*found[:_MAX_LISTED], f"and {len(found) - _MAX_LISTED} more"]


def kind(value: float) -> str:
    """NaN, an infinity of either sign, or a finite number."""
    return str(value) if math.isnan(value) or math.isinf(value) else "finite"


def significant(value: Any) -> float:
    """A number with four significant digits."""
    return float(f"{float(value):.4g}")


def measure_device(device: gp.Device, types: list[str], names: list[str], count: int | None) -> list[dict[str, Any]]:
    """A row for each named function in every type that the device supports; for a missing function it has the error."""
    rows: list[dict[str, Any]] = []
    count = count or (COUNT_ON_SIMULATOR if device.info.backend == "simulator" else COUNT)
    for name, function in itertools.product(types, [function for function in FUNCTIONS if function.name in names]):
        if name != "f32" and not device.supports(name):
            continue
        if wider(TYPES[name]) is None:
            continue
        try:
            rows.append(measure(device, function, TYPES[name], count))
        except gp.CompileError as error:
            rows.append({"function": function.name, "type": name, "domain": function.domain, "missing": error.message})
        print(show(device, rows[-1]), flush=True)
    return rows


def merged(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of both, in the order of the tables; a new row replaces an old one."""
    rows = {(row["type"], row["function"], row["domain"]): row for row in [*old, *new]}
    keys = [(name, function.name, function.domain) for name, function in itertools.product(TYPES, FUNCTIONS)]
    return [rows[key] for key in keys if key in rows]


def show(device: gp.Device, row: dict[str, Any]) -> str:
    """A row as one line."""
    head = f"{device.id:14} {row['type']:4} {row['function']:6} {row['domain']:30}"
    if "missing" in row:
        return f"{head} {row['missing']}"
    edges = f"  edges: {'; '.join(row['edges_off'])}" if row["edges_off"] else ""
    beyond = f"  {row['not_finite']} not finite" if row["not_finite"] else ""
    place = ", ".join(f"{value:.9g}" for value in row["at"])
    large = f"{row['max_ulp_from_1_16']:>10} for results from 1/16"
    return f"{head} {row['max_ulp']:>10} ulp at {place}; {large}; {row['max_absolute']:.3g} absolute{beyond}{edges}"


def file_name(device: gp.Device) -> str:
    """By backend, interface and adapter: cuda-nvidia-h200."""
    interface = device.id.rpartition(":")[0]
    words = interface if device.info.backend in ("simulator", "cpu") else f"{interface} {device.name}"
    return f"accuracy-{re.sub(r'[^a-z0-9]+', '-', words.lower()).strip('-')}.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("devices", nargs="+", help="ids of devices, or names of backends")
    parser.add_argument("--types", default="f32,f64,f16")
    parser.add_argument("--functions", default=",".join(dict.fromkeys(function.name for function in FUNCTIONS)))
    parser.add_argument(
        "--count", type=int, help=f"arguments of each function; {COUNT}, simulator {COUNT_ON_SIMULATOR}"
    )
    parser.add_argument("-o", "--output", default=str(Path(__file__).parent / "results"), help="a folder")
    options = parser.parse_args()
    functions = options.functions.split(",")
    if unknown := set(functions) - {function.name for function in FUNCTIONS}:
        parser.error(f"no row in FUNCTIONS of references.py: {', '.join(sorted(unknown))}")
    for name in options.devices:
        device = gp.device(name)
        path = Path(options.output) / file_name(device)
        old = json.loads(path.read_text())["rows"] if path.exists() else []
        rows = measure_device(device, options.types.split(","), functions, options.count)
        report = {"machine": describe_machine([device]), "rows": merged(old, rows)}
        path.write_text(json.dumps(report, indent=1) + "\n")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
