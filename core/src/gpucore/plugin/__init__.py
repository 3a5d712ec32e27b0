"""What a backend is written with. A plugin imports from here, and from the submodules `ir`, `c_family` and `spirv`.

A plugin is a module with `GPUCORE_API` and one hook:

    from gpucore.plugin import Backend, hookimpl

    GPUCORE_API = "2.0"    # the version of the backend interface that this plugin was written for, as a literal

    @hookimpl
    def gpucore_backends():
        return [MyBackend()]

The names of this module and of its submodules are the interface that `GPUCORE_API` numbers: docs/plugin-interface.md
says what stays as it is for how long.

ir        what a kernel is: types, operations, statements; walking over them, building and rewriting them
c_family  text in a language like C, from a table
spirv     SPIR-V

A plugin's own environment variables begin with GPUCORE_ and its name, as GPUCORE_ACME_CHECKED. List them in
`Backend.settings`, so that core warns of misspelt ones. Without that list core does not warn. Read them with
`read_switch`, `read_choice`, `read_list` and `read_integer`, which refuse text without a meaning. A `Variable`
describes one, for documentation. What a driver compiles goes through `cached_binary`. `shipped_shapes` finds tables of
`gpucore tune` in a plugin's package, for `Backend.shapes_for`. A device whose kernels work in the memory of the process
derives from `HostMemoryDevice`.
"""

from gpucore.back.names import Names
from gpucore.back.writer import Writer
from gpucore.errors import (
    BackendError,
    BackendUnavailableError,
    ClosedError,
    DeviceError,
    DeviceLostError,
    DispatchError,
    DriverCompileError,
    EmitError,
    ForkedProcessError,
    GpucoreError,
    OutOfMemoryError,
)
from gpucore.ir import Capability, Element, Limits, MathOp, Module, SubgroupOp, Type, ValidModule
from gpucore.ir.source import Source
from gpucore.runtime.cache import cached_binary
from gpucore.runtime.host_memory import HOST_MEMORY, HOST_TIMESTAMPS, HostMemoryBuffer, HostMemoryDevice
from gpucore.runtime.interrupts import HeldBack
from gpucore.runtime.plugins.hookspecs import hookimpl
from gpucore.runtime.protocol import (
    Backend,
    Buffer,
    CopyStep,
    Device,
    DeviceInfo,
    DeviceKind,
    DispatchStep,
    Launcher,
    Mark,
    Pipeline,
    ProbeResult,
    ProbeStatus,
    Recording,
    Step,
    Uses,
    WriteStep,
    uses_of,
)
from gpucore.runtime.settings import Variable, read_choice, read_integer, read_list, read_switch
from gpucore.runtime.shipped import shipped_shapes
from gpucore.runtime.vendors import AMD, APPLE, INTEL, Vendor, vendor_shapes
from gpucore.span import Span

__all__ = [
    "AMD", "APPLE", "Backend", "BackendError", "BackendUnavailableError", "Buffer", "Capability", "ClosedError",
    "CopyStep", "Device", "DeviceError", "DeviceInfo", "DeviceKind", "DeviceLostError", "DispatchError",
    "DispatchStep", "DriverCompileError", "Element", "EmitError", "ForkedProcessError", "GpucoreError",
    "HOST_MEMORY", "HOST_TIMESTAMPS", "HeldBack", "HostMemoryBuffer", "HostMemoryDevice", "INTEL", "Launcher", "Limits",
    "Mark", "MathOp", "Module", "Names", "OutOfMemoryError", "Pipeline", "ProbeResult", "ProbeStatus", "Recording",
    "Source", "Span", "Step", "SubgroupOp", "Type", "Uses", "ValidModule", "Variable", "Vendor", "WriteStep",
    "Writer", "cached_binary", "hookimpl", "read_choice", "read_integer", "read_list", "read_switch",
    "shipped_shapes", "uses_of", "vendor_shapes",
]  # fmt: skip
