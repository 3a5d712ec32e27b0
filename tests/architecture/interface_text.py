"""The names of `gpucore.plugin` and its submodules as text, one line for each thing that a plugin can rely on."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType, ModuleType

MODULES = ("gpucore.plugin", "gpucore.plugin.ir", "gpucore.plugin.c_family", "gpucore.plugin.spirv")


def interface_lines() -> list[str]:
    """Classes with their bases, fields, members and methods; functions; and constants with their types."""
    lines: list[str] = []
    seen: set[int] = set()
    for name in MODULES:
        module = importlib.import_module(name)
        for member in sorted(module.__all__):
            found = getattr(module, member)
            if id(found) in seen and not isinstance(found, (int, str)):
                continue  # also in the first module
            seen.add(id(found))
            lines += _lines(f"{name}.{member}", found)
    return lines


def _lines(name: str, found: object) -> Iterator[str]:
    if isinstance(found, ModuleType):
        for member, value in sorted(vars(found).items()):
            is_own = isinstance(value, FunctionType) and value.__module__ == found.__name__
            if is_own and not member.startswith("_"):
                yield from _lines(f"{name}.{member}", value)
    elif inspect.isclass(found):
        yield from _class(name, found)
    elif inspect.isfunction(found):
        yield f"{name}{_signature(_definition(found))}"
    else:
        yield f"{name}: {type(found).__name__}"


def _class(name: str, found: type) -> Iterator[str]:
    definition = _definition(found)
    assert isinstance(definition, ast.ClassDef)
    yield f"class {name}({', '.join(map(ast.unparse, definition.bases))})"
    for part in definition.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=member), value=value) if not member.startswith("_"):
                default = f" = {ast.unparse(value)}" if value is not None else ""
                yield f"{name}.{member}: {ast.unparse(part.annotation)}{default}"
            case ast.Assign(targets=[ast.Name(id=member)]) if not member.startswith("_"):
                yield f"{name}.{member} = {ast.unparse(part.value)}"
            case ast.FunctionDef(name=member) if member == "__init__" or not member.startswith("_"):
                marks = [ast.unparse(one).rpartition(".")[2] for one in part.decorator_list]
                kind = "".join(f"@{mark} " for mark in marks)
                yield f"{kind}{name}.{member}{_signature(part)}"


def _definition(found: object) -> ast.stmt:
    return ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]  # type: ignore[arg-type]


def _signature(definition: ast.stmt) -> str:
    assert isinstance(definition, ast.FunctionDef)
    result = f" -> {ast.unparse(definition.returns)}" if definition.returns is not None else ""
    return f"({ast.unparse(definition.args)}){result}"
