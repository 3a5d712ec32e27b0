"""Constant arrays: 32-bit words of one uniform buffer, bound after the buffers, the scalars and the truncation flags.

WGSL has constant arrays too. naga copies them to the memory of each invocation, and lavapipe compiles one of a few
thousand numbers for minutes.
"""

from __future__ import annotations

import dataclasses
import itertools
import struct
from collections.abc import Iterator

from gpucore.plugin import ir
from gpucore.plugin.ir import I32, I64, U32, U64, build, walk

NAME = "gpucore_tables"
_FORMATS = {"i": "i", "u": "I", "f": "f"}
_WIDE_FORMATS = {"i": "q", "u": "Q", "f": "d"}


def as_words(module: ir.Module) -> ir.Module:
    """The kernel with constant arrays of u32 alone, and their words converted where they are loaded."""
    words = {array.id: _words(array) for array in walk.constant_arrays(module.body)}
    ids = itertools.count(walk.next_id(module))

    def on_block(block: ir.Block) -> ir.Block:
        return walk.same_or(block, [new for statement in block for new in on_statement(statement)])

    def on_statement(statement: ir.Stmt) -> Iterator[ir.Stmt]:
        if not isinstance(statement, ir.Load) or not isinstance(statement.place.memory, ir.ConstantArray):
            yield walk.map_statement(statement, lambda expr: expr, on_block) if walk.blocks(statement) else statement
            return
        yield from _load(statement, words[statement.place.memory.id], ids)

    body = on_block(module.body) if words else module.body
    return module if body is module.body else dataclasses.replace(module, body=body)


def _words(array: ir.ConstantArray) -> ir.ConstantArray:
    element = array.element
    code = (_WIDE_FORMATS if element.bits == 64 else _FORMATS)[element.name[0]]
    packed = struct.pack(f"<{array.length}{code}", *array.values)
    return ir.ConstantArray(array.id, array.name, U32, struct.unpack(f"<{len(packed) // 4}I", packed))


def _load(load: ir.Load, words: ir.ConstantArray, ids: Iterator[int]) -> Iterator[ir.Stmt]:
    """One word, or two for an element of 64 bits, the lower half first."""
    index, type = load.place.index, load.value.type
    if type == U32:
        yield ir.Load(load.value, ir.Place(words, index), load.span)
        return
    count = ir.scalar_of(type).bits // U32.bits
    parts = [ir.Value(next(ids), load.value.name, U32) for _ in range(count)]
    for number, part in enumerate(parts):
        at: ir.Expr = index if count == 1 else build.mul(index, count)
        at = build.add(at, number) if number else at
        yield ir.Load(part, ir.Place(words, at), load.span)
    whole: ir.Expr = parts[0]
    if count == 2:
        low, high = (build.convert(part, U64) for part in parts)
        whole = build.bit_or(low, build.shl(high, 32))
    converted = build.convert(whole, type) if type in (I32, I64) else build.bitcast(whole, type)
    yield ir.Let(load.value, converted, load.span)


def packed(module: ir.Module) -> bytes:
    """The words of all constant arrays, which `as_words` made, in whole vectors of four."""
    values = [value for array in walk.constant_arrays(module.body) for value in array.values]
    values += [0] * (-len(values) % 4)
    return struct.pack(f"<{len(values)}I", *values)


def offsets(module: ir.Module) -> dict[int, int]:
    """By the id of each constant array: the number of its first word."""
    arrays = walk.constant_arrays(module.body)
    ends = itertools.accumulate(array.length for array in arrays)
    return {array.id: end - array.length for array, end in zip(arrays, ends, strict=True)}


__all__ = ["NAME", "as_words", "offsets", "packed"]
