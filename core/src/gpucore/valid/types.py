"""Type rules: for each kind of expression, the operand types that its type allows. Operands are checked separately."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.ir import (
    BOOL,
    COMPARISONS,
    F16,
    F32,
    F64,
    FUNCTIONS,
    GROUP_COLUMNS,
    I8,
    I32,
    LANE_OPERATIONS,
    MASKS,
    SCALARS,
    U8,
    U16,
    U32,
    VOTES,
    Binary,
    BinaryOp,
    Bitcast,
    Buffer,
    Builtin,
    BuiltinKind,
    Call,
    Constant,
    Construct,
    Convert,
    CopyAsync,
    CopyPart,
    Expr,
    Extract,
    GroupMultiply,
    MatrixAccumulate,
    MatrixInputs,
    MatrixLoad,
    MatrixMultiply,
    ScalarType,
    Select,
    Splat,
    Subgroup,
    SubgroupOp,
    Type,
    Unary,
    UnaryOp,
    VectorType,
    WorkgroupArray,
    num_components,
    scalar_of,
    with_scalar,
)
from gpucore.ir.ops import argument_types, meaning, result_type
from gpucore.ir.panels import PANEL, PANEL_ALIGNMENT


def same(a: Type, b: Type) -> bool:
    """Whether two types are equal; usually they are the same object."""
    return a is b or a == b


def is_well_typed(expr: Expr) -> bool:
    """Whether the type of the node agrees with the types of its operands."""
    rule = _RULES.get(type(expr))
    return rule is None or rule(expr)


def is_well_typed_subgroup(statement: Subgroup) -> bool:
    """Whether operand, argument and result of a subgroup operation have the types that the operation requires."""
    op, operand, argument = statement.op, statement.operand, statement.argument
    if statement.value is None or op is SubgroupOp.BARRIER:
        return statement == Subgroup(None, SubgroupOp.BARRIER, span=statement.span, buffers=statement.buffers)
    result = statement.value.type
    if (op in LANE_OPERATIONS) != (argument is not None) or (op is SubgroupOp.ELECT) != (operand is None):
        return False
    if argument is not None and argument.type != U32:
        return False
    if operand is None:
        return result == BOOL
    if (op is SubgroupOp.MATCH) != (1 <= statement.bits <= U32.bits):
        return False
    if op in MASKS and result != VectorType(U32, 4):
        return False
    if op is SubgroupOp.MATCH:
        return operand.type in (I32, U32)
    if op in VOTES:
        return operand.type == BOOL and (op in MASKS or result == BOOL)
    return operand.type in (I32, U32, F32) and same(operand.type, result)


_SUMS = {MatrixInputs.I8: I32, MatrixInputs.U8: U32}
SUMS = (F32, *_SUMS.values())
"""The types of sums of products by groups."""


def is_well_typed_matrix(statement: MatrixLoad | MatrixMultiply) -> bool:
    """Whether the operands and the result of an operation on matrices have the types of its definition."""
    if isinstance(statement, MatrixLoad):
        element = statement.place.type
        is_row = isinstance(statement.place.memory, WorkgroupArray) and isinstance(element, ScalarType)
        fits = not statement.is_transposed or element.nbytes == 2
        return is_row and fits and statement.value.type == VectorType(U32, 4)
    sums = VectorType(_SUMS.get(statement.inputs, F32), 4)
    return (
        statement.inputs is not MatrixInputs.F64
        and statement.left.type == VectorType(U32, 4)
        and statement.right.type == VectorType(U32, 2)
        and statement.sums.type == statement.value.type == sums
    )


def is_well_typed_sum(statement: MatrixAccumulate) -> bool:
    """Whether the arrays of a product of f64 have its elements."""
    return (
        statement.inputs is MatrixInputs.F64
        and statement.inner in (4, 8, 16)
        and statement.sums.array not in (statement.left.array, statement.right.array)
        and all(
            part.array.element == F64 and 0 <= part.first <= part.array.length - count
            for part, count in statement.parts
        )
    )


_OF_GROUPS = {MatrixInputs.F16: F16, MatrixInputs.BF16: U16, MatrixInputs.I8: I8, MatrixInputs.U8: U8}


def is_well_typed_group(statement: GroupMultiply) -> bool:
    """Whether a product of tiles fits the sums of an invocation."""
    places = statement.left, statement.right
    nbytes = places[0].type.nbytes
    turned = statement.is_left_transposed, statement.is_right_transposed
    return (
        all(isinstance(each.memory, WorkgroupArray) for each in places)
        and all(each.type == _OF_GROUPS.get(statement.inputs) for each in places)
        and statement.sums.element == _SUMS.get(statement.inputs, F32)
        and (nbytes > 1 or turned == (False, True))
        and 0 <= statement.first <= statement.sums.length - statement.columns // 2
        and statement.columns in GROUP_COLUMNS
        and statement.inner > 0
        and statement.inner % (32 // nbytes) == 0
        and all(panel > 0 and panel % PANEL_ALIGNMENT == 0 for panel in (statement.left_panel, statement.right_panel))
    )


def is_well_typed_copy(statement: CopyAsync | CopyPart) -> bool:
    """Whether a copy is from a buffer to workgroup memory, of elements of one type."""
    place, source = statement.place, statement.source
    return (
        isinstance(place.memory, WorkgroupArray)
        and isinstance(source.memory, Buffer)
        and not source.path
        and same(place.type, source.type)
        and (_is_part(statement) if isinstance(statement, CopyPart) else _is_piece(statement))
    )


def _is_piece(statement: CopyAsync) -> bool:
    return statement.count * statement.place.type.nbytes in (4, 8, 16) and statement.valid.type == I32


def _is_part(statement: CopyPart) -> bool:
    return (
        len(statement.lengths) == len(statement.indices) >= 2
        and all(each.type == I32 for each in statement.lengths + statement.indices)
        and statement.rows * PANEL % PANEL_ALIGNMENT == 0
        and statement.columns * statement.place.type.nbytes % PANEL == 0
    )


def _constant(expr: Constant) -> bool:
    value, type = expr.value, expr.type
    if type not in SCALARS:
        return False
    if type.is_float:
        return isinstance(value, float)
    if type is BOOL or type == BOOL:
        return isinstance(value, bool)
    return isinstance(value, int) and not isinstance(value, bool) and type.min_value <= value <= type.max_value


def _unary(expr: Unary) -> bool:
    return same(expr.type, expr.operand.type) and _has_meaning(expr.op, expr.type)


def _binary(expr: Binary) -> bool:
    type = expr.left.type
    if not same(type, expr.right.type) or not _has_meaning(expr.op, type):
        return False
    return same(expr.type, with_scalar(type, BOOL) if expr.op in COMPARISONS else type)


def _has_meaning(op: UnaryOp | BinaryOp, type: Type) -> bool:
    scalar = scalar_of(type)
    return not scalar.is_storage and bool(meaning(op, scalar))


def _call(expr: Call) -> bool:
    first = expr.args[0].type if expr.args else BOOL
    if not FUNCTIONS[expr.op].domain.has(first) or not same(expr.type, result_type(expr.op, first)):
        return False
    types = argument_types(expr.op, first)
    return len(expr.args) == len(types) and all(
        same(arg.type, type) for arg, type in zip(expr.args, types, strict=True)
    )


def _select(expr: Select) -> bool:
    condition = same(expr.condition.type, BOOL)
    return condition and same(expr.type, expr.if_true.type) and same(expr.type, expr.if_false.type)


def _convert(expr: Convert) -> bool:
    return num_components(expr.type) == num_components(expr.operand.type)


def _bitcast(expr: Bitcast) -> bool:
    source, target = expr.operand.type, expr.type
    return BOOL not in (scalar_of(source), scalar_of(target)) and source.nbytes == target.nbytes


def _construct(expr: Construct) -> bool:
    type = expr.type
    return len(expr.components) == type.width and all(same(c.type, type.element) for c in expr.components)


def _splat(expr: Splat) -> bool:
    return same(expr.operand.type, expr.type.element)


def _extract(expr: Extract) -> bool:
    type = expr.vector.type
    return isinstance(type, VectorType) and 0 <= expr.index < type.width and same(expr.type, type.element)


def _builtin(expr: Builtin) -> bool:
    return expr.axis in (0, 1, 2) or expr.kind is BuiltinKind.ROW_ALIGNMENT


def is_index(type: Type) -> bool:
    """Whether the type can be an index: i32 or u32."""
    return isinstance(type, ScalarType) and type.is_integer and type.bits == 32


_RULES: dict[type, Callable[[Any], bool]] = {
    Constant: _constant,
    Builtin: _builtin,
    Unary: _unary,
    Binary: _binary,
    Call: _call,
    Select: _select,
    Convert: _convert,
    Bitcast: _bitcast,
    Construct: _construct,
    Splat: _splat,
    Extract: _extract,
}
