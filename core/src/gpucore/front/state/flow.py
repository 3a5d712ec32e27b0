"""Where control can be, and what names mean there. Paths fork at a branch and are joined after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gpucore import ir
from gpucore.front.state.operands import EXPR_CLASSES, Operand, Static, StructValue, is_number
from gpucore.immutable import Immutable


@dataclass(slots=True, eq=False)
class Exit:
    """A place that control can leave to when it is not the end of a real loop: a return, or out of an unrolled body.

    `flag` is true once the exit was taken. `loop_depth` counts the real loops that are open at the target.
    `paths` are the bindings at each place that leaves, for an exit after which the function goes on.
    """

    kind: str
    flag: ir.Local
    loop_depth: int
    paths: list[Bindings] = field(default_factory=list)


class Varies(Immutable):
    """What a name means where paths meet on which it was bound to different things.

    `is_number` tells whether a variable could hold them all.
    """

    is_number: bool


Bindings = dict[str, Operand | Varies]


@dataclass(slots=True)
class Flow:
    """Whether control gets here, which exits may have been taken, and what the names assigned on every path mean.

    `unassigned` tells of a name that only some paths assign why it may be missing, in words.
    """

    is_reachable: bool = True
    pending: set[Exit] = field(default_factory=set)
    bindings: Bindings = field(default_factory=dict)
    unassigned: dict[str, str] = field(default_factory=dict)

    def fork(self) -> Flow:
        return Flow(self.is_reachable, set(self.pending), dict(self.bindings), dict(self.unassigned))


@dataclass(slots=True)
class LoopFrame:
    """An open loop of the function at hand. An unrolled one has exits where its body uses break or continue."""

    is_real: bool
    break_exit: Exit | None = None
    continue_exit: Exit | None = None
    at_break: list[Bindings] = field(default_factory=list)  # what names mean at each break of a real loop


def holds_number(operand: Operand | Varies) -> bool:
    """Whether a variable can hold the operand."""
    if isinstance(operand, Varies):
        return operand.is_number
    return isinstance(operand, EXPR_CLASSES) or (isinstance(operand, Static) and is_number(operand.value))


def can_vary(operand: Operand | Varies) -> bool:
    """Whether a variable can hold the operand: a number or vector, or a struct of these."""
    return isinstance(operand, StructValue) or holds_number(operand)


def is_variable(binding: Operand | Varies) -> bool:
    """Whether a binding is a variable of run time, or a struct of variables."""
    if isinstance(binding, StructValue):
        return all(map(is_variable, binding.values))
    return isinstance(binding, ir.Local)


def is_same(a: Operand | Varies, b: Operand | Varies) -> bool:
    """Whether two bindings of a name mean the same."""
    if a is b:
        return True
    if isinstance(a, Static) and isinstance(b, Static):
        x, y = a.value, b.value
        return x is y or (type(x) is type(y) and isinstance(x, (bool, int, str)) and bool(x == y))
    return type(a) is type(b) and not isinstance(a, Static) and a == b


def meet(paths: Sequence[Bindings]) -> Bindings:
    """What names mean where all the paths meet: those that every path assigns."""
    first, *others = paths
    met: Bindings = {}
    for name, binding in first.items():
        joined = binding
        for other in others:
            if name not in other:
                break
            if not is_same(joined, other[name]):
                joined = Varies(can_vary(joined) and can_vary(other[name]))
        else:
            met[name] = joined
    return met


def at_loop_head(bindings: Bindings, stored: frozenset[str]) -> Bindings:
    """What names mean at the head of a loop whose body stores some: those that are no variables may have changed."""
    head = dict(bindings)
    for name in stored:
        binding = head.get(name)
        if binding is not None and not is_variable(binding):
            head[name] = Varies(can_vary(binding))
    return head
