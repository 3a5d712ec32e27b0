"""Integer division and remainder, truncated and floored.

In WGSL a / 0 is a, and the minimum integer divided by -1 is itself. SPIR-V leaves signed remainders of negative
operands undefined, and NVIDIA's driver makes use of that, so remainders are computed from the quotient.

For drivers with `Defect.DIVISION_OF_64_BITS`, 64-bit integers are divided in words of 32 bits, after "Hacker's Delight"
by H. S. Warren (2nd edition, 9-4 and 9-5).
"""

from __future__ import annotations

from gpucore.plugin.ir import U32, U64, Type, scalar_of
from gpucore_wgpu.driver_defects import Defect
from gpucore_wgpu.functions.library import Builder, Functions, define
from gpucore_wgpu.wgsl_types import full, type_name


def is_in_words(functions: Functions, type: Type) -> bool:
    """Whether divisions of this type are written in 32-bit words."""
    return Defect.DIVISION_OF_64_BITS in functions.defects and scalar_of(type).bits == 64


def _trunc_div(functions: Functions, identifier: str, type: Type) -> list[str]:
    """The quotient, where WGSL's operator cannot be used. With a guard, a / 0 and INT_MIN / -1 become a / 1."""
    if is_in_words(functions, type):
        build = _signed_in_words if scalar_of(type).is_signed else _in_words
        return build(functions, identifier, type)
    t, scalar = type_name(type), scalar_of(type)
    refused = f"b == {full(type, 0)}"
    if scalar.is_signed:
        refused = f"({refused}) | ((a == {full(type, scalar.min_value)}) & (b == {full(type, -1)}))"
    return define(identifier, f"a: {t}, b: {t}", type, f"return a / select(b, {full(type, 1)}, {refused});")


def _signed_in_words(functions: Functions, identifier: str, type: Type) -> list[str]:
    """The quotient of the magnitudes, negated if the signs differ: then `sign` is -1, and (x ^ -1) - -1 is -x."""
    quotient = functions.call("trunc_div", U64, "bitcast<u64>(abs(a))", "bitcast<u64>(abs(b))")
    return define(
        identifier, "a: i64, b: i64", type,
        f"let magnitude = bitcast<i64>({quotient});",
        "let sign = (a ^ b) >> 63u;",
        "return (magnitude ^ sign) - sign;",
    )  # fmt: skip


def _in_words(functions: Functions, identifier: str, type: Type) -> list[str]:
    """Long division if the divisor has one word; else an estimate from its upper bits, which is at most 1 too small."""
    high = functions.call("divide_two_words", U32, "a_high - high * word", "u32(a)", "word")
    estimate = functions.call("divide_two_words", U32, "u32(a >> 33u)", "u32(a >> 1u)", "u32((b << places) >> 32u)")
    return define(
        identifier, "a: u64, b: u64", type,
        "let a_high = u32(a >> 32u);",
        "let b_high = u32(b >> 32u);",
        "if b_high == 0u {",
        "    let word = select(u32(b), 1u, b == 0lu);",
        "    if a_high == 0u {",
        "        return u64(u32(a) / word);",
        "    }",
        "    let high = a_high / word;",
        f"    return (u64(high) << 32u) | u64({high});",
        "}",
        "let places = countLeadingZeros(b_high);",
        f"let estimate = (u64({estimate}) << places) >> 31u;",
        "let low = select(estimate - 1lu, 0lu, estimate == 0lu);",
        "return select(low, low + 1lu, a - low * b >= b);",
    )  # fmt: skip


def _divide_two_words(functions: Functions, identifier: str, type: Type) -> list[str]:
    """The two words (high, low) divided by one, for high < divisor: two steps of half a word each."""
    first = functions.call("divide_three_halves", U32, "left", "lower >> 16u", "scaled")
    second = functions.call("divide_three_halves", U32, "rest", "lower & 65535u", "scaled")
    return define(
        identifier, "high: u32, low: u32, divisor: u32", type,
        "let places = countLeadingZeros(divisor);",
        "let scaled = divisor << places;",
        "let left = select((high << places) | (low >> ((32u - places) & 31u)), high, places == 0u);",
        "let lower = low << places;",
        f"let upper = {first};",
        "let rest = (left << 16u) + (lower >> 16u) - upper * scaled;",
        f"return (upper << 16u) + {second};",
    )  # fmt: skip


def _divide_three_halves(functions: Functions, identifier: str, type: Type) -> list[str]:
    """(left << 16 | half) / scaled; the top bit of `scaled` is set. The first estimate is at most 2 too large."""
    too_great = "digit > 65535u || digit * (scaled & 65535u) > ((rest << 16u) | half)"
    correction = ["    digit -= 1u;", "    rest += upper;", "}"]
    return define(
        identifier, "left: u32, half: u32, scaled: u32", type,
        "let upper = scaled >> 16u;",
        "var digit = left / upper;",
        "var rest = left - digit * upper;",
        f"if {too_great} {{", *correction,
        f"if rest <= 65535u && ({too_great}) {{", *correction,
        "return digit;",
    )  # fmt: skip


def _quotient(functions: Functions, type: Type) -> str:
    is_written = Defect.UNDEFINED_DIVISION in functions.defects or is_in_words(functions, type)
    return functions.call("trunc_div", type, "a", "b") if is_written else "a / b"


def _trunc_rem(functions: Functions, identifier: str, type: Type) -> list[str]:
    t, zero, quotient = type_name(type), full(type, 0), _quotient(functions, type)
    return define(identifier, f"a: {t}, b: {t}", type, f"return select(a - {quotient} * b, {zero}, b == {zero});")


def _floor_div(functions: Functions, identifier: str, type: Type) -> list[str]:
    """a // 0 is a and INT_MIN // -1 is INT_MIN by WGSL's rules for `/`."""
    t, zero = type_name(type), full(type, 0)
    remainder = functions.call("trunc_rem", type, "a", "b")
    return define(
        identifier, f"a: {t}, b: {t}", type, f"let q = {_quotient(functions, type)};", f"let r = {remainder};",
        f"return select(q, q - {full(type, 1)}, (r != {zero}) & ((r ^ b) < {zero}));",
    )  # fmt: skip


def _floor_mod(functions: Functions, identifier: str, type: Type) -> list[str]:
    t, zero = type_name(type), full(type, 0)
    return define(
        identifier, f"a: {t}, b: {t}", type, f"let r = {functions.call('trunc_rem', type, 'a', 'b')};",
        f"return select(r, r + b, (r != {zero}) & ((r ^ b) < {zero}));",
    )  # fmt: skip


DIVISIONS: dict[str, Builder] = {
    "trunc_div": _trunc_div,
    "trunc_rem": _trunc_rem,
    "floor_div": _floor_div,
    "floor_mod": _floor_mod,
    "divide_two_words": _divide_two_words,
    "divide_three_halves": _divide_three_halves,
}
