"""Finds the CUDA devices, or the reason why there are none."""

from __future__ import annotations

import os

from gpucore.plugin import BackendUnavailableError, DeviceInfo, DeviceKind, DriverCompileError, ProbeResult, ProbeStatus
from gpucore.plugin.ir import Capability, Limits
from gpucore_cuda.bindings import advice, load_binding
from gpucore_cuda.driver import Attribute, Driver, DriverError, load_driver
from gpucore_cuda.generations import of_generation
from gpucore_cuda.nvrtc import load_nvrtc
from gpucore_cuda.subgroups import SUBGROUP_SIZE

OLDEST = (7, 5)
"""The oldest compute capability that current NVRTC versions compile for."""

_OLDEST_DRIVER = (11, 8)  # the CUDA version that brought cuLaunchKernelEx

CAPABILITIES = frozenset(
    {
        Capability.F16, Capability.F64, Capability.F64_MATH, Capability.INT8, Capability.INT16,
        Capability.INT64, Capability.ATOMIC_F32,
        Capability.ATOMIC_INT64, Capability.SUBGROUP, Capability.SUBGROUP_BARRIER, Capability.DEVICE_FENCE,
        Capability.FUSED_FMA,
    }
)  # fmt: skip
"""The capabilities of every supported device."""


def capabilities_of(major: int, minor: int) -> frozenset[Capability]:
    """The capabilities of a device, by its compute capability."""
    return CAPABILITIES | of_generation(major, minor)


_WITH_PARAMETER_OFFSETS = (12, 4)
"""The driver from which on it tells where the parameters are that kernels with groups have."""

BUFFERS = 256  # pointers of 8 bytes in 4096 bytes of arguments; half is left for scalars
_STUB, _NO_DEVICE, _NOT_READY, _MISMATCH, _NOT_SUPPORTED, _UNKNOWN = 34, 100, 802, 803, 804, 999
_BROKEN = {
    _STUB: (
        "libcuda is a stub, made for linking only",
        "install NVIDIA's driver, or remove the stub from the library path",
    ),
    _NOT_READY: ("the system is not ready (error 802)", "start nvidia-fabricmanager on a machine with NVSwitch"),
    _MISMATCH: (
        "the driver library and the kernel module have different versions (error 803)",
        "reboot after an update of the driver; in a container take the host's libcuda",
    ),
    _NOT_SUPPORTED: (
        "the CUDA compatibility library does not support this GPU (error 804)",
        "remove the folder cuda/compat from the library path",
    ),
    _UNKNOWN: (
        "the driver failed to start (error 999)",
        "reload the kernel module nvidia_uvm, or reboot; look at dmesg",
    ),
}


def probe(backend: str, hint: str) -> ProbeResult:
    """Every visible device. No binding is needed to report why there is none."""
    try:
        driver = load_driver()
    except BackendUnavailableError as error:
        return ProbeResult(ProbeStatus.NO_DRIVER, reason=str(error), hint=hint)
    try:
        driver.initialise()
        devices = tuple(describe(driver, backend, index) for index in range(driver.device_count()))
    except DriverError as error:
        return _no_device() if error.code == _NO_DEVICE else _broken(error)
    if not devices:
        return _no_device()
    return _old_driver(driver) or _missing_part() or _with_supported(devices)


def _no_device() -> ProbeResult:
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return ProbeResult(
            ProbeStatus.NO_DEVICE,
            reason=f"CUDA_VISIBLE_DEVICES={visible!r} hides every device, or there is none",
            hint="unset CUDA_VISIBLE_DEVICES",
        )
    return ProbeResult(
        ProbeStatus.NO_DEVICE,
        reason="the CUDA driver finds no GPU (error 100)",
        hint="look at nvidia-smi; in a container pass the GPUs on",
    )


def _broken(error: DriverError) -> ProbeResult:
    reason, hint = _BROKEN.get(error.code, (str(error), "look at nvidia-smi"))
    return ProbeResult(ProbeStatus.BROKEN, reason=reason, hint=hint)


def _old_driver(driver: Driver) -> ProbeResult | None:
    """That the driver is too old, if it is."""
    if driver.version() >= _OLDEST_DRIVER:
        return None
    version, oldest = (".".join(map(str, each)) for each in (driver.version(), _OLDEST_DRIVER))
    return ProbeResult(
        ProbeStatus.INCOMPATIBLE,
        reason=f"the driver is for CUDA {version}: {oldest} or newer is needed",
        hint="update NVIDIA's driver to 520 or newer; the opencl and wgpu backends need no newer one",
    )


def _missing_part() -> ProbeResult | None:
    """A missing library that must be installed, if any."""
    try:
        load_binding()
    except BackendUnavailableError as error:
        return ProbeResult(ProbeStatus.BROKEN, reason=f"there is a GPU, but {error}", hint=advice())
    return None


def _with_supported(devices: tuple[DeviceInfo, ...]) -> ProbeResult:
    supported = tuple(device for device in devices if architecture_of(device) >= OLDEST[0] * 10 + OLDEST[1])
    if supported:
        hint = "" if all(device.compiles for device in supported) else "pip install -U nvidia-cuda-nvrtc"
        return ProbeResult(ProbeStatus.AVAILABLE, supported, hint=hint)
    names = ", ".join(f"{device.name} (sm_{architecture_of(device)})" for device in devices)
    return ProbeResult(
        ProbeStatus.INCOMPATIBLE,
        reason=f"{names}: NVRTC compiles for sm_{OLDEST[0]}{OLDEST[1]} and newer",
        hint="this GPU works through the opencl or wgpu backend",
    )


def architecture_of(device: DeviceInfo) -> int:
    """90 for a device of compute capability 9.0."""
    return int(dict(device.details)["architecture"].removeprefix("sm_"))


def describe(driver: Driver, backend: str, index: int) -> DeviceInfo:
    """The DeviceInfo of one device. Raises DriverError."""

    def ask(attribute: Attribute) -> int:
        return driver.attribute(index, attribute)

    major, minor = ask(Attribute.COMPUTE_CAPABILITY_MAJOR), ask(Attribute.COMPUTE_CAPABILITY_MINOR)
    memory = driver.total_memory(index)
    version = ".".join(map(str, driver.version()))
    too_new = set[Capability]() if driver.version() >= _WITH_PARAMETER_OFFSETS else {Capability.MATRIX_GROUPS}
    return DeviceInfo(
        id=f"{backend}:{index}",
        backend=backend,
        index=index,
        name=driver.device_name(index),
        kind=DeviceKind.IGPU if ask(Attribute.INTEGRATED) else DeviceKind.GPU,
        driver=f"NVIDIA driver for CUDA {version}",
        api=f"CUDA {version}",
        capabilities=capabilities_of(major, minor) - too_new,
        limits=Limits(
            max_workgroup_size=(
                ask(Attribute.MAX_BLOCK_DIM_X),
                ask(Attribute.MAX_BLOCK_DIM_Y),
                ask(Attribute.MAX_BLOCK_DIM_Z),
            ),
            max_workgroup_invocations=ask(Attribute.MAX_THREADS_PER_BLOCK),
            max_workgroups=(
                ask(Attribute.MAX_GRID_DIM_X),
                ask(Attribute.MAX_GRID_DIM_Y),
                ask(Attribute.MAX_GRID_DIM_Z),
            ),
            max_workgroup_memory=max(
                ask(Attribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), ask(Attribute.MAX_SHARED_MEMORY_PER_BLOCK)
            ),
            max_buffer_size=memory,
            max_binding_size=memory,
            max_buffers=BUFFERS,
            min_subgroup_size=SUBGROUP_SIZE,
            max_subgroup_size=SUBGROUP_SIZE,
            part_alignment=1,
        ),
        details=(
            ("architecture", f"sm_{major}{minor}"),
            ("multiprocessors", str(ask(Attribute.MULTIPROCESSOR_COUNT))),
        ),
        memory=memory,
        multiprocessors=ask(Attribute.MULTIPROCESSOR_COUNT),
        compiles=_compiles(major * 10 + minor),
        workgroups_progress=True,  # workgroups that have started keep their multiprocessor until they end
    )


def _compiles(architecture: int) -> bool:
    """Whether NVRTC is there, and knows an architecture."""
    try:
        return architecture in load_nvrtc().architectures
    except (BackendUnavailableError, DriverCompileError):
        return False
