"""The lines of a random kernel of matrices: what they name, and how large its numbers are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from drawing import Choices
from fuzz_tiles import HELD, LEAST, SUMS, Copies, Tiles, layouts_of

MEMORY = 28_000  # bytes of workgroup memory for tiles and reductions, of 32768 on wgpu
MANY = 5  # matrices of a kernel
FLOATS = ("f16", "bf16", "f32", "f64")


@dataclass
class Matrix:
    """A variable that is a matrix. Of floats the greatest magnitude, and how many bits they have after the point."""

    name: str
    kind: str
    shape: tuple[int, int]
    bound: float = LEAST
    fraction: int = 0

    @property
    def is_exact(self) -> bool:
        return self.kind not in FLOATS or self.bound * 2**self.fraction <= 2 ** HELD[self.kind]


class Writing:
    """The lines of a kernel, its tiles and its matrices."""

    def __init__(
        self, choices: Choices, kind: str, workgroup: tuple[int, ...], lengths: tuple[int, int, int], capable: set[str]
    ) -> None:
        self.choices, self.kind, self.workgroup, self.lengths = choices, kind, workgroup, lengths
        self.size = int(np.prod(workgroup))
        self.capable = capable  # kinds that the devices have
        self.held = tuple(dict.fromkeys(one for one in (SUMS[kind], kind, "i32", "f32") if one in HELD))
        self.most = 64 if self.size >= 128 and lengths[0] == 64 else 16  # elements of an invocation
        self.stride = 64 if lengths[0] == 64 else 48  # rows of a workgroup in the outputs
        self.shift = choices.one_of((0, 1, -2))  # by which all rows in the outputs are moved
        self.columns_used = 0
        self.lines: list[str] = []
        self.indent, self.count, self.nbytes, self.is_nested = 1, 0, 0, False
        self.scalars: dict[str, Any] = {}
        self.copies, self.matrices = Copies(), list[Matrix]()
        self.kinds = {kind}  # of tiles and matrices
        wide = 3 * lengths[2] + choices.below(7)
        self.shapes = {"a": (1 + choices.below(70), max(1, wide - 3)), "b": (1 + choices.below(70), 33 + wide % 9)}
        self.parts: dict[str, str] = {}  # what was done with an output p since the last barrier: read or write
        self.part_bounds: dict[str, tuple[float, int]] = {}

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def is_legal(self, kind: str, shape: tuple[int, int]) -> bool:
        """Whether matrices of a kind and shape can be, and are not too large."""
        found = layouts_of(kind, shape, self.size) if shape[0] <= self.stride and shape[1] <= 128 else []
        return bool(found) and found[0].count <= self.most

    def make_tiles(self, kind: str, shape: tuple[int, int], count: int) -> Tiles | None:
        """New tiles, if there is room for them."""
        tiles = Tiles(self.fresh("u"), kind, count, shape)
        if self.nbytes + tiles.nbytes > MEMORY:
            return None
        self.nbytes += tiles.nbytes
        self.kinds.add(kind)
        self.line(f"{tiles.name} = gp.tiles(gp.{kind}, {count}, {shape})")
        self.copies.tiles.append(tiles)
        return tiles

    def index(self, number: int, count: int) -> str:
        """The number of a tile, as a literal or computed."""
        if self.choices.chance(40):
            n = self.scalars["n"]
            return f"(n + {(number - n) % count}) % {count}"
        return str(number)

    def write_barrier(self) -> None:
        of_all = self.choices.chance(50) or "write" in self.parts.values()
        self.line("gp.barrier()" if of_all else "gp.barrier(buffers=False)")
        if not self.is_nested:
            self.copies.barrier()
            if of_all:
                self.parts.clear()

    # ---------------------------------------------------------------- matrices

    def keep(self, text: str, kind: str, shape: tuple[int, int], bound: float, fraction: int = 0) -> None:
        """A matrix as a new variable, or instead of one like it."""
        same = [one for one in self.matrices if (one.kind, one.shape) == (kind, shape)]
        if same and (len(self.matrices) >= MANY or self.choices.chance(30) or self.is_nested):
            matrix = self.choices.one_of(same)
            matrix.bound, matrix.fraction = bound, fraction
        elif len(self.matrices) < MANY and not self.is_nested:
            matrix = Matrix(self.fresh("c"), kind, shape, bound, fraction)
            self.matrices.append(matrix)
        else:
            return
        self.line(f"{matrix.name} = {text}")
        self.kinds.add(kind)
        self.trim(matrix)

    def trim(self, matrix: Matrix, *, always: bool = False) -> None:
        """Make a matrix small if it is too large for exact sums."""
        if matrix.kind not in FLOATS or (matrix.is_exact and not always):
            return
        helper, matrix.bound = ("little", LEAST) if matrix.kind == "f16" else ("bounded", 64)
        matrix.fraction = 0
        self.line(f"{matrix.name} = gp.map({helper}, {matrix.name})")

    def tighten(self, *matrices: Matrix) -> None:
        """Make matrices small, unless they are."""
        for matrix in matrices:
            self.trim(matrix, always=matrix.bound > 64 or matrix.fraction > 0 or matrix.kind == "f16")

    def settle(self) -> None:
        """Make all matrices small, and know no more of them: what follows may be a loop, or follow a branch."""
        self.tighten(*self.matrices)
        for matrix in self.matrices:
            if matrix.kind != "f16":
                matrix.bound = 64
