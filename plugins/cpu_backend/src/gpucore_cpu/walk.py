"""Reading the IR's trees: what an expression is made of, what a statement evaluates, binds and contains."""

from __future__ import annotations

from collections.abc import Iterator

from gpucore import ir


def operands(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The expressions directly under one."""
    match expr:
        case ir.Unary() | ir.Convert() | ir.Bitcast() | ir.Splat():
            return (expr.operand,)
        case ir.Binary():
            return (expr.left, expr.right)
        case ir.Call():
            return expr.args
        case ir.Select():
            return (expr.condition, expr.if_true, expr.if_false)
        case ir.Construct():
            return expr.components
        case ir.Extract():
            return (expr.vector,)
        case _:
            return ()


def walk(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The expression and everything under it."""
    yield expr
    for operand in operands(expr):
        yield from walk(operand)


def evaluated(statement: ir.Stmt) -> tuple[ir.Expr, ...]:
    """The expressions that the statement itself evaluates, without those of its blocks."""
    match statement:
        case ir.Let() | ir.Assign():
            return (statement.expr,)
        case ir.Load():
            return (statement.place.index,)
        case ir.Store():
            return (statement.place.index, statement.expr)
        case ir.Declare():
            return () if statement.init is None else (statement.init,)
        case ir.Atomic():
            parts = (statement.place.index, statement.operand, statement.comparand)
            return tuple(part for part in parts if part is not None)
        case ir.If():
            return (statement.condition,)
        case ir.ForRange():
            return (statement.start, statement.stop)
        case ir.Debug():
            return tuple(part for part in statement.parts if not isinstance(part, str))
        case _:
            return ()


def blocks(statement: ir.Stmt) -> tuple[ir.Block, ...]:
    """The blocks of a statement."""
    match statement:
        case ir.If():
            return (statement.then, statement.orelse)
        case ir.ForRange() | ir.Loop():
            return (statement.body,)
        case _:
            return ()


def statements(block: ir.Block) -> Iterator[ir.Stmt]:
    """Every statement of a block, at any depth."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)


def bound(statement: ir.Stmt) -> ir.Value | ir.Local | ir.PrivateArray | None:
    """What the statement brings into scope."""
    match statement:
        case ir.Let() | ir.Load() | ir.Atomic():
            return statement.value
        case ir.ForRange():
            return statement.counter
        case ir.Declare():
            return statement.local
        case ir.DeclareArray():
            return statement.array
        case _:
            return None


def accessed(statement: ir.Stmt) -> ir.Memory | None:
    """The memory that the statement reads or writes."""
    match statement:
        case ir.Load() | ir.Store() | ir.Atomic():
            return statement.place.memory
        case _:
            return None


def named(expr: ir.Expr) -> Iterator[ir.Value | ir.Local]:
    """The values and locals that an expression reads."""
    for part in walk(expr):
        if isinstance(part, (ir.Value, ir.Local)):
            yield part
