"""The tiles in which matrices are multiplied, on each kind of device: data, as `shapes` is, which has them too."""

from __future__ import annotations

from typing import Any

from gpucore.immutable import Immutable
from gpucore.ir import PRECISIONS, Capability, Limits, MatrixUnit, ScalarType
from gpucore.ir.panels import padding_of, panel_of
from gpucore.types import ElementDType


class Tile(Immutable):
    """The shape of a tile, and what it is for.

    `width` is the length of a vector: with 4, the other lengths are multiples of 4. A `gang` of 0 is the whole
    workgroup. `group` rows of tiles run together, to share columns of b in the cache. Each of `parts` of the loop over
    `tile_k` is unrolled. Between the rows of the tile of a that gangs read are `padding` elements, against conflicts in
    the cache; with `stages` between its columns, against those in the banks of memory.
    """

    tile_m: int
    tile_n: int
    tile_k: int
    own_m: int
    own_n: int
    group: int = 8
    width: int = 4
    gang: int = 0
    parts: int = 1
    padding: int = 0
    nbytes: int = 4  # of the elements for which it is made
    min_tiles: int = 0  # in a product for which it is made: with fewer, smaller tiles are faster
    needs: Capability | None = None  # of the devices for which it is made
    stages: int = 0  # tiles of each side in memory, of which all but one are being copied; 0: copies end at once
    slices: int = 1  # with stages: groups of invocations, of which each multiplies a slice of the columns of a
    across: int = 8  # with stages: invocations side by side in a block of 32, whose rows and columns alternate
    fills: int = 0  # with stages: workgroups that run at a time on a large GPU; 0: all

    @property
    def invocations(self) -> int:
        """Invocations of a workgroup."""
        return self.slices * self.slice_size

    @property
    def slice_size(self) -> int:
        """Invocations whose sums are all entries of a tile."""
        return (self.tile_m // self.own_m) * (self.tile_n // self.own_n)

    @property
    def block_m(self) -> int:
        """With stages: invocations of a block one below the other."""
        return min(32 // self.across, self.tile_m // self.own_m)

    @property
    def block_n(self) -> int:
        """With stages: invocations of a block side by side."""
        return min(self.across, self.tile_n // self.own_n)

    @property
    def pitch(self) -> int:
        """With stages: elements from one column of the tile of a to the next, which is transposed."""
        return self.tile_m + self.padding

    @property
    def strip(self) -> int:
        """Invocations whose columns are contiguous in workgroup memory."""
        return self.gang or self.tile_n // self.own_n

    @property
    def strip_width(self) -> int:
        """Vectors in a row of a strip."""
        return self.strip * self.own_n // self.width

    @property
    def row_step(self) -> int:
        """Between the rows of an invocation. A gang has neighbouring rows; on GPUs they alternate with others'."""
        return 1 if self.gang else self.tile_m // self.own_m

    @property
    def row_factor(self) -> int:
        """Between the first rows of two invocations."""
        return self.own_m if self.gang else 1

    @property
    def left_row(self) -> int:
        """Vectors from one row of the tile of a to the next, in workgroup memory."""
        return (self.tile_k + (self.padding if self.gang else 0)) // self.width

    @property
    def left_length(self) -> int:
        """Vectors in a buffer for the tile of a."""
        return self.tile_k * self.pitch // self.width if self.stages else self.tile_m * self.left_row

    @property
    def right_length(self) -> int:
        """Vectors in a buffer for the tile of b."""
        return self.tile_k * self.tile_n // self.width

    @property
    def buffers(self) -> int:
        """Buffers for a tile of a and of b."""
        return 1 if self.gang else self.stages or 2

    @property
    def loads_a(self) -> int:
        """Vectors of the tile of a that an invocation loads."""
        return self.tile_m * self.tile_k // self.width // self.invocations

    @property
    def loads_b(self) -> int:
        """Vectors of the tile of b that an invocation loads."""
        return self.tile_k * self.tile_n // self.width // self.invocations

    @property
    def workgroup_memory(self) -> int:
        """Bytes of workgroup memory."""
        elements = self.buffers * self.width * (self.left_length + self.right_length)
        return self.nbytes * (elements + (self.tile_m * self.tile_n if self.slices > 1 else 0))

    def fits(self, limits: Limits, dtype: ElementDType) -> bool:
        """Whether a device with these limits can run it, and it is made for the dtype."""
        kind = dtype.ir_type
        return (
            isinstance(kind, ScalarType)
            and kind.bits == 8 * self.nbytes
            and self.gang in (0, limits.max_subgroup_size)
            and self.invocations <= limits.max_workgroup_invocations
            and self.workgroup_memory <= limits.max_workgroup_memory
        )


class UnitTile(Immutable):
    """The tile of a workgroup whose device has units for matrices. `stages` tiles of each side are in memory, of which
    all but one may be on their way."""

    tile_m: int
    tile_n: int
    tile_k: int
    stages: int
    invocations: int
    min_workgroups: int = 1  # that share a multiprocessor: with two, one computes while the other waits
    group: int = 8  # rows of tiles that run together
    min_tiles: int = 0  # in a product for which it is made: with fewer, smaller tiles are faster
    needs: Capability | None = None  # of the devices for which it is made
    turns_a: bool = False  # a is stored by columns
    turns_b: bool = False  # likewise
    precision: str = PRECISIONS[0]  # of the products of f32

    @property
    def is_persistent(self) -> bool:
        """Whether a workgroup computes one tile after the other: where another invocation copies ahead across them."""
        return self.needs is Capability.MATRIX_GROUPS

    @property
    def left(self) -> tuple[int, int]:
        """The rows and columns in memory of the tiles of a."""
        return (self.tile_k, self.tile_m) if self.turns_a else (self.tile_m, self.tile_k)

    @property
    def right(self) -> tuple[int, int]:
        """The rows and columns in memory of the tiles of b."""
        return (self.tile_n, self.tile_k) if self.turns_b else (self.tile_k, self.tile_n)

    @property
    def words(self) -> int:
        """Words of a row of the workgroup memory through which a product goes: of up to 128 elements of 2 bytes, and 16
        bytes between rows, so that accesses to a column are spread over all banks."""
        return min(self.tile_n, 128) // 2 + 4

    @property
    def has_words(self) -> bool:
        """Whether products of elements of 2 bytes are stored as words, by way of workgroup memory: where a group has
        whole rows of the tile."""
        return self.needs is Capability.MATRIX_GROUPS and self.invocations * 64 == self.tile_m * 128

    @property
    def has_panels(self) -> bool:
        """Whether its sides of elements of 2 bytes are whole panels of 64 columns and 8 rows or a multiple."""
        return self.tile_m % 8 == 0 and self.tile_k % 64 == 0 and self.tile_n % 64 == 0

    def fits(self, unit: MatrixUnit, limits: Limits, nbytes: int) -> bool:
        """Whether a device can run it for elements of so many bytes. More than two stages are for copies that end
        later."""
        lengths = 0
        for rows, columns in (self.left, self.right):
            is_padded = unit.has_padding or panel_of(columns, nbytes) == 0
            lengths += rows * (columns * nbytes + (padding_of(nbytes) if is_padded else 0))
        memory = self.stages * lengths + (4 * self.tile_m * self.words if self.has_words else 0)
        has_rows = self.tile_k % unit.k == 0 and self.invocations % unit.invocations == 0
        is_of_use = unit.copies or self.stages == 2
        fits = memory <= unit.memory and self.invocations <= limits.max_workgroup_invocations
        return has_rows and is_of_use and fits


class MatmulShape(Immutable):
    """How matrices are multiplied: in the first tile that fits, or, if none does, element by element.

    Of a product of few tiles the inner dimension is split into parts, which are added up: as many as make `fills`
    workgroups, each of `least_steps` steps or more.
    """

    tiles: tuple[Tile, ...]
    fills: int = 0  # workgroups, about two for each multiprocessor of a large GPU; 0: nothing is split
    least_steps: int = 4
    most_parts: int = 64
    most_gathered: int = 4  # parts that the last workgroup of a tile adds up, in the same launch,
    gathered_from: int = 1 << 17  # of products of so many numbers or more; otherwise another launch is faster
    units: tuple[UnitTile, ...] = (  # of 5 to 18 each, the fastest on an H100 at 512 to 8192 or within 3 %
        UnitTile(128, 256, 64, 4, 256, min_tiles=72, needs=Capability.MATRIX_GROUPS),
        UnitTile(128, 64, 128, 3, 256, min_tiles=100, needs=Capability.MATRIX_GROUPS),
        UnitTile(64, 64, 128, 4, 128, needs=Capability.MATRIX_GROUPS),
        UnitTile(128, 128, 32, 3, 128, 2, min_tiles=192),
        UnitTile(128, 128, 32, 2, 128, min_tiles=192),  # where all copies end at once
        UnitTile(64, 128, 64, 3, 128, 3, min_tiles=96), UnitTile(64, 64, 32, 4, 128, 4),
        UnitTile(64, 64, 32, 2, 128, 3), UnitTile(32, 32, 16, 2, 128),  # likewise
    )  # fmt: skip
    doubles: tuple[UnitTile, ...] = (  # for f64
        UnitTile(128, 128, 16, 4, 256, min_tiles=192), UnitTile(64, 64, 16, 3, 128, 3), UnitTile(32, 32, 16, 2, 128),
    )  # fmt: skip
    split: tuple[tuple[int, UnitTile], ...] = (  # for f32 as sums of so many parts, whose tiles a stage has
        (3, UnitTile(128, 128, 64, 2, 256, min_tiles=200, needs=Capability.MATRIX_GROUPS)),
        (3, UnitTile(64, 64, 64, 2, 128, 2, needs=Capability.MATRIX_GROUPS)),
        (2, UnitTile(128, 128, 64, 3, 256, min_tiles=96, needs=Capability.MATRIX_GROUPS)),
        (2, UnitTile(128, 64, 64, 2, 256, needs=Capability.MATRIX_GROUPS)),
        (1, UnitTile(128, 128, 64, 4, 256, min_tiles=96, needs=Capability.MATRIX_GROUPS)),
        (1, UnitTile(64, 64, 64, 4, 128, 3, needs=Capability.MATRIX_GROUPS)),
    )
    rounded: tuple[UnitTile, ...] = (  # for f32 that units round, where none of `split` fits
        UnitTile(128, 64, 32, 3, 128, min_tiles=96),
        UnitTile(64, 64, 32, 2, 128, 2),
    )
    split_from: int = 64  # the least rows, columns and inner length of products that are split
    large: int = 1 << 27  # products of numbers in a product whose matrices are copied before: split, or padded

    def parts(self, tiles: int, steps: int) -> int:
        """Into how many parts the steps along the inner dimension are split, in a product of so many tiles."""
        if 4 * tiles > self.fills:
            return 1
        return max(1, min(self.fills // tiles, steps // self.least_steps, self.most_parts))


LARGE = Tile(64, 128, 16, 8, 8, min_tiles=128)  # about one for each multiprocessor of a large GPU
SMALL = Tile(64, 64, 16, 8, 4)
_COPIED: dict[str, Any] = {"padding": 4, "needs": Capability.ASYNC_COPY}
GPU_TILES = (
    # of those measured on an H100 at 512 to 8192 the fastest, as far as the spread of a few percent tells
    Tile(128, 256, 8, 8, 16, stages=4, min_tiles=112, fills=132, **_COPIED),
    Tile(128, 256, 8, 8, 16, stages=3, min_tiles=112, fills=132, **_COPIED),  # for 48 KiB
    Tile(64, 128, 16, 8, 8, stages=4, slices=2, min_tiles=96, fills=264, **_COPIED),
    Tile(64, 128, 16, 8, 8, stages=3, min_tiles=96, **_COPIED),  # for 48 KiB
    Tile(32, 64, 32, 4, 8, stages=3, slices=2, **_COPIED),
    # without copies that end later; 128 sums of an invocation are too many for some compilers
    LARGE,
    SMALL,
)
CPU_TILES = (
    # with AVX-512: 32 registers of 16
    Tile(128, 128, 128, 8, 2, width=1, gang=16, parts=32, padding=16, min_tiles=4),
    Tile(32, 32, 32, 8, 2, width=1, gang=16, parts=8, padding=16),
    Tile(128, 64, 64, 8, 1, width=1, gang=16, parts=16, padding=16, nbytes=8, min_tiles=4),
    Tile(32, 32, 32, 4, 2, width=1, gang=16, parts=8, padding=16, nbytes=8),
    # with AVX2: 16 registers of 8
    Tile(64, 128, 128, 4, 2, width=1, gang=8, parts=32, padding=16, min_tiles=4),
    Tile(32, 32, 32, 4, 2, width=1, gang=8, parts=8, padding=16),
    Tile(96, 64, 64, 6, 1, width=1, gang=8, parts=16, padding=16, nbytes=8, min_tiles=4),
    Tile(24, 32, 32, 6, 1, width=1, gang=8, parts=8, padding=16, nbytes=8),
    # with SSE or NEON: registers of 4
    Tile(64, 128, 128, 4, 2, width=1, gang=4, parts=32, padding=16, min_tiles=4),
    Tile(32, 32, 32, 4, 2, width=1, gang=4, parts=8, padding=16),
    Tile(96, 64, 64, 6, 1, width=1, gang=4, parts=16, padding=16, nbytes=8, min_tiles=4),
    Tile(24, 32, 32, 6, 1, width=1, gang=4, parts=8, padding=16, nbytes=8),
)  # fmt: skip
