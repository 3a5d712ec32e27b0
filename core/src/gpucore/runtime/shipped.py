"""Tables of shapes in the package of a plugin: files that `gpucore tune --export` has written on the devices for which
they are. `gpucore.algorithms.kept_shapes` says what a table may have."""

from __future__ import annotations

import json
from pathlib import Path

from gpucore.runtime.protocol import DeviceInfo


def shipped_shapes(folder: Path, info: DeviceInfo) -> str:
    """The shapes for a device in the files *.json of a folder, as `Backend.shapes_for` returns them; "" without a
    folder, or without a table for the device.

    A table is for devices of the same backend, kind and name, with any driver. An entry may have a list `names`, which
    `gpucore tune` does not write: the names of other devices that the table is for.
    """
    for path in sorted(folder.glob("*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8"))["devices"]:
            is_same = (entry["backend"], entry["kind"]) == (info.backend, info.kind.value)
            if is_same and info.name in (entry["name"], *entry.get("names", ())):
                return json.dumps(entry["shapes"])
    return ""


__all__ = ["shipped_shapes"]
