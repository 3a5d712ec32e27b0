"""What a kernel gets from its dispatch: builtins, and the packed scalars.

Kernels that use subgroups get a workgroup of one axis, and their ids are computed from the linear index: a subgroup
then has consecutive invocations. The number of subgroups is computed from their size, because a driver's own may omit
the last one if it is not full.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpucore import ir
from gpucore.back.spirv.assembly import INPUT, PUSH, UNIFORM, Assembly
from gpucore.back.spirv.expressions import Expressions
from gpucore.back.spirv.instructions import Id, Word
from gpucore.errors import EmitError
from gpucore.ir import F16, F32, I32, SUBGROUP_BUILTINS, U32, BuiltinKind, ScalarKind, VectorType, build

MAX_PUSHED = 128
"""Bytes of push constants that every device has. More scalars than that are in a uniform buffer."""

_TRIPLE = VectorType(U32, 3)
_TRIPLES = {
    BuiltinKind.WORKGROUP_ID: Word(26, "WorkgroupId"),
    BuiltinKind.LOCAL_ID: Word(27, "LocalInvocationId"),
    BuiltinKind.NUM_WORKGROUPS: Word(24, "NumWorkgroups"),
}
_LINEAR_ID = Word(29, "LocalInvocationIndex")
_SUBGROUP_SIZE = Word(36, "SubgroupSize")
_WORDS = {
    BuiltinKind.SUBGROUP_SIZE: _SUBGROUP_SIZE,
    BuiltinKind.SUBGROUP_ID: Word(40, "SubgroupId"),
    BuiltinKind.SUBGROUP_INVOCATION_ID: Word(41, "SubgroupLocalInvocationId"),
    BuiltinKind.NUM_SUBGROUPS: _SUBGROUP_SIZE,
}


class Inputs:
    """The inputs of one kernel. They are read at its beginning."""

    def __init__(self, assembly: Assembly, expressions: Expressions, module: ir.Module) -> None:
        self._assembly, self._expressions = assembly, expressions
        self._size, self._num_invocations = module.workgroup_size, module.num_invocations
        self._is_flat = ir.walk.uses_subgroups(module) and max(self._size[1:]) > 1
        self._variables: dict[Word, Id] = {}

    @property
    def workgroup_size(self) -> tuple[int, int, int]:
        """The size that the entry point declares."""
        return (self._num_invocations, 1, 1) if self._is_flat else self._size

    def variables(self) -> list[Id]:
        """The interface of the entry point."""
        return list(self._variables.values())

    def read(self, builtins: Iterable[ir.Builtin]) -> None:
        """Compute the builtins that the kernel uses, as i32."""
        for builtin in sorted(builtins, key=lambda e: (list(BuiltinKind).index(e.kind), e.axis)):
            id = self._expressions.value(build.bitcast(self._builtin(builtin), I32))
            axis = "" if builtin.kind in SUBGROUP_BUILTINS else f"_{'xyz'[builtin.axis]}"
            self._assembly.hint(id, f"{builtin.kind.value}{axis}")
            self._expressions.builtins[builtin.kind, builtin.axis] = id

    def _builtin(self, builtin: ir.Builtin) -> ir.Expr:
        """A builtin as u32."""
        kind, axis = builtin.kind, builtin.axis
        if kind in _WORDS:
            self._assembly.capabilities.add("GroupNonUniform")
            word: ir.Expr = self._load(_WORDS[kind], U32)
            if kind is BuiltinKind.NUM_SUBGROUPS:
                return build.floor_div(build.add(word, self._num_invocations - 1), word)
            return word
        if kind is BuiltinKind.LOCAL_ID and self._is_flat:
            x, y, _ = self._size
            before = (1, x, x * y)[axis]
            quotient = build.floor_div(self._load(_LINEAR_ID, U32), before)
            return build.floor_mod(quotient, self._size[axis])
        if kind not in _TRIPLES:
            raise EmitError("GP601", f"SPIR-V has no form for {kind.value}", fix="run the kernel on another backend")
        return ir.Extract(self._load(_TRIPLES[kind], _TRIPLE), axis, U32)

    def _load(self, word: Word, type: ir.Type) -> ir.Expr:
        kind = self._assembly.type(type)
        if word not in self._variables:
            pointer = self._assembly.pointer(INPUT, kind)
            self._variables[word] = self._assembly.unique("OpVariable", INPUT, type=pointer, hint=word.text)
            self._assembly.decorate(self._variables[word], "BuiltIn", word)
        return self._expressions.known(self._assembly.value("OpLoad", kind, self._variables[word]), type)

    # ------------------------------------------------------------ scalars

    def read_params(self, valid: ir.ValidModule, used: frozenset[int]) -> None:
        """Load the scalars that the kernel uses, by their indices, from a block with one member for each."""
        if not valid.scalars_nbytes:
            return
        slots = sorted(valid.slots, key=lambda slot: slot.offset)
        storage, assembly = (PUSH if is_pushed(valid) else UNIFORM), self._assembly
        block = assembly.unique("OpTypeStruct", *[assembly.type(_stored(s.type)) for s in slots], hint="Scalars")
        assembly.decorate(block, "Block")
        for number, slot in enumerate(slots):
            assembly.decorate(block, "Offset", slot.offset, member=number)
        variable = assembly.unique("OpVariable", storage, type=assembly.pointer(storage, block), hint="scalars")
        if storage is UNIFORM:
            assembly.decorate(variable, "DescriptorSet", 0)
            assembly.decorate(variable, "Binding", len(valid.module.buffers))
        for number, slot in enumerate(slots):
            if slot.param.index in used:
                stored = _stored(slot.type)
                pointer = assembly.pointer(storage, assembly.type(stored))
                place = assembly.value("OpAccessChain", pointer, variable, assembly.constant_u32(number))
                loaded = self._expressions.known(assembly.value("OpLoad", assembly.type(stored), place), stored)
                id = self._expressions.value(self._unpacked(loaded, slot.type))
                assembly.hint(id, slot.param.name)
                self._expressions.params[slot.param.index] = id

    def _unpacked(self, word: ir.Value, type: ir.ScalarType) -> ir.Expr:
        if type.kind is ScalarKind.BOOL:
            return build.ne(word, 0)
        if type == F16:
            pair = self._expressions.raw_call("UnpackHalf2x16", VectorType(F32, 2), word)
            return build.convert(ir.Extract(pair, 0, F32), F16)
        if type.is_storage:
            return build.convert(word, type)
        return word


def is_pushed(valid: ir.ValidModule) -> bool:
    """Whether the scalars are push constants."""
    return 0 < valid.scalars_nbytes <= MAX_PUSHED


def _stored(type: ir.ScalarType) -> ir.ScalarType:
    """The type of a scalar in the packed block, where each has at least four bytes."""
    return U32 if type.kind is ScalarKind.BOOL or type == F16 or type.is_storage else type
