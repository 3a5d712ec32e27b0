"""Operators that the algorithms take: a user's helper, or one of Python's operators; and values to begin with."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from gpucore.blocks import reductions
from gpucore.bytecode import chains_in
from gpucore.conversion import components_of, convert_value
from gpucore.errors import ArgumentError
from gpucore.structs import StructDType, fields_of
from gpucore.types import ElementDType


def multiply(a: Any, b: Any) -> Any:
    """The product."""
    return a * b


def _and(a: Any, b: Any) -> Any:
    return a & b


def _or(a: Any, b: Any) -> Any:
    return a | b


def _xor(a: Any, b: Any) -> Any:
    return a ^ b


_HELPERS: dict[Any, Callable[[Any, Any], Any]] = {
    operator.add: reductions.add, operator.mul: multiply, operator.and_: _and, operator.or_: _or, operator.xor: _xor,
}  # fmt: skip
"""Python's operators, which kernels cannot call -> helpers."""


def as_helper(name: str, op: Any, what: str = "a function of two elements first") -> Callable[..., Any]:
    """The helper for an operator. Raises ArgumentError for what is not callable, or cannot be told from others."""
    if not callable(op):
        raise ArgumentError(f"{name} takes {what}, not {op!r:.60}")
    if getattr(op, "__name__", "") == "<lambda>":
        raise ArgumentError(f"{name} takes a function that kernels can call, and this is a lambda; define it with def")
    try:
        hash(op)
    except TypeError:
        raise ArgumentError(
            f"{name} keeps what it compiles for a function by its hash, and {op!r:.60} has none; define it with def"
        ) from None
    for python, helper in _HELPERS.items():
        if op is python:
            return helper
    return op  # type: ignore[no-any-return]  # it is callable


def is_fixed(op: Callable[[Any, Any], Any]) -> bool:
    """Whether a helper does the same in every call: it is gpucore's own, or reads nothing but its arguments."""
    if isinstance(op, BuiltinFunctionType) or str(getattr(op, "__module__", "")).partition(".")[0] == "gpucore":
        return True
    return isinstance(op, FunctionType) and not (op.__defaults__ or op.__kwdefaults__ or chains_in(op.__code__))


def initial_value(initial: Any, dtype: ElementDType) -> Any:
    """The value to begin with as an argument of a kernel; for None some value of the dtype.

    Raises ArgumentError for a value that the dtype cannot hold.
    """
    if isinstance(dtype, StructDType):
        if initial is None:
            return dtype(*(initial_value(None, field.dtype) for field in fields_of(dtype)))
        if not isinstance(initial, dtype):
            raise ArgumentError(f"initial is {initial!r:.60}, and the elements are {dtype!r}")
        return initial
    width = components_of(dtype)
    if not width:
        return convert_value(0 if initial is None else initial, dtype).item()
    parts = [0] * width[0] if initial is None else list(initial)
    if len(parts) != width[0]:
        raise ArgumentError(f"initial has {len(parts)} components, and the elements are {dtype!r}")
    return tuple(convert_value(part, dtype).item() for part in parts)


def key_of(initial: Any) -> Any:
    """What tells a value to begin with from others: each of its numbers exactly, as `repr` of arrays may round them."""
    if isinstance(initial, np.ndarray):
        return initial.dtype.str, initial.shape, initial.tobytes()
    if isinstance(initial, (tuple, list)):
        return tuple(map(key_of, initial))
    kind: object = type(initial)
    if isinstance(kind, StructDType):
        return kind, *(key_of(getattr(initial, field.name)) for field in fields_of(kind))
    return repr(initial)


__all__ = ["as_helper", "initial_value", "is_fixed", "key_of", "multiply"]
