"""The repository's files as the tests of its architecture see them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core" / "src" / "gpucore"
PLUGINS = ("cpu", "wgpu", "opencl", "cuda")
EXAMPLES = ("vulkan",)
"""Plugins that show how one is written. Core names none of them."""
DISTRIBUTIONS = {
    "gpucore": ROOT / "core",
    "gpucore-dask": ROOT / "scale",
    **{f"gpucore-{name}": ROOT / "plugins" / f"{name}_backend" for name in PLUGINS},
    **{f"gpucore-{name}": ROOT / "examples" / "plugins" / f"{name}_backend" for name in EXAMPLES},
}
"""Name of a distribution -> its folder."""

_NOT_OURS = {
    ".venv", ".git", ".gpu", ".fuzz", "build", "_build", "dist", "__pycache__", "node_modules", ".translate", ".web"
}  # fmt: skip


def package(distribution: str) -> Path:
    """The folder of a distribution's import package."""
    return DISTRIBUTIONS[distribution] / "src" / distribution.replace("-", "_")


def python_files(folder: Path = ROOT) -> Iterator[Path]:
    """Every Python file below a folder, but those of environments, caches and expected outputs."""
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(ROOT).parts
        if not _NOT_OURS & set(parts) and "expected" not in parts:
            yield path


def product_files() -> Iterator[Path]:
    """Every Python file of the distributions."""
    for folder in DISTRIBUTIONS.values():
        yield from python_files(folder / "src")


@functools.cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(), str(path))


def name_of(path: Path) -> str:
    """The path as messages show it."""
    return path.relative_to(ROOT).as_posix()
