"""find_elementwise: what an element-wise kernel does to one element, if the kernel is one.

In an element-wise kernel an invocation uses its id along x alone, and reaches the arrays that it writes at that index
alone. So no invocation depends on another one, and one may do the work of several, in any order.

It may have guards, which compare the id with what is the same for all invocations. Within them each array that is
written is written for every id, and no array is read in a branch only. So all elements that an invocation needs can be
read first, and those that it computes be written last, and no other memory is accessed than by the kernel as it was.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Set

from gpucore.immutable import Immutable
from gpucore.ir import (
    DIVISIONS,
    FUNCTIONS,
    I32,
    Assign,
    Binary,
    BinaryOp,
    Block,
    Buffer,
    Builtin,
    BuiltinKind,
    Call,
    ConstantArray,
    Convert,
    Declare,
    Expr,
    If,
    Let,
    Load,
    Local,
    Module,
    Place,
    Stmt,
    Store,
    Value,
    build,
    scalar_of,
    walk,
)

Key = tuple[int, tuple[int, ...]]
"""What is accessed: the index of a buffer, and the path in its elements."""

_UPPER = {BinaryOp.LT, BinaryOp.LE}
_LOWER = {BinaryOp.GT, BinaryOp.GE}
_MIN_WORKGROUP = 32
_COST_OF_CALL = 4  # of a function, in operators
_COST_OF_APPROXIMATION = 60  # of one that takes many
_COST_OF_DIVISION = 6
_COST_OF_BRANCH = 4


class Elementwise(Immutable, eq=False):
    """One element's share of a kernel. `element` stands for the id in all of it."""

    element: Value
    whole: Block  # what each id does: all of the kernel
    shared: tuple[Let, ...]  # what the guards need, the same for all ids
    upper: tuple[Expr, ...]  # guards, each of which holds for all ids below one for which it holds
    lower: tuple[Expr, ...]  # guards, each of which holds for all ids above one for which it holds
    body: Block  # what an id does for which the guards hold, without `shared`
    loaded: tuple[Place, ...]  # the elements that it reads before it writes them, if it does
    stored: tuple[Place, ...]  # the elements that it writes
    branching: frozenset[Key]  # those of them that are written in branches
    is_scattered: bool  # some index is computed from the id, without memory between the two
    same: frozenset[int]  # the values in `shared` and at the top of `body` that are the same for all ids
    cost: int  # of the body, in operators


def key_of(place: Place) -> Key:
    """What of a buffer is accessed."""
    assert isinstance(place.memory, Buffer)
    return place.memory.index, place.path


def find_elementwise(module: Module) -> Elementwise | None:
    """What an element-wise kernel does; None for another one."""
    x, y, z = module.workgroup_size
    if x < _MIN_WORKGROUP or y > 1 or z > 1 or module.workgroup_arrays:
        return None
    try:
        return _Finder(module).find()
    except _OtherKernelError:
        return None


class _OtherKernelError(Exception):
    """The kernel is not element-wise."""


class _Finder:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._element = Value(walk.next_id(module), "i", I32)
        start = build.mul(Builtin(BuiltinKind.WORKGROUP_ID, 0), module.workgroup_size[0])
        self._global_id = build.add(start, Builtin(BuiltinKind.LOCAL_ID, 0))
        self._names = {self._element.id}  # the values that are the id
        self._same: set[int] = set()  # the values that are the same for all ids
        self._computed: set[int] = set()  # the values that are computed from the id, without memory between the two
        self._loaded: dict[Key, Place] = {}
        self._stored: dict[Key, Place] = {}
        self._branching: set[Key] = set()
        self._is_scattered = False
        self._cost = 0

    def find(self) -> Elementwise:
        """Raises _OtherKernelError."""
        whole = self._named_once(walk.map_block(self._module.body, self._with_element))
        for statement in walk.statements(whole):
            if isinstance(statement, Store):
                self._note_store(statement.place)
        shared, upper, lower, body = self._peeled(whole)
        _, stored = self._block(body, set(), set(), is_top=True)
        if not stored or stored != self._stored.keys():
            raise _OtherKernelError
        return Elementwise(
            self._element, whole, tuple(shared), tuple(upper), tuple(lower), body, tuple(self._loaded.values()),
            tuple(self._stored.values()), frozenset(self._branching), self._is_scattered, frozenset(self._same),
            self._cost,
        )  # fmt: skip

    # ------------------------------------------------------------ the id

    def _with_element(self, expr: Expr) -> Expr:
        """The expression with the id along x as one value. No other builtin may be in it."""
        expr = walk.map_expr(expr, lambda node: self._element if node == self._global_id else node)
        if any(isinstance(leaf, Builtin) for leaf in walk.leaves(expr)):
            raise _OtherKernelError
        return expr

    def _named_once(self, block: Block) -> Block:
        """The block without other names for the id, which is the index of each place at it."""
        for statement in walk.statements(block):
            if isinstance(statement, Let) and isinstance(statement.expr, Value) and self._is_id(statement.expr):
                self._names.add(statement.value.id)
        names = self._names

        def on_block(nested: Block) -> Block:
            kept = [each for each in nested if not (isinstance(each, Let) and each.value.id in names)]
            return walk.same_or(nested, [on_statement(each) for each in kept])

        def on_statement(statement: Stmt) -> Stmt:
            if isinstance(statement, (Load, Store)) and self._is_id(statement.place.index):
                place = dataclasses.replace(statement.place, index=self._element)
                statement = dataclasses.replace(statement, place=place)
            return walk.map_statement(statement, lambda expr: walk.map_leaves(expr, on_leaf), on_block)

        def on_leaf(leaf: walk.Leaf) -> Expr:
            return self._element if isinstance(leaf, Value) and leaf.id in names else leaf

        return on_block(block)

    def _is_id(self, expr: Expr) -> bool:
        """Whether it is the id, in any type of integers that has all ids."""
        while isinstance(expr, Convert) and scalar_of(expr.type).is_integer and scalar_of(expr.type).bits >= I32.bits:
            expr = expr.operand
        return isinstance(expr, Value) and expr.id in self._names

    def _is_same(self, expr: Expr) -> bool:
        """Whether an expression is the same for all ids."""
        return not any(isinstance(leaf, Local) or self._varies(leaf) for leaf in walk.leaves(expr))

    def _varies(self, leaf: walk.Leaf) -> bool:
        return isinstance(leaf, Value) and leaf.id not in self._same

    def _is_computed(self, expr: Expr) -> bool:
        """Whether an expression may be computed from the id, without memory between the two."""
        found = self._names | self._computed
        return any(
            isinstance(leaf, Local) or (isinstance(leaf, Value) and leaf.id in found) for leaf in walk.leaves(expr)
        )

    # ------------------------------------------------------------ guards

    def _peeled(self, block: Block) -> tuple[list[Let], list[Expr], list[Expr], Block]:
        """What the guards need, the guards for ids from above and from below, and what is within them."""
        shared: list[Let] = []
        own: list[Stmt] = []
        upper: list[Expr] = []
        lower: list[Expr] = []
        while block and isinstance(block[-1], If) and not block[-1].orelse:
            *before, last = block
            assert isinstance(last, If)
            lets = [each for each in before if isinstance(each, Let)]
            if len(lets) < len(before):
                break
            for let in lets:
                if self._is_same(let.expr):
                    self._same.add(let.value.id)
                    shared.append(let)
                else:
                    own.append(let)
            sides = [self._side(part) for part in _conjuncts(last.condition)]
            if None in sides:
                return shared, upper, lower, (*own, last)
            for part, side in zip(_conjuncts(last.condition), sides, strict=True):
                (upper if side == "upper" else lower).append(part)
            block = last.then
        return shared, upper, lower, (*own, *block)

    def _side(self, condition: Expr) -> str | None:
        """For which ids it holds besides one for which it does: those below ("upper" bound) or above; None: neither."""
        if not isinstance(condition, Binary):
            return None
        if self._is_id(condition.left) and self._is_same(condition.right):
            return "upper" if condition.op in _UPPER else "lower" if condition.op in _LOWER else None
        if self._is_same(condition.left) and self._is_id(condition.right):
            return "upper" if condition.op in _LOWER else "lower" if condition.op in _UPPER else None
        return None

    # ------------------------------------------------------------ statements

    def _block(self, block: Block, known: Set[Key], stored: Set[Key], *, is_top: bool) -> tuple[set[Key], set[Key]]:
        """The elements with a known value after the block, and those that it has written on every way through it."""
        known, stored = set(known), set(stored)
        for statement in block:
            self._cost += sum(map(cost_of, walk.expressions(statement)))
            match statement:
                case Let():
                    self._value(statement.value, (statement.expr,), is_top=is_top)
                case Load():
                    self._load(statement, known, is_top=is_top)
                case Store():
                    known.add(key_of(statement.place))
                    stored.add(key_of(statement.place))
                    if not is_top:
                        self._branching.add(key_of(statement.place))
                case Declare() | Assign():
                    pass
                case If():
                    self._cost += _COST_OF_BRANCH
                    ways = [self._block(each, known, stored, is_top=False) for each in walk.blocks(statement)]
                    known, stored = ways[0][0] & ways[1][0], ways[0][1] & ways[1][1]
                case _:
                    raise _OtherKernelError
        return known, stored

    def _value(self, value: Value, exprs: Iterable[Expr], *, is_top: bool) -> None:
        if is_top and all(map(self._is_same, exprs)):
            self._same.add(value.id)
        elif any(map(self._is_computed, exprs)):
            self._computed.add(value.id)

    def _load(self, load: Load, known: set[Key], *, is_top: bool) -> None:
        place = load.place
        if isinstance(place.memory, ConstantArray):
            return
        if not isinstance(place.memory, Buffer) or not place.memory.rank:
            raise _OtherKernelError
        if place.index == self._element:
            if key_of(place) in known:
                return
            self._loaded.setdefault(key_of(place), place)
            known.add(key_of(place))
        elif place.memory.index in {index for index, _ in self._stored}:
            raise _OtherKernelError
        elif self._is_same(place.index):
            if is_top:
                self._same.add(load.value.id)
            return
        else:
            self._is_scattered |= self._is_computed(place.index)
        if not is_top:
            raise _OtherKernelError

    def _note_store(self, place: Place) -> None:
        if not isinstance(place.memory, Buffer) or place.index != self._element or not place.memory.rank:
            raise _OtherKernelError
        self._stored.setdefault(key_of(place), place)


def _conjuncts(condition: Expr) -> list[Expr]:
    """The conditions that are all true if one is."""
    if isinstance(condition, Binary) and condition.op is BinaryOp.AND:
        return _conjuncts(condition.left) + _conjuncts(condition.right)
    return [condition]


def cost_of(expr: Expr) -> int:
    """Of an expression, in operators."""
    total = 0
    for node in walk.subexpressions(expr):
        if isinstance(node, Call):
            total += _COST_OF_APPROXIMATION if FUNCTIONS[node.op].is_transcendental else _COST_OF_CALL
        elif isinstance(node, Binary):
            total += _COST_OF_DIVISION if node.op in DIVISIONS or node.op is BinaryOp.DIV else 1
        elif walk.children(node):
            total += 1
    return total
