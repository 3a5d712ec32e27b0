"""What the measurements were made with: hardware and versions, without paths and names of hosts."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import Any

from packaging.requirements import Requirement

import gpucore as gp
from gpucore.runtime.plugins.manager import TABLE


def describe_machine(devices: Sequence[gp.Device]) -> dict[str, Any]:
    """The keys python, system, processor, cores, packages (versions by name) and devices (name, kind, driver and api,
    by id)."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "packages": _versions(["gpucore", "numpy", *_plugins_of(devices)]),
        "devices": {
            device.id: {
                "name": device.name, "kind": device.kind.value, "driver": device.info.driver, "api": device.info.api,
            } for device in devices
        },
    }  # fmt: skip


def _plugins_of(devices: Sequence[gp.Device]) -> Iterable[str]:
    """The distributions of the devices' plugins, and of what these need: bindings and compilers."""
    for backend in dict.fromkeys(device.info.backend for device in devices):
        record, _ = TABLE.find(backend)
        if not record.is_own:
            yield record.distribution
            yield from (Requirement(text).name for text in metadata.requires(record.distribution) or ())


def _versions(names: Iterable[str]) -> dict[str, str]:
    found = {}
    for name in dict.fromkeys(names):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:  # an extra
            continue
    return found
