"""Prevents drivers from rewriting float arithmetic.

naga does not mark float operations as exact, so drivers (Mesa's, NVIDIA's) apply identities of real numbers to them:
(a + b) - a becomes b, x - x and x * 0 become 0, sqrt(x) * sqrt(x) becomes abs(x), x*y + x*z becomes x * (y + z).
They do so across names and variables, and across iterations of unrolled loops. An operand whose bits are or-ed with a
zero that is unknown to the compiler is opaque to it, which prevents that. Operands are hidden in this way only where
such an identity may apply. A sum of products without a common factor, such as `acc + a * b`, is unchanged.
"""

from __future__ import annotations

import dataclasses

from gpucore.plugin import ir
from gpucore.plugin.ir import (
    BOOL,
    COMPARISONS,
    F16,
    F32,
    F64,
    U32,
    U64,
    BinaryOp,
    MathOp,
    PrivateArray,
    VectorType,
    scalar_of,
    walk,
    with_scalar,
)
from gpucore_wgpu.value_numbers import CARRIED, CONSTANT, OPAQUE, PRODUCTS, SUMS, SymbolicValue, ValueNumbers

_LOGARITHMS = frozenset({MathOp.LOG, MathOp.LOG2})
_POWERS = frozenset({MathOp.SQRT, MathOp.RSQRT, MathOp.EXP, MathOp.EXP2, MathOp.POW})
_INVERSES = _LOGARITHMS | _POWERS
_ADDITIONS = frozenset({BinaryOp.ADD, BinaryOp.SUB})


def protect_arithmetic(module: ir.Module, zero: ir.Value, *, has_int64: bool) -> ir.Module:
    """`module` with operands hidden by `zero`, a u32, or itself if none needs it. f64 needs 64-bit integers."""
    hider = _OperandHider(module, zero, has_int64)
    body = hider.block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


def _opaque(expr: ir.Expr, opaque_zero: ir.Value, bit: int = 0) -> ir.Expr:
    """`expr` with its bits or-ed with the opaque zero, shifted to `bit`.

    Compilers know that only the lowest bit of the zero could be set, so an operand that is hidden twice needs two
    different bits. An f16 is converted to f32 and back, which keeps its value.
    """
    scalar = scalar_of(expr.type)
    if scalar == F16:
        return ir.Convert(_opaque(ir.Convert(expr, with_scalar(expr.type, F32)), opaque_zero, bit), expr.type)
    bits = with_scalar(expr.type, U64 if scalar == F64 else U32)
    shifted = ir.Binary(BinaryOp.SHL, opaque_zero, ir.Constant(bit, U32), U32)
    zero: ir.Expr = shifted if bit else opaque_zero
    if scalar == F64:
        zero = ir.Convert(zero, U64)
    if isinstance(bits, VectorType):
        zero = ir.Splat(zero, bits)
    return ir.Bitcast(ir.Binary(BinaryOp.BIT_OR, ir.Bitcast(expr, bits), zero, bits), expr.type)


class _OperandHider:
    """Rewrites one kernel, in program order."""

    def __init__(self, module: ir.Module, zero: ir.Value, has_int64: bool) -> None:
        self._zero = zero
        self._numbers = ValueNumbers()
        self._values: dict[int, int] = {}  # the numbers of values, by id
        self._contents: dict[object, int] = {}  # the numbers of the current contents of locals and memory places
        self._assigned = walk.assigned_locals(module.body)
        self._has_int64 = has_int64
        for param in module.params:
            self._leaf(param)  # so that it is older than every loop
        self._last = -1  # the number of the last visited expression

    def block(self, block: ir.Block) -> ir.Block:
        """The block, rewritten. Afterwards `_contents` is that at its end."""
        return walk.same_or(block, [self._statement(statement) for statement in block])

    def _nested(self, block: ir.Block) -> ir.Block:
        contents = dict(self._contents)
        result = self.block(block)
        self._contents = contents
        return result

    def _statement(self, statement: ir.Stmt) -> ir.Stmt:
        blocks = walk.blocks(statement)
        if isinstance(statement, ir.ForRange | ir.Loop):
            self._forget(blocks, CARRIED)  # earlier iterations have assigned them
        result = walk.map_statement(statement, self._expression, self._nested)
        if blocks:
            self._forget(blocks, OPAQUE)
        match statement:
            case ir.Let() | ir.Uniform():
                self._values[statement.value.id] = self._last
            case ir.Declare() if statement.init is not None:
                self._contents[statement.local.id] = self._last
            case ir.Assign():
                self._contents[statement.local.id] = self._last
            case ir.Load():
                self._values[statement.value.id] = self._number_load(statement.place)
            case ir.Store():
                self._record_store(statement.place)
        return result

    def _forget(self, blocks: tuple[ir.Block, ...], kind: str) -> None:
        """Before or after nested blocks: give the variables that they assign new numbers."""
        for block in blocks:
            for local in self._assigned[id(block)]:
                self._contents[local] = self._numbers.fresh(kind)
        for key in [key for key in self._contents if isinstance(key, tuple)]:
            if self._is_variable(key):
                self._contents[key] = self._numbers.fresh(kind)
            else:
                del self._contents[key]

    def _place_key(self, place: ir.Place) -> tuple[ir.Memory, int, tuple[int, ...]]:
        _, index = self._visit(place.index)
        return (place.memory, index, place.path)

    def _is_variable(self, key: tuple[object, ...]) -> bool:
        """Whether a place is an element of a private array at a constant index, which behaves like a local."""
        index = key[1]
        return isinstance(key[0], PrivateArray) and isinstance(index, int) and self._numbers.op(index) == CONSTANT

    def _number_load(self, place: ir.Place) -> int:
        """The number of a load. Two loads from one place get the same one: a driver may find that they are equal."""
        key = self._place_key(place)
        if key not in self._contents:
            if self._is_variable(key):
                self._contents[key] = self._numbers.fresh(CARRIED)
            else:
                self._contents[key] = self._numbers.number(SymbolicValue(OPAQUE, (key[1],), (place.memory, place.path)))
        return self._contents[key]

    def _record_store(self, place: ir.Place) -> None:
        stored, key = self._last, self._place_key(place)
        for other in [other for other in self._contents if isinstance(other, tuple) and other[0] == place.memory]:
            del self._contents[other]
        self._contents[key] = stored

    # ------------------------------------------------------------ expressions

    def _expression(self, expr: ir.Expr) -> ir.Expr:
        result, self._last = self._visit(expr)
        return result

    def _visit(self, expr: ir.Expr) -> tuple[ir.Expr, int]:
        old = walk.children(expr)
        if not old:
            if isinstance(expr, ir.Constant) and expr.value != expr.value and self._can_hide(expr.type):
                known = self._leaf(expr)  # NaN - NaN would be 0
                return _opaque(expr, self._zero, bit=1), self._numbers.number(SymbolicValue(OPAQUE, (known,)))
            return expr, self._leaf(expr)
        new, parts = [], []
        for child in old:  # a comprehension would cost a second frame per level
            kept, part = self._visit(child)
            new.append(kept)
            parts.append(part)
        if self._can_hide(old[0].type):
            for index in self._operands_to_hide(expr, tuple(parts)):
                new[index] = _opaque(new[index], self._zero)
                parts[index] = self._numbers.number(SymbolicValue(OPAQUE, (parts[index],)))
        if not all(a is b for a, b in zip(old, new, strict=True)):
            expr = walk.rebuild(expr, new)
        return expr, self._numbers.number_expression(expr, tuple(parts))

    def _can_hide(self, type: ir.Type) -> bool:
        scalar = scalar_of(type)
        if scalar == F64:
            return self._has_int64 and not isinstance(type, VectorType)
        return scalar in (F32, F16)

    def _leaf(self, expr: ir.Expr) -> int:
        numbers = self._numbers
        match expr:
            case ir.Value():
                return self._values.setdefault(expr.id, numbers.fresh(OPAQUE))
            case ir.Local():
                return self._contents.setdefault(expr.id, numbers.fresh(CARRIED))
            case ir.Constant():
                value: object = expr.value if expr.type != BOOL else bool(expr.value)
                if value != value:
                    value = "nan"  # which equals itself
                return numbers.number(SymbolicValue(CONSTANT, (), (str(expr.type), value)))
            case _:
                return numbers.number(SymbolicValue(OPAQUE, (), expr))

    def _operands_to_hide(self, expr: ir.Expr, parts: tuple[int, ...]) -> list[int]:
        """Indices of the operands to hide."""
        match expr:
            case ir.Binary():
                if expr.op in _ADDITIONS:
                    return self._in_sum(parts[0], parts[1])
                if expr.op is BinaryOp.DIV and len({self._numbers.without_sign(part) for part in parts}) == 1:
                    return [1]  # x / x is 1 except for zeros, infinities and NaN
                if expr.op in PRODUCTS:
                    return self._in_product(parts[0], parts[1])
                return self._in_comparison(parts) if expr.op in COMPARISONS else []
            case ir.Call(op=MathOp.FMA):
                zeros = [index for index in range(3) if self._numbers.is_zero(parts[index])]
                product = self._numbers.number(SymbolicValue(BinaryOp.MUL, parts[:2]))
                return sorted({*zeros, *([2] if self._in_sum(product, parts[2]) else [])})
            case ir.Call() if expr.op in _INVERSES:
                return [0] if self._undoes_inverse(parts[0]) else []
            case _:
                return []

    def _in_sum(self, left: int, right: int) -> list[int]:
        numbers = self._numbers
        zeros = [index for index, part in enumerate((left, right)) if numbers.is_zero(part)]
        if zeros:
            return zeros
        if numbers.without_sign(left) == numbers.without_sign(right):
            return [1]
        sums = [index for index, part in enumerate((left, right)) if numbers.op(part) in SUMS]
        if len(sums) == 2:
            return sums
        if not sums:
            return self._in_two_terms(left, right)
        rest = (right, left)[sums[0]]
        if numbers.op(rest) is not BinaryOp.MUL:
            return sums
        terms = numbers.terms((left, right)[sums[0]])
        factors = numbers.factors(rest)
        is_common = any(factors & numbers.factors(term) for term in terms)
        return sums if is_common or self._may_share_factor(terms, factors) else []

    def _in_two_terms(self, left: int, right: int) -> list[int]:
        numbers = self._numbers
        factors = (numbers.factors(left), numbers.factors(right))
        if factors[0] & factors[1]:
            return [1 if numbers.op(left) is BinaryOp.MUL and numbers.op(right) is not BinaryOp.MUL else 0]
        for index, part in enumerate((left, right)):
            if self._may_share_factor([part], factors[1 - index]):
                return [index]
        return []

    def _may_share_factor(self, terms: list[int], factors: set[int]) -> bool:
        """Whether a term is a loop variable and a factor is loop-invariant: unrolled, they may have a common factor."""
        numbers = self._numbers
        carried = [numbers.without_sign(term) for term in terms if numbers.op(term) == CARRIED]
        return any(numbers.is_older(factor, variable) for variable in carried for factor in factors)

    def _in_product(self, left: int, right: int) -> list[int]:
        numbers = self._numbers
        both, operations = (left, right), (numbers.op(left), numbers.op(right))
        found = {index for index in (0, 1) if numbers.is_zero(both[index]) or operations[index] in PRODUCTS}
        for index in (0, 1):
            other = 1 - index
            if operations[other] == CONSTANT and operations[index] in SUMS | {CARRIED}:
                found.add(index)
            if operations[index] in _POWERS:
                inner = numbers.operands(both[index])
                if operations[other] in _POWERS or numbers.without_sign(both[other]) in map(
                    numbers.without_sign, inner
                ):
                    found.add(index)
        return sorted(found)

    def _in_comparison(self, parts: tuple[int, ...]) -> list[int]:
        numbers = self._numbers
        for index, part in enumerate(parts):
            other = parts[1 - index]
            if numbers.op(part) in SUMS:
                terms = numbers.terms(part)
                constants = numbers.op(other) == CONSTANT and any(numbers.op(t) == CONSTANT for t in terms)
                if constants or set(terms) & set(numbers.terms(other)):
                    return [index]
        return []

    def _undoes_inverse(self, operand: int) -> bool:
        """Whether the operand of a power or logarithm is another of these, or a product with one."""
        numbers = self._numbers
        if numbers.op(operand) in PRODUCTS:
            return any(numbers.op(part) in _INVERSES for part in numbers.operands(operand))
        return numbers.op(operand) in _INVERSES


__all__ = ["protect_arithmetic"]
