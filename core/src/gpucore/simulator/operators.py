"""What each operator of the IR means, as a Python expression in its operands a, b and c.

Names in capitals stand for facts of the scalar type at hand: BITS, LAST (BITS - 1), MASK (all bits set), LOW and HIGH
(range of an integer), ZERO and ONE (of a float). `wrap(x)` brings any integer into the range of the type, modulo
2 ** BITS. Other names are functions of `arithmetic` or Python's own.
"""

from __future__ import annotations

from gpucore.errors import EmitError
from gpucore.ir import AtomicOp, BinaryOp, MathOp, ScalarType, UnaryOp
from gpucore.ir import ScalarKind as Kind

COMPARISON = {
    BinaryOp.EQ: "a == b",
    BinaryOp.NE: "a != b",
    BinaryOp.LT: "a < b",
    BinaryOp.LE: "a <= b",
    BinaryOp.GT: "a > b",
    BinaryOp.GE: "a >= b",
}

BITWISE = {
    BinaryOp.BIT_AND: "a & b",
    BinaryOp.BIT_OR: "a | b",
    BinaryOp.BIT_XOR: "a ^ b",
}

INTEGER = BITWISE | {
    UnaryOp.NEG: "wrap(-a)",
    BinaryOp.ADD: "wrap(a + b)",
    BinaryOp.SUB: "wrap(a - b)",
    BinaryOp.MUL: "wrap(a * b)",
    BinaryOp.FLOOR_DIV: "wrap(a // b) if b else a",
    BinaryOp.FLOOR_MOD: "a % b if b else 0",
    BinaryOp.TRUNC_DIV: "wrap(trunc_div(a, b))",
    BinaryOp.TRUNC_REM: "trunc_rem(a, b)",
    BinaryOp.SHL: "wrap(a << (b & LAST))",
    BinaryOp.SHR: "a >> (b & LAST)",
    MathOp.MIN: "min(a, b)",
    MathOp.MAX: "max(a, b)",
    MathOp.CLAMP: "min(max(a, b), c)",
    MathOp.SIGN: "(a > 0) - (a < 0)",
    MathOp.POPCOUNT: "(a & MASK).bit_count()",
    MathOp.CLZ: "BITS - (a & MASK).bit_length()",
    MathOp.CTZ: "(a & -a).bit_length() - 1 if a else BITS",
    MathOp.REVERSE_BITS: "wrap(reverse_bits(a & MASK, BITS))",
}

SIGNED = INTEGER | {
    UnaryOp.INVERT: "~a",
    MathOp.ABS: "wrap(abs(a))",
}

UNSIGNED = INTEGER | {
    UnaryOp.INVERT: "a ^ MASK",
    BinaryOp.FLOOR_DIV: "a // b if b else a",
    BinaryOp.TRUNC_DIV: "a // b if b else a",
    BinaryOp.TRUNC_REM: "a % b if b else 0",
    BinaryOp.SHR: "a >> (b & LAST)",
    MathOp.ABS: "a",
}

FLOAT = {
    UnaryOp.NEG: "-a",
    BinaryOp.ADD: "a + b",
    BinaryOp.SUB: "a - b",
    BinaryOp.MUL: "a * b",
    BinaryOp.DIV: "a / b",
    MathOp.ABS: "abs(a)",
    MathOp.MIN: "float_min(a, b)",
    MathOp.MAX: "float_max(a, b)",
    MathOp.CLAMP: "float_min(float_max(a, b), c)",
    MathOp.FLOOR: "floor(a)",
    MathOp.CEIL: "ceil(a)",
    MathOp.ROUND: "rint(a)",
    MathOp.TRUNC: "trunc(a)",
    MathOp.FRACT: "a - floor(a)",
    MathOp.SQRT: "sqrt(a)",
    MathOp.RSQRT: "ONE / sqrt(a)",
    MathOp.EXP: "exp(a)",
    MathOp.EXP2: "exp2(a)",
    MathOp.LOG: "log(a)",
    MathOp.LOG2: "log2(a)",
    MathOp.POW: "power(a, b)",
    MathOp.SIN: "sin(a)",
    MathOp.COS: "cos(a)",
    MathOp.TAN: "tan(a)",
    MathOp.ASIN: "arcsin(a)",
    MathOp.ACOS: "arccos(a)",
    MathOp.ATAN: "arctan(a)",
    MathOp.ATAN2: "arctan2(a, b)",
    MathOp.SINH: "sinh(a)",
    MathOp.COSH: "cosh(a)",
    MathOp.TANH: "tanh(a)",
    MathOp.FMA: "fma(a, b, c)",
    MathOp.FMOD: "fmod(a, b)",
    MathOp.SIGN: "sign(a)",
    MathOp.MIX: "a * (ONE - c) + b * c",
    MathOp.STEP: "ONE if b >= a else ZERO",
    MathOp.ERF: "erf(a)",
    MathOp.ISNAN: "bool(a != a)",
    MathOp.ISINF: "isinf(a)",
}

BOOLEAN = BITWISE | {
    UnaryOp.NOT: "not a",
    BinaryOp.AND: "a and b",
    BinaryOp.OR: "a or b",
}

ATOMIC = {
    AtomicOp.LOAD: "a",
    AtomicOp.STORE: "b",
    AtomicOp.EXCHANGE: "b",
    AtomicOp.ADD: "wrap(a + b)",
    AtomicOp.SUB: "wrap(a - b)",
    AtomicOp.MIN: "min(a, b)",
    AtomicOp.MAX: "max(a, b)",
    AtomicOp.AND: "a & b",
    AtomicOp.OR: "a | b",
    AtomicOp.XOR: "a ^ b",
    AtomicOp.COMPARE_EXCHANGE: "b if a == c else a",
}

FLOAT_ATOMIC = {
    AtomicOp.LOAD: "a",
    AtomicOp.STORE: "b",
    AtomicOp.EXCHANGE: "b",
    AtomicOp.ADD: "a + b",
    AtomicOp.SUB: "a - b",
}

_TABLES = {Kind.BOOL: BOOLEAN, Kind.SINT: SIGNED, Kind.UINT: UNSIGNED, Kind.FLOAT: FLOAT}

Operator = UnaryOp | BinaryOp | MathOp


def meaning(operator: Operator, scalar: ScalarType) -> str:
    """The expression for `operator` on operands of type `scalar`."""
    if isinstance(operator, BinaryOp) and operator in COMPARISON:
        text = COMPARISON[operator]
        return f"bool({text})" if scalar.is_float else text  # NumPy compares to its own bool
    try:
        return _TABLES[scalar.kind][operator]
    except KeyError:
        raise EmitError("GP601", f"the simulator has no {operator.value} on {scalar}") from None


def atomic(operator: AtomicOp, scalar: ScalarType) -> str:
    """What an atomic stores: a is the value before, b the operand, c the comparand."""
    return (FLOAT_ATOMIC if scalar.is_float else ATOMIC)[operator]


def meaning_with_constant(operator: Operator, scalar: ScalarType, right: int) -> str:
    """As `meaning`, shorter where the right operand is a known integer."""
    if right not in (0, -1):
        if operator is BinaryOp.FLOOR_DIV:
            return "a // b"
        if operator is BinaryOp.FLOOR_MOD:
            return "a % b"
    if operator in (BinaryOp.SHL, BinaryOp.SHR) and 0 <= right < scalar.bits:
        return "wrap(a << b)" if operator is BinaryOp.SHL else "a >> b"
    return meaning(operator, scalar)


def conversion(source: ScalarType, target: ScalarType) -> str:
    """The expression that converts `a`; capitals and `wrap` are those of `target`."""
    if source == target:
        return "a"
    if target.kind is Kind.BOOL:
        return "bool(a)"
    if target.is_float:
        return "f32_from_int(a)" if source.is_integer and source.bits == 64 and target.bits == 32 else f"{target}(a)"
    if source.is_float:
        return "int_from_float(a, LOW, HIGH)"
    if source.kind is Kind.BOOL:
        return "int(a)"
    fits = target.min_value <= source.min_value and source.max_value <= target.max_value
    return "a" if fits else "wrap(a)"


def reinterpretation(source: ScalarType, target: ScalarType) -> str:
    """The expression that gives the bits of `a` another type of the same width."""
    if source == target:
        return "a"
    if target.is_float:
        bits = "bits_of(a)" if source.is_float else "a & MASK"
        return f"{target}_from_bits({bits})"
    return "wrap(bits_of(a))" if source.is_float else "wrap(a)"
