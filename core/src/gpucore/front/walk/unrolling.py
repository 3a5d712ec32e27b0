"""Lowering of for over gp.unroll: the body is lowered once for each compile-time item."""

from __future__ import annotations

import ast
import enum
import itertools
from collections.abc import Sequence
from typing import Any, NoReturn

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.flow import LoopFrame
from gpucore.front.state.operands import Group, Operand, Static, describe, items_of, show_number
from gpucore.front.values.convert import freeze
from gpucore.front.values.variables import bind_name
from gpucore.front.walk.exits import merge_exit, open_guard

_MAX_UNROLLED = 4096


def lower_unrolled(context: Context, node: ast.For, call: ast.Call) -> None:
    """`for item in gp.unroll(items)`. A break sets a flag, which guards the later copies of the body."""
    items = _unrolled_items(context, call)
    used = _own_exits(node)
    break_exit = context.new_exit("break") if ast.Break in used else None
    continue_exit = context.new_exit("continue") if ast.Continue in used else None
    line = context.span(node).line
    loop = LoopFrame(False, break_exit, continue_exit)
    context.frame.loops.append(loop)
    try:
        for item in items:
            if not context.flow.is_reachable:
                break
            guard = open_guard(context)
            if guard is None:
                _lower_copy(context, node, item, loop)
            else:
                with guard:
                    _lower_copy(context, node, item, loop)
    finally:
        context.frame.loops.pop()
    if break_exit is not None:
        merge_exit(context, break_exit, f"a break of the loop at line {line} may skip its assignment")


def _lower_copy(context: Context, node: ast.For, item: Operand, loop: LoopFrame) -> None:
    context.check_size(node)
    _bind_item(context, node.target, item, node.iter)
    context.statements(context, node.body)
    if loop.continue_exit is not None:
        line = context.span(node).line
        if merge_exit(context, loop.continue_exit, f"a continue in the loop at line {line} may skip its assignment"):
            context.builder.emit(ir.Assign(loop.continue_exit.flag, ir.FALSE))  # for the next copy


def _own_exits(loop: ast.For) -> set[type[ast.stmt]]:
    """Which of break and continue the body uses for this loop, not counting nested loops."""
    found: set[type[ast.stmt]] = set()
    stack: list[ast.AST] = list(loop.body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Break, ast.Continue)):
            found.add(type(node))
        elif isinstance(node, ast.stmt) and not isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            stack.extend(node.body)
    return found


# ---------------------------------------------------------------- items


def _unrolled_items(context: Context, call: ast.Call) -> Sequence[Operand]:
    """The items of gp.unroll(range(...)), gp.unroll(tuple), gp.unroll(enumerate(tuple)), ..."""
    items = _items(context, call.args[0]) if len(call.args) == 1 and not call.keywords else None
    if items is None:
        context.error(
            KernelTypeError,
            "GP210",
            "gp.unroll takes range(...) of compile-time numbers, a tuple, an enum; or enumerate, zip, reversed of them",
            call,
            why="the loop is unrolled when the kernel is compiled",
            fix="write gp.unroll(range(4)), or a plain range for a loop at run time",
        )
    _check_length(context, len(items), call)
    return [freeze(context, item, call) for item in items]


def _items(context: Context, node: ast.expr) -> Sequence[Operand] | None:
    """The items of a sequence that is known at compile time, else None."""
    callee = context.expression(context, node.func) if isinstance(node, ast.Call) else None
    function = callee.value if isinstance(callee, Static) else None
    if isinstance(node, ast.Call) and function is range and not node.keywords:
        return _numbers(context, node)
    if isinstance(node, ast.Call) and function in (enumerate, zip, reversed):
        return _combined(context, function, node)
    operand = context.expression(context, node)
    items = items_of(operand)
    if items is None and isinstance(operand, Static) and (isinstance(operand.value, range) or _is_enum(operand.value)):
        items = tuple(Static(item) for item in itertools.islice(operand.value, _MAX_UNROLLED + 1))
    return items


def _combined(context: Context, function: Any, call: ast.Call) -> Sequence[Operand] | None:
    """The items of enumerate(items), enumerate(items, start), zip(...) and reversed(items)."""
    start: Any = 0
    arguments, keywords = list(call.args), {keyword.arg: keyword.value for keyword in call.keywords}
    if function is enumerate and (len(arguments) == 2 or "start" in keywords):
        start = _static_number(context, keywords.pop("start") if "start" in keywords else arguments.pop())
    is_strict = function is zip and "strict" in keywords and bool(_static_number(context, keywords.pop("strict")))
    parts = [_items(context, argument) for argument in arguments]
    known = [part for part in parts if part is not None]
    if keywords or len(known) < len(parts) or not known or (function is not zip and len(known) > 1):
        return None
    if function is reversed:
        return known[0][::-1]
    if function is enumerate:
        try:
            return [Group((Static(number), item)) for number, item in enumerate(known[0], start)]
        except TypeError as error:
            _refuse_numbers(context, "enumerate", error, call)
    if is_strict and len({len(part) for part in known}) > 1:
        _refuse_lengths(context, [len(part) for part in known], call)
    return [Group(items) for items in zip(*known, strict=False)]


def _refuse_lengths(context: Context, lengths: list[int], call: ast.Call) -> None:
    context.error(
        KernelTypeError,
        "GP206",
        f"zip with strict= of {' and '.join(map(str, lengths))} items",
        call,
        why="strict=True asks for sequences of one length",
        fix="give sequences of one length, or leave strict= out",
    )


def _numbers(context: Context, call: ast.Call) -> list[Operand]:
    numbers = [_static_number(context, arg) for arg in call.args]
    try:
        values = range(*numbers)
    except (TypeError, ValueError) as error:
        _refuse_numbers(context, "range", error, call)
    # len() raises for a length that does not fit a machine word
    _check_length(context, max(0, -((values.start - values.stop) // values.step)), call)
    return [Static(i) for i in values]


def _refuse_numbers(context: Context, name: str, error: Exception, call: ast.Call) -> NoReturn:
    context.error(
        KernelTypeError,
        "GP206",
        f"{name} failed: {error}",
        call,
        why="it is evaluated when the kernel is compiled",
        fix="give whole numbers",
    )


def _check_length(context: Context, length: int, node: ast.AST) -> None:
    if length > _MAX_UNROLLED:
        context.error(
            KernelTypeError,
            "GP205",
            f"gp.unroll over {show_number(length)} items is too long",
            node,
            why=f"the body is copied for each item; the limit is {_MAX_UNROLLED}",
            fix="use a plain range",
        )


def _is_enum(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, enum.Enum)


def _static_number(context: Context, node: ast.expr) -> Any:
    operand = context.expression(context, node)
    if isinstance(operand, Static):
        return operand.value
    context.error(
        KernelTypeError,
        "GP210",
        f"the bounds of gp.unroll must be known when the kernel is compiled, not {describe(operand)}",
        node,
        why="the loop is unrolled when the kernel is compiled",
        fix="use a literal, a global constant or a gp.Const parameter, or a plain range",
    )


def _bind_item(context: Context, target: ast.expr, item: Operand, source: ast.expr) -> None:
    if isinstance(target, ast.Name):
        bind_name(context, target, item, source)
        return
    parts = items_of(item) or ()
    if not isinstance(target, ast.Tuple) or len(parts) != len(target.elts):
        context.error(
            KernelTypeError,
            "GP206",
            "the loop variables do not match the items",
            target,
            why=f"an item is {describe(item)}",
            fix="use one name, or as many names as an item has parts",
        )
    for name, part in zip(target.elts, parts, strict=True):
        _bind_item(context, name, part, source)
