"""A valid kernel as a module of SPIR-V 1.3 for Vulkan 1.1: words, and a listing in the assembler's syntax."""

from __future__ import annotations

from typing import NamedTuple

from gpucore import ir
from gpucore.back.names import Names
from gpucore.back.spirv.assembly import Assembly
from gpucore.back.spirv.expressions import Expressions
from gpucore.back.spirv.inputs import Inputs, is_pushed
from gpucore.back.spirv.instructions import Word
from gpucore.back.spirv.memory import Memories, is_written
from gpucore.back.spirv.statements import Statements
from gpucore.immutable import Immutable
from gpucore.ir import Capability, expansions, walk
from gpucore.ir.ranges import Ranges
from gpucore.ir.source import Source

LANGUAGE = "spirv"

OPERATIONS = expansions.required()
"""The functions that are written; core expands the others."""

OF_LANGUAGE = frozenset(
    {
        Capability.F16, Capability.F64, Capability.INT64, Capability.INT8, Capability.INT16, Capability.ATOMIC_F32,
        Capability.ATOMIC_INT64, Capability.SUBGROUP, Capability.SUBGROUP_BARRIER, Capability.DEVICE_FENCE,
    }
)  # fmt: skip
"""What SPIR-V has on some device."""


class FloatControls(Immutable):
    """What a device promises of floats, by their bits, if a module asks for it.

    `preserves`: infinities, NaN and the signs of zeros are kept. `rounds_to_even`: conversions round to nearest even.
    Of a device whose widths cannot be set apart, all are given or none.
    """

    preserves: frozenset[int] = frozenset()
    rounds_to_even: frozenset[int] = frozenset()


class Binary(NamedTuple):
    """The payload of a Source, as a plain tuple."""

    words: bytes
    has_push_constants: bool  # the scalars, else they are in a uniform buffer after the storage buffers
    capabilities: tuple[str, ...]  # those that the module declares

    @classmethod
    def of(cls, source: Source) -> Binary:
        """The payload of a Source of `emit`."""
        assert isinstance(source.payload, tuple)
        return cls(*source.payload)


def emit(valid: ir.ValidModule, controls: FloatControls | None = None) -> Source:
    """The module of a kernel; without `controls` for any device."""
    module = valid.module
    assembly = Assembly()
    ranges: list[Ranges] = []

    def is_nonnegative(expr: ir.Expr) -> bool:
        """Of values of the kernel; facts are computed only for kernels with a division."""
        if any(isinstance(leaf, ir.Value | ir.Local) and leaf.id < 0 for leaf in walk.leaves(expr)):
            return False
        if not ranges:
            ranges.append(Ranges(module))
        return ranges[0].interval(expr).lo >= 0

    expressions = Expressions(assembly, is_nonnegative)
    memories = Memories(assembly, expressions, valid)
    statements = Statements(assembly, expressions, memories)
    expressions.run = statements.run
    entry = Names(frozenset()).name("entry", module.name)
    inputs = Inputs(assembly, expressions, module)
    _write(assembly, valid, inputs, memories, statements)
    _write_head(assembly, entry, inputs, controls or FloatControls())
    made = assembly.assemble()
    return Source(
        language=LANGUAGE,
        text=made.text,
        entry=entry,
        workgroup_size=module.workgroup_size,
        writes=tuple(is_written(valid, buffer) for buffer in module.buffers),
        scalars_nbytes=valid.scalars_nbytes,
        workgroup_memory=sum(array.element.nbytes * array.length for array in module.workgroup_arrays),
        lines=made.spans,
        payload=tuple(Binary(made.words, is_pushed(valid), tuple(sorted(assembly.capabilities)))),
    )


def _write(
    assembly: Assembly, valid: ir.ValidModule, inputs: Inputs, memories: Memories, statements: Statements
) -> None:
    module = valid.module
    assembly.span = module.span
    nothing = assembly.shared("OpTypeVoid", hint="void")
    signature = assembly.shared("OpTypeFunction", nothing, hint="signature")
    assembly.main = assembly.value("OpFunction", nothing, Word(0, "None"), signature, hint="main")
    assembly.begin(assembly.label("entry"))
    memories.declare()
    leaves = {
        leaf
        for statement in walk.statements(module.body)
        for expr in walk.expressions(statement)
        for leaf in walk.leaves(expr)
        if isinstance(leaf, ir.Builtin | ir.Param)
    }
    inputs.read_params(valid, frozenset(leaf.index for leaf in leaves if isinstance(leaf, ir.Param)))
    inputs.read(leaf for leaf in leaves if isinstance(leaf, ir.Builtin))
    if statements.ends(module.body):
        assembly.act("OpReturn")
    assembly.span = module.span
    assembly.act("OpFunctionEnd")


def _write_head(assembly: Assembly, entry: str, inputs: Inputs, controls: FloatControls) -> None:
    """The entry point, its workgroup size, and what it asks of floats: of the widths that it has."""
    assembly.enter("OpEntryPoint", Word(5, "GLCompute"), assembly.main, entry, *inputs.variables())
    assembly.enter("OpExecutionMode", assembly.main, Word(17, "LocalSize"), *inputs.workgroup_size)
    widths = {16: "Float16", 64: "Float64", 32: "Shader"}
    for name, number, asked in (
        ("SignedZeroInfNanPreserve", 4461, controls.preserves),
        ("RoundingModeRTE", 4462, controls.rounds_to_even),
    ):
        for bits in sorted(asked):
            if widths[bits] in assembly.capabilities:
                assembly.capabilities.add(name)
                assembly.enter("OpExecutionMode", assembly.main, Word(number, name), bits)
