"""Walking the IR: statements of a block with all that is nested in them, and the parts of statements and expressions."""

from __future__ import annotations

from collections.abc import Iterator

from gpucore import ir


def statements(block: ir.Block) -> Iterator[ir.Stmt]:
    """Every statement of `block`, an outer one before those inside it."""
    for statement in block:
        yield statement
        match statement:
            case ir.If():
                yield from statements(statement.then)
                yield from statements(statement.orelse)
            case ir.ForRange() | ir.Loop():
                yield from statements(statement.body)


def operands(statement: ir.Stmt) -> tuple[ir.Expr, ...]:
    """The expressions that stand directly in a statement (not those of nested statements)."""
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
            others = (statement.operand, statement.comparand)
            return (statement.place.index, *(e for e in others if e is not None))
        case ir.If():
            return (statement.condition,)
        case ir.ForRange():
            return (statement.start, statement.stop)
        case ir.Debug():
            return tuple(part for part in statement.parts if not isinstance(part, str))
        case _:
            return ()


def children(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The direct parts of an expression."""
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


def expressions(block: ir.Block) -> Iterator[ir.Expr]:
    """Every expression in `block`, nested ones too."""
    for statement in statements(block):
        pending = list(operands(statement))
        while pending:
            expr = pending.pop()
            yield expr
            pending.extend(children(expr))


def is_constant(expr: ir.Expr) -> bool:
    """Whether every leaf of an expression is a Constant."""
    if isinstance(expr, ir.Constant):
        return True
    parts = children(expr)
    return bool(parts) and all(is_constant(part) for part in parts)
