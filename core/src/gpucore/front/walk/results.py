"""Results of helpers, from their return statements."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context, Restart
from gpucore.front.state.flow import holds_number, is_same
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    Group,
    Operand,
    Static,
    StructValue,
    default_type,
    describe,
    items_of,
    plain_number,
)
from gpucore.front.state.wording import conversion
from gpucore.front.values.convert import as_expr, fit_literal, fitted, known_constant
from gpucore.front.walk.exits import emit_exit


def lower_return(context: Context, node: ast.Return) -> None:
    """`return`, from the kernel or from a helper."""
    frame = context.frame
    if frame.is_kernel:
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            context.error(
                KernelSyntaxError,
                "GP102",
                "a kernel returns nothing",
                node,
                why="it stores its results in arrays",
                fix="add a gp.Out parameter and store to it",
            )
        if context.builder.block is frame.base_block and not context.flow.pending:
            context.flow.is_reachable = False
        else:
            _leave(context, node)
        return
    operand: Operand = Static(None) if node.value is None else context.expression(context, node.value)
    where = node.value or node
    result = frame.result
    if operand == Static(None):
        result.nothing = node
        if context.builder.block is frame.base_block and not context.flow.pending:
            context.flow.is_reachable = False
            return
    elif result.value is None and context.builder.block is frame.base_block and not context.flow.pending:
        result.value = _typed(context, operand, where)
        context.flow.is_reachable = False
        return
    else:
        _assign_result(context, operand, where)
    _leave(context, node)


def _leave(context: Context, node: ast.Return) -> None:
    exit_ = context.frame.return_exit
    assert exit_ is not None  # every function with a return before its last statement has one
    emit_exit(context, exit_, node)


def _typed(context: Context, operand: Operand, node: ast.AST) -> Operand:
    """A result, converted to the annotated type."""
    returns = context.frame.returns
    if returns is not None and items_of(operand) is None:
        return as_expr(context, operand, node, returns)
    return operand


def _assign_result(context: Context, operand: Operand, node: ast.AST) -> None:
    """Lower one of several returns: each assigns the numbers of the result to variables."""
    result = context.frame.result
    operand = _typed(context, operand, node)
    if result.value is None:
        result.value = _with_variables(context, operand)
    position = _assign(context, result.value, operand, node, 0)
    assert position <= len(result.variables)


def _with_variables(context: Context, operand: Operand) -> Operand:
    """A result with each number in it replaced by a variable."""
    operand = known_constant(operand)
    items = items_of(operand)
    if items is not None:
        return Group(tuple(_with_variables(context, item) for item in items))
    if isinstance(operand, StructValue):
        values = tuple(_with_variables(context, value) for value in operand.values)
        return StructValue(operand.cls, tuple(v for v in values if isinstance(v, (ir.Local, StructValue))))
    return _variable(context, operand) if holds_number(operand) else operand


def _variable(context: Context, operand: Operand) -> ir.Local:
    frame = context.frame
    result, position = frame.result, len(frame.result.variables)
    known = frame.facts.result_types.get(position)
    type = operand.type if isinstance(operand, EXPR_CLASSES) and known is None else known
    result.is_weak.append(known is None and (type is None or context.choice(operand) is not None))
    if type is None:
        type = default_type(plain_number(operand.value)) if isinstance(operand, Static) else ir.I32
    variable = context.builder.local(f"{frame.source.name}_result", type)
    result.variables.append(variable)
    return variable


def _assign(context: Context, target: Operand, operand: Operand, node: ast.AST, position: int) -> int:
    """Assign the numbers in `operand` to the variables in `target`. Returns the position of the next variable."""
    operand = known_constant(operand)
    if isinstance(target, ir.Local):
        if not holds_number(operand):
            _refuse(context, operand, node)
        _assign_number(context, target, operand, node, position)
        return position + 1
    wanted, given = items_of(target), items_of(operand)
    if isinstance(target, StructValue) and isinstance(operand, StructValue) and target.cls is operand.cls:
        wanted, given = target.values, operand.values
    if wanted is not None and given is not None and len(wanted) == len(given):
        for inner, item in zip(wanted, given, strict=True):
            position = _assign(context, inner, item, node, position)
        return position
    if not is_same(target, operand):
        _refuse(context, operand, node)
    return position


def _assign_number(context: Context, target: ir.Local, operand: Operand, node: ast.AST, position: int) -> None:
    frame, choice = context.frame, context.choice(operand)
    if choice is not None or not isinstance(operand, EXPR_CLASSES):
        literals = choice.literals if choice is not None else (_plain(operand),)
        is_float = any(isinstance(number, float) for number in literals)
        if is_float and frame.result.is_weak[position] and ir.scalar_of(target.type).is_integer:
            frame.facts.result_types[position] = ir.F32
            raise Restart(frame)
        if choice is None:
            expr = fit_literal(context, literals[0], target.type, node)
        else:
            expr = as_expr(context, operand, node, target.type)
    else:
        expr = fitted(context, operand, target.type)
        is_wider = fitted(context, target, expr.type).type == expr.type
        if expr.type != target.type and (frame.result.is_weak[position] or is_wider):
            frame.facts.result_types[position] = expr.type  # what is returned before takes this type
            raise Restart(frame)
        frame.result.is_weak[position] = False
        if expr.type != target.type:
            context.error(
                KernelTypeError,
                "GP201",
                f"{frame.source.name} returns {expr.type} here and {target.type} elsewhere",
                node,
                why="all returns of a helper must have the same type",
                fix=f"convert one of them, as in {conversion(target.type, context.text(node), expr.type)}",
            )
    context.builder.emit(ir.Assign(target, expr, context.span(node)))


def _plain(operand: Operand) -> bool | int | float:
    assert isinstance(operand, Static)
    return plain_number(operand.value)


def _refuse(context: Context, operand: Operand, node: ast.AST) -> None:
    context.error(
        KernelTypeError,
        "GP206",
        f"{context.frame.source.name} returns {describe(operand)} here and something else in another place",
        node,
        why="all its returns must give the same number and kinds of values",
        fix="return the same kind of value on every path",
    )


def take_result(context: Context) -> Operand:
    """The result of the helper, once its body is lowered."""
    frame, result = context.frame, context.frame.result
    if result.value is None:
        return Static(None)
    if context.flow.is_reachable or result.nothing is not None:
        context.error(
            KernelTypeError,
            "GP206",
            f"{frame.source.name} returns a value only on some paths",
            result.nothing or frame.source.node,
            why="on the other paths a call would have no value",
            fix="return a value at the end",
        )
    return result.value
