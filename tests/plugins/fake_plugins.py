"""Plugins made of text, with metadata as pip would write it."""

from __future__ import annotations

import importlib
import textwrap
from pathlib import Path

GOOD_PLUGIN = """
from fake_backend import FakeBackend, Faults
from gpucore.runtime import DeviceKind, ProbeStatus, hookimpl

GPUCORE_API = "2.0"

@hookimpl
def gpucore_backends():
    return [FakeBackend({name!r}{arguments})]
"""


def good_plugin(name: str, arguments: str = "") -> str:
    """Source of a plugin with one fake backend; `arguments` are more arguments of FakeBackend."""
    return GOOD_PLUGIN.format(name=name, arguments=f", {arguments}" if arguments else "")


def write_plugin(
    folder: Path,
    name: str,
    source: str,
    *,
    distribution: str = "",
    version: str = "1.0",
    requires: tuple[str, ...] = ("gpucore>=0.1",),
    module: str = "",
) -> Path:
    """Install a plugin into `folder`: its module and its dist-info. Returns the dist-info folder."""
    distribution = distribution or f"dist-{name}"
    module = module or f"plugin_{name}_{folder.name}".replace("-", "_")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(textwrap.dedent(source))
    info = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    lines = ["Metadata-Version: 2.1", f"Name: {distribution}", f"Version: {version}"]
    lines += [f"Requires-Dist: {requirement}" for requirement in requires]
    (info / "METADATA").write_text("\n".join(lines) + "\n")
    (info / "entry_points.txt").write_text(f"[gpucore.backends]\n{name} = {module}\n")
    importlib.invalidate_caches()  # as after each installation: the time of a folder may not have changed since a look
    return info
