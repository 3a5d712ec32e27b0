"""`gpucore build MODULE[:KERNEL,...] -o FILE`: compiles kernels for devices that need not be there, into one file.

    gpucore build mine.kernels -o kernels.gpu
    gpucore build mine.kernels:saxpy,scale[T=f32,n=4] -o kernels.gpu --target wgsl --target sm_90
    gpucore build --manifest kernels.toml -o kernels.gpu

Without names these are all kernels of the module whose Const parameters have defaults; without `--target` all targets
of the installed backends, of which those that do not build here, or not for a kernel, are skipped. A line for each
kernel and target goes to standard error, a summary to standard output.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gpucore.cli.failures import OK
from gpucore.cli.modules import import_place
from gpucore.cli.numbers import format_bytes
from gpucore.cli.streams import stdout_to_stderr
from gpucore.errors import ArgumentError
from gpucore.offline.building import build
from gpucore.offline.recipes import make_recipe, recipe_of
from gpucore.offline.specialisations import find_specialisations


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("build", help="compile kernels for devices that need not be there, into one file")
    parser.add_argument(
        "kernels", nargs="?", metavar="MODULE[:KERNEL,...]",
        help="package.module or path/to/file.py, and names as in saxpy,scale[T=f32,n=4]; importing the module runs it",
    )  # fmt: skip
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write, such as kernels.gpu")
    parser.add_argument(
        "--target", action="append", default=[], metavar="NAME",
        help="such as wgsl, opencl, sm_90, x86-64-v3 (repeatable; default: all that build here)",
    )  # fmt: skip
    parser.add_argument("--manifest", metavar="FILE.toml", help="a file with module, kernels and targets")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Build the package and print a summary."""
    recipe = recipe_of("gpucore build", options.kernels, options.manifest, options.target)
    with stdout_to_stderr():
        module = import_place(recipe.module)
        wanted = find_specialisations(module, recipe.kernels)
        if not wanted:
            raise ArgumentError(f"{recipe.module} has no kernel that can be built without values; name kernels, as in "
                                f"{recipe.module}:scale[T=f32,n=4]")  # fmt: skip
        built = build(options.output, wanted, recipe.targets, lambda line: print(line, file=sys.stderr))
    kernels, targets = len(built.kernels), len(built.targets)
    print(f"{built.path}: {kernels} kernel{'s' * (kernels != 1)} for {', '.join(built.targets)} "
          f"({targets} target{'s' * (targets != 1)}), {format_bytes(built.nbytes)}")  # fmt: skip
    if built.skipped:
        print(f"{len(built.skipped)} skipped, see above")
    return OK


def build_for_wheel(root: Path, settings: Mapping[str, Any], file: Path, report: Callable[[str], None]) -> str:
    """Build the package of a project in the folder `root`, as the table of its build hook says; returns where the wheel
    has it. Raises ArgumentError."""
    where = "[tool.hatch.build.targets.wheel.hooks.gpucore]"
    recipe = make_recipe(settings, where, ("path",))
    path = settings.get("path")
    if not isinstance(path, str) or not path or Path(path).is_absolute() or ".." in Path(path).parts:
        raise ArgumentError(f'{where}: path is where the wheel has the package, as in "mine/kernels.gpu"')
    place = recipe.module
    if place.endswith(".py"):
        place = str(root / place)
    else:
        sys.path[:0] = [str(root / "src"), str(root)]
    built = build(file, find_specialisations(import_place(place), recipe.kernels), recipe.targets, report)
    report(f"{path}: {', '.join(built.kernels)} for {', '.join(built.targets)}")
    return path
