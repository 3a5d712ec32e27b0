"""Packing of the scalars of a dispatch."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Protocol

from gpucore import ir

_CODES = {
    "bool": "I", "i8": "b3x", "u8": "B3x", "i16": "h2x", "u16": "H2x", "i32": "i", "u32": "I", "i64": "q", "u64": "Q",
    "f16": "e2x", "f32": "f", "f64": "d",
}  # fmt: skip


class Slot(Protocol):
    """One of the packed scalars."""

    @property
    def type(self) -> ir.ScalarType: ...

    @property
    def offset(self) -> int: ...


def packer(slots: Sequence[Slot], nbytes: int, num_addresses: int = 0) -> struct.Struct:
    """A struct.Struct that packs addresses of 8 bytes, and one value for each slot into `nbytes` bytes, with zeros in
    gaps."""
    layout, position = f"<{num_addresses}Q", 0
    for slot in slots:
        code = _CODES[slot.type.name]
        layout += "x" * (slot.offset - position) + code
        position = slot.offset + struct.calcsize("<" + code)
    return struct.Struct(layout + "x" * (nbytes - position))
