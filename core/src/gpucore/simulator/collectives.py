"""Collective operations: subgroup operations, and the check that a value is uniform.

A kernel yields a `Request` and is sent its answer. A subgroup is `size` consecutive invocations of the workgroup
(x fastest); the last one has fewer if the workgroup size is not a multiple.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gpucore.ir.arithmetic import float_max, float_min
from gpucore.simulator import cooperative, groups
from gpucore.simulator.matrices import ACCUMULATE, LOAD, MULTIPLY, accumulate, load_matrices, multiply

DEFAULT_SUBGROUP_SIZE = 32
MAX_SUBGROUP_SIZE = 64

UNIFORM = "uniform"
"""The operation of a Request that only compares: it returns its operand."""

OF_WORKGROUP = frozenset({UNIFORM, groups.BEGIN, groups.WAIT})
"""The operations of all invocations of a workgroup. The others are of a subgroup."""

_BALLOT_WORDS, _WORD_BITS = 4, 32


class Request(NamedTuple):
    """A request of one invocation: `number` identifies the statement, `operation` is a SubgroupOp's value.

    `argument` is that of the operation: of a match the number of bits, of matrices what the statement says of them.
    """

    number: int
    operation: str
    operand: Any = None
    argument: Any = 0
    wrap: Callable[[Any], Any] = lambda value: value


class MissingLane(NamedTuple):
    """A lane that reads from a lane that does not exist."""

    lane: int
    wanted: int


def subgroups(num_invocations: int, size: int) -> list[range]:
    """The invocations of each subgroup."""
    return [range(first, min(first + size, num_invocations)) for first in range(0, num_invocations, size)]


def answers(requests: Sequence[Request], missing: list[MissingLane], fill: Any = None) -> list[Any]:
    """The answers of one subgroup, lane by lane; all requests have one operation.

    A lane that reads from a missing lane is added to `missing`. It gets `fill`, or its own operand if that is None.
    """
    operation, operands = requests[0].operation, [request.operand for request in requests]
    if operation in _SOURCES:
        source = _SOURCES[operation]
        answered = []
        for lane, request in enumerate(requests):
            wanted = source(lane, request.argument)
            if 0 <= wanted < len(requests):
                answered.append(operands[wanted])
            else:
                missing.append(MissingLane(lane, wanted))
                answered.append(request.operand if fill is None else type(request.operand)(fill))
        return answered
    if operation == LOAD:
        return load_matrices(operands, is_transposed=bool(requests[0].argument))
    if operation == MULTIPLY:
        return multiply(operands, requests[0].argument)
    if operation == cooperative.MULTIPLY_ADD:
        return cooperative.multiply_add(operands, requests[0].argument)
    if operation == ACCUMULATE:
        return accumulate(operands)
    if operation == "match":
        low = (1 << requests[0].argument) - 1
        return [_mask([(other ^ own) & low == 0 for other in operands]) for own in operands]
    if operation in ("inclusive_add", "exclusive_add"):
        return _scan(operands, requests[0].wrap, is_inclusive=operation == "inclusive_add")
    if operation == "barrier":
        return [None] * len(requests)
    if operation == "elect":
        return [lane == 0 for lane in range(len(requests))]
    return [_REDUCTIONS[operation](operands, requests[0].wrap)] * len(requests)


_SOURCES: dict[str, Callable[[int, int], int]] = {
    "broadcast": lambda lane, argument: argument,
    "shuffle": lambda lane, argument: argument,
    "shuffle_xor": operator.xor,
    "shuffle_up": operator.sub,
    "shuffle_down": operator.add,
}
"""The source lane of each lane."""


def _scan(operands: list[Any], wrap: Callable[[Any], Any], *, is_inclusive: bool) -> list[Any]:
    zero = type(operands[0])(0)
    totals = list(itertools.accumulate(operands, lambda a, b: wrap(a + b), initial=zero))
    return totals[1:] if is_inclusive else totals[:-1]


def _sum(operands: list[Any], wrap: Callable[[Any], Any]) -> Any:
    return _scan(operands, wrap, is_inclusive=True)[-1]


def _minimum(operands: list[Any], wrap: Callable[[Any], Any]) -> Any:
    return min(operands) if isinstance(operands[0], int) else _fold(float_min, operands)


def _maximum(operands: list[Any], wrap: Callable[[Any], Any]) -> Any:
    return max(operands) if isinstance(operands[0], int) else _fold(float_max, operands)


def _fold(function: Callable[[Any, Any], Any], operands: list[Any]) -> Any:
    *_, last = itertools.accumulate(operands, function)
    return last


def _mask(flags: Sequence[bool]) -> tuple[int, ...]:
    bits = sum(1 << lane for lane, flag in enumerate(flags) if flag)
    return tuple(bits >> (word * _WORD_BITS) & 0xFFFFFFFF for word in range(_BALLOT_WORDS))


_REDUCTIONS: dict[str, Callable[[list[Any], Callable[[Any], Any]], Any]] = {
    "add": _sum,
    "min": _minimum,
    "max": _maximum,
    "ballot": lambda operands, wrap: _mask(operands),
    "any": lambda operands, wrap: any(operands),
    "all": lambda operands, wrap: all(operands),
}
