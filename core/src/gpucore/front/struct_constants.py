"""Structs made in Python: compile-time parameters, defaults of fields, globals. Their numbers are literals."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

import numpy as np

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.context import Context
from gpucore.front.operands import Operand, Static, StructValue, is_number, literal, numpy_constant, plain_number
from gpucore.structs import StructDType, fields_of


def opened(context: Context, operand: Operand, node: ast.AST) -> Operand:
    """A struct made in Python as the values of its fields; every other operand as it came."""
    value = operand.value if isinstance(operand, Static) else None
    cls: type = type(value)
    return _open(context, cls, value, cls.__name__, node) if isinstance(cls, StructDType) else operand


def _open(context: Context, cls: StructDType, value: Any, name: str, node: ast.AST) -> StructValue:
    values: list[ir.Expr | StructValue] = []
    for field in fields_of(cls):
        inner, part = f"{name}.{field.name}", getattr(value, field.name)
        if isinstance(field.dtype, StructDType):
            if type(part) is not field.dtype:
                _refuse(context, inner, field.dtype.__name__, part, node)
            values.append(_open(context, field.dtype, part, inner, node))
        else:
            number = typed_constant(part, field.dtype.ir_type)
            if number is None:
                _refuse(context, inner, str(field.dtype.ir_type), part, node)
            values.append(number)
    return StructValue(cls, tuple(values))


def typed_constant(value: Any, type: ir.Type) -> ir.Expr | None:
    """A number of Python as a constant; of a vector, a sequence with a number for each component. Else None."""
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


def _refuse(context: Context, name: str, wanted: str, value: Any, node: ast.AST) -> NoReturn:
    context.error(
        KernelTypeError,
        "GP205",
        f"{name} is {value!r:.40}, which is no {wanted}",
        node,
        why="the fields of a struct hold values of their types, and a class in Python does not check it",
        fix=f"make the struct with a {wanted}",
    )
