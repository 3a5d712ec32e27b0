"""Workgroup and private arrays, barriers and atomics."""

from __future__ import annotations

import ast
import math

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.checks import check_count, known_dtype, known_value, refuse
from gpucore.front.context import Context
from gpucore.front.convert import as_expr
from gpucore.front.memory import check_readable, check_writable, element
from gpucore.front.operands import ArrayReference, Operand, Static, describe, items_of, whole_number

_MAX_LENGTH = 1 << 24


def make_array(kind: str, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.workgroup_array or gp.private_array: each time that the call is lowered makes an array of its own."""
    check_count(context, args, node, 2)
    type = known_dtype(context, args[0], node.args[0])
    shape = _shape(context, args[1], node.args[1])
    if type == ir.BOOL:
        refuse(
            context,
            "an array cannot hold bool",
            node,
            "bool has no layout in memory",
            "use gp.u32 and compare with 0",
        )
    number, name = context.builder.new_id(), context.array_names.get(node, f"{kind}_array")
    memory: ir.WorkgroupArray | ir.PrivateArray
    if kind == "workgroup":
        memory = ir.WorkgroupArray(number, name, type, math.prod(shape))
        context.builder.workgroup_arrays.append(memory)
    else:
        memory = ir.PrivateArray(number, name, type, math.prod(shape))
        context.builder.declare_array(memory, context.span(node))
    return ArrayReference(memory, shape)


def _shape(context: Context, operand: Operand, node: ast.AST) -> tuple[int, ...]:
    value = known_value(context, operand, node, "the shape of an array")
    lengths = [whole_number(Static(n)) or 0 for n in (value if isinstance(value, tuple) else (value,))]
    if len(lengths) not in (1, 2) or min(lengths) < 1:
        refuse(
            context,
            f"the shape must be one or two whole numbers above 0, not {value!r:.60}",
            node,
            "arrays in kernels have rank 1 or 2",
            "write an int or a tuple of two",
        )
    if math.prod(lengths) > _MAX_LENGTH:
        context.error(
            KernelTypeError,
            "GP205",
            "the array is too large",
            node,
            why=f"an array in a kernel has at most {_MAX_LENGTH} elements",
            fix="pass an array as a parameter",
        )
    return tuple(lengths)


def barrier(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.barrier()."""
    check_count(context, args, node, 0)
    context.builder.emit(ir.Barrier(context.span(node)))
    return Static(None)


def atomic(op: ir.AtomicOp, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.atomic_add(array, index, value) and its like."""
    check_count(context, args, node, {ir.AtomicOp.LOAD: 2, ir.AtomicOp.COMPARE_EXCHANGE: 4}.get(op, 3))
    array = args[0]
    if not isinstance(array, ArrayReference) or isinstance(array.memory, ir.PrivateArray):
        refuse(
            context,
            f"an atomic works on a buffer or workgroup array, not on {describe(array)}",
            node.args[0],
            "only memory that invocations share needs atomics",
            "write gp.atomic_add(array, index, value)",
        )
    type = array.memory.element
    if type not in (ir.I32, ir.U32):
        refuse(
            context,
            f"an atomic works on i32 and u32, not on {type}",
            node.args[0],
            "other types have no atomics on every device",
            "use an array of gp.i32 or gp.u32",
        )
    indices = items_of(args[1]) or (args[1],)
    target = element(context, array, list(indices), [node.args[1]] * len(indices), node)
    check_writable(context, array, node)
    if op is not ir.AtomicOp.STORE:
        check_readable(context, array, node)
    operands = [as_expr(context, arg, n, type) for arg, n in zip(args[2:], node.args[2:], strict=True)]
    value = ir.Value(context.builder.new_id(), "before", type) if op is not ir.AtomicOp.STORE else None
    comparand = operands[0] if op is ir.AtomicOp.COMPARE_EXCHANGE else None
    operand = operands[-1] if operands else None
    context.builder.emit(ir.Atomic(value, op, target, operand, comparand, context.span(node)))
    return value if value is not None else Static(None)
