"""Lowering of a kernel: a Python function and the types of its parameters to IR."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping
from typing import TypeVar

from gpucore import ir
from gpucore.errors import CompileError, KernelSyntaxError, KernelTypeError
from gpucore.front.state.captured import Captured
from gpucore.front.state.context import Context, Frame, LoweringFacts, Restart, SubgroupSize
from gpucore.front.state.operands import ArrayReference, Operand, Static, StructValue
from gpucore.front.state.specialisation import Specialisation
from gpucore.front.state.target import ANY
from gpucore.front.text.nominal import NominalDType, element_dtype, erase, field_dtype, plain
from gpucore.front.text.signature import BufferParameter, ConstParameter, ScalarParameter, Signature, StructParameter
from gpucore.front.text.source import FunctionSource
from gpucore.front.walk.expressions import lower_condition, lower_expression
from gpucore.front.walk.inlining import bind_parameter
from gpucore.front.walk.statements import lower_statements
from gpucore.immutable import Immutable
from gpucore.span import Span
from gpucore.structs import StructDType, fields_of

__all__ = ["Lowered", "declare", "lower"]

_NEEDS_VALUE = ("GP201", "GP210")
"""The codes of errors that a value of run time may cause, where a compile-time value is needed."""


class Lowered(Immutable, eq=False):
    """A kernel as IR, and the values that it captured."""

    module: ir.Module
    captured: tuple[Captured, ...]
    uses_target: bool  # whether it is only valid for the device of the specialisation
    specialisation: Specialisation


def lower(
    source: FunctionSource, signature: Signature, workgroup_size: tuple[int, int, int], specialisation: Specialisation
) -> Lowered:
    """Lower a kernel for the given types and constants. Raises KernelSyntaxError and KernelTypeError.

    The size of a subgroup is a value of run time, unless the kernel cannot be lowered so and can be with the target's.
    """
    size = SubgroupSize()
    try:
        return _lower(source, signature, workgroup_size, specialisation, size)
    except KernelTypeError as error:
        if error.code not in _NEEDS_VALUE or not size.is_read:
            raise
        refused = error
    known = specialisation.target.subgroup_size
    try:
        lowered = _lower(source, signature, workgroup_size, specialisation, SubgroupSize(known or ANY.subgroup_size))
    except CompileError as error:
        if (error.code, error.span) == (refused.code, refused.span):
            raise refused from None
        if known:
            raise
    else:
        if known:
            return lowered
    raise KernelTypeError(
        "GP210",
        "the size of a subgroup is needed here when the kernel is compiled",
        refused.span,
        why="the device's subgroups have different sizes, or it does not say which: `min_subgroup_size` and "
        "`max_subgroup_size` of device.limits are not equal, or 0",
        fix="take the greatest size, 128, or a gp.Const parameter, or choose another device",
    )


def _lower(
    source: FunctionSource,
    signature: Signature,
    workgroup_size: tuple[int, int, int],
    specialisation: Specialisation,
    size: SubgroupSize,
) -> Lowered:
    facts = LoweringFacts()
    try:
        while True:
            try:
                lowered = _lower_once(source, signature, workgroup_size, specialisation, facts, size)
            except Restart:
                continue  # with the facts found so far
            facts.cooperates = facts.cooperates and not _has_idle_matrices(lowered.module)
            if facts.cooperates or not _cooperates(lowered.module):
                return lowered
    except RecursionError:
        raise KernelSyntaxError(
            "GP110",
            f"{source.name} is nested too deeply",
            source.span(source.node),
            why="an expression, or nested branches and calls, go deeper than Python's recursion limit",
            fix="assign parts of a long expression to variables",
        ) from None


def _cooperates(module: ir.Module) -> bool:
    """Whether a kernel has cooperative matrices."""
    return any(isinstance(each, (ir.CooperativeLoad, ir.CooperativeStore)) for each in ir.walk.statements(module.body))


def _has_idle_matrices(module: ir.Module) -> bool:
    """Whether a kernel has cooperative matrices, but multiplies none."""
    multiplies = any(
        isinstance(each, ir.CooperativeOperation) and each.op is ir.CooperativeOp.MULTIPLY_ADD
        for each in ir.walk.statements(module.body)
    )
    return not multiplies and _cooperates(module)


def _lower_once(
    source: FunctionSource,
    signature: Signature,
    workgroup_size: tuple[int, int, int],
    specialisation: Specialisation,
    facts: LoweringFacts,
    size: SubgroupSize,
) -> Lowered:
    target = specialisation.target
    if not facts.cooperates:
        without = target.capabilities - {ir.Capability.COOPERATIVE_MATRICES}
        target = dataclasses.replace(target, capabilities=without)
    context = Context(dict(specialisation.types), workgroup_size, target, specialisation.is_debug, size)
    context.expression, context.condition, context.statements = lower_expression, lower_condition, lower_statements
    parsed = source.parsed
    spans = {name: source.span(node) for name, node in parsed.arguments.items()}
    interface = _Interface(signature, specialisation, spans)
    frame = Frame(source, parsed.uses, None, None, facts, closure=source.closure(), is_kernel=True)
    frame.base_block = context.builder.block
    context.frames.append(frame)
    if parsed.needs_exit:
        frame.return_exit = context.new_exit("return")
    for name, operand in interface.operands.items():
        bind_parameter(context, name, operand, parsed.arguments[name])
    context.statements(context, source.node.body)
    _check_outputs(context, interface.buffers, source)
    module = ir.Module(
        source.name,
        workgroup_size,
        interface.buffers,
        tuple(interface.params),
        tuple(interface.origins),
        tuple(context.builder.workgroup_arrays),
        context.builder.body(),
        source.span(source.node),
    )
    if context.has_nominal_types or interface.has_nominal_types:
        module = erase(module)
    return Lowered(module, tuple(context.captured.values()), context.uses_target, specialisation)


def declare(
    name: str, signature: Signature, workgroup_size: tuple[int, int, int], specialisation: Specialisation
) -> ir.Module:
    """The IR of a kernel without a body, for a kernel that is written by hand in a target's language."""
    interface = _Interface(signature, specialisation, {})
    module = ir.Module(
        name, workgroup_size, interface.buffers, tuple(interface.params), tuple(interface.origins), (), ()
    )
    return erase(module) if interface.has_nominal_types else module


def _check_outputs(context: Context, buffers: tuple[ir.Buffer, ...], source: FunctionSource) -> None:
    for buffer in buffers:
        if buffer.writable and not buffer.readable and buffer.index not in context.written:
            raise KernelTypeError(
                "GP311",
                f"{buffer.name} is an Out and is never written",
                source.span(source.parsed.arguments[buffer.name]),
                why=f"its contents would be undefined{_unreached(buffer.name, source)}",
                fix=f"store to {buffer.name}[i], or leave the parameter out",
            )


def _unreached(name: str, source: FunctionSource) -> str:
    """A note on the first store to the array, which is in unreachable code; "" if there is no store."""
    stores = [
        source.span(node).line
        for node in ast.walk(source.node)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name) and node.value.id == name
    ]  # fmt: skip
    if not stores:
        return ""
    return f"; the store at line {min(stores)} is never reached: it is after a return, or where a condition is false"


def _stored(element: ir.Element) -> ir.Element:
    return element if isinstance(element, ir.StructType) else plain(element)


class _Interface:
    """Buffers, params and origins of the module, and the operand of each parameter."""

    def __init__(self, signature: Signature, specialisation: Specialisation, spans: Mapping[str, Span]) -> None:
        self._spans = spans  # of the parameters, if there is source text
        self._types: Mapping[TypeVar, ir.Type] = dict(specialisation.types)
        constants = dict(specialisation.constants)
        self.params: list[ir.Param] = []
        self.origins: list[ir.Origin] = []
        self.operands: dict[str, Operand] = {}
        self.has_nominal_types = False
        arrays = [p for p in signature.parameters if isinstance(p, BufferParameter)]
        self.buffers = tuple(
            ir.Buffer(
                index,
                p.name,
                _stored(element),
                p.mode != "out",
                p.mode != "in",
                p.rank,
                spans.get(p.name),
            )
            for index, (p, element) in enumerate(zip(arrays, specialisation.elements, strict=True))
        )
        memories = {buffer.name: buffer for buffer in self.buffers}
        elements = {p.name: element for p, element in zip(arrays, specialisation.elements, strict=True)}
        for parameter in signature.parameters:
            match parameter:
                case BufferParameter():
                    self.operands[parameter.name] = self._array(
                        parameter, memories[parameter.name], elements[parameter.name]
                    )
                case ScalarParameter():
                    self.operands[parameter.name] = self._value(parameter)
                case StructParameter():
                    self.operands[parameter.name] = self._struct(parameter.name, parameter.cls, "")
                case ConstParameter():
                    self.operands[parameter.name] = Static(constants[parameter.name])

    def _array(self, parameter: BufferParameter, memory: ir.Buffer, element: ir.Element) -> ArrayReference:
        shape = tuple(self._shape(parameter.name, axis) for axis in range(parameter.rank))
        dtype = parameter.element
        if isinstance(dtype, TypeVar):
            assert not isinstance(element, ir.StructType)
            dtype = element_dtype(element)
        self.has_nominal_types |= isinstance(dtype, NominalDType)
        return ArrayReference(memory, shape, dtype)

    def _value(self, parameter: ScalarParameter) -> ir.Expr:
        type = parameter.type
        self.has_nominal_types |= isinstance(type, NominalDType)
        found = self._types[type] if isinstance(type, TypeVar) else type.ir_type
        return self._number(parameter.name, found, parameter.name, "")

    def _struct(self, name: str, cls: StructDType, path: str) -> StructValue:
        values: list[ir.Expr | StructValue] = []
        for field in fields_of(cls):
            inner = f"{path}.{field.name}" if path else field.name
            dtype = field_dtype(field)
            if isinstance(dtype, StructDType):
                values.append(self._struct(name, dtype, inner))
            else:
                self.has_nominal_types |= isinstance(dtype, NominalDType)
                values.append(self._number(f"{name}.{inner}", dtype.ir_type, name, inner))
        return StructValue(cls, tuple(values))

    def _number(self, shown: str, type: ir.Type, argument: str, path: str) -> ir.Expr:
        """A scalar or vector by value; a vector has a param for each component."""
        if isinstance(type, ir.ScalarType):
            return self._param(shown, type, ir.ArgumentOrigin(argument, path))
        components = tuple(
            self._param(f"{shown}.{'xyzw'[i]}", type.element, ir.ArgumentOrigin(argument, f"{path}.{i}".lstrip(".")))
            for i in range(type.width)
        )
        return ir.Construct(components, type)

    def _param(self, name: str, type: ir.ScalarType, origin: ir.Origin) -> ir.Param:
        assert isinstance(origin, (ir.ArgumentOrigin, ir.ShapeOrigin))
        param = ir.Param(len(self.params), name, type, self._spans.get(origin.name))
        self.params.append(param)
        self.origins.append(origin)
        return param

    def _shape(self, name: str, axis: int) -> ir.Param:
        return self._param(f"{name}.shape[{axis}]", ir.I32, ir.ShapeOrigin(name, axis))
