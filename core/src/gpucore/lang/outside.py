"""The error of the language's functions outside of kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from gpucore.errors import KernelOnlyError

_F = TypeVar("_F", bound=Callable[..., Any])


def outside(name: str) -> NoReturn:
    """Raise KernelOnlyError for a call of `gp.<name>`."""
    raise KernelOnlyError(
        f"gp.{name} can only be used inside a kernel (a function decorated with @gp.kernel, or one that it calls)"
    )


def kernel_only(function: _F) -> _F:
    """Decorator for a function that has a docstring alone: its calls raise KernelOnlyError."""

    @functools.wraps(function)
    def on_host(*args: Any) -> NoReturn:
        outside(function.__name__)

    return on_host  # type: ignore[return-value]  # it has the signature of the function
