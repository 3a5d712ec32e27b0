"""The Python binding of CUDA's driver: pycuda, or NVIDIA's cuda-bindings where pycuda is not installed."""

from __future__ import annotations

import importlib
import os
import shutil
from pathlib import Path
from typing import Any

from gpucore.plugin import BackendUnavailableError
from gpucore_cuda.nvidia_binding import NvidiaBinding

_MODULES = {"pycuda": "pycuda.driver", "cuda-bindings": "cuda.bindings.driver"}  # in order of preference


def load_binding() -> Any:
    """The module pycuda.driver, or what stands for it. Raises BackendUnavailableError if neither can be imported."""
    reasons = []
    for distribution, name in _MODULES.items():
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            reasons.append(f"{distribution}: {error}")
        else:
            return module if distribution == "pycuda" else NvidiaBinding(module)
    raise BackendUnavailableError(f"neither pycuda nor cuda-bindings can be imported ({'; '.join(reasons)})")


def advice() -> str:
    """How to install a binding on this machine: pycuda is built with a compiler and CUDA's headers."""
    if _has_toolkit():
        return "pip install pycuda, or pip install cuda-bindings, which is not compiled"
    return "pip install cuda-bindings"


def _has_toolkit() -> bool:
    roots = [os.environ.get("CUDA_ROOT"), os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    has_headers = any((Path(root) / "include" / "cuda.h").is_file() for root in roots if root)
    return has_headers and any(shutil.which(compiler) for compiler in ("c++", "g++", "clang++", "cl"))
