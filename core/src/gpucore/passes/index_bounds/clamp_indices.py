"""clamp indices: keeps every index in range, whatever the kernel computes; for memory that belongs to the process.

An index that is not proven to be in range becomes `min(u32(index), last)`: a negative one is a large u32. The proofs
use what dominates an access: conditions, loop bounds, and the computed values, as polynomials.

Often all that is missing is a relation between the arguments of a call: a kernel tests an index against one array's
length and uses it for another array too. With `assume`, such an access is left unclamped, and the module lists in
`assumptions` what must be true of a dispatch. For other dispatches the kernel is clamped without assumptions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import cast

from gpucore.immutable import Immutable
from gpucore.ir import (
    I32,
    U32,
    Assign,
    Assumption,
    Atomic,
    Block,
    Bounds,
    Break,
    Buffer,
    Call,
    Constant,
    Continue,
    Convert,
    Declare,
    Expr,
    ForRange,
    If,
    LastIndexOrigin,
    Let,
    Load,
    Local,
    Loop,
    MathOp,
    Memory,
    Module,
    Origin,
    Param,
    Place,
    Stmt,
    Store,
    Uniform,
    scalar_of,
    walk,
)
from gpucore.ir.ranges import Interval, of_type
from gpucore.passes.index_bounds.polynomials import ONE, Polynomial, number, unknown
from gpucore.passes.index_bounds.prover import Facts
from gpucore.passes.index_bounds.terms import ALWAYS_FALSE, ALWAYS_TRUE, Condition, State, Terms

_MAX_ASSUMPTIONS = 16
_MAX_TRIAL_STATEMENTS = 20_000  # statements walked to find loop invariants


def insert_clamps(module: Module, *, assume: bool = True) -> Module:
    """The module with every index in range; itself if all are proven or the user guarantees it. `assume` as above."""
    if module.unchecked:
        return module
    clamper = _Clamper(module, assume)
    body = walk.same_or(module.body, clamper.statements(module.body))
    if body is module.body and not clamper.assumptions:
        return module
    return dataclasses.replace(
        module,
        body=body,
        params=(*module.params, *clamper.params),
        origins=(*module.origins, *map(LastIndexOrigin, clamper.last)),
        assumptions=tuple(map(clamper.assumption, clamper.assumptions)),
    )


class _Kept(Immutable):
    """A candidate for a loop invariant: `sign` * (the variable - `bound`) >= 0 at the start of every iteration."""

    local: int
    bound: Polynomial
    sign: int

    def goal(self, term: Polynomial) -> Polynomial:
        """The polynomial that is at least 0 if the invariant holds with `term` as the variable."""
        return (term - self.bound).scaled(self.sign)


@dataclass(slots=True)
class _InvariantTrial:
    """A walk of a loop's body that checks which invariants hold at the end of an iteration."""

    kept: list[_Kept]
    broken: set[_Kept] = field(default_factory=set)


class _Clamper:
    def __init__(self, module: Module, assume: bool) -> None:
        self._module, self._assume = module, assume
        self._facts = Facts()
        self._terms = Terms(module, self._facts)
        self._assigned = walk.assigned_locals(module.body)
        self._locals: dict[int, Local] = {}
        self._lengths: dict[str, Polynomial] = {}
        self._loops: list[_InvariantTrial] = []
        self._trials_open = 0
        self._trial_statements = 0
        self.last: dict[str, Param] = {}
        self.assumptions: dict[Polynomial, None] = {}
        for buffer in module.buffers:
            if buffer.rank > 1:
                self._facts.always(number(2**31 - 1) - self._length(buffer))

    @property
    def params(self) -> tuple[Param, ...]:
        return tuple(self.last.values())

    def assumption(self, sum: Polynomial) -> Assumption:
        """The assumption that a sum of quantities known to the host is at least 0."""
        return Assumption(
            tuple(
                (coefficient, tuple(cast(Origin, self._facts.key_of(name)) for name in monomial))
                for monomial, coefficient in sorted(sum.terms.items())
            )
        )

    # ------------------------------------------------------------ statements

    def statements(self, block: Block) -> list[Stmt]:
        """The statements of a block. Facts learnt in it stay known until the caller drops them."""
        out: list[Stmt] = []
        is_guarded = False
        for statement in block:
            self._trial_statements += self._trials_open > 0
            match statement:
                case Let() | Uniform():
                    self._terms.bind(statement.value, statement.expr)
                case Load() | Store() | Atomic() if not is_guarded:
                    statement = self._clamped(statement)
                case Declare():
                    self._locals[statement.local.id] = statement.local
                    self._terms.forget(statement.local.id)
                    if statement.init is not None:
                        self._terms.assign(statement.local, statement.init)
                case Assign():
                    self._terms.assign(statement.local, statement.expr)
                case If():
                    statement = self._if(statement)
                case ForRange() | Loop():
                    statement = self._loop(statement)
                case Continue() if self._loops:
                    self._check(self._loops[-1])
                case _:
                    pass
            is_guarded = isinstance(statement, Bounds)
            out.append(statement)
        return out

    def _nested(self, block: Block, facts: tuple[Polynomial, ...]) -> tuple[Block, _After]:
        """A branch, with the values of its variables at its end."""
        mark = self._facts.mark()
        self._terms.learn(facts)
        made = walk.same_or(block, self.statements(block))
        state = self._terms.state
        intervals = {}
        for local in self._assigned[id(block)]:
            if local in state.terms:
                intervals[local] = self._facts.interval(state.terms[local])
        after = _After(state, intervals, _leaves(block), self._facts.is_impossible)
        self._facts.forget(mark)
        return made, after

    def _if(self, statement: If) -> If:
        condition = self._terms.condition(statement.condition)
        before = self._terms.state
        self._terms.state = before.copy()
        then, after_then = self._nested(statement.then, condition.if_true)
        self._terms.state = before.copy()
        orelse, after_else = self._nested(statement.orelse, condition.if_false)
        if after_then.is_left:
            self._terms.state = after_else.state
            self._terms.learn(condition.if_false)
        elif after_else.is_left:
            self._terms.state = after_then.state
            self._terms.learn(condition.if_true)
        else:
            assigned = self._assigned[id(statement.then)] | self._assigned[id(statement.orelse)]
            self._join(assigned, condition, after_then, after_else)
        if then is statement.then and orelse is statement.orelse:
            return statement
        return dataclasses.replace(statement, then=then, orelse=orelse)

    def _join(self, assigned: set[int], condition: Condition, then: _After, orelse: _After) -> None:
        """Merge variables after a branch: the value common to both sides, or a choice of two."""
        state = self._terms.state = orelse.state
        for local in sorted(assigned):
            one, other = then.state.terms.get(local), orelse.state.terms.get(local)
            either = then.state.conditions.get(local), orelse.state.conditions.get(local)
            self._terms.forget(local)
            if one is not None and other is not None:
                if one != other:
                    intervals = [after.intervals.get(local) for after in (then, orelse) if not after.is_impossible]
                    name = self._facts.fresh(of_type(self._locals[local].type))
                    if intervals and intervals[0] is not None and intervals[-1] is not None:
                        both = intervals[0] | intervals[-1]
                        self._facts.narrow(name, both.lo, both.hi)
                    self._facts.choose(name, (one, other))
                    one = unknown(name)
                state.terms[local] = one
            if either[0] is not None and either[1] is not None:
                state.conditions[local] = _joined(condition, either[0], either[1])

    # ------------------------------------------------------------ loops

    def _loop(self, statement: ForRange | Loop) -> ForRange | Loop:
        bounds = self._bounds(statement) if isinstance(statement, ForRange) else ()
        assigned = self._assigned[id(statement.body)]
        trial = _InvariantTrial(list(self._candidates(assigned)))
        state = self._terms.state
        while trial.kept:
            if self._trial_statements > _MAX_TRIAL_STATEMENTS:
                trial = _InvariantTrial([])
                break
            self._trials_open += 1
            self._body(statement, trial, bounds, state)
            self._trials_open -= 1
            if not trial.broken:
                break
            trial = _InvariantTrial([kept for kept in trial.kept if kept not in trial.broken])
        body = self._body(statement, trial, bounds, state)
        self._terms.state = state
        for local in assigned:
            self._terms.forget(local)
        return statement if body is statement.body else dataclasses.replace(statement, body=body)

    def _bounds(self, loop: ForRange) -> tuple[Polynomial, ...]:
        """Facts in the body: the counter is at least `start` and below `stop`."""
        start, stop = self._terms.term(loop.start), self._terms.term(loop.stop)
        counter = self._terms.opaque(loop.counter)
        choice = self._terms.choice(loop.stop)
        facts = [counter - start]
        if choice is not None and self._facts.proves(start - choice.if_true):  # then it is if_false, or no iteration
            facts += [*choice.learnt, choice.if_false - counter - ONE]
        return (*facts, stop - counter - ONE)

    def _candidates(self, assigned: set[int]) -> Iterator[_Kept]:
        """Facts about variables before a loop that may be invariants."""
        for local in sorted(assigned):
            term = self._terms.state.terms.get(local)
            if term is None:
                continue
            full, here = of_type(self._locals[local].type), self._facts.interval(term)
            if here.lo > full.lo:
                yield _Kept(local, number(here.lo), 1)
            if here.hi < full.hi:
                yield _Kept(local, number(here.hi), -1)
            if not term.is_constant:
                yield _Kept(local, term, 1)
                yield _Kept(local, term, -1)

    def _body(
        self, loop: ForRange | Loop, trial: _InvariantTrial, bounds: tuple[Polynomial, ...], state: State
    ) -> Block:
        mark = self._facts.mark()
        self._terms.state = state.copy()
        for local in sorted(self._assigned[id(loop.body)]):
            self._terms.forget(local)
        if isinstance(loop, ForRange):
            self._terms.set(loop.counter, self._terms.opaque(loop.counter))
        self._terms.learn(bounds)
        for kept in trial.kept:
            self._facts.learn(kept.goal(self._terms.term(self._locals[kept.local])))
        self._loops.append(trial)
        body = walk.same_or(loop.body, self.statements(loop.body))
        if not _leaves(loop.body):
            self._check(trial)
        self._loops.pop()
        self._facts.forget(mark)
        return body

    def _check(self, trial: _InvariantTrial) -> None:
        """Drop the invariants that do not hold at the start of the next iteration."""
        if not self._trials_open:
            return
        for kept in trial.kept:
            if kept not in trial.broken:
                term = self._terms.term(self._locals[kept.local])
                if not self._facts.proves(kept.goal(term)):
                    trial.broken.add(kept)

    # ------------------------------------------------------------ accesses

    def _clamped(self, access: Load | Store | Atomic) -> Load | Store | Atomic:
        place = access.place
        memory = place.memory
        if self._trials_open or (isinstance(memory, Buffer) and memory.rank == 0) or self._is_safe(place):
            return access
        last = self._last(memory)
        index = Call(MathOp.MIN, (_as_u32(place.index), last), U32)
        return dataclasses.replace(access, place=dataclasses.replace(place, index=index))

    def _is_safe(self, place: Place) -> bool:
        """Whether an index is proven to be in range, if necessary under assumptions, which are then recorded."""
        if self._facts.is_impossible:
            return True
        length = self._length(place.memory)
        last = length - ONE
        unproven = {}  # goals, by reading
        for index in self._readings(place.index):
            goals = self._unproven(index, last)
            first = next(goals, None)
            if first is None:
                return True
            unproven[index] = chain((first,), goals)
        if any(self._facts.is_zero(index) for index in unproven):  # memory always has room for one
            return True
        if any(self._is_remainder(index, length) for index in unproven):
            return True
        return self._assume and any(map(self._assumed, unproven.values()))

    def _unproven(self, index: Polynomial, last: Polynomial) -> Iterator[Polynomial]:
        """Those that are not proven to be at least 0 of what must be for the index to be in range."""
        if not self._facts.proves(index):
            yield index
        rest = last - index
        if not self._facts.proves(rest):
            yield rest

    def _assumed(self, goals: Iterator[Polynomial]) -> bool:
        """Whether assumptions that imply the goals were found; they are then recorded."""
        wanted: dict[Polynomial, None] = {}
        for goal in goals:
            assumption = self._facts.explain(goal)
            if assumption is None:
                return False
            wanted[assumption] = None
        if len(self.assumptions | wanted) > _MAX_ASSUMPTIONS:
            return False
        self.assumptions |= wanted
        return True

    def _is_remainder(self, index: Polynomial, length: Polynomial) -> bool:
        """x % n is in range for n elements. That includes n = 0, where x % 0 is 0."""
        divisor = self._terms.remainders.get(index.unknown) if index.unknown is not None else None
        return divisor is not None and all(map(self._facts.proves, (divisor, index, length - divisor)))

    def _readings(self, index: Expr) -> Iterator[Polynomial]:
        """Sums equal to the index modulo 2**32. If one is in range, it is the index."""
        found: dict[Polynomial, None] = {}
        for read in (self._terms.term, self._terms.shallow_residue, self._terms.residue):
            sum = read(index)
            if sum is not None and sum not in found:
                found[sum] = None
                yield sum
        for sum in tuple(found):
            for type in (I32, U32):
                wrapped = self._terms.find_wrapped(sum, type)
                if wrapped is not None and wrapped not in found:
                    found[wrapped] = None
                    yield wrapped

    def _length(self, memory: Memory) -> Polynomial:
        if not isinstance(memory, Buffer):
            return number(memory.length)
        length = self._lengths.get(memory.name)
        if length is None:
            length = ONE
            for axis in range(memory.rank):
                length = length * self._terms.shape(memory.name, axis)
            self._lengths[memory.name] = length
        return length

    def _last(self, memory: Memory) -> Expr:
        """The greatest index, a u32."""
        if not isinstance(memory, Buffer):
            return Constant(max(memory.length, 1) - 1, U32)
        found = self.last.get(memory.name)
        if found is None:
            position = len(self._module.params) + len(self.last)
            found = self.last[memory.name] = Param(position, f"{memory.name}.last", U32)
        return found


class _After(Immutable):
    """The state at the end of a branch."""

    state: State
    intervals: dict[int, Interval]
    is_left: bool  # by Break or Continue
    is_impossible: bool


def _leaves(block: Block) -> bool:
    """Whether the end of a block is unreachable."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, If):
        return _leaves(last.then) and _leaves(last.orelse)
    return isinstance(last, (Break, Continue))


def _joined(condition: Condition, one: Condition, other: Condition) -> Condition:
    """A bool that is `one` if the condition holds, else `other`."""
    if one is other:
        return one
    opposite = condition.negated()
    if other in (ALWAYS_FALSE, condition):  # `other` applies only where the condition is false
        return Condition(condition.if_true + one.if_true)
    if one in (ALWAYS_FALSE, opposite):
        return Condition(condition.if_false + other.if_true)
    if other in (ALWAYS_TRUE, opposite):
        return Condition((), condition.if_true + one.if_false)
    if one in (ALWAYS_TRUE, condition):
        return Condition((), condition.if_false + other.if_false)
    return Condition()


def _as_u32(index: Expr) -> Expr:
    return index if scalar_of(index.type) == U32 else Convert(index, U32)
