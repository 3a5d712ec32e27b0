"""The built-in plugin with the backend "simulator", which is always available."""

from __future__ import annotations

from collections.abc import Iterable

from gpucore.errors import BackendUnavailableError
from gpucore.ir import MathOp, SubgroupOp, ValidModule
from gpucore.runtime import Backend, Device, DeviceInfo, DeviceKind, ProbeResult, ProbeStatus, Source, hookimpl
from gpucore.simulator.collectives import DEFAULT_SUBGROUP_SIZE
from gpucore.simulator.device import CAPABILITIES, VARIABLES, SimulatorDevice, device_info
from gpucore.simulator.emit import LANGUAGE, emit

GPUCORE_API = "2.0"


class SimulatorBackend(Backend):
    """Kernels as Python, one invocation after the other."""

    name = "simulator"
    priority = 0
    wants_unoptimised_ir = True
    survives_fork = True
    language = LANGUAGE
    kind = DeviceKind.SOFTWARE
    takes_native_text = False
    capabilities = CAPABILITIES
    operations = frozenset({*MathOp, SubgroupOp.MATCH})
    subgroup_size = DEFAULT_SUBGROUP_SIZE
    settings = frozenset(VARIABLES)

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (device_info(),))

    def open(self, index: int) -> Device:
        if index != 0:
            raise BackendUnavailableError(f"the simulator has one device, simulator:0; there is no index {index}")
        return SimulatorDevice()

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        return emit(module)


@hookimpl
def gpucore_backends() -> Iterable[Backend]:
    return [SimulatorBackend()]
