"""Powers of two of which an index is a multiple for certain, modulo 2**32 as devices compute it."""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.ir import walk
from gpucore.ir.nodes import Binary, Block, Constant, Convert, Expr, Let, Value
from gpucore.ir.ops import BinaryOp
from gpucore.ir.types import I32, U32

MOST = 4
"""Powers beyond it are not asked for: the bytes of a word, and the elements of a vector."""

_LEAST_OF_TWO = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.BIT_OR)


def powers_of_two(body: Block) -> dict[int, int]:
    """`power_of_two` of each value that a Let binds, by id."""
    found: dict[int, int] = {}
    for statement in walk.statements(body):
        if isinstance(statement, Let):
            found[statement.value.id] = power_of_two(statement.expr, found)
    return found


def power_of_two(expr: Expr, known: Mapping[int, int]) -> int:
    """A power of two, up to MOST, of which an i32 or u32 is a multiple; 1 for other types. `known` has those of values,
    by id."""
    if expr.type not in (I32, U32):
        return 1
    match expr:
        case Constant(value):
            return min(MOST, int(value) & -int(value)) or MOST
        case Value():
            return known.get(expr.id, 1)
        case Convert():
            return power_of_two(expr.operand, known)
        case Binary(BinaryOp.SHL, left, Constant(count)):
            return min(MOST, power_of_two(left, known) << int(count) % 32)
        case Binary(op, left, right) if op in _LEAST_OF_TWO:
            return min(power_of_two(left, known), power_of_two(right, known))
        case Binary(BinaryOp.MUL, left, right):
            return min(MOST, power_of_two(left, known) * power_of_two(right, known))
        case Binary(BinaryOp.BIT_AND, left, right):
            return max(power_of_two(left, known), power_of_two(right, known))
    return 1
