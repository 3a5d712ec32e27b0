"""The backend interface, and loading, probing and choosing backends. Plugins import from `gpucore.plugin`."""

from gpucore.runtime.cache import cached_binary
from gpucore.runtime.plugins.hookspecs import hookimpl
from gpucore.runtime.protocol import (
    GPUCORE_API,
    Backend,
    Buffer,
    Device,
    DeviceInfo,
    DeviceKind,
    Mark,
    Pipeline,
    ProbeResult,
    ProbeStatus,
    Source,
)
from gpucore.runtime.settings import Variable, read_choice, read_integer, read_list, read_switch
from gpucore.runtime.shipped import shipped_shapes

__all__ = [
    "GPUCORE_API",
    "Backend",
    "Buffer",
    "Device",
    "DeviceInfo",
    "DeviceKind",
    "Mark",
    "Pipeline",
    "ProbeResult",
    "ProbeStatus",
    "Source",
    "Variable",
    "cached_binary",
    "hookimpl",
    "read_choice",
    "read_integer",
    "read_list",
    "read_switch",
    "shipped_shapes",
]
