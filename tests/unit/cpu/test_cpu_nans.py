"""min and max of floats where one operand is known to be a number: shorter code, with the same rules for NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cpu_kernels import Draft, call

import gpucore as gp
from gpucore import ir
from gpucore.ir import F32, MathOp
from gpucore_cpu.nans import Numbers

NAN = math.nan


def reducer(combine: Callable[..., Any], start: float) -> gp.Kernel:
    @gp.kernel(workgroup_size=64)
    def reduce(x: gp.In[gp.f32], out: gp.Out[gp.f32], count: gp.i32):
        i = gp.local_id(0)
        total = gp.f32(start)
        for k in range(count):
            total = combine(total, x[i + 64 * k])
        out[i] = total

    return reduce


@gp.kernel(workgroup_size=64)
def from_the_first(x: gp.In[gp.f32], out: gp.Out[gp.f32], count: gp.i32):
    i = gp.local_id(0)
    total = x[i]
    for k in range(count):
        total = min(x[i + 64 * k], total)
    out[i] = total


@gp.kernel(workgroup_size=64)
def reset(x: gp.In[gp.f32], out: gp.Out[gp.f32], count: gp.i32):
    i = gp.local_id(0)
    total = gp.f32(0)
    for k in range(count):
        total = max(total, x[i + 64 * k])
        if total > 5:
            total = x[i]
    out[i] = total


@pytest.fixture
def values() -> Any:
    """Columns of four elements, with NaN, infinities and zeros of both signs in all places."""
    rng = np.random.default_rng(0)
    return rng.choice(np.array([NAN, NAN, math.inf, -math.inf, 0.0, -0.0, 1.5, -7.0, 1e-40], np.float32), (4, 64))


@pytest.mark.parametrize(("combine", "start", "expected"), [(min, math.inf, np.fmin), (max, -math.inf, np.fmax)])
def test_a_reduction_from_a_number_ignores_nan(values: Any, combine: Any, start: float, expected: Any) -> None:
    values[:, 3] = NAN
    kernel, x, out = reducer(combine, start), gp.asarray(values.reshape(-1), device="cpu"), gp.empty(64, device="cpu")
    kernel(x, out, 4, invocations=64)
    np.testing.assert_array_equal(out.numpy(), expected.reduce(values, initial=start))
    assert out.numpy()[3] == start
    assert "num." not in kernel.source("llvm", device="cpu")  # llvm.minnum, llvm.maxnum


def test_a_reduction_from_an_element_may_begin_with_nan(values: Any) -> None:
    values[:, 3] = NAN
    x, out = gp.asarray(values.reshape(-1), device="cpu"), gp.empty(64, device="cpu")
    from_the_first(x, out, 4, invocations=64)
    np.testing.assert_array_equal(out.numpy(), np.fmin.reduce(values))
    assert "minnum" in from_the_first.source("llvm", device="cpu")


def test_a_variable_that_is_assigned_an_element_may_be_nan(values: Any) -> None:
    values[:, 3] = 9, NAN, NAN, -1
    values[0, 4], values[1:, 4] = NAN, 6
    x, out = gp.asarray(values.reshape(-1), device="cpu"), gp.empty(64, device="cpu")
    reset(x, out, 4, invocations=64)
    expected = np.zeros(64, np.float32)
    for row in values:
        expected = np.fmax(expected, row)
        expected = np.where(expected > 5, values[0], expected)
    np.testing.assert_array_equal(out.numpy(), expected)


def test_nan_as_the_start_is_no_number(values: Any) -> None:
    kernel, out = reducer(max, NAN), gp.empty(64, device="cpu")
    kernel(gp.asarray(values.reshape(-1), device="cpu"), out, 4, invocations=64)
    np.testing.assert_array_equal(out.numpy(), np.fmax.reduce(values))


def test_each_value_is_examined_once() -> None:
    """As in a sorting network, where each value is used twice: following the definitions would take 2**60 steps."""
    steps = 0

    class Counted(Numbers):
        def is_number(self, expr: ir.Expr) -> bool:
            nonlocal steps
            steps += 1
            assert steps < 10_000
            return super().is_number(expr)

    draft = Draft(64)
    x = draft.buffer("x", F32)
    low, high = draft.load(x, draft.global_id()), draft.load(x, draft.global_id())
    for _ in range(60):
        low, high = (
            draft.let("low", call(MathOp.MIN, low, high)), draft.let("high", call(MathOp.MAX, low, high))
        )  # fmt: skip
    draft.store(x, draft.global_id(), low)
    assert not Counted(draft.valid().module).is_number(high)
