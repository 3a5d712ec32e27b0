"""separate_offsets: indices of matrices in workgroup memory as a part that many have in common, and a constant.

`(stage * 128 + row + 16) * 72` becomes `stage * 9216 + row * 72 + 1152`: compilers compute the sum once, and the
constants become offsets of the instructions. Arithmetic on 32 bits wraps, so the sums are exactly the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from gpucore.ir import (
    I32,
    U32,
    BinaryOp,
    Builtin,
    Constant,
    Convert,
    CopyAsync,
    Expr,
    Let,
    Local,
    MatrixLoad,
    Module,
    Place,
    Stmt,
    Value,
    build,
    walk,
)
from gpucore.ir.arithmetic import wrap
from gpucore.ir.expressions import Binary
from gpucore.passes.dead_code import remove_dead_code

_OF_MATRICES = (MatrixLoad, CopyAsync)


def separate_offsets(module: Module) -> Module:
    """The module with such indices in what reads and copies parts of matrices; the module itself if it has none."""
    if not any(isinstance(statement, _OF_MATRICES) for statement in walk.statements(module.body)):
        return module
    known = _definitions(module)

    def block(found: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return walk.same_or(found, [statement(each) for each in found])

    def statement(found: Stmt) -> Stmt:
        if isinstance(found, _OF_MATRICES):
            place = Place(found.place.memory, _rebuilt(_Sum(known).of(found.place.index)))
            changed: Any = dataclasses.replace(found, place=place)
            return found if place == found.place else changed
        return walk.map_statement(found, lambda expr: expr, block)

    body = block(module.body)
    return module if body is module.body else remove_dead_code(dataclasses.replace(module, body=body))


def _definitions(module: Module) -> dict[int, Expr]:
    """What values are, by their ids, if it is the same wherever they are known: without variables."""
    return {
        statement.value.id: statement.expr
        for statement in walk.statements(module.body)
        if isinstance(statement, Let)
        and statement.value.type in (I32, U32)
        and not any(isinstance(leaf, Local) for leaf in walk.leaves(statement.expr))
    }


class _Sum:
    """A sum of expressions, each with a factor, and a constant. `known` has the definitions of values."""

    def __init__(self, known: Mapping[int, Expr]) -> None:
        self._known = known
        self.factors: dict[Expr, int] = {}
        self.constant = 0

    def of(self, expr: Expr, factor: int = 1) -> _Sum:
        """Adds an i32 or u32, multiplied."""
        match expr:
            case Constant(value):
                self.constant += factor * int(value)
            case Convert(operand) if operand.type in (I32, U32):
                self.of(operand, factor)
            case Binary(BinaryOp.ADD | BinaryOp.SUB as op, left, right):
                self.of(left, factor).of(right, factor if op is BinaryOp.ADD else -factor)
            case Binary(BinaryOp.MUL, other, Constant(value)) | Binary(BinaryOp.MUL, Constant(value), other):
                self.of(other, factor * int(value))
            case Binary(BinaryOp.SHL, other, Constant(value)):
                self.of(other, factor << int(value) % I32.bits)
            case Value() if _is_sum(self._known.get(expr.id)):
                self.of(self._known[expr.id], factor)
            case Binary(BinaryOp.BIT_AND, other, Constant(value)) if value > 0 and int(value) & int(value) + 1 == 0:
                self._add(_masked(other, int(value), self._known), factor)
            case _:
                self._add(expr, factor)
        return self

    def _add(self, expr: Expr, factor: int) -> None:
        self.factors[expr] = self.factors.get(expr, 0) + factor

    def modulo(self, number: int) -> _Sum:
        """The sum with factors and a constant that are less than a number: the same modulo this."""
        self.factors = {expr: factor % number for expr, factor in self.factors.items()}
        self.constant %= number
        return self


def _masked(expr: Expr, mask: int, known: Mapping[int, Expr]) -> Expr:
    """The lowest bits of an i32 or u32, of which what does not change them is left out: `(row + 32) & 7`."""
    if isinstance(expr, Value) and isinstance(definition := known.get(expr.id), Binary):
        expr = definition if definition.op is BinaryOp.BIT_XOR else expr
    if isinstance(expr, Binary) and expr.op is BinaryOp.BIT_XOR:
        return build.bit_xor(_masked(expr.left, mask, known), _masked(expr.right, mask, known))
    return build.bit_and(_rebuilt(_Sum(known).of(expr).modulo(mask + 1)), mask)


def _is_sum(expr: Expr | None) -> bool:
    """Whether an expression has more than itself in a sum."""
    return isinstance(expr, Binary) and expr.op in (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.SHL)


def _rebuilt(total: _Sum) -> Expr:
    """The sum as an i32: what is known first comes first, so that loops compute only what changes."""
    made: Expr | None = None
    for expr, factor in sorted(total.factors.items(), key=lambda item: _latest(item[0])):
        exact = wrap(factor, I32)
        if exact:
            term = expr if expr.type == I32 else Convert(expr, I32)
            scaled = term if exact == 1 else build.mul(term, exact)
            made = scaled if made is None else build.add(made, scaled)
    constant = Constant(wrap(total.constant, I32), I32)
    if made is None:
        return constant
    return build.add(made, constant) if constant.value else made


def _latest(expr: Expr) -> tuple[int, str]:
    """The greatest id of a value in an expression: values of loops have greater ones than those before."""
    leaves = walk.leaves(expr)
    ids = [leaf.id for leaf in leaves if isinstance(leaf, (Value, Local))]
    return max(ids, default=-1), "".join(leaf.kind.value for leaf in leaves if isinstance(leaf, Builtin))
