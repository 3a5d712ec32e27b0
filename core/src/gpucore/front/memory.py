"""Subscripts and attributes: elements of arrays, components of vectors, fields of structs."""

from __future__ import annotations

import ast
import enum
import types
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
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
        for field, value in zip(operand.fields, operand.values, strict=True):
            if field.name == name:
                return value
        known = ", ".join(field.name for field in operand.fields)
        context.error(KernelTypeError, "GP209", f"{operand.cls.__name__} has no field {name!r}", node,
                      why=f"its fields are {known}", fix="use one of them")  # fmt: skip
    if isinstance(operand, EXPR_CLASSES) and isinstance(operand.type, ir.VectorType):
        return _swizzle(context, operand, operand.type, name, node)
    context.error(KernelTypeError, "GP209", f"{describe(operand)} has no attribute {name!r}", node,
                  why="only arrays, vectors, structs and compile-time values have attributes", fix="leave it out")  # fmt: skip


def _static_attribute(context: Context, value: Any, name: str, node: ast.Attribute) -> Operand:
    if not isinstance(value, (types.ModuleType, type, enum.Enum, np.generic)) or not hasattr(value, name):
        context.error(KernelTypeError, "GP209", f"{context.text(node.value)} has no attribute {name!r}", node,
                      why="it is looked up when the kernel is compiled, and is not there", fix="check the spelling")  # fmt: skip
    return Static(getattr(value, name))


def _array_attribute(context: Context, array: ArrayReference, name: str, node: ast.Attribute) -> Operand:
    def axis_length(length: ir.Expr | int) -> Operand:
        return Static(length) if isinstance(length, int) else length

    if name == "shape":
        return Group(tuple(axis_length(length) for length in array.shape))
    if name == "ndim":
        return Static(len(array.shape))
    if name == "dtype":
        return Static(dtype_of(array.memory.element))
    if name == "size":
        if len(array.shape) == 1:
            return axis_length(array.shape[0])
        first, second = array.shape
        if isinstance(first, int) and isinstance(second, int):
            return Static(first * second)
        return ir.Binary(ir.BinaryOp.MUL, _length(first), _length(second), ir.I32)
    context.error(KernelTypeError, "GP209", f"an array has no attribute {name!r}", node,
                  why="arrays in kernels have size, shape, ndim and dtype", fix="use one of them")  # fmt: skip


def _length(length: ir.Expr | int) -> ir.Expr:
    return ir.Constant(length, ir.I32) if isinstance(length, int) else length


def _swizzle(context: Context, vector: ir.Expr, type: ir.VectorType, name: str, node: ast.AST) -> ir.Expr:
    indices = [_COMPONENTS.get(letter, 4) for letter in name]
    if len(indices) not in (1, 2, 4) or any(index >= type.width for index in indices):
        context.error(KernelTypeError, "GP209", f"{type} has no component {name!r}", node,
                      why=f"its components are {', '.join('xyzw'[: type.width])}; one, two or four may be taken together",
                      fix=f"use one of them, as in v.{'xyzw'[: type.width]}")  # fmt: skip
    if len(indices) == 1:
        return component(vector, indices[0])
    source = vector if isinstance(vector, (ir.Value, ir.Local)) else context.builder.let("vector", vector, context.span(node))
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
        memory = operand.memory
        if isinstance(memory, ir.Buffer) and not memory.readable:
            context.error(KernelTypeError, "GP208", f"{memory.name} is an Out and cannot be read", node,
                          why="what an Out holds before the kernel writes it is undefined",
                          fix=f"annotate {memory.name} as gp.InOut")  # fmt: skip
        return context.builder.load(memory.name, place(context, operand, node), context.span(node))
    index = context.expression(context, node.slice)
    position = index.value if isinstance(index, Static) else None
    if isinstance(operand, EXPR_CLASSES) and isinstance(operand.type, ir.VectorType):
        width: int | None = operand.type.width
    elif isinstance(operand, Group):
        width = len(operand.items)
    else:
        width = len(operand.value) if isinstance(operand, Static) and isinstance(operand.value, tuple) else None
    if width is None:
        context.error(KernelTypeError, "GP202", f"{describe(operand)} cannot be indexed", node,
                      why="arrays, vectors and tuples can", fix="index an array parameter or a gp.workgroup_array")  # fmt: skip
    if not isinstance(position, int) or not -width <= position < width:
        context.error(KernelTypeError, "GP210", f"the index of a vector or tuple must be known when the kernel is compiled, from 0 to {width - 1}",
                      node.slice, why="its items have no address", fix="use a literal, or a loop over gp.unroll")  # fmt: skip
    if isinstance(operand, Group):
        return operand.items[position]
    if isinstance(operand, Static):
        return Static(operand.value[position])
    assert isinstance(operand, EXPR_CLASSES)
    return component(operand, position % width)


def place(context: Context, array: ArrayReference, node: ast.Subscript) -> ir.Place:
    """The element that a subscript means."""
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    lowered = [context.expression(context, index) for index in indices]
    if len(indices) == 1 and isinstance(lowered[0], Group):
        return element(context, array, list(lowered[0].items), [node.slice] * len(lowered[0].items), node)
    return element(context, array, lowered, indices, node)


def element(
    context: Context, array: ArrayReference, lowered: list[Operand], nodes: list[ast.expr], node: ast.AST
) -> ir.Place:
    """The element of an array at lowered indices, one for each axis."""
    rank = len(array.shape)
    if len(lowered) != rank:
        names = ", ".join("ijkl"[:rank])
        context.error(KernelTypeError, "GP208", f"{array.memory.name} has rank {rank} and is indexed with {len(lowered)}", node,
                      why="an element has one index for each axis", fix=f"write {array.memory.name}[{names}]")  # fmt: skip
    if any(isinstance(n, ast.Slice) for n in nodes):
        context.error(KernelSyntaxError, "GP103", "a kernel cannot slice an array", node,
                      why="an invocation works on elements", fix="index one element")  # fmt: skip
    exprs = [_index(context, array, axis, operand, n) for axis, (operand, n) in enumerate(zip(lowered, nodes, strict=True))]
    if rank == 1:
        return ir.Place(array.memory, exprs[0])
    row, column = (_as_i32(expr) for expr in exprs)
    width = _length(array.shape[1])
    if isinstance(row, ir.Constant) and isinstance(width, ir.Constant) and isinstance(column, ir.Constant):
        return ir.Place(array.memory, ir.Constant(int(row.value) * int(width.value) + int(column.value), ir.I32))
    scaled = ir.Binary(ir.BinaryOp.MUL, row, width, ir.I32)
    return ir.Place(array.memory, ir.Binary(ir.BinaryOp.ADD, scaled, column, ir.I32))


def _as_i32(expr: ir.Expr) -> ir.Expr:
    return expr if expr.type == ir.I32 else ir.Convert(expr, ir.I32)


def _index(context: Context, array: ArrayReference, axis: int, operand: Operand, node: ast.AST) -> ir.Expr:
    value = typed_or_weak(context, operand, node)
    if isinstance(value, EXPR_CLASSES):
        if value.type not in (ir.I32, ir.U32):
            context.error(KernelTypeError, "GP208", f"an index must be i32 or u32, not {value.type}", node,
                          why="arrays are addressed with 32-bit integers", fix=f"convert, as in gp.i32({context.text(node)})")  # fmt: skip
        return value
    length = array.shape[axis]
    if isinstance(value, bool) or not isinstance(value, int):
        context.error(KernelTypeError, "GP208", f"an index must be a whole number, not {value!r}", node,
                      why="arrays are addressed with 32-bit integers", fix="use an int")  # fmt: skip
    if value < 0 or (isinstance(length, int) and value >= length):
        top = f" from 0 to {length - 1}" if isinstance(length, int) else ", counted from 0"
        context.error(KernelTypeError, "GP310", f"the index {value} is outside {array.memory.name}", node,
                      why=f"its indices run{top}; negative ones do not count from the end",
                      fix="use an index in range, as in x[x.size - 1] for the last")  # fmt: skip
    return as_expr(context, Static(value), node, ir.I32)


def check_writable(context: Context, array: ArrayReference, node: ast.AST) -> None:
    """Refuse a store to an In; remember the store otherwise."""
    if isinstance(array.memory, ir.Buffer):
        if not array.memory.writable:
            context.error(KernelTypeError, "GP208", f"{array.memory.name} is an In and cannot be written", node,
                          why="an In is read only, on every device", fix=f"annotate {array.memory.name} as gp.InOut or gp.Out")  # fmt: skip
        context.written.add(array.memory.index)
