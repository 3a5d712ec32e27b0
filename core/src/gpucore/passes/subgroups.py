"""emulate_subgroups: subgroups for devices that have none, by workgroup memory and barriers.

The invocations of a workgroup, numbered with x fastest, are divided into subgroups of `size`; the last may be smaller.
Each operation writes its operands to one array that all operations share, waits at a barrier, reads what it needs, and
waits again, so that the next one may write. The reads are unrolled: a loop would count against limits on loop
iterations. An operation that reads from an invocation that does not exist gets the operand of the invocation itself.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

from gpucore.ir import (
    BOOL,
    EMULATED_SUBGROUP_SIZE,
    I32,
    SUBGROUP_BUILTINS,
    U32,
    Barrier,
    Block,
    Builtin,
    BuiltinKind,
    Constant,
    Convert,
    Expr,
    Let,
    Load,
    MathOp,
    Module,
    Place,
    Stmt,
    Store,
    Subgroup,
    SubgroupOp,
    Type,
    Value,
    WorkgroupArray,
    build,
    walk,
)
from gpucore.span import Span

_ZERO = Constant(0, U32)
_WORD_BITS = 32


def emulate_subgroups(module: Module, size: int = EMULATED_SUBGROUP_SIZE) -> Module:
    """The module without subgroup operations and builtins; the module itself where it has none."""
    if not walk.uses_subgroups(module):
        return module
    emulation = _Emulation(module, size)
    body = emulation.prologue() + emulation.block(module.body)
    return dataclasses.replace(module, body=body, workgroup_arrays=(*module.workgroup_arrays, emulation.array))


def widen_barriers(module: Module) -> Module:
    """The module with barriers of the workgroup in place of those of a subgroup; the module itself if it has none."""

    def on_block(block: Block) -> Block:
        return walk.same_or(block, [on_statement(statement) for statement in block])

    def on_statement(statement: Stmt) -> Stmt:
        if isinstance(statement, Subgroup) and statement.op is SubgroupOp.BARRIER:
            return Barrier(statement.span, statement.buffers)
        return walk.map_statement(statement, lambda expr: expr, on_block)

    body = on_block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


class _Emulation:
    """Rewrites one module. All positions are u32."""

    def __init__(self, module: Module, size: int) -> None:
        self._ids = itertools.count(walk.next_id(module))
        self._size = size
        self._invocations = module.num_invocations
        self._width = min(size, self._invocations)  # of the largest subgroup
        self._least = self._invocations % size or self._width  # of the smallest
        # whole subgroups, so that reads of the last one from invocations that do not exist stay inside the array
        length = -(-self._invocations // self._width) * self._width
        self.array = WorkgroupArray(next(self._ids), "subgroup_operands", U32, length)
        self._index_of = _local_index(module.workgroup_size)
        self._index = self._value("local_index", U32)
        self._lane = self._value("subgroup_lane", U32)
        self._first = self._value("subgroup_first", U32)
        self._count = self._value("subgroup_count", U32)

    def _value(self, name: str, type: Type) -> Value:
        return Value(next(self._ids), name, type)

    # ------------------------------------------------------------ positions

    def prologue(self) -> Block:
        """The position of an invocation, bound once for all operations. Unused parts are removed as dead code."""
        is_single = self._invocations <= self._size
        lane = self._index if is_single else build.floor_mod(self._index, self._size)
        rest = build.sub(self._invocations, self._first)
        is_even = self._least == self._width
        count = _number(self._width) if is_even else build.call(MathOp.MIN, rest, self._size)
        return (
            Let(self._index, self._index_of),
            Let(self._lane, lane),
            Let(self._first, _ZERO if is_single else build.sub(self._index, self._lane)),
            Let(self._count, count),
        )

    def _builtin(self, leaf: walk.Leaf) -> Expr:
        """The replacement of a subgroup builtin."""
        if not isinstance(leaf, Builtin) or leaf.kind not in SUBGROUP_BUILTINS:
            return leaf
        match leaf.kind:
            case BuiltinKind.SUBGROUP_SIZE:
                return Constant(self._size, I32)
            case BuiltinKind.NUM_SUBGROUPS:
                return Constant(-(-self._invocations // self._size), I32)
            case BuiltinKind.SUBGROUP_ID:
                return Convert(build.floor_div(self._index, self._size), I32)
            case _:
                return Convert(self._lane, I32)

    # ------------------------------------------------------------ statements

    def block(self, block: Block) -> Block:
        """The block with every operation expanded."""
        out: list[Stmt] = []
        for statement in block:
            mapped = walk.map_statement(statement, self._expr, self.block)
            out.extend(self._operation(mapped) if isinstance(mapped, Subgroup) else (mapped,))
        return walk.same_or(block, out)

    def _expr(self, expr: Expr) -> Expr:
        return walk.map_leaves(expr, self._builtin)

    def _operation(self, statement: Subgroup) -> list[Stmt]:
        span, value = statement.span, statement.value
        if value is None:  # BARRIER
            return [Barrier(span, statement.buffers)]
        if statement.operand is None:  # ELECT
            return [Let(value, build.eq(self._lane, 0), span)]
        own = Place(self.array, self._index)
        stored = self._value("stored", U32)
        bits = _to_bits(statement.operand)
        if statement.op is SubgroupOp.MATCH and statement.bits < U32.bits:
            bits = build.bit_and(bits, (1 << statement.bits) - 1)
        inner = list(self._combine(statement, statement.operand, stored))
        ends = Barrier(span, buffers=False)
        return [Let(stored, bits, span), Store(own, stored, span), ends, *inner, ends]

    def _combine(self, statement: Subgroup, operand: Expr, stored: Expr) -> Sequence[Stmt]:
        """Reads and the result, between the barriers. `stored`: the own bits."""
        if statement.argument is not None:
            return self._shuffle(statement, statement.argument, operand.type)
        loads, bits = self._load_all(statement.span)
        values = [_from_bits(value, operand.type) for value in bits]
        if statement.op is SubgroupOp.BALLOT:
            return [*loads, *self._mask(statement, bits)]
        if statement.op is SubgroupOp.MATCH:
            return [*loads, *self._mask(statement, [build.select(build.eq(b, stored), _number(1), 0) for b in bits])]
        if statement.op is SubgroupOp.EXCLUSIVE_ADD:
            start = build.zero(operand.type)
            steps = list(enumerate(values[:-1]))
        else:
            start, steps = values[0], list(enumerate(values))[1:]
        total, out = start, loads
        for number, value in steps:
            total = self._step(statement, number, total, value, out)
        return [*out, Let(statement.result, total, statement.span)]

    def _load_all(self, span: Span | None) -> tuple[list[Stmt], list[Value]]:
        """The bits of every invocation of the own subgroup, in order."""
        bits = [self._value("operand", U32) for _ in range(self._width)]
        places = (Place(self.array, build.add(self._first, lane)) for lane in range(self._width))
        return [Load(value, place, span) for value, place in zip(bits, places, strict=True)], bits

    def _step(self, statement: Subgroup, number: int, total: Expr, value: Expr, out: list[Stmt]) -> Expr:
        """`total` combined with the operand of invocation `number` if that exists; bound, since it is used twice."""
        after = _apply(statement.op, total, value)
        if statement.op is SubgroupOp.INCLUSIVE_ADD:
            after = build.select(build.le(number, self._lane), after, total)
        elif statement.op is SubgroupOp.EXCLUSIVE_ADD:
            after = build.select(build.lt(number, self._lane), after, total)
        else:
            after = self._if_exists(number, after, total)
        bound = self._value("total", after.type)
        out.append(Let(bound, after, statement.span))
        return bound

    def _if_exists(self, number: int, expr: Expr, otherwise: Expr) -> Expr:
        """`expr`, or `otherwise` if the subgroup has no invocation `number`."""
        if number < self._least:
            return expr
        return build.select(build.lt(number, self._count), expr, otherwise)

    def _mask(self, statement: Subgroup, bits: Sequence[Expr]) -> list[Stmt]:
        """A result with a bit for each invocation that exists."""
        out: list[Stmt] = []
        words: list[Expr] = [_ZERO] * 4
        for number, bit in enumerate(bits[: 4 * _WORD_BITS]):
            word, place = divmod(number, _WORD_BITS)
            shifted = build.shl(self._if_exists(number, bit, _ZERO), place)
            bound = self._value("mask", U32)
            out.append(Let(bound, build.bit_or(words[word], shifted), statement.span))
            words[word] = bound
        return [*out, Let(statement.result, build.construct(*words), statement.span)]

    def _shuffle(self, statement: Subgroup, argument: Expr, type: Type) -> list[Stmt]:
        """The operand of another invocation, or the own one if that does not exist."""
        span, given = statement.span, self._value("argument", U32)
        source: Expr
        exists: Expr
        match statement.op:
            case SubgroupOp.SHUFFLE_UP:
                source, exists = build.sub(self._lane, given), build.le(given, self._lane)
            case SubgroupOp.SHUFFLE_DOWN:
                source = build.add(self._lane, given)
                exists = build.lt(given, build.sub(self._count, self._lane))
            case SubgroupOp.SHUFFLE_XOR:
                source = build.bit_xor(self._lane, given)
                exists = build.lt(source, self._count)
            case _:
                source, exists = given, build.lt(given, self._count)
        chosen = build.select(exists, source, self._lane)
        bits = self._value("operand", U32)
        return [
            Let(given, argument, span),
            Load(bits, Place(self.array, build.add(self._first, chosen)), span),
            Let(statement.result, _from_bits(bits, type), span),
        ]


# ---------------------------------------------------------------- expressions


def _number(value: int) -> Constant:
    return Constant(value, U32)


def _local_index(size: tuple[int, int, int]) -> Expr:
    """The number of an invocation in its workgroup, x fastest."""
    index: Expr = _ZERO
    for axis in (2, 1, 0):
        if size[axis] > 1:
            here = Convert(Builtin(BuiltinKind.LOCAL_ID, axis), U32)
            is_outermost = index == _ZERO
            index = here if is_outermost else build.add(build.mul(index, size[axis]), here)
    return index


def _to_bits(operand: Expr) -> Expr:
    if operand.type == BOOL:
        return build.select(operand, _number(1), 0)
    return build.bitcast(operand, U32)


def _from_bits(bits: Expr, type: Type) -> Expr:
    if type == BOOL:
        return build.ne(bits, 0)
    return build.bitcast(bits, type)


def _apply(op: SubgroupOp, total: Expr, value: Expr) -> Expr:
    match op:
        case SubgroupOp.MIN:
            return build.call(MathOp.MIN, total, value)
        case SubgroupOp.MAX:
            return build.call(MathOp.MAX, total, value)
        case SubgroupOp.ANY:
            return build.logical_or(total, value)
        case SubgroupOp.ALL:
            return build.logical_and(total, value)
        case _:
            return build.add(total, value)
