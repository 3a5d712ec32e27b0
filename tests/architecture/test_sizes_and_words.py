"""Sizes of files and functions, and words that may not stand in some places."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from source_tree import CORE, ROOT, name_of, parsed, product_files, python_files

FILE_LINES, FUNCTION_LINES = 500, 60
TARGETS = re.compile(r"\b(cuda|wgsl|opencl|metal|vulkan|spirv|spir-v|nvidia|llvm|ptx|hlsl|dx12)\b", re.IGNORECASE)
DRIVERS = re.compile(r"pocl|mesa|lavapipe|llvmpipe|swiftshader|naga|nvrtc|nvidia", re.IGNORECASE)
MODULE_NAMES_REFUSED = {"utils", "util", "helpers", "helper", "base", "common", "misc"}


def test_files_are_short() -> None:
    lines = {name_of(path): len(path.read_text().splitlines()) for path in python_files()}
    assert len(lines) > 100
    assert {name: count for name, count in lines.items() if count >= FILE_LINES} == {}


def test_functions_are_short() -> None:
    long = {}
    for path in python_files():
        for node in ast.walk(parsed(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                count = (node.end_lineno or node.lineno) - node.lineno + 1
                if count >= FUNCTION_LINES:
                    long[f"{name_of(path)}:{node.lineno} {node.name}"] = count
    assert long == {}


def test_no_module_is_a_drawer() -> None:
    assert [name_of(path) for path in python_files() if path.stem in MODULE_NAMES_REFUSED] == []


def test_modules_that_tests_share_have_names_of_their_own() -> None:
    """Each test folder is put on the path, so of two modules with one name the first would be imported everywhere."""
    stems = Counter(
        path.stem
        for path in python_files(ROOT / "tests")
        if not path.stem.startswith("test_") and path.stem != "conftest"
    )
    assert [stem for stem, count in stems.items() if count > 1] == []


@pytest.mark.parametrize("folder", ["ir", "front", "passes", "valid", "back"])
def test_the_compiler_names_no_target(folder: str) -> None:
    """A dialect is data in its plugin. An emitter of a binary form, which several plugins and files share, is a folder
    of `back` with the name of the form, and names it."""
    found = _lines_with(TARGETS, CORE / folder)
    assert [line for line in found if not _is_named(line)] == []


def _is_named(line: str) -> bool:
    """Whether a line in the folder of a binary form names that form alone, or the API whose modules these are."""
    place, _, text = line.partition(" ")
    words = {word.lower() for word in TARGETS.findall(text)}
    return place.startswith("core/src/gpucore/back/spirv/") and words <= {"spirv", "spir-v", "vulkan"}


def test_core_names_no_driver() -> None:
    """A driver's defect is worked around in the plugin that meets it."""
    assert _lines_with(DRIVERS, CORE) == []


def test_algorithms_name_no_target() -> None:
    """No text of kernels in another language, no branch by backend: they use what a user has."""
    strings = []
    for path in python_files(CORE / "algorithms"):
        tree = parsed(path)
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docstrings
                and TARGETS.search(node.value)
            ):
                strings.append(f"{name_of(path)}:{node.lineno} {node.value!r}")
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        strings += [
            f"{name_of(path)} .{name}" for name in sorted(names & {"backend", "native", "language", "driver_device"})
        ]
    assert strings == []


def _lines_with(words: re.Pattern[str], folder: Path) -> list[str]:
    found = []
    for path in python_files(folder):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if words.search(line):
                found.append(f"{name_of(path)}:{number} {line.strip()}")
    return found


def test_every_module_has_a_docstring_and_annotations_of_the_future() -> None:
    missing = []
    for path in product_files():
        tree = parsed(path)
        if not ast.get_docstring(tree):
            missing.append(f"{name_of(path)}: no docstring")
        future = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
        defines = any(isinstance(node, (ast.FunctionDef, ast.ClassDef)) for node in ast.walk(tree))
        if defines and not future:
            missing.append(f"{name_of(path)}: no `from __future__ import annotations`")
    assert missing == []


def test_only_validation_makes_valid_modules() -> None:
    makers = {
        name_of(path)
        for path in product_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("make_valid_module")
    }
    assert makers == {"core/src/gpucore/valid/validation.py"}
