"""Operations of subgroups as WGSL. naga takes them without `enable subgroups;`, and refuses that line."""

from __future__ import annotations

from gpucore import ir
from gpucore.ir import SubgroupOp
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
    if statement.op is SubgroupOp.ELECT:  # naga has no subgroupElect; all of the subgroup are here, so 0 is the least
        return f"{expressions.builtin(LANE)} == 0"
    arguments = [_operand(expressions, statement.operand)] if statement.operand is not None else []
    if statement.argument is not None:
        arguments.append(expressions.argument(statement.argument))
    return f"{_name(expressions, statement)}({', '.join(arguments)})"


def _name(expressions: Expressions, statement: ir.Subgroup) -> str:
    """A broadcast takes only a number known when it is compiled; any other is a shuffle."""
    if statement.op is SubgroupOp.BROADCAST:
        return "subgroupBroadcast" if isinstance(statement.argument, ir.Constant) else "subgroupShuffle"
    return expressions.spelling(_NAMES, statement.op)


def _operand(expressions: Expressions, operand: ir.Expr) -> str:
    """The operand, a literal of i32 or f32 with its type: in WGSL it would be of no concrete one."""
    text = expressions.argument(operand)
    return f"{type_name(operand.type)}({text})" if isinstance(operand, ir.Constant) else text
