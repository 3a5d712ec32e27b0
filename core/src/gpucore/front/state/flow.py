"""Control flow state: reachability and the bindings of names. It forks at a branch and is merged after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gpucore import ir
from gpucore.front.state.operands import EXPR_CLASSES, Operand, Static, StructValue, is_number
from gpucore.immutable import Immutable


@dataclass(slots=True, eq=False)
class Exit:
    """The target of an early return, or of a break or continue of an unrolled loop.

    `flag` is a variable that is true once the exit was taken. `loop_depth` is the number of real loops open at the
    target. `paths` are the bindings at each jump to the target, if the function continues there.
    """

    kind: str
    flag: ir.Local
    loop_depth: int
    paths: list[Bindings] = field(default_factory=list)


class PathDependent(Immutable):
    """The binding of a name at a merge of paths that bind it differently.

    `is_number` is whether one variable could hold all of them.
    """

    is_number: bool


Bindings = dict[str, Operand | PathDependent]


@dataclass(slots=True)
class Flow:
    """The state at the current point: reachability, the exits that may have been taken, and the bindings of names.

    `bindings` has the names that every path assigns. `unassigned` maps a name that only some paths assign to the
    reason, in words, why it may be missing.
    """

    is_reachable: bool = True
    pending: set[Exit] = field(default_factory=set)
    bindings: Bindings = field(default_factory=dict)
    unassigned: dict[str, str] = field(default_factory=dict)

    def fork(self) -> Flow:
        return Flow(self.is_reachable, set(self.pending), dict(self.bindings), dict(self.unassigned))


@dataclass(slots=True)
class LoopFrame:
    """An open loop. It is real, or unrolled; an unrolled one has exits if its body uses break or continue."""

    is_real: bool
    break_exit: Exit | None = None
    continue_exit: Exit | None = None
    at_break: list[Bindings] = field(default_factory=list)  # the bindings at each break of a real loop


def holds_number(operand: Operand | PathDependent) -> bool:
    """Whether a variable can hold the operand: a number or vector."""
    if isinstance(operand, PathDependent):
        return operand.is_number
    return isinstance(operand, EXPR_CLASSES) or (isinstance(operand, Static) and is_number(operand.value))


def can_vary(operand: Operand | PathDependent) -> bool:
    """Whether a variable can hold the operand: a number or vector, or a struct of these."""
    return isinstance(operand, StructValue) or holds_number(operand)


def is_variable(binding: Operand | PathDependent) -> bool:
    """Whether a binding is a runtime variable, or a struct of variables."""
    if isinstance(binding, StructValue):
        return all(map(is_variable, binding.values))
    return isinstance(binding, ir.Local)


def is_same(a: Operand | PathDependent, b: Operand | PathDependent) -> bool:
    """Whether two bindings are the same."""
    if a is b:
        return True
    if isinstance(a, Static) and isinstance(b, Static):
        x, y = a.value, b.value
        return x is y or (type(x) is type(y) and isinstance(x, (bool, int, str)) and bool(x == y))
    return type(a) is type(b) and not isinstance(a, Static) and a == b


def merge_bindings(paths: Sequence[Bindings]) -> Bindings:
    """The bindings after a merge of the paths: those of the names that every path assigns."""
    first, *others = paths
    merged: Bindings = {}
    for name, binding in first.items():
        joined = binding
        for other in others:
            if name not in other:
                break
            if not is_same(joined, other[name]):
                joined = PathDependent(can_vary(joined) and can_vary(other[name]))
        else:
            merged[name] = joined
    return merged


def at_loop_head(bindings: Bindings, stored: frozenset[str]) -> Bindings:
    """The bindings at the head of a loop that assigns `stored`: any of these that is not a variable may vary."""
    head = dict(bindings)
    for name in stored:
        binding = head.get(name)
        if binding is not None and not is_variable(binding):
            head[name] = PathDependent(can_vary(binding))
    return head
