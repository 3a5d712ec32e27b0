"""Matrices that a subgroup of 32 holds together: invocation i has the elements i, i + 32, ..., counted row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpucore.ir import MATRIX_LANES, CooperativeLoad, CooperativeStore, CooperativeType
from gpucore.simulator.matrices import element_type

MULTIPLY_ADD = "cooperative_multiply_add"
"""The operation of a Request. Its operand is a tuple of left, right and sums, its argument `Shape`."""

Shape = tuple[int, str]
"""The rows and columns, and the type of the sums."""


def type_of(statement: CooperativeLoad | CooperativeStore) -> CooperativeType:
    """The type of the matrix that a statement loads or stores."""
    type = statement.value.type if isinstance(statement, CooperativeLoad) else statement.matrix.type
    assert isinstance(type, CooperativeType)
    return type


def place_of_element(statement: CooperativeLoad | CooperativeStore) -> str:
    """The expression of where element `gpucore_k` of an invocation is, from `index` on; `lane` is its number."""
    edge, number = type_of(statement).edge, f"(lane + {MATRIX_LANES} * gpucore_k)"
    row, column = f"{number} // {edge}", f"{number} % {edge}"
    if isinstance(statement, CooperativeLoad) and statement.is_transposed:
        row, column = column, row
    return f"index + {row} * {statement.pitch} + {column}"


def multiply_add(operands: Sequence[tuple[Any, Any, Any]], shape: Shape) -> list[tuple[Any, ...]]:
    """The answers to the operation: left @ right + sums."""
    edge, name = shape
    left, right, sums = (np.array(part).T.reshape(edge, edge) for part in zip(*operands, strict=True))
    product = left.astype(np.float64) @ right.astype(np.float64) + sums.astype(np.float64)
    made = product.astype(element_type(name)).reshape(-1, len(operands)).T
    return [tuple(own) for own in made]
