"""Built-in functions. Ids are lowered here, other functions in modules by topic.

The tables at the end map Python functions to handlers.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from gpucore import ir, lang
from gpucore.front.language.arrays import (
    assume_uniform,
    atomic,
    device_fence,
    lower_barrier,
    lower_subgroup_barrier,
    make_array,
    prefetch,
    private_length,
    subgroup,
)
from gpucore.front.language.checks import check_count, known_value, refuse
from gpucore.front.language.compile_time import lower_len, lower_ord, lower_static, refuse_outside_for
from gpucore.front.language.cooperative import COOPERATIVE
from gpucore.front.language.debugging import lower_debug
from gpucore.front.language.geometry import GEOMETRY
from gpucore.front.language.mathematics import (
    bitcast,
    call_math,
    floor_divmod,
    integer_pair,
    limit,
    python_number,
    reduce_mask,
    select,
)
from gpucore.front.language.matrices import MATRICES
from gpucore.front.language.vectors import vload, vstore
from gpucore.front.state.context import Context
from gpucore.front.state.operands import Operand, Static, describe, whole_number
from gpucore.ir import build

Handler = Callable[[Context, list[Operand], ast.Call], Operand]


def _axis(context: Context, args: list[Operand], node: ast.Call) -> int:
    check_count(context, args, node, 0, 1)
    axis: int | None = 0
    if args:
        known_value(context, args[0], node.args[0], "the axis")
        axis = whole_number(args[0])
    if axis not in (0, 1, 2):
        refuse(
            context,
            f"the axis must be 0, 1 or 2, not {describe(args[0])}",
            node,
            "a dispatch has three axes",
            "use 0 for x, 1 for y, 2 for z",
        )
    return axis


def _builtin(kind: ir.BuiltinKind, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    return ir.Builtin(kind, _axis(context, args, node))


def _subgroup_builtin(kind: ir.BuiltinKind, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    check_count(context, args, node, 0)
    return ir.Builtin(kind, 0)


def _subgroup_size(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.subgroup_size(): a compile-time value where the kernel needs one."""
    check_count(context, args, node, 0)
    size = context.subgroup_size
    return Static(size) if size else ir.Builtin(ir.BuiltinKind.SUBGROUP_SIZE, 0)


def _num_subgroups(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.num_subgroups(), likewise."""
    check_count(context, args, node, 0)
    size = context.subgroup_size
    if not size:
        return ir.Builtin(ir.BuiltinKind.NUM_SUBGROUPS, 0)
    return Static(-(-math.prod(context.workgroup_size) // size))


def _global_id(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    axis = _axis(context, args, node)
    start = build.mul(ir.Builtin(ir.BuiltinKind.WORKGROUP_ID, axis), context.workgroup_size[axis])
    return build.add(start, ir.Builtin(ir.BuiltinKind.LOCAL_ID, axis))


def _workgroup_size(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    return Static(context.workgroup_size[_axis(context, args, node)])


def _local_index(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    check_count(context, args, node, 0)
    x, y, z = (ir.Builtin(ir.BuiltinKind.LOCAL_ID, axis) for axis in range(3))
    width, height, depth = context.workgroup_size
    index: ir.Expr = z if depth > 1 else ir.Constant(0, ir.I32)
    for size, axis, used in ((height, y, depth > 1 or height > 1), (width, x, True)):
        scaled = build.mul(index, size)
        index = build.add(scaled, axis) if used else index
    return index


def _python_function(name: str) -> Any:
    """A function of Python's math module, as in "math.exp", or a builtin."""
    module, _, function = name.rpartition(".")
    return getattr(math if module else builtins, function)


SPECIAL: dict[Any, Callable[[Context, ast.Call], Operand]] = {
    lang.static: lower_static,
    lang.barrier: lower_barrier,
    lang.subgroup_barrier: lower_subgroup_barrier,
    builtins.print: partial(lower_debug, ir.DebugKind.PRINT),
    builtins.breakpoint: partial(lower_debug, ir.DebugKind.BREAKPOINT),
    builtins.range: refuse_outside_for,
    lang.unroll: refuse_outside_for,
}

FUNCTIONS: dict[Any, Handler] = {
    lang.global_id: _global_id,
    lang.local_id: partial(_builtin, ir.BuiltinKind.LOCAL_ID),
    lang.workgroup_id: partial(_builtin, ir.BuiltinKind.WORKGROUP_ID),
    lang.num_workgroups: partial(_builtin, ir.BuiltinKind.NUM_WORKGROUPS),
    lang.workgroup_size: _workgroup_size,
    lang.local_index: _local_index,
    lang.workgroup_array: partial(make_array, "workgroup"),
    lang.private_array: partial(make_array, "private"),
    lang.private_length: private_length,
    lang.assume_uniform: assume_uniform,
    lang.device_fence: device_fence,
    lang.prefetch: prefetch,
    lang.vload: vload,
    lang.vstore: vstore,
    lang.subgroup_size: _subgroup_size,
    lang.subgroup_id: partial(_subgroup_builtin, ir.BuiltinKind.SUBGROUP_ID),
    lang.subgroup_invocation_id: partial(_subgroup_builtin, ir.BuiltinKind.SUBGROUP_INVOCATION_ID),
    lang.num_subgroups: _num_subgroups,
    lang.bitcast: bitcast,
    lang.select: select,
    lang.any: partial(reduce_mask, is_all=False),
    lang.all: partial(reduce_mask, is_all=True),
    lang.max_value: partial(limit, "max"),
    lang.min_value: partial(limit, "min"),
    lang.div_trunc: partial(integer_pair, ir.BinaryOp.TRUNC_DIV),
    lang.rem: partial(integer_pair, ir.BinaryOp.TRUNC_REM),
    builtins.int: partial(python_number, int),
    builtins.float: partial(python_number, float),
    builtins.len: lower_len,
    builtins.ord: lower_ord,
    builtins.divmod: floor_divmod,
    **{function: partial(call_math, name) for name, function in lang.MATH.items() if name not in GEOMETRY},
    **{lang.MATH[name]: handler for name, handler in GEOMETRY.items()},
    **{getattr(lang, name): handler for name, handler in (MATRICES | COOPERATIVE).items()},
    **{function: partial(atomic, ir.AtomicOp(name)) for name, function in lang.ATOMICS.items()},
    **{
        function: partial(subgroup, ir.SubgroupOp(name))
        for name, function in lang.SUBGROUPS.items()
        if function is not lang.subgroup_barrier
    },
    **{
        _python_function(name): partial(call_math, op.value)
        for op, function in ir.FUNCTIONS.items()
        for name in function.python
    },
}
