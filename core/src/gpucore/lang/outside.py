"""The error of the language's functions outside of kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from gpucore.errors import KernelOnlyError
from gpucore.host import in_kernels

_F = TypeVar("_F", bound=Callable[..., Any])


_OF_ARRAYS = {"select": "gp.where(condition, x, y)", "bitcast": "x.view(dtype)"}
"""Function -> what to write for whole arrays, which it does not take."""


def outside(name: str) -> NoReturn:
    """Raise KernelOnlyError for a call of `gp.<name>`."""
    fix = f"; for whole arrays write {_OF_ARRAYS[name]}" if name in _OF_ARRAYS else ""
    raise KernelOnlyError(
        f"gp.{name} can only be used inside a kernel (a function decorated with @gp.kernel, or one that it calls){fix}"
    )


def kernel_only(function: _F) -> _F:
    """Decorator for a function that has a docstring alone: its calls raise KernelOnlyError."""

    @functools.wraps(function)
    def on_host(*args: Any, **options: Any) -> NoReturn:
        outside(function.__name__)

    return on_host  # type: ignore[return-value]  # it has the signature of the function


def in_kernels_only(helper: _F) -> _F:
    """Decorator for a helper that is a name of gpucore: outside of kernels its calls raise KernelOnlyError."""

    @in_kernels(helper)
    @functools.wraps(helper)
    def on_host(*args: Any, **options: Any) -> NoReturn:
        outside(helper.__name__)

    return on_host  # type: ignore[return-value]  # it has the signature of the helper
