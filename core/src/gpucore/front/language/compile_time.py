"""Compile-time evaluation: gp.static and len."""

from __future__ import annotations

import ast
import builtins
from typing import Any, TypeVar

from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.language.checks import check_count, known_value
from gpucore.front.state.context import Context
from gpucore.front.state.operands import ArrayReference, Operand, Static, compile_time_value, describe, items_of
from gpucore.front.values.variables import read_name
from gpucore.types import dtype_of


def lower_static(context: Context, node: ast.Call) -> Operand:
    """gp.static(expression): any Python expression of compile-time values."""
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        context.error(
            KernelTypeError,
            "GP206",
            "gp.static takes one expression",
            node,
            why="it evaluates that expression when the kernel is compiled",
            fix="write gp.static(expression)",
        )
    names = _names_for(context, node)
    try:
        code = compile(ast.Expression(node.args[0]), context.frame.source.parsed.file, "eval")
        value = eval(code, names)  # noqa: S307 (the user's own expression)
    except Exception as error:  # noqa: BLE001 (any error is reported in the message)
        context.error(
            KernelTypeError,
            "GP210",
            f"gp.static failed: {type(error).__name__}: {error}",
            node,
            why="the expression is plain Python, evaluated when the kernel is compiled",
            fix="correct the expression",
        )
    return Static(tuple(value) if isinstance(value, list) else value)


def _names_for(context: Context, call: ast.Call) -> dict[str, Any]:
    """The values of the names in the expression. Captured values become part of the cache key."""
    frame = context.frame
    names: dict[str, Any] = {"__builtins__": builtins}
    cells = frame.source.cells()
    own = {node.id for node in ast.walk(call) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(call.args[0]):
        if not isinstance(node, ast.Name) or node.id in own or node.id in names:
            continue
        name = node.id
        operand = read_name(context, node)
        if operand is not None:
            names[name] = _known(context, operand, node)
        elif name in frame.closure:
            names[name] = frame.closure[name]
            context.capture(cells[name], name, names[name])
        elif name in frame.source.global_names:
            names[name] = frame.source.global_names[name]
            context.capture(frame.source.global_names, name, names[name])
        if isinstance(names.get(name), TypeVar) and names[name] in context.type_bindings:
            names[name] = dtype_of(context.type_bindings[names[name]])
    return names


def _known(context: Context, operand: Operand, node: ast.Name) -> Any:
    known = compile_time_value(operand)
    if known is None:
        context.error(
            KernelTypeError,
            "GP210",
            f"gp.static needs compile-time values, and {node.id} is known only when the kernel runs",
            node,
            why="Python evaluates the expression when the kernel is compiled",
            fix="use literals, globals and gp.Const parameters",
        )
    return known.value


def lower_len(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """len(x): the length of an array's first axis, or the number of items in a tuple."""
    check_count(context, args, node, 1)
    if isinstance(args[0], ArrayReference):
        first = args[0].shape[0]
        return Static(first) if isinstance(first, int) else first
    items = items_of(args[0])
    if items is not None:
        return Static(len(items))
    value = known_value(context, args[0], node.args[0], "the argument of len")
    try:
        return Static(len(value))
    except Exception as error:  # noqa: BLE001 (a user-defined __len__ may raise anything)
        context.error(
            KernelTypeError,
            "GP202",
            f"len failed: {error}",
            node,
            why="arrays and tuples have a length",
            fix="take the len of an array or a tuple",
        )


def lower_ord(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """ord("a"): the code of a character, at compile time."""
    check_count(context, args, node, 1)
    value = known_value(context, args[0], node.args[0], "the character")
    if isinstance(value, str) and len(value) == 1:
        return Static(ord(value))
    context.error(
        KernelTypeError,
        "GP202",
        f"ord takes one character, not {describe(Static(value))}",
        node,
        why="it gives the number of a character, when the kernel is compiled",
        fix='write ord("a")',
    )


def refuse_outside_for(context: Context, node: ast.Call) -> Operand:
    """range and gp.unroll as values."""
    callee = context.expression(context, node.func)
    is_unroll = isinstance(callee, Static) and callee.value is not range
    context.error(
        KernelSyntaxError,
        "GP108",
        f"{context.text(node.func)} may only be used in the head of a for loop",
        node,
        why="it gives the values of the loop variable",
        fix="write for i in range(n)" if is_unroll else "write for i in range(n); for a test, write 0 <= i < n",
    )
