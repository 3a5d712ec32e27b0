"""Calls: conversions, the language's own functions, and helpers."""

from __future__ import annotations

import ast
import dataclasses
import typing
from types import FunctionType
from typing import Any

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.context import Context
from gpucore.front.convert import as_expr, convert
from gpucore.front.inlining import inline
from gpucore.front.intrinsics import FUNCTIONS, SPECIAL
from gpucore.front.memory import component
from gpucore.front.operands import EXPR_CLASSES, Operand, Static, StructValue, describe, items_of
from gpucore.types import DType, StructField, struct_fields


def lower_call(context: Context, node: ast.Call) -> Operand:
    """What a call stands for."""
    method = _method(context, node)
    if method is not None:
        return method
    callee = context.expression(context, node.func)
    function = callee.value if isinstance(callee, Static) else None
    if any(isinstance(arg, ast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
        context.error(
            KernelSyntaxError,
            "GP103",
            "a kernel cannot contain * or ** in a call",
            node,
            why="the number of arguments must be plain to see",
            fix="write the arguments out",
        )
    if not callable(function):
        context.error(
            KernelSyntaxError,
            "GP106",
            f"{context.text(node.func)} is not callable",
            node,
            why=f"it is {describe(callee)}",
            fix="call a function",
        )
    special = SPECIAL.get(_key(function))
    if special is not None:
        return special(context, node)
    args = [context.expression(context, arg) for arg in node.args]
    if isinstance(function, DType):
        _refuse_keywords(context, node)
        return _construct(context, function, args, node)
    if (fields := struct_fields(function)) is not None:
        return _make_struct(context, typing.cast(type, function), fields, args, node)
    handler = FUNCTIONS.get(_key(function))
    if handler is not None:
        _refuse_keywords(context, node)
        return handler(context, args, node)
    if isinstance(function, FunctionType) and not _is_of_host(function):
        keywords = {k.arg: context.expression(context, k.value) for k in node.keywords if k.arg is not None}
        return inline(context, function, args, keywords, node)
    is_own = type(function).__module__.startswith("gpucore.") or _is_of_host(function)
    context.error(
        KernelSyntaxError,
        "GP106",
        f"a kernel cannot call {context.text(node.func)}",
        node,
        why="it works on whole arrays, outside of kernels"
        if is_own
        else "it is neither part of the kernel language nor a Python function whose source can be read",
        fix="call it outside the kernel" if is_own else "use gp.* or math.* functions, or write the function in Python",
    )


def _method(context: Context, node: ast.Call) -> Operand | None:
    """A method of a struct: a helper that gets the struct first."""
    if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Name):
        return None
    owner = context.expression(context, node.func.value)
    if not isinstance(owner, StructValue):
        return None
    function = vars(owner.cls).get(node.func.attr)
    if not isinstance(function, FunctionType):
        return None
    args = [context.expression(context, arg) for arg in node.args]
    keywords = {k.arg: context.expression(context, k.value) for k in node.keywords if k.arg is not None}
    return inline(context, function, [owner, *args], keywords, node)


def _is_of_host(function: Any) -> bool:
    """Whether a function is one of gpucore's own for the outside of kernels."""
    module: str = getattr(function, "__module__", None) or ""
    if not module.startswith("gpucore.") or module.startswith("gpucore.testing."):
        return False
    # Packages of algorithms offer functions for the host; the modules in them hold kernels and helpers.
    return not module.startswith("gpucore.algorithms.") or module.count(".") < 3


def _key(function: Any) -> Any:
    try:
        hash(function)
    except TypeError:
        return None
    return function


def _refuse_keywords(context: Context, node: ast.Call) -> None:
    if node.keywords:
        context.error(
            KernelTypeError,
            "GP206",
            f"{context.text(node.func)} takes no keyword arguments",
            node,
            why="the language's own functions take arguments by position",
            fix="leave out the names",
        )


def _construct(context: Context, dtype: DType, args: list[Operand], node: ast.Call) -> Operand:
    type = dtype.ir_type
    if len(args) == 1 and items_of(args[0]) is None:
        return convert(context, args[0], type, node.args[0])
    if isinstance(type, ir.VectorType):
        parts: list[ir.Expr] = []
        for arg, arg_node in zip(args, node.args, strict=True):
            if isinstance(arg, EXPR_CLASSES) and isinstance(arg.type, ir.VectorType):
                simple = isinstance(arg, (ir.Value, ir.Local, ir.Construct, ir.Splat))
                source = arg if simple else context.builder.let("vector", arg, context.span(arg_node))
                own = (component(source, i) for i in range(arg.type.width))
                parts += [as_expr(context, part, arg_node, type.element) for part in own]
            else:
                parts.append(as_expr(context, arg, arg_node, type.element))
        if len(parts) == type.width:
            return ir.Construct(tuple(parts), type)
    count = f"1 or {type.width} components" if isinstance(type, ir.VectorType) else "one value"
    given = f"{len(args)} argument{'s' * (len(args) != 1)} {'were' if len(args) != 1 else 'was'} given"
    context.error(
        KernelTypeError,
        "GP206",
        f"gp.{type} is made from {count}",
        node,
        why=f"given was {describe(args[0])}" if len(args) == 1 and items_of(args[0]) is not None else given,
        fix=f"write gp.{type} with {count}",
    )


def _make_struct(
    context: Context, cls: type, fields: tuple[StructField, ...], args: list[Operand], node: ast.Call
) -> Operand:
    given: dict[str, tuple[Operand, ast.AST]] = {}
    for field, arg, arg_node in zip(fields, args, node.args, strict=False):
        given[field.name] = (arg, arg_node)
    is_twice = False
    for keyword in node.keywords:
        is_twice = is_twice or keyword.arg in given
        given[str(keyword.arg)] = (context.expression(context, keyword.value), keyword.value)
    defaults = {field.name: field.default for field in dataclasses.fields(cls)}
    for field in fields:
        if field.name not in given and defaults[field.name] is not dataclasses.MISSING:
            given[field.name] = (Static(defaults[field.name]), node)
    names = [field.name for field in fields]
    if len(args) > len(fields) or set(given) != set(names) or is_twice:
        context.error(
            KernelTypeError,
            "GP206",
            f"{cls.__name__} needs exactly its fields: {', '.join(names)}",
            node,
            why=f"given were {', '.join(given) or 'none'}",
            fix="give each field once",
        )
    exprs = [as_expr(context, *given[field.name], field.type) for field in fields]
    span = context.span(node)
    values = tuple(context.builder.let(field.name, expr, span) for field, expr in zip(fields, exprs, strict=True))
    return StructValue(cls, fields, values)
