"""The launches of a product of two matrices: by the device's units for matrices, in register tiles, or by a version."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

from gpucore.algorithms.matmul import split, staged, units, versions
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.matmul.tiled import VECTORS, make_finishing_kernels, make_kernels, make_parts_kernel
from gpucore.algorithms.shapes import Tile, UnitTile, shapes_of
from gpucore.array import Array, empty
from gpucore.blocks.matrices import PANEL
from gpucore.creation import zeros
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.ir import Capability
from gpucore.kernel import Kernel
from gpucore.types import ElementDType, bf16, f16, f32, f32x4, u32x2, u32x4

AUTO, TILES, UNITS = "auto", "register_tile", "matrix_units"
"""The version that is chosen by dtype, shape and device; the fastest one of devices without units for products of
matrices; and that of devices that have some."""


LONGEST = 1024
"""The longest side of a tile: by less than that matrices in panels are longer."""


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
    if tile is not None and tile.stages:
        _multiply_staged(a, b, c, tile, step, finishing)
    elif tile is not None:
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
_staged_kernel, _finishing_staged_kernel = cache(staged.make_kernel), cache(staged.make_finishing_kernel)
_staged_parts_kernel = cache(staged.make_parts_kernel)


def _choose_tile(device: Device, dtype: ElementDType, m: int, n: int) -> Tile | None:
    """The first tile that fits the device and the dtype, and of which the product has at least `min_tiles`."""
    for tile in shapes_of(device).matmul.tiles:
        tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
        is_possible = (tile.width == 1 or dtype in VECTORS) and tile.needs in (None, *device.capabilities)
        if tiles >= tile.min_tiles and is_possible and tile.fits(device.limits, dtype):
            return tile
    return None


def _multiply_tiled(a: Array, b: Array, c: Array, tile: Tile, step: int, finishing: Finishing | None) -> None:
    (m, n), k = c.shape, a.shape[1]
    is_whole = m % tile.tile_m == 0 and n % tile.tile_n == 0 and k % tile.tile_k == 0
    tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
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


def _multiply_staged(a: Array, b: Array, c: Array, tile: Tile, step: int, finishing: Finishing | None) -> None:
    m, n = c.shape
    tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
    parts = _parts(a, c, tiles, tile.tile_k, step)
    vector, out = VECTORS[a.dtype], c if parts is None else parts.sums
    b = _padded(b, a, c)
    if b.shape[1] % 4 == 0:
        b = _aligned(b, vector).view(vector)
    if n % 4 == 0 and out.offset % vector.itemsize == 0:
        out = out.view(vector)
    if parts is not None:
        _staged_parts_kernel(tile)(a, b, out, parts.length, n, tile, workgroups=(tiles, parts.number))
        parts.add_up(c, finishing)
        return
    for chosen, begin, end in _strips(a, tile, m, n):
        count = -(-m // chosen.tile_m) * -(-(end - begin) // chosen.tile_n)
        if finishing is not None:
            bias, alpha, beta = finishing.arguments(b if out.dtype is vector else a)
            bias = bias if bias.dtype is out.dtype else _aligned(bias, vector).view(vector)
            kernel = _finishing_staged_kernel(chosen)
            kernel(a, b, out, bias, alpha, beta, begin, end, chosen, finishing.finish, workgroups=count)
        else:
            _staged_kernel(chosen)(a, b, out, begin, end, chosen, workgroups=count)


def _strips(a: Array, tile: Tile, m: int, n: int) -> list[tuple[Tile, int, int]]:
    """The columns of a product and their tiles. Where a few tiles are more than run at a time, the device would wait
    for these few: the columns that they have get smaller tiles."""
    rows = -(-m // tile.tile_m)
    tiles = rows * -(-n // tile.tile_n)
    over = tiles % tile.fills if tile.fills else 0
    end = (tiles - over) // rows * tile.tile_n
    if 0 < 3 * over < tile.fills and 0 < end < n:
        rest = _choose_tile(a.device, a.dtype, m, n - end)
        if rest is not None and rest.stages:
            return [(tile, 0, end), (rest, end, n)]
    return [(tile, 0, n)]


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
    size = c.size, versions.ADDERS
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
    unit, nbytes = device.matrix(dtype), dtype.itemsize
    if unit is None or dtype not in (f16, bf16):
        return []
    possible = [tile for tile in shapes_of(device).matmul.units if tile.needs in (None, *device.capabilities)]
    return [tile for tile in possible if tile.fits(unit, device.limits, nbytes)]


def _multiply_by_units(a: Array, b: Array, c: Array, finishing: Finishing | None) -> bool:
    """Multiply by the device's units for matrices; False if it has none for the dtype."""
    tiles = unit_tiles(a.device, a.dtype)
    counts = [-(-c.shape[0] // tile.tile_m) * -(-c.shape[1] // tile.tile_n) for tile in tiles]
    for tile, count in zip(tiles, counts, strict=True):
        if count < tile.min_tiles and tile is not tiles[-1]:
            continue
        kind = tile.invocations, tile.min_workgroups
        parts = _parts(a, c, count, tile.tile_k, a.shape[1])
        if parts is None and _is_packed(a, b, c, tile):
            _multiply_packed(a, b, c, tile, count, finishing)
            break
        a, b = _padded(a, a, c), _padded(b, a, c)
        if parts is not None:
            groups = count, parts.number
            units.make_parts_kernel(*kind)(a, b, parts.sums, parts.length, tile, workgroups=groups)
            parts.add_up(c, finishing)
        elif finishing is None:
            units.make_kernel(*kind)(a, b, c, tile, workgroups=count)
        else:
            kernel = units.make_finishing_kernel(*kind)
            kernel(a, b, c, *finishing.arguments(a), tile, finishing.finish, workgroups=count)
        break
    return bool(tiles)


def _is_packed(a: Array, b: Array, c: Array, tile: UnitTile) -> bool:
    """Whether matrices are put into panels before: their copies then are few and large."""
    is_large = c.size * a.shape[1] >= shapes_of(a.device).matmul.packed_from
    return is_large and tile.needs is Capability.MATRIX_GROUPS and tile.has_panels and _can_split(a, b, 1)


def _multiply_packed(a: Array, b: Array, c: Array, tile: UnitTile, count: int, finishing: Finishing | None) -> None:
    kind, k, packed = (tile.invocations, tile.min_workgroups), a.shape[1], pack(a, b, tile)
    if finishing is None:
        units.make_packed_kernel(*kind)(*packed, c, k, tile, workgroups=count)
    else:
        kernel = units.make_packed_finishing_kernel(*kind)
        kernel(*packed, c, *finishing.arguments(a), k, tile, finishing.finish, workgroups=count)


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
    return count * max((x.shape[0] + LONGEST) * (x.shape[1] + LONGEST) for x in (a, b)) < 1 << 31


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
    possible = split_tiles(a.device, a.dtype, count)
    for tile in possible:
        tiles = -(-c.shape[0] // tile.tile_m) * -(-c.shape[1] // tile.tile_n)
        if tiles < tile.min_tiles and tile is not possible[-1]:
            continue
        kind, (split_a, split_b) = (tile.invocations, tile.min_workgroups), split_into_panels(a, b, tile, count)
        parts = _parts(a, c, tiles, tile.tile_k, a.shape[1])
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
    return False


def panels_for(a: Array, b: Array, tile: UnitTile, dtype: ElementDType, count: int = 1) -> tuple[Array, Array]:
    """Uninitialised arrays for two matrices in panels, whole tiles of them: `count` times the panels of each. The rows
    of the first and the columns of the second have the lengths of the tile."""
    made = []
    for x, rows, columns in ((a, tile.tile_m, tile.tile_k), (b, tile.tile_k, tile.tile_n)):
        height, width = (-(-length // step) * step for length, step in zip(x.shape, (rows, columns), strict=True))
        made.append(empty((count * width // PANEL, height, PANEL), dtype, device=x.device))
    return made[0], made[1]


def split_into_panels(a: Array, b: Array, tile: UnitTile, count: int) -> tuple[Array, Array]:
    """The parts of the elements of matrices, in panels."""
    made = panels_for(a, b, tile, bf16, count)
    by_vectors = all(x.shape[1] % 4 == 0 and x.offset % f32x4.itemsize == 0 for x in (a, b))
    seen = [x.view(f32x4) if by_vectors else x for x in (a, b)]
    fours = max(parts.shape[0] // count for parts in made) * (PANEL // 4)
    views = [parts.view(u32x2) for parts in made]
    grid = fours, made[0].shape[1] + made[1].shape[1]
    split.split(seen[0], seen[1], views[0], views[1], count, invocations=grid)
    return made


def pack(a: Array, b: Array, tile: UnitTile) -> tuple[Array, Array]:
    """Matrices in panels."""
    made = panels_for(a, b, tile, a.dtype)
    grid = max(each.shape[0] for each in made) * (PANEL // 8), made[0].shape[1] + made[1].shape[1]
    if all(x.shape[1] % 8 == 0 and x.offset % 16 == 0 for x in (a, b)):
        seen = [x.view(u32x4) for x in (a, b, *made)]
        units.pack_aligned(*seen, invocations=grid)
    else:
        units.pack(a, b, *made, invocations=grid)
    return made


__all__ = ["AUTO", "TILES", "UNITS", "Finishing", "queue_nothing", "queue_product", "split_tiles", "unit_tiles"]
