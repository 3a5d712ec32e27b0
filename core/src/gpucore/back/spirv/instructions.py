"""Instructions of SPIR-V: their numbers, and one instruction as words and as a line of the assembler's syntax."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

from gpucore.span import Span

OPCODES: dict[str, int] = {
    "OpName": 5, "OpExtension": 10, "OpExtInstImport": 11, "OpExtInst": 12, "OpMemoryModel": 14, "OpEntryPoint": 15,
    "OpExecutionMode": 16, "OpCapability": 17, "OpTypeVoid": 19, "OpTypeBool": 20, "OpTypeInt": 21, "OpTypeFloat": 22,
    "OpTypeVector": 23, "OpTypeArray": 28, "OpTypeRuntimeArray": 29, "OpTypeStruct": 30, "OpTypePointer": 32,
    "OpTypeFunction": 33, "OpConstantTrue": 41, "OpConstantFalse": 42, "OpConstant": 43, "OpConstantComposite": 44,
    "OpConstantNull": 46, "OpFunction": 54, "OpFunctionEnd": 56, "OpVariable": 59, "OpLoad": 61, "OpStore": 62,
    "OpAccessChain": 65, "OpDecorate": 71, "OpMemberDecorate": 72, "OpCompositeConstruct": 80,
    "OpCompositeExtract": 81, "OpConvertFToU": 109, "OpConvertFToS": 110, "OpConvertSToF": 111, "OpConvertUToF": 112,
    "OpUConvert": 113, "OpSConvert": 114, "OpFConvert": 115, "OpBitcast": 124, "OpSNegate": 126, "OpFNegate": 127,
    "OpIAdd": 128, "OpFAdd": 129, "OpISub": 130, "OpFSub": 131, "OpIMul": 132, "OpFMul": 133, "OpUDiv": 134,
    "OpSDiv": 135, "OpFDiv": 136, "OpUMod": 137, "OpIsNan": 156, "OpIsInf": 157, "OpLogicalEqual": 164,
    "OpLogicalNotEqual": 165, "OpLogicalOr": 166, "OpLogicalAnd": 167, "OpLogicalNot": 168, "OpSelect": 169,
    "OpIEqual": 170, "OpINotEqual": 171, "OpUGreaterThan": 172, "OpSGreaterThan": 173, "OpUGreaterThanEqual": 174,
    "OpSGreaterThanEqual": 175, "OpULessThan": 176, "OpSLessThan": 177, "OpULessThanEqual": 178,
    "OpSLessThanEqual": 179, "OpFOrdEqual": 180, "OpFUnordNotEqual": 183, "OpFOrdLessThan": 184,
    "OpFOrdGreaterThan": 186, "OpFOrdLessThanEqual": 188, "OpFOrdGreaterThanEqual": 190,
    "OpShiftRightLogical": 194, "OpShiftRightArithmetic": 195, "OpShiftLeftLogical": 196, "OpBitwiseOr": 197,
    "OpBitwiseXor": 198, "OpBitwiseAnd": 199, "OpNot": 200, "OpBitReverse": 204, "OpBitCount": 205,
    "OpControlBarrier": 224, "OpMemoryBarrier": 225, "OpAtomicLoad": 227, "OpAtomicStore": 228,
    "OpAtomicExchange": 229, "OpAtomicCompareExchange": 230, "OpAtomicIAdd": 234, "OpAtomicISub": 235,
    "OpAtomicSMin": 236, "OpAtomicUMin": 237, "OpAtomicSMax": 238, "OpAtomicUMax": 239, "OpAtomicAnd": 240,
    "OpAtomicOr": 241, "OpAtomicXor": 242, "OpPhi": 245, "OpLoopMerge": 246, "OpSelectionMerge": 247, "OpLabel": 248,
    "OpBranch": 249, "OpBranchConditional": 250, "OpReturn": 253, "OpUnreachable": 255,
    "OpGroupNonUniformElect": 333, "OpGroupNonUniformAll": 334, "OpGroupNonUniformAny": 335,
    "OpGroupNonUniformBroadcast": 337, "OpGroupNonUniformBallot": 339, "OpGroupNonUniformShuffle": 345,
    "OpGroupNonUniformShuffleXor": 346, "OpGroupNonUniformShuffleUp": 347, "OpGroupNonUniformShuffleDown": 348,
    "OpGroupNonUniformIAdd": 349, "OpGroupNonUniformFAdd": 350, "OpGroupNonUniformSMin": 353,
    "OpGroupNonUniformUMin": 354, "OpGroupNonUniformFMin": 355, "OpGroupNonUniformSMax": 356,
    "OpGroupNonUniformUMax": 357, "OpGroupNonUniformFMax": 358, "OpAtomicFAddEXT": 6035,
}  # fmt: skip
"""The instructions that the emitter writes, by name."""

GLSL: dict[str, int] = {
    "RoundEven": 2, "Trunc": 3, "FAbs": 4, "Floor": 8, "Ceil": 9, "Sin": 13, "Cos": 14, "Tan": 15, "Cosh": 20,
    "Exp": 27, "Log": 28, "Exp2": 29, "Log2": 30, "Sqrt": 31, "InverseSqrt": 32, "UMin": 38, "SMin": 39, "UMax": 41,
    "SMax": 42, "Fma": 50, "UnpackHalf2x16": 62, "FindILsb": 73, "FindUMsb": 75, "NMin": 79, "NMax": 80,
}  # fmt: skip
"""Those of the extended instructions GLSL.std.450."""

MAGIC, VERSION = 0x07230203, 0x00010300


class Id(int):
    """The number of a result, a type, a label: of a module under construction, before they are numbered in order."""


class Word(NamedTuple):
    """A number with a name in the specification: a capability, a decoration, a storage class."""

    value: int
    text: str


class Number(NamedTuple):
    """The value of a constant: its words, the lower first, and its text."""

    words: tuple[int, ...]
    text: str


Operand = Id | Word | Number | int | str


class Instruction(NamedTuple):
    """One instruction; `type` and `result` are those of instructions that have them."""

    op: str
    type: Id | None
    result: Id | None
    operands: Sequence[Operand]
    span: Span | None

    def ids(self) -> list[Id]:
        """The ids in it, in the order of its words."""
        first = [id for id in (self.type, self.result) if id is not None]
        return first + [operand for operand in self.operands if isinstance(operand, Id)]

    def words(self, number: Callable[[Id], int]) -> list[int]:
        """Its words, with ids numbered by a function."""
        found = [number(id) for id in (self.type, self.result) if id is not None]
        for operand in self.operands:
            match operand:
                case Id():
                    found.append(number(operand))
                case Word(value):
                    found.append(value)
                case Number(words):
                    found.extend(words)
                case str():
                    found.extend(_text_words(operand))
                case _:
                    found.append(operand)
        return [(len(found) + 1) << 16 | OPCODES[self.op], *found]

    def line(self, name: Callable[[Id], str]) -> str:
        """Its text, with ids named by a function."""
        parts = [self.op] if self.type is None else [self.op, f"%{name(self.type)}"]
        for operand in self.operands:
            match operand:
                case Id():
                    parts.append(f"%{name(operand)}")
                case Word() | Number():
                    parts.append(operand.text)
                case str():
                    parts.append(f'"{operand}"')
                case _:
                    parts.append(str(operand))
        text = " ".join(parts)
        return text if self.result is None else f"%{name(self.result)} = {text}"


def _text_words(text: str) -> tuple[int, ...]:
    """A text that ends in a zero byte, filled up to whole words."""
    data = text.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)


def integer(value: int, bits: int) -> Number:
    """An integer of 8 to 64 bits; a negative one of less than 32 bits is sign-extended to a word."""
    if bits == 64:
        unsigned = value & 0xFFFF_FFFF_FFFF_FFFF
        return Number((unsigned & 0xFFFF_FFFF, unsigned >> 32), str(value))
    return Number((value & 0xFFFF_FFFF,), str(value))


def floating(value: float, bits: int) -> Number:
    """A float of 16, 32 or 64 bits. In the text it is a hexadecimal float, which is exact; infinity and NaN have an
    exponent beyond the greatest."""
    code, word, top = {16: ("<e", "<H", 16), 32: ("<f", "<I", 128), 64: ("<d", "<Q", 1024)}[bits]
    whole = struct.unpack(word, struct.pack(code, value))[0]
    words = (whole & 0xFFFF_FFFF, whole >> 32) if bits == 64 else (whole,)
    if value != value:
        text = f"{'-' if whole >> (bits - 1) else ''}0x1.8p+{top}"
    elif value in (float("inf"), float("-inf")):
        text = f"{'-' if value < 0 else ''}0x1p+{top}"
    else:
        text = value.hex()
    return Number(words, text)
