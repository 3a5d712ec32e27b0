"""Functions of floats at NaN, infinities and zeros of both signs, and how exact the inverse ones are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from wgpu_builder import map_kernel

from gpucore import ir
from gpucore.ir import F16, F32, MathOp, VectorType
from gpucore.ir.build import call

NAN, INF = np.nan, np.inf
ONE = {
    MathOp.FRACT: lambda x: x - np.floor(x), MathOp.SQRT: np.sqrt, MathOp.RSQRT: lambda x: 1 / np.sqrt(x),
    MathOp.EXP: np.exp, MathOp.EXP2: np.exp2, MathOp.LOG: np.log, MathOp.LOG2: np.log2, MathOp.SIN: np.sin,
    MathOp.COS: np.cos, MathOp.TAN: np.tan, MathOp.ASIN: np.arcsin, MathOp.ACOS: np.arccos, MathOp.ATAN: np.arctan,
    MathOp.SINH: np.sinh, MathOp.COSH: np.cosh, MathOp.TANH: np.tanh, MathOp.ERF: np.vectorize(math.erf),
}  # fmt: skip
TWO = {MathOp.POW: np.power, MathOp.ATAN2: np.arctan2}
SIGNED = {MathOp.ERF, MathOp.ASIN, MathOp.ATAN, MathOp.ATAN2, MathOp.POW}  # zeros whose sign is IEEE's
SPECIAL = [NAN, -NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 1.5, 0.5, 200.0, -200.0]
PERIODIC = (MathOp.SIN, MathOp.COS, MathOp.TAN)
FINITE = [value for value in SPECIAL if np.isfinite(value)]


def compute(run, op, type, *arguments):
    dtype = np.float16 if ir.scalar_of(type) == F16 else np.float32
    arrays = [np.array(argument, dtype) for argument in arguments]
    width = ir.num_components(type)
    module = map_kernel(type, type, lambda *x: call(op, *x), len(arrays))
    *_, result = run(module, [*arrays, np.zeros_like(arrays[0])], workgroups=arrays[0].size // width)
    return result, arrays


def check(op, result, exact):
    exact = exact.astype(result.dtype)
    rtol = 4e-3 if result.dtype == np.float16 else 3e-5
    np.testing.assert_allclose(result, exact, rtol=rtol, atol=rtol / 10, err_msg=op.value)
    if op in SIGNED:
        known = ~np.isnan(exact)
        np.testing.assert_array_equal(np.signbit(result[known]), np.signbit(exact[known]), err_msg=op.value)


@pytest.mark.parametrize("type", [F32, F16, VectorType(F32, 2), VectorType(F16, 2)], ids=str)
@pytest.mark.parametrize("op", ONE, ids=lambda op: op.value)
def test_special_arguments(run, op, type):
    # Drivers reduce large angles in ways of their own: the contract speaks of -pi to pi.
    arguments = [x for x in SPECIAL if op not in PERIODIC or not 4 < abs(x) < INF]
    result, (x,) = compute(run, op, type, arguments)
    with np.errstate(all="ignore"):
        check(op, result, ONE[op](x.astype(float)))


@pytest.mark.parametrize("type", [F32, F16, VectorType(F32, 4)], ids=str)
@pytest.mark.parametrize("op", TWO, ids=lambda op: op.value)
def test_pairs_of_special_arguments(run, op, type):
    pairs = np.array([(a, b) for a in SPECIAL for b in SPECIAL])
    result, (x, y) = compute(run, op, type, *pairs.T)
    with np.errstate(all="ignore"):
        check(op, result, TWO[op](x.astype(float), y.astype(float)))


def ulps(result, exact):
    return np.abs(result.astype(float) - exact) / np.spacing(np.abs(exact).astype(np.float32)).astype(float)


@pytest.mark.parametrize("op", [MathOp.ASIN, MathOp.ACOS, MathOp.ATAN], ids=lambda op: op.value)
def test_inverse_functions_are_exact(run, op):
    rng = np.random.default_rng(9)
    small, even = np.exp2(rng.uniform(-120, 0, 5000)), rng.uniform(-1, 1, 5000)
    x = [small, -small, even, 1 - np.exp2(rng.uniform(-24, -1, 5000)), np.exp2(rng.uniform(-24, -1, 5000)) - 1]
    x += [even * 10, 1 / small] if op is MathOp.ATAN else []
    result, (x,) = compute(run, op, F32, np.concatenate(x))
    assert ulps(result, ONE[op](x.astype(float))).max() < 4


def test_erf_is_exact(run):
    rng = np.random.default_rng(12)
    small = np.exp2(rng.uniform(-120, 0, 5000))
    x = np.concatenate([np.linspace(-4.5, 4.5, 40001), small, -small, 1 + small * 1e-3, [4.0, 3.9999998, 1e38, -1e38]])
    result, (x,) = compute(run, MathOp.ERF, F32, x)
    assert ulps(result, ONE[MathOp.ERF](x.astype(float))).max() < 1.5


def test_erf_of_f16_is_as_exact_as_f16_can_be(run):
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    every = every[np.isfinite(every) & (np.abs(every) > 1e-3)]
    result, (x,) = compute(run, MathOp.ERF, F16, every)
    exact = ONE[MathOp.ERF](x.astype(float))
    errors = np.abs(result.astype(float) - exact) / np.spacing(np.abs(exact).astype(np.float16)).astype(float)
    assert errors.max() < 0.6


def test_atan2_is_exact(run):
    rng = np.random.default_rng(10)
    y, x = (np.exp2(rng.uniform(-121, 122, 20000)) * rng.choice([-1, 1], 20000) for _ in range(2))
    y, x = np.concatenate([y, y]), np.concatenate([x, y * rng.uniform(0.1, 10, 20000)])
    result, (y, x) = compute(run, MathOp.ATAN2, F32, y, x)
    exact = np.arctan2(y.astype(float), x.astype(float))
    normal = np.abs(exact) > 1e-37
    assert ulps(result[normal], exact[normal]).max() < 4
