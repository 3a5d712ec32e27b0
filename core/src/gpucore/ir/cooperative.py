"""Cooperative matrices: what is done with them, and of which shapes and elements they are."""

from __future__ import annotations

import enum

from gpucore.ir.types import F16, F32, Type


class CooperativeOp(enum.Enum):
    """Of matrices that subgroups hold together, see `CooperativeType`."""

    ADD = "add"
    SUBTRACT = "subtract"
    SCALE = "scale"  # by a number
    MULTIPLY_ADD = "multiply_add"  # of left, right and sums: left @ right + sums


COOPERATIVE_SUMS: dict[int, dict[Type, tuple[Type, ...]]] = {
    16: {F16: (F32, F16)},
    8: {F16: (F32, F16), F32: (F32,)},
}
"""By their rows and columns: the elements of cooperative matrices that are multiplied, and those of the sums.

The table is of what was measured, or is documented, to be right: compilers of devices also take what they compute
wrongly.
"""
