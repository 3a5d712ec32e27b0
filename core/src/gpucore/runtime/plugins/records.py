"""What is known of a plugin: found, loaded, or refused with the reason."""

from __future__ import annotations

import enum
import re
from dataclasses import replace
from typing import NamedTuple

from gpucore.immutable import Immutable, field
from gpucore.runtime.protocol import Backend, DeviceKind

SIMULATOR = "simulator"
BUILT_IN_DISTRIBUTION = "gpucore"


class OfficialBackend(NamedTuple):
    """A backend that comes from the gpucore project."""

    distribution: str
    kind: DeviceKind  # of the devices that it is for


OFFICIAL = {
    "cpu": OfficialBackend("gpucore-cpu", DeviceKind.CPU),
    "wgpu": OfficialBackend("gpucore-wgpu", DeviceKind.GPU),
    "opencl": OfficialBackend("gpucore-opencl", DeviceKind.GPU),
    "cuda": OfficialBackend("gpucore-cuda", DeviceKind.GPU),
}
"""All of them by name: what can be installed, and what is looked for where nothing is installed."""

NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]*")


class PluginStatus(enum.Enum):
    """How far a plugin has come. All but the first two are also what a probe of it answers."""

    FOUND = "found"  # not imported yet
    LOADED = "loaded"
    BROKEN = "broken"
    TIMED_OUT = "timed_out"
    INCOMPATIBLE = "incompatible"
    BLOCKED = "blocked"


class BackendSummary(Immutable):
    """A backend as its plugin declares it: all that choosing one needs, without the object."""

    name: str
    priority: int
    hint: str
    kind: DeviceKind = DeviceKind.GPU  # of the devices that it is for, be they there or not


class PluginRecord(Immutable):
    """One entry point of the group `gpucore.backends`, or one backend that the program registered itself.

    A LOADED record has `summaries`. It has `backends`, in the same order, where this process imported the plugin, and
    none where a child process did.
    """

    name: str  # of the entry point
    distribution: str  # "" for a backend registered by the program
    version: str
    module: str
    status: PluginStatus
    reason: str = ""  # why it is not usable; empty for FOUND and LOADED
    hint: str = ""  # what the user can do about it
    summaries: tuple[BackendSummary, ...] = ()
    backends: tuple[Backend, ...] = field(default=(), compare=False)  # a plugin's objects may compare as they like

    @property
    def origin(self) -> str:
        """Where it comes from, for messages: "gpucore-foo 1.2" or "this program"."""
        return f"{self.distribution} {self.version}".strip() or "this program"

    @property
    def is_built_in(self) -> bool:
        """Whether it is core's own simulator."""
        return self.distribution == BUILT_IN_DISTRIBUTION

    @property
    def is_own(self) -> bool:
        """Whether the program or core brings it: then there is nothing to find, and no other process would know it."""
        return self.distribution in ("", BUILT_IN_DISTRIBUTION)

    def load(self, backends: tuple[Backend, ...]) -> PluginRecord:
        """The same plugin, LOADED with these backends."""
        summaries = tuple(
            BackendSummary(backend.name, backend.priority, backend.hint, backend.kind) for backend in backends
        )
        return replace(self, status=PluginStatus.LOADED, summaries=summaries, backends=backends)

    def refuse(self, status: PluginStatus, reason: str, hint: str = "") -> PluginRecord:
        """The same plugin, refused: without backends."""
        return replace(self, status=status, reason=reason, hint=hint, summaries=(), backends=())


def hint_to_install(name: str) -> str:
    """How to get an official backend, or "" for a name that is none."""
    return f'pip install "gpucore[{name}]"' if name in OFFICIAL else ""


def hint_to_reinstall(record: PluginRecord) -> str:
    """What to do about a plugin that does not load."""
    return f"pip install --upgrade --force-reinstall {record.distribution}, or report it to its authors"


def hint_to_wait(record: PluginRecord) -> str:
    """What to do about a plugin that takes too long."""
    return f"set GPUCORE_PROBE_TIMEOUT higher, or GPUCORE_BLOCK to {record.distribution}"


def family_of(name: str) -> str:
    """The first word of a plugin's or backend's name. Plugins of one family are loaded together: see `loading`."""
    return name.partition("_")[0]
