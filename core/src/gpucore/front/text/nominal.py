"""Nominal types: user-defined types over a scalar, `typing.NewType("Metres", gp.f32)` and enums; and bf16, over u16.

Those of users do not mix with other types. While a kernel is lowered, a nominal type is a separate scalar type, so
every type check distinguishes it. `erase` replaces it by the plain scalar in the finished module.
"""

from __future__ import annotations

import dataclasses
import enum
import typing
from typing import Any

from gpucore import ir
from gpucore.immutable import Immutable
from gpucore.ir import NominalType, walk
from gpucore.structs import StructDType, StructField
from gpucore.types import DType, bf16, dtype_of, underlying_scalar


class NominalDType(Immutable):
    """A NewType, an enum or bf16 as the dtype of array elements."""

    ir_type: NominalType

    def __repr__(self) -> str:
        return self.ir_type.name


def nominal_type(value: Any) -> NominalType | None:
    """The nominal type of a NewType over a scalar, of an enum class of integers, or of bf16; None for anything else."""
    if value is bf16:
        return ir.BF16
    underlying = underlying_scalar(value)
    if underlying is None:
        return None
    python: Any = value
    scalar = ir.scalar_of(underlying.ir_type)
    return NominalType(python.__name__, scalar.kind, scalar.bits, scalar, python)


def field_dtype(field: StructField) -> DType | StructDType | NominalDType:
    """The dtype of a struct field in a kernel: the NewType or enum it is annotated with, else its plain dtype."""
    nominal = nominal_type(field.nominal)
    return field.dtype if nominal is None else NominalDType(nominal)


def is_enum(type: ir.Type) -> bool:
    """Whether a type is the nominal type of an enum."""
    return isinstance(type, NominalType) and isinstance(type.python, enum.EnumMeta)


def python_of(type: NominalType) -> Any:
    """What names a nominal type in Python."""
    return type.python if type.python is not None else dtype_of(type)


def is_related(type: ir.Type, other: ir.Type) -> bool:
    """Whether one of two NewTypes is derived from the other. Related types convert to each other explicitly."""
    if not isinstance(type, NominalType) or not isinstance(other, NominalType):
        return False
    return other.python in _supertypes(type.python) or type.python in _supertypes(other.python)


def _supertypes(python: Any) -> list[Any]:
    found = []
    while isinstance(python, typing.NewType):
        python = python.__supertype__
        found.append(python)
    return found


def element_dtype(type: ir.Type) -> DType | NominalDType:
    """The dtype of the elements of an array of a type."""
    return NominalDType(type) if isinstance(type, NominalType) else dtype_of(type)


def plain(type: ir.Type) -> ir.Type:
    """The scalar type under a nominal type; other types unchanged."""
    return type.base if isinstance(type, NominalType) else type


def erase(module: ir.Module) -> ir.Module:
    """The module with all nominal types replaced by plain scalars."""

    def on_node(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, (ir.Convert, ir.Bitcast)) and plain(expr.type) == expr.operand.type:
            return expr.operand
        node: Any = expr  # each class of expression has its own kind of type
        return dataclasses.replace(node, type=plain(expr.type)) if isinstance(expr.type, NominalType) else expr

    def on_statement(statement: ir.Stmt) -> ir.Stmt:
        mapped: Any = walk.map_statement(statement, lambda expr: walk.map_expr(expr, on_node), on_block)
        for name in ("value", "local", "counter"):
            bound = getattr(mapped, name, None)
            if isinstance(bound, (ir.Value, ir.Local)) and isinstance(bound.type, NominalType):
                mapped = dataclasses.replace(mapped, **{name: dataclasses.replace(bound, type=plain(bound.type))})
        made: ir.Stmt = mapped
        return made

    def on_block(block: ir.Block) -> ir.Block:
        return tuple(map(on_statement, block))

    params = tuple(
        dataclasses.replace(param, type=param.type.base) if isinstance(param.type, NominalType) else param
        for param in module.params
    )
    return dataclasses.replace(module, params=params, body=on_block(module.body))
