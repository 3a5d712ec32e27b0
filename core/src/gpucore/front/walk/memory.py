"""Lowering of subscripts and attributes: array elements, vector components, struct fields."""

from __future__ import annotations

import ast
import enum
import math
import types
from dataclasses import replace
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from gpucore import ir, lang
from gpucore.errors import KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Group,
    Operand,
    Static,
    StructValue,
    compile_time_value,
    describe,
    items_of,
    whole_number,
)
from gpucore.front.state.wording import article, as_function, did_you_mean
from gpucore.front.text.foreign import own_word, use_of
from gpucore.front.text.nominal import NominalDType, is_enum, python_of
from gpucore.front.values.capture import capture_attribute
from gpucore.front.values.convert import as_expr
from gpucore.front.values.elements import Access, element, field_of, length_expr, load, subscript
from gpucore.front.values.masks import is_mask
from gpucore.front.values.positions import Position
from gpucore.front.values.struct_constants import type_attribute
from gpucore.front.values.tables import is_table, make_table
from gpucore.front.walk.inlining import inline
from gpucore.ir import NominalType, build
from gpucore.structs import StructDType, fields_of, matrix_hint, member
from gpucore.types import DType, dtype_of

_ARRAY_FIXES = {
    **dict.fromkeys(("sum", "min", "max", "mean", "prod", "any", "all", "argmin", "argmax", "sort", "dot"),
                    "write a loop over range(x.size), or reduce the whole array outside the kernel"),
    **dict.fromkeys(("copy", "astype", "reshape", "flatten", "ravel", "T", "transpose", "fill", "tolist", "numpy"),
                    "work on one element, as in x[i], or do it outside the kernel"),
    **dict.fromkeys(("length", "len"), "did you mean size?"),
}  # fmt: skip
_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3}


def lower_reference(context: Context, node: ast.Attribute | ast.Subscript) -> Operand:
    """The value of `x.size`, `v.xy`, `params.alpha`, `math.pi`, `x[i]`, `x[i, j]`, `shape[1]`, `particles[i].mass`."""
    return read(context, refer(context, node), node)


def read(context: Context, found: Operand | Access, node: ast.AST) -> Operand:
    """The value of a reference: an array element is loaded."""
    return load(context, found, node) if isinstance(found, Access) else found


def refer(context: Context, node: ast.expr) -> Operand | Access:
    """Lower an expression without loading: an array element, or a field of one, stays a reference."""
    if isinstance(node, ast.Subscript):
        owner = read(context, refer(context, node.value), node.value)
        if isinstance(owner, ArrayReference):
            return subscript(context, owner, node)
        if isinstance(owner, Static) and isinstance(owner.value, np.ndarray):
            return subscript(context, _table(context, owner.value, node), node)
        index = context.expression(context, node.slice)
        return _table_element(context, owner, index, node) or _item(context, owner, index, node)
    if isinstance(node, ast.Attribute):
        return attribute(context, refer(context, node.value), node)
    return context.expression(context, node)


def attribute(context: Context, owner: Operand | Access, node: ast.Attribute) -> Operand | Access:
    """`owner.name` of a lowered owner."""
    name = node.attr
    if isinstance(owner, (Access, StructValue)):
        getter = _property(owner, name)
        if getter is not None:
            return inline(context, getter, [read(context, owner, node.value)], {}, node)
    if isinstance(owner, Access):
        if isinstance(owner.dtype, StructDType):
            return owner.field(_field_number(context, owner.dtype, name, node))
        owner = load(context, owner, node.value)
    if name == "dtype" and _is_number(owner):
        return _dtype_of(as_expr(context, owner, node.value))
    if isinstance(owner, Static):
        found = _static_attribute(context, owner.value, name, node)
        return type_attribute(context, owner.value, name, found, node) if isinstance(found, Static) else found
    if isinstance(owner, ArrayReference):
        return _array_attribute(context, owner, name, node)
    if isinstance(owner, StructValue):
        if name == "dtype" and name not in [field.name for field in fields_of(owner.cls)]:
            return Static(owner.cls)
        return owner.values[_field_number(context, owner.cls, name, node)]
    if isinstance(owner, EXPR_CLASSES) and isinstance(owner.type, NominalType) and is_enum(owner.type):
        return _member_attribute(context, owner, owner.type, name, node)
    if isinstance(owner, EXPR_CLASSES) and isinstance(owner.type, ir.VectorType):
        return _swizzle(context, owner, owner.type, name, node)
    context.error(
        KernelTypeError,
        "GP209",
        f"{describe(owner)} has no attribute {name!r}",
        node,
        why="only arrays, vectors, structs and compile-time values have attributes; a number has a dtype",
        fix="remove it",
    )


def _is_number(operand: Operand) -> bool:
    """Whether an operand is a number, a literal too, or a vector of them."""
    if isinstance(operand, Static):
        return type(operand.value) in (int, float)
    return isinstance(operand, EXPR_CLASSES) and not is_mask(operand.type)


def _dtype_of(expr: ir.Expr) -> Static:
    """The dtype of a number or a vector; of a literal, that which it has alone."""
    type = expr.type
    return Static(python_of(type) if isinstance(type, NominalType) else dtype_of(type))


def _member_attribute(context: Context, owner: ir.Expr, type: NominalType, name: str, node: ast.Attribute) -> ir.Expr:
    """An attribute of a runtime value of an enum: only `value` is supported."""
    if name != "value":
        is_method = isinstance(getattr(type.python, name, None), FunctionType)
        value = f"write {context.text(node.value)}.value"
        context.error(
            KernelTypeError,
            "GP209",
            f"{article(str(type))} has no attribute {name!r} in a kernel",
            node,
            why="a member that is known only when the kernel runs has no attribute but value",
            fix=as_function(name, context.text(node.value)) if is_method else value,
        )
    return ir.Convert(owner, type.base)


def _static_attribute(context: Context, value: Any, name: str, node: ast.Attribute) -> Operand:
    if value is lang.target:
        value = context.target
    missing = object()
    try:
        found = getattr(value, name, missing)
    except Exception as error:  # noqa: BLE001 (a user-defined property may raise anything)
        found, reason = missing, f"it is looked up when the kernel is compiled, which failed: {error}"
    else:
        reason = "it is looked up when the kernel is compiled, and does not exist"
    if value is None or (isinstance(value, (int, float, str, np.generic)) and not isinstance(value, enum.Enum)):
        found, reason = missing, "numbers and strings have no attributes in a kernel"
    if found is missing:
        context.error(
            KernelTypeError,
            "GP209",
            f"{context.text(node.value)} has no attribute {name!r}",
            node,
            why=reason,
            fix=_foreign(context, value, node) or _suggest_attribute(value, name),
        )
    if isinstance(value, (types.ModuleType, type)):
        return capture_attribute(context, value, name, found, node)
    return Static(found)


def _foreign(context: Context, value: Any, node: ast.Attribute) -> str | None:
    """The fix if a missing attribute of a module is a word of another library, as in `gp.syncthreads()`."""
    if not isinstance(value, types.ModuleType):
        return None
    whole, is_called = use_of(context.frame.source.node, node)
    return own_word(ast.unparse(whole), is_called=is_called)


def _suggest_attribute(value: Any, name: str) -> str:
    """The fix for a missing attribute of a compile-time value."""
    if isinstance(value, str):
        return "compare strings as they are, or process them with gp.static"
    if value is np or value is math:
        return "use gp.* or math.* functions"
    names = list(value.__members__) if isinstance(value, enum.EnumMeta) else dir(value)
    return did_you_mean(name, names, "check the spelling")


def _property(owner: Access | StructValue, name: str) -> FunctionType | None:
    """The function behind a property of a struct."""
    cls = owner.cls if isinstance(owner, StructValue) else owner.dtype
    found = member(cls, name) if isinstance(cls, StructDType) else None
    getter = found.fget if isinstance(found, property) else None
    return getter if isinstance(getter, FunctionType) else None


def _field_number(context: Context, cls: StructDType, name: str, node: ast.Attribute) -> int:
    hint, names = matrix_hint(cls), [field.name for field in fields_of(cls)]
    if name in names and not hint:
        return names.index(name)
    context.error(
        KernelTypeError,
        "GP209",
        f"{cls.__name__} has no field {name!r}",
        node,
        why="the invocations of the workgroup hold its elements together"
        if hint
        else f"its fields are {', '.join(names)}",
        fix=hint or did_you_mean(name, [*names, *dir(cls)], "use one of them"),
    )


def _array_attribute(context: Context, array: ArrayReference, name: str, node: ast.Attribute) -> Operand:
    if name == "shape":
        return shape_of(array)
    if name == "ndim":
        return Static(len(array.shape))
    if name == "dtype":
        dtype = array.dtype
        return Static(python_of(dtype.ir_type) if isinstance(dtype, NominalDType) else dtype)
    if name == "T" and array.pitch and array.view is not None and len(array.shape) == 2:
        view = replace(array.view, text=context.text(node), is_transposed=not array.view.is_transposed)
        return replace(array, shape=array.shape[::-1], view=view)
    if name == "size":
        if all(isinstance(length, int) for length in array.shape):
            return Static(math.prod(length for length in array.shape if isinstance(length, int)))
        size = length_expr(array.shape[0])
        for length in array.shape[1:]:
            size = build.mul(size, length_expr(length))
        return size
    fields = [field.name for field in fields_of(array.dtype)] if isinstance(array.dtype, StructDType) else []
    if name in fields:
        return field_of(array, fields.index(name), context.text(node))
    context.error(
        KernelTypeError,
        "GP209",
        f"an array has no attribute {name!r}",
        node,
        why=f"arrays in kernels have size, shape, ndim and dtype{', and the fields of their structs' * bool(fields)}",
        fix=_suggest_element(array, name)
        or _ARRAY_FIXES.get(name)
        or did_you_mean(name, ("size", "shape", "ndim", "dtype", *fields), "use one of them"),
    )


def _suggest_element(array: ArrayReference, name: str) -> str:
    """The fix if `name` is a component of the array's elements, else ""."""
    dtype = array.dtype
    is_component = isinstance(dtype, DType) and dtype.width > 1 and name in tuple("xyzw"[: dtype.width])
    indices = ", ".join("ijkl"[: len(array.shape)])
    return f"index an element, as in {array.name}[{indices}].{name}" if is_component else ""


def shape_of(array: ArrayReference) -> Group:
    """The shape of an array as a tuple."""
    return Group(tuple(_axis_length(length) for length in array.shape))


def _axis_length(length: ir.Expr | int) -> Operand:
    return Static(length) if isinstance(length, int) else length


def _swizzle(context: Context, vector: ir.Expr, type: ir.VectorType, name: str, node: ast.AST) -> ir.Expr:
    indices = [_COMPONENTS.get(letter, 4) for letter in name]
    if len(indices) not in (1, 2, 3, 4) or any(index >= type.width for index in indices):
        context.error(
            KernelTypeError,
            "GP209",
            f"{type} has no component {name!r}",
            node,
            why=f"its components are {', '.join('xyzw'[: type.width])}; a swizzle takes one to four of them",
            fix=f"use one of them, as in v.{'x' if len(name) == 1 else 'xy'}",
        )
    if len(indices) == 1:
        return component(vector, indices[0])
    simple = isinstance(vector, (ir.Value, ir.Local, ir.Construct, ir.Splat))
    source = vector if simple else context.builder.let("vector", vector, context.span(node))
    return ir.Construct(tuple(component(source, index) for index in indices), ir.VectorType(type.element, len(indices)))


def component(vector: ir.Expr, index: int) -> ir.Expr:
    """Component `index` of a vector; looks through Construct and Splat."""
    assert isinstance(vector.type, ir.VectorType)
    if isinstance(vector, ir.Construct):
        return vector.components[index]
    if isinstance(vector, ir.Splat):
        return vector.operand
    return ir.Extract(vector, index, vector.type.element)


def _refuse_position(context: Context, node: ast.Subscript, which: str, width: int, position: int | None) -> NoReturn:
    """Raise the error for an index of a tuple or vector that is not known at compile time, or out of range."""
    if position is not None and width:
        context.error(
            KernelTypeError,
            "GP310",
            f"the index {position} is outside {context.text(node.value)}",
            node.slice,
            why=f"the {which} has {width} {'item' if width == 1 else 'items'}, counted from 0",
            fix=f"use an index in range, as in {context.text(node.value)}[{width - 1}] for the last",
        )
    context.error(
        KernelTypeError,
        "GP210",
        f"the index of this {which} must be a compile-time integer from 0 to {width - 1}"
        if width
        else "an empty tuple has no items",
        node.slice,
        why="its items have no addresses to index at run time",
        fix="use a literal, or a loop over gp.unroll",
    )


def _table_element(context: Context, owner: Operand, index: Operand, node: ast.Subscript) -> Access | None:
    """The element of a tuple of numbers that is indexed at run time, or of a compile-time list; else None."""
    known = compile_time_value(owner)
    if known is None or not is_table(known.value):
        return None
    if isinstance(known.value, tuple) and not isinstance(index, EXPR_CLASSES):
        return None
    indices = items_of(index) or (index,)
    return element(context, _table(context, known.value, node), indices, [node.slice] * len(indices), node)


def _table(context: Context, value: Any, node: ast.Subscript) -> ArrayReference:
    name = node.value.id if isinstance(node.value, ast.Name) else "table"
    return make_table(context, value, name, node.value)


def _item(context: Context, operand: Operand, index: Operand, node: ast.Subscript) -> Operand:
    """An item of a tuple or vector."""
    items = items_of(operand)
    width: int | None = len(items) if items is not None else None
    if isinstance(operand, EXPR_CLASSES) and isinstance(operand.type, ir.VectorType):
        width = operand.type.width
    if width is None:
        hint = matrix_hint(operand.cls) if isinstance(operand, StructValue) else ""
        context.error(
            KernelTypeError,
            "GP202",
            f"{describe(operand)} cannot be indexed",
            node,
            why="only arrays, vectors and tuples can be indexed",
            fix=hint or "index an array parameter or a gp.workgroup_array",
        )
    if items is not None:
        return items[position(context, node, "tuple", width, index)]
    assert isinstance(operand, EXPR_CLASSES) and isinstance(operand.type, ir.VectorType)
    if isinstance(index, EXPR_CLASSES):
        return Position.at(context, operand.type, index, node).read(context, operand)
    return component(operand, position(context, node, "vector", width, index))


def position(context: Context, node: ast.Subscript, which: str, width: int, index: Operand) -> int:
    """The position, from 0, that an index of a tuple or vector names; it must be known at compile time."""
    known = whole_number(index)
    if known is None or not -width <= known < width:
        _refuse_position(context, node, which, width, known)
    return known % width
