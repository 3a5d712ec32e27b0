"""The hook, and the backend that runs kernels on the processor through LLVM."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Iterable, Sequence

from gpucore.plugin import (
    HOST_MEMORY,
    Backend,
    BackendError,
    BackendUnavailableError,
    Device,
    DeviceInfo,
    DeviceKind,
    ProbeResult,
    ProbeStatus,
    Source,
    hookimpl,
)
from gpucore.plugin.ir import Capability, SubgroupOp, ValidModule
from gpucore_cpu.emit import emit
from gpucore_cpu.levels import (
    LANES_DETAIL,
    LEVELS,
    LEVELS_DETAIL,
    capabilities_of,
    choose_offline,
    levels_of,
    offline_device,
    this_machine,
)
from gpucore_cpu.limits import limits_for
from gpucore_cpu.mathematics import OPERATIONS
from gpucore_cpu.processor import read_processor
from gpucore_cpu.settings import FEATURES, LANES, VARIABLES

GPUCORE_API = "2.0"
WITHOUT_LLVM = "without llvmlite"  # only kernels of packages run
DEFAULT_LANES = 8  # of the text that is shown for no device


class CpuBackend(Backend):
    """One device: all processors that this process may use."""

    name = "cpu"
    priority = 80
    survives_fork = True  # its threads are started again in the child
    language = "llvm"
    kind = DeviceKind.CPU
    takes_native_text = False
    capabilities = frozenset(
        {
            Capability.F16, Capability.F64, Capability.F64_MATH, Capability.INT8, Capability.INT16,
            Capability.INT64, Capability.FUSED_FMA,
            Capability.ATOMIC_F32, Capability.ATOMIC_INT64, Capability.SUBGROUP, Capability.SUBGROUP_BARRIER,
            Capability.DEVICE_FENCE,
        }
    )  # fmt: skip
    operations = OPERATIONS | {SubgroupOp.MATCH}
    prefetches = True
    settings = frozenset(VARIABLES)
    offline_targets = tuple(LEVELS)
    hint = "pip install llvmlite"

    def probe(self) -> ProbeResult:
        try:
            processor = read_processor()
        except BackendError as error:
            variables = [name for name in (FEATURES, LANES) if name in str(error)]
            hint = f"correct or remove {' and '.join(variables)}" if variables else self.hint
            return ProbeResult(ProbeStatus.BROKEN, reason=str(error), hint=hint)
        version, llvm_version = _versions()
        info = DeviceInfo(
            id="cpu:0",
            backend=self.name,
            index=0,
            name=_processor_name(),
            kind=DeviceKind.CPU,
            driver=f"llvmlite {version}" if version else WITHOUT_LLVM,
            api=f"LLVM {llvm_version}" if version else "",
            capabilities=capabilities_of(processor.features, processor.num_lanes, this_machine()),
            limits=limits_for(processor.num_lanes),
            kernels_share_memory=True,
            details=(
                ("architecture", platform.machine()),
                ("target", processor.describe()),
                ("processors", str(os.cpu_count() or 1)),
                (LANES_DETAIL, str(processor.num_lanes)),
                (LEVELS_DETAIL, " ".join(levels_of(processor.features))),
                ("timestamps", "host"),
            ),
            compiles=bool(version),
            memory=HOST_MEMORY,
        )
        return ProbeResult(ProbeStatus.AVAILABLE, (info,), hint="" if version else self.hint)

    def open(self, index: int) -> Device:
        found = self.probe()
        if index != 0 or not found.devices:
            reason = found.reason or f"there is only cpu:0, not cpu:{index}"
            raise BackendUnavailableError(f"the cpu backend cannot open device {index}: {reason}")
        from gpucore_cpu.device import CpuDevice  # noqa: PLC0415 (imports the driver)

        try:
            return CpuDevice(found.devices[0])
        except (BackendError, RuntimeError) as error:
            raise BackendUnavailableError(f"the cpu backend cannot open its device: {error}") from error

    def offline_device(self, target: str) -> DeviceInfo | None:
        return offline_device(target)

    def build(self, source: Source, device: DeviceInfo) -> bytes:
        try:
            from gpucore_cpu.cross import build  # noqa: PLC0415 (imports LLVM)
        except ImportError as error:
            message = f"llvmlite, which compiles for {device.id}, cannot be imported: {error} ({self.hint})"
            raise BackendUnavailableError(message) from error
        return build(source, LEVELS[device.id])

    def choose_offline(self, targets: Sequence[str], device: DeviceInfo) -> str:
        return choose_offline(targets, device)

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        return emit(module, num_lanes=int(dict(device.details)[LANES_DETAIL]) if device else DEFAULT_LANES)


@hookimpl
def gpucore_backends() -> Iterable[Backend]:
    """This plugin's backend."""
    return [CpuBackend()]


def _versions() -> tuple[str, str]:
    """Of llvmlite and of LLVM; empty without them."""
    try:
        import llvmlite  # noqa: PLC0415 (may be missing)
        import llvmlite.binding as llvm  # noqa: PLC0415 (likewise)
    except ImportError:
        return "", ""
    return str(llvmlite.__version__), ".".join(map(str, llvm.llvm_version_info))


def _processor_name() -> str:
    """The processor's own name, if the system reports it."""
    if sys.platform == "darwin":
        return _darwin_name() or platform.processor() or platform.machine()
    if sys.platform.startswith("linux"):
        return _linux_name() or platform.machine()
    return platform.processor() or platform.machine()


def _linux_name() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = [line.partition(":") for line in file]
    except OSError:
        return ""
    return next((value.strip() for key, _, value in lines if key.strip() == "model name"), "")


def _darwin_name() -> str:
    size = ctypes.c_size_t(256)
    text = ctypes.create_string_buffer(size.value)
    try:
        library = ctypes.CDLL("/usr/lib/libSystem.B.dylib")
        status = library.sysctlbyname(b"machdep.cpu.brand_string", text, ctypes.byref(size), None, 0)
    except (OSError, AttributeError):
        return ""
    return text.value.decode(errors="replace") if status == 0 else ""
