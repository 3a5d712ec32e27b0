"""mark_writes: each store to an Out of a kernel under debug sets a bit, so that the host finds what was not written.

A plane has one bit for each element of an Out; of an array of structs, each scalar and vector field has a plane. The
planes are in the hidden buffer of `instrument`, whose header has the first word of each. It is 0 for a plane that has
no room: its stores set no bit. A store that is skipped because an index is out of range sets none either. Bits are set
by atomics, as neighbours share a word; they are beside the array, so that no value in it can be taken for a mark.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

from gpucore.immutable import Immutable
from gpucore.ir import (
    U32,
    Atomic,
    AtomicOp,
    Block,
    Buffer,
    Constant,
    Element,
    If,
    Load,
    Module,
    Place,
    Stmt,
    Store,
    StructType,
    Value,
    build,
    walk,
)
from gpucore.span import Span


class Plane(Immutable):
    """The bits of one Out: `buffer` is its index, and of an array of structs `path` leads to the field `field`."""

    buffer: int
    array: str
    field: str  # "velocity", "body.mass"; "" without structs
    path: tuple[int, ...]
    span: Span | None  # the parameter


def planes_of(module: Module) -> tuple[Plane, ...]:
    """A plane for each scalar or vector in an element of each Out."""
    return tuple(
        Plane(buffer.index, buffer.name, field, path, buffer.span)
        for buffer in module.buffers
        if buffer.writable and not buffer.readable
        for path, field in fields_of(buffer.element)
    )


def fields_of(element: Element) -> Iterator[tuple[tuple[int, ...], str]]:
    """The path and the name of each scalar or vector in an element."""
    if not isinstance(element, StructType):
        yield (), ""
        return
    for number, field in enumerate(element.fields):
        for path, name in fields_of(field.type):
            yield (number, *path), f"{field.name}.{name}" if name else field.name


def mark_writes(module: Module, records: Buffer, planes: tuple[Plane, ...], first_word: int) -> Module:
    """The module with a mark after each store and atomic to an element of a plane.

    The first words of the planes are in `records` from `first_word` on.
    """
    words = {(plane.buffer, plane.path): first_word + number for number, plane in enumerate(planes)}
    ids = itertools.count(walk.next_id(module))

    def marked(block: Block) -> Block:
        out: list[Stmt] = []
        for statement in block:
            out.append(walk.map_statement(statement, lambda expr: expr, marked))
            place = _written(statement)
            if place is not None and isinstance(place.memory, Buffer):
                word = words.get((place.memory.index, place.path))
                if word is not None:
                    out += _mark(place, records, word, Value(next(ids), "marks", U32), statement.span)
        return walk.same_or(block, out)

    return dataclasses.replace(module, body=marked(module.body))


def _written(statement: Stmt) -> Place | None:
    """The place that a statement writes, also if an atomic leaves the value there as it is."""
    if isinstance(statement, Store) or (isinstance(statement, Atomic) and statement.op is not AtomicOp.LOAD):
        return statement.place
    return None


def _mark(place: Place, records: Buffer, word: int, first: Value, span: Span | None) -> Block:
    """Sets the bit of an element."""
    index = build.convert(place.index, U32)
    bit = build.shl(Constant(1, U32), build.bit_and(index, 31))
    mark = Atomic(None, AtomicOp.OR, Place(records, build.add(first, build.shr(index, 5))), bit, None, span)
    return (
        Load(first, Place(records, Constant(word, U32)), span),
        If(build.ne(first, 0), (mark,), (), span),
    )
