"""Subgroup operations as WGSL. naga accepts them without `enable subgroups;`, and rejects that line."""

from __future__ import annotations

from gpucore.plugin import ir
from gpucore.plugin.ir import SubgroupOp
from gpucore_wgpu.wgsl_builtins import LANE
from gpucore_wgpu.wgsl_expressions import Expressions
from gpucore_wgpu.wgsl_types import type_name

_NAMES = {
    SubgroupOp.SHUFFLE: "subgroupShuffle", SubgroupOp.SHUFFLE_XOR: "subgroupShuffleXor",
    SubgroupOp.SHUFFLE_UP: "subgroupShuffleUp", SubgroupOp.SHUFFLE_DOWN: "subgroupShuffleDown",
    SubgroupOp.ADD: "subgroupAdd", SubgroupOp.MIN: "subgroupMin", SubgroupOp.MAX: "subgroupMax",
    SubgroupOp.INCLUSIVE_ADD: "subgroupInclusiveAdd", SubgroupOp.EXCLUSIVE_ADD: "subgroupExclusiveAdd",
    SubgroupOp.BALLOT: "subgroupBallot", SubgroupOp.ANY: "subgroupAny", SubgroupOp.ALL: "subgroupAll",
}  # fmt: skip


def subgroup_operation(expressions: Expressions, statement: ir.Subgroup) -> str:
    """The call that gives the statement's value."""
    if statement.op is SubgroupOp.ELECT:  # naga has no subgroupElect; all invocations take part, so 0 is elected
        return f"{expressions.builtin(LANE)} == 0"
    arguments = [_operand(expressions, statement.operand)] if statement.operand is not None else []
    if statement.argument is not None:
        arguments.append(expressions.argument(statement.argument))
    return f"{_name(expressions, statement)}({', '.join(arguments)})"


def _name(expressions: Expressions, statement: ir.Subgroup) -> str:
    """The WGSL function. subgroupBroadcast needs a constant id; with any other id subgroupShuffle is used."""
    if statement.op is SubgroupOp.BROADCAST:
        return "subgroupBroadcast" if isinstance(statement.argument, ir.Constant) else "subgroupShuffle"
    return expressions.entry(_NAMES, statement.op)


def _operand(expressions: Expressions, operand: ir.Expr) -> str:
    """The operand. A constant is converted to its type, because WGSL's literals of i32 and f32 are abstract."""
    text = expressions.argument(operand)
    return f"{type_name(operand.type)}({text})" if isinstance(operand, ir.Constant) else text
