"""Reads a case: the mistake, the text of its error, and the fix that the text proposes.

A case is a Python file. It has one kernel (or several, the one meant being `kernel`), with values for compile-time
parameters in `BINDINGS`; or a function `run(device)` that makes the call. Its last lines, after `# fix`, are a diff:
lines that begin with `#-` stand in the file and are replaced by those that begin with `#+`.
"""

from __future__ import annotations

import importlib.util
import linecache
from pathlib import Path
from types import ModuleType
from typing import Any

import gpucore as gp
from gpucore import compiler
from gpucore.runtime.plugins.manager import TABLE

HERE = Path(__file__).parent
CASES, LIBRARY = HERE / "cases", HERE / "library"
MARK = "\n# fix\n"


def names() -> list[str]:
    """All cases."""
    return sorted(path.stem for path in CASES.glob("*.py"))


def error_of(path: Path, device: str) -> gp.GpucoreError:
    """The error of the mistake in a file."""
    try:
        make(path, device)
    except gp.GpucoreError as error:
        return error
    raise AssertionError(f"{path.name} is accepted")


def text_of(error: gp.GpucoreError) -> str:
    """The error as text, its class first, with paths shortened to the file's name."""
    text = str(error)
    for folder in (CASES, LIBRARY):
        text = text.replace(f"{folder}/", "")
    return f"{type(error).__name__}\n{text}\n"


def make(path: Path, device: str) -> None:
    """Do what the file wants: compile its kernel for the simulator and as a device gets it, or make its call."""
    linecache.checkcache(str(path))
    module = _import(path)
    run = getattr(module, "run", None)
    if run is not None:
        run(device)
        return
    kernel, bindings = _kernel_of(module), getattr(module, "BINDINGS", {})
    simulator = TABLE.find("simulator")[1]
    compiler.emit_for(compiler.Target.for_backend(simulator), kernel.lower(**bindings))
    kernel.source("simulator", **bindings)


def fixed(path: Path) -> str:
    """The text of a case after its fix."""
    text, mark, diff = path.read_text().partition(MARK)
    assert mark, f"{path.name} has no fix"
    old: list[str] = []
    new: list[str] = []
    for line in [*diff.splitlines(), "#-"]:
        sign, rest = line[:2], line[2:]
        assert sign in ("#-", "#+"), f"{path.name}: {line!r} is no line of a diff"
        if sign == "#-" and new:
            text = _replace(text, old, new)
            old, new = [], []
        (old if sign == "#-" else new).append(rest)
    return text


def _replace(text: str, old: list[str], new: list[str]) -> str:
    before, after = "\n".join(old) + "\n", "".join(f"{line}\n" for line in new if line != "...")
    assert f"\n{text}\n".count(f"\n{before}") == 1, f"the fix replaces what is not there once: {before}"
    return f"\n{text}\n".replace(f"\n{before}", f"\n{after}").strip("\n") + "\n"


def _kernel_of(module: ModuleType) -> Any:
    if hasattr(module, "kernel"):
        return module.kernel
    (found,) = [value for value in vars(module).values() if isinstance(value, gp.Kernel)]
    return found


def _import(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"case_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
