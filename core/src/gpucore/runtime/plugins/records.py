"""Records of plugins: found, loaded, or refused with the reason."""

from __future__ import annotations

import enum
import re
import sys
from dataclasses import replace
from typing import NamedTuple

from gpucore.immutable import Immutable, field
from gpucore.runtime.protocol import Backend, DeviceKind

SIMULATOR = "simulator"
BUILT_IN_DISTRIBUTION = "gpucore"
IS_PUBLISHED = False
"""The name "gpucore" on PyPI is that of a stranger's package until this one is published: until then every command that
installs a part of it does so from its source. The pages have the same commands."""
REPOSITORY = ""
"""The public URL of the source, once there is one: commands then install from there, and need no folder. The projects
name it under `[project.urls]`."""
IS_FROZEN: bool = getattr(sys, "frozen", False)
"""Whether this is an application of PyInstaller or the like: nothing can be installed into it."""
_RECIPE = "docs/packages.md, Frozen applications"


class OfficialBackend(NamedTuple):
    """A backend that comes from the gpucore project."""

    distribution: str
    kind: DeviceKind  # of the devices that it supports
    extra: str  # of the distribution `gpucore`
    folder: str  # of its source
    needs: str = ""  # an extra of the distribution: what installs on every machine


OFFICIAL = {
    "cpu": OfficialBackend("gpucore-cpu", DeviceKind.CPU, "cpu", "plugins/cpu_backend"),
    "wgpu": OfficialBackend("gpucore-wgpu", DeviceKind.GPU, "wgpu", "plugins/wgpu_backend"),
    "opencl": OfficialBackend("gpucore-opencl", DeviceKind.GPU, "opencl", "plugins/opencl_backend"),
    "cuda": OfficialBackend("gpucore-cuda", DeviceKind.GPU, "cuda-wheels", "plugins/cuda_backend", "wheels"),
}
"""The official backends, by name."""

SCALE_DISTRIBUTION = "gpucore-dask"
"""Several devices, and arrays larger than one: no plugin."""

NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]*")


class PluginStatus(enum.Enum):
    """The status of a plugin. All but the first two are also the status of its probe."""

    FOUND = "found"  # not imported yet
    LOADED = "loaded"
    BROKEN = "broken"
    TIMED_OUT = "timed_out"
    INCOMPATIBLE = "incompatible"
    BLOCKED = "blocked"


class BackendSummary(Immutable):
    """The declared properties of a backend: enough to choose one, without the object."""

    name: str
    priority: int
    hint: str
    kind: DeviceKind = DeviceKind.GPU  # of the devices that it supports, present or not
    settings: frozenset[str] | None = None  # the environment variables that it reads; None: not listed


class PluginRecord(Immutable):
    """One entry point of the group `gpucore.backends`, or one backend that the program registered itself.

    A LOADED record has `summaries`. It has `backends`, in the same order, if this process imported the plugin, and none
    if a child process did.
    """

    name: str  # of the entry point
    distribution: str  # "" for a backend registered by the program
    version: str
    module: str
    status: PluginStatus
    reason: str = ""  # why it is not usable; empty for FOUND and LOADED
    hint: str = ""  # what the user can do about it
    summaries: tuple[BackendSummary, ...] = ()
    backends: tuple[Backend, ...] = field(default=(), compare=False)  # plugins' objects may define any ==
    is_skipped: bool = False  # refused for a failure in an earlier process, without trying (see `verdicts`)

    @property
    def origin(self) -> str:
        """The distribution, for messages: "gpucore-foo 1.2" or "this program"."""
        return f"{self.distribution} {self.version}".strip() or "this program"

    @property
    def is_built_in(self) -> bool:
        """Whether it is core's simulator."""
        return self.distribution == BUILT_IN_DISTRIBUTION

    @property
    def is_own(self) -> bool:
        """Whether it is from the program or core, and so not an installed plugin that another process could load."""
        return self.distribution in ("", BUILT_IN_DISTRIBUTION)

    def load(self, backends: tuple[Backend, ...]) -> PluginRecord:
        """The same plugin, LOADED with these backends."""
        summaries = tuple(
            BackendSummary(backend.name, backend.priority, backend.hint, backend.kind, backend.settings)
            for backend in backends
        )
        return replace(self, status=PluginStatus.LOADED, summaries=summaries, backends=backends)

    def refuse(self, status: PluginStatus, reason: str, hint: str = "", *, is_skipped: bool = False) -> PluginRecord:
        """The same plugin, refused: without backends."""
        return replace(self, status=status, reason=reason, hint=hint, summaries=(), backends=(), is_skipped=is_skipped)


def install_command(*distributions: str, again: bool = False) -> str:
    """The command that installs or updates distributions; `again`: also if they are installed."""
    scaled = f'"{BUILT_IN_DISTRIBUTION}[dask]"' if IS_PUBLISHED else _what_to_install(SCALE_DISTRIBUTION, "", "scale")
    own = {BUILT_IN_DISTRIBUTION: _what_to_install(BUILT_IN_DISTRIBUTION, "", "core"), SCALE_DISTRIBUTION: scaled}
    for backend in OFFICIAL.values():
        published = f'"{BUILT_IN_DISTRIBUTION}[{backend.extra}]"'
        unpublished = _what_to_install(backend.distribution, backend.needs, backend.folder)
        own[backend.distribution] = published if IS_PUBLISHED else unpublished
    is_here = not IS_PUBLISHED and not REPOSITORY and not own.keys().isdisjoint(distributions)
    names = " ".join(own.get(name, name) for name in distributions)
    where = ", in the folder of gpucore's source" if is_here else ""
    return f"pip install --upgrade {'--force-reinstall ' * again}{names}{where}"


def _what_to_install(distribution: str, extra: str, folder: str) -> str:
    """One of ours, from where it can be had."""
    wanted = f"[{extra}]" if extra else ""
    if IS_PUBLISHED:
        return f'"{distribution}{wanted}"' if wanted else distribution
    if REPOSITORY:
        return f'"{distribution}{wanted} @ git+{REPOSITORY}#subdirectory={folder}"'
    return f'"./{folder}{wanted}"' if wanted else f"./{folder}"


def hint_to_install(name: str) -> str:
    """The command that installs an official backend; "" for other names."""
    if IS_FROZEN and name in OFFICIAL:
        distribution = OFFICIAL[name].distribution
        return f"freeze the application with {distribution}, and pass its backend to gp.register_backend: {_RECIPE}"
    return install_command(OFFICIAL[name].distribution) if name in OFFICIAL else ""


def hint_to_reinstall(record: PluginRecord) -> str:
    """What to do about a plugin that does not load."""
    if IS_FROZEN:
        return f"freeze the application with all modules of {record.distribution}: {_RECIPE}"
    return f"{install_command(record.distribution, again=True)}, or report it to its authors"


def hint_to_wait(record: PluginRecord) -> str:
    """What to do about a plugin that takes too long."""
    return f"set GPUCORE_PROBE_TIMEOUT higher, or GPUCORE_BLOCK to {record.distribution}"


def hint_to_report(backend: str, origin: str) -> str:
    """What to do about a probe that breaks the rules of the interface."""
    return f"backend {backend!r} has a defect: report it to the authors of {origin}, with what `gpucore doctor` prints"


def family_of(name: str) -> str:
    """The first word of a plugin's or backend's name. Plugins of one family are loaded together: see `loading`."""
    return name.partition("_")[0]
