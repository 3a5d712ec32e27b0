"""split_triples: vectors of three components as three scalars, for every backend that compiles.

A vector of three has no layout that the languages of devices share: most align it to four components, some to one. So
a value, a variable and a workgroup or private array of them become three of scalars, and an element in a buffer becomes
a struct of three fields, in the bytes of a row of NumPy's (n, 3).

It runs before the passes that simplify, so it binds what a splat uses three times, and leaves the rest to them.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from typing import TypeVar

from gpucore.ir import (
    Assign,
    Atomic,
    Binary,
    Bitcast,
    Block,
    Buffer,
    Call,
    Constant,
    Construct,
    Convert,
    Declare,
    DeclareArray,
    Element,
    Expr,
    Extract,
    Let,
    Load,
    Local,
    MathOp,
    Module,
    Param,
    Place,
    Prefetch,
    PrivateArray,
    Select,
    Splat,
    Stmt,
    Store,
    StructField,
    StructType,
    Unary,
    Uniform,
    Value,
    VectorType,
    WorkgroupArray,
    build,
    lay_out,
    walk,
)

_WIDTH = 3
_NAMES = "xyz"

_Array = TypeVar("_Array", WorkgroupArray, PrivateArray)


def split_triples(module: Module) -> Module:
    """The module without vectors of three components; the module itself if it has none."""
    split = _Split(module)
    made = dataclasses.replace(
        module,
        buffers=tuple(map(split.buffer, module.buffers)),
        workgroup_arrays=tuple(
            dataclasses.replace(part, whole=array.name) if part is not array else array
            for array in module.workgroup_arrays
            for part in (split.parts_of(array) if is_triple(array.element) else (array,))
        ),
        body=split.block(module.body),
    )
    return module if made == module else made


def is_triple(type: Element) -> bool:
    """Whether the type is a vector of three components."""
    return isinstance(type, VectorType) and type.width == _WIDTH


def _stored(element: Element) -> Element:
    """The element of a buffer with each vector of three as a struct of three fields."""
    if isinstance(element, VectorType) and is_triple(element):
        return lay_out(str(element), tuple((name, element.element) for name in _NAMES))
    if not isinstance(element, StructType):
        return element
    fields = tuple(StructField(field.name, _stored(field.type), field.offset) for field in element.fields)
    return element if fields == element.fields else dataclasses.replace(element, fields=fields)


class _Split:
    """Rewrites one module."""

    def __init__(self, module: Module) -> None:
        self._ids = itertools.count(walk.next_id(module))
        self._buffers: dict[int, Buffer] = {}
        self._scalars: dict[int, Construct] = {}  # of the Values and Locals that are split, by their ids
        self._part_ids: dict[int, tuple[int, ...]] = {}  # of the arrays that are split, by their ids
        self._out: list[Stmt] = []  # the block that is written
        self._span = module.span  # of the current statement

    def buffer(self, buffer: Buffer) -> Buffer:
        """The buffer with elements that have no vectors of three."""
        if buffer.index not in self._buffers:
            made, vector = _stored(buffer.element), None
            if isinstance(buffer.element, VectorType) and is_triple(buffer.element):
                vector = buffer.element
            if made != buffer.element:
                buffer = dataclasses.replace(buffer, element=made, vector=vector)
            self._buffers[buffer.index] = buffer
        return self._buffers[buffer.index]

    def parts_of(self, array: _Array) -> list[_Array]:
        """The array of each component."""
        assert isinstance(array.element, VectorType)
        if array.id not in self._part_ids:
            self._part_ids[array.id] = tuple(itertools.islice(self._ids, _WIDTH))
        named = zip(self._part_ids[array.id], _NAMES, strict=True)
        scalar = array.element.element
        return [dataclasses.replace(array, id=id_, name=f"{array.name}_{name}", element=scalar) for id_, name in named]

    def block(self, block: Block) -> Block:
        """The block without vectors of three."""
        out: list[Stmt] = []
        for statement in block:
            outer, self._out = self._out, []
            self._span = statement.span
            mapped = walk.map_statement(statement, lambda expr: walk.map_expr(expr, self._rewritten), self.block)
            self._span = statement.span  # that of a nested block may have come between
            self._statement(mapped)
            out += self._out
            self._out = outer
        return walk.same_or(block, out)

    # ------------------------------------------------------------ expressions

    def _rewritten(self, expr: Expr) -> Expr:
        """A Construct for a vector of three, whose operands have been rewritten; what uses one takes its scalars."""
        match expr:
            case Value() | Local() if is_triple(expr.type):
                return self._scalars_of(expr)
            case Extract() if is_triple(expr.vector.type):
                return _scalars(expr.vector)[expr.index]
            case Call(op=MathOp.DOT) if is_triple(expr.args[0].type):
                x, y, z = (build.mul(a, b) for a, b in zip(*map(_scalars, expr.args), strict=True))
                return build.add(build.add(x, y), z)
            case Splat() if is_triple(expr.type):
                return Construct((self._shared(expr.operand, "component"),) * _WIDTH, expr.type)
            case Select() if is_triple(expr.type):
                condition = self._shared(expr.condition, "condition")
                pairs = zip(_scalars(expr.if_true), _scalars(expr.if_false), strict=True)
                return build.construct(*(build.select(condition, a, b) for a, b in pairs))
            case Unary() | Binary() | Call() | Convert() | Bitcast() if is_triple(expr.type):
                return self._by_component(expr)
            case _:
                return expr

    def _by_component(self, expr: Unary | Binary | Call | Convert | Bitcast) -> Construct:
        assert isinstance(expr.type, VectorType)
        plain = dataclasses.replace(expr, type=expr.type.element)
        rows = zip(*map(_scalars, walk.children(expr)), strict=True)
        return Construct(tuple(walk.rebuild(plain, row) for row in rows), expr.type)

    def _scalars_of(self, name: Value | Local) -> Construct:
        """The scalars that a value or variable becomes."""
        if name.id not in self._scalars:
            assert isinstance(name.type, VectorType)
            parts = (
                dataclasses.replace(name, id=next(self._ids), name=f"{name.name}_{letter}", type=name.type.element)
                for letter in _NAMES
            )
            self._scalars[name.id] = Construct(tuple(parts), name.type)
        return self._scalars[name.id]

    def _shared(self, expr: Expr, name: str) -> Expr:
        """Binds an expression that is used for each component before the current statement."""
        if isinstance(expr, (Constant, Value, Local, Param)):
            return expr
        value = Value(next(self._ids), name, expr.type)
        self._out.append(Let(value, expr, self._span))
        return value

    # ------------------------------------------------------------ statements

    def _statement(self, statement: Stmt) -> None:
        """Write the statements that replace one whose expressions have been rewritten."""
        match statement:
            case Let() | Uniform() if is_triple(statement.value.type):
                self._bind(type(statement), self._scalars_of(statement.value), _scalars(statement.expr))
            case Declare() if is_triple(statement.local.type):
                init = (None,) * _WIDTH if statement.init is None else _scalars(statement.init)
                self._bind(Declare, self._scalars_of(statement.local), init)
            case Assign() if is_triple(statement.local.type):  # all are computed before one changes: v = v.yzx
                computed = [self._computed(scalar) for scalar in _scalars(statement.expr)]
                self._bind(Assign, self._scalars_of(statement.local), computed)
            case DeclareArray() if is_triple(statement.array.element):
                self._out += (DeclareArray(part, self._span) for part in self.parts_of(statement.array))
            case Load() | Store() | Prefetch() | Atomic():
                self._access(statement)
            case _:
                self._out.append(statement)

    def _bind(self, kind: Callable[..., Stmt], names: Construct, scalars: Sequence[Expr | Place | None]) -> None:
        self._out += (kind(name, scalar, self._span) for name, scalar in zip(names.components, scalars, strict=True))

    def _access(self, statement: Load | Store | Prefetch | Atomic) -> None:
        """An access to memory: of a vector, to each of its scalars."""
        place = statement.place
        if not is_triple(place.type):
            if isinstance(place.memory, Buffer):
                place = Place(self.buffer(place.memory), place.index, place.path)
            self._out.append(dataclasses.replace(statement, place=place))
            return
        places = self._places(place)
        match statement:
            case Load():
                self._bind(Load, self._scalars_of(statement.value), places)
            case Store():
                self._out += map(Store, places, _scalars(statement.expr), [self._span] * _WIDTH)
            case Prefetch():
                self._out.append(Prefetch(places[0], self._span))

    def _places(self, place: Place) -> list[Place]:
        """The places of the components of a vector."""
        memory, index = place.memory, self._shared(place.index, "index")
        if isinstance(memory, Buffer):
            return [Place(self.buffer(memory), index, (*place.path, number)) for number in range(_WIDTH)]
        if isinstance(memory, WorkgroupArray):
            return [Place(part, index) for part in self.parts_of(memory)]
        assert isinstance(memory, PrivateArray)  # one of constants has scalars
        return [Place(part, index) for part in self.parts_of(memory)]

    def _computed(self, expr: Expr) -> Expr:
        """The value of an expression before the variables in it change."""
        value = Value(next(self._ids), "component", expr.type)
        self._out.append(Let(value, expr, self._span))
        return value


def _scalars(vector: Expr) -> tuple[Expr, ...]:
    """The components of a vector of three that has been rewritten."""
    assert isinstance(vector, Construct)
    return vector.components
