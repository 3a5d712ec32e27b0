"""Devices for tests: opened, or skipped with the reason where there is none, or failed.

A machine may lack a backend, its driver or a device: that is a skip. A backend that is there and does not work is a
failure: a plugin whose `open` is wrong must not pass by having every test skipped.

GPUCORE_REQUIRE_BACKENDS="simulator,cpu" makes a missing device of the named backends a failure instead of a skip, so
that a machine which is meant to have them cannot pass by lacking them.
"""

from __future__ import annotations

import os

import pytest

import gpucore as gp
from gpucore.runtime import ProbeStatus
from gpucore.runtime.parse import parse_device
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.plugins.records import family_of
from gpucore.runtime.probing.probe import probe_named

REQUIRE_VARIABLE = "GPUCORE_REQUIRE_BACKENDS"


def available_devices() -> list[str]:
    """Names of the backends that are installed, to parametrise tests with: metadata is read, nothing is imported.

    Whether one has a device is found out by `require_device`, when a test runs.
    """
    return sorted({record.name for record in TABLE.list_installed()})


def is_required(name: str) -> bool:
    """Whether GPUCORE_REQUIRE_BACKENDS names the backend of `name`, a backend or device id ("wgpu",
    "wgpu:vulkan:0")."""
    named = {part.strip() for part in os.environ.get(REQUIRE_VARIABLE, "").split(",")}
    return bool({name, name.partition(":")[0]} & named)


def require_device(name: str) -> gp.Device:
    """The device that `name` means ("wgpu", "cuda:0"), opened once for the process.

    Where the machine has no such device the calling test is skipped with the reason; it fails where the device is
    required, and where the backend is broken, incompatible, blocked, hangs, or does not open a device that it has.
    """
    try:
        return gp.device(name)
    except gp.BackendUnavailableError as error:
        reason = str(error)
    if is_required(name):
        pytest.fail(f"{REQUIRE_VARIABLE} requires {name}: {reason}", pytrace=False)
    if not _is_missing(name):
        pytest.fail(reason, pytrace=False)
    pytest.skip(" ".join(reason.split()))  # one line: summaries show no other


def _is_missing(name: str) -> bool:
    """Whether the machine has nothing of that name: no plugin, no driver, no device, or none of that number."""
    request = parse_device(name)
    try:
        _, result = probe_named(request.backend)
    except gp.BackendUnavailableError:  # also what a plugin that was refused raises
        return all(family_of(record.name) != family_of(request.backend) for record in TABLE.list_installed())
    if result.status is ProbeStatus.AVAILABLE:
        return request.pick(result.devices) is None
    return result.status in (ProbeStatus.NO_DRIVER, ProbeStatus.NO_DEVICE)
