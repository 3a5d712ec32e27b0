"""Arrays of rank 1 to 4: parameters, workgroup and private arrays, shape, size, ndim; rows first."""

from __future__ import annotations

import numpy as np

import gpucore as gp


@gp.kernel(workgroup_size=16)
def roll_axes(x: gp.In[gp.i32, 4], y: gp.Out[gp.i32, 4], facts: gp.Out[gp.i32]):
    """y[d, a, b, c] = x[a, b, c, d], through a private array of rank 3."""
    i = gp.global_id(0)
    _, n1, n2, n3 = x.shape
    if i < x.size:
        corner = gp.private_array(gp.i32, (2, 2, 2))
        d = i % n3
        c = i // n3 % n2
        b = i // (n3 * n2) % n1
        a = i // (n3 * n2 * n1)
        corner[a % 2, b % 2, c % 2] = x[a, b, c, d]
        y[d, a, b, c] = corner[a % 2, b % 2, c % 2]
    if i < 4:
        facts[i] = x.shape[0] * 1000 + x.ndim * 100 + len(y) * 10 if i == 0 else x.size + i


def test_rank_four(device: gp.Device) -> None:
    x = np.arange(2 * 3 * 5 * 7, dtype=np.int32).reshape(2, 3, 5, 7) ** 2
    y = gp.zeros((7, 2, 3, 5), gp.i32, device=device)
    facts = gp.zeros(4, gp.i32, device=device)
    roll_axes(gp.asarray(x, device=device), y, facts, invocations=x.size)
    np.testing.assert_array_equal(y.numpy(), x.transpose(3, 0, 1, 2))
    np.testing.assert_array_equal(facts.numpy(), [2470, 211, 212, 213])


@gp.kernel(workgroup_size=(4, 3, 2))
def turn_blocks(x: gp.In[gp.u32, 3], y: gp.Out[gp.u32, 3]):
    """Each block of 2 x 3 x 4 upside down, through a workgroup array of rank 3."""
    tile = gp.workgroup_array(gp.u32, (2, 3, 4))
    i, j, k = gp.global_id(2), gp.global_id(1), gp.global_id(0)
    a, b, c = gp.local_id(2), gp.local_id(1), gp.local_id(0)
    inside = i < x.shape[0] and j < x.shape[1] and k < x.shape[2]
    tile[a, b, c] = x[i, j, k] if inside else 0
    gp.barrier()
    if inside:
        y[i, j, k] = tile[1 - a, 2 - b, 3 - c]


def test_rank_three(device: gp.Device) -> None:
    x = np.random.default_rng(2).integers(1, 2**32, (3, 5, 9), dtype=np.uint32)
    y = gp.zeros(x.shape, gp.u32, device=device)
    turn_blocks(gp.asarray(x, device=device), y, invocations=x.shape[::-1])
    padded = np.zeros((4, 6, 12), np.uint32)
    padded[:3, :5, :9] = x
    blocks = padded.reshape(2, 2, 2, 3, 3, 4)[:, ::-1, :, ::-1, :, ::-1].reshape(4, 6, 12)
    np.testing.assert_array_equal(y.numpy(), blocks[:3, :5, :9])
