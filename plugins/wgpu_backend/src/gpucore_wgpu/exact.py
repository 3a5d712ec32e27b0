"""Prevents drivers from rewriting float arithmetic.

naga does not mark float operations as exact, so drivers (Mesa's, NVIDIA's) apply the laws of real numbers to them:
(a + b) - a becomes b, x - x and x * 0 become 0, sqrt(x) * sqrt(x) becomes abs(x), x*y + x*z becomes x * (y + z).
They do so across names and variables, and across iterations of unrolled loops. Or-ing the bits of an operand with a
zero that is unknown to the compiler prevents that. It is done only where such a law may apply: a sum that continues
with products of other factors, such as an accumulation, is not changed.
"""

from __future__ import annotations

import dataclasses

from gpucore import ir
from gpucore.ir import (
    BOOL,
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
)  # fmt: skip
from gpucore.ir.ops import COMPARISONS
from gpucore_wgpu.forms import CARRIED, CONSTANT, OPAQUE, PRODUCTS, SUMS, Form, Forms

_LOGARITHMS = frozenset({MathOp.LOG, MathOp.LOG2})
_POWERS = frozenset({MathOp.SQRT, MathOp.RSQRT, MathOp.EXP, MathOp.EXP2, MathOp.POW})
_INVERSES = _LOGARITHMS | _POWERS
_ADDITIONS = frozenset({BinaryOp.ADD, BinaryOp.SUB})


def keep_arithmetic(module: ir.Module, zero: ir.Value, *, has_int64: bool) -> ir.Module:
    """`module` with operands hidden by `zero`, a u32, or itself if none needs it. f64 needs 64-bit integers."""
    keeper = _Keeper(module, zero, has_int64)
    body = keeper.block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


def _opaque(expr: ir.Expr, opaque_zero: ir.Value, bit: int = 0) -> ir.Expr:
    """`expr` by its bits, or-ed with those of the opaque zero. Compilers know that only its lowest bit could be set.

    An operand or-ed with the zero in one `bit` must be hidden again with another one. An f16 goes through f32, which
    keeps its value.
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


class _Keeper:
    """Rewrites one kernel, in program order."""

    def __init__(self, module: ir.Module, zero: ir.Value, has_int64: bool) -> None:
        self._zero = zero
        self._forms = Forms()
        self._values: dict[int, int] = {}  # the forms of values, by id
        self._held: dict[object, int] = {}  # the current forms of locals and memory places
        self._assigned = walk.assigned_locals(module.body)
        self._has_int64 = has_int64
        for param in module.params:
            self._leaf(param)  # so that it is older than every loop
        self._last = -1  # the form of the last visited expression

    def block(self, block: ir.Block) -> ir.Block:
        """The block, rewritten; the forms of variables at its end are kept."""
        return walk.same_or(block, [self._statement(statement) for statement in block])

    def _nested(self, block: ir.Block) -> ir.Block:
        held = dict(self._held)
        result = self.block(block)
        self._held = held
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
                self._held[statement.local.id] = self._last
            case ir.Assign():
                self._held[statement.local.id] = self._last
            case ir.Load():
                self._values[statement.value.id] = self._loaded(statement.place)
            case ir.Store():
                self._store(statement.place)
        return result

    def _forget(self, blocks: tuple[ir.Block, ...], kind: str) -> None:
        """Before or after nested blocks: the variables that they assign become unknown."""
        for block in blocks:
            for local in self._assigned[id(block)]:
                self._held[local] = self._forms.fresh(kind)
        for key in [key for key in self._held if isinstance(key, tuple)]:
            if self._is_variable(key):
                self._held[key] = self._forms.fresh(kind)
            else:
                del self._held[key]

    def _key(self, place: ir.Place) -> tuple[ir.Memory, int, tuple[int, ...]]:
        _, index = self._visit(place.index)
        return (place.memory, index, place.path)

    def _is_variable(self, key: tuple[object, ...]) -> bool:
        """Whether a place is an element of a private array at a constant index, which behaves like a local."""
        index = key[1]
        return isinstance(key[0], PrivateArray) and isinstance(index, int) and self._forms.operation(index) == CONSTANT

    def _loaded(self, place: ir.Place) -> int:
        """Two loads from one place are treated as equal: a driver may find that they are."""
        key = self._key(place)
        if key not in self._held:
            if self._is_variable(key):
                self._held[key] = self._forms.fresh(CARRIED)
            else:
                self._held[key] = self._forms.number(Form(OPAQUE, (key[1],), (place.memory, place.path)))
        return self._held[key]

    def _store(self, place: ir.Place) -> None:
        stored, key = self._last, self._key(place)
        for other in [other for other in self._held if isinstance(other, tuple) and other[0] == place.memory]:
            del self._held[other]
        self._held[key] = stored

    # ------------------------------------------------------------ expressions

    def _expression(self, expr: ir.Expr) -> ir.Expr:
        result, self._last = self._visit(expr)
        return result

    def _visit(self, expr: ir.Expr) -> tuple[ir.Expr, int]:
        old = walk.children(expr)
        if not old:
            if isinstance(expr, ir.Constant) and expr.value != expr.value and self._may_hide(expr.type):
                known = self._leaf(expr)  # NaN - NaN would be 0
                return _opaque(expr, self._zero, bit=1), self._forms.number(Form("opaque", (known,)))
            return expr, self._leaf(expr)
        new, parts = [], []
        for child in old:  # a comprehension would cost a second frame per level
            kept, part = self._visit(child)
            new.append(kept)
            parts.append(part)
        if self._may_hide(old[0].type):
            for index in self._dangers(expr, tuple(parts)):
                new[index] = _opaque(new[index], self._zero)
                parts[index] = self._forms.number(Form("opaque", (parts[index],)))
        if not all(a is b for a, b in zip(old, new, strict=True)):
            expr = walk.rebuild(expr, new)
        return expr, self._forms.of(expr, tuple(parts))

    def _may_hide(self, type: ir.Type) -> bool:
        scalar = scalar_of(type)
        if scalar == F64:
            return self._has_int64 and not isinstance(type, VectorType)
        return scalar in (F32, F16)

    def _leaf(self, expr: ir.Expr) -> int:
        forms = self._forms
        match expr:
            case ir.Value():
                return self._values.setdefault(expr.id, forms.fresh(OPAQUE))
            case ir.Local():
                return self._held.setdefault(expr.id, forms.fresh(CARRIED))
            case ir.Constant():
                value: object = expr.value if expr.type != BOOL else bool(expr.value)
                if value != value:
                    value = "nan"  # which equals itself
                return forms.number(Form(CONSTANT, (), (str(expr.type), value)))
            case _:
                return forms.number(Form(OPAQUE, (), expr))

    def _dangers(self, expr: ir.Expr, parts: tuple[int, ...]) -> list[int]:
        """The operands that must be hidden."""
        match expr:
            case ir.Binary():
                if expr.op in _ADDITIONS:
                    return self._of_sum(parts[0], parts[1])
                if expr.op is BinaryOp.DIV and self._forms.positive(parts[0]) == self._forms.positive(parts[1]):
                    return [1]  # x / x is 1 except for zeros, infinities and NaN
                if expr.op in PRODUCTS:
                    return self._of_product(parts[0], parts[1])
                return self._of_comparison(parts) if expr.op in COMPARISONS else []
            case ir.Call(op=MathOp.FMA):
                zeros = [index for index in range(3) if self._forms.is_zero(parts[index])]
                product = self._forms.number(Form(BinaryOp.MUL, parts[:2]))
                return sorted({*zeros, *([2] if self._of_sum(product, parts[2]) else [])})
            case ir.Call() if expr.op in _INVERSES:
                return [0] if self._is_inverted(parts[0]) else []
            case _:
                return []

    def _of_sum(self, left: int, right: int) -> list[int]:
        forms = self._forms
        zeros = [index for index, part in enumerate((left, right)) if forms.is_zero(part)]
        if zeros:
            return zeros
        if forms.positive(left) == forms.positive(right):
            return [1]
        sums = [index for index, part in enumerate((left, right)) if forms.operation(part) in SUMS]
        if len(sums) == 2:
            return sums
        if not sums:
            return self._of_two_terms(left, right)
        rest = (right, left)[sums[0]]
        if forms.operation(rest) is not BinaryOp.MUL:
            return sums
        terms = forms.terms((left, right)[sums[0]])
        factors = forms.factors(rest)
        return sums if any(factors & forms.factors(term) for term in terms) else self._carries(terms, factors, sums)

    def _of_two_terms(self, left: int, right: int) -> list[int]:
        forms = self._forms
        factors = (forms.factors(left), forms.factors(right))
        if factors[0] & factors[1]:
            return [1 if forms.operation(left) is BinaryOp.MUL and forms.operation(right) is not BinaryOp.MUL else 0]
        for index, part in enumerate((left, right)):
            if carried := self._carries([part], factors[1 - index], [index]):
                return carried
        return []

    def _carries(self, terms: list[int], factors: set[int], found: list[int]) -> list[int]:
        """`found` if a loop variable is combined with a loop invariant: once unrolled, that is a common factor."""
        for term in terms:
            if self._forms.operation(term) == CARRIED:
                carried = self._forms.positive(term)
                for factor in factors:
                    if self._forms.is_older(factor, carried):
                        return found
        return []

    def _of_product(self, left: int, right: int) -> list[int]:
        forms = self._forms
        both, operations = (left, right), (forms.operation(left), forms.operation(right))
        found = {index for index in (0, 1) if forms.is_zero(both[index]) or operations[index] in PRODUCTS}
        for index in (0, 1):
            other = 1 - index
            if operations[other] == CONSTANT and operations[index] in SUMS | {CARRIED}:
                found.add(index)
            if operations[index] in _POWERS:
                inner = forms.parts(both[index])
                if operations[other] in _POWERS or forms.positive(both[other]) in map(forms.positive, inner):
                    found.add(index)
        return sorted(found)

    def _of_comparison(self, parts: tuple[int, ...]) -> list[int]:
        forms = self._forms
        for index, part in enumerate(parts):
            other = parts[1 - index]
            if forms.operation(part) in SUMS:
                terms = forms.terms(part)
                constants = forms.operation(other) == CONSTANT and any(forms.operation(t) == CONSTANT for t in terms)
                if constants or set(terms) & set(forms.terms(other)):
                    return [index]
        return []

    def _is_inverted(self, operand: int) -> bool:
        forms = self._forms
        if forms.operation(operand) in PRODUCTS:
            return any(forms.operation(part) in _INVERSES for part in forms.parts(operand))
        return forms.operation(operand) in _INVERSES


__all__ = ["keep_arithmetic"]
