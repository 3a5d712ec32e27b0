"""The kernels that are damaged: all that this repository has in modules of their own."""

from __future__ import annotations

import ast
import functools
import linecache
import random
import re
import sys
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
from gpucore.front import ConstParameter
from gpucore.kernel import Kernel

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
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    module = types.ModuleType(name)
    sys.modules[name] = module  # dataclasses look their module up
    names = vars(module)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, name, "exec", dont_inherit=True), names)  # noqa: S102 (text that this repository has)
    except (Exception, RecursionError):  # noqa: BLE001 (before any kernel is compiled: not gpucore's concern)
        return {}
    finally:
        del sys.modules[name]
    return {
        key: value
        for key, value in names.items()
        if isinstance(value, Kernel) and value.function.__code__.co_filename == name
    }


def bindings_of(kernel: Kernel) -> dict[str, Any] | None:
    """Values for what a kernel leaves open; None where there is none at hand."""
    found = {}
    for parameter in kernel._source_and_signature()[1].parameters:
        if isinstance(parameter, ConstParameter):
            value = _BINDINGS.get(kernel.name, {}).get(parameter.name, _BY_TYPE.get(parameter.type))
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


__all__ = ["Subject", "bindings_of", "calls_of", "kernels_of", "random_subject", "subjects"]
