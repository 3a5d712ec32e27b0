"""Devices for tests: opened, skipped with the reason if there is none, or failed.

A machine may lack a backend, its driver or a device: that is a skip. A backend that is present but does not work is a
failure: a plugin with a broken `open` must not pass because all its tests are skipped.

GPUCORE_REQUIRE_BACKENDS="simulator,cpu" makes a missing device of the named backends a failure instead of a skip, for
machines that are meant to have them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import gpucore as gp
from gpucore.runtime import ProbeStatus
from gpucore.runtime.parse import parse_device
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.plugins.records import family_of
from gpucore.runtime.probing.probe import probe_named

REQUIRE_VARIABLE = "GPUCORE_REQUIRE_BACKENDS"


def available_devices() -> list[str]:
    """Names of the installed backends, to parametrise tests with. Reads metadata only, imports nothing.

    `require_device` finds out whether one has a device, when a test runs.
    """
    return sorted({record.name for record in TABLE.list_installed()})


def is_required(name: str) -> bool:
    """Whether GPUCORE_REQUIRE_BACKENDS names the backend of `name`, a backend or device id ("wgpu",
    "wgpu:vulkan:0")."""
    named = {part.strip() for part in os.environ.get(REQUIRE_VARIABLE, "").split(",")}
    return bool({name, name.partition(":")[0]} & named)


def describe_device(device: gp.Device) -> dict[str, str]:
    """id, name, kind and driver of an open device."""
    info = device.info
    return {"id": info.id, "name": info.name, "kind": info.kind.value, "driver": info.driver}


@dataclass(frozen=True)
class Missing:
    """Why there is no device."""

    reason: str
    is_absent: bool  # the machine lacks the plugin, its driver or the device; else there is one that does not work


def explain_missing(name: str, error: gp.BackendUnavailableError) -> Missing:
    """What an error says that `gp.device(name)` raised."""
    return Missing(str(error), _is_absent(name))


def _is_absent(name: str) -> bool:
    """Whether there is nothing with that name: no plugin, no driver, no device, or no device with that number."""
    request = parse_device(name)
    try:
        _, result = probe_named(request.backend)
    except gp.BackendUnavailableError:  # also raised for a rejected plugin
        return all(family_of(record.name) != family_of(request.backend) for record in TABLE.list_installed())
    if result.status is ProbeStatus.AVAILABLE:
        return request.pick(result.devices) is None
    return result.status in (ProbeStatus.NO_DRIVER, ProbeStatus.NO_DEVICE)
