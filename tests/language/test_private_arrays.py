"""A private array is zero each time its call is executed: in loops, branches and helpers."""

from __future__ import annotations

import numpy as np

import gpucore as gp


def counted(turn):
    """1 plus the turn, in an array of the helper's own."""
    own = gp.private_array(gp.i32, 3)
    for _ in range(turn + 1):
        own[turn % 3] += 1
    return own[turn % 3]


@gp.kernel(workgroup_size=8)
def fresh(y: gp.Out[gp.i32, 3]):
    i = gp.global_id(0)
    if i < y.shape[0]:
        for turn in range(y.shape[1]):
            a = gp.private_array(gp.i32, 4)
            a[(i + turn) % 4] += turn + 1
            y[i, turn, 0] = a[0] + a[1] + a[2] + a[3]
            if (i + turn) % 2 == 0:
                b = gp.private_array(gp.i32, 2)
                b[turn % 2] -= i
                y[i, turn, 1] = b[0] + b[1]
            else:
                y[i, turn, 1] = 5
            y[i, turn, 2] = counted(turn)


def test_an_array_is_zero_each_time(device: gp.Device) -> None:
    y = gp.empty((11, 5, 3), gp.i32, device=device)
    fresh(y, invocations=11)
    i, turn = np.indices((11, 5))
    wanted = [turn + 1, np.where((i + turn) % 2 == 0, -i, 5), turn + 1]
    np.testing.assert_array_equal(y.numpy(), np.stack(wanted, axis=-1))


@gp.kernel
def chosen(x: gp.InOut[gp.i32], is_shared: gp.Const[bool]):
    held = gp.workgroup_array(gp.i32, 2) if is_shared else gp.private_array(gp.i32, 2)
    held[x[0] % 2] = x[1]
    x[0] = held[0]


def test_an_array_of_a_conditional_expression_has_the_name_of_the_variable() -> None:
    for is_shared in (False, True):
        text = chosen.source("wgsl", is_shared=is_shared)
        assert "held[0]" in text and "_array" not in text
