"""Relocatable ELF objects of 64 bits, little-endian: reading them, and linking one for a place in memory.

LLVM writes such objects for every system. Kernels have code and constants only: no writable data, no thread-local
variables, no tables for exceptions. So an object is linked to one image, which is then made executable and read-only:
its sections, a table of the addresses that are read from memory, and a stub for each function outside the image, which
may be further away than a call reaches.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gpucore_cpu.relocations import MACHINES, Machine, Target

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_MAGIC = b"\x7fELF\x02\x01\x01"  # 64 bits, little-endian, version 1
_RELOCATABLE = 1
_SYMTAB, _RELA, _NOBITS, _REL = 2, 4, 8, 9
_WRITE, _ALLOC, _TLS = 1, 2, 0x400
_UNDEFINED, _ABSOLUTE = 0, 0xFFF1
_FRAMES = ".eh_frame"  # for exceptions, which kernels do not have
_WORD = 8
_MOST_NBYTES = 1 << 28

Resolve = Callable[[str], int]
"""The address of a function outside the object; raises ValueError without one."""


@dataclass(frozen=True)
class _Section:
    name: str
    type: int
    flags: int
    content: bytes
    size: int
    alignment: int
    link: int
    info: int


@dataclass(frozen=True)
class _Symbol:
    name: str
    section: int
    value: int


class Object:
    """An object that was read. Raises ValueError for what is none, or cannot be linked here."""

    def __init__(self, content: bytes) -> None:
        try:
            self._read(content)
        except (struct.error, IndexError, KeyError, OverflowError) as error:
            raise ValueError(f"the object is damaged: {error!r}") from error

    def _read(self, content: bytes) -> None:
        if not content.startswith(_MAGIC):
            raise ValueError("it is no ELF object of 64 bits")
        header = _HEADER.unpack_from(content)
        _, type, machine, _, _, _, places, *_, count, names_at = header
        if type != _RELOCATABLE or machine not in MACHINES:
            raise ValueError(f"it is no relocatable object for a known processor (type {type}, machine {machine})")
        self.machine: Machine = MACHINES[machine]
        raw = [_SECTION.unpack_from(content, places + at * _SECTION.size) for at in range(count)]
        names = content[raw[names_at][4] : raw[names_at][4] + raw[names_at][5]]
        self.sections = [_section(content, names, each) for each in raw]
        self.symbols: list[_Symbol] = []
        for section in self.sections:
            if section.type == _SYMTAB:
                texts = self.sections[section.link].content
                self.symbols = [
                    _Symbol(_text(texts, name), at, value)
                    for name, _, _, at, value, _ in _SYMBOL.iter_unpack(section.content)
                ]
        for section in self.sections:
            if section.type == _RELA and any(
                info >> 32 >= len(self.symbols) for _, info, _ in _RELOCATION.iter_unpack(section.content)
            ):
                raise ValueError("a relocation has a symbol that there is not")
        self.loaded: dict[int, _Section] = {}  # by number
        for number, section in enumerate(self.sections):
            if section.flags & _ALLOC and section.size and section.name != _FRAMES:
                if section.flags & _TLS or (section.flags & _WRITE and not section.name.startswith(".data.rel.ro")):
                    raise ValueError(f"it has writable data, {section.name}, and kernels have none")
                self.loaded[number] = section
        for symbol in self.symbols:
            if symbol.section in self.loaded and symbol.value > self.loaded[symbol.section].size:
                raise ValueError(f"the symbol {symbol.name!r} lies outside its section")

    def relocations(self) -> list[tuple[int, int, int, int, int]]:
        """Section, offset, type, symbol and addend of each relocation of what is loaded."""
        found = []
        for section in self.sections:
            if section.type == _REL and section.info in self.loaded:
                raise ValueError("it has relocations without addends")
            if section.type == _RELA and section.info in self.loaded:
                found += [
                    (section.info, offset, info & 0xFFFFFFFF, info >> 32, addend)
                    for offset, info, addend in _RELOCATION.iter_unpack(section.content)
                ]
        return found


class Plan:
    """Where the parts of an object lie in its image of `nbytes`."""

    def __init__(self, found: Object) -> None:
        self.object = found
        self.places: dict[int, int] = {}  # of sections
        place = 0
        for number, section in found.loaded.items():
            place = -(-place // section.alignment) * section.alignment
            self.places[number] = place
            place += section.size
        uses = found.relocations()
        targets = {use[3]: None for use in uses}
        outside = [number for number in targets if self._is_outside(found.symbols[number])]
        machine = found.machine
        place = -(-place // 16) * 16
        self.stubs = {number: place + at * machine.stub_nbytes for at, number in enumerate(outside)}
        place += len(outside) * machine.stub_nbytes
        in_table = list(dict.fromkeys(use[3] for use in uses if use[2] in machine.through_table))
        self.table = {number: place + at * _WORD for at, number in enumerate(in_table)}
        self.nbytes = place + len(in_table) * _WORD
        self.uses = uses
        if self.nbytes > _MOST_NBYTES:
            raise ValueError(f"the object needs {self.nbytes} bytes")

    @staticmethod
    def _is_outside(symbol: _Symbol) -> bool:
        return symbol.section == _UNDEFINED and bool(symbol.name)

    def link(self, base: int, resolve: Resolve) -> bytes:
        """The image for the address `base`, a multiple of 4096. Raises ValueError."""
        image = bytearray(self.nbytes)
        for number, section in self.object.loaded.items():
            at = self.places[number]
            if section.type != _NOBITS:
                image[at : at + section.size] = section.content
        machine = self.object.machine
        outside = {number: resolve(self.object.symbols[number].name) for number in self.stubs}
        for number, at in self.stubs.items():
            image[at : at + machine.stub_nbytes] = machine.stub(outside[number])
        for number, at in self.table.items():
            struct.pack_into("<Q", image, at, self._address(number, base, outside))
        for where, offset, type, number, addend in self.uses:
            at = self.places[where] + offset
            if offset + (8 if type in machine.wide else 4) > self.object.loaded[where].size:
                raise ValueError("a relocation lies outside its section")
            target = Target(
                self._address(number, base, outside), addend,
                base + self.stubs[number] if number in self.stubs else None,
                base + self.table[number] if number in self.table else None,
            )  # fmt: skip
            machine.relocate(image, at, base + at, type, target)
        return bytes(image)

    def _address(self, number: int, base: int, outside: Mapping[int, int]) -> int:
        if number in outside:
            return outside[number]
        symbol = self.object.symbols[number]
        if symbol.section == _ABSOLUTE:
            return symbol.value
        if symbol.section not in self.places:
            raise ValueError(f"the symbol {symbol.name!r} is in no section that is loaded")
        return base + self.places[symbol.section] + symbol.value

    def exports(self, base: int) -> dict[str, int]:
        """The addresses of the symbols that it defines, by name."""
        return {
            symbol.name: base + self.places[symbol.section] + symbol.value
            for symbol in self.object.symbols
            if symbol.name and symbol.section in self.places
        }


def _section(content: bytes, names: bytes, raw: tuple[int, ...]) -> _Section:
    name, type, flags, _, offset, size, link, info, alignment, _ = raw
    is_empty = type == _NOBITS
    found = b"" if is_empty else content[offset : offset + size]
    if not is_empty and len(found) != size:
        raise ValueError("the object is cut short")
    if alignment > 4096 or alignment & (alignment - 1):
        raise ValueError(f"a section is aligned to {alignment}")
    return _Section(_text(names, name), type, flags, found, size, max(1, alignment), link, info)


def _text(texts: bytes, at: int) -> str:
    return texts[at : texts.index(b"\0", at)].decode()
