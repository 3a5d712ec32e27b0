"""What is known of a plugin: found, loaded, or refused with the reason."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, replace

from gpucore.runtime.protocol import Backend

SIMULATOR = "simulator"
BUILT_IN_DISTRIBUTION = "gpucore"
OFFICIAL = {"cpu": "gpucore-cpu", "wgpu": "gpucore-wgpu", "opencl": "gpucore-opencl", "cuda": "gpucore-cuda"}
"""Backends that come from the gpucore project, with the distribution that brings each."""

NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]*")


class PluginStatus(enum.Enum):
    """How far a plugin has come. The last three are also what a probe of it answers."""

    FOUND = "found"  # not imported yet
    LOADED = "loaded"
    BROKEN = "broken"
    INCOMPATIBLE = "incompatible"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class PluginRecord:
    """One entry point of the group `gpucore.backends`, or one backend that the program registered itself."""

    name: str  # of the entry point
    distribution: str  # "" for a backend registered by the program
    version: str
    module: str
    status: PluginStatus
    reason: str = ""  # why it is not usable; empty for FOUND and LOADED
    hint: str = ""  # what the user can do about it
    backends: tuple[Backend, ...] = ()

    @property
    def origin(self) -> str:
        """Where it comes from, for messages: "gpucore-foo 1.2" or "this program"."""
        return f"{self.distribution} {self.version}".strip() or "this program"

    def refuse(self, status: PluginStatus, reason: str, hint: str = "") -> PluginRecord:
        """The same plugin, refused: without backends."""
        return replace(self, status=status, reason=reason, hint=hint, backends=())


def hint_to_install(name: str) -> str:
    """How to get an official backend, or "" for a name that is none."""
    return f'pip install "gpucore[{name}]"' if name in OFFICIAL else ""


def family_of(name: str) -> str:
    """The first word of a plugin's or backend's name. Plugins of one family are loaded together: see `loading`."""
    return name.partition("_")[0]
