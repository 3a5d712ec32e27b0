"""Public names of helpers in the kernel language."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from gpucore.host import in_kernels
from gpucore.lang.outside import outside

_F = TypeVar("_F", bound=Callable[..., Any])


def public(helper: Callable[..., Any]) -> Callable[[_F], _F]:
    """Decorator for the public name of a helper: outside of kernels its call is an error."""

    def mark(function: _F) -> _F:
        @in_kernels(helper)
        @functools.wraps(function)
        def on_host(*args: Any, **options: Any) -> None:
            outside(function.__name__)

        return on_host  # type: ignore[return-value]  # it has the signature of the function

    return mark
