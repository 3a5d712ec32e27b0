"""Captured values: globals, closures and attributes of modules, captured by value."""

from __future__ import annotations

import ast
import enum
import math
import types
from typing import Any, TypeVar

import numpy as np

from gpucore import lang
from gpucore import types as own_types
from gpucore.errors import KernelTypeError
from gpucore.front.state.captured import DATA
from gpucore.front.state.context import Context
from gpucore.front.state.operands import Operand, Static, is_number
from gpucore.front.state.wording import article
from gpucore.front.text.foreign import own_word
from gpucore.front.values.tables import is_table, make_table
from gpucore.structs import StructDType, fields_of
from gpucore.types import DType, dtype_of

_FIXED = frozenset({math.__name__, np.__name__, lang.__name__, own_types.__name__, "gpucore"})
"""Modules whose contents are taken to be constant."""


_WHY = (
    "a kernel captures by value: numbers, bools, dtypes, enums, structs, functions, modules and tuples of them, and "
    "lists and NumPy arrays of numbers of one type"
)


def is_capturable(value: Any) -> bool:
    """Whether a kernel can capture a value."""
    if isinstance(value, tuple):
        return all(is_capturable(item) for item in value)
    return (
        value is None
        or value is lang.target
        or is_number(value)
        or isinstance(value, (np.generic, type, enum.Enum, types.ModuleType, str, range))
        or callable(value)
        or (isinstance(type(value), StructDType) and _is_fixed(value))
    )


def _is_fixed(value: Any) -> bool:
    """Whether all fields of a struct are immutable."""
    cls: type = type(value)
    assert isinstance(cls, StructDType)
    return all(is_capturable(getattr(value, field.name)) for field in fields_of(cls))


def capture_name(context: Context, home: Any, name: str, value: Any, node: ast.AST) -> Operand:
    """Capture a global or closure variable; `home` is the dict or cell that holds it."""
    if isinstance(value, TypeVar):
        if value in context.type_bindings:
            return Static(dtype_of(context.type_bindings[value]))
        context.error(
            KernelTypeError,
            "GP210",
            f"the type variable {name} has no type here",
            node,
            why="no parameter of the kernel uses it",
            fix="use it in the kernel's signature",
        )
    context.capture(home, name, value)
    where = "closure variable" if isinstance(home, types.CellType) else "global"
    if is_capturable(value):
        return Static(value)
    if is_table(value):
        return make_table(context, value, name, node)
    context.error(
        KernelTypeError,
        "GP109",
        f"the {where} {name!r} is {article(type(value).__name__)}, which a kernel cannot use",
        node,
        why=_WHY,
        fix=_instead(value),
    )


def _instead(value: Any) -> str:
    """The fix for a value that a kernel cannot capture."""
    if isinstance(value, (list, set)):
        return "make it a tuple, or a NumPy array of numbers; or read it with gp.static"
    if isinstance(value, dict):
        return "read it with gp.static, or use a struct"
    if isinstance(value, np.ndarray):
        return "pass it as an argument of the kernel, converted with gp.asarray"
    return "pass it as an argument of the kernel"


def capture_attribute(context: Context, owner: Any, name: str, value: Any, node: ast.Attribute) -> Operand:
    """Capture an attribute of a module or class. Like a global, it may be assigned again later."""
    if isinstance(owner, types.ModuleType):
        if owner.__name__ not in _FIXED and owner.__dict__.get(name) is value:
            context.capture(owner.__dict__, name, value)
    elif isinstance(value, DATA) and not isinstance(value, enum.Enum):
        home = next((cls for cls in owner.__mro__ if name in vars(cls)), None)
        if home is not None and vars(home)[name] is value and not isinstance(home, DType):
            context.capture(home.__dict__, name, value, home)
    if isinstance(owner, types.ModuleType) and is_table(value):
        return make_table(context, value, name, node)
    if not is_capturable(value):
        context.error(
            KernelTypeError,
            "GP109",
            f"{context.text(node)} is {article(type(value).__name__)}, which a kernel cannot use",
            node,
            why=_WHY,
            fix=own_word(context.text(node), is_called=False) or _instead(value),
        )
    return Static(value)
