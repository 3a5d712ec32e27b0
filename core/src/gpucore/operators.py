"""The operators of arrays, and what runs their kernels.

The compiler uses arrays, so the kernels for them are defined above it, and registered here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NoReturn, Self, TypeVar

import numpy as np

from gpucore.errors import ArgumentError
from gpucore.host_words import numpy_advice
from gpucore.immutable import Immutable
from gpucore.indexing import choose_part, shown
from gpucore.types import ElementDType

A = TypeVar("A")

_SYMBOLS: dict[Any, str] = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.true_divide: "/", np.floor_divide: "//", np.remainder: "%",
    np.power: "**", np.bitwise_and: "&", np.bitwise_or: "|", np.bitwise_xor: "^", np.left_shift: "<<",
    np.right_shift: ">>", np.equal: "==", np.not_equal: "!=", np.less: "<", np.less_equal: "<=", np.greater: ">",
    np.greater_equal: ">=",
}  # fmt: skip
"""NumPy's functions for operators."""


class ArrayKernels(Immutable):
    """The operations on arrays that run kernels."""

    assign: Callable[..., None]  # (target, region, values[, part]): store the array `values` in the region
    copied: Callable[..., Any]  # (source, region[, part]): a new array of the elements of the region, or of a field
    convert: Callable[[Any, ElementDType], Any]  # (source, dtype): a new array of another dtype
    operate: Callable[..., Any]  # (text, x[, y]): a new array; NotImplemented if y is neither an array nor a number
    apply: Callable[[Callable[..., Any], tuple[Any, ...]], Any]  # (function of the kernel language, args): a new array


_registered: list[ArrayKernels] = []
_products: list[Callable[[Any, Any], Any]] = []


def register_kernels(kernels: ArrayKernels) -> None:
    """Set what the methods of arrays call."""
    _registered[:] = [kernels]


def register_product(multiply: Callable[[Any, Any], Any]) -> None:
    """Set what `x @ y` calls."""
    _products[:] = [multiply]


def kernels() -> ArrayKernels:
    """What the methods of arrays call."""
    return _registered[0]


def _operate(text: str, x: A, *others: Any) -> A:
    made: A = kernels().operate(text, x, *others)
    return made


def _in_place(array: A, text: str, other: Any) -> A:
    written: Any = array
    result = _operate(text, array, other)
    if result is NotImplemented:
        return result
    made: Any = result
    if made.dtype is not written.dtype:
        symbol, fix = text.split()[1], f"write x = {text}"
        if made.dtype.width == 1 == written.dtype.width:
            fix += f", or to convert it x[...] = ({text}).astype(gp.{written.dtype.ir_type})"
        raise ArgumentError(f"x {symbol}= y: {text} is {made.dtype!r}, and x holds {written.dtype!r}; {fix}")
    written[...] = made
    return array


class Operators:
    """Operators of whole arrays, element by element, with other arrays and with numbers.

    Each runs one kernel, which is compiled once for each combination of types. Arrays are repeated as NumPy broadcasts.
    A Python number takes the array's dtype, which it must fit; nothing else is converted. Comparisons give u32: 1 where
    they hold, else 0. In-place operators such as `x += y` store in x, and keep its dtype.
    `x @ y` is `gp.matmul(x, y)`.

    Raises ArgumentError for arrays of different devices, for shapes that cannot be broadcast together, for a NumPy
    array, and for a number that does not fit; CompileError for operands that a kernel could not combine.
    """

    __slots__ = ()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Called by NumPy's operators and functions: operators of a NumPy number and an array are the array's."""
        is_plain = method == "__call__" and not options
        if is_plain and ufunc is np.matmul:
            return _products[0](*inputs)  # raises
        symbol = _SYMBOLS.get(ufunc)
        if symbol is None or not is_plain:
            raise TypeError(numpy_advice(ufunc.__name__, method))
        x, y = inputs
        other = y if x is self else x
        return _operate(f"x {symbol} y" if x is self else f"y {symbol} x", self, other)

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

    def __matmul__(self, other: Any) -> Self:
        made: Self = _products[0](self, other)
        return made

    def __rmatmul__(self, other: Any) -> Self:
        made: Self = _products[0](other, self)
        return made

    def __imatmul__(self, other: Any) -> Self:
        written: Any = self
        made: Any = self @ other
        if made.shape != written.shape:  # an assignment would repeat it
            raise ArgumentError(f"x @= y: x @ y has the shape {made.shape}, and x has {written.shape}; write x = x @ y")
        written[...] = made
        return self

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


class Copied(Generic[A]):
    """The result of `x.copied`."""

    __slots__ = ("_array",)

    def __init__(self, array: A) -> None:
        self._array = array

    def __getitem__(self, key: Any) -> A:
        array: Any = self._array
        array.check_open()
        made: A = kernels().copied(array, *choose_part(array.shape, array.dtype, key))
        return made

    def __setitem__(self, key: Any, values: object) -> NoReturn:
        at = shown(key)
        raise TypeError(
            f"x.copied[{at}] is a copy, so nothing can be stored to x through it; write x[{at}] = ..., as in x[{at}] = "
            f"x.copied[{at}] + 1"
        )
