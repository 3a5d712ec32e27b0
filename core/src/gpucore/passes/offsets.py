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
    CopyPart,
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

_OF_MATRICES = (MatrixLoad, CopyAsync, CopyPart)
_MOST_TERMS = 24  # of a sum: a value with more is a term itself
_DEEPEST = 16  # operations in each other that are looked at


def separate_offsets(module: Module) -> Module:
    """The module with such indices in what reads and copies parts of matrices; the module itself if it has none."""
    if not any(isinstance(statement, _OF_MATRICES) for statement in walk.statements(module.body)):
        return module
    sums = _Sums()
    for found in walk.statements(module.body):  # in program order: a value is known before it is used
        if isinstance(found, Let):
            sums.bind(found)

    def block(found: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return walk.same_or(found, [statement(each) for each in found])

    def statement(found: Stmt) -> Stmt:
        if isinstance(found, _OF_MATRICES):
            place = Place(found.place.memory, sums.of(found.place.index).expression())
            changed: Any = dataclasses.replace(found, place=place)
            return found if place == found.place else changed
        return walk.map_statement(found, lambda expr: expr, block)

    body = block(module.body)
    return module if body is module.body else remove_dead_code(dataclasses.replace(module, body=body))


class _Sum:
    """A sum of expressions, each with a factor, and a constant. It does not change."""

    def __init__(self, factors: Mapping[Expr, int], constant: int = 0) -> None:
        self.factors, self.constant = factors, constant

    def plus(self, other: _Sum) -> _Sum:
        factors = dict(self.factors)
        for expr, factor in other.factors.items():
            factors[expr] = factors.get(expr, 0) + factor
        return _Sum(factors, self.constant + other.constant)

    def times(self, number: int) -> _Sum:
        return _Sum({expr: factor * number for expr, factor in self.factors.items()}, self.constant * number)

    def modulo(self, number: int) -> _Sum:
        """The sum with factors and a constant that are less than a number: the same modulo this."""
        return _Sum({expr: factor % number for expr, factor in self.factors.items()}, self.constant % number)

    def expression(self) -> Expr:
        """An i32. What is known first comes first, so that loops compute only what changes."""
        made: Expr | None = None
        for expr, factor in sorted(self.factors.items(), key=lambda item: _latest(item[0])):
            exact = wrap(factor, I32)
            if exact:
                term = expr if expr.type == I32 else Convert(expr, I32)
                scaled = term if exact == 1 else build.mul(term, exact)
                made = scaled if made is None else build.add(made, scaled)
        constant = Constant(wrap(self.constant, I32), I32)
        if made is None:
            return constant
        return build.add(made, constant) if constant.value else made


class _Sums:
    """The sums that expressions are, of i32 and u32. Values are what their definitions are, if these have no variables,
    and so are the same wherever they are known."""

    def __init__(self) -> None:
        self._known: dict[int, _Sum] = {}
        self._xors: dict[int, Binary] = {}

    def bind(self, let: Let) -> None:
        """Know what a value is."""
        if let.value.type not in (I32, U32) or any(isinstance(leaf, Local) for leaf in walk.leaves(let.expr)):
            return
        found = self.of(let.expr)
        if len(found.factors) <= _MOST_TERMS and found.factors != {let.expr: 1}:
            self._known[let.value.id] = found
        elif isinstance(let.expr, Binary) and let.expr.op is BinaryOp.BIT_XOR:
            self._xors[let.value.id] = let.expr

    def of(self, expr: Expr, depth: int = 0) -> _Sum:
        """The sum that an expression is, itself if nothing else."""
        if depth < _DEEPEST:
            match expr:
                case Constant(value):
                    return _Sum({}, int(value))
                case Value() if expr.id in self._known:
                    return self._known[expr.id]
                case Convert(operand) if operand.type in (I32, U32):
                    return self.of(operand, depth + 1)
                case Binary(op, left, right):
                    found = self._of_two(op, left, right, depth + 1)
                    return _Sum({expr: 1}) if found is None else found
        return _Sum({expr: 1})

    def _of_two(self, op: BinaryOp, left: Expr, right: Expr, depth: int) -> _Sum | None:
        match op, left, right:
            case BinaryOp.ADD, _, _:
                return self.of(left, depth).plus(self.of(right, depth))
            case BinaryOp.SUB, _, _:
                return self.of(left, depth).plus(self.of(right, depth).times(-1))
            case (BinaryOp.MUL, other, Constant(value)) | (BinaryOp.MUL, Constant(value), other):
                return self.of(other, depth).times(int(value))
            case BinaryOp.SHL, _, Constant(value):
                return self.of(left, depth).times(1 << int(value) % I32.bits)
            case BinaryOp.SHR, _, Constant(value) if left.type == I32:
                return _Sum({build.shr(self.of(left, depth).expression(), int(value)): 1})
            case BinaryOp.BIT_AND, _, Constant(value) if 0 < value < 1 << 31 and int(value) & int(value) + 1 == 0:
                return self._masked(left, int(value), depth)
        return None

    def _masked(self, expr: Expr, mask: int, depth: int) -> _Sum:
        """The lowest bits of an i32 or u32, of which what does not change them is left out: `(row + 32) & 7`."""
        if isinstance(expr, Value):
            expr = self._xors.get(expr.id, expr)
        if depth < _DEEPEST and isinstance(expr, Binary) and expr.op is BinaryOp.BIT_XOR:
            sides = (self._masked(side, mask, depth + 1).expression() for side in (expr.left, expr.right))
            return _Sum({build.bit_xor(*sides): 1})
        found = self.of(expr, depth).modulo(mask + 1)
        if not any(found.factors.values()):
            return _Sum({}, found.constant)
        return _Sum({build.bit_and(found.expression(), mask): 1})


def _latest(expr: Expr) -> tuple[int, str]:
    """The greatest id of a value in an expression: values of loops have greater ones than those before."""
    leaves = walk.leaves(expr)
    ids = [leaf.id for leaf in leaves if isinstance(leaf, (Value, Local))]
    return max(ids, default=-1), "".join(leaf.kind.value for leaf in leaves if isinstance(leaf, Builtin))
