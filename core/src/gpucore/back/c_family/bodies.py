"""Bodies of helper functions on one integer type that are written in C rather than in the IR.

Division: `x // 0 = x`, `x % 0 = 0`, and the minimum value divided by -1 wraps. Either may trap on a CPU, so neither is
ever executed: the divisor is first replaced by 1, which already gives the defined result for zero.
"""

from __future__ import annotations

from gpucore.ir import I64, U32, U64, BinaryOp, ScalarType

DIVISION_SYMBOLS = {
    BinaryOp.FLOOR_DIV: "/",
    BinaryOp.FLOOR_MOD: "%",
    BinaryOp.TRUNC_DIV: "/",
    BinaryOp.TRUNC_REM: "%",
}
"""The IR's operators with the C operator that gives the same result on non-negative operands."""

_SAFE = "const {type} divisor = b == 0 || b == -1 ? 1 : b;\n"
_NEGATED = "({type})(0 - ({unsigned})a)"
_SIGNED = {
    BinaryOp.FLOOR_DIV: _SAFE
    + "const {type} quotient = a / divisor;\n"
    + "const {type} floored = a % divisor != 0 && (a < 0) != (divisor < 0) ? quotient - 1 : quotient;\n"
    + f"return b == -1 ? {_NEGATED} : floored;",
    BinaryOp.FLOOR_MOD: _SAFE
    + "const {type} remainder = a % divisor;\n"
    + "return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder;",
    BinaryOp.TRUNC_DIV: _SAFE + f"return b == -1 ? {_NEGATED} : a / divisor;",
    BinaryOp.TRUNC_REM: _SAFE + "return a % divisor;",
}


def unsigned_type(type: ScalarType) -> ScalarType:
    """The unsigned type of the same width."""
    return U64 if type.bits == 64 else U32


def division_body(op: BinaryOp, type: ScalarType, type_name: str, unsigned_name: str) -> str:
    """The body of a function of `a` and `b`."""
    if type.is_signed:
        return _SIGNED[op].format(type=type_name, unsigned=unsigned_name)
    return f"return a {DIVISION_SYMBOLS[op]} (b == 0 ? 1 : b);"


def reverse_bits_body(type: ScalarType, type_name: str, unsigned_name: str) -> str:
    """The body of a function of `a`: neighbouring groups of 1, 2, 4, ... bits are swapped."""
    lines = [f"{unsigned_name} bits = ({unsigned_name})a;"]
    width = 1
    while width < type.bits:
        mask = hex(sum(((1 << width) - 1) << at for at in range(0, type.bits, 2 * width)))
        suffix = "ul" if type in (I64, U64) else "u"
        lines.append(f"bits = ((bits >> {width}) & {mask}{suffix}) | ((bits & {mask}{suffix}) << {width});")
        width *= 2
    lines.append(f"return ({type_name})bits;")
    return "\n".join(lines)
