"""Matrix multiplication: several named versions, and `auto`, which chooses one by dtype, shape and device.

`auto` is the version by the device's units for matrices, if it has some for the dtype; otherwise the register-tiled
version in the first tile of `algorithms.shapes` that fits the device, the dtype and the shape; `shared_tile` if none
does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from gpucore import ir
from gpucore.algorithms.matmul import units, versions
from gpucore.algorithms.matmul.tiled import VECTORS, T, make_kernels
from gpucore.algorithms.shapes import Tile, UnitTile, shapes_of
from gpucore.array import Array, DeviceLike, empty
from gpucore.creation import asarray, zeros
from gpucore.device import Device
from gpucore.elementwise.capability import check_array, has_dtype
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.kernel import Kernel
from gpucore.sharing import Borrowed, OnCuda
from gpucore.types import ElementDType, as_dtype, bool_, f16

VARIANTS = ("auto", "naive", "workgroup_256", "workgroup_2d", "tiling_1d", "tiling_2d", "shared_tile")
"""The names of the versions that run everywhere: `auto`, then from the slowest to the fastest."""
UNITS = "matrix_units"
"""The version for devices that have units for products of matrices."""


@overload
def matmul(a: Array | OnCuda, b: Array | OnCuda, *, variant: str = "auto", device: DeviceLike = None) -> Array: ...


@overload
def matmul(
    a: npt.NDArray[Any], b: npt.NDArray[Any], *, variant: str = "auto", device: DeviceLike = None
) -> npt.NDArray[Any]: ...


@host_only
def matmul(a: Any, b: Any, *, variant: str = "auto", device: DeviceLike = None) -> Any:
    """The product of an (m, k) and a (k, n) matrix, as an (m, n) matrix of the same kind and dtype.

    NumPy arrays are uploaded to `device` (default: gp.default_device()), and the product is returned as NumPy; device
    arrays stay on their device, and so do tensors of other libraries on CUDA, of which the product is a device array.
    Supports f32, i32 and u32 (integers wrap), and f16 (summed in f32), f64, i64 and u64 if the device has them. Any
    shape is supported, with lengths of 0 and 1 too.

    `variant` is "auto", which chooses by dtype, shape and device, or one of the steps that lead there, from the slowest
    on: "naive", "workgroup_256", "workgroup_2d", "tiling_1d", "tiling_2d", "shared_tile"; or "matrix_units", for f16 on
    devices that have units for products of matrices (`device.matrix(gp.f16)`).

    Raises ArgumentError for wrong shapes, dtypes, devices and variants; CapabilityError if the device lacks the dtype.
    """
    if variant not in (*VARIANTS, UNITS):
        raise ArgumentError(f"variant must be one of {', '.join((*VARIANTS, UNITS))}, not {variant!r}")
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        _check(a.shape, b.shape, a.dtype, b.dtype)
        left = asarray(a, device=device)
        return _multiply(left, asarray(b, device=left.device), variant).numpy()
    borrowed = Borrowed({"a": a, "b": b})
    if not borrowed.is_empty:
        product = matmul(**borrowed.arguments, variant=variant, device=device)
        borrowed.give_back()
        return product
    if not isinstance(a, Array) or not isinstance(b, Array):
        fix = "; gp.asarray makes a device array of one" if isinstance(a, Array) or isinstance(b, Array) else ""
        raise ArgumentError(
            f"matmul takes two NumPy arrays or two device arrays, not {type(a).__name__} and {type(b).__name__}{fix}"
        )
    a.check_open()
    b.check_open()
    _check(a.shape, b.shape, a.dtype, b.dtype)
    if a.device is not b.device:
        raise ArgumentError(f"the matrices are on {a.device.id} and {b.device.id}; move one with .to(...)")
    if device is not None and asarray(a, device=device) is not a:
        raise ArgumentError(f"the matrices are on {a.device.id}; move them with .to(...) to multiply elsewhere")
    return _multiply(a, b, variant)


def _check(a_shape: tuple[int, ...], b_shape: tuple[int, ...], a_dtype: Any, b_dtype: Any) -> None:
    if len(a_shape) != 2 or len(b_shape) != 2 or a_shape[1] != b_shape[0]:
        fix = "; reshape a vector to a row, x.reshape(1, -1), or to a column, x.reshape(-1, 1)"
        raise ArgumentError(
            f"matmul takes shapes (m, k) and (k, n), not {a_shape} and {b_shape}"
            + (fix if 1 in (len(a_shape), len(b_shape)) else "")
        )
    types = [t if isinstance(t, ElementDType) else as_dtype(t.newbyteorder("=")) for t in (a_dtype, b_dtype)]
    if types[0] is not types[1]:
        raise ArgumentError(
            f"matmul takes matrices of one dtype, not {types[0]!r} and {types[1]!r}; convert one with astype"
        )
    kind = types[0].ir_type
    if not isinstance(kind, ir.ScalarType) or kind.is_storage or types[0] is bool_:
        raise ArgumentError(f"matmul takes numbers, not {types[0]!r}")


def _multiply(a: Array, b: Array, variant: str) -> Array:
    check_array("matmul", a)
    m, k, n = a.shape[0], a.shape[1], b.shape[1]
    if m == 0 or n == 0 or k == 0:
        return zeros((m, n), a.dtype, device=a.device)
    c = empty((m, n), a.dtype, device=a.device)
    if variant in ("auto", UNITS) and _multiply_by_units(a, b, c):
        return c
    if variant == UNITS:
        raise ArgumentError(
            f"{a.device.id} has no units for products of matrices of {a.dtype!r}; "
            f"device.matrix(dtype) tells what it has, and the variant auto multiplies everywhere"
        )
    tile = _choose_tile(a.device, a.dtype, m, n) if variant == "auto" else None
    if tile is not None:
        _multiply_tiled(a, b, c, tile)
        return c
    name = "shared_tile" if variant == "auto" else variant
    step = _max_iterations(a.device, k) * (versions.SIDE if name == "shared_tile" else 1)
    for first in range(0, k, step):
        _launch(name, a, b, c, first, min(k, first + step))
    return c


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


def _unit_tiles(device: Device, dtype: ElementDType) -> list[UnitTile]:
    """The tiles in which a device's units multiply matrices of a dtype; none if it has none."""
    unit, nbytes = device.matrix(dtype), dtype.itemsize
    if unit is None or dtype is not f16:
        return []
    possible = [tile for tile in shapes_of(device).matmul.units if tile.needs in (None, *device.capabilities)]
    return [tile for tile in possible if tile.fits(unit, device.limits, nbytes)]


def _multiply_by_units(a: Array, b: Array, c: Array) -> bool:
    """Multiply by the device's units for matrices; False if it has none for the dtype."""
    tiles = _unit_tiles(a.device, a.dtype)
    counts = [-(-c.shape[0] // tile.tile_m) * -(-c.shape[1] // tile.tile_n) for tile in tiles]
    for tile, count in zip(tiles, counts, strict=True):
        if count >= tile.min_tiles or tile is tiles[-1]:
            units.make_kernel(tile.invocations, tile.min_workgroups)(a, b, c, tile, workgroups=count)
            break
    return bool(tiles)


def warm_up(device: Device) -> None:
    """Compile the kernels that multiply on a device, for each dtype that it has."""
    for dtype in T.__constraints__:
        if has_dtype(device, dtype):
            tiles = _unit_tiles(device, dtype) or shapes_of(device).matmul.tiles
            for rows, inner, columns in {(1, 1, 1), *(shape for tile in tiles for shape in _shapes_for(tile))}:
                matmul(zeros((rows, inner), dtype, device=device), zeros((inner, columns), dtype, device=device))


def _shapes_for(tile: Tile | UnitTile) -> Iterator[tuple[int, int, int]]:
    """Rows, inner length and columns of small products in a tile, with and without edges, if a device chooses it."""
    side = math.isqrt(max(tile.min_tiles, 1) - 1) + 1
    for edge in (0, 1):
        yield tile.tile_m * side + edge, tile.tile_k + edge, tile.tile_n * side + edge


__all__ = ["VARIANTS", "matmul"]
