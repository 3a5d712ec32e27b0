"""Comparisons that the bounds of a float decide, as abs(x) >= -1: with NaN they are false all the same."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

import gpucore as gp

EXPRESSIONS = (
    "gp.abs(x)", "-gp.abs(x)", "x * x", "-(x * x)", "gp.abs(x) + 1.0", "x * x + gp.abs(y)", "gp.abs(x) * gp.abs(y)",
    "gp.abs(x) / (gp.abs(y) + 1.0)", "1.0 / gp.sqrt(x)", "gp.sqrt(x)", "gp.exp(x)", "gp.sin(x)",
    "gp.min(gp.abs(x), gp.abs(y))", "gp.max(x, y)", "gp.max(x, -1.0)", "gp.min(2.0, y)", "gp.clamp(x, 0.0, 2.0)",
    "gp.floor(gp.abs(x))", "gp.sign(x)", "gp.step(x, y)", "gp.dot(gp.f32x2(x, y), gp.f32x2(x, y))",
    "gp.select(y > 0.0, gp.abs(x), x * x)", "gp.fma(x, x, 1.0)", "gp.f32(gp.u32(i)) * x * x", "gp.f32(i)",
    "gp.f32x2(gp.abs(x), y * y).y", "(x / 0.0) * (x / -0.0)", "gp.fma(x / 0.0, x / -0.0, 0.0)",
    "gp.max(x, float('inf'))", "gp.dot(gp.f32x2(x / 0.0, 1.0), gp.f32x2(x / -0.0, 1.0))", "x",
)  # fmt: skip
OPERATORS = (">=", ">", "<=", "<")
CONSTANTS = (
    "-1.0",
    "0.0",
    "-0.0",
    "-2147483648.0",
    "1.0",
    "2.0",
    "float('inf')",
    "-float('inf')",
    "float('nan')",
    "gp.abs(y)",
)
VALUES = np.float32([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.5, -3.0])


def compare(expression: str, device: gp.Device) -> np.ndarray:
    """A row for each operator, constant and order of the operands, whose columns are pairs of values."""
    lines = [f"v = {expression}"]
    for row, (operator, constant) in enumerate(itertools.product(OPERATORS, CONSTANTS)):
        lines.append(f"out[{2 * row}, i] = gp.u32(v {operator} {constant})")
        lines.append(f"out[{2 * row + 1}, i] = gp.u32(0 if not ({constant} {operator} v) else 1)")
    body = "".join(f"        {line}\n" for line in ("x, y = a[i], b[i]", *lines))
    head = "def k(a: gp.In[gp.f32], b: gp.In[gp.f32], out: gp.Out[gp.u32, 2]):\n"
    head += "    i = gp.global_id(0)\n    if i < a.size:\n"
    x, y = np.array(list(itertools.product(VALUES, VALUES))).T.copy()
    out = gp.full((2 * len(OPERATORS) * len(CONSTANTS), x.size), 7, gp.u32, device=device)
    gp.kernel_from_text(head + body)(
        gp.asarray(x, device=device), gp.asarray(y, device=device), out, invocations=x.size
    )
    return out.numpy()


@functools.cache
def simulated(expression: str) -> np.ndarray:
    return compare(expression, gp.device("simulator"))


@pytest.mark.parametrize(
    "expression", [pytest.param(each, marks=pytest.mark.xdist_group(each)) for each in EXPRESSIONS]
)
def test_comparisons(device: gp.Device, expression: str) -> None:
    """As the simulator computes them, one by one."""
    np.testing.assert_array_equal(compare(expression, device), simulated(expression))


def test_a_decided_comparison_is_a_test_for_nan() -> None:
    kernel = gp.kernel_from_text(
        "def k(x: gp.InOut[gp.f32], y: gp.Out[gp.u32]):\n    y[0] = gp.u32(gp.abs(x[0]) >= -1.0)\n"
    )
    assert "isnan" in kernel.source("opencl")
    assert ">=" not in kernel.source("opencl")
