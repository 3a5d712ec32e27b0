"""What is built into a package, as a table of TOML says it: of a file for `gpucore build`, or of a build hook.

module = "mine.kernels"                       # or path/to/file.py
kernels = ["saxpy", "scale[T=f32,n=4]"]       # default: all of the module whose constants have defaults
targets = ["wgsl", "x86-64-v3"]               # default: all of the installed backends that build here
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.offline.specialisations import split_names

_LISTS = ("kernels", "targets")


class Recipe(Immutable, eq=False):
    """The module, and the names of its kernels and of targets; empty for the defaults."""

    module: str
    kernels: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


def recipe_of(command: str, kernels: str | None, manifest: str | None, targets: Sequence[str] = ()) -> Recipe:
    """The recipe of a command line: "MODULE[:KERNEL,...]", or the file that has it, and targets in place of the file's.
    Raises ArgumentError."""
    if (kernels is None) == (manifest is None):
        example = f"{command} mine.kernels:saxpy,scale[T=f32,n=4]"
        raise ArgumentError(f"give either MODULE[:KERNEL,...], as in {example}, or --manifest")
    if manifest is not None:
        found = read_recipe(manifest)
        return Recipe(found.module, found.kernels, tuple(targets) or found.targets)
    assert kernels is not None
    is_drive = kernels[1:3] in (":\\", ":/")
    place, _, names = kernels.rpartition(":") if ":" in kernels[2 if is_drive else 0 :] else (kernels, "", "")
    return Recipe(place, tuple(split_names(names)), tuple(targets))


def read_recipe(path: str) -> Recipe:
    """The recipe in a TOML file. Raises ArgumentError."""
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ArgumentError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ArgumentError(f"{path} is not TOML: {error}") from error
    return make_recipe(data, path)


def make_recipe(data: Mapping[str, Any], where: str, others: Sequence[str] = ()) -> Recipe:
    """The recipe in a table, which may have `others` as keys. Raises ArgumentError; `where` begins messages."""
    known = ("module", *_LISTS, *others)
    for key in data:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            advice = f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join(known)}"
            raise ArgumentError(f"{where}: there is no key {key!r}; {advice}")
    module = data.get("module")
    if not isinstance(module, str) or not module:
        raise ArgumentError(f'{where}: name the module that has the kernels, as in module = "mine.kernels"')
    lists = {}
    for key in _LISTS:
        lists[key] = data.get(key, [])
        if not isinstance(lists[key], list) or not all(isinstance(each, str) for each in lists[key]):
            raise ArgumentError(f"{where}: {key} is a list of strings, not {lists[key]!r:.60}")
    return Recipe(module, tuple(lists["kernels"]), tuple(lists["targets"]))
