"""The operators of arrays, and what runs their kernels.

The compiler uses arrays, so the kernels for them are defined above it, and registered here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar

from gpucore.immutable import Immutable
from gpucore.types import ElementDType

A = TypeVar("A")


class ArrayKernels(Immutable):
    """The operations on arrays that run kernels."""

    assign: Callable[..., None]  # (target, region, values[, part]): store the array `values` in the region
    copied: Callable[..., Any]  # (source, region[, part]): a new array of the elements of the region, or of a field
    convert: Callable[[Any, ElementDType], Any]  # (source, dtype): a new array of another dtype
    operate: Callable[..., Any]  # (text, x[, y]): a new array; NotImplemented if y is neither an array nor a number
    apply: Callable[[Callable[..., Any], tuple[Any, ...]], Any]  # (function of the kernel language, args): a new array


_registered: list[ArrayKernels] = []


def register_kernels(kernels: ArrayKernels) -> None:
    """Set what the methods of arrays call."""
    _registered[:] = [kernels]


def kernels() -> ArrayKernels:
    """What the methods of arrays call."""
    return _registered[0]


def _operate(text: str, x: A, *others: Any) -> A:
    made: A = kernels().operate(text, x, *others)
    return made


def _in_place(array: A, text: str, other: Any) -> A:
    written: Any = array
    made = _operate(text, array, other)
    if made is not NotImplemented:
        written[...] = made
        return array
    return made


class Operators:
    """Operators of whole arrays, element by element, with other arrays and with numbers.

    Each runs one kernel, which is compiled once for each combination of types. Arrays are repeated as NumPy broadcasts.
    A Python number takes the array's dtype, which it must fit; nothing else is converted. Comparisons give u32: 1 where
    they hold, else 0.
    """

    __slots__ = ()

    __array_ufunc__ = None  # NumPy's operators leave those with a device array to it
    __hash__ = object.__hash__  # by identity

    def __add__(self, other: Any) -> Self:
        return _operate("x + y", self, other)

    def __radd__(self, other: Any) -> Self:
        return _operate("y + x", self, other)

    def __iadd__(self, other: Any) -> Self:
        return _in_place(self, "x + y", other)

    def __sub__(self, other: Any) -> Self:
        return _operate("x - y", self, other)

    def __rsub__(self, other: Any) -> Self:
        return _operate("y - x", self, other)

    def __isub__(self, other: Any) -> Self:
        return _in_place(self, "x - y", other)

    def __mul__(self, other: Any) -> Self:
        return _operate("x * y", self, other)

    def __rmul__(self, other: Any) -> Self:
        return _operate("y * x", self, other)

    def __imul__(self, other: Any) -> Self:
        return _in_place(self, "x * y", other)

    def __truediv__(self, other: Any) -> Self:
        return _operate("x / y", self, other)

    def __rtruediv__(self, other: Any) -> Self:
        return _operate("y / x", self, other)

    def __itruediv__(self, other: Any) -> Self:
        return _in_place(self, "x / y", other)

    def __floordiv__(self, other: Any) -> Self:
        return _operate("x // y", self, other)

    def __rfloordiv__(self, other: Any) -> Self:
        return _operate("y // x", self, other)

    def __ifloordiv__(self, other: Any) -> Self:
        return _in_place(self, "x // y", other)

    def __mod__(self, other: Any) -> Self:
        return _operate("x % y", self, other)

    def __rmod__(self, other: Any) -> Self:
        return _operate("y % x", self, other)

    def __imod__(self, other: Any) -> Self:
        return _in_place(self, "x % y", other)

    def __pow__(self, other: Any) -> Self:
        return _operate("x ** y", self, other)

    def __rpow__(self, other: Any) -> Self:
        return _operate("y ** x", self, other)

    def __ipow__(self, other: Any) -> Self:
        return _in_place(self, "x ** y", other)

    def __and__(self, other: Any) -> Self:
        return _operate("x & y", self, other)

    def __rand__(self, other: Any) -> Self:
        return _operate("y & x", self, other)

    def __iand__(self, other: Any) -> Self:
        return _in_place(self, "x & y", other)

    def __or__(self, other: Any) -> Self:
        return _operate("x | y", self, other)

    def __ror__(self, other: Any) -> Self:
        return _operate("y | x", self, other)

    def __ior__(self, other: Any) -> Self:
        return _in_place(self, "x | y", other)

    def __xor__(self, other: Any) -> Self:
        return _operate("x ^ y", self, other)

    def __rxor__(self, other: Any) -> Self:
        return _operate("y ^ x", self, other)

    def __ixor__(self, other: Any) -> Self:
        return _in_place(self, "x ^ y", other)

    def __lshift__(self, other: Any) -> Self:
        return _operate("x << y", self, other)

    def __rlshift__(self, other: Any) -> Self:
        return _operate("y << x", self, other)

    def __ilshift__(self, other: Any) -> Self:
        return _in_place(self, "x << y", other)

    def __rshift__(self, other: Any) -> Self:
        return _operate("x >> y", self, other)

    def __rrshift__(self, other: Any) -> Self:
        return _operate("y >> x", self, other)

    def __irshift__(self, other: Any) -> Self:
        return _in_place(self, "x >> y", other)

    def __eq__(self, other: Any) -> Self:  # type: ignore[override]  # an array, as NumPy's
        return _operate("x == y", self, other)

    def __ne__(self, other: Any) -> Self:  # type: ignore[override]  # an array, as NumPy's
        return _operate("x != y", self, other)

    def __lt__(self, other: Any) -> Self:
        return _operate("x < y", self, other)

    def __le__(self, other: Any) -> Self:
        return _operate("x <= y", self, other)

    def __gt__(self, other: Any) -> Self:
        return _operate("x > y", self, other)

    def __ge__(self, other: Any) -> Self:
        return _operate("x >= y", self, other)

    def __neg__(self) -> Self:
        return _operate("-x", self)

    def __abs__(self) -> Self:
        return _operate("abs(x)", self)

    def __invert__(self) -> Self:
        raise TypeError(
            "~ of a whole array could mean its bits or a mask: write x ^ y for bits, and mask == 0 for the opposite of "
            "a mask of ones and zeros"
        )

    @staticmethod
    def apply_function(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """A function of the kernel language, called on the host with an array among its arguments."""
        return kernels().apply(function, args)
