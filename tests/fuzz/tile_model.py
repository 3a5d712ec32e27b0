"""Which copies a kernel of matrices has under way when it reads tiles: its text run once for each workgroup, as Python,
by objects that stand for tiles, matrices and arrays. It knows of no compiler and no device.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fuzz_program import Program
from fuzz_tiles import DTYPES

EARLY, UNDEFINED, WRITTEN = "it is read before its wait", "what is read is not there", "it is written early"
"""What may be wrong with a tile."""


class Something:
    """A matrix, or a number that is not known."""

    def __add__(self, other: Any) -> Something:
        if isinstance(other, _Product):
            other.read()
        return self

    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __add__

    def __neg__(self) -> Something:
        return self

    def __getitem__(self, index: Any) -> Something:
        return self


@dataclass
class _Kind:
    """A dtype: called, it gives what it is called with."""

    name: str

    def __call__(self, value: Any) -> Any:
        return value


@dataclass
class _Array:
    """An array of the kernel's, or a part of one."""

    shape: tuple[int, ...]
    has_rows: bool = True  # whether the elements of a row follow each other

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple) and any(isinstance(one, slice) for one in index):
            return _Array(self.shape[:2], has_rows=False)
        return _Array(self.shape[1:]) if len(self.shape) == 3 else Something()

    def __setitem__(self, index: Any, value: Any) -> None:
        pass


@dataclass
class _Product:
    left: _Tile
    right: _Tile

    def read(self) -> None:
        self.left.read()
        self.right.read()


@dataclass
class _Tile:
    tiles: _Tiles
    number: int
    is_turned: bool = False

    @property
    def T(self) -> _Tile:  # noqa: N802 (as in the kernel language)
        return _Tile(self.tiles, self.number, not self.is_turned)

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.tiles.shape
        return (columns, rows) if self.is_turned else (rows, columns)

    def __matmul__(self, other: _Tile) -> _Product:
        return _Product(self, other)

    def read(self) -> None:
        self.tiles.model.read(self)

    def write(self) -> None:
        self.tiles.model.write(self)


@dataclass
class _Tiles:
    model: Model
    name: int
    kind: str
    shape: tuple[int, int]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple):
            _Tile(self, index[0]).read()
            return Something()
        return _Tile(self, index)

    def __setitem__(self, index: tuple[int, ...], value: Any) -> None:
        self.model.write(_Tile(self, index[0]), is_element=True)


@dataclass
class _State:
    """What was done with a tile."""

    copies: list[tuple[int, bool]] = field(default_factory=list)  # the group, and whether it surely ends later
    is_defined: bool = False
    is_read: bool = False
    is_written: bool = False


@dataclass
class Model:
    """The `gp` of a kernel's text. `found` has what is wrong, and of reads before their wait whether the copy that is
    under way is one that ends later wherever copies do.
    """

    found: set[tuple[str, bool]] = field(default_factory=set)
    group: int = 0
    states: dict[tuple[int, int], _State] = field(default_factory=dict)
    workgroup: int = 0
    target: Any = None
    count: int = 0  # of gp.tiles

    def __getattr__(self, name: str) -> Any:
        if name in DTYPES:
            return _Kind(name)
        if name in ("In", "Out", "InOut"):
            return {}
        if name in ("clamp", "floor", "max", "min"):
            return lambda *values: Something()
        raise AttributeError(name)

    # ---------------------------------------------------------------- tiles

    def _of(self, tile: _Tile) -> _State:
        return self.states.setdefault((tile.tiles.name, tile.number), _State())

    def read(self, tile: _Tile) -> None:
        state = self._of(tile)
        if state.copies:
            self.found.add((EARLY, any(is_late for _, is_late in state.copies)))
        elif not state.is_defined or state.is_written:
            self.found.add((UNDEFINED, False))
        state.is_read = True

    def write(self, tile: _Tile, *, is_element: bool = False) -> None:
        state = self._of(tile)
        if state.copies or state.is_read or (state.is_written and not is_element):
            self.found.add((WRITTEN, False))
        state.is_defined = state.is_written = True

    def copy_tile(self, tile: _Tile, array: _Array, row: int, column: int) -> None:
        self.write(tile)
        state, size = self._of(tile), DTYPES[tile.tiles.kind].itemsize
        width = math.gcd(tile.tiles.shape[1], 16 // size)
        state.is_written = False
        state.copies.append((self.group, array.has_rows and width * size >= 4 and column >= 0))

    def copy_group(self) -> None:
        self.group += 1

    def copy_wait(self, pending: int = 0) -> None:
        for state in self.states.values():
            state.copies = [one for one in state.copies if pending and one[0] >= self.group - pending]
        self.barrier()

    def barrier(self, *, buffers: bool = True) -> None:
        for state in self.states.values():
            state.is_read = state.is_written = False

    # ---------------------------------------------------------------- the other names of a kernel

    def kernel(self, *, workgroup_size: Any) -> Callable[[Any], Any]:
        return lambda function: function

    def tiles(self, kind: _Kind, count: int, shape: tuple[int, int]) -> _Tiles:
        self.count += 1
        return _Tiles(self, self.count, kind.name, shape)

    def matrix(self, *args: Any, **options: Any) -> Something:
        return Something()

    def map(self, *args: Any, **options: Any) -> Something:
        return Something()

    def reduce_rows(self, *args: Any) -> Something:
        return Something()

    def multiply_add(self, x: _Tile, y: _Tile, c: Any) -> Something:
        _Product(x, y).read()
        return Something()

    def load_matrix(self, array: Any, row: int, column: int, shape: tuple[int, int]) -> Something:
        starts_inside = isinstance(array, _Tile) and row < array.shape[0] and column < array.shape[1]
        if starts_inside and row + shape[0] > 0 and column + shape[1] > 0:
            array.read()
        return Something()

    def store_matrix(self, c: Any, array: Any, row: int, column: int) -> None:
        if isinstance(array, _Tile):
            array.write()

    def unroll(self, numbers: Any) -> Iterator[int]:
        return iter(numbers)

    def local_index(self) -> int:
        return 0

    def workgroup_id(self, axis: int) -> int:
        return self.workgroup


class _NoUnits:
    def matrix(self, kind: Any) -> None:
        """As of a device without them."""


def problems(program: Program) -> set[tuple[str, bool]]:
    """What is wrong with a program."""
    found = set[tuple[str, bool]]()
    for workgroup in range(program.workgroups[0]):
        model = Model(workgroup=workgroup, target=_NoUnits())
        names: dict[str, Any] = {"gp": model}
        exec(compile(program.text.replace("import gpucore as gp\n", ""), "<model>", "exec"), names)  # noqa: S102 (its text)
        arrays = {name: _Array(host.shape) for name, host in program.arrays.items()}
        names["k"](**arrays, **program.scalars)
        found |= model.found
    return found
