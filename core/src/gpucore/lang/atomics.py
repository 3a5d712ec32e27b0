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
    types = "i32 and u32 (i64 and u64 if the device has the capability ATOMIC_INT64"
    types += "; f32)" if AtomicOp(name) in FLOAT_ATOMICS else ")"
    function.__doc__ = f"{function.__doc__} On {types} in buffers and workgroup arrays. Returns the old value."
    return function


@_atomic
def atomic_load(array: Any, index: Any, /) -> Any:
    """atomic_load(array, index): read."""


@_atomic
def atomic_store(array: Any, index: Any, value: Any, /) -> None:
    """atomic_store(array, index, value): write; returns nothing."""


@_atomic
def atomic_add(array: Any, index: Any, value: Any, /) -> Any:
    """atomic_add(array, index, value)."""


@_atomic
def atomic_sub(array: Any, index: Any, value: Any, /) -> Any:
    """atomic_sub(array, index, value)."""


@_atomic
def atomic_min(array: Any, index: Any, value: Any, /) -> Any:
    """atomic_min(array, index, value)."""


@_atomic
def atomic_max(array: Any, index: Any, value: Any, /) -> Any:
    """atomic_max(array, index, value)."""


@_atomic
def atomic_and(array: Any, index: Any, value: Any, /) -> Any:
    """atomic_and(array, index, value)."""


@_atomic
def atomic_or(array: Any, index: Any, value: Any, /) -> Any:
    """atomic_or(array, index, value)."""


@_atomic
def atomic_xor(array: Any, index: Any, value: Any, /) -> Any:
    """atomic_xor(array, index, value)."""


@_atomic
def atomic_exchange(array: Any, index: Any, value: Any, /) -> Any:
    """atomic_exchange(array, index, value)."""


@_atomic
def atomic_compare_exchange(array: Any, index: Any, expected: Any, value: Any, /) -> Any:
    """atomic_compare_exchange(array, index, expected, value): store value if the element is expected."""
