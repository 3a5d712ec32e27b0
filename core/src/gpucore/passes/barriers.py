"""relax_barriers: barriers order buffers only where a kernel can tell.

A barrier must order buffers if an access that may come before it and one that may come after it, to one buffer and at
least one of them a write or an atomic, may be of one element and of two invocations. Two writes count, because the
later one is to remain; so does a write after a read, because a target may otherwise delay the read.

Two accesses are known to be of one invocation if their indices, as sums, have the same part in the local ids, which
differs between any two invocations of the workgroup, and what else they add is the same, or differs by multiples of
more than that part spans: `y[k * 256 + gp.local_id(0)]`, in a workgroup of 256. Sums are taken modulo 2**32, as devices
do, so nothing need be known of overflow.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping

from gpucore.immutable import Immutable
from gpucore.ir import (
    I32,
    U32,
    Atomic,
    AtomicOp,
    Barrier,
    Binary,
    BinaryOp,
    Block,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    Convert,
    CopyAsync,
    CopyPart,
    DeviceFence,
    Expr,
    Let,
    Load,
    Module,
    Param,
    Stmt,
    Unary,
    UnaryOp,
    Value,
    walk,
)
from gpucore.passes.program_order import Time, times

_WRAP = 1 << 32
_OF_DISPATCH = (BuiltinKind.WORKGROUP_ID, BuiltinKind.NUM_WORKGROUPS)


def relax_barriers(module: Module) -> Module:
    """The module with `buffers` false in every barrier that need not order them; the module itself if none changes.

    With a fence of the device, a barrier passes on what other workgroups have done: all stay.
    """
    found = list(walk.statements(module.body))
    if any(isinstance(statement, DeviceFence) for statement in found):
        return module
    if not any(isinstance(statement, Barrier) and statement.buffers for statement in found):
        return module
    body = _relaxed(module.body, iter(_Uses(module).orders()))
    return module if body is module.body else dataclasses.replace(module, body=body)


def _relaxed(block: Block, orders: Iterator[bool]) -> Block:
    """The block with what `orders` says of each barrier, in program order."""
    out: list[Stmt] = []
    for statement in block:
        if isinstance(statement, Barrier):
            is_needed = next(orders)
            out.append(Barrier(statement.span, buffers=False) if statement.buffers and not is_needed else statement)
        else:
            out.append(walk.map_statement(statement, lambda expr: expr, lambda inner: _relaxed(inner, orders)))
    return walk.same_or(block, out)


class _Sum(Immutable):
    """An index as a sum. `own`: the factor of each local id; `same`: of what is the same in a workgroup all the time.

    The rest is a multiple of `step`, and differs between invocations and from time to time; 0: there is none.
    """

    own: tuple[int, int, int] = (0, 0, 0)
    same: tuple[tuple[Expr, int], ...] = ()
    constant: int = 0
    step: int = 0

    def plus(self, other: _Sum) -> _Sum:
        x, y, z = (a + b for a, b in zip(self.own, other.own, strict=True))
        same = dict(self.same)
        for leaf, factor in other.same:
            same[leaf] = same.get(leaf, 0) + factor
        return _Sum((x, y, z), tuple(same.items()), self.constant + other.constant, math.gcd(self.step, other.step))

    def times(self, factor: int) -> _Sum:
        x, y, z = (a * factor for a in self.own)
        same = tuple((leaf, by * factor) for leaf, by in self.same)
        return _Sum((x, y, z), same, self.constant * factor, self.step * factor)

    def is_of_one_invocation(self, other: _Sum, size: tuple[int, int, int]) -> bool:
        """Whether invocations of a workgroup of that size can only have equal indices if they are the same one."""
        span = 1
        used = [axis for axis in range(3) if size[axis] > 1]
        for axis in sorted(used, key=lambda axis: abs(self.own[axis])):
            factor = abs(self.own[axis])
            if self.own[axis] != other.own[axis] or factor < span:
                return False
            span += factor * (size[axis] - 1)
        rest = self.plus(other.times(-1))
        step = math.gcd(rest.step, rest.constant, *(factor for _, factor in rest.same), _WRAP)
        return span <= step


class _Sums:
    """Indices as sums, through the names that Let gives to their parts."""

    def __init__(self) -> None:
        self._known: dict[int, _Sum] = {}

    def bind(self, let: Let) -> None:
        """Note what a name stands for, in program order."""
        self._known[let.value.id] = self.of(let.expr)

    def of(self, expr: Expr) -> _Sum:
        match expr:
            case Constant(value=int(value)):
                return _Sum(constant=value)
            case Value() if expr.id in self._known:
                return self._known[expr.id]
            case Param():
                return _Sum(same=((expr, 1),))
            case Builtin(kind=kind) if kind in _OF_DISPATCH:
                return _Sum(same=((expr, 1),))
            case Builtin(kind=BuiltinKind.LOCAL_ID):
                return _Sum(own=(int(expr.axis == 0), int(expr.axis == 1), int(expr.axis == 2)))
            case Convert(operand=operand) if operand.type in (I32, U32) and expr.type in (I32, U32):
                return self.of(operand)
            case Unary(op=UnaryOp.NEG):
                return self.of(expr.operand).times(-1)
            case Binary() if expr.type in (I32, U32):
                return self._of_two(expr)
        return _Sum(step=1)

    def _of_two(self, expr: Binary) -> _Sum:
        left, right = expr.left, expr.right
        match expr.op:
            case BinaryOp.ADD:
                return self.of(left).plus(self.of(right))
            case BinaryOp.SUB:
                return self.of(left).plus(self.of(right).times(-1))
            case BinaryOp.MUL if isinstance(left, Constant):
                return self.of(right).times(int(left.value))
            case BinaryOp.MUL if isinstance(right, Constant):
                return self.of(left).times(int(right.value))
            case BinaryOp.SHL if isinstance(right, Constant):
                return self.of(left).times(1 << int(right.value) % 32)
        return _Sum(step=1)


class _Uses:
    """When buffers are accessed, and barriers reached."""

    def __init__(self, module: Module) -> None:
        self._size = module.workgroup_size
        self._sums = _Sums()
        self._barriers: list[tuple[bool, Time]] = []  # with whether it orders buffers
        # buffer -> what its accesses have in common: whether they read only, the index, the blocks -> their time
        self._accesses: dict[int, dict[tuple[bool, _Sum, tuple[int, ...]], Time]] = {}
        for statement, time in times(module.body):
            if isinstance(statement, Barrier):
                self._barriers.append((statement.buffers, time))
            elif isinstance(statement, Let):
                self._sums.bind(statement)
            for place in walk.places_of(statement):
                if not isinstance(place.memory, Buffer):
                    continue
                is_atomic_load = isinstance(statement, Atomic) and statement.op is AtomicOp.LOAD
                reads = isinstance(statement, (Load, CopyAsync, CopyPart)) or is_atomic_load
                key = reads, self._sums.of(place.index), time.blocks
                found = self._accesses.setdefault(place.memory.index, {})
                found[key] = found[key].and_later(time) if key in found else time

    def orders(self) -> list[bool]:
        """For each barrier, whether it must order buffers.

        Where several are between two accesses, one that always runs is enough.
        """
        needed = [False] * len(self._barriers)
        pairs = [pair for found in self._accesses.values() for pair in self._conflicts(found)]
        for before, after in sorted(pairs, key=lambda pair: (pair[0].is_before(pair[1]), pair[1].first)):
            between = self._between(before, after)
            always = [number for number in between if self._barriers[number][1].separates(before, after)]
            if not any(needed[number] for number in always):
                for number in always[-1:] or between:  # the last one also orders most of what begins later
                    needed[number] = True
        return needed

    def _between(self, before: Time, after: Time) -> list[int]:
        """The numbers of the barriers that order buffers and may run between the two."""
        return [
            number
            for number, (orders, time) in enumerate(self._barriers)
            if orders and before.first < time.last and time.first < after.last
        ]

    def _conflicts(self, found: Mapping[tuple[bool, _Sum, tuple[int, ...]], Time]) -> Iterator[tuple[Time, Time]]:
        """The accesses to one buffer that may be of one element and of two invocations: what runs before, and after."""
        for (reads, index, _), before in found.items():
            for (reads_too, other, _), after in found.items():
                if (reads and reads_too) or not self._between(before, after):
                    continue
                if not index.is_of_one_invocation(other, self._size):
                    yield before, after
