"""`gpucore sort` and `gpucore matmul`: from .npy files to a .npy file. A summary is printed on standard error.

With `--stream` the arrays may be larger than the device's memory (`gpucore.cli.out_of_core`)."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

from gpucore.algorithms import matmul, sort
from gpucore.algorithms.matmul import CHOICES
from gpucore.array import Array
from gpucore.cli import out_of_core
from gpucore.cli.failures import OK
from gpucore.cli.files import check_writable, read_array, write_array
from gpucore.cli.numbers import count, format_seconds
from gpucore.cli.streams import stdout_to_stderr
from gpucore.creation import asarray
from gpucore.device import Device
from gpucore.device import device as get_device
from gpucore.errors import ArgumentError, CapabilityError
from gpucore.ir import PRECISIONS


def add_parsers(commands: Any) -> None:
    """Add both commands to the parser."""
    parser = commands.add_parser("sort", help="sort the array of a .npy file")
    parser.add_argument("input", metavar="IN.npy", help="array of rank 1; - is standard input")
    parser.add_argument("--descending", action="store_true", help="largest first")
    parser.set_defaults(run=run_sort)
    _add_common(parser)
    parser = commands.add_parser("matmul", help="multiply the matrices of two .npy files")
    parser.add_argument("a", metavar="A.npy", help="matrix of shape (m, k)")
    parser.add_argument("b", metavar="B.npy", help="matrix of shape (k, n), of the same dtype")
    parser.add_argument("--variant", choices=CHOICES, default="auto", help="the version to use (default: auto)")
    parser.add_argument("--precision", choices=PRECISIONS, default=PRECISIONS[0], help=(
        f"of products of f32 (default: {PRECISIONS[0]})"))  # fmt: skip
    parser.set_defaults(run=run_matmul)
    _add_common(parser)


def _add_common(parser: argparse.ArgumentParser) -> None:
    where = "file to write; may be an input file; - is standard output"
    parser.add_argument("-o", "--output", required=True, metavar="OUT.npy", help=where)
    parser.add_argument("--device", metavar="ID", help='such as "cuda" or "cuda:1" (default: the best device)')
    out_of_core.add_arguments(parser)


def run_sort(options: argparse.Namespace) -> int:
    """Sort a file."""
    if out_of_core.is_asked(options):
        return out_of_core.run("sort", [options.input], options, descending=options.descending)
    target = check_writable(options.output)
    values = _read(options.input, "sort", 1)
    with stdout_to_stderr():
        device = get_device(options.device)
        start = time.perf_counter()
        with _explained(device, values):
            result = sort(_upload(options.input, values, device), options.descending).numpy()
    seconds = time.perf_counter() - start
    write_array(target, result)
    _report(device, f"sorted {count(result.size, f'{result.dtype.name} value')}", seconds)
    return OK


def run_matmul(options: argparse.Namespace) -> int:
    """Multiply two files."""
    if out_of_core.is_asked(options):
        return out_of_core.run("matmul", [options.a, options.b], options, precision=options.precision)
    target = check_writable(options.output)
    left, right = (_read(path, "matmul", 2) for path in (options.a, options.b))
    with stdout_to_stderr():
        device = get_device(options.device)
        start = time.perf_counter()
        with _explained(device, left):
            a, b = _upload(options.a, left, device), _upload(options.b, right, device)
            product: Array = matmul(a, b, variant=options.variant, precision=options.precision)
            result = product.numpy()
    seconds = time.perf_counter() - start
    write_array(target, result)
    (m, k), n = left.shape, right.shape[1]
    _report(device, f"multiplied {m} x {k} by {k} x {n} {result.dtype.name} values ({options.variant})", seconds)
    return OK


def _read(path: str, command: str, rank: int) -> npt.NDArray[Any]:
    """The array of a file, of the rank that a command takes."""
    values = read_array(path)
    if values.ndim != rank:
        raise ArgumentError(f"{path} holds an array of shape {values.shape}; {command} takes rank {rank}")
    if values.dtype.kind in "iu" and values.dtype.itemsize < 4:
        raise ArgumentError(
            f"{path} holds {values.dtype.name}; {command} takes integers of 32 and 64 bits and floats; convert it with "
            "astype"
        )
    return values


def _upload(path: str, values: npt.NDArray[Any], device: Device) -> Array:
    try:
        return asarray(values, device=device)
    except ArgumentError as error:  # a dtype that devices do not have, an array that is too large
        raise ArgumentError(f"{path}: {error}") from error


@contextlib.contextmanager
def _explained(device: Device, values: npt.NDArray[Any]) -> Iterator[None]:
    """Refuse a dtype that this device lacks, without showing a location in a kernel."""
    try:
        yield
    except CapabilityError as error:
        message = (
            f"{device.id} ({device.name}) does not have {values.dtype.name}; choose another device, or convert the file"
        )
        raise ArgumentError(message) from error


def _report(device: Device, what: str, seconds: float) -> None:
    took = f"in {format_seconds(seconds)}, compilation and transfers included"
    print(f"{device.id} ({device.name}): {what} {took}", file=sys.stderr)
