"""The steps in which the shapes of gpucore's algorithms are tuned: which values are tried, and what follows from the
best ones. A step begins with the table of the step before."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gpucore.algorithms.kept_shapes import tile_problem, unit_problem
from gpucore.algorithms.matmul import space as products
from gpucore.algorithms.matmul.batches import PARTS
from gpucore.algorithms.matmul.launches import AUTO, TILES
from gpucore.algorithms.shapes import DigitShape, Shapes, Tile, UnitTile
from gpucore.algorithms.sort import queue_radix
from gpucore.algorithms.sort import space as sorts
from gpucore.algorithms.sort.digits import SPLITS, SWEEPS
from gpucore.creation import zeros
from gpucore.device import Device
from gpucore.elementwise.capability import has_dtype
from gpucore.immutable import Immutable
from gpucore.runtime.protocol import DeviceKind
from gpucore.tuning.workloads import Keys, Product, Workload
from gpucore.types import ElementDType, bf16, f16, f32, f64, u32

LOWER, UPPER = "below", "from"
"""The sides of a switch point: the method of smaller arrays, and that of larger ones."""
_GPUS = DeviceKind.GPU, DeviceKind.IGPU
_MOST = (1 << 31) - 1
_SPLIT_FROM = 512  # rows of square products that units multiply as parts of f32


class Step(Immutable, eq=False):
    """One field, or several that are tuned together."""

    what: str
    sizes: tuple[int, ...]  # keys, or rows of square matrices
    workloads: Callable[[Device, int], tuple[Workload, Workload]]  # what is measured, and one of odd sizes
    values: Callable[[Shapes, int], list[Any]]  # what is tried at a size; the first one is what the table has
    put: Callable[[Shapes, int, Any], Shapes]  # the table in which a value counts at a size
    conclude: Callable[[Shapes, Mapping[int, Any]], Shapes]  # the table that follows from the best values by size
    is_common: bool = False  # one value counts at all sizes


def steps_for(device: Device, name: str, is_quick: bool) -> list[Step]:
    """The steps of "matmul" or "sort" on a device."""
    return [*(_matmul_steps if name == "matmul" else _sort_steps)(device, is_quick)]


# ---------------------------------------------------------------- matmul


def _matmul_steps(device: Device, is_quick: bool) -> Iterator[Step]:
    sizes: tuple[int, ...] = (products.QUICK_SIZES if is_quick else products.SIZES)[device.kind]
    lanes = device.limits.max_subgroup_size if device.kind is DeviceKind.CPU else 0
    for dtype in (f32, f64):
        nbytes = dtype.itemsize
        tiles = [tile for tile in products.register_tiles(lanes, nbytes) if not tile_problem(tile, device)]
        tiles = [tile for tile in tiles if (tile.gang > 0) == (lanes > 0)]
        if len(tiles) > 1 and has_dtype(device, dtype):
            yield _tiles_step(device, dtype, sizes, tiles[::3] if is_quick else tiles)
    every, large = 4 if is_quick else 1, tuple(size for size in sizes if size >= _SPLIT_FROM)
    of_two = bf16 if device.matrix(bf16) is not None else f16
    for field, dtype, found in (("units", of_two, products.unit_tiles()), ("doubles", f64, products.double_tiles())):
        units = [tile for tile in found if not unit_problem(tile, device, field)]
        if units and has_dtype(device, dtype):
            yield _units_step(device, dtype, field, sizes, units[::every])
    is_split = False
    for precision, count in PARTS.items():
        split = [tile for tile in products.split_tiles(count) if not unit_problem(tile, device, "split", count)]
        if split and large:
            is_split = True
            yield _split_step(device, precision, count, large, split[::every])
    rounded = [tile for tile in products.rounded_tiles() if not unit_problem(tile, device, "rounded")]
    if rounded and large and not is_split:
        yield _units_step(device, f32, "rounded", large, rounded[::every])


def _tiles_step(device: Device, dtype: ElementDType, sizes: tuple[int, ...], tiles: list[Tile]) -> Step:
    nbytes = dtype.itemsize

    def usable(shapes: Shapes) -> list[Tile]:
        return [tile for tile in shapes.matmul.tiles if tile.nbytes == nbytes and not tile_problem(tile, device)]

    def with_tiles(shapes: Shapes, own: list[Tile]) -> Shapes:
        others = (tile for tile in shapes.matmul.tiles if tile.nbytes != nbytes and not tile_problem(tile, device))
        return replace(shapes, matmul=replace(shapes.matmul, tiles=(*own, *others)))

    return Step(
        f"tiles of {dtype!r}".replace("gpucore.", ""),
        sizes,
        partial(_square, dtype, "highest", TILES),
        lambda shapes, size: _with_first(_chosen(usable(shapes), size), tiles),
        lambda shapes, size, tile: with_tiles(shapes, [tile]),
        lambda shapes, best: with_tiles(shapes, _ladder(best, usable(shapes))),
    )


def _units_step(device: Device, dtype: ElementDType, field: str, sizes: tuple[int, ...], tiles: list[UnitTile]) -> Step:
    """Tiles of a field of `MatmulShape`."""

    def with_tiles(shapes: Shapes, own: list[UnitTile]) -> Shapes:
        changes: dict[str, Any] = {field: tuple(own)}
        return replace(shapes, matmul=replace(shapes.matmul, **changes))

    def usable(shapes: Shapes) -> list[UnitTile]:
        return [tile for tile in getattr(shapes.matmul, field) if not unit_problem(tile, device, field)]

    return Step(
        f"tiles of units, {dtype!r}".replace("gpucore.", ""),
        sizes,
        partial(_square, dtype, "highest", AUTO),
        lambda shapes, size: _with_first(_chosen(usable(shapes), size), tiles),
        lambda shapes, size, tile: with_tiles(shapes, [tile]),
        lambda shapes, best: with_tiles(shapes, _ladder(best, usable(shapes))),
    )


def _split_step(device: Device, precision: str, count: int, sizes: tuple[int, ...], tiles: list[UnitTile]) -> Step:
    def with_tiles(shapes: Shapes, own: list[UnitTile]) -> Shapes:
        usable = [(n, tile) for n, tile in shapes.matmul.split if not unit_problem(tile, device, "split", n)]
        split = (*((count, tile) for tile in own), *(each for each in usable if each[0] != count))
        return replace(shapes, matmul=replace(shapes.matmul, split=split))

    def usable(shapes: Shapes) -> list[UnitTile]:
        return [tile for n, tile in shapes.matmul.split if n == count and not unit_problem(tile, device, "split", n)]

    return Step(
        f"tiles of units, f32 {precision}",
        sizes,
        partial(_square, f32, precision, AUTO),
        lambda shapes, size: _with_first(_chosen(usable(shapes), size), tiles),
        lambda shapes, size, tile: with_tiles(shapes, [tile]),
        lambda shapes, best: with_tiles(shapes, _ladder(best, usable(shapes))),
    )


def _square(dtype: ElementDType, precision: str, variant: str, device: Device, size: int) -> tuple[Workload, Workload]:
    shapes = (size, size, size), (size + 1, size - 1, size + 3)
    one, other = (Product(device, shape, dtype, precision, variant) for shape in shapes)
    return one, other


def _chosen(tiles: list[Any], size: int) -> Any:
    """The tile that a table chooses for square matrices, without its threshold."""
    found = next((tile for tile in tiles if _count(tile, size) >= tile.min_tiles), None)
    return found and replace(found, min_tiles=0)


def _count(tile: Tile | UnitTile, size: int) -> int:
    return -(-size // tile.tile_m) * -(-size // tile.tile_n)


def _with_first(first: Any, others: list[Any]) -> list[Any]:
    return [*dict.fromkeys([*([first] if first is not None else []), *others])]


def _ladder(best: Mapping[int, Any], before: list[Any]) -> list[Any]:
    """The tiles of a table, the largest products first: each from the smallest size on at which it was the best. Those
    from before stay for products that are larger than what was measured, and for smaller ones."""
    larger = itertools.takewhile(lambda tile: tile.min_tiles > _count(tile, max(best)), before) if best else ()
    found: list[Any] = []
    for _, run in itertools.groupby(sorted(best), key=lambda size: best[size]):
        size = next(run)
        found.insert(0, replace(best[size], min_tiles=_count(best[size], size)))
    table: list[Any] = []
    for tile in dict.fromkeys([*larger, *found, *before]):
        if tile.min_tiles <= 1:  # every product has one: none is left for those behind it
            return [*table, replace(tile, min_tiles=0)]
        table.append(tile)
    return table


# ---------------------------------------------------------------- sort


def _sort_steps(device: Device, is_quick: bool) -> Iterator[Step]:
    def sizes(step: str) -> tuple[int, ...]:
        low, high = sorts.SIZES[step]
        return tuple(1 << exponent for exponent in range(low, high + 1, 3 if is_quick else 1))

    probe, before, is_gpu = zeros(2, u32, device=device), Shapes().sort, device.kind in _GPUS
    if not is_gpu and queue_radix.fits(probe, before, False):
        yield _common_step("whole", sizes("whole"), sorts.WHOLE, {"radix_from": 0, "chunks_from": _MOST})
        chunks = {name: values[:2] if is_quick else values for name, values in sorts.CHUNKS.items()}
        yield _common_step("chunks", sizes("chunks"), chunks, {"radix_from": 0, "chunks_from": 0})
        yield _switch_step("chunks_from", sizes("chunks_from"), {"radix_from": 0})
        yield _switch_step("radix_from", sizes("radix_from"), {"merge_up_to": _MOST})
    elif SPLITS.fits(probe, before, False):
        kind = "sweeps" if device.info.workgroups_progress and SWEEPS.fits(probe, before, False) else "splits"
        yield _digits_step(device, kind, sizes("tiles"))
        yield _digits_switch(kind, sizes("smallest"))
    else:
        large = {"merge_up_to": _MOST, "radix_from": None}
        yield _common_step("blocks", sizes("blocks"), sorts.BLOCKS, large)
        yield _switch_step("merge_up_to", sizes("merge_up_to"), {"radix_from": None})
        yield _switch_step("network_up_to", sizes("network_up_to"), {"radix_from": None})


def _of_keys(device: Device, size: int) -> tuple[Workload, Workload]:
    return Keys(device, size), Keys(device, size + 1)


def _sorting(shapes: Shapes, **changes: Any) -> Shapes:
    return replace(shapes, sort=replace(shapes.sort, **changes))


def _common_step(what: str, sizes: tuple[int, ...], space: Mapping[str, tuple[int, ...]], forced: Any) -> Step:
    """Values of fields for all sizes, measured with others that make them count."""
    names = tuple(space)

    def values(shapes: Shapes, size: int) -> list[Any]:
        now = tuple(getattr(shapes.sort, name) for name in names)
        return _with_first(now, [*itertools.product(*space.values())])

    def conclude(shapes: Shapes, best: Mapping[int, Any]) -> Shapes:
        return _sorting(shapes, **dict(zip(names, best[sizes[0]], strict=True))) if best else shapes

    return Step(
        f"{what}: {', '.join(names)}", sizes, _of_keys, values,
        lambda shapes, size, value: _sorting(shapes, **forced, **dict(zip(names, value, strict=True))),
        conclude, True,
    )  # fmt: skip


def _switch_step(name: str, sizes: tuple[int, ...], forced: Mapping[str, Any]) -> Step:
    """A size from which, or up to which, another method is taken."""
    is_from = name.endswith("_from")

    def point(side: str, size: int) -> int:
        """The value of the field with which an array of a size, and one of one key more, are on a side."""
        if is_from:
            return size if side == UPPER else size + 2
        return size - 1 if side == UPPER else size + 1

    def values(shapes: Shapes, size: int) -> list[Any]:
        now = getattr(shapes.sort, name)
        is_upper = now is not None and (size >= now if is_from else size > now)
        return [UPPER, LOWER] if is_upper else [LOWER, UPPER]

    def conclude(shapes: Shapes, best: Mapping[int, Any]) -> Shapes:
        now = getattr(shapes.sort, name)
        found = switch_point(best, now if is_from or now is None else now + 1)
        if name == "radix_from":  # all smaller arrays are counted, as they were here
            return _sorting(shapes, radix_from=found, merge_up_to=max(shapes.sort.merge_up_to, found))
        if is_from:
            return _sorting(shapes, **{name: found})
        return _sorting(shapes, **{name: max(found - 1, 0)})

    return Step(
        name, sizes, _of_keys, values,
        lambda shapes, size, side: _sorting(shapes, **{**forced, name: point(side, size)}), conclude,
    )  # fmt: skip


def switch_point(best: Mapping[int, Any], now: int | None) -> int:
    """The size from which on the upper side counts: the one that agrees with the best sides at most sizes. The present
    value, if it agrees with as many."""
    sizes = sorted(best)

    def wrong(point: int) -> int:
        return sum((best[size] == UPPER) != (size >= point) for size in sizes)

    points = [*([] if now is None else [now]), *sizes, 2 * sizes[-1]]
    return min(points, key=wrong)  # of equal ones the first


def _digits_step(device: Device, kind: str, sizes: tuple[int, ...]) -> Step:
    """The shapes of digits, by size."""

    def tried(shapes: Shapes, size: int) -> list[DigitShape]:
        known: tuple[DigitShape, ...] = getattr(shapes.sort, kind)
        now = next((each for each in known if size >= each.smallest), known[-1])
        limits = device.limits
        fitting = [each for each in sorts.DIGITS if each.invocations <= limits.max_workgroup_invocations]
        return _with_first(replace(now, smallest=0), fitting)

    def conclude(shapes: Shapes, best: Mapping[int, Any]) -> Shapes:
        found: list[DigitShape] = []
        for _, run in itertools.groupby(sorted(best), key=lambda size: best[size]):
            size = next(run)
            found.insert(0, replace(best[size], smallest=size))
        smaller = [each for each in getattr(shapes.sort, kind) if each.smallest < found[-1].smallest]
        return _sorting(shapes, **{kind: (*found, *smaller)})

    return Step(
        f"{kind}: tiles", sizes, _of_keys, tried,
        lambda shapes, size, shape: _sorting(shapes, **{kind: (shape,), "merge_up_to": 0}), conclude,
    )  # fmt: skip


def _digits_switch(kind: str, sizes: tuple[int, ...]) -> Step:
    """From which size on keys are sorted by digits, and not by counting."""

    def moved(shapes: Shapes, smallest: int) -> Shapes:
        own: list[DigitShape] = [*getattr(shapes.sort, kind)]
        own = [each for each in own[:-1] if each.smallest > smallest] + [replace(own[-1], smallest=smallest)]
        other = "splits" if kind == "sweeps" else "sweeps"
        others = [replace(each, smallest=max(each.smallest, smallest)) for each in getattr(shapes.sort, other)]
        up_to = max(shapes.sort.merge_up_to, smallest)
        return _sorting(shapes, **{kind: tuple(own), other: tuple(others)}, merge_up_to=up_to)

    def values(shapes: Shapes, size: int) -> list[Any]:
        return [UPPER, LOWER] if size >= getattr(shapes.sort, kind)[-1].smallest else [LOWER, UPPER]

    return Step(
        f"{kind}: smallest", sizes, _of_keys, values,
        lambda shapes, size, side: moved(shapes, size if side == UPPER else size + 2),
        lambda shapes, best: moved(shapes, switch_point(best, getattr(shapes.sort, kind)[-1].smallest)),
    )  # fmt: skip


def describe_value(value: Any) -> str:
    """A value that is tried, in a line."""
    if isinstance(value, Tile):
        return f"{value.tile_m}x{value.tile_n}x{value.tile_k}, {value.own_m}x{value.own_n} each{_needs(value)}"
    if isinstance(value, UnitTile):
        shared = f", {value.min_workgroups} share" if value.min_workgroups > 1 else ""
        size = f"{value.tile_m}x{value.tile_n}x{value.tile_k} by {value.invocations}"
        return f"{size}, {value.stages} stages{shared}{_needs(value)}"
    if isinstance(value, DigitShape):
        return f"{value.invocations} x {value.per_invocation}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _needs(tile: Tile | UnitTile) -> str:
    return f", {tile.needs.value}" if tile.needs is not None else ""


__all__ = ["LOWER", "UPPER", "Step", "describe_value", "steps_for", "switch_point"]
