"""A hook for builds by hatchling, which puts a package of kernels into a wheel. In a project's pyproject.toml:

    [build-system]
    requires = ["hatchling", "gpucore", "gpucore-cpu", "gpucore-wgpu"]
    build-backend = "hatchling.build"

    [tool.hatch.build.targets.wheel.hooks.gpucore]
    module = "src/mine/kernels.py"
    kernels = ["saxpy"]
    targets = ["wgsl", "x86-64-v3"]
    path = "mine/kernels.gpu"

`path` is where the wheel has the package; an editable install has none. The others are those of `gpucore build
--manifest`. A module that is named by its file is not imported as a part of its project, which may load the package
when it is imported; but gp.load(..., compile=True) cannot find it. Hatchling finds this hook by its entry point.
"""

from __future__ import annotations

import sys
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
        from gpucore.cli.modules import import_place  # noqa: PLC0415 (the compiler, which only such builds need)
        from gpucore.errors import ArgumentError  # noqa: PLC0415 (likewise)
        from gpucore.offline.building import build  # noqa: PLC0415 (likewise)
        from gpucore.offline.recipes import make_recipe  # noqa: PLC0415 (likewise)
        from gpucore.offline.specialisations import find_specialisations  # noqa: PLC0415 (likewise)

        if version == "editable":
            return
        where = "[tool.hatch.build.targets.wheel.hooks.gpucore]"
        settings = {key: value for key, value in self.config.items() if key not in _OF_HATCH}
        recipe = make_recipe(settings, where, ("path",))
        path = settings.get("path")
        if not isinstance(path, str) or not path or Path(path).is_absolute() or ".." in Path(path).parts:
            raise ArgumentError(f'{where}: path is where the wheel has the package, as in "mine/kernels.gpu"')
        place = recipe.module
        if place.endswith(".py"):
            place = str(Path(self.root, place))
        else:
            sys.path[:0] = [str(Path(self.root, "src")), self.root]
        self._folder = tempfile.TemporaryDirectory(prefix="gpucore-")
        file = Path(self._folder.name, "kernels.gpu")
        wanted = find_specialisations(import_place(place), recipe.kernels)
        built = build(file, wanted, recipe.targets, self.app.display_info)
        self.app.display_info(f"{path}: {', '.join(built.kernels)} for {', '.join(built.targets)}")
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
