"""The functions of the C library that generated code may call, and how an entry is called."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Mapping

ENTRY_TYPE = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32,
    ctypes.c_int64, ctypes.c_int64,
)  # fmt: skip
"""The entry that `emit` describes."""

# External functions that generated code may call: what LLVM's intrinsics are lowered to, and what emit names.
_MATH_NAMES = (
    "exp", "exp2", "log", "log2", "pow", "sin", "cos", "sincos", "tan", "asin", "acos", "atan", "atan2", "sinh",
    "cosh", "tanh", "fma", "floor", "ceil", "trunc", "rint", "roundeven", "nearbyint", "ldexp", "fmin", "fmax",
    "fmod", "sqrt", "cbrt", "exp10", "erf",
)  # fmt: skip
_C_NAMES = ("memset", "memcpy", "memmove", "bzero", "__sincosf_stret", "__sincos_stret")
NAMES = (*_MATH_NAMES, *(f"{name}f" for name in _MATH_NAMES), *_C_NAMES)


@functools.cache
def addresses() -> Mapping[str, int]:
    """Addresses of the functions that this machine has."""
    libraries = [library for name in _library_names() if (library := _open(name)) is not None]
    found: dict[str, int] = {}
    for name in NAMES:
        for library in libraries:
            function = getattr(library, name, None)
            if function is not None:
                found[name] = ctypes.cast(function, ctypes.c_void_p).value or 0
                break
    return found


def _library_names() -> tuple[str | None, ...]:
    """Possible paths of the C library; None stands for the libraries already loaded."""
    if os.name == "nt":
        return ("ucrtbase.dll", "msvcrt.dll")
    if sys.platform == "darwin":
        return ("/usr/lib/libSystem.B.dylib",)
    return ("libm.so.6", None)


def _open(name: str | None) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None
