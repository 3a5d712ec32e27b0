"""Files of tuned tables: one JSON object for several devices, which `gpucore tune` writes and reads.

    {"format": "gpucore shapes", "version": 1, "gpucore": "1.2.3",
     "devices": [{"backend": ..., "name": ..., "kind": ..., "driver": ..., "api": ..., "shapes": {...}}]}

`shapes` is what `gpucore.algorithms.kept_shapes` reads. The other fields say for which device a table is: it is for a
device with that driver, and for that version of gpucore alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from gpucore.algorithms.kept_shapes import from_json
from gpucore.algorithms.shapes import SHIPPED
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.runtime.protocol import DeviceInfo
from gpucore.runtime.tuned import IDENTITY, identity_of
from gpucore.tuning.tables import check_table, check_tunable, keep_table
from gpucore.version import __version__

_FORMAT, _VERSION = "gpucore shapes", 1
_FIELDS = ("format", "version", "gpucore", "devices")
_ENTRY = (*IDENTITY, "shapes")

Entry = dict[str, Any]
"""The table of one device, with what identifies it."""


def make_document(tables: Sequence[tuple[DeviceInfo, dict[str, Any]]]) -> dict[str, Any]:
    """The object for the tables of some devices."""
    entries = [{**identity_of(info), "shapes": table} for info, table in tables]
    return {"format": _FORMAT, "version": _VERSION, "gpucore": __version__, "devices": entries}


def read_document(text: str, name: str) -> list[Entry]:
    """The entries in a file of that name. Raises ArgumentError for what is no such file, or is for another version of
    gpucore. The tables are examined when a device is known."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"{name} is not JSON: {error}") from None
    _check_fields(data, name, _FIELDS)
    if (data["format"], data["version"]) != (_FORMAT, _VERSION) or type(data["version"]) is not int:
        raise ArgumentError(f'{name} is not a file of tuned shapes: its format is "{_FORMAT}", version {_VERSION}')
    if data["gpucore"] != __version__:
        raise ArgumentError(
            f"{name} was made by gpucore {data['gpucore']}, and this is {__version__}: another version may have other "
            "kernels; tune again"
        )
    if not isinstance(data["devices"], list):
        raise ArgumentError(f"{name}: devices is a list, not {data['devices']!r}")
    known: list[Entry] = []
    for number, entry in enumerate(data["devices"]):
        place = f"{name}: devices[{number}]"
        _check_fields(entry, place, _ENTRY)
        wrong = [field for field in IDENTITY if not isinstance(entry[field], str)]
        if wrong:
            raise ArgumentError(f"{place}.{wrong[0]} is a text, not {entry[wrong[0]]!r}")
        if any(all(entry[field] == other[field] for field in IDENTITY) for other in known):
            raise ArgumentError(f"{place} is for a device that another entry is for, too")
        known.append(entry)
    return known


def entry_for(entries: Sequence[Entry], info: DeviceInfo) -> Entry | None:
    """The entry for a device; None if there is none."""
    own = identity_of(info)
    return next((entry for entry in entries if all(entry[field] == own[field] for field in IDENTITY)), None)


def describe_entry(entry: Entry) -> str:
    """The device of an entry, in a line."""
    return ", ".join(entry[field] for field in IDENTITY if entry[field])


def import_entry(entry: Entry, device: Device) -> bool:
    """Keep the table of an entry for a device, after whole results with it were right. Whether it could be kept.

    Raises ArgumentError for a table that does not fit the device, TuningError if a result is wrong.
    """
    check_tunable(device)
    shapes, before = from_json(entry["shapes"], device), SHIPPED[device.kind]
    changed = [name for name in ("matmul", "sort") if getattr(shapes, name) is not getattr(before, name)]
    check_table(device, shapes, changed)
    return keep_table(device, shapes)


def _check_fields(data: Any, place: str, fields: Sequence[str]) -> None:
    if not isinstance(data, dict):
        raise ArgumentError(f"{place} is not an object with the fields {', '.join(fields)}")
    unknown, lacking = [name for name in data if name not in fields], [name for name in fields if name not in data]
    if unknown:
        raise ArgumentError(f"{place} has the unknown field {unknown[0]!r}; it has {', '.join(fields)}")
    if lacking:
        raise ArgumentError(f"{place} lacks the field {lacking[0]!r}")
