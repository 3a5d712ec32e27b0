"""Workgroup and private arrays, barriers and atomics."""

from __future__ import annotations

import ast
import math

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.language.checks import check_count, known_element, known_value, refuse
from gpucore.front.state.context import Context
from gpucore.front.state.operands import ArrayReference, Operand, Static, describe, items_of, whole_number
from gpucore.front.text.nominal import NominalDType
from gpucore.front.values.convert import as_condition, as_expr
from gpucore.front.values.elements import check_readable, check_writable, element
from gpucore.structs import StructDType, leaves

_MAX_LENGTH = 1 << 24


def make_array(kind: str, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.workgroup_array or gp.private_array. Each lowering of the call creates a separate array."""
    check_count(context, args, node, 2)
    dtype = known_element(context, args[0], node.args[0])
    shape = known_shape(context, args[1], node.args[1])
    types = [dtype.ir_type.base] if isinstance(dtype, NominalDType) else [leaf.ir_type for _, leaf in leaves(dtype)]
    if ir.BOOL in types:
        refuse(
            context,
            "an array cannot hold bool",
            node,
            "bool has no layout in memory",
            "use gp.u32 and compare with 0",
        )
    name = context.array_names.get(node, f"{kind}_array")
    memories = tuple(_make_memory(kind, context, name, type, math.prod(shape), node) for type in types)
    return ArrayReference(memories[0], shape, dtype, memories if isinstance(dtype, StructDType) else ())


def private_length(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """What a block of a workgroup takes: the length of a private array with one axis, 0 for anything but an array."""
    check_count(context, args, node, 1)
    array = args[0]
    if not isinstance(array, ArrayReference):
        return Static(0)
    is_private = isinstance(array.memory, ir.PrivateArray)
    if is_private and len(array.shape) == 1:
        return Static(array.shape[0])
    refuse(
        context,
        f"a block of a workgroup takes a number, or a private array with one axis, not {describe(array)}",
        node,
        "the array has several axes" if is_private else "each invocation gives values of its own",
        "load what each invocation gives into a variable, or a gp.private_array",
    )


def _make_memory(
    kind: str, context: Context, name: str, type: ir.Type, length: int, node: ast.Call
) -> ir.WorkgroupArray | ir.PrivateArray:
    number = context.builder.new_id()
    if kind == "workgroup":
        shared = ir.WorkgroupArray(number, name, type, length, context.span(node))
        context.builder.workgroup_arrays.append(shared)
        return shared
    private = ir.PrivateArray(number, name, type, length)
    context.builder.declare_array(private, context.span(node))
    return private


def known_shape(context: Context, operand: Operand, node: ast.AST) -> tuple[int, ...]:
    """The shape of an array in a kernel: a whole number, or one to four of them."""
    value = known_value(context, operand, node, "the shape of an array")
    lengths = [whole_number(Static(n)) or 0 for n in (value if isinstance(value, tuple) else (value,))]
    if len(lengths) not in (1, 2, 3, 4) or min(lengths) < 1:
        refuse(
            context,
            f"the shape must be one to four whole numbers above 0, not {value!r:.60}",
            node,
            "arrays in kernels have rank 1 to 4",
            "write an int or a tuple of ints",
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


def assume_uniform(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.assume_uniform(value)."""
    check_count(context, args, node, 1)
    if isinstance(args[0], Static):
        return args[0]
    expr = as_expr(context, args[0], node.args[0])
    value = ir.Value(context.builder.new_id(), "uniform", expr.type)
    context.builder.emit(ir.Uniform(value, expr, context.span(node)))
    return value


_VOTES = (ir.SubgroupOp.BALLOT, ir.SubgroupOp.ANY, ir.SubgroupOp.ALL)
_OF_TWO = (
    ir.SubgroupOp.BROADCAST, ir.SubgroupOp.SHUFFLE, ir.SubgroupOp.SHUFFLE_XOR, ir.SubgroupOp.SHUFFLE_UP,
    ir.SubgroupOp.SHUFFLE_DOWN,
)  # fmt: skip


def subgroup(op: ir.SubgroupOp, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.subgroup_add(x) and the other subgroup operations."""
    is_match = op is ir.SubgroupOp.MATCH
    check_count(context, args, node, 0 if op is ir.SubgroupOp.ELECT else 2 if is_match or op in _OF_TWO else 1)
    operand = argument = None
    if op in _VOTES:
        truth = as_condition(context, args[0], node.args[0])
        operand = ir.Constant(truth, ir.BOOL) if isinstance(truth, bool) else truth
    elif args:
        operand = as_expr(context, args[0], node.args[0])
        if is_match and operand.type == ir.F32:
            refuse(
                context,
                f"{context.text(node.func)} compares bits of an i32 or a u32, not of an f32",
                node.args[0],
                "0.0 and -0.0 are equal, and their bits are not; a NaN is not equal to itself",
                f"compare the bits: {context.text(node.func)}(gp.bitcast(gp.u32, {context.text(node.args[0])}), "
                f"{context.text(node.args[1])})",
            )
        if operand.type not in (ir.I32, ir.U32, ir.F32):
            refuse(
                context,
                f"subgroup operations work on i32, u32 and f32, not on {operand.type}",
                node.args[0],
                "these are what every device with subgroups can pass between invocations",
                "convert, or pass the parts one by one",
            )
    if op in _OF_TWO:
        argument = _invocation(context, args[1], node.args[1])
    type = operand.type if operand is not None and op not in _VOTES else ir.BOOL
    if op in ir.MASKS:
        type = ir.VectorType(ir.U32, 4)
    bits = _bits(context, args[1], node.args[1]) if is_match else 0
    value = ir.Value(context.builder.new_id(), f"subgroup_{op.value}", type)
    context.builder.emit(ir.Subgroup(value, op, operand, argument, context.span(node), bits))
    return value


def _bits(context: Context, operand: Operand, node: ast.AST) -> int:
    """How many bits gp.subgroup_match compares."""
    value = known_value(context, operand, node, "the number of bits")
    bits = whole_number(Static(value)) or 0
    if not 1 <= bits <= ir.U32.bits:
        refuse(
            context,
            f"the number of bits must be a whole number from 1 to {ir.U32.bits}, not {value!r:.60}",
            node,
            f"the lowest bits of a number of {ir.U32.bits} bits are compared",
            f"write gp.subgroup_match(x, {ir.U32.bits}) to compare all of them",
        )
    return bits


def _invocation(context: Context, operand: Operand, node: ast.AST) -> ir.Expr:
    """An id, mask or distance within a subgroup: u32, of i32 or u32."""
    known = whole_number(operand)
    if known is not None:
        return as_expr(context, operand, node, ir.U32)
    expr = as_expr(context, operand, node)
    if expr.type == ir.I32:
        return ir.Convert(expr, ir.U32)
    return as_expr(context, operand, node, ir.U32)


def lower_barrier(context: Context, node: ast.Call) -> Operand:
    """gp.barrier(), with `buffers` known at compile time."""
    context.builder.emit(ir.Barrier(context.span(node), _orders_buffers(context, node)))
    return Static(None)


def lower_subgroup_barrier(context: Context, node: ast.Call) -> Operand:
    """gp.subgroup_barrier(), with `buffers` known at compile time."""
    buffers = _orders_buffers(context, node)
    context.builder.emit(ir.Subgroup(None, ir.SubgroupOp.BARRIER, span=context.span(node), buffers=buffers))
    return Static(None)


def _orders_buffers(context: Context, node: ast.Call) -> bool:
    name = context.text(node.func)
    if node.args or any(keyword.arg != "buffers" for keyword in node.keywords):
        context.error(
            KernelTypeError,
            "GP206",
            f"{name} takes only buffers, by name",
            node,
            why="it always waits for all invocations, and orders their accesses to workgroup arrays",
            fix=f"write {name}(), or {name}(buffers=False) for one that does not order accesses to buffers",
        )
    buffers: object = True
    for keyword in node.keywords:
        buffers = known_value(context, context.expression(context, keyword.value), keyword.value, "buffers")
        if not isinstance(buffers, bool):
            refuse(
                context,
                f"buffers is True or False, not {buffers!r:.60}",
                keyword.value,
                "a barrier orders accesses to buffers, or it does not",
                f"write {name}(buffers=False) for one that does not",
            )
    return bool(buffers)


def device_fence(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.device_fence()."""
    check_count(context, args, node, 0)
    context.builder.emit(ir.DeviceFence(context.span(node)))
    return Static(None)


def prefetch(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.prefetch(array, index)."""
    check_count(context, args, node, 2)
    array = args[0]
    if not isinstance(array, ArrayReference) or not isinstance(array.memory, ir.Buffer):
        refuse(
            context,
            f"gp.prefetch works on a buffer, not on {describe(array)}",
            node.args[0],
            "only buffers are far from the processor",
            "pass an array parameter of the kernel, or remove the call",
        )
    indices = items_of(args[1]) or (args[1],)
    target = element(context, array, list(indices), [node.args[1]] * len(indices), node)
    path, kind = target.place.path, array.memory.element
    for number in path:
        assert isinstance(kind, ir.StructType)
        kind = kind.fields[number].type
    while isinstance(kind, ir.StructType):
        path, kind = (*path, 0), kind.fields[0].type
    context.builder.emit(ir.Prefetch(ir.Place(array.memory, target.place.index, path), context.span(node)))
    return Static(None)


def _atomic_type(op: ir.AtomicOp, context: Context, array: ArrayReference, node: ast.Call) -> ir.ScalarType:
    """The element type of the array, which the operation must support."""
    whole = array.view.base if array.view is not None else array
    type = whole.dtype.ir_type if isinstance(whole.dtype, StructDType) else array.memory.element
    integers = (ir.I32, ir.U32, ir.I64, ir.U64)
    if isinstance(type, ir.ScalarType) and (type in integers or (type == ir.F32 and op in ir.FLOAT_ATOMICS)):
        return type
    of_floats = type == ir.F32
    fix = "use an array of gp.i32 or gp.u32"
    if of_floats and op in (ir.AtomicOp.MIN, ir.AtomicOp.MAX):
        bits = f"gp.bitcast(gp.u32, {context.text(node.args[2])})"
        fix += f"; floats from 0 up have the order of their bits: store {bits} in one of gp.u32"
    refuse(
        context,
        f"this atomic works on integers, not on {type}" if of_floats else f"an atomic does not work on {type}",
        node.args[0],
        "the atomics on f32 are load, store, add, sub and exchange"
        if of_floats
        else "devices have atomics on i32 and u32, some of them on i64 and u64, and a few on f32",
        fix,
    )


def atomic(op: ir.AtomicOp, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.atomic_add(array, index, value) and the other atomics."""
    check_count(context, args, node, {ir.AtomicOp.LOAD: 2, ir.AtomicOp.COMPARE_EXCHANGE: 4}.get(op, 3))
    array = args[0]
    if not isinstance(array, ArrayReference) or isinstance(array.memory, ir.PrivateArray | ir.ConstantArray):
        refuse(
            context,
            f"an atomic works on a buffer or workgroup array, not on {describe(array)}",
            node.args[0],
            "only memory that invocations share needs atomics",
            "write gp.atomic_add(array, index, value)",
        )
    type = _atomic_type(op, context, array, node)
    indices = items_of(args[1]) or (args[1],)
    target = element(context, array, list(indices), [node.args[1]] * len(indices), node)
    check_writable(context, array, node)
    if op is not ir.AtomicOp.STORE:
        check_readable(context, array, node)
    own = array.dtype.ir_type if isinstance(array.dtype, NominalDType) else None
    operands = [as_expr(context, arg, n, own or type) for arg, n in zip(args[2:], node.args[2:], strict=True)]
    if own is not None:
        operands = [ir.Convert(operand, type) for operand in operands]
    value = ir.Value(context.builder.new_id(), "before", type) if op is not ir.AtomicOp.STORE else None
    comparand = operands[0] if op is ir.AtomicOp.COMPARE_EXCHANGE else None
    operand = operands[-1] if operands else None
    target.guard(context, context.span(node))
    context.builder.emit(ir.Atomic(value, op, target.place, operand, comparand, context.span(node)))
    if value is None:
        return Static(None)
    return value if own is None else ir.Convert(value, own)
