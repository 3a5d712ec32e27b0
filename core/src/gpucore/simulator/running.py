"""Runs the invocations of a workgroup: one after the other, or all from one barrier to the next."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from types import GeneratorType
from typing import Any, TypeAlias

from gpucore.errors import DispatchError
from gpucore.simulator.collectives import OF_WORKGROUP, UNIFORM, Request, answers, subgroups
from gpucore.simulator.emit import Program
from gpucore.simulator.groups import BEGIN, Product, Products, differing_parts
from gpucore.simulator.memory import Axes

_Invocation: TypeAlias = "GeneratorType[Any, Any, None]"

_END = object()


def grid(counts: Axes) -> Iterator[Axes]:
    """All (x, y, z) below `counts`, x fastest."""
    return ((x, y, z) for z, y, x in itertools.product(*map(range, reversed(counts))))


def invocation_ids(program_size: Axes, subgroup_size: int, uses_subgroups: bool) -> list[tuple[Any, ...]]:
    """For each invocation of a workgroup its local id, and if requested its position in the subgroups.

    The latter is: size, id, invocation id, number of subgroups.
    """
    local_ids = list(grid(program_size))
    if not uses_subgroups:
        return [(local_id,) for local_id in local_ids]
    count = len(subgroups(len(local_ids), subgroup_size))
    return [
        (local_id, subgroup_size, number // subgroup_size, number % subgroup_size, count)
        for number, local_id in enumerate(local_ids)
    ]


class Runner:
    """Runs workgroups of one dispatch."""

    def __init__(self, program: Program, function: Callable[..., Any], workgroups: Axes, subgroup_size: int) -> None:
        self._program, self._function, self._workgroups = program, function, workgroups
        module = program.valid.module
        self._ids = invocation_ids(module.workgroup_size, subgroup_size, program.uses_subgroups)
        self._subgroups = subgroups(module.num_invocations, subgroup_size)

    def run(self, arguments: tuple[Any, ...], workgroup_id: Axes, shown: tuple[Any, ...]) -> None:
        """One workgroup; `shown` are the last arguments. Raises DispatchError if invocations diverge at a barrier, or
        `assume_uniform` is wrong."""
        calls = (
            self._function(*arguments, workgroup_id, local_id, self._workgroups, *rest, *shown)
            for local_id, *rest in self._ids
        )
        if self._program.yields:
            self._run_in_lockstep(list(calls), workgroup_id)
        else:
            for _ in calls:  # without barriers one invocation runs to its end before the next begins
                pass

    def _run_in_lockstep(self, invocations: list[_Invocation], workgroup_id: Axes) -> None:
        """All invocations run to their next barrier, then all to the one after it: one subgroup after the other, which
        runs through its own operations."""
        arrivals: list[Any] = [None] * len(invocations)
        sent: list[Any] = [None] * len(invocations)
        everyone, products = range(len(invocations)), Products()
        while True:
            for lanes in self._subgroups:
                _advance(invocations, lanes, arrivals, sent)
                while self._passes(lanes, arrivals, sent, invocations, workgroup_id):
                    _advance(invocations, lanes, arrivals, sent)
            first = arrivals[0]
            if any(not _is_at_one(first, arrival) for arrival in arrivals):
                raise self._not_reached_by_all(invocations, everyone, workgroup_id)
            if first is _END:
                return
            sent = [None] * len(invocations)
            if isinstance(first, Request):
                operands = [arrival.operand for arrival in arrivals]
                if first.operation == UNIFORM:
                    sent = self._uniform(operands, invocations, workgroup_id)
                elif first.operation == BEGIN:
                    self._expect_one_part(operands, invocations, workgroup_id)
                    products.begin(operands)
                else:
                    products.wait(operands)

    def _passes(
        self,
        lanes: range,
        arrivals: list[Any],
        sent: list[Any],
        invocations: list[_Invocation],
        workgroup_id: Axes,
    ) -> bool:
        """Whether a subgroup is at an operation of its own, whose answers are put into `sent`. A lane that reads from a
        missing lane gets its own operand."""
        part = arrivals[lanes.start : lanes.stop]
        if any(not _is_at_one(part[0], arrival) for arrival in part):
            raise self._not_reached_by_all(invocations, lanes, workgroup_id)
        if not isinstance(part[0], Request) or part[0].operation in OF_WORKGROUP:
            return False
        sent[lanes.start : lanes.stop] = answers(part, [])
        return True

    def _uniform(self, operands: list[Any], invocations: list[_Invocation], workgroup_id: Axes) -> list[Any]:
        """The answer of gp.assume_uniform to each invocation."""
        other = differing(operands)
        if other is not None:
            raise DispatchError(
                f"{self._at(invocations[0])}: {self._function.__name__}: the value given to gp.assume_uniform differs "
                f"in workgroup {workgroup_id}: it is {operands[0]} for local_id {self._ids[0][0]}, "
                f"{operands[other]} for local_id {self._ids[other][0]}"
            )
        return operands

    def _expect_one_part(self, products: Sequence[Product], invocations: list[_Invocation], workgroup_id: Axes) -> None:
        """Raise DispatchError if a group multiplies tiles that are not the same for all of it."""
        numbers = differing_parts(products)
        if numbers is not None:
            first, other = (f"local_id {self._ids[number][0]}" for number in numbers)
            raise DispatchError(
                f"{self._at(invocations[0])}: {self._function.__name__}: the tiles of a product differ in workgroup "
                f"{workgroup_id}: those of {first} and {other} begin at different elements"
            )

    def _at(self, invocation: _Invocation) -> str:
        assert invocation.gi_frame is not None
        return f"{self._program.filename}:{invocation.gi_frame.f_lineno}"

    def _not_reached_by_all(self, invocations: list[_Invocation], members: range, workgroup_id: Axes) -> DispatchError:
        frames = [invocations[number].gi_frame for number in members]
        lines = [frame.f_lineno for frame in frames if frame is not None]
        counted = ", ".join(f"{lines.count(line)} wait at line {line}" for line in sorted(set(lines)))
        subgroup = "" if len(members) == len(invocations) else f"subgroup {self._subgroups.index(members)} of "
        return DispatchError(
            f"{self._program.filename}:{lines[0]}: {self._function.__name__}: barrier not reached by all invocations "
            f"of {subgroup}workgroup {workgroup_id}: {counted}, {len(members) - len(lines)} have ended"
        )


def _is_at_one(first: Any, other: Any) -> bool:
    """Whether two invocations are at the same statement, or have both ended."""
    if isinstance(first, Request):
        return isinstance(other, Request) and other.number == first.number
    return not isinstance(other, Request) and bool(other == first)


def differing(operands: Sequence[Any]) -> int | None:
    """The index of the first operand that differs from the first one; two NaN are equal."""
    first = operands[0]
    for number, operand in enumerate(operands):
        if operand != first and (operand == operand or first == first):
            return number
    return None


def _advance(invocations: list[_Invocation], lanes: range, arrivals: list[Any], sent: list[Any]) -> None:
    """Run invocations to their next collective operation, or to their end."""
    for number in lanes:
        try:
            arrivals[number] = invocations[number].send(sent[number])
        except StopIteration:
            arrivals[number] = _END
