"""Random kernels of matrices: tiles in stages, copies of any part of an array, waits for some of the groups, products
of tiles and of transposes, and matrices that are made, loaded, combined, mapped, reduced and stored.

Floats are whole numbers, halves and quarters so small that every order of the sums gives the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from drawing import Choices
from fuzz_kinds import INTEGERS, edges
from fuzz_pipelines import Pipelines
from fuzz_program import Host, Program
from fuzz_tiles import CARRIERS, DTYPES, LEAST, NEEDS, STORED, SUMS, layouts_of

import gpucore as gp

HEAD = """from __future__ import annotations

import gpucore as gp


def bounded(value):
    return gp.clamp(gp.floor(value), -64.0, 64.0)


def little(value):
    return gp.clamp(gp.floor(value), -4.0, 4.0)


def cut(value):
    return value & 7


def weighed(value, row, column):
    return value + value.dtype(row) - value.dtype(2 * column)


def greater(value, other):
    return gp.max(value, other)


def less(value, other):
    return value - other


def chosen(value, other, row, column):
    return value + other if row < column else value - other


def fetch(tile, array, row, column):
    gp.copy_tile(tile, array, row, column)
    gp.copy_group()


def product(x, y, total):
    total += x @ y
    return total


def combined(c, d):
    return c + d - 1


def total_of(x, y):
    return x + y


"""

_EXTREME = (0, 1, -3, 5, 8, -8, 2**31 - 1, -(2**31), 100)
_SIZES = ((32,), (16,), (64,), (8, 4), (96,), (24,), (128,), (1,), (4, 2))
_LENGTHS = (16, 8, 32, 24, 48, 4, 12)
_INNER = (16, 8, 4, 32, 12, 5, 7, 20)
_GROUPED = (((128,), 64, 64, 64), ((128,), 64, 64, 16), ((128,), 64, 128, 16), ((256,), 64, 128, 16))


@dataclass(frozen=True)
class _Size:
    """A workgroup, and the rows, columns and inner length of its first product."""

    workgroup: tuple[int, ...]
    rows: int
    columns: int
    inner: int


def _sizes() -> list[_Size]:
    found = []
    for workgroup in _SIZES:
        for rows in _LENGTHS:
            for columns in _LENGTHS:
                size = int(np.prod(workgroup))
                if all(layout.count <= 16 for layout in layouts_of("f32", (rows, columns), size) or [_TOO_LARGE]):
                    found.append(_Size(workgroup, rows, columns, _INNER[(rows + columns) // 4 % len(_INNER)]))
    return found


_TOO_LARGE = layouts_of("f32", (32, 64), 16)[0]
SIZED = _sizes()


class Matrices(Pipelines):
    """Draws one program."""

    def __init__(self, choices: Choices, capabilities: frozenset[gp.Capability]) -> None:
        known = [kind for kind in (*SUMS, *STORED) if kind not in NEEDS or NEEDS[kind] in capabilities]
        self.is_grouped = choices.chance(12)
        kind = choices.one_of([one for one in known if one in (("f16", "bf16") if self.is_grouped else SUMS)])
        size = _Size(*choices.one_of(_GROUPED)) if self.is_grouped else choices.one_of(SIZED)
        inner = size.inner if self.is_grouped else choices.one_of(_INNER)
        super().__init__(choices, kind, size.workgroup, (size.rows, size.columns, inner), set(known))
        self.others = tuple(one for one in known if one != kind)

    def program(self) -> Program:
        """A kernel `k` of inputs a, b, q and outputs e, o, p, w of each kind."""
        choices = self.choices
        self.lines = ["    t, g = gp.local_index(), gp.workgroup_id(0)", f"    i = g * {self.size} + t"]
        self.scalars = {"n": choices.one_of((2, 0, 1, 3)), "r": choices.one_of(_EXTREME), "c": choices.one_of(_EXTREME)}
        self.workgroups = 1 + choices.below(2 if self.is_grouped else 3)
        self.begin()
        for _ in range(2 + choices.below(3 if self.is_grouped else 6)):
            self.statement()
        if not any(re.search(r" @ |multiply_add\(|product\(", line) for line in self.lines):
            self.write_add_product()
        self.observe()
        arrays = self._arrays()
        body = "\n".join(self.lines)
        used = [name for name in arrays if re.search(rf"\b{name}\b", body)]
        given = ", ".join(f"{name}: {self._annotation(name, arrays[name])}" for name in used)
        size = self.workgroup if len(self.workgroup) > 1 else self.workgroup[0]
        head = f"@gp.kernel(workgroup_size={size})\ndef k({given}, n: gp.i32, r: gp.i32, c: gp.i32):\n"
        kinds = {name[2:] for name in used} | {tiles.kind for tiles in self.copies.tiles} | self.kinds
        return Program(
            f"{HEAD}{head}{body}\n", {name: arrays[name] for name in used}, {},
            tuple(name for name in used if name[0] in "eopw"), self.scalars, {}, {}, (self.workgroups,),
            frozenset(NEEDS[kind] for kind in kinds if kind in NEEDS),
            starts={name: choices.below(9) for name in used if name[0] in "ab"}, of_matrices=True,
            of_groups=self.is_grouped, is_debugged=choices.chance(8),
        )  # fmt: skip

    def _annotation(self, name: str, host: Host) -> str:
        rank = f", {host.ndim}" if host.ndim > 1 else ""
        return f"gp.{'InOut' if name[0] in 'eopw' else 'In'}[gp.{name[2:]}{rank}]"

    def _arrays(self) -> dict[str, Host]:
        """The arrays that a kernel may name, by letter and kind."""
        numbers = np.random.default_rng(self.choices.below(1 << 16))
        rows, groups = self.stride * self.workgroups, self.workgroups
        shapes = {"e": (groups * self.size,), "o": (rows, max(1, self.columns_used - self.choices.below(3))),
                  "p": (rows + self.choices.below(3), self.stride + self.choices.below(5)), "w": (rows,)}  # fmt: skip
        made = {}
        for kind in CARRIERS:
            for name, shape in (self.shapes | shapes).items():
                made[f"{name}_{kind}"] = _values(numbers, kind, shape)
        return made

    # ---------------------------------------------------------------- statements

    def statement(self) -> None:
        forms = [(4, "copies"), (2, "wait"), (1, "barrier"), (5, "add_product"), (3, "element"), (2, "tile_load"),
                 (2, "tile_store"), (2, "tile_elements"), (2, "load"), (2, "make"), (6, "change"), (3, "part"),
                 (4, "pipeline"), (2, "block"), (2, "tiles")]  # fmt: skip
        getattr(self, f"write_{self.choices.weighted(forms)}")()

    def begin(self) -> None:
        """The tiles of a first product, which may be transposes."""
        rows, columns, inner = self.lengths
        for shape in ((rows, inner), (inner, columns)):
            turned, count = self._turned(shape), 1 + self.choices.below(3)
            self.make_tiles(self.kind, turned, count) or self.make_tiles(self.kind, turned, 1)
        self.shapes["q"] = (2, *self.shapes["a"]) if self.choices.chance(50) else (self.shapes["a"][0], 40, 2)
        self.write_make()

    def _turned(self, shape: tuple[int, int]) -> tuple[int, int]:
        return shape[::-1] if self.choices.chance(35) else shape

    def write_tiles(self) -> None:
        """Tiles of another kind or shape."""
        kind = self.choices.one_of((self.kind, *self.choices.one_of((self.others, STORED))))
        shape = (self.choices.one_of(_LENGTHS), self.choices.one_of((*_INNER, 6, 3, 1)))
        if kind not in NEEDS or self.choices.chance(30):
            tiles = self.make_tiles(kind, shape, 1 + self.choices.below(2))
            if tiles is not None:
                self.copy(tiles, 0)

    def write_block(self) -> None:
        """Matrices changed in a branch or a loop that all of the workgroup take."""
        self.settle()
        head = self.choices.one_of((
            "for _ in range(n):", "if n > 1:", "if g % 2 == 0:", "if r < c:", "for _ in gp.unroll(range(2)):",
            "for _ in range(3):",
        ))  # fmt: skip
        self.line(head)
        held, self.is_nested = list(self.matrices), True
        self.indent += 1
        for _ in range(1 + self.choices.below(3)):
            self.choices.weighted(((3, self.write_change), (2, self.write_add_product), (1, self.write_element)))()
            self.settle()
        self.line("pass")
        self.indent -= 1
        if head == "if r < c:" and self.choices.chance(50):
            self.line("else:")
            self.indent += 1
            self.write_change()
            self.settle()
            self.line("pass")
            self.indent -= 1
        self.matrices, self.is_nested = held, False

    def observe(self) -> None:
        """What the matrices and the tiles hold at the end goes to the outputs."""
        self.line("gp.copy_wait()")
        self.copies.wait(0)
        for matrix in self.matrices:
            place = f"g * {self.stride} + {self.shift}, {self.columns_used}"
            self.line(f"gp.store_matrix({matrix.name}, o_{matrix.kind}, {place})")
            self.columns_used += matrix.shape[1]
        for tiles in self.copies.tiles:
            for number in tiles.numbers(to_read=True):
                self.read_element(tiles, number)


def _values(numbers: np.random.Generator, kind: str, shape: tuple[int, ...]) -> Host:
    """Numbers of an array: small ones of floats, edges of integers."""
    dtype = DTYPES[kind]
    if dtype.kind not in "iu":
        return numbers.integers(-LEAST, LEAST, shape, endpoint=True).astype(dtype)
    if kind in INTEGERS and numbers.random() < 0.5:
        return numbers.choice(edges(kind), shape).astype(dtype)
    info = np.iinfo(dtype)
    low, high = max(info.min, -300), min(info.max, 300)
    return numbers.integers(low, high, shape, endpoint=True).astype(dtype)
