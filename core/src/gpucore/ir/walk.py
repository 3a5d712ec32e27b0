"""Traversals of the IR, shared by passes, validator and emitters. They rebuild only what changed: compare with `is`.

Traversals of expressions use at most one Python frame per level, so that a long chain of operators stays far from the
recursion limit.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Any

from gpucore.ir import nodes as n
from gpucore.ir.module import Module
from gpucore.ir.ops import IDS_OF_INVOCATIONS, SUBGROUP_BUILTINS

Leaf = n.Value | n.Local | n.Param | n.Builtin
ExprMap = Callable[[n.Expr], n.Expr]
BlockMap = Callable[[n.Block], n.Block]

_LEAVES = (n.Value, n.Constant, n.Local, n.Builtin, n.Param)

_CHILDREN: dict[type, Callable[[Any], tuple[n.Expr, ...]]] = {
    n.Unary: lambda e: (e.operand,),
    n.Binary: lambda e: (e.left, e.right),
    n.Call: lambda e: e.args,
    n.Select: lambda e: (e.condition, e.if_true, e.if_false),
    n.Convert: lambda e: (e.operand,),
    n.Bitcast: lambda e: (e.operand,),
    n.Construct: lambda e: e.components,
    n.Splat: lambda e: (e.operand,),
    n.Extract: lambda e: (e.vector,),
}

_REBUILD: dict[type, Callable[[Any, Sequence[n.Expr]], n.Expr]] = {
    n.Unary: lambda e, c: n.Unary(e.op, c[0], e.type, e.span),
    n.Binary: lambda e, c: n.Binary(e.op, c[0], c[1], e.type, e.span),
    n.Call: lambda e, c: n.Call(e.op, tuple(c), e.type, e.span),
    n.Select: lambda e, c: n.Select(c[0], c[1], c[2], e.type),
    n.Convert: lambda e, c: n.Convert(c[0], e.type),
    n.Bitcast: lambda e, c: n.Bitcast(c[0], e.type),
    n.Construct: lambda e, c: n.Construct(tuple(c), e.type),
    n.Splat: lambda e, c: n.Splat(c[0], e.type),
    n.Extract: lambda e, c: n.Extract(c[0], e.index, e.type),
}


# ---------------------------------------------------------------- expressions


def children(expr: n.Expr) -> tuple[n.Expr, ...]:
    """The direct operands of `expr`, in order; none for a leaf."""
    return () if isinstance(expr, _LEAVES) else _CHILDREN[type(expr)](expr)


def rebuild(expr: n.Expr, new_children: Sequence[n.Expr]) -> n.Expr:
    """`expr`, which is not a leaf, with other children."""
    return _REBUILD[type(expr)](expr, new_children)


def subexpressions(expr: n.Expr) -> Iterator[n.Expr]:
    """`expr` and every expression below it, parents first, left to right."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _LEAVES):
            stack.extend(reversed(_CHILDREN[type(node)](node)))


def leaves(expr: n.Expr) -> list[Leaf]:
    """Every value, local, param and builtin in `expr`, left to right, with repetitions."""
    found: list[Leaf] = []
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, n.Binary):
            stack.append(node.right)
            stack.append(node.left)
        elif isinstance(node, n.Constant):
            continue
        elif isinstance(node, _LEAVES):
            found.append(node)
        else:
            stack.extend(reversed(_CHILDREN[type(node)](node)))
    return found


def map_expr(expr: n.Expr, function: ExprMap) -> n.Expr:
    """`expr` with `function` applied to every node, children first."""
    if not isinstance(expr, _LEAVES):
        old = _CHILDREN[type(expr)](expr)
        new = []
        for child in old:  # a comprehension would cost a second frame per level
            new.append(map_expr(child, function))
        if not all(map(operator.is_, old, new)):
            expr = _REBUILD[type(expr)](expr, new)
    return function(expr)


def map_leaves(expr: n.Expr, function: Callable[[Leaf], n.Expr]) -> n.Expr:
    """`expr` with `function` applied only to its values, locals, params and builtins."""
    if isinstance(expr, n.Binary):
        left, right = map_leaves(expr.left, function), map_leaves(expr.right, function)
        if left is expr.left and right is expr.right:
            return expr
        return n.Binary(expr.op, left, right, expr.type, expr.span)
    if isinstance(expr, n.Constant):
        return expr
    if isinstance(expr, _LEAVES):
        return function(expr)
    old = _CHILDREN[type(expr)](expr)
    new = []
    for child in old:
        new.append(map_leaves(child, function))
    return expr if all(map(operator.is_, old, new)) else _REBUILD[type(expr)](expr, new)


# ---------------------------------------------------------------- statements


def expressions(statement: n.Stmt) -> tuple[n.Expr, ...]:
    """The statement's own expressions, in order of evaluation; not those of nested blocks."""
    match statement:
        case n.Let() | n.Assign() | n.Uniform():
            return (statement.expr,)
        case n.Load() | n.Prefetch():
            return (statement.place.index,)
        case n.Store():
            return (statement.place.index, statement.expr)
        case n.If():
            return (statement.condition,)
        case n.ForRange():
            return (statement.start, statement.stop)
        case n.Declare():
            return () if statement.init is None else (statement.init,)
        case n.Atomic():
            rest = (statement.comparand, statement.operand)
            return (statement.place.index, *(e for e in rest if e is not None))
        case n.Debug():
            parts = tuple(part for part in statement.parts if not isinstance(part, str))
            return parts if statement.condition is None else (statement.condition, *parts)
        case n.Subgroup():
            return tuple(e for e in (statement.operand, statement.argument) if e is not None)
        case n.MatrixLoad() | n.CooperativeLoad():
            return (statement.place.index,)
        case n.CooperativeStore():
            return (statement.place.index, statement.matrix)
        case n.CooperativeOperation():
            return statement.operands
        case n.MatrixMultiply():
            return (statement.left, statement.right, statement.sums)
        case n.GroupMultiply():
            return (statement.left.index, statement.right.index)
        case n.CopyAsync():
            return (statement.place.index, statement.source.index, statement.valid)
        case n.CopyPart():
            return (statement.place.index, statement.source.index, *statement.lengths, *statement.indices)
        case n.Bounds():
            return statement.indices + statement.extents
        case n.Together():
            return statement.uniform
        case _:
            return ()


def blocks(statement: n.Stmt) -> tuple[n.Block, ...]:
    """The blocks nested directly in the statement."""
    if isinstance(statement, n.If):
        return (statement.then, statement.orelse)
    if isinstance(statement, (n.ForRange, n.Loop)):
        return (statement.body,)
    return ()


_WITH_PLACE = (
    n.Load, n.Store, n.Atomic, n.MatrixLoad, n.CooperativeLoad, n.CooperativeStore, n.CopyAsync, n.CopyPart,
)  # fmt: skip
_WITH_VALUE = (
    n.Let, n.Load, n.Atomic, n.Subgroup, n.MatrixLoad, n.MatrixMultiply, n.CooperativeLoad, n.CooperativeOperation,
    n.Uniform,
)  # fmt: skip


def place_of(statement: n.Stmt) -> n.Place | None:
    """The memory that the statement reads or writes; of a copy that which it writes."""
    if isinstance(statement, _WITH_PLACE):
        return statement.place
    return None


def places_of(statement: n.Stmt) -> tuple[n.Place, ...]:
    """All memory that the statement reads or writes."""
    place = place_of(statement)
    if isinstance(statement, (n.CopyAsync, n.CopyPart)):
        return (statement.place, statement.source)
    if isinstance(statement, n.GroupMultiply):
        return (statement.left, statement.right)
    return () if place is None else (place,)


def bound_value(statement: n.Stmt) -> n.Value | None:
    """The value that the statement binds."""
    if isinstance(statement, _WITH_VALUE):
        return statement.value
    return statement.counter if isinstance(statement, n.ForRange) else None


def statements(block: n.Block) -> Iterator[n.Stmt]:
    """Every statement, including nested ones, in program order."""
    stack = [iter(block)]
    while stack:
        for statement in stack[-1]:
            yield statement
            if isinstance(statement, (n.If, n.ForRange, n.Loop)):
                stack.extend(iter(nested) for nested in reversed(blocks(statement)))
                break
        else:
            stack.pop()


def map_statement(statement: n.Stmt, on_expr: ExprMap, on_block: BlockMap) -> n.Stmt:
    """The statement with `on_expr` applied to each whole expression and `on_block` to each nested block."""
    match statement:
        case n.Let() | n.Assign():
            expr = on_expr(statement.expr)
            if expr is statement.expr:
                return statement
            if isinstance(statement, n.Let):
                return n.Let(statement.value, expr, statement.span)
            return n.Assign(statement.local, expr, statement.span)
        case n.Load():
            place = _map_place(statement.place, on_expr)
            return (
                statement
                if place is statement.place
                else n.Load(statement.value, place, statement.span, statement.width)
            )
        case n.Store():
            place, expr = _map_place(statement.place, on_expr), on_expr(statement.expr)
            same = place is statement.place and expr is statement.expr
            return statement if same else n.Store(place, expr, statement.span, statement.width)
        case n.If():
            condition = on_expr(statement.condition)
            then, orelse = on_block(statement.then), on_block(statement.orelse)
            same = condition is statement.condition and then is statement.then and orelse is statement.orelse
            return statement if same else n.If(condition, then, orelse, statement.span)
        case n.ForRange():
            start, stop = on_expr(statement.start), on_expr(statement.stop)
            body = on_block(statement.body)
            same = start is statement.start and stop is statement.stop and body is statement.body
            return statement if same else n.ForRange(statement.counter, start, stop, body, statement.span)
        case n.Loop():
            body = on_block(statement.body)
            return statement if body is statement.body else n.Loop(body, statement.span)
        case _:
            return _map_rare(statement, on_expr)


def _map_rare(statement: n.Stmt, on_expr: ExprMap) -> n.Stmt:
    match statement:
        case n.Declare() if statement.init is not None:
            init = on_expr(statement.init)
            return statement if init is statement.init else n.Declare(statement.local, init, statement.span)
        case n.Prefetch():
            place = _map_place(statement.place, on_expr)
            return statement if place is statement.place else n.Prefetch(place, statement.span)
        case n.Atomic():
            place = _map_place(statement.place, on_expr)
            comparand = None if statement.comparand is None else on_expr(statement.comparand)
            operand = None if statement.operand is None else on_expr(statement.operand)
            if place is statement.place and comparand is statement.comparand and operand is statement.operand:
                return statement
            return n.Atomic(statement.value, statement.op, place, operand, comparand, statement.span)
        case n.Debug():
            parts = tuple(part if isinstance(part, str) else on_expr(part) for part in statement.parts)
            condition = None if statement.condition is None else on_expr(statement.condition)
            same = condition is statement.condition and all(map(operator.is_, parts, statement.parts))
            return statement if same else n.Debug(statement.kind, parts, statement.span, condition)
        case n.Subgroup():
            operand = None if statement.operand is None else on_expr(statement.operand)
            argument = None if statement.argument is None else on_expr(statement.argument)
            same = operand is statement.operand and argument is statement.argument
            return statement if same else replace(statement, operand=operand, argument=argument)
        case _ if isinstance(statement, _OF_MATRICES):
            return _map_matrix(statement, on_expr)
        case n.Uniform():
            expr = on_expr(statement.expr)
            return statement if expr is statement.expr else n.Uniform(statement.value, expr, statement.span)
        case n.Bounds():
            indices, extents = tuple(map(on_expr, statement.indices)), tuple(map(on_expr, statement.extents))
            same = all(map(operator.is_, indices + extents, statement.indices + statement.extents))
            return statement if same else n.Bounds(statement.memory, indices, extents, statement.span)
        case n.Together():
            uniform = tuple(map(on_expr, statement.uniform))
            same = all(map(operator.is_, uniform, statement.uniform))
            return statement if same else n.Together(statement.span, uniform, statement.names)
        case _:
            return statement


_OF_MATRICES = (
    n.MatrixLoad, n.MatrixMultiply, n.CooperativeLoad, n.CooperativeStore, n.CooperativeOperation, n.GroupMultiply,
    n.CopyAsync, n.CopyPart,
)  # fmt: skip


def _map_matrix(statement: n.Stmt, on_expr: ExprMap) -> n.Stmt:
    changed: dict[str, Any] = {}
    for name in ("place", "source", "left", "right", "sums", "valid", "matrix", "lengths", "indices", "operands"):
        old: Any = getattr(statement, name, None)
        if isinstance(old, tuple):
            new: Any = tuple(map(on_expr, old))
            if not all(map(operator.is_, old, new)):
                changed[name] = new
        elif old is not None and not isinstance(old, n.PrivateArray):
            new = _map_place(old, on_expr) if isinstance(old, n.Place) else on_expr(old)
            if new is not old:
                changed[name] = new
    return replace(statement, **changed) if changed else statement


def _map_place(place: n.Place, on_expr: ExprMap) -> n.Place:
    index = on_expr(place.index)
    return place if index is place.index else n.Place(place.memory, index, place.path, place.view)


def same_or(old: n.Block, new: list[n.Stmt]) -> n.Block:
    """`old` itself if `new` holds the same statements."""
    return old if len(old) == len(new) and all(map(operator.is_, old, new)) else tuple(new)


def map_block(block: n.Block, on_expr: ExprMap) -> n.Block:
    """The block with `on_expr` applied to every whole expression, including those of nested statements."""

    def on_block(nested: n.Block) -> n.Block:
        return same_or(nested, [map_statement(statement, on_expr, on_block) for statement in nested])

    return on_block(block)


# ---------------------------------------------------------------- facts


def assigned_locals(body: n.Block) -> dict[int, set[int]]:
    """For each block, by `id(block)`: the ids of the locals that it declares or assigns, including nested blocks."""
    table: dict[int, set[int]] = {id(()): set()}

    def visit(block: n.Block) -> set[int]:
        assigned: set[int] = set()
        for statement in block:
            if isinstance(statement, (n.Assign, n.Declare)):
                assigned.add(statement.local.id)
            elif isinstance(statement, (n.If, n.ForRange, n.Loop)):
                for nested in blocks(statement):
                    assigned |= visit(nested)
        table[id(block)] = assigned
        return assigned

    visit(body)
    return table


def constant_arrays(block: n.Block) -> list[n.ConstantArray]:
    """The constant arrays that are read, in order of first use."""
    found: dict[int, n.ConstantArray] = {}
    for statement in statements(block):
        place = place_of(statement)
        if place is not None and isinstance(place.memory, n.ConstantArray):
            found.setdefault(place.memory.id, place.memory)
    return list(found.values())


def next_id(module: Module) -> int:
    """The first unused id: every id in the module is smaller."""
    ids = [array.id for array in module.workgroup_arrays] + [array.id for array in constant_arrays(module.body)]
    top = max(ids, default=-1)
    for statement in statements(module.body):
        if isinstance(statement, n.Declare):
            top = max(top, statement.local.id)
        elif isinstance(statement, n.DeclareArray):
            top = max(top, statement.array.id)
        elif (value := bound_value(statement)) is not None:
            top = max(top, value.id)
    return top + 1


def is_uniform(expr: n.Expr, uniform: Set[int]) -> bool:
    """Whether an expression is known to be the same in a whole workgroup, as the values and locals in `uniform` are."""
    for leaf in leaves(expr):
        if isinstance(leaf, n.Value | n.Local) and leaf.id not in uniform:
            return False
        if isinstance(leaf, n.Builtin) and leaf.kind in IDS_OF_INVOCATIONS:
            return False
    return True


def uses_subgroups(module: Module) -> bool:
    """Whether the kernel has subgroup operations, or uses the ids or the size of subgroups."""
    return any(
        isinstance(statement, n.Subgroup)
        or any(
            isinstance(leaf, n.Builtin) and leaf.kind in SUBGROUP_BUILTINS
            for expr in expressions(statement)
            for leaf in leaves(expr)
        )
        for statement in statements(module.body)
    )
