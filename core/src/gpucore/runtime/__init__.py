"""The backend interface, and loading, probing and choosing backends. Plugins import from here.

A plugin is a module with `GPUCORE_API` and one hook:

    from gpucore.runtime import Backend, hookimpl

    GPUCORE_API = "2.0"    # the version of the backend interface that this plugin was written for, as a literal

    @hookimpl
    def gpucore_backends():
        return [MyBackend()]

A plugin's own environment variables begin with GPUCORE_ and its name, as GPUCORE_ACME_CHECKED. List them in
`Backend.settings`, so that core warns of misspelt ones. Without that list core does not warn. Read them with
`read_switch`, `read_choice`, `read_list` and `read_integer`, which refuse text without a meaning. A `Variable`
describes one, for documentation. What a driver compiles goes through `cached_binary`. `shipped_shapes` finds tables of
`gpucore tune` in a plugin's package, for `Backend.shapes_for`.
"""

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
