"""Layout of the packed scalars of a dispatch."""

from __future__ import annotations

from gpucore.ir import Param, ParamSlot

_BLOCK = 16  # the size of a uniform block must be a multiple of this
_MIN_SIZE = 4  # a bool is a u32, an f16 takes four bytes


def lay_out(params: tuple[Param, ...]) -> tuple[tuple[ParamSlot, ...], int]:
    """The params in order, each aligned to its size in bytes, and the size of the whole block (0 for no params)."""
    slots = []
    end = 0
    for param in params:
        size = max(param.type.nbytes, _MIN_SIZE)
        offset = -(-end // size) * size
        slots.append(ParamSlot(param, offset))
        end = offset + size
    return tuple(slots), -(-end // _BLOCK) * _BLOCK
