"""Lowering of Python expressions to operands."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import enum
import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import EXPR_CLASSES, Group, Operand, Static, compile_time_value, describe, items_of
from gpucore.front.state.wording import did_you_mean
from gpucore.front.text.foreign import own_word, use_of
from gpucore.front.text.nominal import is_enum
from gpucore.front.values.capture import capture_name
from gpucore.front.values.convert import as_condition, as_truth, check_enums, freeze, typed_or_weak, unify, widened
from gpucore.front.values.masks import by_component, is_mask
from gpucore.front.values.operators import binary, wrong
from gpucore.front.values.variables import read_name
from gpucore.front.walk.calls import lower_call
from gpucore.front.walk.conditionals import choose
from gpucore.front.walk.memory import lower_reference
from gpucore.front.walk.overloads import add_product, overloaded, overloaded_comparison, overloaded_unary
from gpucore.ir import build

_MAX_CHAIN = 64  # operators of a chain in one expression

_COMPARE: dict[type[ast.cmpop], tuple[str, ir.BinaryOp, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", ir.BinaryOp.EQ, operator.eq),
    ast.NotEq: ("!=", ir.BinaryOp.NE, operator.ne),
    ast.Lt: ("<", ir.BinaryOp.LT, operator.lt),
    ast.LtE: ("<=", ir.BinaryOp.LE, operator.le),
    ast.Gt: (">", ir.BinaryOp.GT, operator.gt),
    ast.GtE: (">=", ir.BinaryOp.GE, operator.ge),
}
_REFUSED: dict[type[ast.AST], str] = {
    ast.ListComp: "write a loop", ast.SetComp: "write a loop", ast.DictComp: "write a loop",
    ast.GeneratorExp: "write a loop", ast.Lambda: "write a function with def, outside the kernel",
    ast.List: "use a tuple, or gp.private_array", ast.Dict: "use a struct", ast.Set: "use a tuple",
    ast.JoinedStr: "write it in print or assert",
    ast.NamedExpr: "assign on a line of its own", ast.Starred: "write the items out", ast.Await: "leave it out",
    ast.Yield: "leave it out", ast.YieldFrom: "leave it out", ast.Slice: "index one element",
}  # fmt: skip
_KINDS: dict[type[ast.AST], str] = {
    ast.ListComp: "a list comprehension", ast.SetComp: "a set comprehension", ast.DictComp: "a dict comprehension",
    ast.GeneratorExp: "a generator expression", ast.Lambda: "a lambda", ast.List: "a list", ast.Dict: "a dict",
    ast.Set: "a set", ast.JoinedStr: "an f-string", ast.NamedExpr: "an assignment expression (:=)",
    ast.Starred: "a starred expression", ast.Slice: "a slice",
}  # fmt: skip


def lower_expression(context: Context, node: ast.expr) -> Operand:
    """Lower a Python expression to an operand. Statements that it needs (loads, calls) are emitted first."""
    match node:
        case ast.Constant():
            return Static(node.value)
        case ast.Name():
            return _name(context, node)
        case ast.BinOp():
            return _binary(context, node)
        case ast.UnaryOp():
            return _with_span(context, _unary(context, node), node)
        case ast.Compare():
            return _compare(context, node)
        case ast.BoolOp():
            return _bool_op(context, node)
        case ast.IfExp():
            return _conditional(context, node)
        case ast.Tuple():
            return Group(tuple(lower_expression(context, item) for item in node.elts))
        case ast.Attribute() | ast.Subscript():
            return lower_reference(context, node)
        case ast.Call():
            return _with_span(context, lower_call(context, node), node)
    fix = _REFUSED.get(type(node), "see the language reference for what kernels may contain")
    context.error(
        KernelSyntaxError,
        "GP103",
        f"a kernel cannot contain {_KINDS.get(type(node), f'a {type(node).__name__} expression')}",
        node,
        why="the kernel language is a subset of Python that every device can run",
        fix=fix,
    )


def _with_span(context: Context, operand: Operand, node: ast.expr) -> Operand:
    """An operation with its source span, for `gp.check`. The result of a helper keeps its span."""
    if context.is_debug and isinstance(operand, (ir.Unary, ir.Binary, ir.Call)) and operand.span is None:
        return dataclasses.replace(operand, span=context.span(node))
    return operand


def _binary(context: Context, node: ast.BinOp) -> Operand:
    """A chain of operators, left to right. A very long chain is split, so that later passes do not recurse deeply."""
    chain: list[ast.BinOp] = []
    first: ast.expr = node
    while isinstance(first, ast.BinOp):
        chain.append(first)
        first = first.left
    value = lower_expression(context, first)
    for count, link in enumerate(reversed(chain), 1):
        own = add_product(context, link.op, value, link.right, link)
        if own is None:
            right = lower_expression(context, link.right)
            own = overloaded(context, link.op, value, right, link)
            own = binary(context, link.op, value, right, link.left, link.right, link) if own is None else own
        value = own
        value = _with_span(context, value, link)
        if count % _MAX_CHAIN == 0:
            value = freeze(context, value, link, "part")
    return value


# ---------------------------------------------------------------- names


def _name(context: Context, node: ast.Name) -> Operand:
    own = read_name(context, node)
    if own is not None:
        return own
    frame, name = context.frame, node.id
    if name in frame.closure:
        return capture_name(context, frame.source.cells()[name], name, frame.closure[name], node)
    names = frame.source.global_names
    if name in names:
        return capture_name(context, names, name, names[name], node)
    if hasattr(builtins, name):
        return Static(getattr(builtins, name))
    whole, is_called = use_of(frame.source.node, node)
    foreign = own_word(ast.unparse(whole), is_called=is_called)
    context.error(
        KernelSyntaxError,
        "GP105",
        f"the name {name!r} is not defined",
        whole if foreign else node,
        why="there is no parameter, variable of this function or global of that name",
        fix=foreign or did_you_mean(name, _names_here(context), "define it before the kernel is called"),
    )


def _names_here(context: Context) -> list[str]:
    """The names in scope: those of the function, then those outside it."""
    frame = context.frame
    own = [*frame.parameters, *frame.uses, *frame.closure]
    return [*own, *frame.source.global_names, *vars(builtins)]


def _unary(context: Context, node: ast.UnaryOp) -> Operand:
    if isinstance(node.op, ast.Not):
        condition = lower_condition(context, node.operand)
        return Static(not condition) if isinstance(condition, bool) else build.logical_not(condition)
    operand = lower_expression(context, node.operand)
    own = overloaded_unary(context, node.op, operand, node)
    if own is not None:
        return own
    value = widened(typed_or_weak(context, operand, node.operand))
    if not isinstance(value, EXPR_CLASSES):
        if isinstance(node.op, ast.Invert):
            if not isinstance(value, int) or isinstance(value, bool):
                wrong(context, f"`~` works on integers, not on {value!r}", node, "write `not` for a bool")
            return Static(~value)
        return Static(-value if isinstance(node.op, ast.USub) else +value)
    scalar = ir.scalar_of(value.type)
    if isinstance(node.op, ast.Invert) and is_mask(value.type):
        return by_component(context, build.logical_not, (value,), node)
    if scalar == ir.BOOL or (isinstance(node.op, ast.Invert) and scalar.is_float):
        fix = "write `not` for a bool, gp.bitcast for the bits of a float"
        wrong(context, f"this operator does not work on {value.type}", node, fix)
    if isinstance(node.op, ast.UAdd):
        return value
    return ir.Unary(ir.UnaryOp.NEG if isinstance(node.op, ast.USub) else ir.UnaryOp.INVERT, value, value.type)


# ---------------------------------------------------------------- conditions


def _compare(context: Context, node: ast.Compare) -> Operand:
    truth = _link(context, node, 0, lower_expression(context, node.left), node.left)
    return Static(truth) if isinstance(truth, bool) else truth


def _link(context: Context, node: ast.Compare, position: int, left: Operand, left_node: ast.expr) -> ir.Expr | bool:
    """The comparisons of a chain from `position` on. Each operand is evaluated once, and only if needed."""
    right_node = node.comparators[position]
    right = lower_expression(context, right_node)
    first = _compare_two(context, node.ops[position], left, right, left_node, right_node, node)
    if isinstance(first, EXPR_CLASSES) and is_mask(first.type):
        if len(node.ops) > 1:
            what = "a chain of comparisons works on scalars, not on vectors"
            wrong(context, what, node, "join two comparisons by &, as in (low <= v) & (v < high)")
        return first
    truth = as_condition(context, first, node)
    if position + 1 == len(node.ops):
        return truth
    return _short_circuit(context, True, truth, lambda: _link(context, node, position + 1, right, right_node), node)


def _compare_two(
    context: Context,
    op: ast.cmpop,
    left: Operand,
    right: Operand,
    left_node: ast.AST,
    right_node: ast.AST,
    node: ast.expr,
) -> Operand:
    a, b = compile_time_value(left), compile_time_value(right)
    if isinstance(op, (ast.Is, ast.IsNot)) and _is_member_test(left, right):
        op = ast.Eq() if isinstance(op, ast.Is) else ast.NotEq()  # enum members are identical if they are equal
    if isinstance(op, (ast.In, ast.NotIn)) and (a is None or b is None) and (items := items_of(right)) is not None:
        return _membership(context, op, left, items, (left_node, right_node), node)
    if isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
        return _identity(context, op, a, b, node)
    symbol, ir_op, fold = _COMPARE[type(op)]
    if a is not None and b is not None and not (_is_typed(a.value) or _is_typed(b.value)):
        return _fold(context, fold, a.value, b.value, symbol, node)
    own = overloaded_comparison(context, op, left, right, (left_node, right_node), node)
    if own is not None:
        return own
    check_enums(context, left, right, node)
    x, y = unify(context, left, right, left_node, right_node, node, f"`{symbol}`")
    if ir.scalar_of(x.type) == ir.BOOL and ir_op not in (ir.BinaryOp.EQ, ir.BinaryOp.NE):
        wrong(context, f"`{symbol}` orders numbers, not bools", node, "use == or !=, and, or, not")
    if isinstance(x, ir.Constant) and isinstance(y, ir.Constant):
        return Static(bool(fold(x.value, y.value)))
    if isinstance(x.type, ir.VectorType):
        return by_component(context, functools.partial(build.binary, ir_op), (x, y), node)
    return build.binary(ir_op, x, y)


def _membership(
    context: Context,
    op: ast.cmpop,
    left: Operand,
    items: tuple[Operand, ...],
    nodes: tuple[ast.AST, ast.AST],
    node: ast.expr,
) -> Operand:
    """`x in (a, b)`: whether x equals any of the items."""
    value = freeze(context, left, nodes[0])
    item_nodes = nodes[1].elts if isinstance(nodes[1], ast.Tuple) else [nodes[1]] * len(items)
    compared = [
        _compare_two(context, ast.Eq(), value, item, nodes[0], place, node)
        for item, place in zip(items, item_nodes, strict=True)
    ]
    if any(isinstance(truth, EXPR_CLASSES) and is_mask(truth.type) for truth in compared):
        fix = f"compare with each item, as in gp.all({context.text(nodes[0])} == {context.text(item_nodes[0])})"
        wrong(context, "`in` compares scalars, not vectors", node, fix)
    truths = [as_condition(context, truth, node) for truth in compared]
    if any(truth is True for truth in truths):
        return Static(isinstance(op, ast.In))
    tests = [truth for truth in truths if not isinstance(truth, bool)]
    if not tests:
        return Static(isinstance(op, ast.NotIn))
    found = functools.reduce(build.logical_or, tests)
    return found if isinstance(op, ast.In) else build.logical_not(found)


def _is_member_test(left: Operand, right: Operand) -> bool:
    """Whether a runtime value of an enum is compared with a member: `kind is Kind.A`."""
    pairs = ((left, right), (right, left))
    return any(
        isinstance(value, EXPR_CLASSES)
        and is_enum(value.type)
        and isinstance(member, Static)
        and isinstance(member.value, enum.Enum)
        for value, member in pairs
    )


def _is_typed(value: Any) -> bool:
    return isinstance(value, (np.generic, np.ndarray))


def _identity(context: Context, op: ast.cmpop, a: Static | None, b: Static | None, node: ast.AST) -> Operand:
    """`is` and `in`. A runtime value is never None, so `x is None` tests whether an argument was left out."""
    if isinstance(op, (ast.Is, ast.IsNot)) and (a == Static(None) or b == Static(None)) and (a is None or b is None):
        return Static(isinstance(op, ast.IsNot))
    if a is None or b is None:
        is_in = isinstance(op, (ast.In, ast.NotIn))
        context.error(
            KernelSyntaxError,
            "GP103",
            "`in` looks in tuples and compile-time values only" if is_in else "`is` compares compile-time values only",
            node,
            why="an array has no membership test" if is_in else "values of run time have no identity",
            fix="write a loop over range(x.size)" if is_in else "use == or !=",
        )
    if isinstance(op, (ast.Is, ast.IsNot)):
        return Static((a.value is b.value) == isinstance(op, ast.Is))
    found = _fold(context, lambda item, items: item in items, a.value, b.value, "in", node)
    return found if isinstance(op, ast.In) else Static(not found.value)


def _fold(context: Context, fold: Callable[[Any, Any], Any], a: Any, b: Any, symbol: str, node: ast.AST) -> Static:
    try:
        return Static(bool(fold(a, b)))
    except Exception as error:  # noqa: BLE001 (a user-defined comparison may raise anything)
        context.error(
            KernelTypeError,
            "GP202",
            f"`{symbol}` of {describe(Static(a))} and {describe(Static(b))} failed: {error}",
            node,
            why="compile-time values are compared by Python when the kernel is compiled",
            fix="compare values of one kind",
        )


def _bool_op(context: Context, node: ast.BoolOp) -> Operand:
    """`a and b` as a value: of bools alone, as for Python that of integers is one of them."""
    truth = _joined(context, node, lambda part: as_condition(context, lower_expression(context, part), part))
    return Static(truth) if isinstance(truth, bool) else truth


def lower_condition(context: Context, node: ast.expr) -> ir.Expr | bool:
    """Whether an expression is true, where only that matters: a bool, or an integer other than 0."""
    if isinstance(node, ast.BoolOp):
        return _joined(context, node, functools.partial(lower_condition, context))
    return as_truth(context, lower_expression(context, node), node)


def _joined(context: Context, node: ast.BoolOp, lower: Callable[[ast.expr], ir.Expr | bool]) -> ir.Expr | bool:
    """`a and b and c` (or `or`), from left to right, until the result is known."""
    is_and = isinstance(node.op, ast.And)
    first, *others = node.values
    truth = lower(first)
    for other in others:
        if truth is not is_and and isinstance(truth, bool):
            break
        truth = _short_circuit(context, is_and, truth, functools.partial(lower, other), node)
    return truth


def _short_circuit(
    context: Context, is_and: bool, left: ir.Expr | bool, rest: Callable[[], ir.Expr | bool], node: ast.AST
) -> ir.Expr | bool:
    """`left and rest()` (or `or`): `rest` is evaluated only if `left` does not determine the result."""
    if isinstance(left, bool):
        return rest() if left == is_and else left
    with context.builder.open() as block:
        right = rest()
    span = context.span(node)
    guard = left if is_and else build.logical_not(left)
    if isinstance(right, bool):
        if block:
            context.builder.emit(ir.If(guard, tuple(block), (), span))
        return left if right == is_and else right
    if not block:
        return ir.Binary(ir.BinaryOp.AND if is_and else ir.BinaryOp.OR, left, right, ir.BOOL)
    result = context.builder.local("condition", ir.BOOL)
    block.append(ir.Assign(result, right, span))
    context.builder.emit(ir.Assign(result, left, span))
    context.builder.emit(ir.If(result if is_and else build.logical_not(result), tuple(block), (), span))
    return context.builder.let("condition", result, span)


def _conditional(context: Context, node: ast.IfExp) -> Operand:
    condition = lower_condition(context, node.test)
    if isinstance(condition, bool):
        return lower_expression(context, node.body if condition else node.orelse)
    return choose(context, condition, node)
