"""The methods of arrays that reduce or scan them.

Their kernels are defined above the compiler, which uses arrays, and registered here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpucore.errors import ArgumentError

_registered: dict[str, Callable[..., Any]] = {}


def register_reductions(functions: Mapping[str, Callable[..., Any]]) -> None:
    """Set what the methods call, by their names."""
    _registered.update(functions)


def _run(name: str, array: Any, out: object, **options: Any) -> Any:
    if out is not None:
        raise ArgumentError(f"{name} of a device array makes a new array; out= is for NumPy's arrays")
    return _registered[name](array, **options)


class Reductions:
    """Methods named as NumPy's, which NumPy's functions call: `np.sum(x)` of a device array is `x.sum()`."""

    __slots__ = ()

    def sum(self, axis: Any = None, dtype: object = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.sum(x, axis, dtype=dtype, keepdims=keepdims)`."""
        return _run("sum", self, out, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(self, axis: Any = None, dtype: object = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.prod(x, axis, dtype=dtype, keepdims=keepdims)`."""
        return _run("prod", self, out, axis=axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Any = None, dtype: object = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.mean(x, axis, dtype=dtype, keepdims=keepdims)`."""
        return _run("mean", self, out, axis=axis, dtype=dtype, keepdims=keepdims)

    def min(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.min(x, axis=axis, keepdims=keepdims)`."""
        return _run("min", self, out, axis=axis, keepdims=keepdims)

    def max(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.max(x, axis=axis, keepdims=keepdims)`."""
        return _run("max", self, out, axis=axis, keepdims=keepdims)

    def any(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.any(x, axis=axis, keepdims=keepdims)`."""
        return _run("any", self, out, axis=axis, keepdims=keepdims)

    def all(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.all(x, axis=axis, keepdims=keepdims)`."""
        return _run("all", self, out, axis=axis, keepdims=keepdims)

    def argmin(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.argmin(x, axis, keepdims=keepdims)`."""
        return _run("argmin", self, out, axis=axis, keepdims=keepdims)

    def argmax(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """`gp.argmax(x, axis, keepdims=keepdims)`."""
        return _run("argmax", self, out, axis=axis, keepdims=keepdims)

    def cumsum(self, axis: Any = None, dtype: object = None, out: None = None) -> Any:
        """`gp.cumsum(x, axis, dtype=dtype)`."""
        return _run("cumsum", self, out, axis=axis, dtype=dtype)

    def cumprod(self, axis: Any = None, dtype: object = None, out: None = None) -> Any:
        """`gp.cumprod(x, axis, dtype=dtype)`."""
        return _run("cumprod", self, out, axis=axis, dtype=dtype)

    def nonzero(self) -> Any:
        """`gp.nonzero(x)`."""
        return _run("nonzero", self, None)
