"""Suggestions for calls of functions that the kernel language does not have."""

from __future__ import annotations

import ast
import enum
import functools
import operator
import sys
from types import MethodType
from typing import Any

import numpy as np

from gpucore import lang
from gpucore.front.language.checks import joined
from gpucore.front.language.intrinsics import FUNCTIONS
from gpucore.front.state.context import Context
from gpucore.front.state.wording import as_function
from gpucore.front.text.foreign import SYNONYMS, own_word
from gpucore.types import DTYPES, bf16

_BINARY = {
    "add": "+", "sub": "-", "subtract": "-", "mul": "*", "multiply": "*", "truediv": "/", "divide": "/",
    "floordiv": "//", "floor_divide": "//", "mod": "%", "remainder": "%", "lshift": "<<", "left_shift": "<<",
    "rshift": ">>", "right_shift": ">>", "and_": "&", "bitwise_and": "&", "or_": "|", "bitwise_or": "|", "xor": "^",
    "bitwise_xor": "^", "logical_and": "and", "logical_or": "or", "eq": "==", "equal": "==", "ne": "!=",
    "not_equal": "!=", "lt": "<", "less": "<", "le": "<=", "less_equal": "<=", "gt": ">", "greater": ">", "ge": ">=",
    "greater_equal": ">=",
}  # fmt: skip
_FORMULAS = {
    ("neg", 1): "-{0}", ("negative", 1): "-{0}", ("pos", 1): "{0}", ("positive", 1): "{0}", ("not_", 1): "not {0}",
    ("logical_not", 1): "not {0}", ("inv", 1): "~{0}", ("invert", 1): "~{0}", ("getitem", 2): "{0}[{1}]",
    ("square", 1): "{0} * {0}", ("reciprocal", 1): "1.0 / {0}",
    ("degrees", 1): "{0} * (180.0 / 3.141592653589793)", ("rad2deg", 1): "{0} * (180.0 / 3.141592653589793)",
    ("radians", 1): "{0} * (3.141592653589793 / 180.0)", ("deg2rad", 1): "{0} * (3.141592653589793 / 180.0)",
    ("fmod", 2): "{0} - {1} * gp.trunc({0} / {1})",
    ("isfinite", 1): "not (gp.isnan({0}) or gp.isinf({0}))",
}  # fmt: skip
"""Equivalent expressions, by name and number of arguments."""

_CONSTRUCTORS = frozenset({"zeros", "ones", "empty", "full", "array", "zeros_like", "empty_like"})
_REDUCTIONS = frozenset(
    {"prod", "fsum", "sum", "mean", "any", "all", "sort", "dot", "cumsum", "argmax", "argmin", "std"}
)


def is_from_numpy(function: Any) -> bool:
    """Whether NumPy defines a function or class."""
    return str(getattr(function, "__module__", "")).partition(".")[0] == np.__name__


def _is_library(function: Any) -> bool:
    """Whether the standard library or NumPy defines a function or class."""
    module = str(getattr(function, "__module__", "")).partition(".")[0]
    return module in sys.stdlib_module_names - {"__main__"} or is_from_numpy(function)


def _written_out(context: Context, function: Any, name: str, node: ast.Call) -> str | None:
    """The expression equivalent to a call of a function of operator, math or NumPy, if there is one."""
    is_operator = function is getattr(operator, name, None)
    if not (is_operator or isinstance(function, np.ufunc) or getattr(function, "__module__", None) == "math"):
        return None
    symbol = "**" if is_operator and name == "pow" else _BINARY.get(name)
    texts = [context.primary(arg) for arg in node.args]
    if symbol is not None:
        return f"{texts[0]} {symbol} {texts[1]}" if len(texts) == 2 else f"a {symbol} b"
    formula = _FORMULAS.get((name, len(texts)))
    return None if formula is None else formula.format(*texts)


def suggest_replacement(context: Context, function: Any, node: ast.Call) -> str:
    """The fix for a call of a function that is not part of the language."""
    if function is functools.partial or isinstance(function, functools.partial):
        given = context.text(node.args[0]) if node.args else "the other"
        inner = given if function is functools.partial else getattr(function.func, "__name__", "the other")
        return f"write a function with `def` that calls {inner}"
    if isinstance(function, MethodType) and isinstance(function.__self__, enum.Enum):
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        return as_function(function.__name__, context.text(owner))
    if function in (any, all) and len(node.args) == 1 and isinstance(node.args[0], (ast.Tuple, ast.List)):
        return f"write {joined(context, node.args[0], 'or' if function is any else 'and')}"
    name = str(getattr(function, "__name__", ""))
    if (written := _written_out(context, function, name, node)) is not None:
        return f"write {written}"
    if isinstance(node.func, (ast.Attribute, ast.Name)):
        foreign = own_word(context.text(node.func), is_called=True)
        if foreign is not None and not (isinstance(function, type) and is_from_numpy(function)):
            return foreign
    name = SYNONYMS.get(name, name)
    if name and not isinstance(function, type) and getattr(lang, name, None) in FUNCTIONS:
        return f"write gp.{name}"
    if is_from_numpy(function) and name in _CONSTRUCTORS:
        return "use gp.private_array(gp.f32, 8) for an array of one invocation, gp.workgroup_array for a shared one"
    if function in (sum, any, all, sorted) or (name in _REDUCTIONS and _is_library(function)):
        return "write a loop over range(x.size)"
    if function is complex or (isinstance(function, type) and issubclass(function, np.complexfloating)):
        parts = [context.text(arg) for arg in node.args] or ["0.0"]
        return f"write gp.f32x2({', '.join([*parts, '0.0'][:2])}), or a class decorated with @gp.struct"
    if function is bool:
        return "compare, as in x != 0, or write gp.bool(x)"
    if isinstance(function, type) and issubclass(function, tuple) and hasattr(function, "_fields"):
        return f"use a plain tuple, or make {function.__name__} a class decorated with @gp.struct"
    if isinstance(function, type) and not _is_library(function):
        return f"decorate {function.__name__} with @gp.struct, and give it annotated fields and no __init__"
    if isinstance(function, type) and issubclass(function, np.generic):
        known = next((dtype for dtype in (*DTYPES, bf16) if dtype == function), None)
        return f"write gp.{known.ir_type}" if known is not None else "convert with gp.f32, gp.i32, ..."
    return "use gp.* or math.* functions, or write the function in Python"
