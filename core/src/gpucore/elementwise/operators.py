"""Operators and functions of whole arrays."""

from __future__ import annotations

import ast
import inspect
import keyword
import types
from collections.abc import Callable
from typing import Any

from gpucore.array import Array
from gpucore.elementwise.explained import OWN, letters
from gpucore.elementwise.expressions import TYPES, Expression, number_beside
from gpucore.errors import ArgumentError
from gpucore.front.text.source import check_kernel
from gpucore.host import host_only
from gpucore.types import ElementDType

_LIBRARIES = {"gp", "math", "np", "numpy", "cp", "cupy"}  # the compiler says what to write for the last four
_MAX_EXPONENT = 16  # of x ** n with a known n


def operate(text: str, x: Any, *others: Any) -> Any:
    """An expression of x, an array, and of y, if there is one: a new array."""
    if not others:
        return Expression(text, ("x",), text)(x)
    (y,) = others
    if text == "x ** y" and type(y) is int and 0 <= y <= _MAX_EXPONENT:
        return Expression(f"x ** {y}", ("x",), f"x ** {y}")(x)
    is_operand = isinstance(y, (Array, int, float, list, tuple)) or hasattr(y, "dtype")
    return Expression(text, ("x", "y"), text)(x, y) if is_operand else NotImplemented


def apply(function: Callable[..., Any], args: tuple[Any, ...]) -> Array:
    """A function of the kernel language, of arrays and numbers."""
    names = tuple(letters(len(args)))
    text = f"gp.{function.__name__}({', '.join(names)})"
    return Expression(text, names, text)(*args)


_WHERE = Expression("x if condition != 0 else y", ("condition", "x", "y"), "gp.where(condition, x, y)")


@host_only
def where(condition: Any, x: Any, y: Any) -> Array:
    """x where the condition is not 0, else y, of device arrays and numbers: a new array. In a kernel, use gp.select.

    The condition is what a comparison gives, or any array of numbers. Arrays are repeated as NumPy broadcasts. x and y
    have one dtype, which is that of the result; a Python number takes that of the other one, and two numbers give i32
    or f32.

    Raises ArgumentError for arrays of different devices, shapes that cannot be broadcast together, and a number that
    does not fit; CompileError for x and y of two dtypes.
    """
    beside = next((each.dtype for each in (x, y) if isinstance(each, Array)), None)
    if beside is None and isinstance(x, int) and isinstance(y, float):
        x = float(x)
    if beside is None and isinstance(x, float) and isinstance(y, int):
        y = float(y)
    return _WHERE(condition, _typed(x, beside), _typed(y, beside))


def _typed(value: Any, beside: ElementDType | None) -> Any:
    """A number as a NumPy scalar, so that it does not take the dtype of the condition."""
    if isinstance(value, Array):
        return value
    dtype, number = number_beside(value, beside)
    return dtype.dtype.type(number)


class Elementwise:
    """An expression of arrays. See `gp.elementwise`."""

    def __init__(self, expression: Expression, doc: str | None = None) -> None:
        self._expression = expression
        self.__doc__ = doc or f"The elementwise expression {expression.text}."

    def __call__(self, *args: Any, **keywords: Any) -> Array:
        """Compute it for arrays and numbers: a new array on their device."""
        names = self._expression.names
        if len(args) > len(names):
            raise ArgumentError(f"`{self._expression.text}` takes {len(names)} arguments, not {len(args)}")
        given = dict(zip(names, args, strict=False))
        for name, value in keywords.items():
            if name not in names or name in given:
                what = "is given twice" if name in names else f"is not one of ({', '.join(names)})"
                raise ArgumentError(f"`{self._expression.text}`: the argument {name!r} {what}")
            given[name] = value
        missing = [name for name in names if name not in given]
        if missing:
            raise ArgumentError(
                f"`{self._expression.text}` lacks the arguments {', '.join(missing)}; it takes ({', '.join(names)})"
            )
        return self._expression(*(given[name] for name in names))

    def __repr__(self) -> str:
        return f"<gpucore elementwise {self._expression.text}: ({', '.join(self._expression.names)})>"


@host_only
def elementwise(what: str | Callable[..., Any]) -> Elementwise:
    """A function of whole arrays from an expression:

        axpy = gp.elementwise("a*x + y")  # its names, in order of appearance, are the arguments
        z = axpy(2.0, gp.ones(4), gp.ones(4))

    Or a decorator for a function of elements:

        @gp.elementwise
        def smoothstep(t):
            return t * t * (3.0 - 2.0 * t)

    Calls take device arrays, at least one, and numbers, by position or by name, and give a new array of the dtype of
    the expression (u32, 1 or 0, for a comparison); arrays are repeated as NumPy broadcasts. One kernel runs, which is
    compiled once for each combination of types. The text is in the kernel language, whose functions and types
    may be written with or without gp, and has where(c, a, b). A function has a `def`.

    Raises ArgumentError for a text that is not an expression. Calls raise ArgumentError for wrong arguments, and
    CompileError for types that do not match.
    """
    if isinstance(what, str):
        return Elementwise(Expression(what.strip(), _names_in(what), None))
    if not isinstance(what, types.FunctionType):
        raise ArgumentError(f"gp.elementwise takes an expression or a function, not {what!r:.60}")
    if what.__name__ == "<lambda>":
        raise ArgumentError('gp.elementwise takes a text, as in gp.elementwise("a + 1"), or a function with def, not a '
                            "lambda, whose text Python does not keep by itself")  # fmt: skip
    check_kernel(what)
    parameters = inspect.signature(what).parameters.values()
    if any(each.kind is not each.POSITIONAL_OR_KEYWORD or each.default is not each.empty for each in parameters):
        raise ArgumentError(f"{what.__name__}: an elementwise function takes plain parameters, without defaults")
    names = tuple(each.name for each in parameters)
    is_free = what.__name__.isidentifier() and not keyword.iskeyword(what.__name__) and what.__name__ not in names
    text = f"{what.__name__ if is_free else f'{OWN}function'}({', '.join(names)})"
    return Elementwise(Expression(text, names, text, what), what.__doc__)


def _names_in(text: str) -> tuple[str, ...]:
    """The names in an expression that are its arguments: neither types nor libraries, and not called."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise ArgumentError(f"`{text}` is not an expression: {error.msg}") from None
    nodes = [*ast.walk(tree)]
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    others = called | TYPES.keys() | _LIBRARIES
    found = sorted((node.lineno, node.col_offset, node.id) for node in nodes if isinstance(node, ast.Name))
    names = tuple(dict.fromkeys(name for _, _, name in found if name not in others))
    if not names:
        raise ArgumentError(f"`{text}` has no names, which would be its arguments")
    return names
