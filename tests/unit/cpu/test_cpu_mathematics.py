"""Functions of floats in lanes: errors in ulp and special values over the whole range of arguments."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cpu_kernels
import numpy as np
import pytest
from cpu_kernels import ELEMENTS, Array, Draft, call, op, run

from gpucore.ir import F32, F64, I32, MathOp
from gpucore.runtime import Device
from gpucore_cpu.emit import emit

EDGES = [
    0.0, math.inf, math.nan, 1.0, 2.0, 3.0, 0.5, 1.5, 0.375, 0.625, 1e-45, 1.1754942e-38, 1.1754944e-38, 1e-30, 3e38,
    3.4028235e38, 2.0**24 - 1, 2.0**24, 2.0**25, 12800.0, 12801.0, 1e10, 0.99999994, 1.0000001, 4.0, 87.0, 88.72283,
    88.72284, 89.41598, 89.5, 103.97, 103.98, 126.0, 127.0, 128.0, 149.0, 150.0, math.pi, math.pi / 2, 0.70710677,
]  # fmt: skip
UNARY: dict[MathOp, tuple[Callable[..., Any], float]] = {
    MathOp.EXP: (np.exp, 1.2), MathOp.EXP2: (np.exp2, 1.2), MathOp.LOG: (np.log, 1.0), MathOp.LOG2: (np.log2, 1.5),
    MathOp.SIN: (np.sin, 1.7), MathOp.COS: (np.cos, 1.7), MathOp.TAN: (np.tan, 3.0), MathOp.ASIN: (np.arcsin, 2.5),
    MathOp.ACOS: (np.arccos, 1.5), MathOp.ATAN: (np.arctan, 1.7), MathOp.SINH: (np.sinh, 1.7),
    MathOp.COSH: (np.cosh, 1.6), MathOp.TANH: (np.tanh, 1.5), MathOp.ERF: (np.vectorize(math.erf, [np.float64]), 1.3),
}  # fmt: skip
DOUBLE: dict[MathOp, tuple[Callable[..., Any], float]] = {
    MathOp.EXP: (np.exp, 1.2), MathOp.EXP2: (np.exp2, 1.3), MathOp.LOG: (np.log, 1.0), MathOp.LOG2: (np.log2, 1.5),
    MathOp.SIN: (np.sin, 1.7), MathOp.COS: (np.cos, 1.7),
}  # fmt: skip


def compute(device: Device, function: MathOp, *arguments: Array) -> Array:
    """The function of arrays, in workgroups of 64: gangs without a mask, and one with a mask at the end."""
    draft, type = Draft(64), ELEMENTS[arguments[0].dtype.name]
    sources = [draft.buffer(f"x{n}", type) for n in range(len(arguments))]
    target = draft.buffer("target", type)
    size = draft.param("n", I32, is_size=True)
    i = draft.global_id()
    with draft.when(op(i, "<", size)):
        draft.store(target, i, call(function, *(draft.load(source, i) for source in sources)))
    count = arguments[0].size
    return run(device, draft, [*arguments, np.zeros_like(arguments[0])], [-(-count // 64)], n=count)[-1]


def check(result: Array, exact: Array, ulp: float, *arguments: Array) -> None:
    """Errors are at most `ulp`; zeros have the right sign, infinities and NaN are where they should be."""
    info = np.finfo(result.dtype)
    with np.errstate(all="ignore"):
        rounded = exact.astype(result.dtype)
        places = np.maximum(np.frexp(exact)[1] - info.nmant - 1, info.minexp - info.nmant)
        errors = np.abs(np.ldexp(result.astype(exact.dtype) - exact, -places)).astype(np.float64)
    is_same = (np.isnan(result) & np.isnan(exact)) | (np.isinf(result) & (result == rounded))
    has_sign = np.isnan(exact) | (np.signbit(result) == np.signbit(exact))
    wrong = ~(is_same | (np.isfinite(result) & np.isfinite(exact) & (errors <= ulp))) | ~has_sign
    listed = [(*(argument[k] for argument in arguments), result[k], exact[k]) for k in np.flatnonzero(wrong)[:5]]
    assert listed == []


def whole_range() -> Array:
    """About 8000 f32 evenly spaced by their bits, as many in the usual range, and edges of both signs."""
    bits = np.arange(0, 1 << 32, (1 << 19) + 1, np.uint64).astype(np.uint32).view(np.float32)
    usual = np.concatenate([np.linspace(-20, 20, 4001), np.linspace(-160, 160, 2001), np.linspace(0.4, 1.6, 2001)])
    quarters = np.arange(1, 4001) * (math.pi / 2)
    return np.concatenate([bits, np.concatenate([usual, quarters, EDGES, np.negative(EDGES)]).astype(np.float32)])


@pytest.mark.parametrize("function", UNARY)
def test_f32(device: Device, function: MathOp) -> None:
    x, (exact, ulp) = whole_range(), UNARY[function]
    with np.errstate(all="ignore"):
        check(compute(device, function, x), exact(x.astype(np.float64)), ulp, x)


def pairs() -> tuple[Array, Array]:
    """Every two edges, and pairs over the whole range and over a usual one, some of integers."""
    rng = np.random.default_rng(7)
    edges = np.concatenate([EDGES, np.negative(EDGES)]).astype(np.float32)
    first, second = (grid.ravel() for grid in np.meshgrid(edges, edges))
    any_bits = rng.integers(0, 1 << 32, (2, 4000), np.uint32).view(np.float32)
    usual = rng.uniform(-20, 20, (2, 4000)).astype(np.float32)
    usual[1, ::3] = np.round(usual[1, ::3])
    near_1 = (1 + rng.normal(0, 1e-4, 2000)).astype(np.float32)
    high = rng.uniform(-1e6, 1e6, 2000).astype(np.float32)
    return np.concatenate([first, any_bits[0], usual[0], near_1]), np.concatenate([second, any_bits[1], usual[1], high])


@pytest.mark.parametrize(
    ("function", "exact", "ulp"),
    [(MathOp.POW, np.power, 1.2), (MathOp.ATAN2, np.arctan2, 2.0), (MathOp.FMOD, np.fmod, 0.0)],
)
def test_f32_of_two(device: Device, function: MathOp, exact: Callable[..., Any], ulp: float) -> None:
    x, y = pairs()
    with np.errstate(all="ignore"):
        check(compute(device, function, x, y), exact(x.astype(np.float64), y.astype(np.float64)), ulp, x, y)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant == 52, reason="no wider type for exact values")
@pytest.mark.parametrize("function", DOUBLE)
def test_f64(device: Device, function: MathOp) -> None:
    rng = np.random.default_rng(11)
    quarters = np.arange(1, 2001) * (np.arccos(np.longdouble(-1)) / 2)
    some = [-745.2, -745.1, -708.5, 709.7, 709.8, 1023.9, 1024.0, -1022.5, -1074.9, -1075.1, 2.0**21, 1e22, 5e-324]
    x = np.concatenate([
        rng.integers(0, 1 << 64, 4000, np.uint64).view(np.float64), rng.uniform(-10, 10, 2000),
        rng.uniform(-1100, 1100, 2000), 1 + rng.normal(0, 0.1, 2000), 1 + rng.normal(0, 1e-6, 1000),
        quarters.astype(np.float64), EDGES, np.negative(EDGES), some,
    ]).astype(np.float64)  # fmt: skip
    exact, ulp = DOUBLE[function]
    with np.errstate(all="ignore"):
        check(compute(device, function, x), exact(x.astype(np.longdouble)), ulp, x)


@pytest.mark.parametrize("num_lanes", [1, 4, 16])
@pytest.mark.parametrize("function", [MathOp.SIN, MathOp.LOG, MathOp.EXP])
def test_numbers_of_lanes(device: Device, function: MathOp, num_lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_kernels, "emit", lambda valid, uniform, _: emit(valid, uniform, num_lanes))
    x, (exact, ulp) = whole_range(), UNARY[function]
    with np.errstate(all="ignore"):
        check(compute(device, function, x), exact(x.astype(np.float64)), ulp, x)


@pytest.mark.parametrize(("function", "type"), [(f, F32) for f in UNARY] + [(MathOp.EXP, F64), (MathOp.LOG, F64)])
def test_no_call_of_the_c_library(function: MathOp, type: Any) -> None:
    draft = Draft(64)
    target = draft.buffer("target", type)
    i = draft.global_id()
    draft.store(target, i, call(function, draft.load(target, i)))
    text = emit(draft.valid()).text
    assert f"@llvm.{function.value}." not in text
    assert f"@{function.value}" not in text
