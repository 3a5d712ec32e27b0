"""The launches of products by the device's units for matrices: of f16, bf16 and f64, and of f32 as sums of bf16."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from gpucore.algorithms.matmul import split, units
from gpucore.algorithms.matmul.launches import (
    UNITS,
    Finishing,
    Parts,
    can_have,
    count_steps,
    find_parts,
    nothing,
    padded,
)
from gpucore.algorithms.plans import choose, counts
from gpucore.algorithms.shapes import UnitTile, shapes_of
from gpucore.array import Array, empty
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.ir import PRECISIONS, Capability, MatrixUnit
from gpucore.types import ElementDType, bf16, f16, f32, f64, u32, u32x2

_ROUNDED = {3: "high", 2: "high", 1: "fast"}
"""By the number of parts of an f32 the precision of units that round it."""
_MOST_PARTS = max(_ROUNDED)
"""Those of "highest"."""
_LEAST_INNER = 16
"""From this inner length on f32 by units has at most the error that a sum of products in f32 may have, 2 * 16 * 2**-24
of the magnitudes. Of the second part of a number, of up to 2**-11, "high" cuts 2**-23: in all 2 * 2**-23 + 2**-22 of a
product, 8 * 2**-24. Of three parts of bf16, 2**-23 of a product is left out. The sums of units, which are cut, too,
have the rest."""


class Factors(Immutable, eq=False):
    """What is multiplied: arrays of rank 3, of which one matrix of a or b may be for all of c, stored by columns if it
    is turned."""

    a: Array
    b: Array
    c: Array
    turns: tuple[bool, bool]

    @property
    def lengths(self) -> tuple[int, int, int]:
        """Rows, inner length and columns."""
        return self.c.shape[1], self.a.shape[1 if self.turns[0] else 2], self.c.shape[2]

    @property
    def size(self) -> int:
        """The products of numbers in all."""
        return self.c.shape[0] * math.prod(self.lengths)


def multiply(factors: Factors, variant: str, count: int, finishing: Finishing | None) -> bool:
    """Queue a product of matrices that have elements. False if the device has no units for the dtype, or if without
    them it is faster. `count` is the number of parts of which an f32 is the sum. `UNITS` is for devices that have
    some."""
    a, c = factors.a, factors.c
    tile = _choose_tile(a.device, a.dtype, 0, c.shape)
    if tile is not None:
        _multiply(factors, _turned(tile, factors.turns), finishing)
        return True
    tile = _choose_tile(a.device, a.dtype, count, c.shape)
    if tile is None or (variant != UNITS and not _is_split(factors)):
        return False
    if not _has_room(factors, tile, count):
        if variant == UNITS:
            shapes = f"{a.shape[1:]} and {factors.b.shape[1:]}"
            raise ArgumentError(f"matrices of {shapes} are too large for {UNITS}; leave out the variant")
        return False
    if count == _MOST_PARTS and factors.lengths[1] < _LEAST_INNER:
        if variant == UNITS:
            raise ArgumentError(
                f"{UNITS} are not as exact as precision='highest' says with an inner length below {_LEAST_INNER}, here "
                f"{factors.lengths[1]}; leave out the variant, or give precision='high'"
            )
        return False
    _multiply_split(factors, _turned(tile, factors.turns), count, finishing)
    return True


def unit_tiles(device: Device, dtype: ElementDType) -> list[UnitTile]:
    """The tiles in which a device's units multiply matrices of a dtype; none if it has none."""
    unit, nbytes, shape = device.matrix(dtype), dtype.itemsize, shapes_of(device).matmul
    if unit is None or dtype not in (f16, bf16, f64):
        return []
    tiles = shape.doubles if dtype is f64 else shape.units
    possible = [tile for tile in tiles if tile.needs in (None, *device.capabilities)]
    return [tile for tile in possible if tile.fits(unit, device.limits, nbytes)]


def split_tiles(device: Device, dtype: ElementDType, count: int) -> list[UnitTile]:
    """The tiles in which a device's units multiply matrices of f32 as sums of `count` parts, or in place of these, with
    no larger error in long sums, as f32 that they round; none if it has none."""
    unit = device.matrix(bf16)
    if unit is None or dtype is not f32:
        return []
    return _tiles_of_parts(device, unit, count) or _rounded_tiles(device, count)


def _tiles_of_parts(device: Device, unit: MatrixUnit, count: int) -> list[UnitTile]:
    possible = [tile for parts, tile in shapes_of(device).matmul.split if parts == count]
    return [
        tile
        for tile in possible
        if tile.has_panels
        and tile.needs in (None, *device.capabilities)
        and replace(tile, stages=tile.stages * count).fits(unit, device.limits, bf16.itemsize)
    ]


def _rounded_tiles(device: Device, count: int) -> list[UnitTile]:
    precision = _ROUNDED[count]
    unit, tiles = device.matrix(f32, precision), shapes_of(device).matmul.rounded
    if unit is None:
        return []
    return [replace(tile, precision=precision) for tile in tiles if tile.fits(unit, device.limits, f32.itemsize)]


def _choose_tile(device: Device, dtype: ElementDType, count: int, shape: tuple[int, ...]) -> UnitTile | None:
    """The first tile of which the product has at least `min_tiles`, else the last; with a count that for f32 as sums of
    so many parts. None if the device has no units for it."""

    def find() -> UnitTile | None:
        tiles = split_tiles(device, dtype, count) if count else unit_tiles(device, dtype)
        return next((tile for tile in tiles if _count(tile, shape) >= tile.min_tiles), tiles[-1] if tiles else None)

    return choose(device, ("units", dtype, count, shape), find)


def _turned(tile: UnitTile, turns: tuple[bool, bool]) -> UnitTile:
    return replace(tile, turns_a=turns[0], turns_b=turns[1]) if any(turns) else tile


def _count(tile: UnitTile, shape: tuple[int, ...]) -> int:
    """The tiles of a product."""
    batch, m, n = shape
    return batch * -(-m // tile.tile_m) * -(-n // tile.tile_n)


def _multiply(factors: Factors, tile: UnitTile, finishing: Finishing | None) -> None:
    kind, (_, k, _) = (tile.invocations, tile.min_workgroups), factors.lengths
    c, parts, workgroups = factors.c, _parts(factors, tile), _workgroups(factors, tile)
    a, b = _padded_all(factors)
    if parts is not None and _are_gathered(parts, c):
        finishing, groups = finishing or nothing(c.dtype), (workgroups, parts.number)
        stored = c if finishing.finish.has_before else _as_words(c, tile)
        of_parts = _gathered(parts, factors, tile, finishing)
        units.make_gathering_kernel(*kind)(a, b, stored, *of_parts, k, tile, finishing.finish, workgroups=groups)
    elif parts is not None:
        groups = workgroups, parts.number
        units.make_parts_kernel(*kind)(a, b, _sums(parts, c), parts.length, k, tile, workgroups=groups)
        parts.add_up(_rows(c), finishing)
    elif finishing is None:
        units.make_kernel(*kind)(a, b, _as_words(c, tile), k, tile, workgroups=workgroups)
    else:
        kernel, stored = units.make_finishing_kernel(*kind), c if finishing.finish.has_before else _as_words(c, tile)
        rest = *finishing.arguments(a), k, tile, finishing.finish
        kernel(a, b, stored, *rest, workgroups=workgroups)


def _multiply_split(factors: Factors, tile: UnitTile, count: int, finishing: Finishing | None) -> None:
    kind, (_, k, _) = (tile.invocations, tile.min_workgroups), factors.lengths
    x, y, c, parts = factors.a, factors.b, factors.c, _parts(factors, tile)
    workgroups = _workgroups(factors, tile)
    if tile.precision == PRECISIONS[0]:
        a, b = split_all(x, y, count)
    else:
        (a, b), count = _padded_all(factors), 1
    if parts is not None and _are_gathered(parts, c):
        finishing, groups = finishing or nothing(c.dtype), (workgroups, parts.number)
        of_parts = _gathered(parts, factors, tile, finishing)
        gathering = split.make_gathering_kernel(*kind)
        gathering(a, b, c, x, y, *of_parts, k, tile, count, finishing.finish, workgroups=groups)
    elif parts is not None:
        groups, sums = (workgroups, parts.number), _sums(parts, c)
        split.make_parts_kernel(*kind)(a, b, sums, x, y, parts.length, k, tile, count, workgroups=groups)
        parts.add_up(_rows(c), finishing)
    elif finishing is None:
        split.make_kernel(*kind)(a, b, c, x, y, k, tile, count, workgroups=workgroups)
    else:
        rest = *finishing.arguments(x), k, tile, count, finishing.finish
        split.make_finishing_kernel(*kind)(a, b, c, x, y, *rest, workgroups=workgroups)


def _has_room(factors: Factors, tile: UnitTile, count: int) -> bool:
    """Whether the parts of the matrices fit into arrays; units that round their numbers have none."""
    if tile.precision != PRECISIONS[0]:
        return True
    largest = max(x.shape[0] * x.shape[1] * (x.shape[2] + 8) for x in (factors.a, factors.b))
    return can_have(factors.a.device, count * largest, bf16.itemsize)


def _gathered(parts: Parts, factors: Factors, tile: UnitTile, finishing: Finishing) -> tuple[Any, ...]:
    """The arguments of a kernel that gathers, between the matrices and the inner length."""
    c = factors.c
    bias, *numbers = finishing.arguments(factors.a)
    return bias, _sums(parts, c), counts(c.device, _count(tile, c.shape)), *numbers, parts.length


def _are_gathered(parts: Parts, c: Array) -> bool:
    """Whether the last workgroup of each tile adds up the parts, and no other launch."""
    shape = shapes_of(c.device).matmul
    is_fast = parts.number <= shape.most_gathered and c.size >= shape.gathered_from
    return is_fast and Capability.DEVICE_FENCE in c.device.capabilities


def _is_split(factors: Factors) -> bool:
    """Whether a product is large enough to be split."""
    shape = shapes_of(factors.a.device).matmul
    return min(factors.lengths) >= shape.split_from and factors.size >= shape.large


def _parts(factors: Factors, tile: UnitTile) -> Parts | None:
    """The parts of the inner dimension of a product of few tiles, whose sums have the rows of all matrices: as many as
    there are workgroups that run at once, if a device tells."""
    (_, k, _), c, device = factors.lengths, factors.c, factors.a.device
    tiles, at_once = _count(tile, c.shape), tile.min_workgroups * device.info.multiprocessors
    if tile.needs is not Capability.MATRIX_GROUPS or at_once == 0:
        return find_parts(factors.a, k, _rows(c), tiles, tile.tile_k, k)
    shape = shapes_of(device).matmul
    number = min(at_once // tiles, count_steps(k, tile.tile_k) // shape.least_steps, shape.most_parts)
    return Parts(factors.a, k, _rows(c), number, tile.tile_k) if number > 1 else None


def _padded_all(factors: Factors) -> tuple[Array, Array]:
    a, b = (padded(_rows(x), factors.size).reshape(*x.shape[:2], -1) for x in (factors.a, factors.b))
    return a, b


def _rows(c: Array) -> Array:
    """All rows."""
    return c.reshape(-1, c.shape[2])


def _sums(parts: Parts, c: Array) -> Array:
    return parts.sums.reshape(parts.number, *c.shape)


def _workgroups(factors: Factors, tile: UnitTile) -> int:
    """The workgroups of a product: where they compute one tile after the other, not more than run at once."""
    tiles, multiprocessors = _count(tile, factors.c.shape), factors.a.device.info.multiprocessors
    if not tile.is_persistent or multiprocessors == 0:
        return tiles
    return min(tiles, tile.min_workgroups * multiprocessors)


def _as_words(c: Array, tile: UnitTile) -> Array:
    """What a product is stored to: as words, if its rows are multiples of 16 bytes at multiples of 16, or of words at
    multiples of these where each invocation stores its own."""
    nbytes = 16 if tile.has_words else 4
    is_even = c.dtype.itemsize == 2 and c.shape[2] * 2 % nbytes == 0 and c.offset % nbytes == 0
    has_pairs = not tile.is_persistent and Capability.MATRIX_UNITS in c.device.capabilities
    return c.view(u32) if is_even and (tile.has_words or has_pairs) else c


def split_all(a: Array, b: Array, count: int) -> tuple[Array, Array]:
    """The parts of the elements of matrices, those of one after the other, in rows of whole pieces of 16 bytes."""
    made = []
    for x in (a, b):
        made.append(empty((x.shape[0] * count, x.shape[1], -(-x.shape[2] // 8) * 2), u32x2, device=x.device))
    x, y, (of_x, of_y) = _rows(a), _rows(b), made
    grid = max(of_x.shape[2], of_y.shape[2]), x.shape[0] + y.shape[0]
    split.split(x, y, of_x, of_y, count, invocations=grid)
    return of_x.view(bf16), of_y.view(bf16)


__all__ = ["Factors", "multiply", "split_all", "split_tiles", "unit_tiles"]
