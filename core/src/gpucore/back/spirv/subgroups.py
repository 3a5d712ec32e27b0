"""Operations of subgroups."""

from __future__ import annotations

from gpucore import ir
from gpucore.back.spirv.assembly import Assembly
from gpucore.back.spirv.expressions import Expressions
from gpucore.back.spirv.instructions import Id, Operand, Word
from gpucore.ir import SubgroupOp, scalar_of

SCOPE = 3  # Subgroup

# The instruction and its capability; BROADCAST of an invocation that is no constant is a shuffle.
_PLAIN = {
    SubgroupOp.BROADCAST: ("OpGroupNonUniformBroadcast", "Ballot"),
    SubgroupOp.SHUFFLE: ("OpGroupNonUniformShuffle", "Shuffle"),
    SubgroupOp.SHUFFLE_XOR: ("OpGroupNonUniformShuffleXor", "Shuffle"),
    SubgroupOp.SHUFFLE_UP: ("OpGroupNonUniformShuffleUp", "ShuffleRelative"),
    SubgroupOp.SHUFFLE_DOWN: ("OpGroupNonUniformShuffleDown", "ShuffleRelative"),
    SubgroupOp.BALLOT: ("OpGroupNonUniformBallot", "Ballot"),
    SubgroupOp.ANY: ("OpGroupNonUniformAny", "Vote"),
    SubgroupOp.ALL: ("OpGroupNonUniformAll", "Vote"),
    SubgroupOp.ELECT: ("OpGroupNonUniformElect", ""),
}
_REDUCE, _INCLUSIVE, _EXCLUSIVE = Word(0, "Reduce"), Word(1, "InclusiveScan"), Word(2, "ExclusiveScan")
_OF_ALL = {
    SubgroupOp.ADD: (_REDUCE, ("FAdd", "IAdd", "IAdd")),
    SubgroupOp.INCLUSIVE_ADD: (_INCLUSIVE, ("FAdd", "IAdd", "IAdd")),
    SubgroupOp.EXCLUSIVE_ADD: (_EXCLUSIVE, ("FAdd", "IAdd", "IAdd")),
    SubgroupOp.MIN: (_REDUCE, ("FMin", "SMin", "UMin")),
    SubgroupOp.MAX: (_REDUCE, ("FMax", "SMax", "UMax")),
}


def operation(assembly: Assembly, expressions: Expressions, statement: ir.Subgroup) -> Id:
    """Write an operation that has a value."""
    op, kind = statement.op, assembly.type(statement.result.type)
    parts = [expressions.value(e) for e in (statement.operand, statement.argument) if e is not None]
    scope = assembly.constant_u32(SCOPE)
    assembly.capabilities.add("GroupNonUniform")
    if op is SubgroupOp.BROADCAST and not isinstance(statement.argument, ir.Constant):
        op = SubgroupOp.SHUFFLE
    if op in _PLAIN:
        name, capability = _PLAIN[op]
        if capability:
            assembly.capabilities.add(f"GroupNonUniform{capability}")
        return assembly.value(name, kind, scope, *parts)
    if op not in _OF_ALL or statement.operand is None:
        raise expressions.error(f"SPIR-V has no form for the operation {op.value} of subgroups")
    assembly.capabilities.add("GroupNonUniformArithmetic")
    how, names = _OF_ALL[op]
    scalar = scalar_of(statement.operand.type)
    name = names[0 if scalar.is_float else 1 if scalar.is_signed else 2]
    operands: list[Operand] = [scope, how, *parts]
    return assembly.value(f"OpGroupNonUniform{name}", kind, *operands)
