"""The tiles among which `gpucore tune` chooses. Those that do not fit a device are left out there."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from gpucore.algorithms.shapes import CPU_TILES, GPU_TILES, MatmulShape, Tile, UnitTile
from gpucore.ir import Capability
from gpucore.runtime.protocol import DeviceKind

SIZES = {
    DeviceKind.GPU: (512, 1024, 2048, 4096), DeviceKind.IGPU: (256, 512, 1024, 2048),
    DeviceKind.CPU: (128, 256, 512, 1024, 2048), DeviceKind.SOFTWARE: (64, 128, 256, 512),
}  # fmt: skip
"""The rows of the square matrices that are multiplied."""
QUICK_SIZES = {**dict.fromkeys(SIZES, (256, 512)), DeviceKind.SOFTWARE: (64, 128)}
"""The same, of a short run."""

IN_VECTORS = (
    Tile(32, 32, 16, 4, 4), Tile(32, 64, 16, 4, 4), Tile(64, 64, 8, 8, 4), Tile(64, 64, 16, 4, 4),
    Tile(64, 64, 16, 8, 8), Tile(64, 64, 32, 8, 8), Tile(128, 64, 16, 8, 8), Tile(64, 128, 8, 8, 8),
    Tile(128, 128, 8, 8, 8), Tile(128, 128, 16, 8, 8), Tile(128, 128, 8, 16, 8), Tile(128, 256, 16, 8, 16),
)  # fmt: skip
"""For GPUs, beside those that gpucore has."""
COPIED = [
    replace(tile, stages=stages, slices=slices, padding=4, needs=Capability.ASYNC_COPY)
    for tile, (stages, slices) in product(
        (Tile(32, 64, 32, 4, 4), Tile(64, 64, 16, 8, 8), Tile(64, 128, 16, 8, 8), Tile(128, 128, 8, 8, 8),
         Tile(128, 128, 16, 8, 16), Tile(128, 256, 8, 8, 16)),
        ((3, 1), (3, 2), (4, 1)),
    )
]  # fmt: skip
"""The same, where copies end later."""
_SIDES = ((32, 32), (64, 64), (128, 64), (64, 128), (128, 128), (96, 96), (96, 192))
_INNER = (32, 64, 128)
_OWN = ((8, 2), (4, 2), (8, 1), (6, 2), (6, 3), (12, 2))  # rows and vectors of a gang: registers
_STEPS = 4  # of the inner dimension in a part


def register_tiles(lanes: int, nbytes: int) -> list[Tile]:
    """The tiles for elements of so many bytes, on a device whose subgroups have `lanes` invocations."""
    tiles = [*GPU_TILES, *IN_VECTORS, *COPIED] if nbytes == 4 else []
    tiles += [tile for tile in CPU_TILES if (tile.gang, tile.nbytes) == (lanes, nbytes)]
    tiles += [
        Tile(m, n, k, *own, width=1, gang=lanes, parts=k // _STEPS, padding=16, nbytes=nbytes)
        for (m, n), k, own in product(_SIDES, _INNER, _OWN)
        if lanes > 1 and k <= max(m, n) and m % own[0] == 0 and n % (lanes * own[1]) == 0
    ]
    return [*dict.fromkeys(replace(tile, min_tiles=0) for tile in tiles)]


def unit_tiles() -> list[UnitTile]:
    """The tiles for the units of a device."""
    groups = [
        UnitTile(m, n, 64, stages, invocations, shared, needs=Capability.MATRIX_GROUPS)
        for (m, n, invocations), (stages, shared) in product(
            ((128, 256, 256), (128, 128, 256), (64, 128, 128), (64, 64, 128)), ((2, 2), (3, 1), (3, 2), (4, 1))
        )
    ]
    others = [
        UnitTile(m, n, k, stages, 128, shared)
        for (m, n), k, (stages, shared) in product(
            ((128, 128), (64, 128), (64, 64), (32, 32)), (16, 32), ((2, 1), (2, 4), (3, 2))
        )
    ]
    known = MatmulShape(()).units
    return [*dict.fromkeys(replace(tile, min_tiles=0) for tile in (*known, *groups, *others))]


def split_tiles(count: int) -> list[UnitTile]:
    """The tiles for f32 as sums of `count` parts."""
    known = [tile for parts, tile in MatmulShape(()).split if parts == count]
    groups = [
        UnitTile(m, n, 64, stages, invocations, shared, needs=Capability.MATRIX_GROUPS)
        for (m, n, invocations), stages, shared in product(
            ((128, 128, 256), (128, 64, 256), (64, 128, 128), (64, 64, 128)), (2, 3, 4), (1, 2, 3)
        )
    ]
    return [*dict.fromkeys(replace(tile, min_tiles=0) for tile in (*known, *groups))]


def double_tiles() -> list[UnitTile]:
    """The tiles for units that multiply f64."""
    tried = product(((128, 128, 256), (64, 128, 128), (64, 64, 128), (32, 64, 64), (32, 32, 128)), (2, 3, 4), (1, 2, 3))
    others = [UnitTile(m, n, 16, stages, size, shared) for (m, n, size), stages, shared in tried]
    return [*dict.fromkeys(replace(tile, min_tiles=0) for tile in (*MatmulShape(()).doubles, *others))]


def rounded_tiles() -> list[UnitTile]:
    """The tiles for f32 that units round."""
    tried = product(((128, 128, 256), (128, 64, 128), (64, 64, 128), (32, 64, 64)), (16, 32), (2, 3), (1, 2))
    others = [UnitTile(m, n, k, stages, size, shared) for (m, n, size), k, stages, shared in tried]
    return [*dict.fromkeys(replace(tile, min_tiles=0) for tile in (*MatmulShape(()).rounded, *others))]
