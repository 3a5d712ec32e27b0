"""A module under construction: sections in the order that SPIR-V demands, types and constants without duplicates."""

from __future__ import annotations

import struct
from typing import NamedTuple

from gpucore.back.names import Names
from gpucore.back.spirv.instructions import MAGIC, VERSION, Id, Instruction, Number, Operand, Word, floating, integer
from gpucore.ir import ScalarKind, ScalarType, Type, VectorType
from gpucore.span import Span

FUNCTION, PRIVATE, WORKGROUP = Word(7, "Function"), Word(6, "Private"), Word(4, "Workgroup")
STORAGE, UNIFORM, PUSH, INPUT = Word(12, "StorageBuffer"), Word(2, "Uniform"), Word(9, "PushConstant"), Word(1, "Input")

CAPABILITIES = {
    "Shader": 1, "Float16": 9, "Float64": 10, "Int64": 11, "Int64Atomics": 12, "Int16": 22, "Int8": 39,
    "GroupNonUniform": 61, "GroupNonUniformVote": 62, "GroupNonUniformArithmetic": 63, "GroupNonUniformBallot": 64,
    "GroupNonUniformShuffle": 65, "GroupNonUniformShuffleRelative": 66, "StorageBuffer16BitAccess": 4433,
    "StorageBuffer8BitAccess": 4448, "SignedZeroInfNanPreserve": 4466, "RoundingModeRTE": 4467,
    "AtomicFloat32AddEXT": 6033,
}  # fmt: skip
EXTENSIONS = {
    "StorageBuffer8BitAccess": "SPV_KHR_8bit_storage",
    "SignedZeroInfNanPreserve": "SPV_KHR_float_controls",
    "RoundingModeRTE": "SPV_KHR_float_controls",
    "AtomicFloat32AddEXT": "SPV_EXT_shader_atomic_float_add",
}
"""What is in an extension of version 1.3."""

_OF_TYPES = {"f16": "Float16", "f64": "Float64", "i64": "Int64", "u64": "Int64"}


class Assembled(NamedTuple):
    """A finished module."""

    words: bytes
    text: str
    spans: tuple[Span | None, ...]


class Assembly:
    """Sections of instructions. `span` is that of the statement whose instructions are written."""

    def __init__(self) -> None:
        self.span: Span | None = None
        self.capabilities: set[str] = {"Shader"}
        self.names = Names(frozenset())
        self._hints: dict[Id, str] = {}
        self._next = 0
        self._shared: dict[object, Id] = {}
        self._constants: set[Id] = set()
        self._head: list[Instruction] = []  # the entry point and its modes
        self._debug: list[Instruction] = []
        self._decorations: list[Instruction] = []
        self._globals: list[Instruction] = []
        self.variables: list[Instruction] = []  # of the function: they stand at its beginning
        self.body: list[Instruction] = []
        self.glsl = self._new("glsl")
        self.main = self.glsl  # the function
        self.block = self.glsl  # the label of the block that is written

    # ------------------------------------------------------------ ids and instructions

    def _new(self, hint: str = "") -> Id:
        self._next += 1
        made = Id(self._next)
        if hint:
            self._hints[made] = hint
        return made

    def label(self, hint: str) -> Id:
        """An id for a block or another forward reference."""
        return self._new(hint)

    def name(self, id: Id, text: str) -> None:
        """Keep the name that the user knows, also in the binary."""
        self._hints[id] = text
        self._debug.append(Instruction("OpName", None, None, (id, text), None))

    def hint(self, id: Id, text: str) -> None:
        """Let the text show a name, unless the id has one."""
        if id not in self._constants:
            self._hints.setdefault(id, text)

    def value(self, op: str, type: Id, *operands: Operand, hint: str = "") -> Id:
        """Write an instruction with a result in the function."""
        result = self._new(hint)
        self.body.append(Instruction(op, type, result, operands, self.span))
        return result

    def act(self, op: str, *operands: Operand) -> None:
        """Write an instruction without a result."""
        self.body.append(Instruction(op, None, None, operands, self.span))

    def enter(self, op: str, *operands: Operand) -> None:
        """Write an instruction of the head: the entry point, or a mode of it."""
        self._head.append(Instruction(op, None, None, operands, None))

    def begin(self, label: Id) -> None:
        """Begin a block."""
        self.block = label
        self.body.append(Instruction("OpLabel", None, label, (), self.span))

    def phi(self, type: Id, pairs: list[Operand], hint: str) -> Id:
        """A value by the block that control comes from; `pairs` may be filled later."""
        result = self._new(hint)
        self.body.append(Instruction("OpPhi", type, result, pairs, self.span))
        return result

    def decorate(self, target: Id, name: str, *rest: Operand, member: int | None = None) -> None:
        """Give a result, or a member of a struct, a decoration."""
        word = Word(_DECORATIONS[name], name)
        if member is None:
            self._decorations.append(Instruction("OpDecorate", None, None, (target, word, *rest), None))
        else:
            self._decorations.append(Instruction("OpMemberDecorate", None, None, (target, member, word, *rest), None))

    def exact(self, result: Id) -> Id:
        """The result of an operation on floats that may be neither contracted nor reassociated."""
        self.decorate(result, "NoContraction")
        return result

    # ------------------------------------------------------------ types

    def shared(self, op: str, *operands: Operand, type: Id | None = None, hint: str = "", key: object = None) -> Id:
        """A type or constant, written once."""
        found = (op, type, operands, key)
        if found not in self._shared:
            self._shared[found] = self.unique(op, *operands, type=type, hint=hint)
        return self._shared[found]

    def unique(self, op: str, *operands: Operand, type: Id | None = None, hint: str = "") -> Id:
        """A type, constant or variable of the module that is not shared. A constant is of the statement that has it
        first."""
        result, is_constant = self._new(hint), op.startswith("OpConstant")
        self._globals.append(Instruction(op, type, result, operands, self.span if is_constant else None))
        if is_constant:
            self._constants.add(result)
        return result

    def type(self, type: Type) -> Id:
        """The type of values. Integers of 8 and 16 bits are i32 and u32 in registers."""
        if isinstance(type, VectorType):
            return self.shared("OpTypeVector", self.type(type.element), type.width, hint=type.name)
        if type.is_storage:
            return self.integer_type(32, type.is_signed)
        return self.memory_type(type)

    def memory_type(self, type: Type) -> Id:
        """The type of values in memory."""
        if isinstance(type, VectorType):
            return self.type(type)
        if type.kind is ScalarKind.BOOL:
            return self.shared("OpTypeBool", hint="bool")
        if needed := _OF_TYPES.get(type.name):
            self.capabilities.add(needed)
        if type.is_float:
            return self.shared("OpTypeFloat", type.bits, hint=type.name)
        return self.integer_type(type.bits, type.is_signed)

    def integer_type(self, bits: int, signed: bool) -> Id:
        return self.shared("OpTypeInt", bits, int(signed), hint=f"{'i' if signed else 'u'}{bits}")

    def pointer(self, storage: Word, pointee: Id) -> Id:
        return self.shared("OpTypePointer", storage, pointee, hint=f"in_{storage.text}")

    def array(self, element: Id, length: int | None, stride: int | None) -> Id:
        """An array type; without a length its size is that of the bound memory. `stride`: where it has a layout."""
        sized: tuple[Operand, ...] = (element,) if length is None else (element, self.constant_u32(length))
        op = "OpTypeRuntimeArray" if length is None else "OpTypeArray"
        key = (op, None, sized, stride)
        is_new = key not in self._shared
        result = self.shared(op, *sized, hint="array", key=stride)
        if is_new and stride is not None:
            self.decorate(result, "ArrayStride", stride)
        return result

    # ------------------------------------------------------------ constants

    def constant(self, value: bool | int | float, type: ScalarType) -> Id:
        """A scalar constant, as a value in registers."""
        kind = self.type(type)
        if type.kind is ScalarKind.BOOL:
            return self.shared("OpConstantTrue" if value else "OpConstantFalse", type=kind)
        number = floating(float(value), type.bits) if type.is_float else integer(int(value), max(type.bits, 32))
        return self._number(number, kind)

    def constant_u32(self, value: int) -> Id:
        return self._number(integer(value, 32), self.integer_type(32, False))

    def _number(self, number: Number, type: Id) -> Id:
        return self.shared("OpConstant", number, type=type)

    def null(self, type: Id) -> Id:
        """All zeros."""
        return self.shared("OpConstantNull", type=type)

    def is_constant(self, id: Id) -> bool:
        """Whether an id is a constant of the module."""
        return id in self._constants

    # ------------------------------------------------------------ the whole

    def assemble(self) -> Assembled:
        """Number the ids in the order of the words, and write words and text."""
        whole = self._whole()
        numbers: dict[Id, int] = {}
        for instruction in whole:
            for id in instruction.ids():
                numbers.setdefault(id, len(numbers) + 1)
        names = {id: self.names.name(id, self._hints[id]) if id in self._hints else str(numbers[id]) for id in numbers}
        words = [MAGIC, VERSION, 0, len(numbers) + 1, 0]
        lines: list[str] = ["; SPIR-V, version 1.3"]
        spans: list[Span | None] = [None]
        for instruction in whole:
            words += instruction.words(numbers.__getitem__)
            lines.append(instruction.line(names.__getitem__))
            spans.append(instruction.span)
        return Assembled(struct.pack(f"<{len(words)}I", *words), "\n".join(lines) + "\n", tuple(spans))

    def _whole(self) -> list[Instruction]:
        capabilities = sorted(self.capabilities, key=CAPABILITIES.__getitem__)
        extensions = dict.fromkeys(EXTENSIONS[name] for name in capabilities if name in EXTENSIONS)
        first = [Instruction("OpCapability", None, None, (Word(CAPABILITIES[c], c),), None) for c in capabilities]
        first += [Instruction("OpExtension", None, None, (name,), None) for name in extensions]
        first.append(Instruction("OpExtInstImport", None, self.glsl, ("GLSL.std.450",), None))
        first.append(Instruction("OpMemoryModel", None, None, (Word(0, "Logical"), Word(1, "GLSL450")), None))
        opening = 2  # OpFunction and the first label
        function = self.body[:opening] + self.variables + self.body[opening:]
        return [*first, *self._head, *self._debug, *self._decorations, *self._globals, *function]


_DECORATIONS = {
    "Block": 2, "ArrayStride": 6, "BuiltIn": 11, "Aliased": 20, "Coherent": 23, "NonWritable": 24, "Binding": 33,
    "DescriptorSet": 34, "Offset": 35, "NoContraction": 42,
}  # fmt: skip
