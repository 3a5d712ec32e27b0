"""Devices for tests: opened, or skipped with the reason, or failed where the environment requires them.

GPUCORE_REQUIRE_BACKENDS="simulator,cpu" makes a missing device of the named backends a failure instead of a skip, so
that a machine which is meant to have them cannot pass by lacking them.
"""

from __future__ import annotations

import os

import pytest

import gpucore as gp
from gpucore.runtime.plugins import TABLE

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

    Where it cannot be used the calling test is skipped with the probe's reason, or fails with it where the device is
    required.
    """
    try:
        return gp.device(name)
    except gp.BackendUnavailableError as error:
        reason = str(error)
    if is_required(name):
        pytest.fail(f"{REQUIRE_VARIABLE} requires {name}: {reason}", pytrace=False)
    pytest.skip(" ".join(reason.split()))  # one line: summaries show no other
