"""The error function, which WGSL does not have.

Two polynomials, fitted for minimal relative error of erf: up to 1, (erf(x) / x - 1) in x**2, with an error of 1.2e-9;
from 1 to 4, 1 - erf(x) in x - 2.5, with an error of 9.7e-9. Above 4 erf rounds to 1. With the rounding of f32 the
result is within 1.3 ulp, with or without fused multiply-add.
"""

from __future__ import annotations

from gpucore.plugin.ir import Type
from gpucore_wgpu.functions.library import Builder, Functions, define, polynomial
from gpucore_wgpu.wgsl_types import full, type_name

_NEAR = (0.128379166, -0.37612626, 0.112835854, -0.026853811, 0.00518832728, -0.000801019196, 7.85385564e-05)
_FAR = (
    0.000406952982, -0.00217818655, 0.00544566056, -0.00835174788, 0.00862280838, -0.00610918086, 0.00279699685,
    -0.000560258108, -0.00025800732, 0.000270546647, -8.15798776e-05, -1.77359761e-05, 1.58765597e-05, -5.01748616e-07,
    -9.10369693e-07,
)  # fmt: skip


def _erf_near(functions: Functions, identifier: str, type: Type) -> list[str]:
    """erf of a number from 0 to 1."""
    tail = "return a + a * p;"
    return define(identifier, f"a: {type_name(type)}", type, "let z = a * a;", *polynomial(type, _NEAR, tail))


def _erf_far(functions: Functions, identifier: str, type: Type) -> list[str]:
    """erf of a number from 1 to 4."""
    start = f"let z = a - {full(type, 2.5)};"
    return define(
        identifier, f"a: {type_name(type)}", type, start, *polynomial(type, _FAR, f"return {full(type, 1)} - p;")
    )


def _erf(functions: Functions, identifier: str, type: Type) -> list[str]:
    one, four = full(type, 1), full(type, 4)
    near = functions.call("erf_near", type, f"min(a, {one})")
    far = functions.call("erf_far", type, f"min(a, {four})")
    result = functions.call("with_sign", type, f"select(select({near}, {far}, a > {one}), {one}, a >= {four})", "x")
    return define(
        identifier, f"x: {type_name(type)}", type,
        "let a = abs(x);",
        f"return select({result}, x, {functions.call('is_nan', type, 'x')});",
    )  # fmt: skip


ERF_FUNCTIONS: dict[str, Builder] = {
    "erf_near": _erf_near,
    "erf_far": _erf_far,
    "erf": _erf,
}
