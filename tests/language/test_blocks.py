"""Reductions and prefix sums of a workgroup, with native subgroups and without, for workgroups of any size."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from lacking import is_refused

import gpucore as gp
from gpucore.testing.checked_calls import checked_calls

COLUMNS = 11
NEEDS = {"i64": "int64", "f16": "f16"}


@gp.struct
class Affine:
    """The function x -> a * x + b, of numbers modulo 2**32."""

    a: gp.u32
    b: gp.u32


def then(first, second):
    """Associative, and not commutative."""
    return Affine(first.a * second.a, first.b * second.a + second.b)


def last_odd(a, b):
    """b, unless only a is odd. Associative, not commutative, and without an identity among the numbers used."""
    return a if a % 2 == 1 and b % 2 == 0 else b


@functools.cache
def every_block(size: Any, dtype: Any) -> gp.Kernel:
    """A kernel whose columns are the results of all blocks."""

    @gp.kernel(workgroup_size=size)
    def blocks(x: gp.In[dtype], y: gp.Out[dtype, 2], first: gp.i32):
        count = gp.workgroup_size(0) * gp.workgroup_size(1)
        t = gp.local_index()
        i = gp.workgroup_id(0) * count + t
        value = x[i]
        y[i, 1] = gp.workgroup_min(value)
        y[i, 2] = gp.workgroup_max(value)
        y[i, 3], total = gp.workgroup_inclusive_add(value, with_total=True)
        y[i, 5] = gp.workgroup_reduce(last_odd, value)
        y[i, 6] = gp.workgroup_scan(last_odd, value)
        y[i, 7], whole = gp.workgroup_scan(last_odd, value, exclusive=True, initial=8, with_total=True)
        y[i, 8] = gp.workgroup_scan(last_odd, value, initial=7) + (whole - whole)
        y[i, 0] = gp.workgroup_sum(value)
        y[i, 4] = gp.workgroup_exclusive_add(value) + (total - total)
        some = gp.workgroup_scan(last_odd, value, exclusive=True, initial=8, count=first)
        y[i, 9], y[i, 10] = gp.workgroup_reduce(last_odd, value, count=first), some if t < first else dtype(0)

    return blocks


def prefixes(values: Any, op: Any) -> Any:
    """The values of each row up to each element, combined."""
    out = values.copy()
    for k in range(1, values.shape[1]):
        out[:, k] = op(out[:, k - 1], values[:, k])
    return out


def expected_of(values: Any, first: int) -> Any:
    def odd(a: Any, b: Any) -> Any:
        return np.where((a % 2 == 1) & (b % 2 == 0), a, b)

    sums, lasts = values.cumsum(1), prefixes(values, odd)
    ones = np.ones_like(values)
    behind = np.concatenate([0 * values[:, :1] + 8, odd(0 * lasts[:, :-1] + 8, lasts[:, :-1])], axis=1)
    columns = [
        ones * sums[:, -1:], ones * values.min(1, keepdims=True), ones * values.max(1, keepdims=True), sums,
        sums - values, ones * lasts[:, -1:], lasts, behind, odd(0 * lasts + 7, lasts),
        ones * lasts[:, first - 1 : first], behind * (np.arange(values.shape[1]) < first),
    ]  # fmt: skip
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize(
    ("size", "dtype"),
    [(1, "i32"), (37, "i32"), ((8, 13), "f32"), (256, "u32"), (100, "i64"), (16, "f16")],
)
def test_every_block(device: gp.Device, size: Any, dtype: str) -> None:
    element = getattr(gp, dtype)
    count = int(np.prod(size))
    values = np.random.default_rng(count).integers(1, 50, (3, count)).astype(element.dtype)
    y = gp.empty((3 * count, COLUMNS), element, device=device)
    first = count // 3 + 1
    x, kernel = gp.asarray(values.ravel(), device=device), every_block(size, element)
    if dtype in NEEDS and is_refused(device, NEEDS[dtype], lambda: kernel(x, y, first, workgroups=3)):
        return
    if device.backend.name == "opencl" and device.kind is gp.DeviceKind.SOFTWARE and count > 37:
        pytest.skip("PoCL compiles each of these for seconds")
    kernel(x, y, first, workgroups=3)
    assert np.array_equal(y.numpy().reshape(3, count, COLUMNS), expected_of(values, first))


@gp.kernel(workgroup_size=37)
def in_loops(x: gp.In[gp.f32], y: gp.Out[gp.f32], rounds: gp.i32):
    i = gp.global_id(0)
    total = 0.0
    for k in range(rounds):
        total += gp.workgroup_sum(x[i] * gp.f32(k))
        total += gp.workgroup_exclusive_add(x[i])
    y[i] = total


def test_blocks_in_a_loop(device: gp.Device) -> None:
    values = np.random.default_rng(1).integers(0, 50, (2, 37)).astype(np.float32)
    y = gp.empty(74, device=device)
    in_loops(gp.asarray(values.ravel(), device=device), y, 4, workgroups=2)
    sums = values.cumsum(1)
    assert np.array_equal(y.numpy().reshape(2, 37), 6 * sums[:, -1:] + 4 * (sums - values))


@gp.kernel(workgroup_size=60)
def of_other_types(x: gp.In[gp.u8], y: gp.Out[gp.u32, 2], v: gp.Out[gp.f32x2], halves: gp.i32):
    i = gp.global_id(0)
    y[i, 0] = gp.workgroup_sum(x[i])
    f = Affine(gp.u32(x[i]) * 2 + 1, gp.u32(x[i]))
    y[i, 1] = gp.workgroup_reduce(then, f).b
    before = gp.workgroup_scan(then, f, exclusive=True, initial=Affine(1, 5))
    y[i, 2] = before.b
    y[i, 3] = gp.u32(gp.workgroup_sum(1)) + gp.u32(gp.workgroup_sum(1 if x[i] > 100 else 0))
    v[i] = gp.workgroup_inclusive_add(gp.f32x2(gp.f32(x[i]), 1.0))
    for _ in range(halves):
        if gp.workgroup_sum(x[i]) > 10:  # a barrier may depend on it
            gp.barrier()


def test_small_integers_structs_vectors_and_literals(device: gp.Device) -> None:
    values = np.random.default_rng(3).integers(0, 256, 60).astype(np.uint8)
    y, v = gp.empty((60, 4), gp.u32, device=device), gp.empty(60, gp.f32x2, device=device)
    of_other_types(gp.asarray(values, device=device), y, v, 2, workgroups=1)
    a, b, before = 1, 5, []
    for value in values.tolist():
        before.append(b)
        a, b = a * (2 * value + 1) % 2**32, (b * (2 * value + 1) + value) % 2**32
    a, whole = 1, 0
    for value in values.tolist():
        whole = (whole * (2 * value + 1) + value) % 2**32
    ones = np.ones(60, np.uint32)
    count = 60 + int((values > 100).sum())
    assert np.array_equal(y.numpy().T, [ones * values.sum(), ones * whole, before, ones * count])
    assert np.array_equal(v.numpy(), np.stack([values.cumsum(), np.arange(1, 61)], axis=1))


def test_floats_are_the_same_in_every_run(device: gp.Device) -> None:
    x = gp.random.normal(74, 5, device=device) * 1e3
    results = []
    for _ in range(3):
        y = gp.empty(74, device=device)
        in_loops(x, y, 4, workgroups=2)
        results.append(y.numpy().tobytes())
    assert len(set(results)) == 1


@pytest.mark.parametrize("subgroup_size", [1, 4, 5, 64])
def test_the_checker_finds_nothing(subgroup_size: int) -> None:
    x, y = np.arange(74, dtype=np.int32), np.zeros((74, COLUMNS), np.int32)
    report = gp.check(every_block(37, gp.i32), x, y, 20, workgroups=2, subgroup_size=subgroup_size, schedules=2)
    assert report.ok, str(report)


def test_the_checker_finds_nothing_in_other_types() -> None:
    with checked_calls(schedules=2) as calls:
        test_small_integers_structs_vectors_and_literals(gp.device("simulator"))
    assert calls.checked == 1 and not calls.reports, str(calls)


def test_a_block_that_only_some_invocations_reach_is_an_error_at_the_call() -> None:
    @gp.kernel(workgroup_size=64)
    def partial(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if x[i] > 0.0:
            x[i] = gp.workgroup_sum(x[i])

    with pytest.raises(gp.UniformityError, match=r"x\[i\] = gp.workgroup_sum\(x\[i\]\)"):
        partial(gp.ones(64, device="simulator"))


def test_exclusive_needs_an_initial_value() -> None:
    @gp.kernel(workgroup_size=64)
    def scanned(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        x[i] = gp.workgroup_scan(last_odd, x[i], exclusive=True)

    with pytest.raises(gp.CompileError, match="initial"):
        scanned.ir()


@pytest.mark.parametrize("name", ["sum", "min", "max", "reduce", "scan", "inclusive_add", "exclusive_add"])
def test_outside_of_kernels_a_block_is_an_error(name: str) -> None:
    with pytest.raises(gp.KernelOnlyError, match=f"gp.workgroup_{name} can only be used inside a kernel"):
        getattr(gp, f"workgroup_{name}")(1.0)
