"""The shapes of the algorithms' kernels on each kind of device. They are data: SHAPES may be overwritten, and what
`gpucore tune` has kept for a device, or its plugin has for it, counts instead."""

from __future__ import annotations

import enum
from typing import Any

from gpucore.algorithms.matmul_shapes import CPU_TILES as CPU_TILES
from gpucore.algorithms.matmul_shapes import GPU_TILES as GPU_TILES
from gpucore.algorithms.matmul_shapes import LARGE as LARGE
from gpucore.algorithms.matmul_shapes import SMALL as SMALL
from gpucore.algorithms.matmul_shapes import MatmulShape as MatmulShape
from gpucore.algorithms.matmul_shapes import Tile as Tile
from gpucore.algorithms.matmul_shapes import UnitTile as UnitTile
from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.runtime.protocol import DeviceKind
from gpucore.runtime.shipped import ask_plugin
from gpucore.runtime.tuned import read_tuned


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


class Origin(enum.Enum):
    """Where the shapes for a device are from, first what counts most. A table that a program has put into SHAPES counts
    more than all of them."""

    TUNED = "tuned on this machine"  # by `gpucore tune`, which keeps them on disk
    PLUGIN = "shipped by the plugin"  # `Backend.shapes_for`
    KIND = "for its kind of device"


def shapes_of(device: Device) -> Shapes:
    """The shapes for a device. It is asked in every call: for an open device what is kept on disk is read once, and its
    plugin is asked once."""
    table, known = SHAPES[device.kind], device.shapes
    if known is not None and known[0] is table:
        found: Shapes = known[1]
        return found
    found = find_shapes(device)[0] if table is SHIPPED[device.kind] else table
    set_shapes(device, found)
    return found


def find_shapes(device: Device) -> tuple[Shapes, Origin]:
    """The shapes that a device has without those that a program chose, and where they are from."""
    content = read_tuned(device.info)
    kept = None if content is None else _read(content, device, f"are kept for {device.id}")
    return (kept, Origin.TUNED) if kept is not None else find_shipped(device)


def find_shipped(device: Device) -> tuple[Shapes, Origin]:
    """The shapes that a device has before it is tuned: those of its plugin, or of its kind."""
    content = ask_plugin(device)
    is_none = isinstance(content, str) and not content
    shipped = None if is_none else _read(content, device, f"the plugin has for {device.id}")
    return (shipped, Origin.PLUGIN) if shipped is not None else (SHIPPED[device.kind], Origin.KIND)


def _read(content: Any, device: Device, place: str) -> Shapes | None:
    from gpucore.algorithms.kept_shapes import read_table  # noqa: PLC0415 (few devices have a table of their own)

    return read_table(content, device, place)


def set_shapes(device: Device, shapes: Shapes | None) -> None:
    """Use other shapes on an open device, until it is closed or its table in SHAPES is another one; None: those that
    are found again at the next call."""
    device.shapes = None if shapes is None else (SHAPES[device.kind], shapes)
