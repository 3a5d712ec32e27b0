"""Nominal types: user-defined types over a scalar, `typing.NewType("Metres", gp.f32)` and enums.

They do not mix with other types. While a kernel is lowered, a nominal type is a separate scalar type, so every type
check distinguishes it. `erase` replaces it by the plain scalar in the finished module.
"""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

from gpucore import ir
from gpucore.immutable import Immutable
from gpucore.ir import walk
from gpucore.structs import StructDType, StructField
from gpucore.types import DType, underlying_scalar


class NominalType(ir.ScalarType, Immutable):
    """A scalar type with its own name; `python` is the NewType or enum class."""

    base: ir.ScalarType = ir.I32
    python: Any = None


class NominalDType(Immutable):
    """A NewType or enum as the dtype of array elements."""

    ir_type: NominalType

    def __repr__(self) -> str:
        return self.ir_type.name


def nominal_type(value: Any) -> NominalType | None:
    """The nominal type of a NewType over a scalar, or of an enum class of integers; None for anything else."""
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
    return isinstance(type, NominalType) and not isinstance(type.python, typing.NewType)


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
