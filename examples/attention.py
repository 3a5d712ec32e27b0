"""Attention, softmax(q @ k.T / sqrt(d)) @ v of each head, in one kernel: no matrix of all scores is ever in memory.

A workgroup has some rows of q of one head, and goes along those of k and v. It keeps the greatest score of each row so
far, and the sum of the weights; when the greatest one changes, what was added before is scaled. docs/attention.md
explains it step by step.

Source: T. Dao, D. Fu, S. Ermon, A. Rudra and C. Ré, "FlashAttention: fast and memory-efficient exact attention with
IO-awareness" (2022).
"""

from __future__ import annotations

import argparse
import math
from typing import NamedTuple, TypeVar

import numpy as np

import gpucore as gp

T = TypeVar("T", gp.f32, gp.f16, gp.bf16)


class Tile(NamedTuple):
    """What a workgroup computes with at a time: rows of q, rows of k and v, and columns of all."""

    queries: int
    keys: int
    depth: int


def hide_beyond(score, count, row, column):
    """A score; that of a row of k which does not exist has no weight."""
    return score if column < count else gp.min_value(gp.f32)


def hide_later(score, ahead, row, column):
    """A score; that of a row of k after the one of q has no weight."""
    return score if column <= row + ahead else gp.min_value(gp.f32)


def add(a, b):
    return a + b


def over(a, b):
    return a / b


def fetch(keys, values, stage, k, v, head, row):
    gp.copy_tile(keys[stage], k[head], row, 0)
    gp.copy_tile(values[stage], v[head], row, 0)
    gp.copy_group()


def attend(
    q: gp.In[T, 3], k: gp.In[T, 3], v: gp.In[T, 3], out: gp.Out[T, 3], scale: gp.f32, tile: gp.Const[Tile],
    causal: gp.Const[bool],
):  # fmt: skip
    queries, keys = gp.tiles(q.dtype, 1, (tile.queries, tile.depth)), gp.tiles(q.dtype, 2, (tile.keys, tile.depth))
    values, weights = gp.tiles(q.dtype, 2, (tile.keys, tile.depth)), gp.tiles(q.dtype, 1, (tile.queries, tile.keys))
    first, head, end = gp.workgroup_id(0) * tile.queries, gp.workgroup_id(1), k.shape[1]
    if causal:
        end = gp.min(end, first + tile.queries)
    gp.copy_tile(queries[0], q[head], first, 0)
    fetch(keys, values, 0, k, v, head, 0)
    top, total = gp.matrix(gp.f32, (tile.queries, 1), gp.min_value(gp.f32)), gp.matrix(gp.f32, (tile.queries, 1))
    attended = gp.matrix(gp.f32, (tile.queries, tile.depth))
    for step in range((end + tile.keys - 1) // tile.keys):
        start, now, ahead = step * tile.keys, step % 2, (step + 1) % 2
        gp.copy_wait()
        fetch(keys, values, ahead, k, v, head, start + tile.keys)
        scores = gp.multiply_add(queries[0], keys[now].T, gp.matrix(gp.f32, (tile.queries, tile.keys)))
        if start + tile.keys > k.shape[1]:
            scores = gp.map(hide_beyond, scores, k.shape[1] - start, indices=True)
        if causal and start + tile.keys > first:
            scores = gp.map(hide_later, scores, first - start, indices=True)
        higher = gp.map(gp.max, gp.reduce_rows(gp.max, scores, keepdims=True) * scale, top)
        probabilities = gp.map(gp.exp2, scores * scale - higher)
        gp.store_matrix(probabilities, weights[0], 0, 0)
        change = gp.map(gp.exp2, top - higher)
        top, total = higher, total * change + gp.reduce_rows(add, probabilities, keepdims=True)
        attended = attended * change
        gp.barrier()
        attended += weights[0] @ values[now]
    gp.store_matrix(gp.map(over, attended, total), out[head], first, 0)


SMALL = gp.kernel(workgroup_size=64)(attend)
GROUP = gp.kernel(workgroup_size=128, min_workgroups=2)(attend)
TWO_GROUPS = gp.kernel(workgroup_size=256)(attend)


def choose(device, dtype, depth):
    """The kernel and the tile for a device: large ones where groups of 128 invocations multiply."""
    is_deep = depth > 64
    if dtype is not gp.f32 and device.supports(gp.Capability.MATRIX_GROUPS):
        return (TWO_GROUPS, Tile(128, 128, 128)) if is_deep else (GROUP, Tile(64, 128, 64))
    return SMALL, Tile(16, 8, 128) if is_deep else Tile(32, 16, 64)


def attention_of(q, k, v, causal=False):
    """The attention of rows of q to those of k and v: arrays of (heads, rows, depth), f16, bf16 or f32, up to 128 deep.

    With `causal` a row of q attends to those of k up to its own number.
    """
    heads, rows, depth = q.shape
    out = gp.empty(q.shape, q.dtype, device=q.device)
    kernel, tile = choose(q.device, q.dtype, depth)
    scale = math.log2(math.e) / math.sqrt(depth)  # 2**(x * log2(e)) is e**x
    kernel(q, k, v, out, scale, tile, causal, workgroups=(-(-rows // tile.queries), heads))
    return out


def attention(q, k, v, device=None, causal=False):
    """The same of NumPy arrays."""
    q, k, v = (gp.asarray(x, device=device) for x in (q, k, v))
    return attention_of(q, k, v, causal).numpy()


def expected(q, k, v, causal=False):
    """The same by NumPy, in f8."""
    scores = q.astype("f8") @ k.astype("f8").transpose(0, 2, 1) / math.sqrt(q.shape[2])
    if causal:
        scores = np.where(np.tri(*scores.shape[1:]) > 0, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    return weights / weights.sum(axis=2, keepdims=True) @ v.astype("f8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    random = np.random.default_rng(1)
    q, k, v = (random.normal(size=(2, rows, 64)).astype("f4") for rows in (150, 250, 250))
    error = np.abs(attention(q, k, v, device) - expected(q, k, v)).max()
    print(f"{device.name}: the greatest error is {error:.1e}{'' if error < 1e-5 else ' WRONG'}")
