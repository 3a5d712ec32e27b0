"""Lowering of while, and of for over range. With a step other than 1 the loop counts iterations.

Nothing can wrap then: neither the number of iterations nor the loop variable in any of them. A step of run time may
have either sign. Its tests are in the IR, and passes.fold removes those that interval analysis decides.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from contextlib import contextmanager

from gpucore import ir, lang
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.flow import Flow, LoopFrame, at_loop_head, merge_bindings
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Operand,
    Static,
    describe,
    items_of,
    literal,
    whole_number,
)
from gpucore.front.state.wording import index_letters
from gpucore.front.text.names import stored_names
from gpucore.front.values.convert import unify
from gpucore.front.values.variables import bind_name
from gpucore.front.walk.unrolling import lower_unrolled
from gpucore.ir import build
from gpucore.ir.arithmetic import wrap


def lower_while(context: Context, node: ast.While) -> None:
    """`while condition: body` as a Loop that breaks when the condition is false."""
    _refuse_else(context, node)
    before = context.flow
    with _real_loop(context) as loop, context.builder.open() as block:
        _enter(context, node)
        condition = context.condition(context, node.test)
        if condition is False:
            context.flow = before
            return
        if condition is not True:
            span = context.span(node.test)
            context.builder.emit(ir.If(build.logical_not(condition), (ir.Break(span),), (), span))
            loop.at_break.append(dict(context.flow.bindings))
        context.statements(context, node.body)
        inner = context.flow
    context.builder.emit(ir.Loop(tuple(block), context.span(node)))
    after = Flow(bool(loop.at_break), inner.pending, merge_bindings(loop.at_break) if loop.at_break else {})
    reason = f"the loop at line {context.span(node).line} may end before it is assigned"
    _leave(context, before, inner, after, reason)


def lower_for(context: Context, node: ast.For) -> None:
    """`for i in range(...)`, or over gp.unroll(...)."""
    _refuse_else(context, node)
    call = node.iter
    callee = context.expression(context, call.func) if isinstance(call, ast.Call) else None
    function = callee.value if isinstance(callee, Static) else None
    if isinstance(call, ast.Call) and function is lang.unroll:
        lower_unrolled(context, node, call)
    elif isinstance(call, ast.Call) and function is range:
        _lower_range(context, node, call)
    else:
        context.error(
            KernelSyntaxError,
            "GP108",
            "a for loop in a kernel runs over range or gp.unroll",
            node.iter,
            why="other iterables do not exist on a device",
            fix=_suggest_range(context, node, function),
        )


def _refuse_else(context: Context, node: ast.For | ast.While) -> None:
    if node.orelse:
        context.error(
            KernelSyntaxError,
            "GP108",
            "a loop in a kernel has no else",
            _find_else(context, node),
            why="the kernel language does not support it",
            fix="set a flag before break and test it after the loop",
        )


def _find_else(context: Context, node: ast.For | ast.While) -> ast.AST:
    """A node at the keyword else, whose position is not in the AST."""
    parsed = context.frame.source.parsed
    first, last = node.body[-1].end_lineno or node.lineno, node.orelse[0].lineno
    for line in range(first, last + 1):
        text = linecache.getline(parsed.file, line + parsed.line_offset)
        column = len(text) - len(text.lstrip())
        if text.lstrip().startswith("else"):
            return ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column + len("else"))
    return node.orelse[0]


def _suggest_range(context: Context, loop: ast.For, function: object) -> str:
    """The fix for a loop over something other than range."""
    node = loop.iter
    if isinstance(node, ast.Call):
        if function in (enumerate, zip, reversed, map, filter):
            return _suggest_counting(context, loop, node, function)
        return "write for i in range(n), or for item in gp.unroll(items) over compile-time items"
    text, operand = context.text(node), context.expression(context, node)
    if isinstance(operand, ArrayReference):
        index = index_letters(text)[0]
        return f"write for {index} in range({_length(operand, text)}), and {text}[{index}] for the item"
    if items_of(operand) is not None:
        return f"write gp.unroll({text})"
    if isinstance(operand, EXPR_CLASSES) and isinstance(operand.type, ir.VectorType):
        return f"write for i in gp.unroll(range({operand.type.width})), and {text}[i] for the component"
    if whole_number(operand) is not None or isinstance(operand, EXPR_CLASSES):
        return f"write range({text})"
    return "write for i in range(n), or for item in gp.unroll(items) over compile-time items"


def _suggest_counting(context: Context, loop: ast.For, call: ast.Call, function: object) -> str:
    """The fix for a loop over enumerate, zip or reversed: a loop over range, or over gp.unroll of a tuple."""
    inner = call.args[0] if call.args else None
    if function is reversed and isinstance(inner, ast.Call) and ast.unparse(inner.func) == "range":
        return _reversed_range(context, loop, inner)
    names = [context.text(name) for name in loop.target.elts] if isinstance(loop.target, ast.Tuple) else []
    operands = [context.expression(context, arg) for arg in call.args if not isinstance(arg, (ast.Call, ast.Starred))]
    if operands and all(items_of(operand) is not None for operand in operands):
        return f"write for {', '.join(names) or context.text(loop.target)} in gp.unroll({context.text(call)})"
    texts = [context.primary(arg) for arg in call.args] or ["x"]
    index = names[0] if function is enumerate and names else index_letters(" ".join(texts))[0]
    length = _length(operands[0], texts[0]) if operands else f"{texts[0]}.size"
    order = f"range({length} - 1, -1, -1)" if function is reversed else f"range({length})"
    items = " and ".join(f"{text}[{index}]" for text in texts[: None if function is zip else 1])
    return f"write for {index} in {order}, and {items} for the item{'s' * (function is zip)}"


def _length(array: Operand, text: str) -> str:
    """The number of elements of an array, or rows of a matrix, for messages."""
    return f"{text}.shape[0]" if isinstance(array, ArrayReference) and len(array.shape) > 1 else f"{text}.size"


def _reversed_range(context: Context, loop: ast.For, call: ast.Call) -> str:
    """The range that counts down, for `reversed(range(...))`."""
    if len(call.args) not in (1, 2):
        return "write range from the last number to the first, with the step negated"
    stop: ast.expr = ast.Constant(0) if len(call.args) == 1 else call.args[0]
    first, last = (_one_below(context, end) for end in (call.args[-1], stop))
    return f"write for {context.text(loop.target)} in range({first}, {last}, -1)"


def _one_below(context: Context, node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return str(node.value - 1)
    return context.text(ast.BinOp(node, ast.Sub(), ast.Constant(1)))


@contextmanager
def _real_loop(context: Context) -> Iterator[LoopFrame]:
    """Open a real loop inside the `with` statement."""
    loop = LoopFrame(is_real=True)
    context.frame.loops.append(loop)
    context.loop_depth += 1
    try:
        yield loop
    finally:
        context.loop_depth -= 1
        context.frame.loops.pop()


def _enter(context: Context, node: ast.For | ast.While) -> None:
    """Set the flow at the head of a loop: names may have their values from before it, or from an earlier iteration.

    No exit was taken: each that is pending has left an enclosing loop, or is guarded against.
    """
    context.flow = context.flow.fork()
    context.flow.pending = set()
    context.flow.bindings = at_loop_head(context.flow.bindings, stored_names(node))


def _leave(context: Context, before: Flow, inner: Flow, after: Flow, reason: str) -> None:
    """Set the flow after a real loop. Exits in it that leave the enclosing loop too break out of it here."""
    after.pending = inner.pending | before.pending
    after.unassigned = {**inner.unassigned, **before.unassigned}
    for name in inner.bindings.keys() - after.bindings.keys():
        after.unassigned[name] = reason
    for exit_ in sorted(inner.pending, key=lambda e: e.flag.id):
        if context.loop_depth > exit_.loop_depth:
            context.builder.emit(ir.If(exit_.flag, (ir.Break(),)))
    context.flow = after


# ---------------------------------------------------------------- range


def _lower_range(context: Context, node: ast.For, call: ast.Call) -> None:
    start, stop, step = _range_arguments(context, call)
    span, before = context.span(call), context.flow
    start, stop = _named(context, "start", start, call), _named(context, "stop", stop, call)
    if not isinstance(step, int):
        step = _named(context, "step", step, call)
    target = _target(context, node)
    counts = step != 1
    last = _trip_count(context, start, stop, step, call) if counts else stop
    assert isinstance(last.type, ir.ScalarType) and isinstance(start.type, ir.ScalarType)
    first = ir.Constant(0, last.type) if counts else start
    counter = ir.Value(context.builder.new_id(), "trip" if counts else target.id, first.type)
    with _real_loop(context), context.builder.open() as block:
        _enter(context, node)
        head = dict(context.flow.bindings)
        value: ir.Expr = counter
        if counts:
            stride = wrap(step, start.type) if isinstance(step, int) else step
            scaled = build.mul(build.convert(counter, start.type), stride)
            value = build.add(start, scaled)
        bind_name(context, target, value, target)
        context.statements(context, node.body)
        inner = context.flow
    context.builder.emit(ir.ForRange(counter, first, last, tuple(block), span))
    reason = f"the loop at line {context.span(node).line} may run zero times"
    _leave(context, before, inner, Flow(True, inner.pending, head), reason)


def _target(context: Context, node: ast.For) -> ast.Name:
    if not isinstance(node.target, ast.Name):
        context.error(
            KernelSyntaxError,
            "GP108",
            "the loop variable of range is one name",
            node.target,
            why="range gives one number at a time",
            fix="write for i in range(n)",
        )
    return node.target


def _range_arguments(context: Context, call: ast.Call) -> tuple[ir.Expr, ir.Expr, ir.Expr | int]:
    """Start, stop and step, the step as an int if it is known at compile time."""
    if call.keywords or not 1 <= len(call.args) <= 3:
        context.error(
            KernelTypeError,
            "GP206",
            "range takes one to three arguments",
            call,
            why="range(stop), range(start, stop) or range(start, stop, step)",
            fix="pass the arguments that it takes",
        )
    operands = [context.expression(context, arg) for arg in call.args]
    for operand, node in zip(operands, call.args, strict=True):
        if isinstance(operand, ArrayReference):
            context.error(
                KernelTypeError,
                "GP202",
                f"range counts integers, not {describe(operand)}",
                node,
                why="the loop variable is an integer",
                fix=f"write {context.text(node)}.size",
            )
    first: Operand = Static(0) if len(operands) == 1 else operands[0]
    second = operands[0] if len(operands) == 1 else operands[1]
    nodes = [call.args[0], call.args[0]] if len(operands) == 1 else call.args
    step: ir.Expr | int = 1
    if len(operands) == 3:
        step, first, second = _step(context, operands[2], first, second, call)
    start, stop = unify(context, first, second, nodes[0], nodes[1], call, "range")
    if start.type not in (ir.I32, ir.U32, ir.I64, ir.U64):
        context.error(
            KernelTypeError,
            "GP202",
            f"range counts integers, not {start.type}",
            call,
            why="the loop variable is an integer",
            fix=f"convert, as in range(gp.i32({context.text(call.args[-1] if len(call.args) < 3 else call.args[1])}))",
        )
    return start, stop, step


def _step(
    context: Context, step: Operand, start: Operand, stop: Operand, call: ast.Call
) -> tuple[ir.Expr | int, Operand, Operand]:
    """The step, as an int if it is known at compile time; and the bounds, in the type of a step of run time."""
    if isinstance(step, Static):
        known = whole_number(step)
        if known is None or known == 0:
            context.error(
                KernelTypeError,
                "GP210",
                "the step of range must be a whole number other than 0",
                call.args[2],
                why="as in Python, range with a step of 0 is an error, and it counts integers",
                fix="use 1 or another step",
            )
        return known, start, stop
    start, step = unify(context, start, step, call.args[0], call.args[2], call, "range")
    stop, step = unify(context, stop, step, call.args[1], call.args[2], call, "range")
    return step, start, stop


def _named(context: Context, name: str, expr: ir.Expr, node: ast.AST) -> ir.Expr:
    simple = isinstance(expr, (ir.Constant, ir.Value, ir.Param))
    return expr if simple else context.builder.let(name, expr, context.span(node))


def _trip_count(context: Context, start: ir.Expr, stop: ir.Expr, step: ir.Expr | int, call: ast.Call) -> ir.Expr:
    """The number of iterations. Exact for every start and stop, because the distance is unsigned."""
    type = start.type
    assert isinstance(type, ir.ScalarType)
    wide = ir.U64 if type.bits == 64 else ir.U32
    if isinstance(step, int):
        stride: ir.Expr | None = literal(abs(step), wide)
        if stride is None:
            context.error(
                KernelTypeError,
                "GP205",
                f"the step {step} does not fit {type}",
                call,
                why=f"the loop counts in {type}",
                fix="use a smaller step",
            )
        low, high = (start, stop) if step > 0 else (stop, start)
        is_empty: ir.Expr = build.ge(low, high)
    else:
        is_zero = build.eq(step, 0)
        _check_step(context, is_zero, call)
        stride, low, high = step, start, stop
        if type.is_signed:
            ascends = build.gt(step, 0)
            stride = build.convert(build.select(ascends, step, build.neg(step)), wide)
            low, high = build.select(ascends, start, stop), build.select(ascends, stop, start)
        is_empty = build.logical_or(is_zero, build.ge(low, high))
    distance = build.convert(build.sub(high, low), wide)
    trips = build.add(build.floor_div(build.sub(distance, 1), stride), 1)
    return context.builder.let("trips", build.select(is_empty, 0, trips), context.span(call))


def _check_step(context: Context, is_zero: ir.Expr, call: ast.Call) -> None:
    """With debug: a step of 0 is reported, as in Python. Without, the loop has no iterations."""
    if context.is_debug:
        parts = ("the step of range is 0",)
        span = context.span(call.args[2])
        context.builder.emit(ir.Debug(ir.DebugKind.ASSERT, parts, span, build.logical_not(is_zero)))
