"""gpucore: one kernel, written once as an ordinary Python function, runs on every device.

    import gpucore as gp

    @gp.kernel(workgroup_size=256)
    def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = a * x[i] + y[i]

    saxpy(2.0, x, y, invocations=y.size)    # x, y: from gp.asarray(numpy_array)

Importing this module loads no backend and no driver.
"""

from gpucore.algorithms import SortOrder, matmul, sort
from gpucore.array import Array, arange, asarray, empty, full, ones, zeros
from gpucore.check import check
from gpucore.device import Device, default_device, device
from gpucore.errors import (
    ArgumentError,
    BackendError,
    BackendUnavailableError,
    BackendWarning,
    CapabilityError,
    CheckError,
    ClosedError,
    CompileError,
    DeviceError,
    DeviceLostError,
    DispatchError,
    DriverCompileError,
    EmitError,
    FallbackWarning,
    ForkedProcessError,
    GpucoreError,
    KernelAssertionError,
    KernelError,
    KernelOnlyError,
    KernelSyntaxError,
    KernelTypeError,
    LimitError,
    NoDeviceError,
    OutOfMemoryError,
    OutOfRangeError,
    SynchronizeTimeoutError,
    UniformityError,
)  # fmt: skip
from gpucore.findings import CheckReport, Finding
from gpucore.handwritten import native_kernel
from gpucore.ir import Capability
from gpucore.kernel import Kernel, kernel
from gpucore.lang import (
    abs,
    acos,
    asin,
    assume_uniform,
    atan,
    atan2,
    atomic_add,
    atomic_and,
    atomic_compare_exchange,
    atomic_exchange,
    atomic_load,
    atomic_max,
    atomic_min,
    atomic_or,
    atomic_store,
    atomic_sub,
    atomic_xor,
    barrier,
    bitcast,
    ceil,
    clamp,
    clz,
    cos,
    cosh,
    ctz,
    div_trunc,
    dot,
    erf,
    exp,
    exp2,
    floor,
    fma,
    fract,
    func,
    global_id,
    isinf,
    isnan,
    length,
    local_id,
    local_index,
    log,
    log2,
    max,
    max_value,
    min,
    min_value,
    mix,
    num_subgroups,
    num_workgroups,
    popcount,
    pow,
    private_array,
    rem,
    reverse_bits,
    round,
    rsqrt,
    select,
    sign,
    sin,
    sinh,
    sqrt,
    static,
    step,
    subgroup_add,
    subgroup_all,
    subgroup_any,
    subgroup_ballot,
    subgroup_broadcast,
    subgroup_elect,
    subgroup_exclusive_add,
    subgroup_id,
    subgroup_inclusive_add,
    subgroup_invocation_id,
    subgroup_max,
    subgroup_min,
    subgroup_shuffle,
    subgroup_shuffle_down,
    subgroup_shuffle_up,
    subgroup_shuffle_xor,
    subgroup_size,
    tan,
    tanh,
    target,
    trunc,
    unroll,
    workgroup_array,
    workgroup_id,
    workgroup_size,
)  # fmt: skip
from gpucore.runtime.plugins.manager import refresh, register_backend, unregister_backend
from gpucore.runtime.probing.probe import probe_all as probe
from gpucore.runtime.select import devices
from gpucore.runtime.use import use
from gpucore.structs import struct
from gpucore.types import (
    Const,
    In,
    InOut,
    Out,
    f16,
    f16x2,
    f16x4,
    f32,
    f32x2,
    f32x4,
    f64,
    i8,
    i16,
    i32,
    i32x2,
    i32x4,
    i64,
    u8,
    u16,
    u32,
    u32x2,
    u32x4,
    u64,
)  # fmt: skip
from gpucore.types import bool_ as bool
from gpucore.version import __version__

__all__ = [
    "ArgumentError", "Array", "BackendError", "BackendUnavailableError", "BackendWarning", "Capability",
    "CapabilityError", "CheckError", "CheckReport", "ClosedError", "CompileError", "Const", "Device", "DeviceError",
    "DeviceLostError", "DispatchError", "DriverCompileError", "EmitError", "FallbackWarning", "Finding",
    "ForkedProcessError", "GpucoreError", "In", "InOut", "Kernel", "KernelAssertionError", "KernelError",
    "KernelOnlyError", "KernelSyntaxError", "KernelTypeError", "LimitError", "NoDeviceError", "Out",
    "OutOfMemoryError", "OutOfRangeError", "SortOrder", "SynchronizeTimeoutError", "UniformityError", "__version__",
    "abs", "acos", "arange", "asarray", "asin", "assume_uniform", "atan", "atan2", "atomic_add", "atomic_and",
    "atomic_compare_exchange", "atomic_exchange", "atomic_load", "atomic_max", "atomic_min", "atomic_or",
    "atomic_store", "atomic_sub", "atomic_xor", "barrier", "bitcast", "bool", "ceil", "check", "clamp", "clz",
    "cos", "cosh", "ctz", "default_device", "device", "devices", "div_trunc", "dot", "empty", "erf", "exp", "exp2",
    "f16", "f16x2", "f16x4", "f32", "f32x2", "f32x4", "f64", "floor", "fma", "fract", "full", "func", "global_id",
    "i16", "i32", "i32x2", "i32x4", "i64", "i8", "isinf", "isnan", "kernel", "length", "local_id", "local_index",
    "log", "log2", "matmul", "max", "max_value", "min", "min_value", "mix", "native_kernel", "num_subgroups",
    "num_workgroups", "ones", "popcount", "pow", "private_array", "probe", "refresh", "register_backend", "rem",
    "reverse_bits", "round", "rsqrt", "select", "sign", "sin", "sinh", "sort", "sqrt", "static", "step", "struct",
    "subgroup_add", "subgroup_all", "subgroup_any", "subgroup_ballot", "subgroup_broadcast", "subgroup_elect",
    "subgroup_exclusive_add", "subgroup_id", "subgroup_inclusive_add", "subgroup_invocation_id", "subgroup_max",
    "subgroup_min", "subgroup_shuffle", "subgroup_shuffle_down", "subgroup_shuffle_up", "subgroup_shuffle_xor",
    "subgroup_size", "tan", "tanh", "target", "trunc", "u16", "u32", "u32x2", "u32x4", "u64", "u8",
    "unregister_backend", "unroll", "use", "workgroup_array", "workgroup_id", "workgroup_size", "zeros",
]  # fmt: skip
