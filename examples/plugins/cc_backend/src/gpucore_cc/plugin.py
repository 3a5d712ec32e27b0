"""The hook and the backend."""

from __future__ import annotations

import platform
import shutil

from gpucore import plugin
from gpucore_cc.device import CcDevice
from gpucore_cc.emit import CAPABILITIES, DIALECT, emit

GPUCORE_API = "2.0"  # the version of the interface that this plugin was written for


class CcBackend(plugin.Backend):
    """Kernels as C, compiled by the system's compiler."""

    name = "cc"
    priority = 10  # 0 to 100, the declared speed: of devices of one kind, automatic choice takes the highest
    kind = plugin.DeviceKind.CPU
    language = DIALECT.name
    capabilities = CAPABILITIES
    operations = DIALECT.operations
    settings = frozenset()
    hint = "install a C compiler, such as GCC or Clang, as `cc`"

    def probe(self) -> plugin.ProbeResult:
        if shutil.which("cc") is None:
            reason = "there is no `cc` on the PATH"
            return plugin.ProbeResult(plugin.ProbeStatus.NO_DRIVER, reason=reason, hint=self.hint)
        info = plugin.DeviceInfo(
            id=f"{self.name}:0",
            backend=self.name,
            index=0,
            name=platform.processor() or platform.machine(),
            kind=self.kind,
            driver=f"cc, Python {platform.python_version()}",
            capabilities=self.capabilities,
            limits=plugin.Limits(part_alignment=16),
            details=(plugin.HOST_TIMESTAMPS,),  # elapsed is the host's time
            memory=plugin.HOST_MEMORY,
            kernels_share_memory=True,  # core clamps each index that it cannot prove to be in range
        )
        return plugin.ProbeResult(plugin.ProbeStatus.AVAILABLE, (info,))

    def open(self, index: int) -> plugin.Device:
        devices = self.probe().devices
        if not 0 <= index < len(devices):
            raise plugin.BackendUnavailableError(f"{self.name} has no device {index}; {self.hint}")
        return CcDevice(devices[index])

    def emit(self, module: plugin.ValidModule, device: plugin.DeviceInfo | None = None) -> plugin.Source:
        return emit(module)


@plugin.hookimpl
def gpucore_backends() -> list[plugin.Backend]:
    return [CcBackend()]
