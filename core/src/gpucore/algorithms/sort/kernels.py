"""The kernels of the bitonic sort: tiles in workgroup memory, and passes over the whole array for larger distances."""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.sort.network import (
    INVOCATIONS,
    PADDED_TILE,
    PER_INVOCATION,
    TILE,
    lower_position,
    merge_mirrored_registers,
    merge_position,
    merge_registers,
    merge_tile,
    mirror_position,
    pad,
    sort_tile,
)
from gpucore.blocks.keys import from_key, to_key
from gpucore.calls import kernel
from gpucore.hints import Const, In, InOut, Out, i32, u32, u64

T = TypeVar("T")
K = TypeVar("K", u32, u64)


def load_tile(tile, source, start, t, key, encode, descending):
    """Load a tile of the source as keys. Elements past the end are the largest key, which stays at the end."""
    for q in gp.unroll(range(PER_INVOCATION)):
        at = q * INVOCATIONS + t
        value = gp.max_value(key)
        if source.size - start > at:
            own = source[start + at]
            value = to_key(own, source.dtype, descending) if encode else own
        tile[pad(at)] = value
    gp.barrier()


def store_tile(tile, target, start, t, decode, descending):
    """Store the part of a tile that is before the end of the target."""
    for q in gp.unroll(range(PER_INVOCATION)):
        at = q * INVOCATIONS + t
        if target.size - start > at:
            key = tile[pad(at)]
            target[start + at] = from_key(key, target.dtype, descending) if decode else key


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def sort_small(source: In[T], target: Out[T], stages: i32, key: Const[type], descending: Const[bool]):
    """Sort an array of at most one tile."""
    tile = gp.workgroup_array(key, PADDED_TILE)
    keys = gp.private_array(key, PER_INVOCATION)
    t = gp.local_id(0)
    load_tile(tile, source, 0, t, key, True, descending)
    sort_tile(tile, keys, t, stages)
    store_tile(tile, target, 0, t, True, descending)


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def sort_tiles(source: In[T], target: Out[K], stages: i32, descending: Const[bool]):
    """Sort each tile of the source, and store the keys."""
    tile = gp.workgroup_array(K, PADDED_TILE)
    keys = gp.private_array(K, PER_INVOCATION)
    t, start = gp.local_id(0), gp.workgroup_id(0) * TILE
    load_tile(tile, source, start, t, K, True, descending)
    sort_tile(tile, keys, t, stages)
    store_tile(tile, target, start, t, False, descending)


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def merge_tiles(data: InOut[K]):
    """The levels of a merge with distances below TILE."""
    tile = gp.workgroup_array(K, PADDED_TILE)
    keys = gp.private_array(K, PER_INVOCATION)
    t, start = gp.local_id(0), gp.workgroup_id(0) * TILE
    load_tile(tile, data, start, t, K, False, False)
    merge_tile(tile, keys, t)
    store_tile(tile, data, start, t, False, False)


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def merge_tiles_last(data: In[K], target: Out[T], descending: Const[bool]):
    """As `merge_tiles`, for the last merge: stores values, not keys."""
    tile = gp.workgroup_array(K, PADDED_TILE)
    keys = gp.private_array(K, PER_INVOCATION)
    t, start = gp.local_id(0), gp.workgroup_id(0) * TILE
    load_tile(tile, data, start, t, K, False, False)
    merge_tile(tile, keys, t)
    store_tile(tile, target, start, t, True, descending)


def load_key(data, i, key):
    """The key at i, or the largest key past the end."""
    value = gp.max_value(key)
    if i < data.size:
        value = data[i]
    return value


def store_key(data, i, value):
    """Store a key, unless it is past the end."""
    if i < data.size:
        data[i] = value


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def mirror_pass(data: InOut[K], log_k: i32, levels: Const[int]):
    """The mirrored level of blocks of 2**log_k keys, and the next `levels` - 1 levels."""
    member = gp.global_id(0)
    keys = gp.private_array(K, 1 << levels)
    half = 1 << (levels - 1)
    for m in gp.unroll(range(half)):
        position = lower_position(member, levels, log_k, m)
        keys[m] = load_key(data, position, K)
        keys[half + m] = load_key(data, mirror_position(position, log_k), K)
    merge_mirrored_registers(keys, half)
    for m in gp.unroll(range(half)):
        position = lower_position(member, levels, log_k, m)
        store_key(data, position, keys[m])
        store_key(data, mirror_position(position, log_k), keys[half + m])


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def merge_pass(data: InOut[K], low: i32, levels: Const[int]):
    """`levels` levels, down to the distance 2**low."""
    member = gp.global_id(0)
    keys = gp.private_array(K, 1 << levels)
    for m in gp.unroll(range(1 << levels)):
        keys[m] = load_key(data, merge_position(member, levels, low, m), K)
    merge_registers(keys, 1 << levels)
    for m in gp.unroll(range(1 << levels)):
        store_key(data, merge_position(member, levels, low, m), keys[m])
