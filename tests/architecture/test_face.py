"""The public face: closed, documented, and nothing else."""

from __future__ import annotations

import ast
import inspect

import pytest
from source_tree import CORE, parsed

import gpucore as gp


def test_all_is_what_is_imported() -> None:
    """Every name of __all__ resolves, once, and every public name of the module is in it or is a submodule."""
    assert len(set(gp.__all__)) == len(gp.__all__)
    imported = set()
    for node in parsed(CORE / "__init__.py").body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            imported |= {alias.asname or alias.name for alias in node.names}
    assert imported == set(gp.__all__)


def test_the_module_only_imports() -> None:
    body = parsed(CORE / "__init__.py").body
    kinds = {type(node) for node in body[1:]}
    assert kinds <= {ast.ImportFrom, ast.Assign}
    assert [ast.unparse(node.targets[0]) for node in body if isinstance(node, ast.Assign)] == ["__all__"]


@pytest.mark.parametrize("name", [name for name in gp.__all__ if name != "__version__"])
def test_every_public_name_has_a_docstring(name: str) -> None:
    found = getattr(gp, name)
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
