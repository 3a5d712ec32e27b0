"""Tiles of random kernels, and what may be done with each: whether a copy to it is under way, what it holds, and what
was read or written since the last barrier. Where a branch or a loop may not run, only what holds in every case counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

import gpucore as gp
from gpucore.blocks.matrices.layout import MatrixLayout, choose_layout

SUMS = {"f32": "f32", "f16": "f32", "bf16": "f32", "i8": "i32", "i32": "i32", "u8": "u32", "u32": "u32", "f64": "f64",
        "i64": "i64", "u64": "u64"}  # fmt: skip
"""The kinds of tiles that are multiplied, and of the matrices that hold their sums."""

STORED = ("i16", "u16")
"""The kinds of tiles that are copied and read only."""

CARRIERS = SUMS | {"i16": "i32", "u16": "u32"}
"""In what an element of a tile is added up."""

HELD = {"f32": 22, "f16": 10, "f64": 40, "i32": 0, "u32": 0, "i64": 0, "u64": 0}
"""The kinds of matrices; of floats, the bits of numbers with which arithmetic is exact."""

NEEDS = {"i64": gp.Capability.INT64, "u64": gp.Capability.INT64, "f64": gp.Capability.F64, "f16": gp.Capability.F16}
SIZES = {"f64": 8, "i64": 8, "u64": 8, "f16": 2}
"""Bytes of an element in workgroup memory, where not 4: wgpu emulates small elements in words."""

DTYPES = {"bf16": np.dtype(ml_dtypes.bfloat16), "f16": np.dtype("f2"), "f32": np.dtype("f4"), "f64": np.dtype("f8")}
DTYPES |= {f"{letter}{8 * size}": np.dtype(f"{letter}{size}") for letter in "iu" for size in (1, 2, 4, 8)}
LEAST = 4  # the magnitude of floats in tiles


def layouts_of(kind: str, shape: tuple[int, int], size: int) -> list[MatrixLayout]:
    """The layouts of a matrix on devices without units; none if no device can have it."""
    dtype = getattr(gp, kind)
    found = (choose_layout(dtype, shape, size, of, has_units=False, has_groups=False) for of in ("cpu", "gpu"))
    return [layout for layout in found if layout is not None]


@dataclass
class Tiles:
    """The tiles of one `gp.tiles`. `bound` is the greatest magnitude of its floats."""

    name: str
    kind: str
    count: int
    shape: tuple[int, int]
    bound: int = LEAST
    copies: dict[int, int] = field(default_factory=dict)  # the group of the copy that is under way to a tile
    defined: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)  # since the last barrier
    read: set[int] = field(default_factory=set)  # likewise

    @property
    def nbytes(self) -> int:
        return self.count * self.shape[0] * (self.shape[1] * SIZES.get(self.kind, 4) + 16)

    def may_read(self, number: int) -> bool:
        return number in self.defined and number not in self.copies and number not in self.written

    def may_write(self, number: int) -> bool:
        return number not in self.copies and number not in self.written and number not in self.read

    def numbers(self, *, to_read: bool) -> list[int]:
        """The tiles that may be read, or written."""
        return [number for number in range(self.count) if (self.may_read if to_read else self.may_write)(number)]


@dataclass
class Copies:
    """The tiles of a kernel, and its groups of copies."""

    tiles: list[Tiles] = field(default_factory=list)
    groups: int = 0  # that have ended

    def begin(self, tiles: Tiles, number: int) -> None:
        tiles.copies[number] = self.groups
        tiles.defined.add(number)

    def end_group(self) -> None:
        self.groups += 1

    def wait(self, pending: int) -> None:
        for tiles in self.tiles:
            tiles.copies = {} if pending == 0 else {
                number: group for number, group in tiles.copies.items() if group >= self.groups - pending
            }  # fmt: skip
        self.barrier()

    def barrier(self) -> None:
        for tiles in self.tiles:
            tiles.written.clear()
            tiles.read.clear()
