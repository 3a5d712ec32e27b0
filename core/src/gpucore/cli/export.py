"""`gpucore export`: kernels and recorded work for devices elsewhere, with the files that run them there.

    gpucore export web kernels.py -o site/kernels            every kernel of the module
    gpucore export web kernels.py:saxpy,scale[T=f32] -o ...  some, with dtypes and constants
    gpucore export web --manifest kernels.toml -o ...        those that a file names, as `gpucore build` reads it
    gpucore export web site.py:record -o ...                 what a function of the module adds to the bundle

A function gets the bundle, and what it calls is recorded: see `gpucore.offline.export`. Importing a module runs it.
"""

from __future__ import annotations

import argparse
import sys
from types import FunctionType
from typing import Any

from gpucore.cli.failures import OK
from gpucore.cli.modules import import_place
from gpucore.cli.streams import stdout_to_stderr
from gpucore.errors import ArgumentError
from gpucore.offline.export import Bundle, record
from gpucore.offline.recipes import recipe_of
from gpucore.offline.specialisations import find_specialisations


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("export", help="write kernels, and what runs them, for a web page")
    parser.add_argument(
        "target", metavar="TARGET", help="web; web+f16, web+subgroups or web+f16+subgroups for devices that have these"
    )
    parser.add_argument(
        "place", nargs="?", metavar="MODULE[:NAME,...]",
        help="a module or file, and kernels of it as in saxpy,scale[T=f32,n=4], or a function that takes the bundle",
    )  # fmt: skip
    parser.add_argument("--manifest", metavar="FILE.toml", help="a file with module and kernels")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder that is written")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the folder."""
    recipe = recipe_of("gpucore export web", options.place, options.manifest)
    with stdout_to_stderr():
        module = import_place(recipe.module)
        with record(options.target) as bundle:
            function = getattr(module, recipe.kernels[0], None) if len(recipe.kernels) == 1 else None
            if isinstance(function, FunctionType):
                function(bundle)
            else:
                _add(bundle, find_specialisations(module, recipe.kernels), recipe.module)
        paths = bundle.write(options.output)
    sys.stdout.write("".join(f"{path}\n" for path in paths))
    return OK


def _add(bundle: Bundle, found: Any, place: str) -> None:
    for each in found:
        bundle.add(each.kernel, **each.bindings)
    if not found:
        raise ArgumentError(f"{place} has no kernel that can be exported without values; name one as in scale[n=4]")
