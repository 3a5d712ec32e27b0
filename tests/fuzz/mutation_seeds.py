"""The kernels that are damaged: all that this repository has in modules of their own."""

from __future__ import annotations

import ast
import functools
import linecache
import random
import re
import sys
import traceback
import types
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import algorithm_kernels
import golden_kernels
from drawing import RandomChoices
from fuzz_grammar import Writer

import gpucore as gp
from gpucore.errors import GpucoreError
from gpucore.front import ConstParameter
from gpucore.kernel import Kernel

_CORE = str(Path(gp.__file__).parent)
_LAZY = str(Path(gp.__file__).parent / "lazy.py")
ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("core/src/gpucore/testing/kernels", "core/src/gpucore/algorithms", "tests/golden", "tests/errors",
            "tests/unit", "tests/cli", "examples", "benchmarks")  # fmt: skip
_KERNEL = re.compile(r"^@(gp\.)?kernel", re.MULTILINE)
_BINDINGS = {
    kernel.name: bindings for kernel, bindings in (*algorithm_kernels.CASES.values(), *golden_kernels.CASES.values())
}
_BY_TYPE: dict[object, Any] = {int: 3, bool: True, float: 2.0, type: gp.f32}


@dataclass(frozen=True)
class Subject:
    """A module with kernels, as text."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """Modules that define kernels and can be executed anywhere."""
    found = []
    for folder in _FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text()
            if not _KERNEL.search(text) or path.name.startswith("test_") or "errors/cases" in str(path):
                continue
            subject = Subject(path, text)
            if kernels_of(subject.text, f"<seed {subject.name}>"):
                found.append(subject)
    return tuple(found)


def random_subject(source: random.Random) -> Subject:
    """A random kernel: it has a bit of everything."""
    program = Writer(RandomChoices(source), frozenset(gp.Capability)).program()
    return Subject(ROOT / "random", program.text)


def kernels_of(text: str, name: str) -> dict[str, Kernel]:
    """The kernels at the top of a module made from text; {} where it is no Python or does not run."""
    names, failure = run(text, name)
    if failure is not None and not is_users(failure, name):
        raise failure
    return {} if failure is not None else kernels_in(names, name)


def kernels_in(names: dict[str, Any], module: str) -> dict[str, Kernel]:
    """The kernels among the names of a module that it made itself."""
    made = {key: value for key, value in names.items() if isinstance(value, Kernel)}
    return {key: value for key, value in made.items() if getattr(value.function, "__module__", None) == module}


def run(text: str, name: str) -> tuple[dict[str, Any], BaseException | None]:
    """The names at the top of a module made from text as far as it runs, and what ended it."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    module = types.ModuleType(name)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, name, "exec", dont_inherit=True), vars(module))  # noqa: S102 (text of this repository)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (the caller judges it)
        return vars(module), error
    finally:
        del sys.modules[name]
    return vars(module), None


def is_users(error: BaseException, file: str) -> bool:
    """Whether an exception tells a user something: gpucore's error, or what the user's own text raises without gpucore.

    That is what Python raises while it compiles the text, in a line of it, or in what such a line calls, as long as no
    function of gpucore is between: one that calls back into the text (a default, a hook of a class) may let pass what
    the text raises.
    """
    if isinstance(error, GpucoreError):
        return True
    frames = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    if frames[-1:] == [_LAZY]:  # a name that gpucore does not have: Python's own error for a module
        frames.pop()
    return bool(frames) and (frames[-1] == file or not any(path.startswith(_CORE) for path in frames))


def bindings_of(kernel: Kernel) -> dict[str, Any] | None:
    """Values for what a kernel leaves open; None where there is none at hand."""
    found = {}
    for parameter in kernel.signature.parameters:
        if isinstance(parameter, ConstParameter):
            default = next((value for type, value in _BY_TYPE.items() if type is parameter.type), None)
            value = _BINDINGS.get(kernel.name, {}).get(parameter.name, default)
            if value is None:
                return None
            found[parameter.name] = value
    return found


def calls_of(text: str, function: str, kernels: dict[str, Kernel]) -> list[Kernel]:
    """The kernels that a change of `function` reaches, a few at most."""
    if function in kernels:
        return [kernels[function]]
    tree = ast.parse(text)
    users = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in kernels
             and any(getattr(n, "id", getattr(n, "attr", None)) == function for n in ast.walk(node))]  # fmt: skip
    return [kernels[name] for name in users[:2]] or list(kernels.values())[:1]


__all__ = ["Subject", "bindings_of", "calls_of", "is_users", "kernels_of", "kernels_in", "random_subject", "run",
           "subjects"]  # fmt: skip
