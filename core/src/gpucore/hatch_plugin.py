"""A hook for builds by hatchling, which puts a package of kernels into a wheel. In a project's pyproject.toml:

    [tool.hatch.build.targets.wheel.hooks.gpucore]
    module = "src/mine/kernels.py"
    kernels = ["saxpy"]
    targets = ["wgsl", "x86-64-v3"]
    path = "mine/kernels.gpu"

Such a project is built in an environment with gpucore and the plugins of the targets: `python -m build --no-isolation`.
`path` is where the wheel has the package; an editable install has none. The others are those of `gpucore build
--manifest`. A module that is named by its file is not imported as a part of its project, which may load the package
when it is imported; but gp.load(..., compile=True) cannot find it. Hatchling finds this hook by its entry point.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl


class GpucoreBuildHook(BuildHookInterface[Any]):
    """Builds a package of kernels, and adds it to the wheel."""

    PLUGIN_NAME = "gpucore"
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds."""
        if version == "editable":
            return
        from gpucore.cli.build import build_for_wheel  # noqa: PLC0415 (the compiler, which only such builds need)

        settings = {key: value for key, value in self.config.items() if key not in _OF_HATCH}
        self._folder = tempfile.TemporaryDirectory(prefix="gpucore-")
        file = Path(self._folder.name, "kernels.gpu")
        path = build_for_wheel(Path(self.root), settings, file, self.app.display_info)
        build_data["force_include"][str(file)] = path
        build_data["pure_python"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called by hatchling after it has built."""
        if self._folder is not None:
            self._folder.cleanup()


_OF_HATCH = ("dependencies", "enable-by-default", "require-runtime-dependencies", "require-runtime-features")


@hookimpl
def hatch_register_build_hook() -> type[GpucoreBuildHook]:
    """The hook."""
    return GpucoreBuildHook
