"""Lowering of Python expressions to operands."""

from __future__ import annotations

import ast
import builtins
import enum
import operator
import types
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.context import Captured, Context
from gpucore.front.convert import as_condition, as_expr, is_expr, typed_or_weak, unify
from gpucore.front.calls import lower_call
from gpucore.front.memory import lower_attribute, lower_subscript
from gpucore.front.operands import EXPR_CLASSES, Group, Operand, Static, describe, is_number
from gpucore.front.operators import binary, wrong
from gpucore.types import dtype_of

_COMPARE: dict[type[ast.cmpop], tuple[str, ir.BinaryOp, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", ir.BinaryOp.EQ, operator.eq),
    ast.NotEq: ("!=", ir.BinaryOp.NE, operator.ne),
    ast.Lt: ("<", ir.BinaryOp.LT, operator.lt),
    ast.LtE: ("<=", ir.BinaryOp.LE, operator.le),
    ast.Gt: (">", ir.BinaryOp.GT, operator.gt),
    ast.GtE: (">=", ir.BinaryOp.GE, operator.ge),
}
_REFUSED = {
    ast.ListComp: "write a loop", ast.SetComp: "write a loop", ast.DictComp: "write a loop",
    ast.GeneratorExp: "write a loop", ast.Lambda: "write a function with def", ast.List: "use a tuple, or gp.private_array",
    ast.Dict: "use a struct", ast.Set: "use a tuple", ast.JoinedStr: "print the values one by one",
    ast.NamedExpr: "assign on a line of its own", ast.Starred: "write the items out", ast.Await: "leave it out",
    ast.Yield: "leave it out", ast.YieldFrom: "leave it out", ast.Slice: "index one element",
}  # fmt: skip


def lower_expression(context: Context, node: ast.expr) -> Operand:
    """What a Python expression stands for. Statements that it needs (loads, calls) are emitted before."""
    match node:
        case ast.Constant():
            return Static(node.value)
        case ast.Name():
            return _name(context, node)
        case ast.BinOp():
            left, right = lower_expression(context, node.left), lower_expression(context, node.right)
            return binary(context, node.op, left, right, node.left, node.right, node)
        case ast.UnaryOp():
            return _unary(context, node)
        case ast.Compare():
            return _compare(context, node)
        case ast.BoolOp():
            return _bool_op(context, node)
        case ast.IfExp():
            return _conditional(context, node)
        case ast.Tuple():
            return Group(tuple(lower_expression(context, item) for item in node.elts))
        case ast.Attribute():
            return lower_attribute(context, node)
        case ast.Subscript():
            return lower_subscript(context, node)
        case ast.Call():
            return lower_call(context, node)
    fix = _REFUSED.get(type(node), "see the language reference for what kernels may contain")
    context.error(KernelSyntaxError, "GP103", f"a kernel cannot contain {_kind(node)}", node,
                  why="the kernel language is a subset of Python that every device can run", fix=fix)  # fmt: skip


def _kind(node: ast.AST) -> str:
    words = {ast.ListComp: "a list comprehension", ast.Lambda: "a lambda", ast.List: "a list", ast.Dict: "a dict",
             ast.JoinedStr: "an f-string", ast.NamedExpr: "an assignment expression (:=)", ast.Slice: "a slice"}  # fmt: skip
    return words.get(type(node), f"a {type(node).__name__} expression")


# ---------------------------------------------------------------- names


def _name(context: Context, node: ast.Name) -> Operand:
    frame, name = context.frame, node.id
    if name in frame.uses or name in frame.bindings:
        if name in frame.uses and name not in context.flow.assigned:
            reason = context.flow.unassigned.get(name, "no assignment comes before this line")
            context.error(KernelTypeError, "GP207", f"{name!r} may be read before it is assigned", node, why=reason,
                          fix=f"assign {name} on every path, for example before the branch or loop")  # fmt: skip
        return frame.bindings[name]
    if name in frame.closure:
        closure = frame.source
        return _capture(context, name, frame.closure[name], lambda: closure.closure().get(name), node)
    names = frame.source.global_names
    if name in names:
        return _capture(context, name, names[name], lambda: names.get(name), node)
    if hasattr(builtins, name):
        return Static(getattr(builtins, name))
    context.error(KernelSyntaxError, "GP105", f"the name {name!r} is not defined", node,
                  why="it is no parameter, no variable of this function and no global",
                  fix="define it before the kernel is called")  # fmt: skip


def _capture(context: Context, name: str, value: Any, read: Callable[[], Any], node: ast.AST) -> Operand:
    if isinstance(value, TypeVar):
        if value in context.type_bindings:
            return Static(dtype_of(context.type_bindings[value]))
        context.error(KernelTypeError, "GP210", f"the type variable {name} has no type here", node,
                      why="it stands in no parameter of the kernel", fix="use it in the kernel's signature")  # fmt: skip
    context.captured[(id(context.frame.source.function), name)] = Captured(name, value, read)
    if is_capturable(value):
        return Static(value)
    context.error(KernelTypeError, "GP109", f"the global {name!r} is a {type(value).__name__}, which a kernel cannot use", node,
                  why="a kernel captures by value: numbers, bools, dtypes, enums, functions, modules and tuples of them",
                  fix="pass it as an argument of the kernel")  # fmt: skip


def is_capturable(value: Any) -> bool:
    """Whether a value from outside may be used inside a kernel."""
    if isinstance(value, tuple):
        return all(is_capturable(item) for item in value)
    return (
        value is None
        or is_number(value)
        or isinstance(value, (np.generic, type, enum.Enum, types.ModuleType, str))
        or callable(value)
    )


def _unary(context: Context, node: ast.UnaryOp) -> Operand:
    operand = lower_expression(context, node.operand)
    if isinstance(node.op, ast.Not):
        condition = as_condition(context, operand, node.operand)
        return Static(not condition) if isinstance(condition, bool) else ir.Unary(ir.UnaryOp.NOT, condition, ir.BOOL)
    value = typed_or_weak(context, operand, node.operand)
    if not isinstance(value, EXPR_CLASSES):
        python: Callable[[Any], Any] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[type(node.op)]
        if isinstance(node.op, ast.Invert) and not isinstance(value, int):
            wrong(context, f"`~` works on integers, not on {value!r}", node, "use gp.bitcast to reach the bits")
        return Static(python(value))
    scalar = ir.scalar_of(value.type)
    if scalar == ir.BOOL or (isinstance(node.op, ast.Invert) and scalar.is_float):
        wrong(context, f"this operator does not work on {value.type}", node, "write `not` for a bool, gp.bitcast for the bits of a float")
    if isinstance(node.op, ast.UAdd):
        return value
    return ir.Unary(ir.UnaryOp.NEG if isinstance(node.op, ast.USub) else ir.UnaryOp.INVERT, value, value.type)


# ---------------------------------------------------------------- conditions


def _compare(context: Context, node: ast.Compare) -> Operand:
    left, left_node = lower_expression(context, node.left), node.left

    def link(position: int, left: Operand, left_node: ast.expr) -> Operand:
        op, right_node = node.ops[position], node.comparators[position]
        right = lower_expression(context, right_node)
        first = _compare_two(context, op, left, right, left_node, right_node, node)
        if position + 1 == len(node.ops):
            return first
        return _short_circuit(context, True, first, lambda: link(position + 1, right, right_node), node, node)

    return link(0, left, left_node)


def _compare_two(context: Context, op: ast.cmpop, left: Operand, right: Operand, left_node: ast.AST, right_node: ast.AST,
                 node: ast.AST) -> Operand:  # fmt: skip
    both_static = isinstance(left, Static) and isinstance(right, Static)
    if isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
        if both_static:
            assert isinstance(left, Static) and isinstance(right, Static)
            return Static({ast.Is: lambda a, b: a is b, ast.IsNot: lambda a, b: a is not b, ast.In: lambda a, b: a in b,
                           ast.NotIn: lambda a, b: a not in b}[type(op)](left.value, right.value))  # fmt: skip
        context.error(KernelSyntaxError, "GP103", "`is` and `in` compare compile-time values only", node,
                      why="values of run time have no identity and no membership", fix="use == or !=")  # fmt: skip
    symbol, ir_op, fold = _COMPARE[type(op)]
    if both_static:
        assert isinstance(left, Static) and isinstance(right, Static)
        if not (isinstance(left.value, np.generic) or isinstance(right.value, np.generic)):
            return Static(bool(fold(left.value, right.value)))
    x, y = unify(context, left, right, left_node, right_node, node, f"`{symbol}`")
    if isinstance(x.type, ir.VectorType):
        wrong(context, f"`{symbol}` compares scalars, not {x.type}", node, "compare components, as in v.x < w.x")
    if x.type == ir.BOOL and ir_op not in (ir.BinaryOp.EQ, ir.BinaryOp.NE):
        wrong(context, f"`{symbol}` orders numbers, not bools", node, "use == or !=, and, or, not")
    return ir.Binary(ir_op, x, y, ir.BOOL)


def _bool_op(context: Context, node: ast.BoolOp) -> Operand:
    is_and = isinstance(node.op, ast.And)

    def link(position: int) -> Operand:
        first = lower_expression(context, node.values[position])
        if position + 1 == len(node.values):
            condition = as_condition(context, first, node.values[position])
            return Static(condition) if isinstance(condition, bool) else condition
        return _short_circuit(context, is_and, first, lambda: link(position + 1), node.values[position], node)

    return link(0)


def _short_circuit(context: Context, is_and: bool, first: Operand, rest: Callable[[], Operand], first_node: ast.AST,
                   node: ast.AST) -> Operand:  # fmt: skip
    """`first and rest()` (or `or`): what `rest` needs is evaluated only where `first` does not decide."""
    left = as_condition(context, first, first_node)
    if isinstance(left, bool):
        return rest() if left == is_and else Static(left)
    with context.builder.open() as block:
        right = as_condition(context, rest(), node)
    right_expr: ir.Expr = ir.Constant(right, ir.BOOL) if isinstance(right, bool) else right
    if not block:
        op = ir.BinaryOp.AND if is_and else ir.BinaryOp.OR
        return ir.Binary(op, left, right_expr, ir.BOOL)
    result, span = context.builder.local("condition", ir.BOOL), context.span(node)
    block.append(ir.Assign(result, right_expr, span))
    context.builder.emit(ir.Assign(result, left, span))
    guard = result if is_and else ir.Unary(ir.UnaryOp.NOT, result, ir.BOOL)
    context.builder.emit(ir.If(guard, tuple(block), (), span))
    return context.builder.let("condition", result, span)


def _conditional(context: Context, node: ast.IfExp) -> Operand:
    condition = as_condition(context, lower_expression(context, node.test), node.test)
    if isinstance(condition, bool):
        return lower_expression(context, node.body if condition else node.orelse)
    span = context.span(node)
    condition = context.builder.let("condition", condition, span)
    with context.builder.open() as then:
        yes = lower_expression(context, node.body)
    with context.builder.open() as orelse:
        no = lower_expression(context, node.orelse)
    if not (is_expr(yes) or isinstance(yes, Static)) or not (is_expr(no) or isinstance(no, Static)):
        bad = yes if not (is_expr(yes) or isinstance(yes, Static)) else no
        wrong(context, f"a conditional expression chooses between numbers, not {describe(bad)}", node, "write an if statement")
    if_true, if_false = unify(context, yes, no, node.body, node.orelse, node, "the conditional expression")
    if not then and not orelse:
        return ir.Select(condition, if_true, if_false, if_true.type)
    result = context.builder.local("choice", if_true.type)
    then.append(ir.Assign(result, if_true, span))
    orelse.append(ir.Assign(result, if_false, span))
    context.builder.emit(ir.If(condition, tuple(then), tuple(orelse), span))
    return context.builder.let("choice", result, span)
