"""Type rules of cooperative matrices."""

from __future__ import annotations

from gpucore.ir import (
    COOPERATIVE_SUMS,
    CooperativeLoad,
    CooperativeOp,
    CooperativeOperation,
    CooperativeStore,
    CooperativeType,
    MatrixRole,
    Type,
    WorkgroupArray,
)

_ROLES = (MatrixRole.LEFT, MatrixRole.RIGHT, MatrixRole.SUMS)


def is_well_typed_cooperative(statement: CooperativeLoad | CooperativeStore | CooperativeOperation) -> bool:
    """Whether a matrix fits the memory that it is in, or the operation, and is of the table of what is right."""
    if isinstance(statement, CooperativeOperation):
        return _is_well_typed(statement)
    place = statement.place
    type = statement.value.type if isinstance(statement, CooperativeLoad) else statement.matrix.type
    return (
        isinstance(place.memory, WorkgroupArray)
        and isinstance(type, CooperativeType)
        and place.type == type.element
        and statement.pitch >= type.edge
        and _is_known(type)
    )


def _is_known(type: CooperativeType) -> bool:
    """Whether the table has matrices of a type."""
    table = COOPERATIVE_SUMS.get(type.edge, {})
    if type.role is not MatrixRole.SUMS:
        return type.element in table
    return any(type.element in sums for sums in table.values())


def _is_well_typed(statement: CooperativeOperation) -> bool:
    types, result = [operand.type for operand in statement.operands], statement.value.type
    if not isinstance(result, CooperativeType) or result.role is not MatrixRole.SUMS or not _is_known(result):
        return False
    if statement.op is CooperativeOp.MULTIPLY_ADD:
        return types[2:] == [result] and _are_multiplied(types, result)
    return types == [result, result.element if statement.op is CooperativeOp.SCALE else result]


def _are_multiplied(types: list[Type], result: CooperativeType) -> bool:
    matrices = [type for type in types if isinstance(type, CooperativeType)]
    if tuple(matrix.role for matrix in matrices) != _ROLES or {matrix.edge for matrix in matrices} != {result.edge}:
        return False
    left, right, _ = matrices
    return left.element == right.element and result.element in COOPERATIVE_SUMS[result.edge].get(left.element, ())
