"""Helper functions in generated WGSL, for operations that WGSL does not have or defines differently from the IR.

Each is written once per type, and only if a kernel calls it. Why they are needed:

- Division: see `functions.divisions`.
- Float to integer: see `functions.truncations`.
- min, max, sign, step: their results for NaN are undefined. NaN is detected by its bits, because a WGSL compiler may
  assume that there is none, and because naga's `!=` is false for NaN.
- pow: undefined for a negative base. asin, acos, atan, atan2: see `functions.inverse`. tanh: GLSL's gives -1 for
  NaN. erf: WGSL has none, see `functions.erf`.
- 64-bit integers: naga has no bit counts, and no bitcasts from or to vectors (some crash the process).
"""

from __future__ import annotations

from gpucore.plugin.ir import BOOL, F16, F32, F64, I32, U32, U64, Type, VectorType, scalar_of, with_scalar
from gpucore_wgpu.driver_defects import Defect
from gpucore_wgpu.functions.divisions import DIVISIONS
from gpucore_wgpu.functions.erf import ERF_FUNCTIONS
from gpucore_wgpu.functions.hyperbolic import HYPERBOLIC_FUNCTIONS
from gpucore_wgpu.functions.inverse import INVERSE_FUNCTIONS
from gpucore_wgpu.functions.library import Builder, Functions, define, nan
from gpucore_wgpu.functions.remainder import REMAINDER_FUNCTIONS
from gpucore_wgpu.functions.specials import SPECIAL_FUNCTIONS
from gpucore_wgpu.functions.truncations import TRUNCATIONS
from gpucore_wgpu.wgsl_types import full, type_name


def _opaque(functions: Functions, identifier: str, type: Type) -> list[str]:
    """A constant as the result of a call, which is no const-expression: arithmetic on it overflows as at run time."""
    return define(identifier, f"x: {type_name(type)}", type, "return x;")


def _bits(functions: Functions, identifier: str, type: Type) -> list[str]:
    """A float from its bits, for NaN and infinity: in WGSL a const-expression cannot be one."""
    bits = U64 if type == F64 else U32
    return define(identifier, f"x: {bits}", type, f"return bitcast<{type}>(x);")


def _divide(functions: Functions, identifier: str, type: Type) -> list[str]:
    """Division by a number of any size. Vulkan defines it up to 2**126 only; on NVIDIA inf / 3e38 is NaN."""
    t = type_name(type)
    return define(
        identifier, f"a: {t}, b: {t}", type,
        f"let scale = select({full(type, 1.0)}, {full(type, 0.25)}, abs(b) > {full(type, 2.0**125)});",
        "return (a * scale) / (b * scale);",
    )  # fmt: skip


def _magnitude_bits(type: Type) -> tuple[str, str]:
    """The bits of a float `x` without its sign, and those of infinity, as WGSL."""
    unsigned = with_scalar(type, U64 if scalar_of(type) == F64 else U32)
    mask, infinity = (0x7FFF_FFFF_FFFF_FFFF, 0x7FF0 << 48) if unsigned == U64 else (0x7FFF_FFFF, 0x7F80_0000)
    bits = f"(bitcast<{type_name(unsigned)}>(x) & {full(unsigned, mask)})"
    return bits, full(unsigned, infinity)


def _is_nan(functions: Functions, identifier: str, type: Type) -> list[str]:
    return _classify(functions, identifier, type, "is_nan", ">")


def _is_inf(functions: Functions, identifier: str, type: Type) -> list[str]:
    return _classify(functions, identifier, type, "is_inf", "==")


def _classify(functions: Functions, identifier: str, type: Type, name: str, comparison: str) -> list[str]:
    if scalar_of(type) == F16:  # naga has no 16-bit integers for the bits
        wide = with_scalar(type, F32)
        test = functions.call(name, wide, f"{type_name(wide)}(x)")
    else:
        bits, infinity = _magnitude_bits(type)
        test = f"{bits} {comparison} {infinity}"
    return define(identifier, f"x: {type_name(type)}", with_scalar(type, BOOL), f"return {test};")


def _extreme(comparison: str) -> Builder:
    def build(functions: Functions, identifier: str, type: Type) -> list[str]:
        t = type_name(type)
        nan = functions.call("is_nan", type, "b")
        return define(identifier, f"a: {t}, b: {t}", type, f"return select(b, a, (a {comparison} b) | {nan});")

    return build


def _extreme_of_number(comparison: str) -> Builder:
    def build(functions: Functions, identifier: str, type: Type) -> list[str]:
        """For a `b` that is known not to be NaN. If `a` is NaN, the comparison is false and the result is `b`."""
        t = type_name(type)
        return define(identifier, f"a: {t}, b: {t}", type, f"return select(b, a, a {comparison} b);")

    return build


def _sign(functions: Functions, identifier: str, type: Type) -> list[str]:
    """By integers: Mesa replaces two selects of floats by its own sign function, which makes a zero negative."""
    zero, integers = full(type, 0), with_scalar(type, I32)
    none, one = full(integers, 0), full(integers, 1)
    return define(
        identifier, f"x: {type_name(type)}", type,
        f"let above = select({none}, {one}, x > {zero});",
        f"let below = select({none}, {one}, x < {zero});",
        f"return {type_name(type)}(above - below);",
    )  # fmt: skip


def _step(functions: Functions, identifier: str, type: Type) -> list[str]:
    t = type_name(type)
    zero, one = full(type, 0), full(type, 1)
    return define(identifier, f"edge: {t}, x: {t}", type, f"return select({zero}, {one}, x >= edge);")


def _mix(functions: Functions, identifier: str, type: Type) -> list[str]:
    t = type_name(type)
    return define(identifier, f"a: {t}, b: {t}, t: {t}", type, f"return a * ({full(type, 1)} - t) + b * t;")


def _pow(functions: Functions, identifier: str, type: Type) -> list[str]:
    """WGSL's pow is exp2(y * log2(x)), which is right for x > 0. Other cases follow C; -0.0 counts as negative."""
    t, zero, one, half = (type_name(type), *(full(type, value) for value in (0, 1, 0.5)))
    integers, infinity = with_scalar(type, I32), functions.call("bits", F32, "0x7f800000u")
    if isinstance(type, VectorType):
        infinity = f"{t}({infinity})"
    unknown = f"{functions.call('is_nan', type, 'x')} | {functions.call('is_nan', type, 'y')}"
    return define(
        identifier, f"x: {t}, y: {t}", type,
        "let whole = y == floor(y);",
        f"let odd = whole & !(y * {half} == floor(y * {half}));",
        f"let power = select(pow(abs(x), y), select({zero}, {infinity}, y < {zero}), x == {zero});",
        f"let settled = ((abs(x) == {one}) & (abs(y) == {infinity})) | (y == {zero}) | (x == {one});",
        f"let exists = whole | (x == {zero}) | (abs(x) == {infinity});",
        f"let negated = select({nan(functions, type)}, select(power, -power, odd), exists);",
        f"let signed = select(power, negated, bitcast<{type_name(integers)}>(x) < {full(integers, 0)});",
        f"return select(select(signed, {nan(functions, type)}, {unknown}), {one}, settled);",
    )  # fmt: skip


def _halves(type: Type) -> tuple[str, str]:
    """Lines that compute the two halves of a 64-bit integer `x`."""
    bits = "x" if type == U64 else "bitcast<u64>(x)"
    return f"let high = u32({bits} >> 32u);", f"let low = u32({bits});"


def _bit_count(result: str) -> Builder:
    def build(functions: Functions, identifier: str, type: Type) -> list[str]:
        """An i64 is made from a u64, which costs nothing: see `Defect.SIGN_EXTENSION`."""
        wide = f"u64({result})" if type == U64 else f"bitcast<i64>(u64({result}))"
        return define(identifier, f"x: {type}", type, *_halves(type), f"return {wide};")

    return build


def _reverse_bits(functions: Functions, identifier: str, type: Type) -> list[str]:
    joined = "(u64(reverseBits(low)) << 32u) | u64(reverseBits(high))"
    result = joined if type == U64 else f"bitcast<i64>({joined})"
    return define(identifier, f"x: {type}", type, *_halves(type), f"return {result};")


def _join_bits(functions: Functions, identifier: str, type: Type) -> list[str]:
    return define(identifier, "x: vec2<u32>", U64, "return u64(x.x) | (u64(x.y) << 32u);")


def _split_bits(functions: Functions, identifier: str, type: Type) -> list[str]:
    return define(identifier, "x: u64", VectorType(U32, 2), "return vec2<u32>(u32(x), u32(x >> 32u));")


BUILDERS: dict[str, Builder] = {
    "opaque": _opaque,
    "bits": _bits,
    "divide": _divide,
    **DIVISIONS,
    "is_nan": _is_nan,
    "is_inf": _is_inf,
    "min": _extreme("<"),
    "max": _extreme(">"),
    "min_number": _extreme_of_number("<"),
    "max_number": _extreme_of_number(">"),
    **TRUNCATIONS,
    "sign": _sign,
    "step": _step,
    "mix": _mix,
    "pow": _pow,
    **HYPERBOLIC_FUNCTIONS,
    **INVERSE_FUNCTIONS,
    **REMAINDER_FUNCTIONS,
    **ERF_FUNCTIONS,
    **SPECIAL_FUNCTIONS,
    "clz": _bit_count("select(countLeadingZeros(high), 32u + countLeadingZeros(low), high == 0u)"),
    "ctz": _bit_count("select(countTrailingZeros(low), 32u + countTrailingZeros(high), low == 0u)"),
    "popcount": _bit_count("countOneBits(high) + countOneBits(low)"),
    "reverse_bits": _reverse_bits,
    "join_bits": _join_bits,
    "split_bits": _split_bits,
}


def create_functions(defects: frozenset[Defect] = frozenset()) -> Functions:
    """For one kernel, on a driver that has these defects."""
    return Functions(BUILDERS, defects)
