"""Loads and stores of neighbouring elements of a buffer that become one access.

A dialect that has them defines functions for some vector types in its prologue: docstring of
`gpucore.plugin.c_family`.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from gpucore.ir import (
    I32,
    U32,
    Binary,
    BinaryOp,
    Block,
    Buffer,
    Constant,
    Expr,
    Load,
    Memory,
    ScalarType,
    Store,
    VectorType,
)


def together(block: Block, at: int, with_atomics: Set[Memory]) -> Sequence[Load | Store]:
    """The statements from `at` on that are loads, or stores, of one vector; none if they are not."""
    first = block[at]
    if not isinstance(first, (Load, Store)) or first.width == 1 or first.place.memory in with_atomics:
        return ()
    memory = first.place.memory
    if not isinstance(memory, Buffer) or not isinstance(memory.element, ScalarType):
        return ()
    found = [s for s in block[at : at + first.width] if isinstance(s, type(first)) and s.width == first.width]
    if len(found) < first.width or any(each.place.memory != memory for each in found):
        return ()
    terms, start = _sum(first.place.index)
    if any(_sum(each.place.index) != (terms, start + number) for number, each in enumerate(found)):
        return ()
    return found


def vector_of(statements: Sequence[Load | Store]) -> VectorType:
    """The type of what they load or store."""
    element = statements[0].place.type
    assert isinstance(element, ScalarType)
    return VectorType(element, len(statements))


def _sum(index: Expr) -> tuple[list[Expr], int]:
    """An index as the terms that it adds, and a constant."""
    if isinstance(index, Constant):
        return [], int(index.value)
    if isinstance(index, Binary) and index.type in (I32, U32) and index.op is BinaryOp.ADD:
        terms, constant = _sum(index.left)
        more, other = _sum(index.right)
        return terms + more, constant + other
    return [index], 0
