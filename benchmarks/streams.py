"""Streams of arrays larger than the memory they may use: python benchmarks/streams.py [--device ID] [-o FILE]

A sort of u32 and a product of f32, `--times` as large as `--memory`, from files to a file, beside `numpy.load`,
`gp.sort` or `gp.matmul`, and `numpy.save` of whole arrays, if they fit on the device. Both run in turn; the files are
in the page cache afterwards, so the first round is left out. Results are verified: sorted values by their order and two
sums, a product against a vector, within the bound of the rounding of its sums.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import gpucore as gp
import gpucore_dask as gd
from gpucore.bench.machine import describe_machine

_PART = 1 << 24  # elements that are made and verified at a time
_ROUNDS = 3
_UNIT = 2.0**-24  # the unit roundoff of f32


def make_values(path: Path, shape: tuple[int, ...], dtype: type[Any]) -> None:
    """A file of random values, written by parts."""
    rng = np.random.default_rng(15)
    values = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape).reshape(-1)
    for start in range(0, values.size, _PART):
        size = min(_PART, values.size - start)
        is_float = np.dtype(dtype).kind == "f"
        part = rng.standard_normal(size, np.float32) if is_float else rng.integers(0, 1 << 32, size, np.uint32)
        values[start : start + size] = part


def sums_of(path: Path) -> tuple[int, int]:
    """Two sums of all values of a file, which no order changes."""
    values = np.load(path, mmap_mode="r")
    first = second = 0
    for start in range(0, values.size, _PART):
        part = values[start : start + _PART].astype(np.uint64)
        first += int(part.sum())
        second += int((part * part ^ part).sum())
    return first % (1 << 64), second % (1 << 64)


def verify_sort(source: Path, target: Path) -> None:
    values = np.load(target, mmap_mode="r")
    for start in range(0, values.size, _PART):
        part = values[max(0, start - 1) : start + _PART]
        assert (part[1:] >= part[:-1]).all(), "not in order"
    assert sums_of(source) == sums_of(target), "other values"


def verify_product(a: Path, b: Path, c: Path) -> None:
    """c x is a (b x). A sum of k products is off by at most k + 1 units of the sum of their magnitudes."""
    left, right, product = (np.load(path, mmap_mode="r") for path in (a, b, c))
    signs = np.random.default_rng(16).choice([-1.0, 1.0], right.shape[1])
    rows = max(1, _PART // right.shape[1])

    def times(matrix: Any, vector: Any, change: Callable[[Any], Any] = lambda part: part) -> Any:
        parts = [change(matrix[at : at + rows].astype(np.float64)) @ vector for at in range(0, len(matrix), rows)]
        return np.concatenate(parts)

    bound = (right.shape[0] + 1) * _UNIT * times(left, times(right, np.ones(right.shape[1]), np.abs), np.abs)
    assert (np.abs(times(product, signs) - times(left, times(right, signs))) <= bound).all(), "a wrong product"


def in_turn(stream: Callable[[], gd.Streamed], whole: Callable[[], None] | None) -> dict[str, Any]:
    """Both several times; the median of the streams by wall time, and all seconds."""
    streams, seconds = [], []
    for _ in range(_ROUNDS + 1):
        streams.append(stream())
        if whole is not None:
            start = time.perf_counter()
            whole()
            seconds.append(time.perf_counter() - start)
    streams, seconds = sorted(streams[1:], key=lambda done: done.wall), seconds[1:]
    middle = streams[_ROUNDS // 2]
    print(middle)
    print("whole:", [f"{each:.3f} s" for each in seconds] or "does not fit")
    return {
        "wall": [done.wall for done in streams], "whole": seconds, "pieces": middle.pieces, "overlap": middle.overlap,
        "bytes": dict(middle.nbytes), "seconds": dict(middle.seconds),
    }  # fmt: skip


def sort_row(folder: Path, device: gp.Device, memory: int, times: int) -> dict[str, Any]:
    size = memory * times // 4
    source, target, other = (folder / name for name in ("in.npy", "out.npy", "whole.npy"))
    make_values(source, (size,), np.uint32)

    def whole() -> None:
        np.save(other, gp.sort(np.load(source), device=device))

    fits = 4 * size <= min(device.limits.max_binding_size, device.info.memory // 8)
    row = in_turn(lambda: stream_sort(source, target, device, memory), whole if fits else None)
    verify_sort(source, target)
    return {"what": "sort", "dtype": "u32", "elements": size, **row}


def stream_sort(source: Path, target: Path, device: gp.Device, memory: int) -> gd.Streamed:
    return gd.stream_sort(source, target, device=device, memory=memory, overwrite=True, progress=True)


def product_row(folder: Path, device: gp.Device, memory: int, times: int) -> dict[str, Any]:
    side = math.isqrt(memory * times // 12)
    a, b, c, other = (folder / name for name in ("a.npy", "b.npy", "c.npy", "whole.npy"))
    make_values(a, (side, side), np.float32)
    make_values(b, (side, side), np.float32)

    def whole() -> None:
        np.save(other, gp.matmul(np.load(a), np.load(b), device=device))

    def stream() -> gd.Streamed:
        return gd.stream_matmul(a, b, c, device=device, memory=memory, overwrite=True, progress=True)

    fits = 4 * side**2 <= min(device.limits.max_binding_size, device.info.memory // 8)
    row = in_turn(stream, whole if fits else None)
    verify_product(a, b, c)
    return {"what": "matmul", "dtype": "f32", "side": side, **row}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", help="such as cuda (default: the best one)")
    parser.add_argument("--memory", type=float, default=2.0, help="GiB of the device that are used (2)")
    parser.add_argument("--times", type=int, default=4, help="how many times as large the arrays are (4)")
    parser.add_argument("--folder", help="of the files: four times the arrays (default: a temporary one)")
    parser.add_argument("-o", "--output", help="a file of JSON")
    options = parser.parse_args()
    device, memory = gp.device(options.device), int(options.memory * (1 << 30))
    rows = []
    for measure in (sort_row, product_row):
        folder = Path(tempfile.mkdtemp(dir=options.folder, prefix="gpucore-streams-"))
        try:
            rows.append(measure(folder, device, memory, options.times))
        finally:
            shutil.rmtree(folder)
    found = {"machine": describe_machine([device]), "device": device.id, "memory": memory, "rows": rows}
    if options.output:
        Path(options.output).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
