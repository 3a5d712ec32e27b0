"""What can be compiled: a plain function, written with `def`. Anything else gets an error that says what it is."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, NoReturn

from gpucore.errors import KernelSyntaxError
from gpucore.front.text.definitions import find_definition

_WHY = "a kernel is compiled from the source of a `def`"
_FIX = "write a function with `def`"


def check_plain(function: Any) -> None:
    """Raise KernelSyntaxError GP101 for anything but a plain Python function."""
    if not isinstance(function, types.FunctionType):
        _refuse_other(function)
    what = next((what for what, is_kind in _KINDS.items() if is_kind(function)), None)
    if what is not None:
        raise KernelSyntaxError(
            "GP101",
            f"{'this function' if what == 'a lambda' else function.__qualname__} is {what}",
            find_definition(function),
            why="a kernel is compiled from the source of a plain `def`",
            fix="write a function with `def`, without yield and await",
        )
    if hasattr(function, "__wrapped__"):
        raise KernelSyntaxError(
            "GP101",
            f"{function.__qualname__} is wrapped by a decorator",
            find_definition(function, of_decorator=True),
            why="what the decorator adds runs in Python, and a device cannot run it",
            fix="remove the decorator, or use the function that it wraps",
        )


def refuse_method(function: types.FunctionType) -> None:
    """Raise KernelSyntaxError GP101 for a function in a class whose first parameter is the object, or the class."""
    owner = function.__qualname__.rpartition(".")[0]
    if not owner or owner.endswith("<locals>") or not function.__code__.co_argcount:
        return
    first = function.__code__.co_varnames[0]
    if first not in function.__annotations__:
        raise KernelSyntaxError(
            "GP101",
            f"{function.__qualname__} is a method: its parameter {first!r} is an object of Python",
            find_definition(function),
            why="a device has no objects of Python; a kernel gets arrays and numbers",
            fix=f"remove {first!r}, and write @staticmethod above @gp.kernel",
        )


def _refuse_other(thing: Any) -> NoReturn:
    """Raise GP101 for an object that is not a plain function."""
    name = getattr(thing, "__name__", repr(thing))
    message, fix = f"{thing!r:.60} is not a plain Python function", _FIX
    if isinstance(thing, type):
        message = f"{name} is a class"
    elif getattr(type(thing), "__gpucore_kernel__", False):
        message, fix = f"{name} is already a kernel", "put the decorator right above the `def`, once"
    elif isinstance(thing, functools.partial):
        inner = getattr(thing.func, "__name__", repr(thing.func))
        message, fix = f"a functools.partial of {inner} is not a plain function", f"{_FIX} that calls {inner}"
    elif isinstance(thing, types.BuiltinFunctionType):
        message = f"{name} is a function written in C"
    elif isinstance(thing, classmethod):
        message = f"{name} is a class method"
        fix = "remove its parameter for the class, and write @staticmethod above @gp.kernel"
    elif isinstance(thing, types.MethodType):
        message = f"{name} is a method of an object"
        fix = "write a function with `def` that does not use the object, or a static method"
    elif isinstance(inspect.unwrap(thing), types.FunctionType):
        message, fix = f"{name} is wrapped by a decorator", "remove the decorator, or use the function that it wraps"
    is_wrapped = hasattr(thing, "__wrapped__") and not isinstance(thing, classmethod)
    shown = thing.func if isinstance(thing, functools.partial) else thing
    raise KernelSyntaxError("GP101", message, find_definition(shown, of_decorator=is_wrapped), why=_WHY, fix=fix)


_KINDS: dict[str, Callable[[types.FunctionType], bool]] = {
    "a lambda": lambda function: function.__name__ == "<lambda>",
    "a generator": lambda function: inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function),
    "a coroutine": inspect.iscoroutinefunction,
}
