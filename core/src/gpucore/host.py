"""Markers of functions and classes: what a kernel that calls one gets: an error that says so, a helper, a vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T", bound=Any)


def host_only(thing: _T) -> _T:
    """Decorator for functions, and for classes whose instances are called, that kernels cannot call."""
    thing.__gpucore_host_only__ = True
    return thing


def in_kernels(helper: Callable[..., Any]) -> Callable[[_T], _T]:
    """Decorator for a function for the host that means `helper` where a kernel calls it."""

    def mark(function: _T) -> _T:
        function.__gpucore_in_kernels__ = helper
        return host_only(function)

    return mark


def by_component(helper: _T) -> _T:
    """Decorator for a helper of one u32 that takes a vector of u32 too, and gives the vector of its results."""
    helper.__gpucore_by_component__ = True
    return helper


def is_by_component(thing: Any) -> bool:
    """Whether a function is a helper decorated with `by_component`."""
    return bool(getattr(thing, "__gpucore_by_component__", False))


def as_in_kernels(thing: Any) -> Any:
    """What a function or an object means in a kernel: itself, unless it is decorated with `in_kernels`."""
    return getattr(thing, "__gpucore_in_kernels__", thing)


def is_host_only(thing: Any) -> bool:
    """Whether a function or an object is marked."""
    return bool(getattr(thing, "__gpucore_host_only__", False))
