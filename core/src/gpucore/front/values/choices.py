"""Choices between literals, as in `1 if c else 0`: they take the type that is wanted, as a literal does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpucore import ir
from gpucore.front.state.context import Choice, Context, Restart
from gpucore.front.state.operands import Operand, Static, default_type, is_number, literal, plain_number
from gpucore.front.values.convert import as_expr

Literals = tuple[bool | int | float, ...]

_INTEGERS = (ir.I32, ir.U32, ir.I64, ir.U64)
_FLOATS = (ir.F32, ir.F64)


def literals_of(context: Context, *operands: Operand) -> Literals | None:
    """The numbers that the operands may be, if all are literals or choices between literals; None for bools."""
    found: list[bool | int | float] = []
    for operand in operands:
        choice = context.choice(operand)
        if choice is not None:
            found += choice.literals
        elif isinstance(operand, Static) and is_number(operand.value):
            found.append(plain_number(operand.value))
        else:
            return None
    return None if any(isinstance(number, bool) for number in found) else tuple(found)


def common_type(literals: Literals) -> ir.ScalarType:
    """The type of a choice where none is wanted: i32 or f32, or the first wider type that holds all literals."""
    is_float = any(isinstance(number, float) for number in literals)
    fitting = (t for t in (_FLOATS if is_float else _INTEGERS) if all(literal(n, t) is not None for n in literals))
    return next(fitting, ir.F32 if is_float else default_type(literals[0]))


def type_alone(context: Context, literals: Literals, sides: tuple[Operand, Operand]) -> ir.Type:
    """The type of a choice between two sides where none is wanted: that which a side already had to take, if any."""
    choices = [choice for side in sides if (choice := context.choice(side)) is not None]
    taken = (choice.expr.type for choice in choices if choice.expr.type != common_type(choice.literals))
    return next(taken, common_type(literals))


def pure_choice(
    context: Context,
    literals: Literals,
    sides: tuple[Operand, Operand],
    nodes: tuple[ast.expr, ast.expr],
    chosen: Callable[[ir.Expr, ir.Expr], ir.Expr],
) -> ir.Expr:
    """A choice of two operands that need no statements; `chosen` makes it from two expressions of one type."""

    def typed(type: ir.Type) -> ir.Expr:
        yes, no = (as_expr(context, side, node, type) for side, node in zip(sides, nodes, strict=True))
        return chosen(yes, no)

    expr = typed(type_alone(context, literals, sides))
    context.add_choice(Choice(expr, literals, typed))
    return expr


def add_choice_of_branches(
    context: Context, expr: ir.Expr, literals: Literals, node: ast.expr, path: tuple[int, ...]
) -> None:
    """Remember a choice whose sides have statements; `path` is its place, if the sides of `node` are tuples.

    If another type is wanted, the function is lowered again.
    """
    frame = context.frame

    def typed(type: ir.Type) -> ir.Expr:
        if (node, path) in frame.facts.choice_types or all(frame is not opened for opened in context.frames):
            return expr
        frame.facts.choice_types |= dict.fromkeys(_nested(node, path), type)
        raise Restart(frame)

    context.add_choice(Choice(expr, literals, typed))


def _nested(node: ast.expr, path: tuple[int, ...]) -> Iterator[tuple[ast.expr, tuple[int, ...]]]:
    """A conditional expression, and those that are its sides; with a path, those of the item at this place."""
    if isinstance(node, ast.IfExp):
        yield node, path
        yield from _nested(node.body, path)
        yield from _nested(node.orelse, path)
    elif isinstance(node, ast.Tuple) and path:
        yield from _nested(node.elts[path[0]], path[1:])
