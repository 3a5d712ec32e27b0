"""Translates integer expressions to polynomials, and conditions to the facts that they imply.

Arithmetic wraps, so an expression has two translations. Its *term* is equal to its value: the polynomial as written if
it is proven to be in the range of the type, else an unknown. Its *residue* is the polynomial as written, congruent to
the value modulo 2**32. That suffices for an index: if the residue is proven to be in range, it is equal to the index.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from gpucore.immutable import Immutable
from gpucore.ir import (
    BOOL,
    DIVISIONS,
    FLOORING,
    QUOTIENTS,
    REMAINDERS,
    Binary,
    BinaryOp,
    Bitcast,
    Builtin,
    BuiltinKind,
    Call,
    Constant,
    Convert,
    Expr,
    GridOrigin,
    Local,
    MathOp,
    Module,
    Param,
    ScalarType,
    Select,
    ShapeOrigin,
    Type,
    Unary,
    UnaryOp,
    Value,
    scalar_of,
)
from gpucore.ir.ranges import MAX_INDEX, Interval, function_interval, operator_interval, type_interval
from gpucore.passes.index_bounds.polynomials import ONE, ZERO, Polynomial, number, unknown
from gpucore.passes.index_bounds.prover import Facts, is_simple

_MAX_DEPTH = 40  # of an expression that is analysed
_ANY = Interval(-(2**63), 2**64 - 1)
_RING = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL)
_FLIPPED = {BinaryOp.GT: BinaryOp.LT, BinaryOp.GE: BinaryOp.LE}


@dataclass(eq=False, slots=True)
class Condition:
    """What a bool implies: the polynomials that are at least 0 if it is true, and those if it is false."""

    if_true: tuple[Polynomial, ...] = ()
    if_false: tuple[Polynomial, ...] = ()
    opposite: Condition | None = None

    def negated(self) -> Condition:
        if self.opposite is None:
            self.opposite = Condition(self.if_false, self.if_true, self)
        return self.opposite


NEVER = number(-1)
ALWAYS_TRUE, ALWAYS_FALSE = Condition((), (NEVER,)), Condition((NEVER,), ())


class Choice(Immutable):
    """A select: its condition, and the value of each side where it is selected."""

    condition: Condition
    if_true: Polynomial
    if_false: Polynomial
    interval: Interval  # of the result
    learnt: tuple[Polynomial, ...]  # facts that hold if the condition is false


@dataclass(slots=True)
class State:
    """The current values of variables, and the terms of expressions that were translated since one was assigned."""

    terms: dict[int, Polynomial] = field(default_factory=dict)
    conditions: dict[int, Condition] = field(default_factory=dict)
    translated: dict[int, tuple[Expr, int, Polynomial]] = field(default_factory=dict)  # by id, with Facts.version

    def copy(self) -> State:
        return State(dict(self.terms), dict(self.conditions))


class Terms:
    """Translates expressions at the point of the kernel that `facts` and `state` describe."""

    def __init__(self, module: Module, facts: Facts) -> None:
        self._module, self.facts = module, facts
        self.state = State()
        self._values: dict[int, Polynomial] = {}
        self._params: dict[int, Polynomial] = {}
        self._residues: dict[int, Polynomial] = {}
        self._conditions: dict[int, Condition] = {}
        self._choices: dict[int, Choice] = {}
        self.remainders: dict[int, Polynomial] = {}  # for unknowns that are remainders: the divisor

    # ------------------------------------------------------------ names

    def bind(self, value: Value, expr: Expr) -> None:
        """The value is the current value of the expression."""
        if value.type == BOOL:
            self._conditions[value.id] = self.condition(expr)
        elif _is_integer(value):
            self._values[value.id] = self.term(expr)
            self._residues[value.id] = self.residue(expr)
            if isinstance(expr, Select) and (made := self.choice(expr)) is not None:
                self._choices[value.id] = made

    def set(self, value: Value, term: Polynomial) -> None:
        self._values[value.id] = self._residues[value.id] = term

    def assign(self, local: Local, expr: Expr) -> None:
        """The variable holds the value of the expression from now on."""
        if local.type == BOOL:
            self.state.conditions[local.id] = self.condition(expr)
        elif _is_integer(local):
            self.state.terms[local.id] = self.term(expr)
        self.state.translated.clear()

    def forget(self, local: int) -> None:
        """The variable becomes unknown."""
        self.state.terms.pop(local, None)
        self.state.conditions.pop(local, None)
        self.state.translated.clear()

    def shape(self, buffer: str, axis: int) -> Polynomial:
        """The length of an argument along an axis."""
        return unknown(self.facts.host_unknown(ShapeOrigin(buffer, axis), Interval(0, MAX_INDEX)))

    # ------------------------------------------------------------ terms

    def term(self, expr: Expr, depth: int = _MAX_DEPTH) -> Polynomial:
        """A polynomial equal to the value of an integer expression."""
        match expr:
            case Constant():
                return number(int(expr.value))
            case Value():
                return self._values.get(expr.id) or self.opaque(expr)
            case Local():
                found = self.state.terms.get(expr.id)
                if found is None:
                    found = self.state.terms[expr.id] = unknown(self.facts.fresh(type_interval(expr.type)))
                return found
            case Param():
                return self._param(expr)
            case Builtin():
                return self._builtin(expr)
        if depth == 0 or not _is_integer(expr):
            return unknown(self.facts.fresh(type_interval(expr.type)))
        known = self.state.translated.get(id(expr))
        if known is not None and known[1] == self.facts.version:
            return known[2]
        found = self._translate(expr, depth)
        self.state.translated[id(expr)] = expr, self.facts.version, found
        return found

    def _translate(self, expr: Expr, depth: int) -> Polynomial:
        """The term of an operation on integers."""
        match expr:
            case Binary() | Unary() if (sum := self._sum(expr, depth)) is not None:
                return self.wrapped(sum, scalar_of(expr.type))
            case Convert() | Bitcast() if _is_integer(expr.operand):
                return self.wrapped(self._before_wrapping(expr, depth), scalar_of(expr.type))
            case Binary():
                return self._division(expr, depth)
            case Call(op=MathOp.MIN | MathOp.MAX | MathOp.CLAMP):
                return self._min_or_max(expr, depth)
            case Call() if all(map(_is_integer, expr.args)):
                return self._call(expr, depth)
            case Select() if (choice := self.choice(expr, depth)) is not None:
                return self._chosen(choice, expr)
            case Convert() if expr.operand.type == BOOL:
                return unknown(self.facts.fresh(Interval(0, 1)))
            case _:
                return unknown(self.facts.fresh(type_interval(expr.type)))

    def _before_wrapping(self, expr: Convert | Bitcast, depth: int) -> Polynomial:
        """The operand of a conversion: a 32-bit sum before wrapping, if the result has 32 bits again."""
        inner = expr.operand
        if isinstance(inner, (Binary, Unary)) and scalar_of(inner.type).bits == scalar_of(expr.type).bits == 32:
            sum = self._sum(inner, depth - 1)
            if sum is not None:
                return sum
        return self.term(inner, depth - 1)

    def wrapped(self, sum: Polynomial, type: ScalarType) -> Polynomial:
        """The sum after wrapping: itself if it is proven to be in range, else an unknown, the same for the same sum."""
        full = type_interval(type)
        facts = self.facts
        if facts.proves_within(sum, full):
            return sum
        return unknown(facts.unknown(_wrapped_key(sum, type), full))

    def find_wrapped(self, sum: Polynomial, type: ScalarType) -> Polynomial | None:
        """The unknown that stands for a sum after wrapping, if there is one."""
        found = self.facts.find(_wrapped_key(sum, type))
        return None if found is None else unknown(found)

    def choice(self, expr: Expr, depth: int = _MAX_DEPTH) -> Choice | None:
        """The choice of a select, or of a value bound to one."""
        if isinstance(expr, Value):
            return self._choices.get(expr.id)
        if not isinstance(expr, Select) or depth == 0 or not _is_integer(expr):
            return None
        condition = self.condition(expr.condition, depth - 1)
        sides, intervals = [], []
        learnt: tuple[Polynomial, ...] = ()
        for facts, side in ((condition.if_true, expr.if_true), (condition.if_false, expr.if_false)):
            mark, before = self.facts.mark(), len(self.facts.learnt)
            self.learn(facts)
            sides.append(self.term(side, depth - 1))
            if not self.facts.is_impossible:
                intervals.append(self.facts.interval(sides[-1]))
            learnt = tuple(self.facts.learnt[before:])
            self.facts.forget(mark)
        both = intervals[0] | intervals[-1] if intervals else type_interval(expr.type)
        return Choice(condition, sides[0], sides[1], both, learnt)

    def learn(self, facts: tuple[Polynomial, ...]) -> None:
        """Add facts that hold until the end of the scope."""
        for fact in facts:
            self.facts.learn(fact)

    def opaque(self, value: Value) -> Polynomial:
        """An unknown with the interval of its type, for a value."""
        return unknown(self.facts.unknown(("value", value.id), type_interval(value.type)))

    def _param(self, param: Param) -> Polynomial:
        found = self._params.get(param.index)
        if found is None:
            found = self._params[param.index] = self._origin(param)
        return found

    def _origin(self, param: Param) -> Polynomial:
        origin = self._module.origins[param.index]
        if isinstance(origin, ShapeOrigin):
            return self.shape(origin.name, origin.axis)
        if isinstance(origin, GridOrigin):
            return self._extent(origin.what)
        return unknown(self.facts.host_unknown(origin, type_interval(param.type)))

    def _extent(self, what: str) -> Polynomial:
        """The number of workgroups along an axis of the requested grid."""
        size = 1 if what == "columns" else self._module.workgroup_size["xyz".index(what)]
        return unknown(self.facts.host_unknown(GridOrigin(what), Interval(1, (MAX_INDEX + 1) // size)))

    def _builtin(self, builtin: Builtin) -> Polynomial:
        size = self._module.workgroup_size[builtin.axis]
        is_folded = any(isinstance(origin, GridOrigin) for origin in self._module.origins)
        most = (MAX_INDEX + 1) // size
        if builtin.kind is BuiltinKind.LOCAL_ID:
            return unknown(self.facts.unknown(builtin, Interval(0, size - 1)))
        if builtin.kind is BuiltinKind.NUM_WORKGROUPS and not is_folded:
            return self._extent("xyz"[builtin.axis])
        if builtin.kind is BuiltinKind.WORKGROUP_ID and not is_folded:
            is_new = self.facts.find(builtin) is None
            found = unknown(self.facts.unknown(builtin, Interval(0, most - 1)))
            if is_new:
                self.facts.add_global(self._extent("xyz"[builtin.axis]) - found - ONE)
            return found
        return unknown(self.facts.unknown(builtin, Interval(0, MAX_INDEX)))

    # ------------------------------------------------------------ operators

    def _sum(self, expr: Binary | Unary, depth: int) -> Polynomial | None:
        """Sums and products before they wrap."""
        if isinstance(expr, Unary):
            operand = self.term(expr.operand, depth - 1)
            if expr.op is UnaryOp.NEG:
                return ZERO - operand
            return ZERO - operand - ONE if expr.op is UnaryOp.INVERT and scalar_of(expr.type).is_signed else None
        if expr.op in _RING:
            left, right = self.term(expr.left, depth - 1), self.term(expr.right, depth - 1)
            return _combined(expr.op, left, right)
        if expr.op is BinaryOp.SHL and isinstance(expr.right, Constant):
            count = int(expr.right.value) % scalar_of(expr.type).bits
            return self.term(expr.left, depth - 1).scaled(1 << count)
        return None

    def _division(self, expr: Binary, depth: int) -> Polynomial:
        """Divisions, remainders, right shifts and masks as quotients; of other operators only the interval."""
        left, right = self.term(expr.left, depth - 1), self.term(expr.right, depth - 1)
        op, facts = expr.op, self.facts
        if op is BinaryOp.BIT_AND and left.is_constant:
            left, right = right, left
        is_positive = facts.interval(left).lo >= 0
        if op is BinaryOp.SHR and isinstance(expr.right, Constant):
            return self._quotient(left, number(1 << (int(expr.right.value) % scalar_of(expr.type).bits)))
        if op is BinaryOp.BIT_AND and right.is_constant and _is_mask(right.constant):
            divisor = number(right.constant + 1)
            return left - self._quotient(left, divisor) * divisor
        if op in DIVISIONS and (op in FLOORING or is_positive) and facts.proves(right - ONE):
            quotient = self._quotient(left, right)
            return quotient if op in QUOTIENTS else left - quotient * right
        type = scalar_of(expr.type)
        exact = operator_interval(op, facts.interval(left), facts.interval(right), type)
        made = self._interval_only((op, left, right, type), type, exact)
        if op is BinaryOp.BIT_AND:
            self.learn(tuple(side - made for side in (left, right) if facts.interval(side).lo >= 0))
        elif op in REMAINDERS and (name := made.unknown) is not None:
            self.remainders[name] = right
            if is_positive:
                facts.learn(left - made)
        return made

    def _quotient(self, left: Polynomial, divisor: Polynomial) -> Polynomial:
        """The floor of the quotient, for a divisor that is at least 1."""
        bounds = self.facts.interval(left)
        least = max(1, self.facts.interval(divisor).lo)
        name = self.facts.unknown(("quotient", left, divisor), _ANY)
        quotient = unknown(name)
        low = bounds.lo // least if bounds.lo < 0 else 0
        self.facts.narrow(name, low, bounds.hi // least if bounds.hi >= 0 else -1)
        rest = left - quotient * divisor
        self.facts.learn(rest)
        self.facts.learn(divisor - ONE - rest)
        return quotient

    def _interval_only(self, key: Hashable, type: Type, exact: Interval) -> Polynomial:
        """An unknown for a result whose interval before wrapping is known; the same one for the same key."""
        full = type_interval(type)
        name = self.facts.unknown(key, full)
        if exact.is_within(full):
            self.facts.narrow(name, exact.lo, exact.hi)
        return unknown(name)

    def _min_or_max(self, expr: Call, depth: int) -> Polynomial:
        """min, max and clamp: an unknown that is equal to one of the operands and bounded by both."""
        if expr.op is MathOp.CLAMP:
            value, low, high = expr.args
            inner = Call(MathOp.MAX, (value, low), expr.type)
            return self._min_or_max(Call(MathOp.MIN, (inner, high), expr.type), depth)
        first, second = (self.term(arg, depth - 1) for arg in expr.args)
        is_least = expr.op is MathOp.MIN
        a, b = self.facts.interval(first), self.facts.interval(second)
        pick = min if is_least else max
        name = self.facts.unknown((expr.op, first, second), type_interval(expr.type))
        self.facts.narrow(name, pick(a.lo, b.lo), pick(a.hi, b.hi))
        for side in (first, second):
            self.facts.learn(side - unknown(name) if is_least else unknown(name) - side)
        self.facts.set_alternatives(name, (first, second))
        return unknown(name)

    def _chosen(self, choice: Choice, expr: Select) -> Polynomial:
        """The result of a select: the side that is always selected, or an unknown that is equal to one of them."""
        for facts, other in ((choice.condition.if_true, choice.if_false), (choice.condition.if_false, choice.if_true)):
            if any(self.facts.interval(fact).hi < 0 for fact in facts):  # that side is never selected
                return other
        name = self.facts.fresh(type_interval(expr.type))
        self.facts.narrow(name, choice.interval.lo, choice.interval.hi)
        self.facts.set_alternatives(name, (choice.if_true, choice.if_false))
        return unknown(name)

    def _call(self, expr: Call, depth: int) -> Polynomial:
        """A function of integers, of which only the interval is known."""
        args = tuple(self.term(arg, depth - 1) for arg in expr.args)
        type = scalar_of(expr.args[0].type)
        found = function_interval(expr.op, tuple(map(self.facts.interval, args)), type)
        return self._interval_only((expr.op, *args, type), expr.type, found)

    # ------------------------------------------------------------ residues

    def residue(self, expr: Expr, depth: int = _MAX_DEPTH) -> Polynomial:
        """A polynomial congruent to the value modulo 2**32, for an integer expression of 32 bits or more."""
        match expr:
            case Value():
                return self._residues.get(expr.id) or self.term(expr)
            case Binary() if depth and expr.op in _RING:
                left, right = self.residue(expr.left, depth - 1), self.residue(expr.right, depth - 1)
                made = _combined(expr.op, left, right).modulo_word()
                return made if is_simple(made) else self.term(expr)
            case Convert() | Bitcast() if depth and _is_integer(expr.operand) and _is_wide(expr.operand):
                return self.residue(expr.operand, depth - 1)
            case _:
                return self.term(expr, depth)

    def shallow_residue(self, expr: Expr) -> Polynomial | None:
        """The residue of the outermost operation on the terms of its operands; None for other expressions."""
        while isinstance(expr, (Convert, Bitcast)) and _is_integer(expr.operand) and _is_wide(expr.operand):
            expr = expr.operand
        return self._sum(expr, _MAX_DEPTH) if isinstance(expr, (Binary, Unary)) else None

    # ------------------------------------------------------------ conditions

    def condition(self, expr: Expr, depth: int = _MAX_DEPTH) -> Condition:
        """What a bool expression implies."""
        match expr:
            case Constant():
                return ALWAYS_TRUE if expr.value else ALWAYS_FALSE
            case Value():
                return self._conditions.setdefault(expr.id, Condition())
            case Local():
                return self.state.conditions.setdefault(expr.id, Condition())
            case _ if depth == 0:
                return Condition()
            case Unary(op=UnaryOp.NOT):
                return self.condition(expr.operand, depth - 1).negated()
            case Binary(op=BinaryOp.AND | BinaryOp.BIT_AND):
                left, right = self.condition(expr.left, depth - 1), self.condition(expr.right, depth - 1)
                return Condition(left.if_true + right.if_true)
            case Binary(op=BinaryOp.OR | BinaryOp.BIT_OR):
                left, right = self.condition(expr.left, depth - 1), self.condition(expr.right, depth - 1)
                return Condition((), left.if_false + right.if_false)
            case Binary() if _is_integer(expr.left):
                return self._comparison(expr, depth)
            case _:
                return Condition()

    def _comparison(self, expr: Binary, depth: int) -> Condition:
        left, right, op = self.term(expr.left, depth - 1), self.term(expr.right, depth - 1), expr.op
        if op in _FLIPPED:
            left, right, op = right, left, _FLIPPED[op]
        difference = right - left
        match op:
            case BinaryOp.LT:
                return Condition((difference - ONE,), (ZERO - difference,))
            case BinaryOp.LE:
                return Condition((difference,), (ZERO - difference - ONE,))
            case BinaryOp.EQ | BinaryOp.NE:
                same = (difference, ZERO - difference)
                other: tuple[Polynomial, ...] = ()
                if self.facts.interval(difference).lo >= 0:
                    other = (difference - ONE,)
                elif self.facts.interval(difference).hi <= 0:
                    other = (ZERO - difference - ONE,)
                return Condition(same, other) if op is BinaryOp.EQ else Condition(other, same)
            case _:
                return Condition()


def _wrapped_key(sum: Polynomial, type: ScalarType) -> Hashable:
    return ("wrapped", type.name, sum.modulo_word() if type.bits == 32 else sum)


def _combined(op: BinaryOp, left: Polynomial, right: Polynomial) -> Polynomial:
    if op is BinaryOp.ADD:
        return left + right
    return left - right if op is BinaryOp.SUB else left * right


def _is_mask(value: int) -> bool:
    return value >= 0 and value & (value + 1) == 0


def _is_integer(expr: Expr) -> bool:
    return isinstance(expr.type, ScalarType) and expr.type.is_integer


def _is_wide(expr: Expr) -> bool:
    return scalar_of(expr.type).bits >= 32


__all__ = ["ALWAYS_FALSE", "ALWAYS_TRUE", "Choice", "Condition", "State", "Terms"]
