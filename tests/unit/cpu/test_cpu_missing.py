"""What the emitter has no way to write is an EmitError at the user's line, whatever kind of thing it is."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from typing import Any

import pytest
from cpu_kernels import Draft, call, const, local_id

from gpucore import ir
from gpucore.errors import EmitError
from gpucore.ir import F32, I32, AtomicOp, BinaryOp
from gpucore.span import Span
from gpucore_cpu.plugin import CpuBackend

PLACE = Span("kernel.py", 12, 4, 12, 9, "kernel")


class Later(enum.Enum):
    """An operation that a later version of the IR may have."""

    ADDED = "added"


LATER: Any = Later.ADDED


@dataclasses.dataclass(frozen=True)
class LaterStatement:
    span: Span = PLACE


def stored(expr: Any, element: ir.ScalarType = I32) -> Draft:
    """A kernel that stores an expression."""
    draft = Draft(4)
    out = draft.buffer("out", element)
    draft.add(ir.Store(ir.Place(out, const(0)), expr, PLACE))
    return draft


def atomic(kind: Any, element: ir.ScalarType, *, in_buffer: bool) -> Draft:
    """A kernel with one atomic."""
    draft = Draft(4)
    buffer = draft.buffer("counts", element)
    memory = buffer if in_buffer else draft.workgroup_array("counts", element, 4)
    value = ir.Value(99, "before", element)
    draft.add(ir.Atomic(value, kind, ir.Place(memory, const(0)), const(1, element), const(1, element), PLACE))
    return draft


def subgroup(kind: Any) -> Draft:
    """A kernel with one subgroup operation."""
    draft = Draft(4)
    draft.add(ir.Subgroup(ir.Value(99, "result", I32), kind, local_id(), span=PLACE))
    return draft


def statement() -> Draft:
    draft = stored(const(1))
    later: Any = LaterStatement()
    draft.add(later)
    return draft


def odd_type() -> Draft:
    kind = ir.ScalarType("bf16", ir.ScalarKind.FLOAT, 16)
    return stored(ir.Convert(const(1), kind), F32)


CASES: dict[str, tuple[Callable[[], Draft], str]] = {
    "unary": (lambda: stored(ir.Unary(LATER, const(1), I32)), "operator added"),
    "binary of integers": (lambda: stored(ir.Binary(LATER, const(1), const(2), I32)), "operator added of i32"),
    "binary of floats": (
        lambda: stored(ir.Binary(BinaryOp.FLOOR_MOD, const(1, F32), const(2, F32), F32), F32), "operator floor_mod of"
    ),
    "function of integers": (lambda: stored(call(LATER, const(1))), "function added of integers"),
    "function of floats": (lambda: stored(call(LATER, const(1, F32)), F32), "function added"),
    "atomic in a buffer": (lambda: atomic(LATER, I32, in_buffer=True), "atomic added of i32"),
    "atomic in a workgroup array": (lambda: atomic(LATER, I32, in_buffer=False), "atomic added of i32"),
    "atomic of floats": (lambda: atomic(AtomicOp.MAX, F32, in_buffer=True), "atomic max of f32"),
    "builtin": (lambda: stored(ir.Builtin(LATER, 0)), "builtin added"),
    "subgroup operation": (lambda: subgroup(LATER), "subgroup operation added"),
    "statement": (statement, "statement LaterStatement"),
    "type": (odd_type, "type bf16"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_missing_is_named(name: str) -> None:
    make, message = CASES[name]
    with pytest.raises(EmitError, match=f"GP601.*the cpu backend has no {message}") as caught:
        CpuBackend().emit(make().valid())
    assert caught.value.span in ((PLACE,) if name != "type" else (None, PLACE))
