"""The launches of a product of two matrices: by the device's units for matrices, in register tiles, or by a version."""

from __future__ import annotations

from functools import cache
from typing import Any

from gpucore.algorithms.matmul import units, versions
from gpucore.algorithms.matmul.tiled import VECTORS, make_kernels
from gpucore.algorithms.shapes import Tile, UnitTile, shapes_of
from gpucore.array import Array
from gpucore.device import Device
from gpucore.kernel import Kernel
from gpucore.types import ElementDType, f16

AUTO, UNITS = "auto", "matrix_units"
"""The version that is chosen by dtype, shape and device; and that for devices with units for products of matrices."""


def queue_product(a: Array, b: Array, c: Array, variant: str) -> None:
    """Queue c = a @ b, of matrices that have elements. `UNITS` is for devices that have some for the dtype."""
    if variant in (AUTO, UNITS) and _multiply_by_units(a, b, c):
        return
    (m, n), k = c.shape, a.shape[1]
    tile = _choose_tile(a.device, a.dtype, m, n) if variant == AUTO else None
    if tile is not None:
        _multiply_tiled(a, b, c, tile)
        return
    name = "shared_tile" if variant == AUTO else variant
    step = _max_iterations(a.device, k) * (versions.SIDE if name == "shared_tile" else 1)
    for first in range(0, k, step):
        _launch(name, a, b, c, first, min(k, first + step))


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


@cache
def _kernels(tile: Tile) -> tuple[Kernel, Kernel]:
    return make_kernels(tile)


def _choose_tile(device: Device, dtype: ElementDType, m: int, n: int) -> Tile | None:
    """The first tile that fits the device and the dtype, and of which the product has at least `min_tiles`."""
    for tile in shapes_of(device).matmul.tiles:
        tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
        is_possible = (tile.width == 1 or dtype in VECTORS) and tile.needs in (None, *device.capabilities)
        if tiles >= tile.min_tiles and is_possible and tile.fits(device.limits, dtype):
            return tile
    return None


def _multiply_tiled(a: Array, b: Array, c: Array, tile: Tile) -> None:
    (m, n), k = c.shape, a.shape[1]
    of_vectors, of_elements = _kernels(tile)
    is_whole = m % tile.tile_m == 0 and n % tile.tile_n == 0 and k % tile.tile_k == 0
    tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
    vector = VECTORS[a.dtype] if tile.width > 1 else a.dtype
    if is_whole and tile.width > 1:
        a, b = (each.copy() if each.offset % vector.itemsize else each for each in (a, b))
    step = _max_iterations(a.device, k) * tile.tile_k
    for first in range(0, k, step):
        last = min(k, first + step)
        if is_whole and tile.width > 1:
            of_vectors(a, b, c, first, last, vector, tile, workgroups=tiles)
        else:
            of_elements(a, b, c, first, last, vector, tile, not is_whole, workgroups=tiles)


def unit_tiles(device: Device, dtype: ElementDType) -> list[UnitTile]:
    """The tiles in which a device's units multiply matrices of a dtype; none if it has none."""
    unit, nbytes = device.matrix(dtype), dtype.itemsize
    if unit is None or dtype is not f16:
        return []
    possible = [tile for tile in shapes_of(device).matmul.units if tile.needs in (None, *device.capabilities)]
    return [tile for tile in possible if tile.fits(unit, device.limits, nbytes)]


def _multiply_by_units(a: Array, b: Array, c: Array) -> bool:
    """Multiply by the device's units for matrices; False if it has none for the dtype."""
    tiles = unit_tiles(a.device, a.dtype)
    counts = [-(-c.shape[0] // tile.tile_m) * -(-c.shape[1] // tile.tile_n) for tile in tiles]
    for tile, count in zip(tiles, counts, strict=True):
        if count >= tile.min_tiles or tile is tiles[-1]:
            units.make_kernel(tile.invocations, tile.min_workgroups)(a, b, c, tile, workgroups=count)
            break
    return bool(tiles)


__all__ = ["AUTO", "UNITS", "queue_product", "unit_tiles"]
