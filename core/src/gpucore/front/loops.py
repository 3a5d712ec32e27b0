"""Lowering of for and while. `range` with a step other than 1 counts its iterations; unrolled bodies are repeated."""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence
from typing import Any

from gpucore import ir, lang
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.assignment import bind_name
from gpucore.front.context import Context, Flow, LoopFrame
from gpucore.front.convert import as_condition, unify
from gpucore.front.exits import take_guard
from gpucore.front.operands import Group, Operand, Static, describe, literal

_MAX_UNROLLED = 4096


def lower_while(context: Context, node: ast.While) -> None:
    """`while condition: body` as a Loop that breaks where the condition fails."""
    _refuse_else(context, node)
    before = context.flow
    loop = LoopFrame()
    with _real_loop(context, loop), context.builder.open() as block:
        context.flow = before.fork()
        condition = as_condition(context, context.expression(context, node.test), node.test)
        if condition is False:
            block.clear()
            context.flow = before
            return
        if condition is not True:
            span = context.span(node.test)
            context.builder.emit(ir.If(ir.Unary(ir.UnaryOp.NOT, condition, ir.BOOL), (ir.Break(span),), (), span))
            loop.has_break = True
            loop.at_break.append(set(context.flow.assigned))
        context.statements(context, node.body)
        inner = context.flow
    context.builder.emit(ir.Loop(tuple(block), context.span(node)))
    assigned = set.intersection(*loop.at_break) if loop.at_break else set(before.assigned)
    reason = f"the loop at line {node.lineno} of the function may end before it is assigned"
    _after_loop(context, before, inner, assigned, loop.has_break, reason)


def lower_for(context: Context, node: ast.For) -> None:
    """`for i in range(...)`, or over gp.unroll(...)."""
    _refuse_else(context, node)
    call = node.iter
    callee = context.expression(context, call.func) if isinstance(call, ast.Call) else None
    function = callee.value if isinstance(callee, Static) else None
    if isinstance(call, ast.Call) and function is lang.unroll:
        _lower_unrolled(context, node, _unrolled_items(context, call))
    elif isinstance(call, ast.Call) and function is range:
        _lower_range(context, node, call)
    else:
        context.error(KernelSyntaxError, "GP108", "a for loop in a kernel runs over range or gp.unroll", node.iter,
                      why="other iterables do not exist on a device",
                      fix="write for i in range(n), or for item in gp.unroll(items) over compile-time items")  # fmt: skip


def _refuse_else(context: Context, node: ast.For | ast.While) -> None:
    if node.orelse:
        context.error(KernelSyntaxError, "GP108", "a loop in a kernel has no else", node.orelse[0],
                      why="the kernel language leaves it out", fix="set a flag before break and test it after the loop")  # fmt: skip


class _real_loop:  # noqa: N801 (a context manager reads as a word)
    """Keeps count of open real loops."""

    def __init__(self, context: Context, loop: LoopFrame) -> None:
        self._context, self._loop = context, loop

    def __enter__(self) -> None:
        self._context.frame.loops.append(self._loop)
        self._context.loop_depth += 1

    def __exit__(self, *exception: object) -> None:
        self._context.loop_depth -= 1
        self._context.frame.loops.pop()


def _after_loop(context: Context, before: Flow, inner: Flow, assigned: set[str], ends: bool, reason: str) -> None:
    """The flow after a real loop; exits that cross a further loop break out of it here."""
    flow = Flow(ends, set(inner.pending), assigned, {**inner.unassigned, **before.unassigned})
    for name in inner.assigned - assigned:
        flow.unassigned[name] = reason
    crossing = sorted(inner.pending, key=lambda e: e.flag.id)
    for exit_ in crossing:
        if context.loop_depth > exit_.loop_depth:
            context.builder.emit(ir.If(exit_.flag, (ir.Break(),)))
    context.flow = flow


# ---------------------------------------------------------------- range


def _lower_range(context: Context, node: ast.For, call: ast.Call) -> None:
    start, stop, step = _range_arguments(context, call)
    span, before = context.span(call), context.flow
    start, stop = _named(context, "start", start, call), _named(context, "stop", stop, call)
    counts = step != 1
    first, last = (ir.Constant(0, ir.U32), _trip_count(context, start, stop, step, call)) if counts else (start, stop)
    assert isinstance(node.target, ast.expr)
    name = node.target.id if isinstance(node.target, ast.Name) else "i"
    counter = ir.Value(context.builder.new_id(), "trip" if counts else name, first.type)
    loop = LoopFrame()
    with _real_loop(context, loop), context.builder.open() as block:
        context.flow = before.fork()
        value: ir.Expr = counter
        if counts:
            scale = ir.Constant(step, start.type)
            scaled = ir.Binary(ir.BinaryOp.MUL, ir.Convert(counter, start.type), scale, start.type)
            value = ir.Binary(ir.BinaryOp.ADD, start, scaled, start.type)
        bind_name(context, _target(context, node), value, node.target)
        context.statements(context, node.body)
        inner = context.flow
    context.builder.emit(ir.ForRange(counter, first, last, tuple(block), span))
    reason = f"the loop at line {node.lineno} of the function may run zero times"
    _after_loop(context, before, inner, set(before.assigned), True, reason)


def _target(context: Context, node: ast.For) -> ast.Name:
    if not isinstance(node.target, ast.Name):
        context.error(KernelSyntaxError, "GP108", "the loop variable over range is one name", node.target,
                      why="range gives one number at a time", fix="write for i in range(n)")  # fmt: skip
    return node.target


def _range_arguments(context: Context, call: ast.Call) -> tuple[ir.Expr, ir.Expr, int]:
    if call.keywords or not 1 <= len(call.args) <= 3:
        context.error(KernelTypeError, "GP206", "range takes one to three arguments", call,
                      why="range(stop), range(start, stop) or range(start, stop, step)", fix="give the arguments that it takes")  # fmt: skip
    operands = [context.expression(context, arg) for arg in call.args]
    step = operands[2] if len(operands) == 3 else Static(1)
    if not isinstance(step, Static) or not isinstance(step.value, int) or isinstance(step.value, bool) or step.value == 0:
        context.error(KernelTypeError, "GP210", "the step of range must be a compile-time whole number other than 0", call.args[2],
                      why="its sign decides how the loop ends", fix="use a literal or a gp.Const, or write a while loop")  # fmt: skip
    first, second = (Static(0), operands[0]) if len(operands) == 1 else (operands[0], operands[1])
    nodes = [call.args[0], call.args[0]] if len(operands) == 1 else call.args
    start, stop = unify(context, first, second, nodes[0], nodes[1], call, "range")
    if start.type not in (ir.I32, ir.U32, ir.I64, ir.U64):
        context.error(KernelTypeError, "GP202", f"range counts integers, not {start.type}", call,
                      why="the loop variable is an integer", fix="convert, as in range(gp.i32(x))")  # fmt: skip
    return start, stop, step.value


def _named(context: Context, name: str, expr: ir.Expr, node: ast.AST) -> ir.Expr:
    simple = isinstance(expr, (ir.Constant, ir.Value, ir.Param))
    return expr if simple else context.builder.let(name, expr, context.span(node))


def _trip_count(context: Context, start: ir.Expr, stop: ir.Expr, step: int, node: ast.AST) -> ir.Expr:
    """How many values range gives: exact for every start and stop, since the distance is taken unsigned."""
    type = start.type
    assert isinstance(type, ir.ScalarType)
    if literal(abs(step), ir.U32) is None or (not type.is_signed and step < 0 and literal(-step, type) is None):
        context.error(KernelTypeError, "GP205", f"the step {step} does not fit {type}", node,
                      why=f"the loop counts in {type}", fix="use a smaller step")  # fmt: skip
    wide = ir.U64 if type.bits == 64 else ir.U32
    low, high = (start, stop) if step > 0 else (stop, start)
    distance = ir.Convert(ir.Binary(ir.BinaryOp.SUB, high, low, type), wide)
    less_one = ir.Binary(ir.BinaryOp.SUB, distance, ir.Constant(1, wide), wide)
    trips = ir.Binary(ir.BinaryOp.FLOOR_DIV, less_one, ir.Constant(abs(step), wide), wide)
    trips = ir.Binary(ir.BinaryOp.ADD, trips, ir.Constant(1, wide), wide)
    is_empty = ir.Binary(ir.BinaryOp.GE, low, high, ir.BOOL)
    count = ir.Select(is_empty, ir.Constant(0, wide), trips, wide)
    return context.builder.let("trips", count if wide == ir.U32 else ir.Convert(count, ir.U32), context.span(node))


# ---------------------------------------------------------------- unroll


def _unrolled_items(context: Context, call: ast.Call) -> list[Operand]:
    """The compile-time items of gp.unroll(range(...)) or gp.unroll(tuple)."""
    inner = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if isinstance(inner, ast.Call) and context.expression(context, inner.func) == Static(range):
        numbers = [_static_number(context, arg) for arg in inner.args]
        try:
            return [Static(i) for i in range(*numbers)]
        except (TypeError, ValueError) as error:
            context.error(KernelTypeError, "GP206", f"range fails: {error}", inner,
                          why="it is evaluated when the kernel is compiled", fix="give whole numbers")  # fmt: skip
    operand = context.expression(context, inner) if inner is not None else Static(None)
    if isinstance(operand, Group):
        return list(operand.items)
    if isinstance(operand, Static) and (isinstance(operand.value, (tuple, range)) or _is_enum(operand.value)):
        return [Static(item) for item in operand.value]
    context.error(KernelTypeError, "GP210", "gp.unroll takes range(...) of compile-time numbers, a tuple or an enum", call,
                  why="the loop is written out when the kernel is compiled",
                  fix="write gp.unroll(range(4)), or a plain range for a loop at run time")  # fmt: skip


def _is_enum(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, enum.Enum)


def _static_number(context: Context, node: ast.expr) -> Any:
    operand = context.expression(context, node)
    if isinstance(operand, Static):
        return operand.value
    context.error(KernelTypeError, "GP210", f"the bounds of gp.unroll must be known when the kernel is compiled, not {describe(operand)}",
                  node, why="the loop is written out when the kernel is compiled",
                  fix="use a literal, a global constant or a gp.Const parameter, or a plain range")  # fmt: skip


def _lower_unrolled(context: Context, node: ast.For, items: Sequence[Operand]) -> None:
    if len(items) > _MAX_UNROLLED:
        context.error(KernelTypeError, "GP205", f"gp.unroll over {len(items)} items is too long", node.iter,
                      why=f"each becomes code of its own; {_MAX_UNROLLED} is the most", fix="use a plain range")  # fmt: skip
    leaves = {type(child) for statement in node.body for child in ast.walk(statement)}
    loop = LoopFrame(context.new_exit("break"), context.new_exit("continue"))
    if not leaves & {ast.Break, ast.Continue}:
        context.builder.block.pop()  # no exit, no flags
        context.builder.block.pop()
    context.frame.loops.append(loop)
    try:
        _unroll_from(context, node, items, 0, loop)
    finally:
        context.frame.loops.pop()
    assert loop.break_exit is not None
    if loop.break_exit in context.flow.pending:
        context.flow.pending.discard(loop.break_exit)
        context.flow.falls = True


def _unroll_from(context: Context, node: ast.For, items: Sequence[Operand], position: int, loop: LoopFrame) -> None:
    """Copies from `position` on. After a copy that may break, the others stand under a guard."""
    for index in range(position, len(items)):
        if not context.flow.falls:
            return
        assert loop.break_exit is not None and loop.continue_exit is not None
        _bind_item(context, node.target, items[index])
        context.statements(context, node.body)
        if loop.continue_exit in context.flow.pending:
            context.flow.pending.discard(loop.continue_exit)
            context.flow.falls = True
            context.builder.emit(ir.Assign(loop.continue_exit.flag, ir.FALSE))  # for the next copy
        guard = take_guard(context)
        if guard is not None and context.flow.falls and index + 1 < len(items):
            with guard:
                _unroll_from(context, node, items, index + 1, loop)
            return


def _bind_item(context: Context, target: ast.expr, item: Operand) -> None:
    if isinstance(target, ast.Name):
        bind_name(context, target, item, target)
        return
    parts = item.items if isinstance(item, Group) else tuple(map(Static, item.value)) if isinstance(item, Static) and isinstance(item.value, tuple) else ()
    if not isinstance(target, ast.Tuple) or len(parts) != len(target.elts):
        context.error(KernelTypeError, "GP206", "the loop variables do not fit the items", target,
                      why=f"an item is {describe(item)}", fix="use one name, or as many names as an item has parts")  # fmt: skip
    for name, part in zip(target.elts, parts, strict=True):
        _bind_item(context, name, part)

