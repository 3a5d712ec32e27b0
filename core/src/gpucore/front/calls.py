"""Calls: conversions, the language's own functions, and helpers, which are inlined."""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Callable
from typing import Any, TypeVar

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front import intrinsics
from gpucore.front.context import Context, Exit, Flow, Frame
from gpucore.front.convert import as_expr, convert, is_expr
from gpucore.front.memory import component
from gpucore.front.names import survey
from gpucore.front.operands import EXPR_CLASSES, Group, Operand, Static, StructValue, describe
from gpucore.front.source import read_source
from gpucore.types import DType, struct_fields

_MAX_DEPTH = 64


def lower_call(context: Context, node: ast.Call) -> Operand:
    """What a call stands for."""
    callee = context.expression(context, node.func)
    function = callee.value if isinstance(callee, Static) else None
    if any(isinstance(arg, ast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
        context.error(KernelSyntaxError, "GP103", "a kernel cannot contain * or ** in a call", node,
                      why="the number of arguments must be plain to see", fix="write the arguments out")  # fmt: skip
    if not callable(function):
        context.error(KernelTypeError, "GP106", f"{context.text(node.func)} is not callable", node,
                      why=f"it is {describe(callee)}", fix="call a function")  # fmt: skip
    special = intrinsics.SPECIAL.get(_key(function))
    if special is not None:
        return special(context, node)
    args = [context.expression(context, arg) for arg in node.args]
    if isinstance(function, DType):
        return _construct(context, function, args, node)
    if (fields := struct_fields(function)) is not None:
        return _make_struct(context, typing.cast(type, function), fields, args, node)
    handler = intrinsics.FUNCTIONS.get(_key(function))
    if handler is not None:
        if node.keywords:
            context.error(KernelTypeError, "GP206", f"{context.text(node.func)} takes no keyword arguments", node,
                          why="the language's own functions take arguments by position", fix="leave out the names")  # fmt: skip
        return handler(context, args, node)
    if inspect.isfunction(function):
        keywords = {k.arg: context.expression(context, k.value) for k in node.keywords if k.arg is not None}
        return _inline(context, function, args, keywords, node)
    context.error(KernelSyntaxError, "GP106", f"a kernel cannot call {context.text(node.func)}", node,
                  why="it is neither part of the kernel language nor a Python function whose source can be read",
                  fix="use gp.* or math.* functions, or write the function in Python")  # fmt: skip


def _key(function: Any) -> Any:
    try:
        hash(function)
    except TypeError:
        return None
    return function


def _construct(context: Context, dtype: DType, args: list[Operand], node: ast.Call) -> Operand:
    type = dtype.ir_type
    if len(args) == 1 and not (isinstance(args[0], Group)):
        return convert(context, args[0], type, node.args[0])
    if isinstance(type, ir.VectorType):
        parts: list[ir.Expr] = []
        for arg, arg_node in zip(args, node.args, strict=True):
            if isinstance(arg, EXPR_CLASSES) and isinstance(arg.type, ir.VectorType):
                source = arg if isinstance(arg, (ir.Value, ir.Local)) else context.builder.let("vector", arg, context.span(arg_node))
                parts += [as_expr(context, component(source, i), arg_node, type.element) for i in range(arg.type.width)]
            else:
                parts.append(as_expr(context, arg, arg_node, type.element))
        if len(parts) == type.width:
            return ir.Construct(tuple(parts), type)
    count = f"1 or {type.width} components" if isinstance(type, ir.VectorType) else "one value"
    context.error(KernelTypeError, "GP206", f"gp.{type} is made from {count}", node,
                  why=f"{len(args)} arguments were given", fix=f"write gp.{type} with {count}")  # fmt: skip


def _make_struct(context: Context, cls: type, fields: tuple[Any, ...], args: list[Operand], node: ast.Call) -> Operand:
    given: dict[str, tuple[Operand, ast.AST]] = {}
    for field, arg, arg_node in zip(fields, args, node.args, strict=False):
        given[field.name] = (arg, arg_node)
    for keyword in node.keywords:
        given[str(keyword.arg)] = (context.expression(context, keyword.value), keyword.value)
    names = [field.name for field in fields]
    if len(args) > len(fields) or set(given) != set(names):
        context.error(KernelTypeError, "GP206", f"{cls.__name__} needs exactly its fields: {', '.join(names)}", node,
                      why=f"given were {', '.join(given) or 'none'}", fix="give each field once")  # fmt: skip
    values = tuple(
        context.builder.let(field.name, as_expr(context, *given[field.name], field.type), context.span(node)) for field in fields
    )
    return StructValue(cls, fields, values)


# ---------------------------------------------------------------- helpers


def _inline(
    context: Context, function: Callable[..., Any], args: list[Operand], keywords: dict[str, Operand], node: ast.Call
) -> Operand:
    if any(frame.source.function is function for frame in context.frames) or len(context.frames) > _MAX_DEPTH:
        chain = " -> ".join([*(frame.source.name for frame in context.frames), function.__name__])
        context.error(KernelSyntaxError, "GP107", f"{function.__name__} calls itself", node,
                      why=f"devices have no stack for recursion ({chain})", fix="write a loop")  # fmt: skip
    bound = _bind(context, function, args, keywords, node)
    outer_flow, span = context.flow, context.span(node)
    source = read_source(function)
    frame = Frame(
        source, survey(source.node), span, Exit("return", context.builder.local(f"{source.name}_returned", ir.BOOL), context.loop_depth),
        closure=source.closure(), base_block=context.builder.block, returns=_result_type(context, function),
    )  # fmt: skip
    context.builder.emit(ir.Assign(frame.return_exit.flag, ir.FALSE, span))
    context.frames.append(frame)
    context.flow = Flow()
    try:
        for name, operand in bound.items():
            _bind_parameter(context, frame, name, operand)
        context.statements(context, source.node.body)
        if context.flow.falls and frame.result is not None and frame.result != Static(None):
            context.error(KernelTypeError, "GP206", f"{source.name} returns a value on some paths only", source.node,
                          why="a call of it would have no value on the others", fix="return a value at the end")  # fmt: skip
    finally:
        context.frames.pop()
        context.flow = outer_flow
    return frame.result if frame.result is not None else Static(None)


def _bind(
    context: Context, function: Callable[..., Any], args: list[Operand], keywords: dict[str, Operand], node: ast.Call
) -> dict[str, Operand]:
    try:
        bound = inspect.signature(function).bind(*args, **keywords)
    except TypeError as error:
        context.error(KernelTypeError, "GP206", f"the call does not fit {function.__name__}: {error}", node,
                      why=f"its signature is {function.__name__}{inspect.signature(function)}", fix="give the arguments that it takes")  # fmt: skip
    defaults = {
        name: Static(parameter.default)
        for name, parameter in bound.signature.parameters.items()
        if name not in bound.arguments and parameter.default is not parameter.empty
    }
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in bound.signature.parameters.values()):
        context.error(KernelSyntaxError, "GP103", f"{function.__name__} takes * or ** arguments", node,
                      why="a helper's parameters must be plain to see", fix="name each parameter")  # fmt: skip
    return {**bound.arguments, **defaults}


def _bind_parameter(context: Context, frame: Frame, name: str, operand: Operand) -> None:
    """A parameter is a name of the helper; one that it assigns becomes a variable of its own."""
    span = frame.called_from
    if name in frame.uses:
        operand = operand if is_expr(operand) else as_expr(context, operand, frame.source.node)
        assert isinstance(operand, EXPR_CLASSES)
        local = context.builder.local(name, operand.type)
        context.builder.emit(ir.Assign(local, operand, span))
        frame.bindings[name] = local
        frame.uses[name].augmented = True
        context.flow.assigned.add(name)
        return
    if isinstance(operand, EXPR_CLASSES) and not isinstance(operand, (ir.Value, ir.Constant, ir.Param)):
        operand = context.builder.let(name, operand, span)
    frame.bindings[name] = operand


def _result_type(context: Context, function: Callable[..., Any]) -> ir.Type | None:
    """The annotated result, where it is a scalar or vector; it types the literals that a helper returns."""
    annotation = function.__annotations__.get("return")
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, function.__globals__, dict(inspect.getclosurevars(function).nonlocals))  # type: ignore[attr-defined]  # noqa: S307
        except Exception:  # noqa: BLE001 (an annotation that cannot be evaluated says nothing about the result)
            return None
    if isinstance(annotation, TypeVar):
        return context.type_bindings.get(annotation)
    if isinstance(annotation, DType):
        return annotation.ir_type
    return None
