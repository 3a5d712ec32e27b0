"""The launches of a product of two matrices in register tiles, or by a version."""

from __future__ import annotations

from functools import cache
from typing import Any

from gpucore.algorithms.matmul import staged, units, versions
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.matmul.tiled import VECTORS, make_finishing_kernels, make_kernels, make_parts_kernel
from gpucore.algorithms.plans import choose
from gpucore.algorithms.shapes import Tile, shapes_of
from gpucore.array import Array, empty
from gpucore.blocks.matrices.products import sum_type
from gpucore.creation import zeros
from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.kernel import Kernel
from gpucore.types import ElementDType

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

    def alone(self) -> Finishing:
        """The epilogue alone, as it is called for any product."""
        return Finishing(Finish(epilogue=self.finish.epilogue), self.alpha, self.beta)

    def arguments(self, a: Array) -> tuple[Array, Any, Any]:
        """What kernels take: without a bias, something in its place."""
        return (a if self.bias is None else self.bias).reshape(1, -1), self.alpha, self.beta


def queue_product(a: Array, b: Array, c: Array, variant: str, finishing: Finishing | None = None) -> None:
    """Queue c = a @ b, of matrices that have elements, without units for matrices. Only `AUTO` and `TILES` have a
    finish."""
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
        parts = Parts(a, k, c, -(-k // step), inner)
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
    sums = zeros((1, *c.shape), sum_type(c.dtype), device=c.device)
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
_staged_parts_kernel, _staged_batch_kernel = cache(staged.make_parts_kernel), cache(staged.make_batch_kernel)


def _choose_tile(device: Device, dtype: ElementDType, m: int, n: int, batch: int = 1) -> Tile | None:
    """The first tile that fits the device and the dtype, and of which the product has at least `min_tiles`."""

    def find() -> Tile | None:
        for tile in shapes_of(device).matmul.tiles:
            is_possible = (tile.width == 1 or dtype in VECTORS) and tile.needs in (None, *device.capabilities)
            is_large = batch * count_tiles(tile, m, n) >= tile.min_tiles
            if is_large and is_possible and tile.fits(device.limits, dtype):
                return tile
        return None

    return choose(device, ("tile", dtype, m, n, batch), find)


def count_tiles(tile: Tile, m: int, n: int) -> int:
    """The tiles of a product."""
    return -(-m // tile.tile_m) * -(-n // tile.tile_n)


def _multiply_tiled(a: Array, b: Array, c: Array, tile: Tile, step: int, finishing: Finishing | None) -> None:
    (m, n), k = c.shape, a.shape[1]
    is_whole = m % tile.tile_m == 0 and n % tile.tile_n == 0 and k % tile.tile_k == 0
    tiles = count_tiles(tile, m, n)
    vector = VECTORS[a.dtype] if tile.width > 1 else a.dtype
    parts = find_parts(a, k, c, tiles, tile.tile_k, step if finishing is not None else k)
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
    (m, n), k = c.shape, a.shape[1]
    parts = find_parts(a, k, c, count_tiles(tile, m, n), tile.tile_k, step)
    vector, out = VECTORS[a.dtype], c if parts is None else parts.sums
    b = padded(b, c.size * k)
    if b.shape[1] % 4 == 0:
        b = _aligned(b, vector).view(vector)
    if n % 4 == 0 and out.offset % vector.itemsize == 0:
        out = out.view(vector)
    if parts is not None:
        _staged_parts_kernel(tile)(a, b, out, parts.length, n, tile, workgroups=(count_tiles(tile, m, n), parts.number))
        parts.add_up(c, finishing)
        return
    for chosen, begin, end in _strips(a, tile, m, n):
        count = count_tiles(chosen, m, end - begin)
        if finishing is not None:
            bias, alpha, beta = finishing.arguments(b if out.dtype is vector else a)
            bias = bias if bias.dtype is out.dtype else _aligned(bias, vector).view(vector)
            kernel = _finishing_staged_kernel(chosen)
            kernel(a, b, out, bias, alpha, beta, begin, end, chosen, finishing.finish, workgroups=count)
        else:
            _staged_kernel(chosen)(a, b, out, begin, end, chosen, workgroups=count)


def nothing(dtype: ElementDType) -> Finishing:
    """The sums as they are, of a product of a dtype."""
    number = sum_type(dtype).dtype.type
    return Finishing(Finish(), number(1), number(0))


def queue_batch(a: Array, b: Array, c: Array) -> bool:
    """Queue the products of arrays of rank 3 in one launch; False if the device does not copy tiles in stages. There
    may be one matrix of a or b for all of c."""
    batch, m, n = c.shape
    tile = _choose_tile(a.device, a.dtype, m, n, batch)
    if tile is None or not tile.stages or a.shape[2] > _max_iterations(a.device, a.shape[2]) * tile.tile_k:
        return False
    vector = VECTORS[a.dtype]
    b, out = (x.view(vector) if x.shape[2] % 4 == 0 and x.offset % vector.itemsize == 0 else x for x in (b, c))
    _staged_batch_kernel(tile)(a, b, out, n, tile, workgroups=(count_tiles(tile, m, n), batch))
    return True


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


def padded(x: Array, size: int) -> Array:
    """A matrix whose rows begin where 16 bytes are copied at once: a copy with zeros behind the rows of others, if the
    product of which it is a factor has so many products of numbers that it is large, and the copy has at most twice the
    memory, and no more than an array may have. Without it products are slower."""
    width = 16 // x.dtype.itemsize
    is_padded = x.shape[1] % width == 0 and x.offset % 16 == 0
    columns = -(-x.shape[1] // width) * width
    can_pad = columns <= 2 * x.shape[1] and can_have(x.device, x.shape[0] * columns, x.dtype.itemsize)
    if is_padded or size < shapes_of(x.device).matmul.large or not can_pad:
        return x
    copy = empty((x.shape[0], columns), x.dtype, device=x.device)
    units.pad(x, copy, invocations=copy)
    return copy


def can_have(device: Device, size: int, nbytes: int) -> bool:
    """Whether a device can have an array of so many elements of so many bytes."""
    return size < 1 << 31 and size * nbytes <= min(device.limits.max_buffer_size, device.limits.max_binding_size)


class Parts:
    """Products over parts of the inner dimension, each of `length`."""

    def __init__(self, a: Array, k: int, c: Array, number: int, tile_k: int) -> None:
        self._a, self.length = a, -(-count_steps(k, tile_k) // number) * tile_k
        self.number = -(-k // self.length)
        self.sums = empty((self.number, *c.shape), sum_type(c.dtype), device=c.device)

    def add_up(self, c: Array, finishing: Finishing | None) -> None:
        """Add them up in their order, with the finish."""
        _add_up(self.sums, c, finishing, self._a)


def _add_up(sums: Array, c: Array, finishing: Finishing | None, a: Array) -> None:
    finishing = finishing or nothing(c.dtype)
    size = c.size, versions.ADDERS
    versions.add_parts(sums, c, *finishing.arguments(a), finishing.finish, invocations=size)


def count_steps(k: int, tile_k: int) -> int:
    """The steps along an inner dimension."""
    return -(-k // tile_k)


def find_parts(a: Array, k: int, c: Array, tiles: int, tile_k: int, longest: int) -> Parts | None:
    """The parts into which a product of few tiles is split, or of which none is longer than `longest`."""
    number = max(shapes_of(a.device).matmul.parts(tiles, count_steps(k, tile_k)), -(-k // longest))
    return None if number < 2 else Parts(a, k, c, number, tile_k)


def _aligned(x: Array, vector: ElementDType) -> Array:
    """An array that begins at a vector."""
    return x.copy() if x.offset % vector.itemsize else x


__all__ = ["AUTO", "TILES", "UNITS", "Finishing", "queue_batch", "queue_nothing", "queue_product"]
