"""The public face: closed, documented, and nothing else."""

from __future__ import annotations

import ast
import importlib
import inspect
import operator
import subprocess
import sys

import pytest
from source_tree import CORE, ROOT, parsed

import gpucore as gp
from gpucore.host import is_host_only


def test_all_is_what_is_imported() -> None:
    """Every name of __all__ resolves, once, and is imported by the module of names; nothing else is."""
    assert len(set(gp.__all__)) == len(gp.__all__)
    imported = set()
    for node in parsed(CORE / "face.py").body:
        if isinstance(node, ast.ImportFrom):
            imported |= {alias.asname or alias.name for alias in node.names}
    assert imported == set(gp.__all__)
    assert set(gp.__all__) <= set(dir(gp))


def test_the_module_only_imports() -> None:
    body = parsed(CORE / "face.py").body
    kinds = {type(node) for node in body[1:]}
    assert kinds <= {ast.ImportFrom, ast.Assign}
    assert [ast.unparse(node.targets[0]) for node in body if isinstance(node, ast.Assign)] == ["__all__"]


@pytest.mark.parametrize(
    "first",
    [
        "from gpucore.kernel import Kernel",
        "import gpucore.check, gpucore.device",
        "import gpucore.random",
        "import gpucore.linalg",
        "from gpucore.random import fill",
        "from gpucore import errors",
        "import gpucore.ir",
    ],
)
def test_a_name_means_the_same_whatever_was_imported_before(first: str) -> None:
    """`gpucore.kernel`, `.device` and `.check` are modules, too, and importing one sets an attribute of the package."""
    code = f"""
{first}
import gpucore as gp, gpucore.face, types
for name in gp.__all__:
    assert getattr(gp, name) is getattr(gpucore.face, name), name
    assert isinstance(getattr(gp, name), types.ModuleType) == (name in ("export", "linalg", "random")), name
from gpucore import *
assert f32 is gp.f32 and kernel is gp.kernel
assert isinstance(gp.errors, types.ModuleType) and isinstance(gp.cli, types.ModuleType)
try:
    gp.kernal
except AttributeError as error:
    assert str(error) == "module 'gpucore' has no attribute 'kernal'", error
else:
    raise AssertionError
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("package", ["gpucore", "gpucore.front", "gpucore.passes", "gpucore.valid"])
def test_names_that_submodules_have_are_kept_apart(package: str) -> None:
    """A package whose names are loaded at their first use says which of them are submodules, too."""
    folder = CORE.joinpath(*package.split(".")[1:])
    submodules = {path.stem for path in folder.glob("*.py")} | {
        path.parent.name for path in folder.glob("*/__init__.py")
    }
    names = set(importlib.import_module(package).__all__)
    (call,) = (node for node in ast.walk(parsed(folder / "__init__.py")) if isinstance(node, ast.Call))
    hides = [ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg == "hides"]
    no_names = {"array"} if package == "gpucore" else set()  # the error of gp.array names gp.asarray
    assert {name for hidden in hides for name in hidden} == (names & submodules) | no_names


NAMES = [
    *(name for name in gp.__all__ if name != "__version__"),
    *(f"random.{name}" for name in gp.random.__all__),
    *(f"linalg.{name}" for name in gp.linalg.__all__),
]


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_a_docstring(name: str) -> None:
    found = operator.attrgetter(name)(gp)
    documentation = inspect.getdoc(found)
    assert documentation and documentation.strip()
    assert inspect.isroutine(found) or isinstance(found, type) or documentation != inspect.getdoc(type(found))


def test_public_methods_have_docstrings() -> None:
    for cls in (gp.Array, gp.Device, gp.Kernel):
        for name, member in vars(cls).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{cls.__name__}.{name}"


def test_every_error_is_public_and_in_the_tree() -> None:
    """errors.py draws its tree in its docstring; all of it is in the face."""
    errors = {
        name
        for name, value in vars(gp.errors).items()
        if isinstance(value, type) and value.__module__ == "gpucore.errors"
    }
    assert errors <= set(gp.__all__)
    drawn = inspect.getdoc(gp.errors) or ""
    assert [name for name in sorted(errors) if name not in drawn] == []
    assert all(issubclass(getattr(gp, name), (gp.GpucoreError, Warning)) for name in errors)


def test_functions_beside_the_kernel_language_are_marked_for_the_host() -> None:
    """Kernels that call one get an error that says so."""
    functions = {name: getattr(gp, name) for name in gp.__all__ if inspect.isfunction(getattr(gp, name))}
    host = {name for name, function in functions.items() if is_host_only(function)}
    assert host == {
        name for name, function in functions.items() if not function.__module__.startswith("gpucore.lang")
    } | {"func"}
