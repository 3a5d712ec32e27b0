"""The hook, and the backend that runs kernels on the processor through LLVM."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Iterable

from gpucore.errors import BackendError, BackendUnavailableError
from gpucore.ir import Capability, SubgroupOp, ValidModule
from gpucore.runtime import Backend, Device, DeviceInfo, DeviceKind, ProbeResult, ProbeStatus, Source, hookimpl
from gpucore_cpu.emit import emit
from gpucore_cpu.limits import limits_for
from gpucore_cpu.mathematics import OPERATIONS
from gpucore_cpu.settings import FEATURES, LANES, VARIABLES

GPUCORE_API = "2.0"
LANES_DETAIL = "lanes"  # in DeviceInfo.details: how many invocations run together
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
    hint = "pip install llvmlite"

    def probe(self) -> ProbeResult:
        try:
            import llvmlite.binding as llvm  # noqa: PLC0415 (a driver)
        except ImportError as error:
            return ProbeResult(ProbeStatus.NO_DRIVER, reason=f"llvmlite cannot be imported: {error}", hint=self.hint)
        from gpucore_cpu.processor import read_processor  # noqa: PLC0415 (imports the driver)

        try:
            processor = read_processor()
        except BackendError as error:
            variables = [name for name in (FEATURES, LANES) if name in str(error)]
            hint = f"correct or remove {' and '.join(variables)}" if variables else self.hint
            return ProbeResult(ProbeStatus.BROKEN, reason=str(error), hint=hint)
        version = ".".join(map(str, llvm.llvm_version_info))
        info = DeviceInfo(
            id="cpu:0",
            backend=self.name,
            index=0,
            name=_processor_name(),
            kind=DeviceKind.CPU,
            driver=f"llvmlite {_llvmlite_version()}",
            api=f"LLVM {version}",
            capabilities=_capabilities(processor.features, processor.num_lanes),
            limits=limits_for(processor.num_lanes),
            kernels_share_memory=True,
            details=(
                ("architecture", platform.machine()),
                ("target", processor.describe()),
                ("processors", str(os.cpu_count() or 1)),
                (LANES_DETAIL, str(processor.num_lanes)),
                ("timestamps", "host"),
            ),
        )
        return ProbeResult(ProbeStatus.AVAILABLE, (info,))

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

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        return emit(module, num_lanes=int(dict(device.details)[LANES_DETAIL]) if device else DEFAULT_LANES)


@hookimpl
def gpucore_backends() -> Iterable[Backend]:
    """This plugin's backend."""
    return [CpuBackend()]


def _capabilities(features: dict[str, bool], num_lanes: int) -> frozenset[Capability]:
    """The processor's capabilities. Without half-precision conversions in hardware, f16 would need a library.

    Without lanes, core emulates subgroups: of one invocation they would be of no use.
    """
    is_arm = platform.machine().lower() in ("arm64", "aarch64")
    found = {
        Capability.F64,
        Capability.F64_MATH,
        Capability.INT8,
        Capability.INT16,
        Capability.INT64,
        Capability.ATOMIC_F32,
        Capability.DEVICE_FENCE,
    }
    found |= {Capability.SUBGROUP, Capability.SUBGROUP_BARRIER} if num_lanes > 1 else set()
    found |= {Capability.ATOMIC_INT64} if sys.maxsize > 2**32 else set()
    found |= {Capability.F16} if is_arm or features.get("f16c") else set()
    found |= {Capability.FUSED_FMA} if is_arm or features.get("fma") else set()
    return frozenset(found)


def _llvmlite_version() -> str:
    import llvmlite  # noqa: PLC0415 (a driver)

    return str(llvmlite.__version__)


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
