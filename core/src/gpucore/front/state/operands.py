"""Operands: the results of lowering expressions. Typing of literals."""

from __future__ import annotations

import enum
import math
import types
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.front.state.wording import article, member_name
from gpucore.front.text.nominal import NominalDType
from gpucore.immutable import Immutable
from gpucore.structs import StructDType
from gpucore.types import DType


class Static(Immutable):
    """A Python value known at compile time: a weak number, a dtype, a function, a module, a tuple, ..."""

    value: Any


class Group(Immutable):
    """A tuple of operands."""

    items: tuple[Operand, ...]


class StructValue(Immutable):
    """A struct, as the values of its fields."""

    cls: StructDType
    values: tuple[ir.Expr | StructValue, ...]


class ArrayReference(Immutable):
    """An array: a buffer, whose shape is known at dispatch, or a workgroup or private array of constant shape.

    A workgroup or private array of structs is stored as `parts`: one array for each scalar or vector field. A row, a
    column or a field of an array is an array too, with a `view`. Of tiles, `pitch` is the number of elements from one
    row to the next; those in panels, see `front.values.elements`, have a `panel` of so many columns.
    """

    memory: ir.Memory
    shape: tuple[ir.Expr | int, ...]
    dtype: DType | StructDType | NominalDType
    parts: tuple[ir.Memory, ...] = ()
    view: View | None = None
    pitch: int = 0
    panel: int = 0

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.view.text if self.view is not None else self.memory.name


class View(Immutable):
    """The elements of a view: those of `base`, which is none, with the given `indices`, one or None for each axis.

    Of an array of structs `path` leads to a field of the element, or is empty. `is_transposed`: the view has the axes
    of the base in reverse order.
    """

    base: ArrayReference
    indices: tuple[ir.Expr | None, ...]
    path: tuple[int, ...]
    text: str  # as written in the kernel, for messages
    is_transposed: bool = False


Operand = ir.Expr | Static | Group | StructValue | ArrayReference

EXPR_CLASSES = (
    ir.Value, ir.Constant, ir.Binary, ir.Local, ir.Param, ir.Builtin, ir.Unary, ir.Call, ir.Select, ir.Convert,
    ir.Bitcast, ir.Construct, ir.Splat, ir.Extract,
)  # fmt: skip
"""The expression classes of the IR, the common ones first."""


def is_number(value: object) -> bool:
    """Whether a Python value is a weak number: bool, int, float or IntEnum member, but not a NumPy scalar."""
    return isinstance(value, (bool, int, float)) and not isinstance(value, np.generic)


def plain_number(value: Any) -> bool | int | float:
    """A weak number as a plain bool, int or float; an enum member gives its value."""
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, (bool, float)):
        return value
    return int(value)


def whole_number(operand: Operand) -> int | None:
    """The integer value of a compile-time operand, else None. A bool is not an integer here."""
    value = operand.value if isinstance(operand, Static) else None
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        return None
    return int(value)


def items_of(operand: Operand) -> tuple[Operand, ...] | None:
    """The items of a tuple, else None."""
    if isinstance(operand, Group):
        return operand.items
    if isinstance(operand, Static) and isinstance(operand.value, tuple):
        return tuple(Static(item) for item in operand.value)
    return None


def compile_time_value(operand: Operand) -> Static | None:
    """An operand as one Python value if all of it is known at compile time, else None."""
    if isinstance(operand, Static):
        return operand
    if isinstance(operand, Group):
        parts = [compile_time_value(item) for item in operand.items]
        if all(part is not None for part in parts):
            return Static(tuple(part.value for part in parts if part is not None))
    return None


def default_type(value: object) -> ir.ScalarType:
    """The type of a literal without context."""
    if isinstance(value, bool):
        return ir.BOOL
    return ir.I32 if isinstance(value, int) else ir.F32


def literal(value: bool | int | float, type: ir.ScalarType) -> ir.Constant | None:
    """A weak number as a constant of `type`, or None if it does not fit."""
    if isinstance(value, bool) or type is ir.BOOL:
        return ir.Constant(bool(value), ir.BOOL) if isinstance(value, bool) and type == ir.BOOL else None
    if type.is_integer:
        fits = isinstance(value, int) and type.min_value <= value <= type.max_value
        return ir.Constant(value, type) if fits else None
    rounded = round_float(value, type)
    if isinstance(value, int) and rounded != value:
        return None
    if math.isinf(rounded) and not math.isinf(value):
        return None
    return ir.Constant(rounded, type)


def show_number(value: object) -> str:
    """A number for messages; Python refuses to write very long ones."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"a whole number of {value.bit_length()} bits"
    return repr(value)


def round_float(value: int | float, type: ir.ScalarType) -> float:
    """The nearest value of a float type, as a Python float; infinity if it overflows."""
    try:
        wide = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    if type.bits == 64:
        return wide
    with np.errstate(over="ignore"):
        return float((np.float32 if type.bits == 32 else np.float16)(wide))


def numpy_constant(value: np.generic) -> ir.Constant | None:
    """A NumPy scalar as a typed constant, or None if the IR has no such type."""
    for type in ir.SCALARS:
        name = {"i": "int", "u": "uint", "f": "float"}.get(type.name[0], "") + str(type.bits)
        if type == ir.BOOL:
            name = "bool"
        if value.dtype.name == name:
            return ir.Constant(value.item(), type)
    return None


def describe(operand: Operand) -> str:
    """An operand in words, for messages."""
    if isinstance(operand, Static):
        if is_number(operand.value):
            if isinstance(operand.value, enum.Enum):
                return member_name(operand.value)
            return f"the literal {show_number(operand.value)}"
        return _describe_value(operand.value)
    if isinstance(operand, Group):
        return f"a tuple of {len(operand.items)}"
    if isinstance(operand, StructValue):
        return article(operand.cls.__name__)
    if isinstance(operand, ArrayReference):
        return f"the array {operand.name}"
    return f"{operand.type}"


def _describe_value(value: Any) -> str:
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}"
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    if isinstance(value, type):
        return f"the class {value.__name__}" if type(value) is type else f"{value!r}"
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
        return f"the function {value.__name__}"
    if value is None or isinstance(value, (str, np.generic)):
        return repr(value) if len(repr(value)) <= 40 else f"{repr(value)[:36]} ..."
    if isinstance(value, enum.Enum):
        return member_name(value)
    return article(type(value).__name__)
