"""Attention, softmax(q @ k.T / sqrt(d)) @ v, in one kernel: no matrix of all scores is ever in memory.

A workgroup has some rows of q, and goes along those of k and v. It keeps the greatest score of each row so far, and the
sum of the weights; when the greatest one changes, what was added before is scaled.

Source: T. Dao, D. Fu, S. Ermon, A. Rudra and C. Ré, "FlashAttention: fast and memory-efficient exact attention with
IO-awareness" (2022).
"""

from __future__ import annotations

import argparse
import math
from typing import TypeVar

import numpy as np

import gpucore as gp

T = TypeVar("T", gp.f32, gp.f16)
SIZE = 64
QUERIES, KEYS, DEPTH = 32, 16, 64  # rows of q, and of k and v, at a time; columns of all


def masked(score, count, row, column):
    """A score; that of a row of k which does not exist has no weight."""
    return score if column < count else gp.min_value(gp.f32)


def add(a, b):
    return a + b


def times(a, b):
    return a * b


def over(a, b):
    return a / b


def weight(score, top):
    """Relative to that of the greatest score."""
    return gp.exp(score - top)


@gp.kernel(workgroup_size=SIZE)
def attend(q: gp.In[T, 2], k: gp.In[T, 2], v: gp.In[T, 2], out: gp.Out[gp.f32, 2], scale: gp.f32):
    queries, keys = gp.tiles(q.dtype, 1, (QUERIES, DEPTH)), gp.tiles(q.dtype, 2, (KEYS, DEPTH))
    values, weights = gp.tiles(q.dtype, 2, (KEYS, DEPTH)), gp.tiles(q.dtype, 1, (QUERIES, KEYS))
    top, total = gp.workgroup_array(gp.f32, QUERIES), gp.workgroup_array(gp.f32, QUERIES)
    change = gp.workgroup_array(gp.f32, QUERIES)
    first = gp.workgroup_id(0) * QUERIES
    for row in range(gp.local_index(), QUERIES, SIZE):
        top[row], total[row] = gp.min_value(gp.f32), 0
    gp.copy_tile(queries[0], q, first, 0)
    gp.copy_tile(keys[0], k, 0, 0)
    gp.copy_tile(values[0], v, 0, 0)
    attended = gp.matrix(gp.f32, (QUERIES, DEPTH))
    for step in range((k.shape[0] + KEYS - 1) // KEYS):
        gp.copy_wait()
        now, ahead = step % 2, (step + 1) % 2
        gp.copy_tile(keys[ahead], k, (step + 1) * KEYS, 0)
        gp.copy_tile(values[ahead], v, (step + 1) * KEYS, 0)
        scores = gp.multiply_add(queries[0], keys[now].T, gp.matrix(gp.f32, (QUERIES, KEYS))) * scale
        scores = gp.map(masked, scores, k.shape[0] - step * KEYS, indices=True)
        found = gp.reduce_rows(gp.max, scores)
        for row in range(gp.local_index(), QUERIES, SIZE):
            higher = gp.max(top[row], found[row])
            change[row], top[row] = gp.exp(top[row] - higher), higher
        gp.barrier()
        probabilities = gp.map(weight, scores, top)
        sums = gp.reduce_rows(add, probabilities)
        for row in range(gp.local_index(), QUERIES, SIZE):
            total[row] = total[row] * change[row] + sums[row]
        gp.store_matrix(probabilities, weights[0], 0, 0)
        gp.barrier()
        attended = gp.map(times, attended, change)
        attended += weights[0] @ values[now]
    gp.store_matrix(gp.map(over, attended, total), out, first, 0)


def attention(q, k, v, device=None):
    """The attention of rows of q to those of k and v: NumPy arrays of 64 columns, f4 or f2. The result is f4."""
    a, b, c = (gp.asarray(x, device=device) for x in (q, k, v))
    out = gp.empty(q.shape, gp.f32, device=a.device)
    attend(a, b, c, out, 1 / math.sqrt(DEPTH), workgroups=-(-len(q) // QUERIES))
    return out.numpy()


def expected(q, k, v):
    """The same by NumPy, in f8."""
    scores = q.astype("f8") @ k.astype("f8").T / math.sqrt(DEPTH)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ v.astype("f8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    random = np.random.default_rng(1)
    q, k, v = (random.normal(size=(rows, DEPTH)).astype("f4") for rows in (300, 500, 500))
    error = np.abs(attention(q, k, v, device) - expected(q, k, v)).max()
    print(f"{device.name}: the greatest error is {error:.1e}{'' if error < 1e-5 else ' WRONG'}")
