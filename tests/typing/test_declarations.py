"""What checkers are told in hints.pyi and calls.pyi agrees with what is there at run time."""

from __future__ import annotations

import ast
import builtins
import inspect
from pathlib import Path

import pytest

import gpucore as gp
from gpucore import hints
from gpucore.types import DTYPES, bf16

CORE = Path(hints.__file__).parent
KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float"}


def declarations(name: str) -> ast.Module:
    return ast.parse((CORE / f"{name}.pyi").read_text(encoding="utf-8"))


def keywords(function: ast.FunctionDef) -> list[str]:
    """With those of the TypedDict that `**grid` takes."""
    if function.args.kwarg and function.args.kwarg.arg == "grid":
        (grid,) = [
            node for node in ast.walk(declarations("calls")) if isinstance(node, ast.ClassDef) and node.name == "_Grid"
        ]
        return [
            field.target.id
            for field in grid.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        ]
    return [argument.arg for argument in function.args.kwonlyargs]


def runtime_keywords(function: object) -> list[str]:
    parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


@pytest.mark.parametrize(("name", "function", "least"), [("__call__", gp.Kernel.__call__, 8), ("kernel", gp.kernel, 2)])
def test_keywords_of_calls_and_of_the_decorator(name: str, function: object, least: int) -> None:
    functions = [node for node in ast.walk(declarations("calls")) if isinstance(node, ast.FunctionDef)]
    declared = [keywords(node) for node in functions if node.name == name and keywords(node)]
    assert len(declared) >= least
    assert [names for names in declared if names != runtime_keywords(function)] == []


def test_a_scalar_is_declared_as_the_class_of_its_values() -> None:
    declared = {
        node.targets[0].id: ast.unparse(node.value).removeprefix("builtins.")
        for node in declarations("hints").body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    scalars = {dtype.__name__: KINDS[dtype.dtype.kind] for dtype in DTYPES if dtype.width == 1}
    assert {name: declared.get(name) for name in scalars} == scalars
    assert all(hasattr(builtins, kind) for kind in scalars.values())


def test_the_names_of_annotations_are_those_of_the_face() -> None:
    expected = {dtype.__name__ for dtype in (*DTYPES, bf16)} | {"Const", "In", "InOut", "Out"}
    assert set(hints.__all__) == expected
    assert all(getattr(gp, name.rstrip("_")) is getattr(hints, name) for name in expected)
