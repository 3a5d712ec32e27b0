"""unroll_loops: loops over an array in wide steps read several elements before they use the first.

Such a loop goes on by the number of all invocations, or of those of a workgroup, from one iteration to the next:

    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):      while i < x.size:
        total += x[i]                                                             total += x[i]; i += step

An iteration waits for memory, and the next one can read only afterwards. So several iterations are made one: first all
that they read from memory which nobody writes, then the rest of each, in their order. The results are the same, bit for
bit. What remains at the end is done by the loop as it was.

An element that an iteration writes is read before, too, if the loop alone reaches its array, and at the strided index
alone, which differs between iterations.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Set

from gpucore.immutable import Immutable
from gpucore.ir import (
    BOOL,
    I32,
    U32,
    Assign,
    Atomic,
    Binary,
    BinaryOp,
    Block,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    ConstantArray,
    Convert,
    Declare,
    Expr,
    ForRange,
    If,
    Let,
    Load,
    Local,
    Loop,
    Module,
    Param,
    Stmt,
    Store,
    Type,
    Uniform,
    Value,
    build,
    walk,
)
from gpucore.passes.streaming.copies import COPIED, Copier
from gpucore.passes.streaming.elementwise import cost_of
from gpucore.passes.streaming.limits import Unrolling

_MIN_STEP = 32


def unroll_loops(module: Module, unrolling: Unrolling) -> Module:
    """The module with such loops unrolled; the module itself if there are none."""
    if not module.coarsens:
        return module
    return _Unroller(module, unrolling).unrolled()


class _Stride(Immutable):
    """How the index of a loop goes on. In a ForRange it is `start + counter * step`, else a variable."""

    index: Expr  # in the body
    step: Expr


class _Parts(Immutable, eq=False):
    """The statements of an iteration: those that can come before others of the iterations before, and the rest."""

    early: Block
    late: Block
    nbytes: int  # that the early ones read
    is_distinct: bool  # whether they rely on a step that is not 0


class _Unroller:
    def __init__(self, module: Module, unrolling: Unrolling) -> None:
        self._module, self._unrolling = module, unrolling
        self._ids = itertools.count(walk.next_id(module))
        self._assigned = walk.assigned_locals(module.body)
        self._wide: set[int] = set()  # the values that are wide steps
        self._accesses: dict[int, list[Stmt]] = {}  # to each buffer that is written
        for statement in walk.statements(module.body):
            if isinstance(statement, (Let, Uniform)) and self._is_wide(statement.expr):
                self._wide.add(statement.value.id)
            if isinstance(statement, (Store, Atomic)) and isinstance(statement.place.memory, Buffer):
                self._accesses[statement.place.memory.index] = []
        for statement in walk.statements(module.body):
            place = walk.place_of(statement)
            if place is not None and isinstance(place.memory, Buffer) and place.memory.index in self._accesses:
                self._accesses[place.memory.index].append(statement)

    def unrolled(self) -> Module:
        """The module with loops unrolled."""
        body = self._block(self._module.body)
        return self._module if body is self._module.body else dataclasses.replace(self._module, body=body)

    def _block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for statement in block:
            made = None
            if isinstance(statement, ForRange):
                made = self._for_range(statement)
            elif isinstance(statement, Loop):
                made = self._while(statement)
            out += made or [walk.map_statement(statement, lambda expr: expr, self._block)]
        return walk.same_or(block, out)

    # ------------------------------------------------------------ for

    def _for_range(self, loop: ForRange) -> list[Stmt] | None:
        """A loop over a range with a step, as it is lowered: it counts from 0."""
        if loop.start != Constant(0, U32):
            return None
        inner = self._inner(loop.body, {loop.counter.id})
        stride = next((found for each in loop.body if (found := self._stride(each, loop.counter, inner))), None)
        parts = None if stride is None else self._parts(loop.body, stride, inner)
        if stride is None or parts is None or (count := self._count(loop.body, parts)) < 2:
            return None
        span, shift = loop.span, count.bit_length() - 1
        lets: list[Stmt] = []
        stop = self._named("trips", loop.stop, lets)
        chunks, chunk = self._value("chunks", U32), self._value("chunk", U32)
        whole: Expr = build.shr(stop, shift)
        if parts.is_distinct:
            whole = build.select(build.ne(stride.step, 0), whole, 0)
        copiers = []
        counters: list[Stmt] = []
        for number in range(count):
            counter = self._value(loop.counter.name, U32)
            first = build.shl(chunk, shift)
            counters.append(Let(counter, build.add(first, number) if number else first, span))
            copiers.append(Copier(self._ids, {loop.counter.id: counter}))
        body = (*counters, *_interleaved(copiers, parts))
        return [
            *lets,
            Let(chunks, whole, span),
            ForRange(chunk, Constant(0, U32), chunks, body, span),
            ForRange(loop.counter, build.shl(chunks, shift), stop, loop.body, span),
        ]

    def _stride(self, statement: Stmt, counter: Value, inner: Set[int]) -> _Stride | None:
        """The stride of a statement that binds `start + counter * step`, or accesses memory there."""
        place = walk.place_of(statement)
        expr = statement.expr if isinstance(statement, Let) else None if place is None else place.index
        if not isinstance(expr, Binary) or expr.op is not BinaryOp.ADD or expr.type not in (I32, U32):
            return None
        for start, product in ((expr.left, expr.right), (expr.right, expr.left)):
            if isinstance(product, Binary) and product.op is BinaryOp.MUL and self._is_fixed(start, inner):
                for trip, step in ((product.left, product.right), (product.right, product.left)):
                    if _is_counter(trip, counter) and self._is_fixed(step, inner) and self._is_wide(step):
                        return _Stride(statement.value if isinstance(statement, Let) else expr, step)
        return None

    # ------------------------------------------------------------ while

    def _while(self, loop: Loop) -> list[Stmt] | None:
        """A loop that begins with `if index >= stop: break` and ends with `index = index + step`."""
        if len(loop.body) < 3:
            return None
        test, *body, last = loop.body
        if not isinstance(last, Assign) or last.local.type not in (I32, U32):
            return None
        index, step = last.local, _added(last.expr, last.local)
        inner = self._inner(loop.body, set())
        stop = _stop_of(test, index)
        if step is None or stop is None or not all(self._is_fixed(each, inner) for each in (step, stop)):
            return None
        if not self._is_wide(step) or any(index.id in self._assigned_in(each) for each in body):
            return None
        parts = self._parts(tuple(body), _Stride(index, step), inner)
        if parts is None or (count := self._count(tuple(body), parts)) < 2:
            return None
        return [*self._chunks(loop, index, step, stop, parts, count), loop]

    def _chunks(self, loop: Loop, index: Local, step: Expr, stop: Expr, parts: _Parts, count: int) -> list[Stmt]:
        """The loop over several iterations, while that many are left: no index in it wraps around."""
        span, type = loop.span, index.type
        assert type in (I32, U32)
        most = type.max_value // count
        fits = self._value("fits", BOOL)
        reach = self._value("reach", type)
        lets: list[Stmt] = []
        step = self._named("step", step, lets)
        is_small = build.logical_and(build.gt(step, 0), build.le(step, most))
        ahead = build.logical_and(build.lt(index, stop), build.gt(build.sub(stop, index), reach))
        is_left = build.logical_and(build.logical_and(fits, build.ge(index, 0)), ahead)
        copiers = []
        indices: list[Stmt] = []
        at: Expr = index
        for _ in range(count):
            value = self._value(index.name, type)
            indices.append(Let(value, at, span))
            copiers.append(Copier(self._ids, {index.id: value}))
            at = build.add(value, step)
        leave = If(build.logical_not(is_left), (Break(span),), (), span)
        body = (leave, *indices, *_interleaved(copiers, parts), Assign(index, at, span))
        return [*lets, Let(fits, is_small, span), Let(reach, build.mul(step, count - 1), span), Loop(body, span)]

    # ------------------------------------------------------------ both

    def _value(self, name: str, type: Type) -> Value:
        return Value(next(self._ids), name, type)

    def _named(self, name: str, expr: Expr, lets: list[Stmt]) -> Expr:
        """A name for what is used several times, which a Let binds."""
        if isinstance(expr, (Constant, Value, Param)):
            return expr
        value = self._value(name, expr.type)
        lets.append(Let(value, expr))
        return value

    def _inner(self, body: Block, more: Set[int]) -> frozenset[int]:
        """What differs between iterations: the values bound in a loop, and the locals assigned in it."""
        bound = {value.id for each in walk.statements(body) if (value := walk.bound_value(each)) is not None}
        return frozenset(bound | self._assigned[id(body)] | more)

    def _assigned_in(self, statement: Stmt) -> set[int]:
        own = {statement.local.id} if isinstance(statement, (Assign, Declare)) else set()
        return own.union(*(self._assigned[id(block)] for block in walk.blocks(statement)))

    def _is_fixed(self, expr: Expr, inner: Set[int]) -> bool:
        return not any(isinstance(leaf, (Value, Local)) and leaf.id in inner for leaf in walk.leaves(expr))

    def _is_wide(self, step: Expr) -> bool:
        """Whether a step is by the invocations of the grid, or of a workgroup."""
        if isinstance(step, Constant):
            return step.value >= _MIN_STEP
        return any(
            (isinstance(leaf, Builtin) and leaf.kind is BuiltinKind.NUM_WORKGROUPS)
            or (isinstance(leaf, Value) and leaf.id in self._wide)
            for leaf in walk.leaves(step)
        )

    def _count(self, body: Block, parts: _Parts) -> int:
        """How many iterations are made one: a power of two."""
        cost = sum(sum(map(cost_of, walk.expressions(each))) + 1 for each in walk.statements(body))
        limits = self._unrolling
        count = min(limits.max_iterations, limits.nbytes // parts.nbytes, limits.max_cost // cost)
        return 1 << (count.bit_length() - 1) if count else 0

    def _parts(self, body: Block, stride: _Stride, inner: Set[int]) -> _Parts | None:
        """The statements of an iteration, if it can be one of several and reads memory at the strided index."""
        if not all(isinstance(each, COPIED) for each in walk.statements(body)):
            return None
        changing = {local for each in body for local in self._assigned_in(each)}
        late_values: set[int] = set()
        written: set[int] = set()  # buffers, so far in an iteration
        early: list[Stmt] = []
        late: list[Stmt] = []
        nbytes, is_distinct = 0, False
        for statement in body:
            is_early = isinstance(statement, (Let, Load)) and not any(
                isinstance(leaf, (Value, Local)) and (leaf.id in late_values or leaf.id in changing)
                for expr in walk.expressions(statement)
                for leaf in walk.leaves(expr)
            )
            if isinstance(statement, Load) and is_early:
                memory = statement.place.memory
                own = isinstance(memory, Buffer) and memory.index in self._accesses
                is_early = isinstance(memory, ConstantArray) or (isinstance(memory, Buffer) and memory.rank > 0 and (
                    not own or (memory.index not in written and self._is_private(memory.index, body, stride))
                ))  # fmt: skip
                if is_early and not self._is_fixed(statement.place.index, inner):
                    nbytes += statement.place.type.nbytes
                    is_distinct |= own
            for each in walk.statements((statement,)):
                if isinstance(each, (Store, Atomic)) and isinstance(each.place.memory, Buffer):
                    written.add(each.place.memory.index)
                if not is_early and (value := walk.bound_value(each)) is not None:
                    late_values.add(value.id)
            (early if is_early else late).append(statement)
        return _Parts(tuple(early), tuple(late), nbytes, is_distinct) if nbytes else None

    def _is_private(self, buffer: int, body: Block, stride: _Stride) -> bool:
        """Whether a buffer is accessed by the statements of a loop alone, and at its strided index alone."""
        own = {id(statement) for statement in body}
        return all(
            id(each) in own and isinstance(each, (Load, Store)) and each.place.index == stride.index
            for each in self._accesses[buffer]
        )


def _interleaved(copiers: list[Copier], parts: _Parts) -> Block:
    """The iterations, with what can come early first."""
    early = [copier.block(parts.early) for copier in copiers]
    late = [copier.block(parts.late) for copier in copiers]
    return tuple(itertools.chain(*early, *late))


def _is_counter(expr: Expr, counter: Value) -> bool:
    while isinstance(expr, Convert):
        expr = expr.operand
    return expr == counter


def _added(expr: Expr, local: Local) -> Expr | None:
    """What is added to a local."""
    if isinstance(expr, Binary) and expr.op is BinaryOp.ADD:
        if expr.left == local:
            return expr.right
        if expr.right == local:
            return expr.left
    return None


def _stop_of(statement: Stmt, index: Local) -> Expr | None:
    """The bound of `if index >= bound: break`."""
    if not isinstance(statement, If) or statement.orelse or [type(each) for each in statement.then] != [Break]:
        return None
    test = statement.condition
    if isinstance(test, Binary) and test.op is BinaryOp.GE and test.left == index:
        return test.right
    if isinstance(test, Binary) and test.op is BinaryOp.LE and test.right == index:
        return test.left
    return None
