"""Atomic functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gpucore.ir import FLOAT_ATOMICS, AtomicOp
from gpucore.lang.outside import kernel_only

_F = TypeVar("_F", bound=Callable[..., Any])

ATOMICS: dict[str, Callable[..., Any]] = {}
"""They, by the name of the operation."""


def _atomic(function: _F) -> _F:
    name = function.__name__.removeprefix("atomic_")
    function = ATOMICS[name] = kernel_only(function)
    types = "i32, u32 and f32" if AtomicOp(name) in FLOAT_ATOMICS else "i32 and u32"
    types += ", and i64 and u64 if the device has the capability ATOMIC_INT64"
    function.__doc__ = f"{function.__doc__}\n\nFor elements of buffers and workgroup arrays, of {types}."
    return function


@_atomic
def atomic_load(array: Any, index: Any, /) -> Any:
    """The element."""


@_atomic
def atomic_store(array: Any, index: Any, value: Any, /) -> None:
    """Store `value` in the element."""


@_atomic
def atomic_add(array: Any, index: Any, value: Any, /) -> Any:
    """Add `value` to the element, and return its old value."""


@_atomic
def atomic_sub(array: Any, index: Any, value: Any, /) -> Any:
    """Subtract `value` from the element, and return its old value."""


@_atomic
def atomic_min(array: Any, index: Any, value: Any, /) -> Any:
    """Store the smaller of the element and `value`, and return its old value."""


@_atomic
def atomic_max(array: Any, index: Any, value: Any, /) -> Any:
    """Store the larger of the element and `value`, and return its old value."""


@_atomic
def atomic_and(array: Any, index: Any, value: Any, /) -> Any:
    """Store the element & `value`, and return its old value."""


@_atomic
def atomic_or(array: Any, index: Any, value: Any, /) -> Any:
    """Store the element | `value`, and return its old value."""


@_atomic
def atomic_xor(array: Any, index: Any, value: Any, /) -> Any:
    """Store the element ^ `value`, and return its old value."""


@_atomic
def atomic_exchange(array: Any, index: Any, value: Any, /) -> Any:
    """Store `value` in the element, and return its old value."""


@_atomic
def atomic_compare_exchange(array: Any, index: Any, expected: Any, value: Any, /) -> Any:
    """Store `value` if the element is `expected`, and return its old value."""
