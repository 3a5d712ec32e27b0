"""Matrices that a subgroup of 32 holds together: invocation i has the elements i, i + 32, ..., counted row by row."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from gpucore.ir import (
    MATRIX_LANES,
    Binary,
    BinaryOp,
    BuiltinKind,
    CooperativeLoad,
    CooperativeOp,
    CooperativeOperation,
    CooperativeStore,
    CooperativeType,
    Expr,
    Splat,
)
from gpucore.simulator.matrices import element_type

MULTIPLY_ADD = "cooperative_multiply_add"
"""The operation of a Request. Its operand is a tuple of left, right and sums, its argument `Shape`."""

Shape = tuple[int, str]
"""The rows and columns, and the type of the sums."""


LANE = BuiltinKind.SUBGROUP_INVOCATION_ID

Access = CooperativeLoad | CooperativeStore


def type_of(statement: Access) -> CooperativeType:
    """The type of the matrix that a statement loads or stores."""
    type = statement.value.type if isinstance(statement, CooperativeLoad) else statement.matrix.type
    assert isinstance(type, CooperativeType)
    return type


def place_of_element(statement: Access) -> str:
    """The expression of where element `gpucore_k` of an invocation is, from `index` on; `lane` is its number."""
    edge, number = type_of(statement).edge, f"(lane + {MATRIX_LANES} * gpucore_k)"
    row, column = f"{number} // {edge}", f"{number} % {edge}"
    if isinstance(statement, CooperativeLoad) and statement.is_transposed:
        row, column = column, row
    return f"index + {row} * {statement.pitch} + {column}"


def text_of(statement: Access, loading: str, storing: str) -> str:
    """The expression that loads the elements of an invocation, or the statement that stores them: `loading` and
    `storing` do so with one, by its place."""
    place, width = place_of_element(statement), type_of(statement).width
    if isinstance(statement, CooperativeLoad):
        return f"tuple({loading.format(place)} for gpucore_k in range({width}))"
    return f"for gpucore_k in range({width}):\n {storing.format(place)}"


_ELEMENTWISE = {
    CooperativeOp.ADD: BinaryOp.ADD,
    CooperativeOp.SUBTRACT: BinaryOp.SUB,
    CooperativeOp.SCALE: BinaryOp.MUL,
}


def elementwise(statement: CooperativeOperation) -> Expr:
    """The result of another operation than MULTIPLY_ADD: that of each element."""
    (left, right), type = statement.operands, statement.value.type
    assert isinstance(type, CooperativeType)
    if statement.op is CooperativeOp.SCALE:
        right = Splat(right, type)
    return Binary(_ELEMENTWISE[statement.op], left, right, type)


def shape_of(statement: CooperativeOperation) -> ast.Tuple:
    """The argument of a Request for a product, a Shape."""
    type = statement.value.type
    assert isinstance(type, CooperativeType)
    return ast.Tuple([ast.Constant(type.edge), ast.Constant(type.element.name)], ast.Load())


def multiply_add(operands: Sequence[tuple[Any, Any, Any]], shape: Shape) -> list[tuple[Any, ...]]:
    """The answers to the operation: left @ right + sums."""
    edge, name = shape
    left, right, sums = (np.array(part).T.reshape(edge, edge) for part in zip(*operands, strict=True))
    product = left.astype(np.float64) @ right.astype(np.float64) + sums.astype(np.float64)
    made = product.astype(element_type(name)).reshape(-1, len(operands)).T
    return [tuple(own) for own in made]
