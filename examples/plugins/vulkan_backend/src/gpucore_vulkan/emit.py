"""A valid kernel as SPIR-V, by core's emitter, with what the device promises of floats."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from gpucore.plugin import DeviceInfo, Source, ValidModule, spirv
from gpucore_vulkan.llvmpipe import has_flag

PRESERVES, ROUNDS_TO_EVEN = "preserves", "rounds to even"
"""Details of a device: the widths of floats for which a module can ask it for that."""


class Payload(NamedTuple):
    """The payload of a Source, as a plain tuple: that of core's emitter, and one more fact."""

    words: bytes
    has_push_constants: bool
    capabilities: tuple[str, ...]
    has_flag: bool  # the last storage buffer is the device's own

    @classmethod
    def of(cls, source: Source) -> Payload:
        """The payload of a Source of `emit`."""
        assert isinstance(source.payload, tuple)
        return cls(*source.payload)


def emit(valid: ValidModule, device: DeviceInfo | None) -> Source:
    """The module of a kernel for a device; without one for any."""
    details = dict(device.details) if device is not None else {}
    preserves, even = (frozenset(map(int, details.get(name, "").split())) for name in (PRESERVES, ROUNDS_TO_EVEN))
    source = spirv.emit(valid, spirv.FloatControls(preserves, even))
    return dataclasses.replace(source, payload=(*spirv.Binary.of(source), has_flag(valid.module)))
