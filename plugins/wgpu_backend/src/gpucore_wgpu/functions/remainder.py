"""The remainder of floats, implemented in WGSL: its own `%` is x - y * trunc(x / y), rounded at every step.

Long division of the significands, several bits at a time, so that every step is an integer remainder. The steps are
unrolled, because drivers with a limit on loop iterations would count those of a loop. Where integers are divided in
32-bit words they are a loop: two hundred such divisions take too long to compile (lavapipe: ten seconds), and the
drivers that need them have no such limit.
"""

from __future__ import annotations

from gpucore.plugin.ir import F64, U32, U64, ScalarType, Type, VectorType
from gpucore_wgpu.functions.divisions import is_in_words
from gpucore_wgpu.functions.library import Builder, Functions
from gpucore_wgpu.wgsl_types import full

_PER_ROUND = 8  # steps per round


def _layout(type: Type) -> tuple[ScalarType, int, int]:
    """The integer type of a float's bits, the number of stored significand bits, and that of exponent bits."""
    return (U64, 52, 11) if type == F64 else (U32, 23, 8)


def _fmod(functions: Functions, identifier: str, type: Type) -> list[str]:
    if isinstance(type, VectorType):
        parts = (functions.call("fmod", type.element, f"x.{name}", f"y.{name}") for name in "xyzw"[: type.width])
        body = [f"return vec{type.width}<{type.element}>({', '.join(parts)});"]
        return _define(identifier, f"x: vec{type.width}<{type.element}>, y: vec{type.width}<{type.element}>",
                       f"vec{type.width}<{type.element}>", body)  # fmt: skip
    bits, stored, exponent = _layout(type)
    sign, infinity = 1 << (bits.bits - 1), ((1 << exponent) - 1) << stored
    unknown = functions.call("bits", type, full(bits, infinity | 1 << (stored - 1)))
    lead = f"i32({functions.call('clz', U64, 'r')})" if bits == U64 else "i32(countLeadingZeros(r))"
    return _define(identifier, f"x: {type}, y: {type}", str(type), [
        f"let a = bitcast<{bits}>(x) & {full(bits, sign - 1)};",
        f"let b = bitcast<{bits}>(y) & {full(bits, sign - 1)};",
        f"if ((a >= {full(bits, infinity)}) | (b > {full(bits, infinity)}) | (b == {full(bits, 0)})) {{",
        f"    return {unknown};",
        "}",
        "if (a < b) {",
        "    return x;",
        "}",
        f"let divisor = {functions.call('significand', bits, 'b')};",
        f"let least = {functions.call('exponent', bits, 'b')};",
        f"var r = {_modulo(functions, bits, functions.call('significand', bits, 'a'))};",
        f"var left = {functions.call('exponent', bits, 'a')} - least;",
        *_reduction(functions, bits, stored, (1 << exponent) + stored),
        f"let shift = {lead} - {exponent};",
        f"let sign = bitcast<{bits}>(x) & {full(bits, sign)};",
        f"let fraction = (r << u32(shift)) & {full(bits, (1 << stored) - 1)};",
        f"let normal = ({bits}(max(least - shift, 1)) << {stored}u) | fraction;",
        f"let small = r << u32(min(least - 1, {stored}));",
        f"let magnitude = select(select(small, normal, least > shift), {full(bits, 0)}, r == {full(bits, 0)});",
        f"return bitcast<{type}>(magnitude | sign);",
    ])  # fmt: skip


def _reduction(functions: Functions, bits: ScalarType, stored: int, most: int) -> list[str]:
    """Lines that set `r` to the remainder of r * 2**left divided by `divisor`; `left` is at most `most`."""
    step = bits.bits - stored - 1
    once = [f"    r = {_modulo(functions, bits, f'(r << {step}u)')};", f"    left -= {step};"]
    last = f"r = {_modulo(functions, bits, '(r << u32(left))')};"
    if is_in_words(functions, bits):
        return [f"while (left >= {step}) {{", *once, "}", last]
    a_round = step * _PER_ROUND
    lines = [f"if (left >= {step}) {{"]
    for _ in range(most // a_round):
        lines += [
            f"    if (left >= {a_round}) {{",
            f"        r = {functions.call('fmod_round', bits, 'r', 'divisor')};",
        ]
        lines += [f"        left -= {a_round};", "    }"]
    for _ in range(_PER_ROUND - 1):
        lines += [f"    if (left >= {step}) {{", *(f"    {line}" for line in once), "    }"]
    return [*lines, "}", last]


def _fmod_round(functions: Functions, identifier: str, type: Type) -> list[str]:
    """Eight steps: `r` is shifted into the spare bits above the significand, and replaced by the remainder."""
    step = 11 if type == U64 else 8
    reduced = _modulo(functions, U64 if type == U64 else U32, f"(rest << {step}u)")
    lines = ["var rest = r;", *[f"rest = {reduced};"] * _PER_ROUND, "return rest;"]
    return _define(identifier, f"r: {type}, divisor: {type}", str(type), lines)


def _modulo(functions: Functions, bits: ScalarType, left: str) -> str:
    if is_in_words(functions, bits):
        return functions.call("trunc_rem", bits, left, "divisor")
    return f"{left} % divisor"


def _significand(functions: Functions, identifier: str, type: Type) -> list[str]:
    """The significand of a float, from its bits without the sign. Normal numbers have a leading one."""
    stored = 52 if type == U64 else 23
    one, below = full(type, 1 << stored), full(type, (1 << stored) - 1)
    return _define(
        identifier, f"x: {type}", str(type), [f"return (x & {below}) | select({full(type, 0)}, {one}, x >= {one});"]
    )


def _exponent(functions: Functions, identifier: str, type: Type) -> list[str]:
    """The biased exponent of a float, from its bits without the sign. It is 1 for subnormal numbers too."""
    return _define(identifier, f"x: {type}", "i32", [f"return max(i32(x >> {52 if type == U64 else 23}u), 1);"])


def _define(identifier: str, parameters: str, result: str, body: list[str]) -> list[str]:
    return [f"fn {identifier}({parameters}) -> {result} {{", *(f"    {line}" for line in body), "}"]


REMAINDER_FUNCTIONS: dict[str, Builder] = {
    "fmod": _fmod,
    "fmod_round": _fmod_round,
    "significand": _significand,
    "exponent": _exponent,
}
