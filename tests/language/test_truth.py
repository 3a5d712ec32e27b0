"""Conditions that are integers mean what they mean in Python."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp


@gp.kernel(workgroup_size=32)
def branches(b: gp.In[gp.u8], n: gp.i32, y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < b.size:
        total = 0
        while 1:
            total += 1
            if total >= n:
                break
        if i & 1 and not b[i]:
            total += 100
        if b[i]:
            total += 10
        total += 1000 if i & 2 or b[i] & 4 else 0
        v = i
        while v and total < 30_000:
            v >>= 1
            total += 10_000
        assert i + 1 or not n
        y[i] = total


def expected(i: int, b: int, n: int) -> int:
    total = max(n, 1) + 100 * bool(i & 1 and not b) + 10 * bool(b) + 1000 * bool(i & 2 or b & 4)
    while i and total < 30_000:
        i >>= 1
        total += 10_000
    return total


@pytest.mark.parametrize("debug", [False, True])
def test_integers_are_conditions(device: gp.Device, debug: bool) -> None:
    b = np.random.default_rng(21).integers(0, 8, 71).astype(np.uint8)
    y = gp.zeros(71, gp.i32, device=device)
    kernel = gp.kernel(branches.function, workgroup_size=32, debug=debug)
    kernel(gp.asarray(b, device=device), 3, y, invocations=71)
    assert y.tolist() == [expected(i, int(b[i]), 3) for i in range(71)]
