"""Matrices that subgroups hold together: see `gpucore.blocks.matrices.opaque`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpucore import ir
from gpucore.front.language.checks import check_count, known_dtype, known_value, refuse
from gpucore.front.state.context import Context, Restart
from gpucore.front.state.operands import EXPR_CLASSES, ArrayReference, Operand, Static, describe, is_number
from gpucore.front.text.nominal import element_dtype
from gpucore.front.values.convert import as_expr
from gpucore.front.values.elements import element


def _part(context: Context, args: list[Operand], nodes: list[ast.expr], node: ast.Call) -> tuple[ir.Place, int, bool]:
    """The place of an element of workgroup memory of rank 2, by array, row and column; how far apart rows are in
    memory, and whether they are columns of the array."""
    array = args[0]
    if not isinstance(array, ArrayReference) or not isinstance(array.memory, ir.WorkgroupArray):
        refuse(context, f"a tile is needed, not {describe(array)}", nodes[0], "", "")
    pitch = array.pitch or array.shape[1]
    assert isinstance(pitch, int)
    is_transposed = array.view is not None and array.view.is_transposed
    return element(context, array, args[1:], nodes[1:], node).place, pitch, is_transposed


def load(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """cooperative_load(dtype, array, row, column)."""
    check_count(context, args, node, 4)
    type = known_dtype(context, args[0], node.args[0])
    assert isinstance(type, ir.CooperativeType)
    place, pitch, is_transposed = _part(context, args[1:], node.args[1:], node)
    value = ir.Value(context.builder.new_id(), type.role.value, type)
    context.builder.emit(ir.CooperativeLoad(value, place, pitch, is_transposed, context.span(node)))
    return value


def store(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """cooperative_store(matrix, array, row, column)."""
    check_count(context, args, node, 4)
    matrix = _matrix(context, args[0], node.args[0])
    place, pitch, _ = _part(context, args[1:], node.args[1:], node)
    context.builder.emit(ir.CooperativeStore(place, pitch, matrix, context.span(node)))
    return Static(None)


def _matrix(context: Context, operand: Operand, node: ast.expr) -> ir.Expr:
    if not isinstance(operand, EXPR_CLASSES) or not isinstance(operand.type, ir.CooperativeType):
        refuse(context, f"a cooperative matrix is needed, not {describe(operand)}", node, "", "")
    return operand


def operate(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """cooperative(op, *operands)."""
    op = known_value(context, args[0], node.args[0], "the operation")
    matrices = args[1:2] if op is ir.CooperativeOp.SCALE else args[1:]
    operands = [_matrix(context, arg, at) for arg, at in zip(matrices, node.args[1:], strict=False)]
    type = operands[-1].type
    if op is ir.CooperativeOp.SCALE:
        operands.append(as_expr(context, args[2], node.args[2], ir.scalar_of(type)))
    value = ir.Value(context.builder.new_id(), "sums", type)
    context.builder.emit(ir.CooperativeOperation(value, op, tuple(operands), context.span(node)))
    return value


def scratch(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """matrix_scratch(dtype, shape)."""
    check_count(context, args, node, 2)
    type = known_dtype(context, args[0], node.args[0])
    rows, columns = known_value(context, args[1], node.args[1], "the shape")
    made = context.matrix_scratch.get((type, rows * columns))
    if made is None:
        span = context.span(node)
        made = ir.WorkgroupArray(context.builder.new_id(), "matrix_scratch", type, rows * columns, span)
        context.matrix_scratch[type, rows * columns] = made
        context.builder.workgroup_arrays.append(made)
    return ArrayReference(made, (rows, columns), element_dtype(type))


def is_zero(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """is_zero(value)."""
    check_count(context, args, node, 1)
    value = args[0].value if isinstance(args[0], (Static, ir.Constant)) else None
    return Static(is_number(value) and value == 0)


def refuse_cooperation(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """not_cooperative()."""
    check_count(context, args, node, 0)
    frame = context.frames[0]
    frame.facts.cooperates = False
    raise Restart(frame)


COOPERATIVE: dict[str, Callable[[Context, list[Operand], ast.Call], Operand]] = {
    "cooperative_load": load, "cooperative_store": store, "cooperative": operate, "matrix_scratch": scratch,
    "is_zero": is_zero, "not_cooperative": refuse_cooperation,
}  # fmt: skip
"""The functions by name."""
