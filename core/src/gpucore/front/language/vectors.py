"""gp.vload and gp.vstore: vectors of neighbouring elements of an array of scalars."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.front.language.checks import check_count, known_value, refuse
from gpucore.front.state.context import Context
from gpucore.front.state.operands import EXPR_CLASSES, ArrayReference, Operand, Static, describe, whole_number
from gpucore.front.values.elements import Access, as_index, check_writable, element, load, store
from gpucore.front.values.masks import components
from gpucore.ir import build
from gpucore.types import DType

_ELEMENTS = tuple(dict.fromkeys(vector.element for vector in ir.VECTORS))
_WIDTHS = (2, 3, 4)


def vload(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.vload(array, index, width)."""
    check_count(context, args, node, 3)
    array, scalar = _array(context, args[0], node)
    known_value(context, args[2], node.args[2], "the width of a vector")
    width = whole_number(args[2])
    if width not in _WIDTHS:
        refuse(
            context,
            f"the width must be 2, 3 or 4, not {describe(args[2])}",
            node.args[2],
            "vectors have two, three or four components",
            "write gp.vload(x, i, 4)",
        )
    parts = [load(context, access, node, width) for access in _elements(context, array, args[1], width, node)]
    return ir.Construct(tuple(part for part in parts if isinstance(part, EXPR_CLASSES)), ir.VectorType(scalar, width))


def vstore(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.vstore(array, index, vector)."""
    check_count(context, args, node, 3)
    array, scalar = _array(context, args[0], node)
    vector = args[2]
    if (
        not isinstance(vector, EXPR_CLASSES)
        or not isinstance(vector.type, ir.VectorType)
        or (vector.type.element != scalar)
    ):
        refuse(
            context,
            f"{array.name} takes vectors of {scalar} here, not {describe(vector)}",
            node.args[2],
            "the components are stored to neighbouring elements, which have one type",
            f"give a vector, as in gp.vstore({context.text(node.args[0])}, {context.text(node.args[1])}, "
            f"gp.{scalar}x2(a, b))",
        )
    check_writable(context, array, node)
    width, span = vector.type.width, context.span(node)
    parts = [context.builder.let("component", part, span) for part in components(context, vector, node)]
    for access, part in zip(_elements(context, array, args[1], width, node), parts, strict=True):
        store(context, access, part, node.args[2], span, width)
    return Static(None)


def _array(context: Context, operand: Operand, node: ast.Call) -> tuple[ArrayReference, ir.ScalarType]:
    """The array, of one axis, and the type of its elements."""
    is_array = isinstance(operand, ArrayReference)
    if not isinstance(operand, ArrayReference) or len(operand.shape) != 1:
        refuse(
            context,
            f"{context.text(node.func)} works on an array of one axis, not on {describe(operand)}",
            node.args[0],
            "a vector is made of elements that are neighbours",
            "give a row, as in x[j]" if is_array else "give an array",
        )
    dtype = operand.dtype
    scalar = dtype.ir_type if isinstance(dtype, DType) else None
    if not isinstance(scalar, ir.ScalarType) or scalar not in _ELEMENTS:
        refuse(
            context,
            f"{operand.name} holds {dtype.ir_type}, of which there are no vectors",
            node.args[0],
            f"vectors have components of {', '.join(map(str, _ELEMENTS[:-1]))} or {_ELEMENTS[-1]}",
            "take the elements one by one",
        )
    return operand, scalar


def _elements(context: Context, array: ArrayReference, index: Operand, width: int, node: ast.Call) -> list[Access]:
    """The elements from an index on, which is evaluated once."""
    known = whole_number(index)
    first = as_index(context, array, 0, index, node.args[1])
    if known is None and first.type == ir.U32 and array.view is not None:  # the index of the whole array is i32
        first = ir.Convert(first, ir.I32)
    if known is None and not isinstance(first, ir.Value):
        first = context.builder.let("index", first, context.span(node))
    following = [Static(known + n) if known is not None else build.add(first, n) for n in range(1, width)]
    return [element(context, array, [each], [node.args[1]], node) for each in (first, *following)]
