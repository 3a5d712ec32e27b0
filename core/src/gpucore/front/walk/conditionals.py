"""Lowering of `a if c else b` of numbers, structs, and tuples of them, where c is known at run time only."""

from __future__ import annotations

import ast
import functools
from typing import NamedTuple

import numpy as np

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Group,
    Operand,
    Static,
    StructValue,
    describe,
    is_number,
    items_of,
)
from gpucore.front.state.wording import article
from gpucore.front.values.choices import add_choice_of_branches, literals_of, pure_choice, type_alone
from gpucore.front.values.convert import as_expr, freeze, is_expr, unify
from gpucore.front.values.operators import wrong
from gpucore.front.values.struct_constants import expand_constant
from gpucore.ir import build
from gpucore.span import Span


class _Side(NamedTuple):
    """A side of a conditional expression, or an item of a tuple that is one."""

    value: Operand
    node: ast.expr
    block: list[ir.Stmt]

    def items(self) -> list[_Side] | None:
        """The items of a tuple, else None."""
        items = items_of(self.value)
        if items is None:
            return None
        if isinstance(self.node, ast.Tuple):
            nodes = self.node.elts
        else:
            places = (ast.Constant(at) for at in range(len(items)))
            nodes = [ast.copy_location(ast.Subscript(self.node, at, ast.Load()), self.node) for at in places]
        return [_Side(item, node, self.block) for item, node in zip(items, nodes, strict=True)]


def choose(context: Context, condition: ir.Expr, node: ast.IfExp) -> Operand:
    """The value of a conditional expression. The statements of a side are executed only if it is chosen."""
    context.check_depth(node)
    span = context.span(node)
    condition = context.builder.let("condition", condition, span)
    with context.builder.open() as then:
        yes = _Side(context.expression(context, node.body), node.body, then)
    with context.builder.open() as orelse:
        no = _Side(context.expression(context, node.orelse), node.orelse, orelse)
    needs_branch = bool(then or orelse)  # a side has statements, to be executed only if it is chosen
    choice = _choice(context, condition, yes, no, node, ())
    if not needs_branch:
        return choice
    context.builder.emit(ir.If(condition, tuple(then), tuple(orelse), span))
    result = freeze(context, choice, node, "choice")
    _add_choices(context, result, yes, no, node, ())
    return result


def _choice(
    context: Context, condition: ir.Expr, yes: _Side, no: _Side, node: ast.IfExp, path: tuple[int, ...]
) -> Operand:
    """One of the two sides: of tuples, item by item; `path` is the place of an item in the tuples.

    If a side has statements, assignments to variables are appended to those of both sides.
    """
    pairs = _pairs(context, yes, no, node)
    if pairs is not None:
        chosen = (_choice(context, condition, a, b, node, (*path, at)) for at, (a, b) in enumerate(pairs))
        return Group(tuple(chosen))
    a, b = expand_constant(context, yes.value, yes.node), expand_constant(context, no.value, no.node)
    needs_branch = bool(yes.block or no.block)
    literals = literals_of(context, a, b)
    if literals is not None and not needs_branch:
        pure = functools.partial(build.select, condition)
        return pure_choice(context, literals, (a, b), (yes.node, no.node), pure)
    if isinstance(a, StructValue) or isinstance(b, StructValue):
        _check_same_struct(context, a, b, node)
    elif literals is not None:
        type = context.frame.facts.choice_types.get((node, path)) or type_alone(context, literals, (a, b))
        a, b = as_expr(context, a, yes.node, type), as_expr(context, b, no.node, type)
    else:
        a, b = _two_numbers(context, yes._replace(value=a), no._replace(value=b), node)
    return _chosen(context, condition, (a, yes.block), (b, no.block), needs_branch, context.span(node))


def _pairs(context: Context, yes: _Side, no: _Side, node: ast.IfExp) -> list[tuple[_Side, _Side]] | None:
    """The items of two tuples of one length; None if neither side is a tuple."""
    a, b = yes.items(), no.items()
    if a is None and b is None:
        return None
    if a is None or b is None or len(a) != len(b):
        context.error(
            KernelTypeError,
            "GP201",
            f"the conditional expression mixes {describe(yes.value)} and {describe(no.value)}",
            node,
            why="both sides must have the same number of items",
            fix=f"give a tuple of {len(a if a is not None else b or ())} on both sides",
        )
    return list(zip(a, b, strict=True))


def _add_choices(
    context: Context, result: Operand, yes: _Side, no: _Side, node: ast.IfExp, path: tuple[int, ...]
) -> None:
    """Remember which numbers in the result of two branches are choices between literals."""
    if isinstance(result, Group):
        sides = zip(result.items, yes.items() or (), no.items() or (), strict=True)
        for at, (item, a, b) in enumerate(sides):
            _add_choices(context, item, a, b, node, (*path, at))
    elif (literals := literals_of(context, yes.value, no.value)) is not None and isinstance(result, EXPR_CLASSES):
        add_choice_of_branches(context, result, literals, node, path)


def _two_numbers(context: Context, yes: _Side, no: _Side, node: ast.IfExp) -> tuple[ir.Expr, ir.Expr]:
    """The two sides of a conditional expression, as expressions of one type."""
    for operand in (yes.value, no.value):
        if not (
            is_expr(operand)
            or (isinstance(operand, Static) and (is_number(operand.value) or isinstance(operand.value, np.generic)))
        ):
            what = f"a conditional expression chooses between numbers, structs or tuples, not {describe(operand)}"
            is_array = isinstance(operand, ArrayReference)
            fix = "write an if statement" + ", and use each array in its branch" * is_array
            if isinstance(operand, ArrayReference) and operand.view is not None:
                fix = "choose the index, as in x[i if c else j]"
            wrong(context, what, node, fix)
    what = "the conditional expression"
    return unify(context, yes.value, no.value, yes.node, no.node, node, what, is_choice=True)


def _check_same_struct(context: Context, yes: Operand, no: Operand, node: ast.IfExp) -> None:
    if not isinstance(yes, StructValue) or not isinstance(no, StructValue) or yes.cls is not no.cls:
        cls = yes.cls if isinstance(yes, StructValue) else no.cls if isinstance(no, StructValue) else None
        assert cls is not None
        context.error(
            KernelTypeError,
            "GP201",
            f"the conditional expression mixes {describe(yes)} and {describe(no)}",
            node,
            why="both sides must have the same type",
            fix=f"give {article(cls.__name__)} on both sides",
        )


def _chosen(
    context: Context,
    condition: ir.Expr,
    yes: tuple[Operand, list[ir.Stmt]],
    no: tuple[Operand, list[ir.Stmt]],
    needs_branch: bool,
    span: Span | None,
) -> ir.Expr | StructValue:
    """One of two values of one type; structs are chosen field by field. Each value comes with its statements.

    If it needs a branch, assignments to variables are appended to the statements of both sides.
    """
    (if_true, then), (if_false, orelse) = yes, no
    if isinstance(if_true, StructValue) and isinstance(if_false, StructValue):
        pairs = zip(if_true.values, if_false.values, strict=True)
        values = (_chosen(context, condition, (a, then), (b, orelse), needs_branch, span) for a, b in pairs)
        return StructValue(if_true.cls, tuple(values))
    assert isinstance(if_true, EXPR_CLASSES) and isinstance(if_false, EXPR_CLASSES)
    if not needs_branch:
        return ir.Select(condition, if_true, if_false, if_true.type)
    result = context.builder.local("choice", if_true.type)
    then.append(ir.Assign(result, if_true, span))
    orelse.append(ir.Assign(result, if_false, span))
    return result
