"""emulate_float_atomics: atomics on f32 for devices that have only integer atomics.

Every f32 memory accessed by an atomic becomes a u32 memory that holds the bits. Plain loads and stores convert; an
addition is a compare-exchange loop. The module must not contain Bounds any more: they guard one statement, and an
addition becomes several.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

from gpucore.ir import (
    F32,
    U32,
    Assign,
    Atomic,
    AtomicOp,
    BinaryOp,
    Bitcast,
    Block,
    Break,
    Buffer,
    Declare,
    If,
    Let,
    Load,
    Local,
    Loop,
    Memory,
    Module,
    Place,
    Stmt,
    Store,
    Value,
    WorkgroupArray,
    build,
    walk,
)

_ARITHMETIC = {AtomicOp.ADD: BinaryOp.ADD, AtomicOp.SUB: BinaryOp.SUB}


def emulate_float_atomics(module: Module) -> Module:
    """The module without atomics on f32; the module itself where it has none."""
    found = [s.place.memory for s in walk.statements(module.body) if isinstance(s, Atomic) and s.place.type == F32]
    if not found:
        return module
    emulation = _Emulation(module, found)
    return dataclasses.replace(
        module,
        buffers=tuple(emulation.buffers.get(buffer.index, buffer) for buffer in module.buffers),
        workgroup_arrays=tuple(emulation.arrays.get(array.id, array) for array in module.workgroup_arrays),
        body=emulation.block(module.body),
    )


class _Emulation:
    """Rewrites one module. `buffers`, by index, and `arrays`, by id, are the memories that now hold bits."""

    def __init__(self, module: Module, found: list[Memory]) -> None:
        self._ids = itertools.count(walk.next_id(module))
        # an addition reads, even from a buffer that the kernel only writes
        self.buffers = {
            memory.index: dataclasses.replace(memory, element=U32, readable=True)
            for memory in found
            if isinstance(memory, Buffer)
        }
        self.arrays = {
            memory.id: dataclasses.replace(memory, element=U32)
            for memory in found
            if isinstance(memory, WorkgroupArray)
        }

    def _value(self, name: str) -> Value:
        return Value(next(self._ids), name, U32)

    def block(self, block: Block) -> Block:
        """The block with every access to those memories rewritten."""
        out: list[Stmt] = []
        for statement in block:
            mapped = walk.map_statement(statement, lambda expr: expr, self.block)
            place = walk.place_of(mapped)
            memory = None if place is None else self._bits_of(place.memory)
            if place is None or memory is None:
                out.append(mapped)
            else:
                out.extend(self._access(mapped, Place(memory, place.index)))
        return walk.same_or(block, out)

    def _bits_of(self, memory: Memory) -> Buffer | WorkgroupArray | None:
        """The u32 memory that replaces an f32 memory."""
        if isinstance(memory, Buffer):
            return self.buffers.get(memory.index)
        return self.arrays.get(memory.id) if isinstance(memory, WorkgroupArray) else None

    # ------------------------------------------------------------ accesses

    def _access(self, statement: Stmt, place: Place) -> Iterator[Stmt]:
        span = statement.span
        match statement:
            case Load():
                bits = self._value(f"{statement.value.name}_bits")
                yield Load(bits, place, span)
                yield Let(statement.value, Bitcast(bits, F32), span)
            case Store():
                yield Store(place, Bitcast(statement.expr, U32), span)
            case Atomic() if statement.op in _ARITHMETIC:
                yield from self._add(statement, place)
            case Atomic():
                operand = None if statement.operand is None else Bitcast(statement.operand, U32)
                before = None if statement.value is None else self._value(f"{statement.value.name}_bits")
                yield Atomic(before, statement.op, place, operand, None, span)
                if statement.value is not None and before is not None:
                    yield Let(statement.value, Bitcast(before, F32), span)

    def _add(self, statement: Atomic, place: Place) -> Iterator[Stmt]:
        """A compare-exchange loop that starts from a guess. It compares bits, so NaN needs no special case."""
        assert statement.operand is not None
        span = statement.span
        index = Value(next(self._ids), "index", place.index.type)
        operand = Value(next(self._ids), "operand", F32)
        first, found, seen = self._value("first"), self._value("found"), Local(next(self._ids), "seen", U32)
        place = Place(place.memory, index)
        result = build.binary(_ARITHMETIC[statement.op], Bitcast(seen, F32), operand)
        tries = (
            Atomic(found, AtomicOp.COMPARE_EXCHANGE, place, Bitcast(result, U32), seen, span),
            If(build.eq(found, seen), (Break(span),), (), span),
            Assign(seen, found, span),
        )
        yield Let(index, statement.place.index, span)
        yield Let(operand, statement.operand, span)
        yield Atomic(first, AtomicOp.LOAD, place, None, None, span)
        yield Declare(seen, first, span)
        yield Loop(tries, span)
        if statement.value is not None:
            yield Let(statement.value, Bitcast(seen, F32), span)
