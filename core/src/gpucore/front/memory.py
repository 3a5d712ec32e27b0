"""Subscripts and attributes: elements of arrays, components of vectors, fields of structs."""

from __future__ import annotations

import ast
import enum
import types
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.capture import capture_attribute
from gpucore.front.context import Context
from gpucore.front.convert import as_expr, typed_or_weak
from gpucore.front.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Group,
    Operand,
    Static,
    StructValue,
    describe,
    items_of,
    show_number,
    whole_number,
)
from gpucore.types import dtype_of

_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3}


def lower_attribute(context: Context, node: ast.Attribute) -> Operand:
    """`x.size`, `x.shape`, `v.x`, `v.xy`, `params.alpha`, `math.pi`, `Order.UP`."""
    operand, name = context.expression(context, node.value), node.attr
    if isinstance(operand, Static):
        return _static_attribute(context, operand.value, name, node)
    if isinstance(operand, ArrayReference):
        return _array_attribute(context, operand, name, node)
    if isinstance(operand, StructValue):
        return _struct_attribute(context, operand, name, node)
    if isinstance(operand, EXPR_CLASSES) and isinstance(operand.type, ir.VectorType):
        return _swizzle(context, operand, operand.type, name, node)
    context.error(
        KernelTypeError,
        "GP209",
        f"{describe(operand)} has no attribute {name!r}",
        node,
        why="only arrays, vectors, structs and compile-time values have attributes",
        fix="leave it out",
    )


def _static_attribute(context: Context, value: Any, name: str, node: ast.Attribute) -> Operand:
    missing = object()
    try:
        found = getattr(value, name, missing)
    except Exception as error:  # noqa: BLE001 (a property of the user's own may raise anything)
        found, reason = missing, f"it is looked up when the kernel is compiled, which fails: {error}"
    else:
        reason = "it is looked up when the kernel is compiled, and is not there"
    if value is None or (isinstance(value, (int, float, str, np.generic)) and not isinstance(value, enum.Enum)):
        found, reason = missing, "numbers and texts have no attributes in a kernel"
    if found is missing:
        context.error(
            KernelTypeError,
            "GP209",
            f"{context.text(node.value)} has no attribute {name!r}",
            node,
            why=reason,
            fix="check the spelling",
        )
    if isinstance(value, (types.ModuleType, type)):
        capture_attribute(context, value, name, found, node)
    return Static(found)


def _struct_attribute(context: Context, operand: StructValue, name: str, node: ast.Attribute) -> Operand:
    for field, value in zip(operand.fields, operand.values, strict=True):
        if field.name == name:
            return value
    context.error(
        KernelTypeError,
        "GP209",
        f"{operand.cls.__name__} has no field {name!r}",
        node,
        why=f"its fields are {', '.join(field.name for field in operand.fields)}",
        fix="use one of them",
    )


def _array_attribute(context: Context, array: ArrayReference, name: str, node: ast.Attribute) -> Operand:
    if name == "shape":
        return items_as_group(array)
    if name == "ndim":
        return Static(len(array.shape))
    if name == "dtype":
        element = array.memory.element
        assert not isinstance(element, ir.StructType)
        return Static(dtype_of(element))
    if name == "size":
        first, *rest = array.shape
        if not rest:
            return _axis_length(first)
        second = rest[0]
        if isinstance(first, int) and isinstance(second, int):
            return Static(first * second)
        return ir.Binary(ir.BinaryOp.MUL, _length(first), _length(second), ir.I32)
    context.error(
        KernelTypeError,
        "GP209",
        f"an array has no attribute {name!r}",
        node,
        why="arrays in kernels have size, shape, ndim and dtype",
        fix="use one of them",
    )


def items_as_group(array: ArrayReference) -> Group:
    """The shape of an array as a tuple."""
    return Group(tuple(_axis_length(length) for length in array.shape))


def _axis_length(length: ir.Expr | int) -> Operand:
    return Static(length) if isinstance(length, int) else length


def _length(length: ir.Expr | int) -> ir.Expr:
    return ir.Constant(length, ir.I32) if isinstance(length, int) else length


def _swizzle(context: Context, vector: ir.Expr, type: ir.VectorType, name: str, node: ast.AST) -> ir.Expr:
    indices = [_COMPONENTS.get(letter, 4) for letter in name]
    if len(indices) not in (1, 2, 4) or any(index >= type.width for index in indices):
        context.error(
            KernelTypeError,
            "GP209",
            f"{type} has no component {name!r}",
            node,
            why=f"its components are {', '.join('xyzw'[: type.width])}; one, two or four may be taken together",
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


# ---------------------------------------------------------------- subscripts


def lower_subscript(context: Context, node: ast.Subscript) -> Operand:
    """Reads `x[i]`, `x[i, j]`, `v[0]`, `shape[1]`."""
    operand = context.expression(context, node.value)
    if isinstance(operand, ArrayReference):
        check_readable(context, operand, node)
        return context.builder.load(operand.memory.name, place(context, operand, node), context.span(node))
    position = whole_number(context.expression(context, node.slice))
    items = items_of(operand)
    width: int | None = len(items) if items is not None else None
    if isinstance(operand, EXPR_CLASSES) and isinstance(operand.type, ir.VectorType):
        width = operand.type.width
    if width is None:
        context.error(
            KernelTypeError,
            "GP202",
            f"{describe(operand)} cannot be indexed",
            node,
            why="arrays, vectors and tuples can",
            fix="index an array parameter or a gp.workgroup_array",
        )
    if position is None or not -width <= position < width:
        which = "tuple" if items is not None else "vector"
        context.error(
            KernelTypeError,
            "GP210",
            f"the index of this {which} must be known when the kernel is compiled, and be from 0 to {width - 1}"
            if width
            else "an empty tuple has no items",
            node.slice,
            why="its items have no address",
            fix="use a literal, or a loop over gp.unroll",
        )
    if items is not None:
        return items[position]
    assert isinstance(operand, EXPR_CLASSES)
    return component(operand, position % width)


def place(context: Context, array: ArrayReference, node: ast.Subscript) -> ir.Place:
    """The element that a subscript means."""
    nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if any(isinstance(n, ast.Slice) for n in nodes):
        context.error(
            KernelSyntaxError,
            "GP103",
            "a kernel cannot slice an array",
            node,
            why="an invocation works on elements",
            fix="index one element",
        )
    lowered = [context.expression(context, index) for index in nodes]
    items = items_of(lowered[0]) if len(lowered) == 1 else None
    if items is not None:
        return element(context, array, list(items), [node.slice] * len(items), node)
    return element(context, array, lowered, nodes, node)


def element(
    context: Context, array: ArrayReference, lowered: list[Operand], nodes: list[ast.expr], node: ast.AST
) -> ir.Place:
    """The element of an array at lowered indices, one for each axis."""
    rank = len(array.shape)
    if len(lowered) != rank:
        names = ", ".join("ijkl"[:rank])
        context.error(
            KernelTypeError,
            "GP208",
            f"{array.memory.name} has rank {rank} and is indexed with {len(lowered)}",
            node,
            why="an element has one index for each axis",
            fix=f"write {array.memory.name}[{names}]",
        )
    _check_scope(context, array, node)
    exprs = [
        _index(context, array, axis, operand, n) for axis, (operand, n) in enumerate(zip(lowered, nodes, strict=True))
    ]
    if rank == 1:
        return ir.Place(array.memory, exprs[0])
    row, column = (_as_i32(expr) for expr in exprs)
    width = _length(array.shape[1])
    if isinstance(row, ir.Constant) and isinstance(width, ir.Constant) and isinstance(column, ir.Constant):
        position = int(row.value) * int(width.value) + int(column.value)
        return ir.Place(array.memory, ir.Constant(position, ir.I32))
    scaled = ir.Binary(ir.BinaryOp.MUL, row, width, ir.I32)
    return ir.Place(array.memory, ir.Binary(ir.BinaryOp.ADD, scaled, column, ir.I32))


def _check_scope(context: Context, array: ArrayReference, node: ast.AST) -> None:
    """A private array lives until the end of the block that declares it: the pass of a loop, a branch."""
    memory = array.memory
    if isinstance(memory, ir.PrivateArray) and not context.builder.is_open(memory.id):
        context.error(
            KernelTypeError,
            "GP207",
            f"{memory.name} is used after the branch or loop that makes it",
            node,
            why="a private array is made anew, all zero, each time that the line with gp.private_array is reached",
            fix="make it before the branch or loop",
        )


def _as_i32(expr: ir.Expr) -> ir.Expr:
    return expr if expr.type == ir.I32 else ir.Convert(expr, ir.I32)


def _index(context: Context, array: ArrayReference, axis: int, operand: Operand, node: ast.AST) -> ir.Expr:
    value = typed_or_weak(context, operand, node)
    length = array.shape[axis]
    if isinstance(value, EXPR_CLASSES):
        if value.type not in (ir.I32, ir.U32):
            context.error(
                KernelTypeError,
                "GP208",
                f"an index must be i32 or u32, not {value.type}",
                node,
                why="arrays are addressed with 32-bit integers",
                fix=f"convert, as in gp.i32({context.text(node)})",
            )
        if isinstance(value, ir.Constant):
            _check_range(context, array, length, int(value.value), node)
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        context.error(
            KernelTypeError,
            "GP208",
            f"an index must be a whole number, not {value!r}",
            node,
            why="arrays are addressed with 32-bit integers",
            fix="use an int",
        )
    _check_range(context, array, length, value, node)
    return as_expr(context, Static(value), node, ir.I32)


def _check_range(context: Context, array: ArrayReference, length: ir.Expr | int, index: int, node: ast.AST) -> None:
    if index < 0 or (isinstance(length, int) and index >= length):
        top = f"from 0 to {length - 1}" if isinstance(length, int) else "from 0 up"
        name = array.memory.name
        last = f"{name}[{length - 1}]" if isinstance(length, int) else f"{name}[{name}.size - 1]"
        context.error(
            KernelTypeError,
            "GP310",
            f"the index {show_number(index)} is outside {array.memory.name}",
            node,
            why=f"its indices run {top}; negative ones do not count from the end",
            fix=f"use an index in range, as in {last} for the last",
        )


def check_writable(context: Context, array: ArrayReference, node: ast.AST) -> None:
    """Refuse a store to an In; remember the store otherwise."""
    memory = array.memory
    if isinstance(memory, ir.Buffer):
        if not memory.writable:
            context.error(
                KernelTypeError,
                "GP208",
                f"{memory.name} is an In and cannot be written",
                node,
                why="an In is read only, on every device",
                fix=f"annotate {memory.name} as gp.InOut or gp.Out",
            )
        context.written.add(memory.index)


def check_readable(context: Context, array: ArrayReference, node: ast.AST) -> None:
    """Refuse a read of an Out."""
    memory = array.memory
    if isinstance(memory, ir.Buffer) and not memory.readable:
        context.error(
            KernelTypeError,
            "GP208",
            f"{memory.name} is an Out and cannot be read",
            node,
            why="what an Out holds before the kernel writes it is undefined",
            fix=f"annotate {memory.name} as gp.InOut",
        )
