"""The interface between core and backends: protocol, loading, probing, choosing. Plugins import from here.

A plugin is a module with `GPUCORE_API` and one hook:

    from gpucore.runtime import Backend, hookimpl

    GPUCORE_API = "1.0"    # the version of the backend interface that this plugin was written for, as a literal

    @hookimpl
    def gpucore_backends():
        return [MyBackend()]
"""

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
    "hookimpl",
]
