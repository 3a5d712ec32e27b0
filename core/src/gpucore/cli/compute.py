"""`gpucore sort` and `gpucore matmul`: from .npy files to a .npy file. What was done is told on standard error."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from gpucore.algorithms import matmul, sort
from gpucore.algorithms.matmul import VARIANTS
from gpucore.array import Array, asarray
from gpucore.cli.failures import OK
from gpucore.cli.files import check_writable, read_array, write_array
from gpucore.cli.numbers import count, format_seconds
from gpucore.device import Device, device as get_device
from gpucore.errors import ArgumentError


def add_parsers(commands: Any) -> None:
    """The options of both commands."""
    parser = commands.add_parser("sort", help="sort the array of a .npy file")
    parser.add_argument("input", metavar="IN.npy", help="array of rank 1")
    parser.add_argument("--descending", action="store_true", help="greatest first")
    parser.set_defaults(run=run_sort)
    _add_common(parser)
    parser = commands.add_parser("matmul", help="multiply the matrices of two .npy files")
    parser.add_argument("a", metavar="A.npy", help="matrix of shape (m, k)")
    parser.add_argument("b", metavar="B.npy", help="matrix of shape (k, n), of the same dtype")
    parser.add_argument("--variant", choices=VARIANTS, default="auto", help="the version to use (default: auto)")
    parser.set_defaults(run=run_matmul)
    _add_common(parser)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="OUT.npy", help="where to; may be an input file")
    parser.add_argument("--device", metavar="ID", help='such as "cuda", "cuda:1" (default: the best one)')


def run_sort(options: argparse.Namespace) -> int:
    """Sort a file."""
    target = check_writable(options.output)
    values = read_array(options.input)
    if values.ndim != 1:
        raise ArgumentError(f"{options.input} holds an array of shape {values.shape}; sort takes rank 1")
    device = get_device(options.device)
    start = time.perf_counter()
    result = sort(asarray(values, device=device), options.descending).numpy()
    seconds = time.perf_counter() - start
    write_array(target, result)
    _report(device, f"sorted {count(result.size, f'{values.dtype} value')}", seconds)
    return OK


def run_matmul(options: argparse.Namespace) -> int:
    """Multiply two files."""
    target = check_writable(options.output)
    matrices = [read_array(options.a), read_array(options.b)]
    for path, values in zip((options.a, options.b), matrices, strict=True):
        if values.ndim != 2:
            raise ArgumentError(f"{path} holds an array of shape {values.shape}; matmul takes rank 2")
    device = get_device(options.device)
    start = time.perf_counter()
    a, b = (asarray(values, device=device) for values in matrices)
    product: Array = matmul(a, b, variant=options.variant)
    result = product.numpy()
    seconds = time.perf_counter() - start
    write_array(target, result)
    (m, k), n = a.shape, b.shape[1]
    _report(device, f"multiplied {m} x {k} by {k} x {n} {result.dtype} values ({options.variant})", seconds)
    return OK


def _report(device: Device, what: str, seconds: float) -> None:
    took = f"in {format_seconds(seconds)}, compilation and transfers included"
    print(f"{device.id} ({device.name}): {what} {took}", file=sys.stderr)
