"""Tables of shapes as JSON, tuned here or shipped by a plugin: what a table may have, and whether it fits a device.

    {"sort": {"radix_from": 256, "sweeps": [{"smallest": 1, "invocations": 512, ...}]},
     "matmul": {"tiles": [{"tile_m": 64, ...}], "split": [[3, {"tile_m": 128, ...}]]}}

Only the fields in `SORT` and `MATMUL` can be in it. All others are those of `shapes.SHIPPED` for the device's kind,
also where a plugin ships a table, so that a table on disk does not depend on the plugin's version. Fields of a tile
that have a default may be left out. Kernels of tiles that do not fit could access memory out of range, so a table is
used as a whole or not at all.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Mapping
from typing import Any

from gpucore.algorithms.shapes import SHIPPED, DigitShape, Shapes, Tile, UnitTile
from gpucore.blocks.matrices.layout import choose_layout
from gpucore.blocks.matrices.products import is_of_groups, sum_type
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.ir import PRECISIONS, Capability, MatrixUnit, matrix_unit
from gpucore.runtime import log
from gpucore.runtime.protocol import DeviceInfo
from gpucore.types import DType, bf16, f16, f32, f64

AnyDevice = Device | DeviceInfo
"""An open device, or what is known of one."""

_SIZE = range(1 << 31)
_SIDE = range(1, 1025)
_OWN = range(1, 65)
_INVOCATIONS = range(1, 2049)
SORT: dict[str, Collection[int] | type] = {
    "merge_block": (1024, 2048, 4096, 8192), "merge_up_to": _SIZE, "network_up_to": _SIZE, "radix_from": _SIZE,
    "whole_bits": range(4, 12), "chunks_from": _SIZE, "chunk_bits": range(4, 12), "chunk": range(1, 1 << 31),
    "chunks": range(1, 1025), "ahead_from": _SIZE, "sweeps": DigitShape, "splits": DigitShape,
}  # fmt: skip
"""The fields of `SortShape` that can be in a table: their values, or what their tuples have."""
MATMUL: dict[str, Collection[int] | type] = {
    "tiles": Tile, "units": UnitTile, "doubles": UnitTile, "split": UnitTile, "rounded": UnitTile,
    "fills": range(1 << 20), "least_steps": range(1, 1 << 20), "most_parts": range(1, 1 << 20),
    "most_gathered": range(1 << 20), "gathered_from": _SIZE,
}  # fmt: skip
"""The same of `MatmulShape`."""
_PARTS: dict[type, dict[str, Collection[int]]] = {
    DigitShape: {
        "smallest": _SIZE, "invocations": (32, 64, 128, 256, 512, 1024), "per_invocation": _OWN, "with_values": _OWN,
    },
    Tile: {
        "tile_m": _SIDE, "tile_n": _SIDE, "tile_k": _SIDE, "own_m": _OWN, "own_n": _OWN, "group": _SIDE,
        "width": (1, 4), "gang": range(1025), "parts": _SIDE, "padding": range(129), "nbytes": (4, 8),
        "min_tiles": _SIZE, "stages": (0, *range(2, 17)), "slices": (1, 2, 4, 8), "across": (1, 2, 4, 8, 16, 32),
        "fills": _SIZE,
    },
    UnitTile: {
        "tile_m": _SIDE, "tile_n": _SIDE, "tile_k": _SIDE, "stages": range(2, 17), "invocations": _INVOCATIONS,
        "min_workgroups": range(1, 33), "group": _SIDE, "min_tiles": _SIZE,
    },
}  # fmt: skip
_SPLIT = range(1, 4)  # parts of an f32
_MULTIPLIED: dict[str, tuple[DType, ...]] = {
    "units": (bf16, f16), "doubles": (f64,), "split": (bf16,), "rounded": (f32,),
}  # fmt: skip
"""By the field of `MatmulShape` the dtypes of which its tiles are: the first one that a device multiplies counts."""


# ---------------------------------------------------------------- what fits a device


def tile_problem(tile: Tile, device: AnyDevice) -> str:
    """Why a device cannot multiply in a tile; "" if it can."""
    limits, in_vectors = device.limits, tile.gang == 0
    facts = (
        (tile.tile_m % tile.own_m == 0, "own_m does not divide tile_m"),
        (tile.tile_n % tile.own_n == 0, "own_n does not divide tile_n"),
        (tile.tile_k % tile.parts == 0, "parts does not divide tile_k"),
        (tile.width == (4 if in_vectors else 1), "width is 4 without a gang, and 1 with one"),
        (not in_vectors or tile.parts == 1, "parts is 1 without a gang"),
        (tile.gang + tile.stages > 0 or tile.padding == 0, "padding is 0 without a gang and stages"),
        (not in_vectors or tile.nbytes == 4, "nbytes is 4 without a gang"),
        (tile.own_n % tile.width == 0, "width does not divide own_n"),
        (tile.tile_k % tile.width == 0, "width does not divide tile_k"),
        (tile.tile_n % (tile.strip * tile.own_n) == 0, "gang * own_n does not divide tile_n"),
        (tile.own_m * tile.own_n <= 256, "an invocation has more than 256 sums"),
    )
    problem = next((text for is_so, text in (*facts, *_facts_of_stages(tile)) if not is_so), "")
    if problem:
        return problem
    copied = tile.width * tile.invocations
    if tile.tile_m * tile.tile_k % copied or tile.tile_k * tile.tile_n % copied:
        return "the invocations do not copy as many elements each"
    if tile.gang not in (0, limits.max_subgroup_size):
        return f"gang is 0 or {limits.max_subgroup_size} on {device.id}"
    if tile.needs not in (None, *device.capabilities):
        return f"{device.id} lacks the capability {tile.needs.value if tile.needs else ''}"
    if not any(tile.fits(limits, dtype) for dtype in (f32, f64)):
        return (
            f"it takes {tile.invocations} invocations and {tile.workgroup_memory} bytes of workgroup memory, and "
            f"{device.id} has {limits.max_workgroup_invocations} and {limits.max_workgroup_memory}"
        )
    return ""


def _facts_of_stages(tile: Tile) -> list[tuple[bool, str]]:
    if not tile.stages:
        return [(tile.slices == 1, "slices is 1 without stages")]
    return [
        (tile.gang == 0, "stages is 0 with a gang"),
        (tile.needs is Capability.ASYNC_COPY, "stages needs async_copy"),
        (tile.own_m % 4 == 0 and tile.padding % 4 == 0, "own_m and padding are multiples of 4 with stages"),
        (tile.tile_m % (tile.block_m * tile.own_m) == 0, "32 / across * own_m does not divide tile_m"),
        (tile.tile_n % (tile.block_n * tile.own_n) == 0, "across * own_n does not divide tile_n"),
        (tile.tile_k < 8 or tile.tile_k % 8 == 0, "tile_k is 4 or a multiple of 8 with stages"),
        (tile.tile_k % tile.slices == 0, "slices does not divide tile_k"),
    ]


def unit_problem(tile: UnitTile, device: AnyDevice, field: str = "units", count: int = 1) -> str:
    """Why the units of a device cannot multiply in a tile of a field of `MatmulShape`; "" if they can. Of "split"
    `count` is the number of parts of an f32."""
    dtype, unit = _units(device, field)
    if unit is None:
        names = " and ".join(map(str, _MULTIPLIED[field]))
        return f"{device.id} has no units for products of matrices of {names.replace('gpucore.', '')}"
    if tile.needs not in (None, *device.capabilities):
        return f"{device.id} lacks the capability {tile.needs.value if tile.needs else ''}"
    if field == "split" and not tile.has_panels:
        return "f32 are split for tiles with tile_m a multiple of 8, and tile_n and tile_k of 64"
    whole = dataclasses.replace(tile, stages=tile.stages * count)
    if not whole.fits(unit, device.limits, dtype.itemsize):
        return f"its stages do not fit the {unit.memory} bytes of {device.id}, or its lengths those of the units"
    return _sums_problem(tile, dtype, unit, device)


def _units(device: AnyDevice, field: str) -> tuple[DType, MatrixUnit | None]:
    """The dtype that a device multiplies in tiles of a field, and its units for it."""
    precision = PRECISIONS[1] if field == "rounded" else PRECISIONS[0]
    dtypes, facts = _MULTIPLIED[field], (device.capabilities, device.limits)
    if field != "units" and Capability.MATRIX_UNITS not in device.capabilities:
        return dtypes[0], None  # cooperative matrices, whose sums no invocation sees
    found = [(each, matrix_unit(*facts, each.ir_type, precision)) for each in dtypes]
    return next((pair for pair in found if pair[1] is not None), found[0])


def _sums_problem(tile: UnitTile, dtype: DType, unit: MatrixUnit, device: AnyDevice) -> str:
    """Why the invocations cannot hold the sums of a tile: its kernels would not compile. The rule is theirs
    (`gpucore.blocks.matrices.elements.layout_for`)."""
    has_units = Capability.MATRIX_UNITS in device.capabilities
    has_groups = has_units and Capability.MATRIX_GROUPS in device.capabilities and is_of_groups(dtype)
    layout = choose_layout(
        sum_type(dtype), (tile.tile_m, tile.tile_n), tile.invocations, device.kind.value, has_units=has_units,
        has_groups=has_groups, edge=0 if has_units else unit.m,
    )  # fmt: skip
    if layout is None or not (layout.is_fragments or layout.edge):
        return (
            f"{tile.invocations} invocations cannot have {tile.tile_m}x{tile.tile_n} sums: each subgroup has whole "
            f"blocks of {unit.m}x{unit.n}, and an invocation 256 sums at most"
        )
    if tile.needs is Capability.MATRIX_GROUPS and not layout.is_groups:
        return (
            f"it needs matrix_groups, and groups of 128 invocations do not multiply it: {tile.invocations} invocations "
            f"have {tile.tile_m}x{tile.tile_n} sums in blocks of 64 rows or a multiple and 64, 128 or 256 columns"
        )
    return ""


def _digits_problem(shape: DigitShape, device: AnyDevice) -> str:
    limits = device.limits
    if not limits.max_subgroup_size <= shape.invocations <= limits.max_workgroup_invocations:
        return f"invocations is from {limits.max_subgroup_size} to {limits.max_workgroup_invocations} on {device.id}"
    return ""


# ---------------------------------------------------------------- JSON


def to_json(shapes: Shapes, device: AnyDevice) -> dict[str, Any]:
    """What of a table differs from the one that gpucore has for the device's kind."""
    before = SHIPPED[device.kind]
    tables = {"sort": (SORT, shapes.sort, before.sort), "matmul": (MATMUL, shapes.matmul, before.matmul)}
    return {
        part: {name: _plain(getattr(own, name)) for name in fields if getattr(own, name) != getattr(other, name)}
        for part, (fields, own, other) in tables.items()
    }


def from_json(data: Any, device: AnyDevice) -> Shapes:
    """The table for a device. Raises ArgumentError for what a table cannot have, and what does not fit the device."""
    before = SHIPPED[device.kind]
    table = _object(data, "the table", ("sort", "matmul"))
    sort = _fields(table.get("sort", {}), "sort", SORT, device)
    matmul = _fields(table.get("matmul", {}), "matmul", MATMUL, device)
    return dataclasses.replace(
        before,
        sort=dataclasses.replace(before.sort, **sort) if sort else before.sort,
        matmul=dataclasses.replace(before.matmul, **matmul) if matmul else before.matmul,
    )


def read_table(content: Any, device: AnyDevice, place: str) -> Shapes | None:
    """The table in a text, or in its bytes; None, with a line in the log that names the place, if it cannot be used."""
    try:
        return from_json(json.loads(content), device)
    except (ArgumentError, TypeError, ValueError, RecursionError) as error:
        log.debug(f"the shapes that {place} are not used: {error}")
        return None


def _names(kind: type) -> tuple[str, ...]:
    """The fields that a shape has in a table; none of what is no shape."""
    needs = {"needs"}.intersection(kind.__match_args__) if kind in _PARTS else ()  # type: ignore[attr-defined]  # immutable classes
    return (*_PARTS.get(kind, ()), *needs)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [*map(_plain, value)]
    if isinstance(value, Capability):
        return value.value
    names = _names(type(value))
    return {name: _plain(getattr(value, name)) for name in names} if names else value


def _fields(data: Any, place: str, allowed: Mapping[str, Any], device: AnyDevice) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in _object(data, place, allowed).items():
        kinds, where = allowed[name], f"{place}.{name}"
        if not isinstance(kinds, type):
            is_none = value is None and name == "radix_from"
            found[name] = None if is_none else _number(value, where, kinds)
        elif not isinstance(value, list) or not value:
            raise ArgumentError(f"{where} is a list of one shape or more, not {_shown(value)}")
        elif name == "split":
            found[name] = tuple(_split(each, f"{where}[{n}]", device) for n, each in enumerate(value))
        else:
            found[name] = tuple(_shape(kinds, each, f"{where}[{n}]", device, name) for n, each in enumerate(value))
        if kinds is DigitShape and sorted((each.smallest for each in found[name]), reverse=True) != [
            each.smallest for each in found[name]
        ]:
            raise ArgumentError(f"{where} is in the order of `smallest`, the largest first")
    return found


def _split(data: Any, place: str, device: AnyDevice) -> tuple[int, UnitTile]:
    if not isinstance(data, list) or len(data) != 2:
        raise ArgumentError(f"{place} is a list of a number of parts and a tile, not {_shown(data)}")
    count = _number(data[0], f"{place}[0]", _SPLIT)
    tile: UnitTile = _shape(UnitTile, data[1], f"{place}[1]", device, "split", count)
    return count, tile


def _shape(kind: type, data: Any, place: str, device: AnyDevice, field: str, count: int = 1) -> Any:
    numbers = _PARTS[kind]
    names = _names(kind)
    values = dict(_object(data, place, names))
    needed = {field.name for field in dataclasses.fields(kind) if field.default_factory is dataclasses.MISSING}
    lacking = [name for name in names if name in needed and name not in values]
    if lacking:
        raise ArgumentError(f"{place} lacks {', '.join(lacking)}")
    for name in values.keys() & numbers.keys():
        _number(values[name], f"{place}.{name}", numbers[name])
    if "needs" in values:
        values["needs"] = _capability(values["needs"], f"{place}.needs")
    made: Any = kind(**values)
    if isinstance(made, Tile):
        problem = tile_problem(made, device)
    else:
        is_unit = isinstance(made, UnitTile)
        problem = unit_problem(made, device, field, count) if is_unit else _digits_problem(made, device)
    if problem:
        raise ArgumentError(f"{place} does not fit: {problem}")
    return made


def _capability(value: Any, place: str) -> Capability | None:
    try:
        return None if value is None else Capability(value)
    except ValueError:
        raise ArgumentError(f"{place} is a capability or null, not {_shown(value)}") from None


def _number(value: Any, place: str, allowed: Collection[int]) -> int:
    if type(value) is not int or value not in allowed:
        words = f"from {allowed.start} to {allowed.stop - 1}" if isinstance(allowed, range) else f"one of {allowed}"
        raise ArgumentError(f"{place} is a whole number {words}, not {_shown(value)}")
    return value


def _object(data: Any, place: str, allowed: Collection[str]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ArgumentError(f"{place} is an object, not {_shown(data)}")
    unknown = [name for name in data if name not in allowed]
    if unknown:
        raise ArgumentError(f"{place} has the unknown field {unknown[0]!r}; it may have {', '.join(allowed)}")
    return data


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


__all__ = ["MATMUL", "SORT", "AnyDevice", "from_json", "read_table", "tile_problem", "to_json", "unit_problem"]
