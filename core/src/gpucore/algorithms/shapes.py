"""The shapes of the algorithms' kernels on each kind of device. They are data: SHAPES may be overwritten, and what
`gpucore tune` has kept for a device counts instead."""

from __future__ import annotations

from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.ir import Capability, Limits, MatrixUnit, ScalarType
from gpucore.ir.panels import padding_of, panel_of
from gpucore.runtime.protocol import DeviceKind
from gpucore.runtime.tuned import read_tuned
from gpucore.types import ElementDType


class DigitShape(Immutable):
    """The tile of a workgroup that sorts keys of 32 bits by a digit, in arrays of `smallest` keys or more."""

    smallest: int
    invocations: int
    per_invocation: int  # keys; half as many of 64 bits, and fewer where workgroup memory is small
    with_values: int  # keys that are moved with a value


class ColumnTile(Immutable):
    """The keys that a workgroup sorts by a digit: `own` for each of its invocations."""

    invocations: int
    own: int

    @property
    def size(self) -> int:
        """Its keys."""
        return self.invocations * self.own


SWEEPS = (
    DigitShape(1 << 23, 512, 22, 22), DigitShape(1 << 21, 512, 20, 20), DigitShape(1 << 19, 512, 16, 16),
    DigitShape(1 << 15, 256, 8, 8),
)  # fmt: skip
SPLITS = (DigitShape(1 << 20, 512, 15, 15), DigitShape((1 << 16) + 1, 256, 8, 8))
COLUMNS = (ColumnTile(512, 8), ColumnTile(256, 8), ColumnTile(128, 8), ColumnTile(128, 4), ColumnTile(64, 4))


class SortShape(Immutable, eq=False):
    """How arrays are sorted, see `gpucore.algorithms.sort.methods`. Sizes are numbers of keys. Compared by identity, as
    each sort looks it up."""

    # `count`: few keys, on GPUs
    count_up_to: int = 8192  # a row that is sorted in one launch, if the device has memory for it
    merge_block: int = 2048  # of an array that is sorted in blocks, which are merged
    merge_up_to: int = 1 << 16  # larger arrays are sorted by digits,
    network_up_to: int = 0  # or up to this size, if they are keys alone, with the network

    columns: tuple[ColumnTile, ...] = COLUMNS  # of which the first that fits is taken

    # rows of matrices, and segments
    rows_in_place_up_to: int = 32  # counted without workgroup memory
    segments_in_place_up_to: int = 256  # likewise
    rows_counted_up_to: int = 4096  # counted in workgroup memory
    row_by_row_from: int = 1 << 16  # sorted one by one,
    rows_one_by_one: int = 64  # if there are at most so many

    # `radix`: for the cores of CPUs
    radix_from: int | None = None  # arrays of this size or more are sorted so; None: none are
    whole_bits: int = 11  # of a digit, in a small array, which one invocation sorts
    chunks_from: int = 1 << 16  # arrays of this size or more are sorted by chunks
    chunk_bits: int = 11  # of a digit there
    chunk: int = 1 << 16  # the least that one workgroup counts and moves
    chunks: int = 64  # the most workgroups that count and move
    ahead_from: int = 1 << 17  # the next line of the cache for each digit is asked for, as it may be in no cache

    # `onesweep`, `reduce_then_scan`: for subgroups of one known size; the largest arrays first
    sweeps: tuple[DigitShape, ...] = SWEEPS
    splits: tuple[DigitShape, ...] = SPLITS
    digit_chunks: int = 264  # the most workgroups that count for sweeps: about two for each multiprocessor
    split_chunks: int = 132  # the most workgroups that split: one for each, as each sums the counts of all


class Tile(Immutable):
    """The shape of a tile, and what it is for.

    `width` is the length of a vector: with 4, the other lengths are multiples of 4. A `gang` of 0 is the whole
    workgroup. `group` rows of tiles run together, to share columns of b in the cache. Each of `parts` of the loop over
    `tile_k` is unrolled. Between the rows of the tile of a that gangs read are `padding` elements, against conflicts in
    the cache.
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

    @property
    def invocations(self) -> int:
        """Invocations of a workgroup."""
        return (self.tile_m // self.own_m) * (self.tile_n // self.own_n)

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
        return self.tile_m * self.left_row

    @property
    def right_length(self) -> int:
        """Vectors in a buffer for the tile of b."""
        return self.tile_k * self.tile_n // self.width

    @property
    def buffers(self) -> int:
        """Buffers for a tile of a and of b."""
        return 1 if self.gang else 2

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
        return self.buffers * self.nbytes * self.width * (self.left_length + self.right_length)

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
            lengths += rows * (columns * nbytes + (0 if panel_of(columns, nbytes) else padding_of(nbytes)))
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
    most_parts: int = 32
    units: tuple[UnitTile, ...] = (  # of 5 to 14 each, the fastest on an H100 at 1024 to 8192 or within 3 %
        UnitTile(128, 256, 64, 4, 256, min_tiles=100, needs=Capability.MATRIX_GROUPS),
        UnitTile(128, 128, 64, 4, 256, min_tiles=100, needs=Capability.MATRIX_GROUPS),
        UnitTile(64, 64, 64, 4, 128, 3, needs=Capability.MATRIX_GROUPS),
        UnitTile(128, 128, 32, 3, 128, 2, min_tiles=192),
        UnitTile(128, 128, 32, 2, 128, min_tiles=192),  # where all copies end at once
        UnitTile(64, 128, 64, 3, 128, 3, min_tiles=96), UnitTile(64, 64, 32, 4, 128, 4),
        UnitTile(64, 64, 32, 2, 128, 3), UnitTile(32, 32, 16, 2, 128),  # likewise
    )  # fmt: skip
    doubles: tuple[UnitTile, ...] = (  # for f64
        UnitTile(128, 128, 16, 4, 256, min_tiles=192), UnitTile(64, 64, 16, 3, 128, 3), UnitTile(32, 32, 16, 2, 128),
    )  # fmt: skip
    split: tuple[tuple[int, UnitTile], ...] = (  # for f32 as sums of so many parts, whose tiles a stage has
        (3, UnitTile(128, 128, 64, 2, 256, min_tiles=96, needs=Capability.MATRIX_GROUPS)),
        (3, UnitTile(128, 64, 64, 2, 256, needs=Capability.MATRIX_GROUPS)),
        (2, UnitTile(128, 128, 64, 3, 256, min_tiles=96, needs=Capability.MATRIX_GROUPS)),
        (2, UnitTile(128, 64, 64, 2, 256, needs=Capability.MATRIX_GROUPS)),
        (1, UnitTile(128, 128, 64, 4, 256, min_tiles=96, needs=Capability.MATRIX_GROUPS)),
        (1, UnitTile(64, 64, 64, 4, 128, 3, needs=Capability.MATRIX_GROUPS)),
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
GPU_TILES = (
    # 128 sums of an invocation: where copies end later, compilers keep them in registers
    Tile(128, 256, 16, 16, 8, min_tiles=512, needs=Capability.ASYNC_COPY),
    Tile(128, 128, 8, 16, 8, min_tiles=256, needs=Capability.ASYNC_COPY),
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


class MatvecShape(Immutable):
    """How a matrix and a vector are multiplied, and two vectors, which are a matrix of one row and a vector.

    A row is combined by a group of up to `lanes` invocations; by up to a workgroup where that makes less than half of
    `fills` workgroups; and in chunks where rows are few. Columns are combined by an invocation for each vector of them.
    """

    invocations: int = 256  # of a workgroup; 0: the lanes of the device
    short: int = 256  # invocations of a workgroup of several rows, where rows are many
    lanes: int = 32  # of a row there
    width: int = 4  # elements of a vector
    own: int = 4  # rows that a group combines at once, where rows are many
    own_up_to: int = 1 << 30  # vectors of such a row
    loads: int = 4  # vectors of a row, or rows of a column, that an invocation loads before it uses the first
    takes_turns: bool = True  # the workgroups of a long row take turns, instead of a chunk each
    fills: int = 528  # workgroups that fill the device
    least: int = 1 << 12  # elements of a chunk of a row
    across: int = 64  # invocations side by side along a row, where columns are combined
    columns: int = 1  # vectors of a row that such an invocation combines
    least_rows: int = 64  # of a chunk of columns
    run: int = 512  # sums of `loads` products that an invocation adds up one after the other, which bounds the error


class ReduceShape(Immutable):
    """How arrays are reduced. A row that is longer than `single` is split into chunks, which a second pass combines.

    An f32 sum adds up at most `most` / (`invocations` * `loads`) numbers one after the other in a chunk, which bounds
    its error; with `streams`, `rounds` numbers and then `most` / (`invocations` * `loads` * `streams` * `rounds`) sums.
    """

    invocations: int = 512  # of a workgroup; 0: the lanes of the device
    streams: int = 0  # places of a chunk that an invocation reads at once, with `loads` sums at each; 0: one sum
    rounds: int = 32  # elements of such a sum
    loads: int = 4  # vectors that an invocation loads before it uses the first
    width: int = 4  # elements of a vector
    takes_turns: bool = True  # the workgroups of a long row take turns, instead of a chunk each
    rows_from: int = 128  # rows of this length or more have a workgroup, shorter ones an invocation
    single: int = 1 << 14  # the longest row that is not split
    least: int = 1 << 12  # elements of a chunk
    most: int = 1 << 19  # elements of a chunk
    groups: int = 528  # workgroups that fill the device
    columns: int = 1 << 17  # invocations that fill the device
    ordered: int = 256  # invocations of a workgroup that keeps the order of the elements
    run: int = 8  # consecutive elements of such an invocation


class ScanShape(Immutable):
    """How arrays are scanned along an axis.

    Sums of 32-bit integers of an array of `look_back_from` elements or more are scanned in one pass where the device
    has subgroups; on one whose workgroups may not make progress, they compute a missing sum themselves after `patience`
    looks. Others are scanned in chunks, after the reduction of each.
    """

    look_back_from: int | None = 1 << 14
    look_back: tuple[int, int] = (256, 12)  # invocations of a workgroup, a subgroup or more; vectors of each
    look_back_with_fallback: tuple[int, int] = (384, 8)
    patience: int = 64
    vectors: int = 0  # loads of a subgroup that scans a chunk of a row, for sums of 32 bits; 0: an invocation does
    tiles_from: int | None = 128  # rows of this length or more have workgroups, shorter ones and columns invocations
    tile: tuple[int, int] = (256, 8)  # invocations of a workgroup, elements of each
    single: int = 1 << 13  # the longest row that is not split into chunks
    groups: int = 264  # workgroups that fill the device
    columns: int = 1 << 16  # invocations that fill the device
    least: int = 64  # elements of a chunk of a column


class CountingShape(Immutable):
    """How elements are counted in bins, and chosen."""

    invocations: int = 512  # of a workgroup that counts
    chosen: tuple[int, int] = (256, 8)  # invocations of a workgroup that chooses, elements of each
    chunk: int = 1 << 12  # the least elements of a workgroup
    groups: int = 528  # the most workgroups


class SelectShape(Immutable):
    """How elements are selected by rank."""

    topk_from: int = 1 << 14  # arrays of this size or more are not sorted as a whole
    topk_part: int = 4  # if at most the elements divided by this are wanted
    ranks: int = 8  # the most quantiles' elements that are selected: for more, arrays are sorted
    ranks_from: int = 1 << 17  # arrays of this size or more; smaller ones are sorted
    bits: int = 11  # of a digit, at most
    invocations: int = 512  # of a workgroup that counts
    moved: tuple[int, int] = (256, 8)  # invocations of a workgroup that moves what is selected, elements of each
    chunk: int = 1 << 12  # the least elements of a workgroup
    groups: int = 528  # the most workgroups


class MergeShape(Immutable):
    """How two sorted arrays are merged: each element for itself, or in tiles or runs, along the merge path."""

    tiles_from: int = 1 << 19  # arrays of this size or more, together, are merged in tiles
    tile: tuple[int, int] = (256, 8)  # invocations of a workgroup, elements of each; of one: a run of the array


CPU_MATVEC = MatvecShape(
    invocations=0, lanes=16, width=1, own_up_to=32, takes_turns=False, fills=64, least=1 << 14, columns=16,
    least_rows=256,
)  # fmt: skip
CPU_REDUCE = ReduceShape(
    invocations=0, streams=4, loads=2, width=1, takes_turns=False, single=1 << 16, least=1 << 15, most=1 << 15,
    groups=1 << 30, columns=1 << 9, ordered=1, run=1 << 15,
)  # fmt: skip
CPU_SCAN = ScanShape(
    look_back_from=None, tiles_from=None, vectors=8, single=1 << 18, columns=16, least=1 << 14,
)  # fmt: skip
CPU_COUNTING = CountingShape(invocations=1, chosen=(1, 1), chunk=1 << 14, groups=16)
CPU_SELECT = SelectShape(
    topk_from=1 << 12, topk_part=8, invocations=1, moved=(1, 1), chunk=1 << 14, groups=16,
)  # fmt: skip
CPU_MERGE = MergeShape(tiles_from=1 << 10, tile=(1, 1 << 12))

# Emulated GPUs make much code of barriers, and some end loops after 65535 iterations: invocations have short chunks.
SOFTWARE_MATVEC = MatvecShape(
    invocations=1, short=64, lanes=1, width=1, takes_turns=False, fills=64, columns=8, least_rows=256,
)  # fmt: skip
SOFTWARE_REDUCE = ReduceShape(
    invocations=1, loads=4, width=1, takes_turns=False, single=1 << 12, least=1 << 12, most=1 << 12, groups=1 << 30,
    columns=1 << 9, ordered=1, run=1 << 12,
)  # fmt: skip
SOFTWARE_SCAN = ScanShape(look_back_from=None, tiles_from=None, single=1 << 12, columns=1 << 30, least=1 << 12)
SOFTWARE_COUNTING = CountingShape(invocations=64, chosen=(1, 1), chunk=1 << 12, groups=1 << 30)
SOFTWARE_SELECT = SelectShape(topk_from=1 << 17, topk_part=16, invocations=64, moved=(1, 1), groups=1 << 30)
SOFTWARE_MERGE = MergeShape(tiles_from=1 << 15, tile=(1, 1 << 10))


class Shapes(Immutable):
    """The shapes for one kind of device, one field for each algorithm."""

    sort: SortShape = SortShape()
    matmul: MatmulShape = MatmulShape(GPU_TILES, fills=264)
    matvec: MatvecShape = MatvecShape()
    reduce: ReduceShape = ReduceShape()
    scan: ScanShape = ScanShape()
    counting: CountingShape = CountingShape()
    select: SelectShape = SelectShape()
    merge: MergeShape = MergeShape()


SHAPES: dict[DeviceKind, Shapes] = {
    **{kind: Shapes() for kind in DeviceKind},
    DeviceKind.CPU: Shapes(
        sort=SortShape(radix_from=256, merge_up_to=256),
        matmul=MatmulShape(CPU_TILES),
        matvec=CPU_MATVEC,
        reduce=CPU_REDUCE,
        scan=CPU_SCAN,
        counting=CPU_COUNTING,
        select=CPU_SELECT,
        merge=CPU_MERGE,
    ),
    DeviceKind.SOFTWARE: Shapes(
        sort=SortShape(radix_from=2, merge_up_to=512, network_up_to=1 << 18),
        matmul=MatmulShape(GPU_TILES),
        matvec=SOFTWARE_MATVEC,
        reduce=SOFTWARE_REDUCE,
        scan=SOFTWARE_SCAN,
        counting=SOFTWARE_COUNTING,
        select=SOFTWARE_SELECT,
        merge=SOFTWARE_MERGE,
    ),
}
"""The shapes for each kind of device."""


SHIPPED = dict(SHAPES)
"""The same, as gpucore has them: a table in SHAPES that is another one was chosen by the program, and is not tuned."""


def shapes_of(device: Device) -> Shapes:
    """The shapes for a device. It is asked in every call: what is kept on disk is read once for an open device."""
    table, known = SHAPES[device.kind], device.shapes
    if known is not None and known[0] is table:
        found: Shapes = known[1]
        return found
    return _find(device, table)


def _find(device: Device, table: Shapes) -> Shapes:
    """The shapes that were tuned for a device, or those of the table."""
    found = None
    content = read_tuned(device.info) if table is SHIPPED.get(device.kind) else None
    if content is not None:
        from gpucore.algorithms.kept_shapes import read_kept  # noqa: PLC0415 (few devices have an entry)

        found = read_kept(content, device)
    set_shapes(device, found or table)
    return found or table


def set_shapes(device: Device, shapes: Shapes | None) -> None:
    """Use other shapes on an open device, until it is closed or its table in SHAPES is another one; None: those that
    are found again at the next call."""
    device.shapes = None if shapes is None else (SHAPES[device.kind], shapes)
