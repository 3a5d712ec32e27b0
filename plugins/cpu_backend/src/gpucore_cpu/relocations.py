"""What the relocations of objects mean, for each processor: the numbers that are put into code and constants.

The names and formulas are those of the ABI documents for x86-64 and AArch64. S is the address of the symbol, A the
addend, P the address of the place, G that of the symbol's entry in the table of addresses.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple


class Target(NamedTuple):
    """What a relocation refers to."""

    symbol: int  # its address
    addend: int
    stub: int | None  # code nearby that goes on to it, if it is outside the image
    entry: int | None  # where its address is in memory nearby

    @property
    def address(self) -> int:
        """S + A."""
        return self.symbol + self.addend


class Machine(NamedTuple):
    """A processor."""

    name: str
    stub_nbytes: int
    stub: Callable[[int], bytes]
    through_table: frozenset[int]  # the relocations that read an address from the table
    wide: frozenset[int]  # those of 8 bytes; others have 4
    relocate: Callable[[bytearray, int, int, int, Target], None]
    """Put the number for a relocation of a type at an offset of an image, which has the address given after it."""


# ---------------------------------------------------------------- x86-64

_X86_64, _X86_PC32, _X86_PLT32, _X86_GOTPCREL, _X86_PC64 = 1, 2, 4, 9, 24
_X86_GOTPCRELX, _X86_REX_GOTPCRELX = 41, 42
_X86_TABLE = frozenset({_X86_GOTPCREL, _X86_GOTPCRELX, _X86_REX_GOTPCRELX})


def _x86_stub(address: int) -> bytes:
    return b"\xff\x25\0\0\0\0" + struct.pack("<Q", address) + b"\xcc\xcc"  # jmp [rip]; the address


def _relocate_x86(image: bytearray, at: int, place: int, type: int, target: Target) -> None:
    if type == _X86_64:
        struct.pack_into("<Q", image, at, target.address % 2**64)
    elif type == _X86_PC64:
        struct.pack_into("<q", image, at, target.address - place)
    elif type in (_X86_PC32, _X86_PLT32):
        near = target.symbol if target.stub is None else target.stub
        _put(image, at, "<i", near + target.addend - place)
    elif type in _X86_TABLE:
        assert target.entry is not None
        _put(image, at, "<i", target.entry + target.addend - place)
    else:
        raise ValueError(f"relocation {type} of x86-64 is unknown")


def _put(image: bytearray, at: int, form: str, value: int) -> None:
    try:
        struct.pack_into(form, image, at, value)
    except struct.error as error:
        raise ValueError(f"a relocation does not reach its target, {value} bytes away") from error


# ---------------------------------------------------------------- AArch64

_ARM_ABS64, _ARM_PREL64, _ARM_PREL32 = 257, 260, 261
_ARM_ADR_PAGE, _ARM_ADD_LOW, _ARM_GOT_PAGE, _ARM_GOT_LOW = 275, 277, 311, 312
_ARM_JUMP, _ARM_CALL = 282, 283
_ARM_LOADS_LOW = {278: 0, 284: 1, 285: 2, 286: 3, 299: 4}
"""Loads and stores by the low 12 bits of an address, and by which power of 2 these are divided."""


def _arm_stub(address: int) -> bytes:
    return struct.pack("<IIQ", 0x58000050, 0xD61F0200, address)  # ldr x16, the address; br x16


def _relocate_arm(image: bytearray, at: int, place: int, type: int, target: Target) -> None:
    if type == _ARM_ABS64:
        struct.pack_into("<Q", image, at, target.address % 2**64)
    elif type == _ARM_PREL64:
        struct.pack_into("<q", image, at, target.address - place)
    elif type == _ARM_PREL32:
        _put(image, at, "<i", target.address - place)
    elif type in (_ARM_CALL, _ARM_JUMP):
        near = target.symbol if target.stub is None else target.stub
        _insert(image, at, 0, 26, _steps(near + target.addend - place, 26))
    elif type in (_ARM_ADR_PAGE, _ARM_GOT_PAGE):
        goal = target.entry if type == _ARM_GOT_PAGE else target.address
        assert goal is not None
        pages = (goal >> 12) - (place >> 12)
        if not -(1 << 20) <= pages < 1 << 20:
            raise ValueError(f"a relocation does not reach its target, {pages} pages away")
        _insert(image, at, 29, 2, pages & 3)
        _insert(image, at, 5, 19, pages >> 2)
    elif type == _ARM_ADD_LOW:
        _insert(image, at, 10, 12, target.address & 0xFFF)
    elif type == _ARM_GOT_LOW:
        assert target.entry is not None
        _insert(image, at, 10, 12, (target.entry & 0xFFF) >> 3)
    elif type in _ARM_LOADS_LOW:
        _insert(image, at, 10, 12, (target.address & 0xFFF) >> _ARM_LOADS_LOW[type])
    else:
        raise ValueError(f"relocation {type} of AArch64 is unknown")


def _steps(distance: int, bits: int) -> int:
    """A distance in instructions, as the field of a branch has it."""
    if distance % 4 or not -(1 << bits + 1) <= distance < 1 << bits + 1:
        raise ValueError(f"a branch does not reach its target, {distance} bytes away")
    return distance >> 2


def _insert(image: bytearray, at: int, low: int, bits: int, value: int) -> None:
    """Put a number into some bits of an instruction."""
    mask = (1 << bits) - 1 << low
    (instruction,) = struct.unpack_from("<I", image, at)
    struct.pack_into("<I", image, at, instruction & ~mask & 0xFFFFFFFF | value << low & mask)


X86_64 = Machine("x86-64", 16, _x86_stub, _X86_TABLE, frozenset({_X86_64, _X86_PC64}), _relocate_x86)
AARCH64 = Machine(
    "aarch64", 16, _arm_stub, frozenset({_ARM_GOT_PAGE, _ARM_GOT_LOW}), frozenset({_ARM_ABS64, _ARM_PREL64}),
    _relocate_arm,
)  # fmt: skip
MACHINES = {62: X86_64, 183: AARCH64}
"""By their numbers in the headers of objects."""
