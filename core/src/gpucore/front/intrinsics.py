"""The language's own functions: what each means in IR. Tables at the end map Python functions to handlers."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gpucore import ir, lang
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.context import Context
from gpucore.front.convert import as_condition, as_expr, typed_or_weak, unify
from gpucore.front.memory import check_writable, element
from gpucore.front.operands import EXPR_CLASSES, ArrayReference, Group, Operand, Static, describe, is_number
from gpucore.types import DType

Handler = Callable[[Context, list[Operand], ast.Call], Operand]


def _arity(context: Context, args: list[Operand], node: ast.Call, least: int, most: int | None = None) -> None:
    most = least if most is None else most
    if not least <= len(args) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        context.error(KernelTypeError, "GP206", f"{context.text(node.func)} takes {count} argument{'s' * (most != 1)}, not {len(args)}",
                      node, why="the function is defined for that many", fix="give the arguments that it takes")  # fmt: skip


def _compile_time(context: Context, operand: Operand, node: ast.AST, what: str) -> Any:
    if isinstance(operand, Static):
        return operand.value
    if isinstance(operand, Group):
        return tuple(_compile_time(context, item, node, what) for item in operand.items)
    context.error(KernelTypeError, "GP210", f"{what} must be known when the kernel is compiled", node,
                  why=f"it is {describe(operand)}, which is known only when the kernel runs",
                  fix="use a literal, a global constant or a parameter annotated gp.Const[int]")  # fmt: skip


def _dtype(context: Context, operand: Operand, node: ast.AST) -> ir.Type:
    value = _compile_time(context, operand, node, "a dtype")
    if not isinstance(value, DType):
        context.error(KernelTypeError, "GP202", f"a dtype such as gp.f32 is needed here, not {value!r}", node,
                      why="the function makes values of that type", fix="write gp.f32, gp.i32, ...")  # fmt: skip
    return value.ir_type


# ---------------------------------------------------------------- ids


def _axis(context: Context, args: list[Operand], node: ast.Call) -> int:
    _arity(context, args, node, 0, 1)
    axis = _compile_time(context, args[0], node.args[0], "the axis") if args else 0
    if axis not in (0, 1, 2) or isinstance(axis, bool):
        context.error(KernelTypeError, "GP202", f"the axis must be 0, 1 or 2, not {axis!r}", node,
                      why="a dispatch has three axes", fix="use 0 for x, 1 for y, 2 for z")  # fmt: skip
    return int(axis)


def _builtin(kind: ir.BuiltinKind, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    return ir.Builtin(kind, _axis(context, args, node))


def _global_id(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    axis = _axis(context, args, node)
    size = ir.Constant(context.workgroup_size[axis], ir.I32)
    start = ir.Binary(ir.BinaryOp.MUL, ir.Builtin(ir.BuiltinKind.WORKGROUP_ID, axis), size, ir.I32)
    return ir.Binary(ir.BinaryOp.ADD, start, ir.Builtin(ir.BuiltinKind.LOCAL_ID, axis), ir.I32)


def _workgroup_size(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    return Static(context.workgroup_size[_axis(context, args, node)])


def _local_index(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    _arity(context, args, node, 0)
    x, y, z = (ir.Builtin(ir.BuiltinKind.LOCAL_ID, axis) for axis in range(3))
    width, height, depth = context.workgroup_size
    index: ir.Expr = z if depth > 1 else ir.Constant(0, ir.I32)
    for size, axis, used in ((height, y, depth > 1 or height > 1), (width, x, True)):
        scaled = ir.Binary(ir.BinaryOp.MUL, index, ir.Constant(size, ir.I32), ir.I32)
        index = ir.Binary(ir.BinaryOp.ADD, scaled, axis, ir.I32) if used else index
    return index


# ---------------------------------------------------------------- memory


def _array(kind: str, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    _arity(context, args, node, 2)
    type = _dtype(context, args[0], node.args[0])
    shape = _compile_time(context, args[1], node.args[1], "the shape of an array")
    shape = shape if isinstance(shape, tuple) else (shape,)
    if not 1 <= len(shape) <= 2 or not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in shape):
        context.error(KernelTypeError, "GP202", f"the shape must be one or two whole numbers above 0, not {shape!r}", node,
                      why="arrays in kernels have rank 1 or 2", fix="write an int or a tuple of two")  # fmt: skip
    if type == ir.BOOL:
        context.error(KernelTypeError, "GP202", "an array cannot hold bool", node,
                      why="bool has no layout in memory", fix="use gp.u32 and compare with 0")  # fmt: skip
    length, number = math.prod(shape), context.builder.new_id()
    if kind == "workgroup":
        memory: ir.Memory = ir.WorkgroupArray(number, "workgroup_array", type, length)
        context.builder.workgroup_arrays.append(memory)
    else:
        memory = ir.PrivateArray(number, "private_array", type, length)
        context.builder.emit(ir.DeclareArray(memory, context.span(node)))
    return ArrayReference(memory, tuple(shape))


def _barrier(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    _arity(context, args, node, 0)
    context.builder.emit(ir.Barrier(context.span(node)))
    return Static(None)


def _atomic(op: ir.AtomicOp, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    count = {ir.AtomicOp.LOAD: 2, ir.AtomicOp.COMPARE_EXCHANGE: 4}.get(op, 3)
    _arity(context, args, node, count)
    array = args[0]
    if not isinstance(array, ArrayReference) or isinstance(array.memory, ir.PrivateArray):
        context.error(KernelTypeError, "GP202", f"an atomic works on a buffer or workgroup array, not on {describe(array)}", node.args[0],
                      why="only memory that invocations share needs atomics", fix="write gp.atomic_add(array, index, value)")  # fmt: skip
    if array.memory.element not in (ir.I32, ir.U32):
        context.error(KernelTypeError, "GP202", f"an atomic works on i32 and u32, not on {array.memory.element}", node.args[0],
                      why="other types have no atomics on every device", fix="use an array of gp.i32 or gp.u32")  # fmt: skip
    index = list(args[1].items) if isinstance(args[1], Group) else [args[1]]
    target = element(context, array, index, [node.args[1]] * len(index), node)
    check_writable(context, array, node)
    operands = [as_expr(context, arg, n, array.memory.element) for arg, n in zip(args[2:], node.args[2:], strict=True)]
    value = None
    if op is not ir.AtomicOp.STORE:
        value = ir.Value(context.builder.new_id(), "before", array.memory.element)
    comparand = operands[0] if op is ir.AtomicOp.COMPARE_EXCHANGE else None
    operand = operands[-1] if operands else None
    context.builder.emit(ir.Atomic(value, op, target, operand, comparand, context.span(node)))
    return value if value is not None else Static(None)


# ---------------------------------------------------------------- numbers


_FLOAT_ONLY = frozenset(
    "floor ceil round trunc fract sqrt rsqrt exp exp2 log log2 pow sin cos tan asin acos atan atan2 sinh cosh tanh fma mix "
    "step isnan isinf".split()
)
_INTEGER_ONLY = frozenset("popcount clz ctz reverse_bits".split())
_COUNT = {"min": 2, "max": 2, "clamp": 3, "pow": 2, "atan2": 2, "fma": 3, "mix": 3, "step": 2, "dot": 2}


def _math(name: str, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    count = _COUNT.get(name, 1)
    if name in ("min", "max") and len(args) > 2:
        first = _math(name, context, args[:2], node)
        return _math(name, context, [first, *args[2:]], node)
    _arity(context, args, node, count)
    if all(isinstance(arg, Static) and is_number(arg.value) for arg in args) and name in ("abs", "min", "max", "clamp"):
        return Static(_python(name, [arg.value for arg in args if isinstance(arg, Static)]))
    exprs = _same_type(context, name, args, node)
    type = exprs[0].type
    scalar = ir.scalar_of(type)
    if scalar == ir.BOOL or (name in _FLOAT_ONLY and not scalar.is_float) or (name in _INTEGER_ONLY and not scalar.is_integer):
        wanted = "floats" if name in _FLOAT_ONLY else "integers" if name in _INTEGER_ONLY else "numbers"
        context.error(KernelTypeError, "GP202", f"{name} works on {wanted}, not on {type}", node,
                      why="the function is not defined for this type", fix=f"convert, as in gp.{name}(gp.{'f32' if wanted == 'floats' else 'i32'}(x))")  # fmt: skip
    if name == "dot" and not isinstance(type, ir.VectorType):
        context.error(KernelTypeError, "GP202", f"dot works on two vectors, not on {type}", node,
                      why="it sums the products of components", fix="multiply scalars with *")  # fmt: skip
    result: ir.Type = scalar if name == "dot" else ir.with_scalar(type, ir.BOOL) if name in ("isnan", "isinf") else type
    return ir.Call(ir.MathOp(name), tuple(exprs), result)


def _python(name: str, values: list[Any]) -> Any:
    if name == "clamp":
        return min(max(values[0], values[1]), values[2])
    return getattr(builtins, name)(*values)


def _same_type(context: Context, name: str, args: list[Operand], node: ast.Call) -> list[ir.Expr]:
    """All arguments with one type; literals of a float-only function are floats."""
    if name in _FLOAT_ONLY:
        args = [Static(float(a.value)) if isinstance(a, Static) and is_number(a.value) and type(a.value) is int else a for a in args]
    nodes = (node.args * len(args))[: len(args)] if len(node.args) < len(args) else node.args
    lead, lead_node = args[0], nodes[0]
    for arg, arg_node in zip(args[1:], nodes[1:], strict=False):
        lead, _ = unify(context, lead, arg, lead_node, arg_node, node, name)
    return [
        unify(context, arg, lead, arg_node, lead_node, node, name)[0] if arg is not lead else as_expr(context, arg, arg_node)
        for arg, arg_node in zip(args, nodes, strict=False)
    ]


def _bitcast(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    _arity(context, args, node, 2)
    type, value = _dtype(context, args[0], node.args[0]), as_expr(context, args[1], node.args[1])
    if ir.BOOL in (ir.scalar_of(type), ir.scalar_of(value.type)) or type.nbytes != value.type.nbytes:
        context.error(KernelTypeError, "GP202", f"the bits of {value.type} cannot be taken as {type}", node,
                      why="both must have the same size, and bool has no bits", fix="choose a type of the same size")  # fmt: skip
    return value if value.type == type else ir.Bitcast(value, type)


def _select(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    _arity(context, args, node, 3)
    condition = as_condition(context, args[0], node.args[0])
    if_true, if_false = unify(context, args[1], args[2], node.args[1], node.args[2], node, "select")
    if isinstance(condition, bool):
        return if_true if condition else if_false
    return ir.Select(condition, if_true, if_false, if_true.type)


def _limit(which: str, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    _arity(context, args, node, 1)
    type = _dtype(context, args[0], node.args[0])
    if not isinstance(type, ir.ScalarType) or type == ir.BOOL:
        context.error(KernelTypeError, "GP202", f"{which}_value works on number types, not on {type}", node,
                      why="only numbers have limits", fix="write gp.f32, gp.i32, ...")  # fmt: skip
    if type.is_integer:
        return ir.Constant(type.max_value if which == "max" else type.min_value, type)
    largest = float(np.finfo(f"float{type.bits}").max)
    return ir.Constant(largest if which == "max" else -largest, type)


def _integer_pair(op: ir.BinaryOp, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    _arity(context, args, node, 2)
    a, b = unify(context, args[0], args[1], node.args[0], node.args[1], node, context.text(node.func))
    if not ir.scalar_of(a.type).is_integer:
        context.error(KernelTypeError, "GP202", f"{context.text(node.func)} works on integers, not on {a.type}", node,
                      why="it is integer division", fix="use / for floats")  # fmt: skip
    return ir.Binary(op, a, b, a.type)


def _round(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    return _math("round", context, args, node)


def _python_int(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    if len(args) == 1 and isinstance(args[0], Static) and is_number(args[0].value):
        return Static(int(args[0].value))
    context.error(KernelTypeError, "GP106", "int and float convert compile-time values only", node,
                  why="on a device a number has a width", fix="write gp.i32(...) or gp.f32(...)")  # fmt: skip


def _python_float(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    if len(args) == 1 and isinstance(args[0], Static) and is_number(args[0].value):
        return Static(float(args[0].value))
    return _python_int(context, [], node)


def _len(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    _arity(context, args, node, 1)
    if isinstance(args[0], ArrayReference):
        first = args[0].shape[0]
        return Static(first) if isinstance(first, int) else first
    if isinstance(args[0], Group):
        return Static(len(args[0].items))
    return Static(len(_compile_time(context, args[0], node, "the argument of len")))


# ---------------------------------------------------------------- calls whose arguments are not lowered first


def _static(context: Context, node: ast.Call) -> Operand:
    if len(node.args) != 1 or node.keywords:
        context.error(KernelTypeError, "GP206", "gp.static takes one expression", node,
                      why="it evaluates that expression when the kernel is compiled", fix="write gp.static(expression)")  # fmt: skip
    frame = context.frame
    names = {name: operand.value for name, operand in frame.bindings.items() if isinstance(operand, Static)}
    runtime = {n.id for n in ast.walk(node.args[0]) if isinstance(n, ast.Name) and n.id in frame.bindings and n.id not in names}
    if runtime:
        context.error(KernelTypeError, "GP210", f"gp.static needs compile-time values, and {', '.join(sorted(runtime))} is none", node,
                      why="it is evaluated by Python when the kernel is compiled", fix="use literals, globals and gp.Const parameters")  # fmt: skip
    expression = ast.Expression(node.args[0])
    try:
        value = eval(compile(expression, frame.source.file, "eval"), {**frame.source.global_names, **frame.closure, **names})  # noqa: S307
    except Exception as error:
        context.error(KernelTypeError, "GP210", f"gp.static failed: {type(error).__name__}: {error}", node,
                      why="the expression is plain Python, evaluated when the kernel is compiled", fix="correct the expression")  # fmt: skip
    return Group(tuple(Static(item) for item in value)) if isinstance(value, (tuple, list)) else Static(value)


def _debug(kind: ir.DebugKind, context: Context, node: ast.Call) -> Operand:
    if node.keywords or (kind is ir.DebugKind.BREAKPOINT and node.args):
        context.error(KernelSyntaxError, "GP106", f"{kind.value} in a kernel takes no keyword arguments", node,
                      why="it runs on the simulator only, in the plain form", fix="print the values alone")  # fmt: skip
    parts: list[str | ir.Expr] = []
    for arg in node.args:
        operand = context.expression(context, arg)
        for item in operand.items if isinstance(operand, Group) else (operand,):
            if isinstance(item, EXPR_CLASSES):
                parts.append(item)
            elif isinstance(item, Static):
                parts.append(str(item.value))
            else:
                typed_or_weak(context, item, arg)
    context.builder.emit(ir.Debug(kind, tuple(parts), context.span(node)))
    return Static(None)


def _only_in_for(context: Context, node: ast.Call) -> Operand:
    context.error(KernelSyntaxError, "GP108", f"{context.text(node.func)} stands only in the head of a for loop", node,
                  why="it gives the values of the loop's variable", fix="write for i in range(n)")  # fmt: skip


SPECIAL: dict[Any, Callable[[Context, ast.Call], Operand]] = {
    lang.static: _static,
    builtins.print: partial(_debug, ir.DebugKind.PRINT),
    builtins.breakpoint: partial(_debug, ir.DebugKind.BREAKPOINT),
    builtins.range: _only_in_for,
    lang.unroll: _only_in_for,
}

FUNCTIONS: dict[Any, Handler] = {
    lang.global_id: _global_id,
    lang.local_id: partial(_builtin, ir.BuiltinKind.LOCAL_ID),
    lang.workgroup_id: partial(_builtin, ir.BuiltinKind.WORKGROUP_ID),
    lang.num_workgroups: partial(_builtin, ir.BuiltinKind.NUM_WORKGROUPS),
    lang.workgroup_size: _workgroup_size,
    lang.local_index: _local_index,
    lang.workgroup_array: partial(_array, "workgroup"),
    lang.private_array: partial(_array, "private"),
    lang.barrier: _barrier,
    lang.bitcast: _bitcast,
    lang.select: _select,
    lang.max_value: partial(_limit, "max"),
    lang.min_value: partial(_limit, "min"),
    lang.div_trunc: partial(_integer_pair, ir.BinaryOp.TRUNC_DIV),
    lang.rem: partial(_integer_pair, ir.BinaryOp.TRUNC_REM),
    builtins.abs: partial(_math, "abs"),
    builtins.min: partial(_math, "min"),
    builtins.max: partial(_math, "max"),
    builtins.pow: partial(_math, "pow"),
    builtins.round: _round,
    builtins.int: _python_int,
    builtins.float: _python_float,
    builtins.len: _len,
    **{function: partial(_math, name) for name, function in lang.MATH.items()},
    **{function: partial(_atomic, ir.AtomicOp(name)) for name, function in lang.ATOMICS.items()},
    **{
        getattr(math, name): partial(_math, name)
        for name in "floor ceil trunc sqrt exp exp2 log log2 pow sin cos tan asin acos atan atan2 sinh cosh tanh isnan isinf".split()
    },
    math.fabs: partial(_math, "abs"),
}
