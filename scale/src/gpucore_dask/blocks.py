"""`gd.map_blocks`: a kernel on each block of dask.arrays."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
import numpy.typing as npt
from dask.base import tokenize

import gpucore as gp
from gpucore_dask.metering import COMPUTE, downloaded, metered, uploaded
from gpucore_dask.refusals import check_array, check_block, check_dtype, known_devices
from gpucore_dask.shipping import Shipped, ship
from gpucore_dask.worker_device import task_device

_WAY_OUT = "a block is all that a call sees"


def map_blocks(kernel: Any, *arguments: Any, dtype: Any) -> da.Array:
    """A kernel on each block: a lazy dask.array of `dtype`, with the chunks of the arrays.

        @gp.kernel
        def scale(x: gp.In[gp.f32], a: gp.f32, y: gp.Out[gp.f32]):
            i = gp.global_id(0)
            if i < y.size:
                y[i] = a * x[i]

        z = gd.map_blocks(scale, x, 2.0, dtype=np.float32)

    The arguments are those of the kernel in their order, without its Out: dask.arrays of the same chunks for In arrays,
    whose blocks they get; NumPy arrays, which every call gets whole; numbers. The Out has the shape of the block. There
    is one invocation for each of its elements; ids count from 0 in each block.

    The kernel goes to the workers by `gd.ship`, so they need not have its module.

    Raises ArgumentError for kernels with an InOut, without an Out or with several, or that reach it by atomics alone
    (blocks would not add up); for arrays of several shapes or chunks; and what `gd.sort` raises for arrays and workers.
    """
    shipped = kernel if isinstance(kernel, Shipped) else ship(kernel)
    place = _place_of_out(shipped)
    names = [each.name for each in shipped.parameters if each.mode != "out"]
    if len(arguments) != len(names):
        raise gp.ArgumentError(
            f"gd.map_blocks: {shipped.name} takes {len(names)} arguments beside its Out ({', '.join(names)}), and got "
            f"{len(arguments)}"
        )
    arrays = [each for each in arguments if isinstance(each, da.Array)]
    if not arrays:
        raise gp.ArgumentError(
            f"gd.map_blocks: none of the arguments is a dask.array; call {shipped.name} itself on one device"
        )
    for name, each in zip(names, arguments, strict=True):
        if isinstance(each, da.Array):
            check_array("map_blocks", name, each, None)
            check_dtype("map_blocks", name, each.dtype)
        if isinstance(each, da.Array) and each.chunks != arrays[0].chunks:
            raise gp.ArgumentError(
                f"gd.map_blocks: {name} has other chunks than the first array; rechunk it, as in "
                f"{name}.rechunk(first.chunks)"
            )
    wanted = np.dtype(dtype)
    check_dtype("map_blocks", "dtype", wanted)
    known_devices("map_blocks")
    kept = [None if isinstance(each, da.Array) else each for each in arguments]
    made: da.Array = da.map_blocks(
        run_block,
        *arrays,
        shipped=shipped,
        kept=kept,
        place=place,
        wanted=wanted,
        dtypes=[each.dtype for each in arrays],
        dtype=wanted,
        meta=np.empty((0,) * arrays[0].ndim, wanted),
        name=f"gpucore-map-blocks-{tokenize(shipped, arrays, kept, wanted)}",
    )
    return made


def _place_of_out(shipped: Shipped) -> int:
    """The position of the Out in the kernel's parameters."""
    written = [place for place, each in enumerate(shipped.parameters) if each.mode not in ("", "in")]
    for place in written:
        each = shipped.parameters[place]
        if each.mode != "out":
            raise gp.ArgumentError(
                f"gd.map_blocks: {shipped.name} changes {each.name!r} in place, and {_WAY_OUT}; take an In and an Out "
                "instead"
            )
        if each.is_atomic:
            raise gp.ArgumentError(
                f"gd.map_blocks: {shipped.name} reaches {each.name!r} by atomics, which do not add up across blocks: "
                f"{_WAY_OUT}; reduce each block, and then the results"
            )
    if len(written) != 1:
        listed = ", ".join(shipped.parameters[place].name for place in written) or "none"
        raise gp.ArgumentError(
            f"gd.map_blocks: {shipped.name} writes {listed}, and a call makes one array; use a kernel "
            "with one Out for each"
        )
    return written[0]


def run_block(
    *blocks: Any,
    shipped: Shipped,
    kept: list[Any],
    place: int,
    wanted: np.dtype[Any],
    dtypes: list[np.dtype[Any]],
) -> npt.NDArray[Any]:
    """The kernel on one block. For tasks."""
    device = task_device()
    for block, dtype in zip(blocks, dtypes, strict=True):
        check_block("map_blocks", block, dtype)
    shape = blocks[0].shape
    if 0 in shape:
        return np.empty(shape, wanted)
    waiting = iter(blocks)
    hosts = [next(waiting) if each is None else each for each in kept]
    arguments = [uploaded(each, device) if isinstance(each, np.ndarray) else each for each in hosts]
    kernel = shipped.kernel()
    with gp.empty(shape, wanted, device=device) as out:
        arguments.insert(place, out)
        with metered(COMPUTE):
            kernel(*arguments)
        made = downloaded(out)
    for each in arguments:
        if isinstance(each, gp.Array):
            each.close()
    return made
