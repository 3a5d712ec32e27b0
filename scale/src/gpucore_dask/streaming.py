"""`stream_sort` and `stream_matmul`: arrays larger than a device, on one device, without a scheduler."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

import gpucore as gp
from gpucore_dask.streams.measures import Measures, Streamed
from gpucore_dask.streams.memory import Budget
from gpucore_dask.streams.products import bytes_moved, check_matrices, multiply_into, plan_grid
from gpucore_dask.streams.progress import shown
from gpucore_dask.streams.sorting import capacity_of, check_keys, plan_runs, sort_into
from gpucore_dask.streams.sources import open_source
from gpucore_dask.streams.targets import check_space, check_target, make_target

PathLike = str | os.PathLike[str]


def stream_sort(
    source: Any, target: PathLike, *, descending: bool = False, device: Any = None, memory: int | None = None,
    scratch: PathLike | None = None, overwrite: bool = False, progress: bool = False,
) -> Streamed:  # fmt: skip
    """Write the elements of an array of rank 1 in the order of `gp.sort` to a file, with bits equal to its result.

    `source` is the path of a .npy file or of a zarr store, a zarr array, or a NumPy array, such as a memmap. It is read
    by parts. An array that does not fit into the device's memory is sorted in runs, which are written to a scratch file
    in the folder `scratch` (default: that of the target), and read again: the file takes the bytes of the array.

    `device` is as for `gp.sort`. `memory` is how many bytes of the device's memory may be used, about; by default most
    of a GPU's, and a fifth of it for others, which have the host's. `target` is a .npy file, or a zarr store if its
    name ends in .zarr. It is written under another name, and is there at the end, or not at all; one that exists is
    replaced with `overwrite=True` alone. `progress=True` shows a bar on a terminal.

    Raises ArgumentError for other sources, ranks and dtypes, and for files that cannot be read or written;
    CapabilityError if the device lacks the dtype.
    """
    given = open_source("stream_sort", "source", source)
    check_keys(given)
    if not isinstance(descending, (bool, np.bool_)):
        raise gp.ArgumentError(f"descending must be True or False, not {descending!r}")
    path = check_target(target, overwrite)
    folder = _scratch_folder(scratch, path)
    where = gp.device(device)
    gp.sort(gp.empty(0, given.dtype, device=where))  # raises for a dtype that the device lacks
    plan = plan_runs(given.size, capacity_of(Budget(where, memory), given.dtype))
    nbytes = given.size * given.dtype.itemsize
    needs = [(path.parent, nbytes)]
    if len(plan.sizes) > 1:
        needs.append((folder, nbytes))
    check_space(needs)
    with (
        shown("sort", 2 * len(needs) * nbytes, progress) as advance,
        make_target(path, given.shape, given.dtype) as file,
    ):
        measures = Measures(advance)
        if given.size:
            sort_into(file, given, plan, bool(descending), where, folder, measures)
        return measures.result(where.id)


def stream_matmul(
    a: Any, b: Any, target: PathLike, *, device: Any = None, memory: int | None = None, precision: str = "highest",
    overwrite: bool = False, progress: bool = False,
) -> Streamed:  # fmt: skip
    """Write the product of an (m, k) and a (k, n) matrix to a file.

    A tile of the product stays on the device, and panels of both matrices are added to it, in order: so sums of floats
    are rounded otherwise than by one `gp.matmul`, but the same again with the same `memory` and device. Sums of f16 are
    f32 until all panels are added. `precision` is as for `gp.matmul`, and the other arguments as for `stream_sort`.

    Raises what `stream_sort` raises, and ArgumentError for shapes that do not fit and matrices of two dtypes.
    """
    left, right = (open_source("stream_matmul", name, given) for name, given in (("a", a), ("b", b)))
    shape = check_matrices("stream_matmul", left, right)
    path = check_target(target, overwrite)
    where = gp.device(device)
    nothing = gp.empty((0, 0), left.dtype, device=where)
    gp.matmul(nothing, nothing, precision=precision)  # raises for a dtype that the device lacks, and the precision
    grid = plan_grid(shape, Budget(where, memory), left.dtype)
    product = make_target(path, (shape[0], shape[2]), left.dtype)
    check_space([(path.parent, product.nbytes)])
    with shown("matmul", bytes_moved(shape, grid, left.dtype), progress) as advance, product as file:
        measures = Measures(advance)
        if product.nbytes:
            multiply_into(file, left, right, grid, precision, where, measures)
        return measures.result(where.id)


def _scratch_folder(scratch: PathLike | None, target: Path) -> Path:
    folder = target.parent if scratch is None else Path(scratch)
    if not folder.is_dir():
        raise gp.ArgumentError(f"scratch is a folder, and there is none {folder}")
    return folder


__all__ = ["Streamed", "stream_matmul", "stream_sort"]
