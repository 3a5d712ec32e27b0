"""What is refused before anything runs. Each message has the way out."""

from __future__ import annotations

import math
from typing import Any

import dask.array as da
import numpy as np
from distributed import Client, default_client

import gpucore as gp
from gpucore_dask.bounds import MAX_CHUNKS
from gpucore_dask.worker_device import WorkerDevice, devices

_KINDS = {"b": 0, "u": 8, "i": 8, "f": 8, "c": 0}


def current_client(call: str) -> Client:
    """Dask's default client; ArgumentError if there is none."""
    try:
        found: Client = default_client()
    except ValueError:
        raise gp.ArgumentError(
            f"gd.{call} needs a client of dask.distributed, and there is none: use gp.{call} for one device, or begin "
            'with gd.LocalDevices(["cuda:0", "cuda:1"])'
        ) from None
    return found


def check_array(call: str, name: str, x: Any, rank: int | None) -> None:
    """Whether it is a dask.array of NumPy blocks, with known chunks."""
    if not isinstance(x, da.Array):
        raise gp.ArgumentError(
            f"gd.{call}: {name} must be a dask.array, not {type(x).__name__}; make one with dask.array.from_array, or "
            f"use gp.{call} for one device"
        )
    if type(x._meta) is not np.ndarray:
        kind = f"{type(x._meta).__module__}.{type(x._meta).__name__}"
        raise gp.ArgumentError(
            f"gd.{call}: the blocks of {name} are {kind}, and tasks take NumPy arrays; convert them, as in "
            f"{name}.map_blocks(to_numpy)"
        )
    if rank is not None and x.ndim != rank:
        raise gp.ArgumentError(f"gd.{call}: {name} must be of rank {rank}, not of shape {x.shape}; reshape it")
    if any(math.isnan(length) for lengths in x.chunks for length in lengths):
        raise gp.ArgumentError(f"gd.{call}: the chunks of {name} are unknown; call {name}.compute_chunk_sizes() before")


def check_dtype(call: str, name: str, dtype: np.dtype[Any], kinds: str = "uif") -> None:
    """Whether the dtype is one of numbers in the byte order of this machine."""
    if not dtype.isnative:
        raise gp.ArgumentError(
            f"gd.{call}: {name} has the dtype {dtype.str!r}, in the other byte order; convert it with "
            f"{name}.astype({dtype.newbyteorder('=').str!r})"
        )
    if dtype.kind not in kinds or dtype.itemsize > _KINDS[dtype.kind]:
        raise gp.ArgumentError(
            f"gd.{call}: {name} has the dtype {dtype}; it takes integers of 8 to 64 bits and floats of 16 to 64 bits: "
            f"convert it with {name}.astype"
        )


def check_chunk_count(call: str, x: da.Array) -> None:
    """Whether a sort of this many chunks is possible."""
    size, count = x.size, x.numblocks[0]
    if count > MAX_CHUNKS:
        wanted = -(-size // MAX_CHUNKS)
        raise gp.ArgumentError(
            f"gd.{call}: {count} chunks are more than {MAX_CHUNKS}; take larger ones, as in x.rechunk({wanted})"
        )
    if 0 < size < count:
        raise gp.ArgumentError(
            f"gd.{call}: {size} elements in {count} chunks are less than one for each; rechunk them, as in "
            "x.rechunk(-1)"
        )


def check_memory(call: str, where: dict[str, WorkerDevice], largest: int, held: int, fix: str) -> None:
    """Whether each device can hold what a task has there: `held` bytes, and arrays of `largest` bytes."""
    for address, device in where.items():
        if largest > device.largest_array:
            limit, what = device.largest_array, f"an array of {largest} bytes, and kernels bind"
        elif 0 < device.memory < held:
            limit, what = device.memory, f"{held} bytes, and it has"
        else:
            continue
        raise gp.ArgumentError(
            f"gd.{call}: the chunks are too large for {device.id} of the worker {address}: a task holds {what} "
            f"{limit} there; {fix}"
        )


def known_devices(call: str) -> dict[str, WorkerDevice]:
    """The devices of the default client's workers."""
    return devices(current_client(call))


def check_block(call: str, block: Any, dtype: np.dtype[Any]) -> None:
    """Whether what a task got is what the array said that it has. Masked arrays are none."""
    if type(block) is not np.ndarray and not isinstance(block, np.memmap):
        kind = f"{type(block).__module__}.{type(block).__name__}"
        raise gp.ArgumentError(
            f"gd.{call}: a block is of {kind}, and tasks take NumPy arrays; convert the blocks, as in "
            "x.map_blocks(numpy.asarray)"
        )
    if block.dtype != dtype:
        raise gp.ArgumentError(
            f"gd.{call}: a block has the dtype {block.dtype}, and its array says {dtype}; make it with the right dtype="
        )
