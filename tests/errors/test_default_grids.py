"""A call without a grid, where atomics alone reach the only array that the kernel writes: its size is no grid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from refusals import array, message

import gpucore as gp


@gp.kernel
def count(x: gp.In[gp.i32], bins: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_add(bins, x[i], 1)


@gp.kernel
def hit(hits: gp.InOut[gp.u32]):
    gp.atomic_max(hits, 0, gp.u32(gp.global_id(0)))


@gp.kernel
def raise_flag(x: gp.In[gp.i32, 2], flag: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < x.shape[0] and x[i, 0] > 0:
        gp.atomic_store(flag, 0, 1)


@gp.kernel
def store_or_count(x: gp.In[gp.i32], y: gp.InOut[gp.u32], counts: gp.Const[bool]):
    i = gp.global_id(0)
    if i < x.size:
        if counts:
            gp.atomic_add(y, x[i], 1)
        else:
            y[i] = gp.u32(x[i])


@gp.kernel
def add_to_last(y: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i < y.size:
        gp.atomic_add(y, y.size - 1, 1)
        if i < y.size - 1:
            y[i] = 7


VALUES = np.array([1, 0, 1, 1, 1], np.int32)


def values() -> gp.Array:
    return gp.asarray(VALUES, device="simulator")


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "counts": (lambda: count(values(), array(2, dtype=gp.u32)), "count: give invocations=x, or another grid; {'bins'}"),
    "by name": (
        lambda: count(bins=array(2, dtype=gp.u32), x=values()),
        "count: give invocations=x, or another grid; {'bins'}",
    ),
    "no elements": (
        lambda: count(values(), array(0, dtype=gp.u32)),
        "count: give invocations=x, or another grid; {'bins'}",
    ),
    "nothing read": (lambda: hit(array(1, dtype=gp.u32)), "hit: give invocations=n, or another grid; {'hits'}"),
    "an Out": (
        lambda: raise_flag(array(3, 4, dtype=gp.i32), array(1, dtype=gp.i32)),
        "raise_flag: give invocations=x, or another grid; {'flag'}",
    ),
    "checked": (
        lambda: gp.check(count, values(), array(2, dtype=gp.u32)),
        "count: give invocations=x, or another grid; {'bins'}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_it_is_refused(name: str) -> None:
    call, text = CALLS[name]
    start, _, counter = text.partition("{")
    wanted = (
        f"{start}the kernel reaches {counter[:-1]}, the only array that it writes, by atomics alone, so one invocation "
        "for each of its elements is no default"
    )
    assert message(call) == wanted
    assert message(call) == wanted


def test_it_is_refused_after_a_call_with_the_same_grid() -> None:
    x, bins = values(), gp.zeros(2, gp.u32, device="simulator")
    for _ in range(2):
        count(x, bins, invocations=2)
        count(x, bins, invocations=(2,))
        count(x, bins, invocations=bins)
        assert message(lambda: count(x, bins)).startswith("count: give invocations=x")
    np.testing.assert_array_equal(bins.numpy(), [6, 24])
    count(x, bins, invocations=x)
    np.testing.assert_array_equal(bins.numpy(), [7, 28])


def test_what_else_is_written_keeps_the_default() -> None:
    y = gp.zeros(5, gp.u32, device="simulator")
    add_to_last(y)
    add_to_last(y)
    np.testing.assert_array_equal(y.numpy(), [7, 7, 7, 7, 10])


def test_each_specialisation_for_itself() -> None:
    x, y = values(), gp.zeros(5, gp.u32, device="simulator")
    for _ in range(2):
        y.fill(9)
        store_or_count(x, y, False)
        np.testing.assert_array_equal(y.numpy(), VALUES)
        assert message(lambda: store_or_count(x, y, True)).startswith("store_or_count: give invocations=x")
        store_or_count(x, y, True, invocations=x)
        np.testing.assert_array_equal(y.numpy(), VALUES + np.array([1, 4, 0, 0, 0]))
