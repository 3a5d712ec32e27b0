"""The launches of a product of two matrices: by the device's units for matrices, in register tiles, or by a version."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

from gpucore.algorithms.matmul import split, units, versions
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.matmul.tiled import VECTORS, make_finishing_kernels, make_kernels, make_parts_kernel
from gpucore.algorithms.plans import choose
from gpucore.algorithms.shapes import Tile, UnitTile, shapes_of
from gpucore.array import Array, empty
from gpucore.creation import zeros
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.ir import Capability
from gpucore.kernel import Kernel
from gpucore.types import ElementDType, bf16, f16, f32, f32x4, f64, u32, u32x2

AUTO, TILES, UNITS = "auto", "register_tile", "matrix_units"
"""The version that is chosen by dtype, shape and device; the fastest one of devices without units for products of
matrices; and that of devices that have some."""


class Finishing(Immutable, eq=False):
    """What is done with the sums, and its numbers. `bias` is of rank 1."""

    finish: Finish
    alpha: Any
    beta: Any
    bias: Array | None = None

    def having(self, bias: Array | None) -> Finishing:
        """The same, with a bias."""
        return Finishing(self.finish, self.alpha, self.beta, bias)

    def arguments(self, a: Array) -> tuple[Array, Any, Any]:
        """What kernels take: without a bias, something in its place."""
        return (a if self.bias is None else self.bias).reshape(1, -1), self.alpha, self.beta


def queue_product(a: Array, b: Array, c: Array, variant: str, count: int, finishing: Finishing | None = None) -> None:
    """Queue c = a @ b, of matrices that have elements. `UNITS` is for devices that have some for the dtype; only it and
    `AUTO` have a finish. `count` is the number of parts of which an f32 is the sum where units multiply them."""
    if variant in (AUTO, UNITS) and _multiply_by_units(a, b, c, finishing):
        return
    if variant == UNITS and not _can_split(a, b, count):
        raise ArgumentError(f"matrices of {a.shape} and {b.shape} are too large for {UNITS}; leave out the variant")
    is_split = variant == UNITS or (variant == AUTO and _is_split(a, b, c, count))
    if is_split and _multiply_split(a, b, c, count, finishing):
        return
    (m, n), k = c.shape, a.shape[1]
    tile = _choose_tile(a.device, a.dtype, m, n) if variant in (AUTO, TILES) else None
    name = "shared_tile" if variant in (AUTO, TILES) else variant
    inner = tile.tile_k if tile is not None else versions.SIDE if name == "shared_tile" else 1
    step = _max_iterations(a.device, k) * inner
    if tile is not None:
        _multiply_tiled(a, b, c, tile, step, finishing)
    elif finishing is not None and step < k:
        parts = Parts(a, c, -(-k // step), -(-k // inner), inner)
        grid = n, m, parts.number
        versions.shared_tile_parts(a, b, parts.sums, parts.length, invocations=grid)
        parts.add_up(c, finishing)
    elif finishing is not None:
        versions.shared_tile_finished(a, b, c, *finishing.arguments(a), k, finishing.finish, invocations=(n, m))
    else:
        for first in range(0, k, step):
            _launch(name, a, b, c, first, min(k, first + step))


def queue_nothing(c: Array, finishing: Finishing | None) -> None:
    """The product of matrices whose inner length is 0."""
    if finishing is None:
        c.fill(0)
        return
    sums = zeros((1, *c.shape), _sum_type(c.dtype), device=c.device)
    _add_up(sums, c, finishing, zeros(0, c.dtype, device=c.device))


def _max_iterations(device: Device, k: int) -> int:
    """The maximum number of iterations of a loop: a quarter of the device's limit on all loops of an invocation."""
    limit = device.limits.max_loop_iterations
    return k if limit is None else max(1, limit // 4)


def _launch(name: str, a: Array, b: Array, c: Array, first: int, last: int) -> None:
    m, n = c.shape
    own = versions.PER_INVOCATION
    chosen: Kernel = getattr(versions, name)
    grids: dict[str, dict[str, Any]] = {
        "naive": {"workgroups": (n, m)},
        "workgroup_256": {"invocations": m * n},
        "workgroup_2d": {"invocations": (n, m)},
        "tiling_1d": {"invocations": (-(-n // own), m)},
        "tiling_2d": {"invocations": (-(-n // own), -(-m // own))},
        "shared_tile": {"invocations": (n, m)},
    }
    chosen(a, b, c, first, last, **grids[name])


_kernels, _finishing_kernels = cache(make_kernels), cache(make_finishing_kernels)
_parts_kernel = cache(make_parts_kernel)


def _choose_tile(device: Device, dtype: ElementDType, m: int, n: int) -> Tile | None:
    """The first tile that fits the device and the dtype, and of which the product has at least `min_tiles`."""

    def find() -> Tile | None:
        for tile in shapes_of(device).matmul.tiles:
            is_possible = (tile.width == 1 or dtype in VECTORS) and tile.needs in (None, *device.capabilities)
            if _count(tile, m, n) >= tile.min_tiles and is_possible and tile.fits(device.limits, dtype):
                return tile
        return None

    return choose(device, ("tile", dtype, m, n), find)


def _choose_units(device: Device, dtype: ElementDType, count: int, m: int, n: int) -> UnitTile | None:
    """The first tile for units of which the product has at least `min_tiles`, else the last; with a count that for f32
    as sums of so many parts. None if the device has no units for it."""

    def find() -> UnitTile | None:
        tiles = split_tiles(device, dtype, count) if count else unit_tiles(device, dtype)
        return next((tile for tile in tiles if _count(tile, m, n) >= tile.min_tiles), tiles[-1] if tiles else None)

    return choose(device, ("units", dtype, count, m, n), find)


def _count(tile: Tile | UnitTile, m: int, n: int) -> int:
    """The tiles of a product."""
    return -(-m // tile.tile_m) * -(-n // tile.tile_n)


def _multiply_tiled(a: Array, b: Array, c: Array, tile: Tile, step: int, finishing: Finishing | None) -> None:
    (m, n), k = c.shape, a.shape[1]
    is_whole = m % tile.tile_m == 0 and n % tile.tile_n == 0 and k % tile.tile_k == 0
    tiles = _count(tile, m, n)
    vector = VECTORS[a.dtype] if tile.width > 1 else a.dtype
    parts = _parts(a, c, tiles, tile.tile_k, step if finishing is not None else k)
    if parts is not None:
        _parts_kernel(tile)(a, b, parts.sums, parts.length, vector, tile, workgroups=(tiles, parts.number))
        parts.add_up(c, finishing)
        return
    by_vectors = is_whole and tile.width > 1 and c.offset % vector.itemsize == 0
    if by_vectors:
        a, b = (_aligned(each, vector) for each in (a, b))
    options = (vector, tile) if by_vectors else (vector, tile, not is_whole or tile.width > 1)
    if finishing is not None:
        bias, alpha, beta = finishing.arguments(a)
        if by_vectors:
            bias = _aligned(bias, vector)
        finishing_kernel = _finishing_kernels(tile)[not by_vectors]
        finishing_kernel(a, b, c, bias, alpha, beta, k, *options, finishing.finish, workgroups=tiles)
        return
    kernel = _kernels(tile)[not by_vectors]
    for first in range(0, k, step):
        kernel(a, b, c, first, min(k, first + step), *options, workgroups=tiles)


class Parts:
    """Products over parts of the inner dimension, each of `length`."""

    def __init__(self, a: Array, c: Array, number: int, steps: int, tile_k: int) -> None:
        self._a, self.length = a, -(-steps // number) * tile_k
        self.number = -(-a.shape[1] // self.length)
        self.sums = empty((self.number, *c.shape), _sum_type(c.dtype), device=c.device)

    def add_up(self, c: Array, finishing: Finishing | None) -> None:
        """Add them up in their order, with the finish."""
        _add_up(self.sums, c, finishing, self._a)


def _add_up(sums: Array, c: Array, finishing: Finishing | None, a: Array) -> None:
    number = sums.dtype.dtype.type
    finishing = finishing or Finishing(Finish(), number(1), number(0))
    size = c.shape[1], c.shape[0]
    versions.add_parts(sums, c, *finishing.arguments(a), finishing.finish, invocations=size)


def _sum_type(dtype: ElementDType) -> ElementDType:
    return f32 if dtype in (f16, bf16) else dtype


def _parts(a: Array, c: Array, tiles: int, tile_k: int, longest: int) -> Parts | None:
    """The parts into which a product of few tiles is split, or of which none is longer than `longest`."""
    k = a.shape[1]
    steps = -(-k // tile_k)
    number = max(shapes_of(a.device).matmul.parts(tiles, steps), -(-k // longest))
    return None if number < 2 else Parts(a, c, number, steps, tile_k)


def _aligned(x: Array, vector: ElementDType) -> Array:
    """An array that begins at a vector."""
    return x.copy() if x.offset % vector.itemsize else x


def unit_tiles(device: Device, dtype: ElementDType) -> list[UnitTile]:
    """The tiles in which a device's units multiply matrices of a dtype; none if it has none."""
    unit, nbytes, shape = device.matrix(dtype), dtype.itemsize, shapes_of(device).matmul
    if unit is None or dtype not in (f16, bf16, f64):
        return []
    tiles = shape.doubles if dtype is f64 else shape.units
    possible = [tile for tile in tiles if tile.needs in (None, *device.capabilities)]
    return [tile for tile in possible if tile.fits(unit, device.limits, nbytes)]


def _multiply_by_units(a: Array, b: Array, c: Array, finishing: Finishing | None) -> bool:
    """Multiply by the device's units for matrices; False if it has none for the dtype."""
    tile = _choose_units(a.device, a.dtype, 0, *c.shape)
    if tile is None:
        return False
    kind, count = (tile.invocations, tile.min_workgroups), _count(tile, *c.shape)
    parts = _parts(a, c, count, tile.tile_k, a.shape[1])
    a, b, count = _padded(a, a, c), _padded(b, a, c), _workgroups(a.device, tile, count)
    if parts is not None:
        groups = count, parts.number
        units.make_parts_kernel(*kind)(a, b, parts.sums, parts.length, tile, workgroups=groups)
        parts.add_up(c, finishing)
    elif finishing is None:
        units.make_kernel(*kind)(a, b, _as_words(c, tile), tile, workgroups=count)
    else:
        kernel, stored = units.make_finishing_kernel(*kind), c if finishing.finish.has_before else _as_words(c, tile)
        kernel(a, b, stored, *finishing.arguments(a), tile, finishing.finish, workgroups=count)
    return True


def _as_words(c: Array, tile: UnitTile) -> Array:
    """What a product is stored to: as words, if its rows are multiples of 16 bytes at multiples of 16."""
    return c.view(u32) if tile.has_words and c.shape[1] % 8 == 0 and c.offset % 16 == 0 else c


def _workgroups(device: Device, tile: UnitTile, tiles: int) -> int:
    """The workgroups of a product of so many tiles: of tiles for groups not more than run at once, one tile after the
    other."""
    if tile.needs is not Capability.MATRIX_GROUPS or device.info.multiprocessors == 0:
        return tiles
    return min(tiles, tile.min_workgroups * device.info.multiprocessors)


def split_tiles(device: Device, dtype: ElementDType, count: int) -> list[UnitTile]:
    """The tiles in which a device's units multiply matrices of f32 as sums of `count` parts; none if it has none."""
    unit = device.matrix(bf16)
    if unit is None or dtype is not f32:
        return []
    possible = [tile for parts, tile in shapes_of(device).matmul.split if parts == count]
    return [
        tile
        for tile in possible
        if tile.has_panels
        and tile.needs in (None, *device.capabilities)
        and replace(tile, stages=tile.stages * count).fits(unit, device.limits, bf16.itemsize)
    ]


def _is_split(a: Array, b: Array, c: Array, count: int) -> bool:
    """Whether a product is large enough to be split, and can be."""
    shape, lengths = shapes_of(a.device).matmul, (*c.shape, a.shape[1])
    is_large = min(lengths) >= shape.split_from and math.prod(lengths) >= shape.large
    return is_large and _can_split(a, b, count)


def _can_split(a: Array, b: Array, count: int) -> bool:
    """Whether the parts of two matrices have indices of 32 bits."""
    return count * max(x.shape[0] * (x.shape[1] + 8) for x in (a, b)) < 1 << 31


def _padded(x: Array, a: Array, c: Array) -> Array:
    """A matrix whose rows begin where 16 bytes are copied at once: a copy with zeros behind the rows of others, if the
    product of which x is a factor is large."""
    width = 16 // x.dtype.itemsize
    is_padded = x.shape[1] % width == 0 and x.offset % 16 == 0
    if is_padded or c.size * a.shape[1] < shapes_of(x.device).matmul.large:
        return x
    copy = empty((x.shape[0], -(-x.shape[1] // width) * width), x.dtype, device=x.device)
    units.pad(x, copy, invocations=copy)
    return copy


def _multiply_split(a: Array, b: Array, c: Array, count: int, finishing: Finishing | None) -> bool:
    """Multiply f32 as sums of `count` parts, by the device's units for matrices; False if it has none for that."""
    tile = _choose_units(a.device, a.dtype, count, *c.shape)
    if tile is None:
        return False
    kind, (split_a, split_b) = (tile.invocations, tile.min_workgroups), split_all(a, b, count)
    tiles = _count(tile, *c.shape)
    parts, tiles = _parts(a, c, tiles, tile.tile_k, a.shape[1]), _workgroups(a.device, tile, tiles)
    if parts is not None:
        groups = tiles, parts.number
        kernel = split.make_parts_kernel(*kind)
        kernel(split_a, split_b, parts.sums, a, b, parts.length, tile, count, workgroups=groups)
        parts.add_up(c, finishing)
    elif finishing is None:
        split.make_kernel(*kind)(split_a, split_b, c, a, b, tile, count, workgroups=tiles)
    else:
        kernel = split.make_finishing_kernel(*kind)
        rest = *finishing.arguments(a), tile, count, finishing.finish
        kernel(split_a, split_b, c, a, b, *rest, workgroups=tiles)
    return True


def split_all(a: Array, b: Array, count: int) -> tuple[Array, Array]:
    """The parts of the elements of two matrices, in rows of whole pieces of 16 bytes."""
    made = []
    for x in (a, b):
        made.append(empty((count, x.shape[0], -(-x.shape[1] // 8) * 8), bf16, device=x.device))
    by_vectors = all(x.shape[1] % 4 == 0 and x.offset % f32x4.itemsize == 0 for x in (a, b))
    seen = [x.view(f32x4) if by_vectors else x for x in (a, b)]
    views = [parts.view(u32x2) for parts in made]
    grid = max(view.shape[2] for view in views), a.shape[0] + b.shape[0]
    split.split(seen[0], seen[1], views[0], views[1], count, invocations=grid)
    return made[0], made[1]


__all__ = ["AUTO", "TILES", "UNITS", "Finishing", "queue_nothing", "queue_product", "split_tiles", "unit_tiles"]
