"""Structs made in Python: compile-time parameters, defaults of fields, globals. Their numbers are literals."""

from __future__ import annotations

import ast
import enum
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import Operand, Static, StructValue, is_number, literal, numpy_constant, plain_number
from gpucore.front.state.wording import article, member_name
from gpucore.front.text.nominal import NominalDType, field_dtype, is_enum
from gpucore.ir import NominalType
from gpucore.structs import StructDType, StructField, fields_of


def expand_constant(context: Context, operand: Operand, node: ast.AST) -> Operand:
    """A struct made in Python, expanded to the values of its fields; other operands unchanged."""
    value = operand.value if isinstance(operand, Static) else None
    cls: type = type(value)
    return _expand(context, cls, value, cls.__name__, node) if isinstance(cls, StructDType) else operand


def _expand(context: Context, cls: StructDType, value: Any, name: str, node: ast.AST) -> StructValue:
    values: list[ir.Expr | StructValue] = []
    for field in fields_of(cls):
        inner, part = f"{name}.{field.name}", getattr(value, field.name)
        dtype = field_dtype(field)
        if isinstance(dtype, StructDType):
            if type(part) is not dtype:
                _refuse(context, inner, dtype.__name__, part, node)
            values.append(_expand(context, dtype, part, inner, node))
        else:
            context.has_nominal_types |= isinstance(dtype, NominalDType)
            number = typed_constant(part, dtype.ir_type)
            if number is None:
                _refuse(context, inner, str(dtype.ir_type), part, node)
            values.append(number)
    return StructValue(cls, tuple(values))


def default_of(context: Context, cls: StructDType, field: StructField, value: Any, node: ast.AST) -> Static:
    """The default of a field. For an enum it must be a member, which Python does not check."""
    members: Any = field.nominal
    if isinstance(members, enum.EnumMeta) and not isinstance(value, members):
        fix = f"give the field a member as its default, as in {member_name(next(iter(members)))}"
        _refuse(context, f"{cls.__name__}.{field.name}", members.__name__, value, node, fix)
    return Static(value)


def type_attribute(context: Context, value: Any, name: str, found: Static, node: ast.AST) -> Operand:
    """The attribute `found` of a compile-time value, typed by the field if the value is a struct made in Python.

    In a field that is a NewType, a NumPy scalar gets that type. A field that is an enum must hold a member.
    """
    cls: type = type(value)
    if not isinstance(cls, StructDType):
        return found
    dtype = next((field_dtype(field) for field in fields_of(cls) if field.name == name), None)
    if not isinstance(dtype, NominalDType):
        return found
    if is_enum(dtype.ir_type) and not isinstance(found.value, dtype.ir_type.python):
        _refuse(context, f"{cls.__name__}.{name}", str(dtype.ir_type), found.value, node)
    if not isinstance(found.value, np.generic):
        return found
    context.has_nominal_types = True
    return typed_constant(found.value, dtype.ir_type) or found


def typed_constant(value: Any, type: ir.Type) -> ir.Expr | None:
    """A Python value as a constant of `type`, or None if it does not fit. A vector takes a sequence of its components.

    An enum takes one of its members. A NewType takes a number of its base type.
    """
    if isinstance(type, NominalType):
        is_right = not is_enum(type) or isinstance(value, type.python)
        underlying = typed_constant(value, type.base) if is_right else None
        return replace(underlying, type=type) if isinstance(underlying, ir.Constant) else None
    if isinstance(type, ir.VectorType):
        if not isinstance(value, (tuple, list, np.ndarray)) or len(value) != type.width:
            return None
        parts = [typed_constant(part, type.element) for part in value]
        whole = tuple(part for part in parts if part is not None)
        return ir.Construct(whole, type) if len(whole) == type.width else None
    if isinstance(value, np.generic):
        constant = numpy_constant(value)
        return constant if constant is not None and constant.type == type else None
    return literal(plain_number(value), type) if is_number(value) else None


def _refuse(context: Context, name: str, wanted: str, value: Any, node: ast.AST, fix: str = "") -> NoReturn:
    context.error(
        KernelTypeError,
        "GP205",
        f"{name} is {value!r:.40}, which is not {article(wanted)}",
        node,
        why="a field must hold a value of its type, and Python does not check that",
        fix=fix or f"make the struct with {article(wanted)}",
    )
