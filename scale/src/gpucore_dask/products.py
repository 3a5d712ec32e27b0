"""`gd.matmul`: products of dask.arrays by panels, with each tile of the product in place.

A panel is up to 4 pairs of blocks A_ik, B_kj, of one tile C_ij. Its task adds the products of the pairs up on the
device, beginning with the sums of the panel before, and downloads once. For a grid of m x n tiles and q blocks along
the inner length these are m n ceil(q / 4) tasks, beside the arrays' own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np
import numpy.typing as npt
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

import gpucore as gp
from gpucore_dask.bounds import BLOCK_ON_CPUS, BLOCK_ON_GPUS, PAIRS
from gpucore_dask.file_products import is_path, matmul_of_files
from gpucore_dask.metering import COMPUTE, downloaded, metered, sent
from gpucore_dask.refusals import check_array, check_block, check_dtype, check_memory, known_devices
from gpucore_dask.worker_device import WorkerDevice, task_device

_KEPT_BLOCKS = 5  # on a device: C, a pair, and the next one

Block = npt.NDArray[Any]


def matmul(a: Any, b: Any, *, block: int | str | None = None, mixed: bool = False) -> da.Array:
    """The product of an (m, k) and a (k, n) matrix, as a lazy (m, n) dask.array of their dtype.

    Both are dask.arrays, or both are paths of .npy files or zarr stores that every worker can read.

    Of files each worker reads what it needs, so that nothing goes through the network. The chunks of the product are
    as large as workers have memory for, about as many for each; or squares of the side `block`. Sums of f16 are f32
    until a chunk is done. A .npy file that changes before its product is computed is refused.

    Of dask.arrays workers send each other what they need. The chunks of the product are the rows' chunks of `a` and the
    columns' of `b`, which is rechunked to the chunks of `a` along the inner length. `block` rechunks both arrays into
    square blocks of that side before; "auto" takes 8192 if all devices are GPUs, else 1024. Dtypes are those of
    `gp.matmul` which NumPy has.

    Sums are in the order of the blocks, so the bits of floats depend on the chunks, and on the device: workers with
    devices of several models are refused unless `mixed` is True. Needs a client of dask.distributed: `gd.LocalDevices`.

    Raises ArgumentError for other ranks, shapes, dtypes and blocks, unknown chunks, blocks that a device cannot hold,
    workers without a device or of several models, and if there is no client.
    """
    if is_path(a) and is_path(b):
        where = known_devices("matmul")
        if not mixed:
            _check_one_model(where)
        return matmul_of_files(a, b, _side(block, where), where)
    if is_path(a) or is_path(b):
        raise gp.ArgumentError(
            "gd.matmul takes two dask.arrays or two files; make the file a dask.array, as in "
            'dask.array.from_array(numpy.load(path, mmap_mode="r"))'
        )
    for name, x in (("a", a), ("b", b)):
        check_array("matmul", name, x, 2)
        check_dtype("matmul", name, x.dtype)
    if a.dtype != b.dtype:
        raise gp.ArgumentError(
            f"gd.matmul takes arrays of one dtype, not {a.dtype} and {b.dtype}; convert one with astype"
        )
    if a.dtype.itemsize == 1 or a.dtype.name in ("int16", "uint16"):
        raise gp.ArgumentError(f"gd.matmul takes no {a.dtype}, whose sums overflow; convert both with astype('int32')")
    if a.shape[1] != b.shape[0]:
        raise gp.ArgumentError(f"gd.matmul: shapes {a.shape} and {b.shape} do not fit; a has as many columns as b rows")
    where = known_devices("matmul")
    if not mixed:
        _check_one_model(where)
    side = _side(block, where)
    if side is not None:
        a, b = a.rechunk((side, side)), b.rechunk((side, side))
    if b.chunks[0] != a.chunks[1]:
        b = b.rechunk({0: a.chunks[1]})
    _check_sizes(a, b, where)
    return _panels(a, b)


def _check_one_model(where: dict[str, WorkerDevice]) -> None:
    models = {device.model: address for address, device in where.items()}
    if len(models) > 1:
        found = "; ".join(f"{where[address].id} ({where[address].name}) of {address}" for address in models.values())
        raise gp.ArgumentError(
            f"gd.matmul: the workers have devices of several models, whose sums of floats differ in their last bits: "
            f"{found}; use workers of one model, or pass mixed=True"
        )


def _side(block: int | str | None, where: dict[str, WorkerDevice]) -> int | None:
    if block is None:
        return None
    if block == "auto":
        return BLOCK_ON_GPUS if where and all(device.is_gpu for device in where.values()) else BLOCK_ON_CPUS
    if isinstance(block, bool) or not isinstance(block, int) or block < 1:
        raise gp.ArgumentError(f'gd.matmul: block must be a positive integer, "auto" or None, not {block!r}')
    return block


def _check_sizes(a: da.Array, b: da.Array, where: dict[str, WorkerDevice]) -> None:
    m, k, n = (max(lengths, default=0) for lengths in (*a.chunks, b.chunks[1]))
    largest = max(m * k, k * n, m * n) * a.dtype.itemsize
    fits = min((_side_that_fits(each, a.dtype.itemsize) for each in where.values()), default=0)
    fix = f"take smaller ones, as in block={max(min(fits, max(m, k, n)), 1)}"
    check_memory("matmul", where, largest, _KEPT_BLOCKS * largest, fix)


def _side_that_fits(device: WorkerDevice, itemsize: int) -> int:
    limits = [device.largest_array, *([device.memory // _KEPT_BLOCKS] if device.memory else [])]
    return math.isqrt(min(limits) // itemsize)


def _panels(a: da.Array, b: da.Array) -> da.Array:
    token = tokenize("matmul", a.name, b.name)
    (rows, inner), columns = a.numblocks, b.numblocks[1]
    panels = [range(begin, min(begin + PAIRS, inner)) for begin in range(0, inner, PAIRS)] or [range(0)]
    names = [f"gpucore-panel-{tokenize(token, number)}" for number in range(len(panels))]
    layers: dict[str, Any] = {**a.dask.layers, **b.dask.layers}
    needs: dict[str, set[str]] = {**a.dask.dependencies, **b.dask.dependencies}
    for number, (name, panel) in enumerate(zip(names, panels, strict=True)):
        layer = {}
        for i in range(rows):
            for j in range(columns):
                before = (names[number - 1], i, j) if number else None
                pairs = [[(a.name, i, k), (b.name, k, j)] for k in panel]
                shape = a.chunks[0][i], b.chunks[1][j]
                layer[name, i, j] = (multiply_panel, before, pairs, shape, a.dtype)
        layers[name] = layer
        needs[name] = {a.name, b.name} | ({names[number - 1]} if number else set())
    graph = HighLevelGraph(layers, needs)
    return da.Array(graph, names[-1], (a.chunks[0], b.chunks[1]), meta=np.empty((0, 0), a.dtype))


def multiply_panel(
    before: Block | None, pairs: Sequence[Sequence[Any]], shape: tuple[int, int], dtype: np.dtype[Any]
) -> Block:
    """The sum of `before` and the products of the pairs of blocks. For tasks.

    A pair is uploaded while the device multiplies the one before, where its copies have a queue of their own.
    """
    device = task_device()
    for block in (block for pair in pairs for block in pair):
        check_block("matmul", block, dtype)
    filled = [pair for pair in pairs if 0 not in (*pair[0].shape, *pair[1].shape)]
    if not filled:
        return np.zeros(shape, dtype) if before is None else before
    sums = None if before is None else sent(before, device)
    multiplied: tuple[gp.Array, ...] = ()  # kept until the next product is queued, so that no copy waits for its memory
    for pair in filled:
        a, b = (sent(block, device) for block in pair)
        with metered(COMPUTE):
            sums = gp.matmul(a, b) if sums is None else gp.matmul(a, b, out=sums, beta=1)
        for each in multiplied:
            each.close()
        multiplied = a, b
    assert sums is not None
    with sums:
        made = downloaded(sums)
    for each in multiplied:
        each.close()
    return made
