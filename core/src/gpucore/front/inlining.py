"""Helpers: any plain Python function in the subset, lowered anew at each call."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any, TypeVar

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.context import Context, Frame, Insight, Retry
from gpucore.front.convert import freeze, known_constant
from gpucore.front.flow import Flow, can_vary
from gpucore.front.operands import Operand, Static, StructValue
from gpucore.front.results import take_result
from gpucore.front.source import FunctionSource, read_source
from gpucore.front.variables import assign_variable, new_variable
from gpucore.types import DType

_MAX_DEPTH = 64


def inline(
    context: Context, function: FunctionType, args: list[Operand], keywords: dict[str, Operand], node: ast.Call
) -> Operand:
    """Lower the body of a helper in place of its call."""
    if any(frame.source.function is function for frame in context.frames) or len(context.frames) > _MAX_DEPTH:
        names = [frame.source.name for frame in context.frames]
        is_recursive = function.__name__ in names
        context.error(
            KernelSyntaxError,
            "GP107",
            f"{function.__name__} calls itself" if is_recursive else "helpers call each other too deeply",
            node,
            why=f"devices have no stack for recursion ({' -> '.join([*names[-8:], function.__name__])})",
            fix="write a loop",
        )
    context.builder.count += 2  # a call costs time even where its result is one expression
    context.check_size(node)
    bound = _bind(context, function, args, keywords, node)
    source = _read(context, function, node)
    mark, insight, outer = context.builder.mark(), Insight(), context.flow
    while True:
        try:
            return _inline_once(context, source, bound, insight, node)
        except Retry as retry:
            if retry.frame.insight is not insight:
                raise
            context.builder.roll_back(mark)
        finally:
            context.flow = outer


def _inline_once(
    context: Context, source: FunctionSource, bound: dict[str, Operand], insight: Insight, node: ast.Call
) -> Operand:
    parsed, span = source.parsed, context.span(node)
    returns = _result_type(context, source)
    frame = Frame(source, parsed.uses, span, None, insight, closure=source.closure(), returns=returns)
    frame.base_block = context.builder.block
    context.frames.append(frame)
    context.flow = Flow()
    try:
        if parsed.needs_exit:
            frame.return_exit = context.new_exit(f"{source.name}_return")
        for name, operand in bound.items():
            bind_parameter(context, name, operand, parsed.arguments[name])
        context.statements(context, source.node.body)
        return take_result(context)
    finally:
        context.frames.pop()


def _read(context: Context, function: FunctionType, node: ast.Call) -> FunctionSource:
    try:
        return read_source(function)
    except KernelSyntaxError as error:
        # The place that a kernel's author can change is the call.
        context.error(KernelSyntaxError, error.code, error.message, node, why=error.why, fix=error.fix)


def _bind(
    context: Context, function: FunctionType, args: list[Operand], keywords: dict[str, Operand], node: ast.Call
) -> dict[str, Operand]:
    signature = context.signatures.get(function)
    if signature is None:
        signature = context.signatures[function] = inspect.signature(function)
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in signature.parameters.values()):
        context.error(
            KernelSyntaxError,
            "GP103",
            f"{function.__name__} takes * or ** arguments",
            node,
            why="a helper's parameters must be plain to see",
            fix="name each parameter",
        )
    try:
        bound = signature.bind(*args, **keywords)
    except TypeError as error:
        names = ", ".join(signature.parameters)
        context.error(
            KernelTypeError,
            "GP206",
            f"the call does not fit {function.__name__}: {error}",
            node,
            why=f"it is defined as {function.__name__}({names})",
            fix="give the arguments that it takes",
        )
    return {
        name: bound.arguments[name] if name in bound.arguments else Static(parameter.default)
        for name, parameter in signature.parameters.items()
    }


def bind_parameter(context: Context, name: str, operand: Operand, node: ast.arg) -> None:
    """What a parameter means. One that the function assigns is a name like any other, assigned at the start."""
    frame, operand = context.frame, known_constant(operand)
    use = frame.uses.get(name)
    if use is None:
        frame.parameters[name] = freeze(context, operand, node, name)
    elif can_vary(operand):
        value = freeze(context, operand, node, name) if isinstance(operand, StructValue) else operand
        variable = frame.variables[name] = new_variable(context, name, value)
        assign_variable(context, name, variable, value, node, context.span(node))
        context.flow.bindings[name] = variable
        frame.insight.variables.add(name)
    else:
        context.flow.bindings[name] = freeze(context, operand, node, name)


def _result_type(context: Context, source: FunctionSource) -> ir.Type | None:
    """The annotated result, where it is a scalar or vector; it types the literals that a helper returns."""
    function = source.function
    annotation: Any = function.__annotations__.get("return")
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, function.__globals__, source.closure())  # noqa: S307 (the user's own text)
        except Exception:  # noqa: BLE001 (an annotation that cannot be evaluated says nothing about the result)
            return None
    if isinstance(annotation, TypeVar):
        return context.type_bindings.get(annotation)
    if isinstance(annotation, DType):
        return annotation.ir_type
    return None
