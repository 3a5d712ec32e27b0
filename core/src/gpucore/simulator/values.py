"""The scalars of a dispatch: packed bytes as values of the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore import ir
from gpucore.ir.arithmetic import dtype_of


def params(valid: ir.ValidModule, scalars: bytes) -> list[Any]:
    """The packed scalars as values of the kernel, in the order of the module's params."""
    values: dict[int, Any] = {}
    for slot in valid.slots:
        scalar = slot.param.type
        value = np.frombuffer(scalars, dtype_of(scalar), 1, slot.offset)[0]
        values[slot.param.index] = value if scalar.is_float else value.item()
        if scalar.kind is ir.ScalarKind.BOOL:
            values[slot.param.index] = bool(value)
    return [values[param.index] for param in valid.module.params]
