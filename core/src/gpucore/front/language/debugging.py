"""print, assert and breakpoint: always checked, but emitted only in debug mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import EXPR_CLASSES, Operand, Static, StructValue, items_of
from gpucore.front.values.convert import as_truth, typed_or_weak, widened
from gpucore.structs import fields_of


def lower_debug(kind: ir.DebugKind, context: Context, node: ast.Call) -> Operand:
    """print(...) and breakpoint(): emitted only in debug mode and for the simulator."""
    if node.keywords or (kind is ir.DebugKind.BREAKPOINT and node.args):
        context.error(
            KernelSyntaxError,
            "GP106",
            f"{kind.value} in a kernel takes no keyword arguments"
            if node.keywords
            else f"{kind.value} in a kernel takes no arguments",
            node,
            why="only the plain form is supported",
            fix="print the values alone" if node.keywords else "write breakpoint()",
        )
    with only_with_debug(context):
        parts = printed(context, node.args)
        context.builder.emit(ir.Debug(kind, parts, context.span(node)))
    return Static(None)


def lower_assert(context: Context, node: ast.Assert) -> None:
    """`assert condition, "text"`: checked at compile time if the condition is known then, else in debug mode."""
    with only_with_debug(context):
        if isinstance(node.test, ast.BoolOp):
            condition = context.condition(context, node.test)
        else:
            condition = as_truth(context, _tested(context, node.test), node.test)
        parts = printed(context, [] if node.msg is None else [node.msg])
        if condition is False:
            text = "".join(part for part in parts if isinstance(part, str))
            is_own = bool(text) and context.span(node).is_own  # of a helper of gpucore, which the user has not written
            context.error(
                KernelTypeError,
                "GP213",
                f"{'this call is refused' if is_own else 'this assertion fails'}{': ' * bool(text)}{text}",
                node,
                why="its condition is known when the kernel is compiled, and is false",
                fix="correct the compile-time values that it depends on",
            )
        if not isinstance(condition, bool):
            context.builder.emit(ir.Debug(ir.DebugKind.ASSERT, parts, context.span(node), condition))


def _tested(context: Context, node: ast.expr) -> Operand:
    """The operand of an assert; not a string, which would be its message."""
    tested = context.expression(context, node)
    if isinstance(tested, Static) and isinstance(tested.value, str):
        context.error(
            KernelTypeError,
            "GP203",
            f"a string is not a condition: this assert would always {'hold' if tested.value else 'fail'}",
            node,
            why="in Python every string but the empty one is true, so nothing is tested",
            fix=f"write the condition before the string, as in assert i < x.size, {context.text(node)}",
        )
    return tested


@contextmanager
def only_with_debug(context: Context) -> Iterator[None]:
    """Lower the code inside the `with` statement, so that it is checked, but keep it only in debug mode."""
    mark, captured = context.builder.mark(), dict(context.captured)
    yield
    if not context.is_debug:
        context.builder.roll_back(mark)
        context.captured = captured


def printed(context: Context, nodes: Sequence[ast.expr]) -> tuple[str | ir.Expr, ...]:
    """The parts of a print or of an assert's message: strings and numbers. A tuple gives its items.

    A struct is printed as in Python, `P(a=1, b=1.0)`.
    """
    parts: list[str | ir.Expr] = []

    def write(part: str | ir.Expr) -> None:
        last = parts[-1] if parts else None
        if isinstance(part, str) and isinstance(last, str):
            parts[-1] = last + part
        elif part != "":
            parts.append(part)

    def add(operand: Operand, node: ast.expr) -> None:
        for number, item in enumerate(items_of(operand) or (operand,)):
            if number:
                write(" ")
            if isinstance(item, StructValue):
                write(f"{item.cls.__name__}(")
                for position, (field, value) in enumerate(zip(fields_of(item.cls), item.values, strict=True)):
                    write(f"{', ' * bool(position)}{field.name}=")
                    add(value, node)
                write(")")
            elif isinstance(item, EXPR_CLASSES):
                write(widened(item))
            elif isinstance(item, Static):
                write(str(item.value))
            else:
                typed_or_weak(context, item, node)

    for number, node in enumerate(nodes):
        if number:
            write(" ")
        if isinstance(node, ast.JoinedStr):
            for piece in _formatted(context, node):
                write(piece)
        else:
            add(context.expression(context, node), node)
    return tuple(parts)


def _formatted(context: Context, node: ast.JoinedStr) -> Iterator[str | ir.Expr]:
    """The parts of an f-string. Format specifications and conversions are refused."""
    for piece in node.values:
        if isinstance(piece, ast.Constant):
            yield str(piece.value)
            continue
        assert isinstance(piece, ast.FormattedValue)
        if piece.format_spec is not None or piece.conversion != -1:
            context.error(
                KernelSyntaxError,
                "GP103",
                "an f-string in a kernel cannot have formats",
                node,  # Python 3.11 does not say where in it
                why="numbers are printed as Python prints them",
                fix="write {x} alone",
            )
        yield from printed(context, [piece.value])
