"""The template of each operator of the IR: a Python expression in its operands a, b and c; see `ir.Function`.

The meanings on scalars are in the tables of `ir.ops`; atomics, conversions and shorter templates are here.
"""

from __future__ import annotations

from gpucore.errors import EmitError
from gpucore.ir import AtomicOp, BinaryOp, ScalarType, ops
from gpucore.ir import ScalarKind as Kind
from gpucore.ir.ops import Operation

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


def meaning(operation: Operation, scalar: ScalarType) -> str:
    """The expression for an operation on operands of type `scalar`."""
    text = ops.meaning(operation, scalar)
    if not text:
        raise EmitError("GP601", f"the simulator has no {operation.value} on {scalar}")
    return text


def atomic(operator: AtomicOp, scalar: ScalarType) -> str:
    """The value that an atomic stores: a is the old value, b the operand, c the comparand."""
    return (FLOAT_ATOMIC if scalar.is_float else ATOMIC)[operator]


def meaning_with_constant(operator: Operation, scalar: ScalarType, right: int) -> str:
    """Like `meaning`, but shorter if the right operand is a constant integer."""
    if right not in (0, -1):
        if operator is BinaryOp.FLOOR_DIV:
            return "a // b"
        if operator is BinaryOp.FLOOR_MOD:
            return "a % b"
    if operator in (BinaryOp.SHL, BinaryOp.SHR) and 0 <= right < scalar.bits:
        return "wrap(a << b)" if operator is BinaryOp.SHL else "a >> b"
    return meaning(operator, scalar)


def conversion(source: ScalarType, target: ScalarType) -> str:
    """The expression that converts `a`; capitals and `wrap` refer to `target`."""
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
    """The expression that reinterprets the bits of `a` as another type of the same width."""
    if source == target:
        return "a"
    if target.is_float:
        bits = "bits_of(a)" if source.is_float else "a & MASK"
        return f"{target}_from_bits({bits})"
    return "wrap(bits_of(a))" if source.is_float else "wrap(a)"
