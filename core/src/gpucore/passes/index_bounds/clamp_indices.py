"""Keeps every index in range, whatever the kernel computes: a pass for devices whose memory is that of the process.

An index that is not proven to be in range becomes `min(u32(index), last)`: a negative one is a large u32. The proofs
use the conditions and loop bounds that dominate an access, and the values of variables, as polynomials.

Often a proof lacks only a relation between the arguments of a call: a kernel compares an index with the length of one
array and uses it for another array too. With `assume`, such an access is not clamped, and `Module.assumptions` lists
what must hold for a dispatch. For other dispatches, the kernel is compiled again without assumptions.
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
    GridOrigin,
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
from gpucore.ir.ranges import MAX_INDEX, Interval, type_interval
from gpucore.passes.index_bounds.polynomials import ONE, Polynomial, number, unknown
from gpucore.passes.index_bounds.prover import Facts
from gpucore.passes.index_bounds.terms import ALWAYS_FALSE, ALWAYS_TRUE, Condition, State, Terms

_MAX_ASSUMPTIONS = 16
_MAX_TRIAL_STATEMENTS = 20_000  # analysed to find loop invariants


def insert_clamps(module: Module, *, assume: bool = True) -> Module:
    """The module with every index in range; the same object if all are proven, or if the kernel is unchecked."""
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
        assumptions=(*module.assumptions, *map(clamper.assumption, clamper.assumptions)),
    )


class _Invariant(Immutable):
    """A candidate for a loop invariant: `sign` * (the variable - `bound`) >= 0 at the start of every iteration."""

    local: int
    bound: Polynomial
    sign: int

    def goal(self, term: Polynomial) -> Polynomial:
        """The polynomial that is at least 0 if the invariant holds with `term` as the variable."""
        return (term - self.bound).scaled(self.sign)


@dataclass(slots=True)
class _InvariantTrial:
    """An analysis of a loop's body that refutes the invariants that do not hold at the end of an iteration."""

    invariants: list[_Invariant]
    refuted: set[_Invariant] = field(default_factory=set)


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
                self._facts.add_global(number(MAX_INDEX) - self._length(buffer))

    @property
    def params(self) -> tuple[Param, ...]:
        return tuple(self.last.values())

    def assumption(self, sum: Polynomial) -> Assumption:
        """The assumption that a sum of quantities known to the host is at least 0."""
        return Assumption(
            tuple(
                (coefficient, tuple(map(self._origin, monomial))) for monomial, coefficient in sorted(sum.terms.items())
            )
        )

    def _origin(self, name: int) -> Origin:
        """Of the grid it is what the call asks for: a pass may make one workgroup do the work of several."""
        origin = cast(Origin, self._facts.key_of(name))
        return GridOrigin("called") if origin == GridOrigin("x") else origin

    # ------------------------------------------------------------ statements

    def statements(self, block: Block) -> list[Stmt]:
        """The statements of a block after the pass. Facts from it hold until the caller leaves the scope."""
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
                    self._refute_invariants(self._loops[-1])
                case _:
                    pass
            is_guarded = isinstance(statement, Bounds)
            out.append(statement)
        return out

    def _nested(self, block: Block, facts: tuple[Polynomial, ...]) -> tuple[Block, _BranchEnd]:
        """A branch after the pass, and the values of variables at its end."""
        mark = self._facts.mark()
        self._terms.learn(facts)
        made = walk.same_or(block, self.statements(block))
        state = self._terms.state
        intervals = {}
        for local in self._assigned[id(block)]:
            if local in state.terms:
                intervals[local] = self._facts.interval(state.terms[local])
        after = _BranchEnd(state, intervals, _exits(block), self._facts.is_impossible)
        self._facts.forget(mark)
        return made, after

    def _if(self, statement: If) -> If:
        condition = self._terms.condition(statement.condition)
        before = self._terms.state
        self._terms.state = before.copy()
        then, after_then = self._nested(statement.then, condition.if_true)
        self._terms.state = before.copy()
        orelse, after_else = self._nested(statement.orelse, condition.if_false)
        if after_then.is_exited:
            self._terms.state = after_else.state
            self._terms.learn(condition.if_false)
        elif after_else.is_exited:
            self._terms.state = after_then.state
            self._terms.learn(condition.if_true)
        else:
            assigned = self._assigned[id(statement.then)] | self._assigned[id(statement.orelse)]
            self._join(assigned, condition, after_then, after_else)
        if then is statement.then and orelse is statement.orelse:
            return statement
        return dataclasses.replace(statement, then=then, orelse=orelse)

    def _join(self, assigned: set[int], condition: Condition, then: _BranchEnd, orelse: _BranchEnd) -> None:
        """Join the values of variables after both branches: the common value, or an unknown that is one of the two."""
        state = self._terms.state = orelse.state
        for local in sorted(assigned):
            one, other = then.state.terms.get(local), orelse.state.terms.get(local)
            either = then.state.conditions.get(local), orelse.state.conditions.get(local)
            self._terms.forget(local)
            if one is not None and other is not None:
                if one != other:
                    intervals = [after.intervals.get(local) for after in (then, orelse) if not after.is_impossible]
                    name = self._facts.fresh(type_interval(self._locals[local].type))
                    if intervals and intervals[0] is not None and intervals[-1] is not None:
                        both = intervals[0] | intervals[-1]
                        self._facts.narrow(name, both.lo, both.hi)
                    self._facts.set_alternatives(name, (one, other))
                    one = unknown(name)
                state.terms[local] = one
            if either[0] is not None and either[1] is not None:
                state.conditions[local] = _joined(condition, either[0], either[1])

    # ------------------------------------------------------------ loops

    def _loop(self, statement: ForRange | Loop) -> ForRange | Loop:
        bounds = self._counter_facts(statement) if isinstance(statement, ForRange) else ()
        assigned = self._assigned[id(statement.body)]
        trial = _InvariantTrial(list(self._candidate_invariants(assigned)))
        state = self._terms.state
        while trial.invariants:
            if self._trial_statements > _MAX_TRIAL_STATEMENTS:
                trial = _InvariantTrial([])
                break
            self._trials_open += 1
            self._walk_body(statement, trial, bounds, state)
            self._trials_open -= 1
            if not trial.refuted:
                break
            trial = _InvariantTrial([one for one in trial.invariants if one not in trial.refuted])
        body = self._walk_body(statement, trial, bounds, state)
        self._terms.state = state
        for local in assigned:
            self._terms.forget(local)
        return statement if body is statement.body else dataclasses.replace(statement, body=body)

    def _counter_facts(self, loop: ForRange) -> tuple[Polynomial, ...]:
        """Facts in the body: the counter is at least `start` and below `stop`."""
        start, stop = self._terms.term(loop.start), self._terms.term(loop.stop)
        counter = self._terms.opaque(loop.counter)
        choice = self._terms.choice(loop.stop)
        facts = [counter - start]
        if choice is not None and self._facts.proves(start - choice.if_true):  # then it is if_false, or no iteration
            facts += [*choice.learnt, choice.if_false - counter - ONE]
        return (*facts, stop - counter - ONE)

    def _candidate_invariants(self, assigned: set[int]) -> Iterator[_Invariant]:
        """Facts about variables before a loop that may hold in every iteration."""
        for local in sorted(assigned):
            term = self._terms.state.terms.get(local)
            if term is None:
                continue
            full, here = type_interval(self._locals[local].type), self._facts.interval(term)
            if here.lo > full.lo:
                yield _Invariant(local, number(here.lo), 1)
            if here.hi < full.hi:
                yield _Invariant(local, number(here.hi), -1)
            if not term.is_constant:
                yield _Invariant(local, term, 1)
                yield _Invariant(local, term, -1)

    def _walk_body(
        self, loop: ForRange | Loop, trial: _InvariantTrial, bounds: tuple[Polynomial, ...], state: State
    ) -> Block:
        mark = self._facts.mark()
        self._terms.state = state.copy()
        for local in sorted(self._assigned[id(loop.body)]):
            self._terms.forget(local)
        if isinstance(loop, ForRange):
            self._terms.set(loop.counter, self._terms.opaque(loop.counter))
        self._terms.learn(bounds)
        for invariant in trial.invariants:
            self._facts.learn(invariant.goal(self._terms.term(self._locals[invariant.local])))
        self._loops.append(trial)
        body = walk.same_or(loop.body, self.statements(loop.body))
        if not _exits(loop.body):
            self._refute_invariants(trial)
        self._loops.pop()
        self._facts.forget(mark)
        return body

    def _refute_invariants(self, trial: _InvariantTrial) -> None:
        """Refute the invariants that are not proven at the start of the next iteration."""
        if not self._trials_open:
            return
        for invariant in trial.invariants:
            if invariant not in trial.refuted:
                term = self._terms.term(self._locals[invariant.local])
                if not self._facts.proves(invariant.goal(term)):
                    trial.refuted.add(invariant)

    # ------------------------------------------------------------ accesses

    def _clamped(self, access: Load | Store | Atomic) -> Load | Store | Atomic:
        place = access.place
        memory = place.memory
        if self._trials_open or (isinstance(memory, Buffer) and memory.rank == 0) or self._is_in_range(place):
            return access
        last = self._last(memory)
        index = Call(MathOp.MIN, (_as_u32(place.index), last), U32)
        return dataclasses.replace(access, place=dataclasses.replace(place, index=index))

    def _is_in_range(self, place: Place) -> bool:
        """Whether an index is proven to be in range, if necessary under assumptions, which are then recorded."""
        if self._facts.is_impossible:
            return True
        length = self._length(place.memory)
        last = length - ONE
        unproven = {}  # goals, by reading
        for index in self._congruent_sums(place.index):
            goals = self._unproven(index, last)
            first = next(goals, None)
            if first is None:
                return True
            unproven[index] = chain((first,), goals)
        if any(self._facts.is_zero(index) for index in unproven):  # memory always has room for one
            return True
        if any(self._is_remainder(index, length) for index in unproven):
            return True
        return self._assume and any(map(self._add_assumptions, unproven.values()))

    def _unproven(self, index: Polynomial, last: Polynomial) -> Iterator[Polynomial]:
        """The goals of an access that are not proven: the index is at least 0, and at most the last one."""
        if not self._facts.proves(index):
            yield index
        rest = last - index
        if not self._facts.proves(rest):
            yield rest

    def _add_assumptions(self, goals: Iterator[Polynomial]) -> bool:
        """Find and record assumptions that imply the goals; returns whether there are any."""
        wanted: dict[Polynomial, None] = {}
        for goal in goals:
            assumption = self._facts.find_assumption(goal)
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

    def _congruent_sums(self, index: Expr) -> Iterator[Polynomial]:
        """Sums congruent to the index modulo 2**32. One that is in range is equal to it."""
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


class _BranchEnd(Immutable):
    """The state at the end of a branch."""

    state: State
    intervals: dict[int, Interval]
    is_exited: bool  # by Break or Continue
    is_impossible: bool


def _exits(block: Block) -> bool:
    """Whether the end of a block is unreachable."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, If):
        return _exits(last.then) and _exits(last.orelse)
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
