"""The marker of functions and classes for the host only: a kernel that calls one gets an error that says so."""

from __future__ import annotations

from typing import Any, TypeVar

_T = TypeVar("_T", bound=Any)


def host_only(thing: _T) -> _T:
    """Decorator for functions, and for classes whose instances are called, that kernels cannot call."""
    thing.__gpucore_host_only__ = True
    return thing


def is_host_only(thing: Any) -> bool:
    """Whether a function or an object is marked."""
    return bool(getattr(thing, "__gpucore_host_only__", False))
