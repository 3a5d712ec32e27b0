"""Modules of kernels for no device, and the tools that read them: of the package spirv-tools."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gpucore as gp
from gpucore import compiler
from gpucore.offline.spirv import SpirvBackend
from gpucore.plugin import spirv
from gpucore.runtime import Source

ENVIRONMENT = "vulkan1.1"


def source_of(kernel: gp.Kernel, bindings: Mapping[str, Any] | None = None, *, debug: bool = False) -> Source:
    """The module of a kernel, for any device."""
    target = compiler.Target.for_backend(SpirvBackend())
    return compiler.emit_for(target, kernel.lower(debug=debug, **(bindings or {})), debug=debug)


def words_of(source: Source) -> bytes:
    return spirv.Binary.of(source).words


def has_validator() -> bool:
    return shutil.which("spirv-val") is not None


def refusal(words: bytes, path: Path) -> str:
    """What the validator says against a module; nothing if it accepts it."""
    path.write_bytes(words)
    done = subprocess.run(
        ["spirv-val", "--target-env", ENVIRONMENT, str(path)], capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr or f"status {done.returncode}"


def validate_all(modules: Mapping[str, bytes], folder: Path) -> dict[str, str]:
    """What the validator says against modules, by their names; those with the same words are read once."""
    if not has_validator():
        return {}
    unique = {words: name for name, words in modules.items()}
    paths = [folder / f"{number}.spv" for number in range(len(unique))]
    with ThreadPoolExecutor(2) as threads:
        found = threads.map(refusal, unique, paths)
        return {name: text for name, text in zip(unique.values(), found, strict=True) if text}
