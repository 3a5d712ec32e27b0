"""sinh and tanh of f32, implemented in WGSL.

WGSL allows them the errors of (exp(x) - exp(-x)) / 2, which cancels: near zero no correct digits remain. Small
arguments use polynomials here, fitted for minimal relative error, of (f(t) / t - 1) / t**2 in t**2.
"""

from __future__ import annotations

import math

from gpucore.plugin.ir import Type
from gpucore_wgpu.functions.library import Builder, Functions, define, polynomial
from gpucore_wgpu.wgsl_types import full, type_name

_SINH = (0.166666672, 0.00833333284, 0.000198412949, 2.75521415e-06, 2.55266261e-08)  # up to 1: error 1e-13
_TANH = (-0.333333313, 0.133332059, -0.0539467633, 0.0217007082, -0.00817741174, 0.00214297371)  # 0.625: error 2e-10


def _sinh(functions: Functions, identifier: str, type: Type) -> list[str]:
    """Above 1 from e**(|x| - 1): the argument is exact, so the result overflows exactly where sinh does."""
    quarter, one, enough = full(type, 0.25), full(type, 1), full(type, 2.0**60)
    large = functions.call("with_sign", type, f"e - {quarter} / min(e, {enough})", "x")
    return define(
        identifier, f"x: {type_name(type)}", type,
        "let a = abs(x);",
        f"let e = exp(a - {one}) * {full(type, math.e / 2)};",
        f"let t = clamp(x, {full(type, -1)}, {one});",
        "let z = t * t;",
        *polynomial(type, _SINH, f"let small = {functions.call('with_sign', type, 'abs(t + t * (z * p))', 'x')};"),
        f"let result = select(small, {large}, a > {one});",
        f"return select(result, x, {functions.call('is_nan', type, 'x')});",
    )  # fmt: skip


def _tanh(functions: Functions, identifier: str, type: Type) -> list[str]:
    """Above 0.625 from 1 - 2 / (e**(2 |x|) + 1), which rounds to 1 from 10 on."""
    one, two, limit = full(type, 1), full(type, 2), full(type, 0.625)
    part = f"{one} - {two} / (exp({two} * min(a, {full(type, 10)})) + {one})"
    large = functions.call("with_sign", type, part, "x")
    return define(
        identifier, f"x: {type_name(type)}", type,
        "let a = abs(x);",
        f"let t = clamp(x, -{limit}, {limit});",
        "let z = t * t;",
        *polynomial(type, _TANH, f"let small = {functions.call('with_sign', type, 'abs(t + t * (z * p))', 'x')};"),
        f"let result = select(small, {large}, a > {limit});",
        f"return select(result, x, {functions.call('is_nan', type, 'x')});",
    )  # fmt: skip


HYPERBOLIC_FUNCTIONS: dict[str, Builder] = {"sinh": _sinh, "tanh": _tanh}
