"""coarsen: the variant of an element-wise kernel in which an invocation does the work of several.

With `width` w, `vectors` v and a workgroup of s invocations, workgroup g does the elements from g * s * v * w on. They
are v rows of s groups of w neighbours; invocation l does group l of each row. So neighbouring invocations access
neighbouring memory, each up to 16 bytes at once.

    first = (g * s * v + l) * w                       # of its elements; those of row k begin at first + k * s * w
    if last < ids that the call launches and every guard holds for `first` and `last`:
        read all, compute all, write all
    else:
        for each element: if it is launched: what the kernel did for it
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import operator
from collections.abc import Sequence

from gpucore.immutable import Immutable
from gpucore.ir import (
    I32,
    U32,
    Assign,
    Block,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    Convert,
    Declare,
    Expr,
    Extract,
    ForRange,
    GridOrigin,
    If,
    Let,
    Load,
    Local,
    MathOp,
    Module,
    Param,
    Place,
    Stmt,
    Store,
    Type,
    Value,
    build,
    walk,
)
from gpucore.passes.streaming.copies import Copier
from gpucore.passes.streaming.elementwise import Elementwise, Key, find_elementwise, key_of
from gpucore.passes.streaming.limits import Streaming
from gpucore.passes.streaming.views import TakesView, as_view, elements_in, view_of
from gpucore.span import Span

_WORD = 4  # bytes


def coarsen(module: Module, streaming: Streaming, takes: TakesView) -> Module:
    """The variant of an element-wise kernel, `coarsening` elements to an invocation; else the module itself.

    A param (GridOrigin "called", i32) is appended. The module has run through all passes that know the sizes of arrays.
    `takes` says which views the backend has.
    """
    if not module.coarsens or (found := find_elementwise(module)) is None:
        return module
    views = _choose_views(found, streaming, takes)
    width = 1 if views is None else views.width
    rows = _count_rows(found, width, streaming)
    return module if rows * width <= 1 else _Coarsening(module, found, views, rows).made()


class _Views(Immutable, eq=False):
    """The views of all buffers that are accessed at the id: `width` elements of each."""

    width: int
    of: dict[Key, Type]


def _uses_id(found: Elementwise) -> bool:
    """Whether the body uses the id for more than the places of its elements."""
    for statement in walk.statements(found.body):
        exprs, place = list(walk.expressions(statement)), walk.place_of(statement)
        if place is not None and place.index == found.element:
            exprs.remove(place.index)  # once: it may be what is stored, too
        if any(found.element in walk.leaves(expr) for expr in exprs):
            return True
    return False


def _computed_with(body: Block) -> frozenset[int]:
    """The values that are operands of something; others are moved only."""
    exprs = [expr for statement in walk.statements(body) for expr in walk.expressions(statement)]
    leaves = [leaf for expr in exprs if walk.children(expr) for leaf in walk.leaves(expr)]
    return frozenset(leaf.id for leaf in leaves if isinstance(leaf, Value))


def _places(found: Elementwise) -> dict[Key, Place]:
    return {key_of(place): place for place in (*found.loaded, *found.stored)}


def _choose_views(found: Elementwise, streaming: Streaming, takes: TakesView) -> _Views | None:
    """Views of as many elements as fit an access; None if some buffer has none, or neighbours are read one by one."""
    places = _places(found)
    if found.is_scattered or any(place.path for place in places.values()):
        return None
    elements = {key: place.type for key, place in places.items()}
    width = streaming.max_access // max(element.nbytes for element in elements.values())
    while width > 1:
        views = {key: view_of(element, width, takes) for key, element in elements.items()}
        chosen = {key: view for key, view in views.items() if view is not None}
        if len(chosen) == len(views):
            return _Views(width, chosen)
        width //= 2
    return None


def _count_rows(found: Elementwise, width: int, streaming: Streaming) -> int:
    """How many groups of `width` elements an invocation does: a power of two; 0 if a single group is too much."""
    sizes = [place.type.nbytes for place in _places(found).values()]
    most = streaming.max_elements * max(1, _WORD // min(sizes))

    def fits(rows: int) -> bool:
        elements = rows * width
        is_little = elements * max(sizes) <= streaming.nbytes and elements <= most
        return (rows == 1 or is_little) and elements * found.cost <= streaming.max_cost

    rows = 0
    for more in itertools.takewhile(fits, (1 << at for at in range(streaming.max_rows.bit_length()))):
        rows = more
    return rows


class _Coarsening:
    """Makes the variant of one kernel."""

    def __init__(self, module: Module, found: Elementwise, views: _Views | None, rows: int) -> None:
        self._module, self._found, self._views, self._rows = module, found, views, rows
        self._width = 1 if views is None else views.width
        self._ids = itertools.count(found.element.id + 1)
        self._size = module.workgroup_size[0]
        self._called = Param(len(module.params), "called_workgroups", I32)
        self._uses_id = _uses_id(found)
        self._computed_with = _computed_with(found.body)
        self._parts: list[tuple[Value, list[Expr]]] = []  # what was read, and the elements in it
        self._out: list[Stmt] = []  # the block that is written

    def made(self) -> Module:
        """The variant."""
        groups = self._size * self._rows
        first_group = build.add(build.mul(_id(BuiltinKind.WORKGROUP_ID), groups), _id(BuiltinKind.LOCAL_ID))
        group = self._let("group", first_group)
        launched = self._let("launched", build.mul(Convert(self._called, U32), self._size))
        outer = Copier(self._ids, {})
        self._out += outer.block(self._found.shared)
        last = self._first_of(group, self._rows - 1)
        last = build.add(last, self._width - 1) if self._width > 1 else last
        conditions: list[Expr] = [build.lt(last, launched)]
        for guards, end in ((self._found.upper, last), (self._found.lower, self._first_of(group, 0))):
            at_end = Copier(self._ids, {**outer.names, self._found.element.id: Convert(end, I32)})
            conditions += map(at_end.expr, guards)
        fast, slow = self._fast(group, outer), self._slow(group, launched)
        return dataclasses.replace(
            self._module,
            params=(*self._module.params, self._called),
            origins=(*self._module.origins, GridOrigin("called")),
            body=(*self._out, If(_all(conditions), fast, slow, self._module.span)),
            coarsening=self._rows * self._width,
        )

    def _let(self, name: str, expr: Expr) -> Value:
        value = Value(next(self._ids), name, expr.type)
        self._out.append(Let(value, expr, self._module.span))
        return value

    def _first_of(self, group: Expr, row: int) -> Expr:
        """The first element of the group in a row, u32."""
        at = build.add(group, row * self._size) if row else group
        return build.mul(at, self._width) if self._width > 1 else at

    # ------------------------------------------------------------ element by element

    def _slow(self, group: Value, launched: Value) -> Block:
        """A loop over the elements, with all tests."""
        outer, self._out = self._out, []
        counter = Value(next(self._ids), "at", U32)
        width = self._width
        row, column = (build.shr(counter, width.bit_length() - 1), build.bit_and(counter, width - 1))
        at = build.add(group, build.mul(row if width > 1 else counter, self._size))
        element = self._let("element", build.add(build.mul(at, width), column) if width > 1 else at)
        is_launched = build.lt(element, launched)
        head, self._out = self._out, []
        copier = Copier(self._ids, {self._found.element.id: self._let("i", Convert(element, I32))})
        one = (*self._out, *copier.block(self._found.whole))
        self._out = outer
        span = self._module.span
        # All are launched: a number that the driver's compiler does not know, so that it does not unroll the loop.
        most = build.call(MathOp.MIN, launched, self._rows * width)
        return (ForRange(counter, Constant(0, U32), most, (*head, If(is_launched, one, (), span)), span),)

    # ------------------------------------------------------------ all at once

    def _fast(self, group: Value, outer: Copier) -> Block:
        """All elements, which are within all guards: the reads, the computations, the writes."""
        before, self._out = self._out, []
        same: list[Stmt] = []
        own: list[Stmt] = []
        for statement in self._found.body:
            bound = walk.bound_value(statement)
            (same if bound is not None and bound.id in self._found.same else own).append(statement)
        self._out += outer.block(tuple(same))
        rows = [self._let("group", build.add(group, row * self._size)) if row else group for row in range(self._rows)]
        is_named = self._uses_id and self._width > 1
        firsts = [self._let("first", build.mul(row, self._width)) if is_named else row for row in rows]
        places = [[self._place(place, row) for place in self._found.loaded] for row in rows]
        loaded = [[self._loaded(place) for place in row] for row in places]
        results = [self._row(first, values, tuple(own), outer) for first, values in zip(firsts, loaded, strict=True)]
        for row, elements in zip(rows, results, strict=True):
            for place, values in zip(self._found.stored, elements, strict=True):
                target = self._place(place, row)
                self._out.append(Store(target, self._whole(values, target), self._module.span))
        made, self._out = tuple(self._out), before
        return made

    def _place(self, place: Place, row: Value) -> Place:
        """What of a buffer the invocation accesses in a row."""
        if self._views is None:
            return Place(place.memory, Convert(row, I32), place.path)
        return Place(place.memory, row, (), self._views.of[key_of(place)])

    def _whole(self, elements: list[Expr], place: Place) -> Expr:
        """The value with these elements; if they are just those of one that was read, that one."""
        if place.view is None:
            return elements[0]
        for value, parts in self._parts:
            if value.type == place.view and all(map(operator.is_, elements, parts)):
                return value
        return as_view(elements, place.view)

    def _loaded(self, place: Place) -> Value:
        value = Value(next(self._ids), place.memory.name, place.type)
        self._out.append(Load(value, place, self._module.span))
        return value

    def _row(self, first: Value, values: Sequence[Value], own: Block, outer: Copier) -> list[list[Expr]]:
        """Compute the elements of a row. Returns them for each place that is written."""
        results: list[list[Expr]] = [[] for _ in self._found.stored]
        parts: list[list[Expr]] = [
            elements_in(value, place.type, self._width) if self._views is not None else [value]
            for value, place in zip(values, self._found.loaded, strict=True)
        ]
        self._parts += zip(values, parts, strict=True)
        for at in range(self._width):
            known = {key_of(place): each[at] for place, each in zip(self._found.loaded, parts, strict=True)}
            names = dict(outer.names)
            if self._uses_id:
                names[self._found.element.id] = self._let("i", Convert(build.add(first, at) if at else first, I32))
            one = _Element(self._found, Copier(self._ids, names), known, self._computed_with)
            self._out += one.statements(own)
            for result, place in zip(results, self._found.stored, strict=True):
                result.append(one.known[key_of(place)])
        return results


class _Element:
    """One element's share of the kernel, with values in the place of elements of buffers: those in `known`."""

    def __init__(
        self, found: Elementwise, copier: Copier, known: dict[Key, Expr], computed_with: frozenset[int]
    ) -> None:
        self._found, self._copier, self._computed_with, self.known = found, copier, computed_with, known
        self._read_before = (*known.values(),)

    def statements(self, body: Block) -> Block:
        """The statements. What is written in branches is a variable."""
        out: list[Stmt] = []
        for place in self._found.stored:
            key = key_of(place)
            if key in self._found.branching:
                assert isinstance(place.memory, Buffer)
                local = Local(self._copier.next_id(), place.memory.name, place.type)
                out.append(Declare(local, self.known.get(key)))
                self.known[key] = local
        return (*out, *self._block(body))

    def _block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for statement in block:
            match statement:
                case Load(value, place, span) if self._is_element(place):
                    self._read(value, self.known[key_of(place)], span, out)
                case Store(place, expr, span):
                    self._write(place, self._copier.expr(expr), span, out)
                case If(condition, then, orelse, span):
                    condition = self._copier.expr(condition)
                    out.append(If(condition, self._block(then), self._block(orelse), span))
                case _:
                    out.append(self._copier.statement(statement))
        return tuple(out)

    def _is_element(self, place: Place) -> bool:
        return isinstance(place.memory, Buffer) and place.index == self._found.element

    def _read(self, value: Value, known: Expr, span: Span | None, out: list[Stmt]) -> None:
        is_name = isinstance(known, Value) or (isinstance(known, Extract) and isinstance(known.vector, Value))
        is_moved = value.id not in self._computed_with and not isinstance(known, Local)
        if is_name or is_moved:
            self._copier.names[value.id] = known
        else:
            out.append(Let(self._copier.value(value), known, span))

    def _write(self, place: Place, expr: Expr, span: Span | None, out: list[Stmt]) -> None:
        key = key_of(place)
        if key in self._found.branching:
            local = self.known[key]
            assert isinstance(local, Local)
            out.append(Assign(local, expr, span))
            return
        if any(expr is each for each in self._read_before):
            self.known[key] = expr
            return
        assert isinstance(place.memory, Buffer)
        value = Value(self._copier.next_id(), place.memory.name, place.type)
        out.append(Let(value, expr, span))
        self.known[key] = value


def _all(conditions: Sequence[Expr]) -> Expr:
    return functools.reduce(build.logical_and, conditions)


def _id(kind: BuiltinKind) -> Expr:
    return Convert(Builtin(kind, 0), U32)
