"""Checks of the arguments of built-in functions."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any, NoReturn

from gpucore import ir, lang
from gpucore.errors import KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import EXPR_CLASSES, Operand, Static, compile_time_value, describe
from gpucore.front.text.nominal import NominalDType, nominal_type
from gpucore.structs import StructDType
from gpucore.types import DType


def check_count(
    context: Context, args: list[Operand], node: ast.Call, least: int, most: int | None = None, name: str = ""
) -> None:
    """Refuse a wrong number of arguments.

    `name` is gpucore's name of the function, if it may be called through its Python counterpart.
    """
    most = least if most is None else most
    if not least <= len(args) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        context.error(
            KernelTypeError,
            "GP206",
            f"{context.text(node.func)} takes {count} argument{'s' * (count != '1')}, not {len(args)}",
            node,
            why="the function is defined with that number of arguments",
            fix=f"write {context.text(node.func)}({_parameters(context, node, most, name)})",
        )


def _parameters(context: Context, node: ast.Call, most: int, name: str) -> str:
    """The parameter names of a built-in function."""
    callee = context.expression(context, node.func)
    function = getattr(lang, name) if name else callee.value if isinstance(callee, Static) else None
    if isinstance(function, FunctionType) and "*" not in str(inspect.signature(function)):
        return ", ".join(inspect.signature(function).parameters)
    return ", ".join("xyzw"[:most])


def known_value(context: Context, operand: Operand, node: ast.AST, what: str) -> Any:
    """The Python value of an operand. GP210 if it is not known at compile time."""
    known = compile_time_value(operand)
    if known is not None:
        return known.value
    context.error(
        KernelTypeError,
        "GP210",
        f"{what} must be known when the kernel is compiled",
        node,
        why=f"it is {describe(operand)}, which is known only when the kernel runs",
        fix="use a literal, a global constant or a parameter annotated gp.Const[int]",
    )


def known_dtype(context: Context, operand: Operand, node: ast.AST) -> ir.Type:
    """The type that a dtype argument names."""
    known = compile_time_value(operand)
    if known is None or not isinstance(known.value, DType):
        context.error(
            KernelTypeError,
            "GP202",
            f"a dtype such as gp.f32 is needed here, not {_as_argument(operand)}",
            node,
            why="the function makes values of that type",
            fix="write gp.f32, gp.i32, ..., or x.dtype for the dtype of an array x",
        )
    return known.value.ir_type


def _as_argument(operand: Operand) -> str:
    """An argument in words, such that a runtime value is not mistaken for its dtype."""
    return f"a value of type {operand.type}" if isinstance(operand, EXPR_CLASSES) else describe(operand)


def known_element(context: Context, operand: Operand, node: ast.AST) -> DType | StructDType | NominalDType:
    """The element type that a dtype argument names: a scalar, vector, struct or nominal type."""
    known = compile_time_value(operand)
    value = None if known is None else known.value
    nominal = nominal_type(value)
    if nominal is not None:
        context.has_nominal_types = True
        return NominalDType(nominal)
    if isinstance(value, (DType, StructDType)):
        return value
    context.error(
        KernelTypeError,
        "GP202",
        f"a dtype such as gp.f32 is needed here, not {_as_argument(operand)}",
        node,
        why="an array has elements of one type",
        fix="write gp.f32, gp.i32, ... or a struct",
    )


def joined(context: Context, conditions: ast.Tuple | ast.List, operator: str) -> str:
    """The conditions of a tuple, joined by `and` or `or`."""
    texts = (
        f"({context.text(c)})" if isinstance(c, (ast.BoolOp, ast.IfExp)) else context.text(c) for c in conditions.elts
    )
    return f" {operator} ".join(texts)


def refuse(context: Context, message: str, node: ast.AST, why: str, fix: str) -> NoReturn:
    """Raise GP202: the function does not support an argument of this type."""
    context.error(KernelTypeError, "GP202", message, node, why=why, fix=fix)
