"""Sorts and products of gpucore_dask on 1, 2, ... of some devices of this machine, beside one device alone and the cost
model.

    python benchmarks/scale.py --devices cuda:0,cuda:1 --sort 4294967296 --chunk 268435456 --side 65536 --block 16384 -o
    rows.json python benchmarks/scale.py --devices cpu:0,cpu:0 --sort 16777216 --chunk 1048576 --side 4096 --block 1024

The rates of the model are measured first: those of a sort by one of four chunks on one worker, as its tasks spend them,
the others by calls on one device. Inputs are made in tasks and kept (persist) before the time
counts; results are checked: sorts by order and sum, products of whole numbers by some rows. `--files FOLDER` multiplies
matrices in files there, too, which the system has just written and so has in its memory; the sums of all rows of these
products are checked. 12 bytes for each element of a matrix are written to the folder, and removed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import dask.array as da
import numpy as np
import numpy.typing as npt
from distributed import Client, wait

import gpucore as gp
import gpucore_dask as gd
from gpucore.bench.machine import describe_machine
from gpucore_dask import cost
from gpucore_dask.bounds import PANEL
from gpucore_dask.streams.sources import open_source

ROWS_CHECKED = 3


def best(call: Callable[[], Any], times: int = 3) -> float:
    """The shortest time of a call, in seconds, after one that is not timed."""
    call()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken)


def measure_device(chunk: int, block: int) -> dict[str, float]:
    """Rates of the worker's device, on the sizes of its tasks. For `client.submit`."""
    device = gp.default_device()
    keys = np.random.default_rng(1).integers(0, 1 << 32, chunk, dtype=np.uint32)
    there = gp.asarray(keys, device=device)
    square = gp.ones((block, block), device=device)

    def finished(call: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            made = call()
            device.synchronize()
            made.close()

        return run

    up, down = best(finished(lambda: gp.asarray(keys, device=device))), best(there.numpy)
    return {
        "sort": chunk / best(finished(lambda: gp.sort(there))),
        "flops": 2 * block**3 / best(finished(lambda: gp.matmul(square, square))),
        "link": 2 * keys.nbytes / (up + down),
        "host": keys.nbytes / best(keys.copy),
    }


def measure_rates(client: Client, chunk: int, block: int) -> cost.Rates:
    """The rates of the model on this cluster."""
    workers = list(gd.devices(client))
    found: dict[str, float] = client.submit(measure_device, chunk, block, workers=workers[0], pure=False).result()
    start = time.perf_counter()
    wait(client.map(lambda number: number, range(2_000), pure=False))
    found["task"] = (time.perf_counter() - start) / 2_000
    if len(workers) > 1:
        block_of = client.submit(np.zeros, chunk, np.uint32, workers=workers[0], pure=False)
        wait(block_of)
        start = time.perf_counter()
        wait(client.submit(len, block_of, workers=workers[1], pure=False))
        found["network"] = 4 * chunk / (time.perf_counter() - start)
    return cost.Rates(**found)


def measure_sort(chunk: int) -> dict[str, float]:
    """Rates of the tasks of a sort of u32, on a cluster of one worker: of four chunks, after a sort that compiles."""
    for _ in range(2):
        values, _ = persisted(da.random.default_rng(5).integers(0, 1 << 32, 4 * chunk, chunks=chunk, dtype=np.uint32))
        with gd.report() as seen:
            persisted(gd.sort(values))
    assert len(seen.devices) == 1
    model = gd.sort_cost(values.size, 4, 1, 4, cost.Rates(sort=1, link=1, host=1))
    return {name: getattr(model, part) / getattr(seen.spent, part)
            for name, part in (("sort", "compute"), ("link", "link"), ("host", "host"))}  # fmt: skip


def persisted(array: da.Array) -> tuple[da.Array, float]:
    """An array in the memory of the workers, and the seconds that it took."""
    start = time.perf_counter()
    made = array.persist()
    wait(made)
    return made, time.perf_counter() - start


def time_sort(size: int, chunk: int) -> tuple[float, str]:
    """Seconds of a sort of u32, and how they were spent."""
    random = da.random.default_rng(3)
    values, _ = persisted(random.integers(0, 1 << 32, size, chunks=chunk, dtype=np.uint32))
    persisted(gd.sort(values[: min(size, 2 * chunk)], True))  # compiles
    with gd.report() as seen:
        made, seconds = persisted(gd.sort(values))
    falls = da.map_overlap(lambda x: np.atleast_1d((x[1:] < x[:-1]).any()), made, depth=1, boundary="none", trim=False,
                           dtype=bool, chunks=((1,) * made.npartitions,))  # fmt: skip
    assert not bool(falls.any().compute())
    assert int(made.sum(dtype=np.uint64).compute()) == int(values.sum(dtype=np.uint64).compute())
    return seconds, str(seen)


def time_matmul(side: int, block: int) -> tuple[float, str]:
    """Seconds of a product of f32, and how they were spent."""
    random = da.random.default_rng(4)
    shape, chunks = (side, side), (block, block)
    a, _ = persisted(random.integers(-3, 4, shape, chunks=chunks, dtype=np.int8).astype(np.float32))
    b, _ = persisted(random.integers(-3, 4, shape, chunks=chunks, dtype=np.int8).astype(np.float32))
    persisted(gd.matmul(a[:block], b[:, :block]))  # compiles
    with gd.report() as seen:
        c, seconds = persisted(gd.matmul(a, b))
    assert 9 * side < 1 << 24  # sums are exact as f32
    wanted = da.dot(a[:ROWS_CHECKED], b).compute()
    np.testing.assert_array_equal(c[:ROWS_CHECKED].compute(), wanted)
    return seconds, str(seen)


class Files(NamedTuple):
    """Two square matrices of whole numbers, f32, and the sums of the rows of their product."""

    a: Path
    b: Path
    sums: npt.NDArray[np.float64]


def make_files(folder: Path, side: int) -> Files:
    """Write the matrices, by several threads."""
    bands = [(start, min(start + 512, side)) for start in range(0, side, 512)]

    def written(number: int, path: Path) -> Any:
        matrix = np.lib.format.open_memmap(path, "w+", np.float32, (side, side))

        def fill(band: tuple[int, int]) -> None:
            random = np.random.default_rng([number, band[0]])
            matrix[slice(*band)] = random.integers(-3, 4, (band[1] - band[0], side), dtype=np.int8)

        list(threads.map(fill, bands))
        return matrix

    with ThreadPoolExecutor() as threads:
        a, b = (written(number, folder / f"{name}.npy") for number, name in enumerate("ab"))
        of_b = np.concatenate([*threads.map(lambda band: b[slice(*band)].sum(axis=1, dtype=np.float64), bands)])
        sums = np.concatenate([*threads.map(lambda band: a[slice(*band)].astype(np.float64) @ of_b, bands)])
    return Files(folder / "a.npy", folder / "b.npy", sums)


def time_matmul_of_files(files: Files) -> tuple[float, str]:
    """Seconds of a product of files in their second run, and how they were spent."""
    for _ in range(2):
        with gd.report() as seen:
            c, seconds = persisted(gd.matmul(files.a, files.b))
        np.testing.assert_array_equal(c.sum(axis=1, dtype=np.float64).compute(), files.sums)
        del c
    return seconds, str(seen)


def measure_stream(path: Path, tile: tuple[int, int]) -> dict[str, float]:
    """Rates of a worker that multiplies files in such tiles: reads, page-locked memory, products of panels. For
    `client.submit`."""
    device, source = gp.default_device(), open_source("benchmark", "matrix", path)
    shapes = (tile[0], PANEL), (PANEL, tile[1])
    panels = [np.empty(shape, np.float32) for shape in shapes]
    left, right = (gp.ones(shape, device=device) for shape in shapes)
    sums = gp.zeros(tile, device=device)
    elements = sum(panel.size for panel in panels)

    def read() -> None:
        for panel in panels:
            source.read([slice(0, length) for length in panel.shape], panel)

    def multiply() -> None:
        gp.matmul(left, right, out=sums, beta=1)
        device.synchronize()

    def pin() -> None:
        gp.empty_pinned(elements, np.float32, device=device)[::1024] = 0  # each page of it: some systems give it then

    return {
        "read": 4 * elements / best(read),
        "pin": 4 * elements / best(pin),
        "flops": 2 * tile[0] * tile[1] * PANEL / best(multiply),
    }


def peers(device: str) -> dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]]:
    """A sort and a product of arrays of NumPy by each peer, after a small call that compiles."""
    opened = gp.device(device)
    found: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
        "gpucore, one process": (
            lambda x: gp.sort(gp.asarray(x, device=opened)).numpy(),
            lambda a, b: gp.matmul(gp.asarray(a, device=opened), gp.asarray(b, device=opened)).numpy(),
        )
    }
    with suppress(ImportError):
        cupy = import_module("cupy")
        found[f"CuPy {cupy.__version__}"] = (
            lambda x: cupy.sort(cupy.asarray(x)).get(),
            lambda a, b: cupy.matmul(cupy.asarray(a), cupy.asarray(b)).get(),
        )
    return found


def time_peers(device: str, size: int, side: int) -> Iterator[dict[str, Any]]:
    """A row for each call of each peer: the second of two calls, or why there is none."""
    random = np.random.default_rng(3)
    keys = random.integers(0, 1 << 32, size, dtype=np.uint32)
    a, b = (random.integers(-3, 4, (side, side), dtype=np.int8).astype(np.float32) for _ in range(2))
    for name, (sort, multiply) in peers(device).items():
        for what, call in (("sort", partial(sort, keys)), ("matmul", partial(multiply, a, b))):
            row: dict[str, Any] = {"what": what, "peer": name, "device": device}
            try:
                row["seconds"] = best(call, 1)
            except Exception as error:  # noqa: BLE001 (a peer may refuse the size, each with its own class)
                row["problem"] = f"{type(error).__name__}: {error}"
            yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", default="cpu:0,cpu:0", help="ids, separated by commas")
    parser.add_argument("--sort", type=int, default=1 << 24, help="keys, u32")
    parser.add_argument("--chunk", type=int, default=1 << 20, help="keys of a chunk")
    parser.add_argument("--side", type=int, default=4096, help="of the matrices, f32")
    parser.add_argument("--block", type=int, default=1024, help="side of a block")
    parser.add_argument("--threads", type=int, help="of each worker on the cpu device")
    parser.add_argument("--peers", metavar="DEVICE", help="measure peers on this device, too")
    parser.add_argument("--files", metavar="FOLDER", type=Path, help="multiply matrices in files there, too")
    kinds = ["sort", "matmul", "files"]
    parser.add_argument("--only", nargs="+", choices=kinds, default=kinds, help="measure these alone")
    parser.add_argument("-o", "--output", type=Path, help="a file for the rows, JSON")
    options = parser.parse_args()
    if options.files and not options.files.is_dir():
        parser.error(f"{options.files} is no folder")
    names, rows = options.devices.split(","), []
    packages = {name: version(name) for name in ("dask", "distributed")}
    found = {"machine": describe_machine([gp.device(name) for name in dict.fromkeys(names)]), "packages": packages,
             "rows": rows}  # fmt: skip
    of_sort: dict[str, float] = {}
    counts = sorted({1, *(1 << k for k in range(1, 8) if 1 << k < len(names)), len(names)})
    for count in counts:
        with gd.LocalDevices(names[:count], threads=options.threads) as client:
            rates = measure_rates(client, options.chunk, options.block)
            if count == 1 and "sort" in options.only:
                of_sort = measure_sort(options.chunk)
            of_tasks = rates._replace(**of_sort)
            sort_model = gd.sort_cost(options.sort, 4, count, -(-options.sort // options.chunk), of_tasks)
            product_model = gd.matmul_cost(options.side, options.block, count, rates)
            for name, model, used, measure in (
                ("sort", sort_model, of_tasks, partial(time_sort, options.sort, options.chunk)),
                ("matmul", product_model, rates, partial(time_matmul, options.side, options.block)),
            ):
                if name not in options.only:
                    continue
                seconds, spent = measure()
                row = {"what": name, "workers": count, "seconds": seconds, "model": model.total, "spent": spent}
                rows.append(row | {"parts": model._asdict(), "rates": used._asdict()})
                print(f"{name:6} on {count}: {seconds:.2f} s, model {model.total:.2f} s; {spent}", flush=True)
            _write(options.output, found)
    if options.files and "files" in options.only:
        for row in measure_files(options.files, options.side, names, counts, options.threads, rates):
            rows.append(row)
            print(row, flush=True)
        _write(options.output, found)
    if options.peers:
        for row in time_peers(options.peers, options.sort, options.side):
            rows.append(row)
            print(row, flush=True)
        _write(options.output, found)


def measure_files(
    folder: Path, side: int, names: Sequence[str], counts: Sequence[int], threads: int | None, rates: cost.Rates
) -> Iterator[dict[str, Any]]:
    """A row for the product of files on each number of devices, and one for a stream to a file on the first one."""
    with TemporaryDirectory(dir=folder) as made:
        files = make_files(Path(made), side)
        for count in counts:
            with gd.LocalDevices(names[:count], threads=threads) as client:
                tile = gd.matmul(files.a, files.b).chunksize
                rates = rates._replace(**client.submit(measure_stream, files.a, tile, pure=False).result())
                model = gd.matmul_files_cost(side, tile, count, rates)
                seconds, spent = time_matmul_of_files(files)
            row = {"what": "matmul of files", "workers": count, "seconds": seconds, "model": model.total}
            yield row | {"spent": spent, "parts": model._asdict(), "rates": rates._asdict()}
        target = Path(made) / "c.npy"
        for _ in range(2):
            target.unlink(missing_ok=True)
            seen = gd.stream_matmul(files.a, files.b, target, device=names[0])
        yield {"what": "stream_matmul to a file", "device": names[0], "seconds": seen.wall, "spent": str(seen)}


def _write(path: Path | None, found: dict[str, Any]) -> None:
    if path is not None:
        path.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
