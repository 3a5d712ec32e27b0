"""Tables of shapes that plugins have for their devices. `gpucore.algorithms.kept_shapes` says what a table may have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from gpucore.runtime import log
from gpucore.runtime.protocol import Backend, DeviceInfo


class Opened(Protocol):
    """An open device."""

    @property
    def backend(self) -> Backend: ...

    @property
    def info(self) -> DeviceInfo: ...


def ask_plugin(device: Opened) -> Any:
    """What `Backend.shapes_for` returns for a device, whatever that is; "" if it raises, with a line in the log."""
    try:
        return device.backend.shapes_for(device.info)
    except Exception as error:  # noqa: BLE001 (shapes are about speed alone: a broken plugin does not stop a product)
        log.debug(f"the plugin has no shapes for {device.info.id}: {type(error).__name__}: {error}")
        return ""


def shipped_shapes(folder: Path, info: DeviceInfo) -> str:
    """For `Backend.shapes_for`: the shapes for a device in the files *.json of a folder, which `gpucore tune --export`
    has written on such devices; "" without a folder, or without a table for the device.

    A table is for devices of the same backend, kind and name, with any driver. An entry may have a list `names`, which
    `gpucore tune` does not write: the names of other devices that the table is for.
    """
    for path in sorted(folder.glob("*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8"))["devices"]:
            is_same = (entry["backend"], entry["kind"]) == (info.backend, info.kind.value)
            if is_same and info.name in (entry["name"], *entry.get("names", ())):
                return json.dumps(entry["shapes"])
    return ""


__all__ = ["ask_plugin", "shipped_shapes"]
