"""The error of the language's functions outside of kernels."""

from __future__ import annotations

from typing import NoReturn

from gpucore.errors import KernelOnlyError


def outside(name: str) -> NoReturn:
    """Raise KernelOnlyError for a call of `gp.<name>`."""
    raise KernelOnlyError(
        f"gp.{name} can only be used inside a kernel (a function decorated with @gp.kernel, or one that it calls)"
    )
