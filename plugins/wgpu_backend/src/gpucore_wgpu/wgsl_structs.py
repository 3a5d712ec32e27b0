"""Structs of the IR as WGSL structs, with each member at its offset in the IR.

In storage buffers WGSL lays out structs like C, with vectors aligned to their size, so a struct with that layout needs
no padding. A member at a greater offset gets padding members before it, because naga's GLSL backend ignores `@size` and
`@align`.
"""

from __future__ import annotations

from gpucore.plugin import EmitError, Names
from gpucore.plugin.ir import Element, StructType
from gpucore_wgpu.reserved import RESERVED
from gpucore_wgpu.wgsl_types import type_name

_WORD = 4  # bytes of a padding member


class Structs:
    """The structs that one kernel declares."""

    def __init__(self, names: Names) -> None:
        """`names` are the names of the kernel; each struct has its own name space for members."""
        self._names = names
        self._members: dict[StructType, Names] = {}
        self._texts: list[list[str]] = []

    def element(self, element: Element) -> str:
        """The WGSL type of a buffer element; a struct is declared at its first use.

        Raises EmitError for a struct whose layout WGSL cannot express.
        """
        if not isinstance(element, StructType):
            return type_name(element)
        if element not in self._members:
            self._members[element] = Names(RESERVED)
            self._declare(element)
        return self._names.name(element, element.name)

    def path(self, element: Element, path: tuple[int, ...]) -> str:
        """The member access from an element to the scalar or vector at `path`: `.position.x`, or nothing."""
        text = ""
        for number in path:
            assert isinstance(element, StructType)
            text += f".{self._member(element, number)}"
            element = element.fields[number].type
        return text

    def texts(self) -> list[list[str]]:
        """The declarations, each a list of lines."""
        return self._texts

    def _member(self, struct: StructType, number: int) -> str:
        self.element(struct)
        return self._members[struct].name(number, struct.fields[number].name)

    def _declare(self, struct: StructType) -> None:
        """Write the struct, after the structs in it."""
        end, lines, largest = 0, [], 1
        for number, field in enumerate(struct.fields):
            kind, alignment = self.element(field.type), alignment_in_wgsl(field.type)
            padding = _padding(struct, end, field.offset, alignment)
            lines += [f"    gpucore_pad_{number}_{word}: u32," for word in range(padding)]
            lines.append(f"    {self._member(struct, number)}: {kind},")
            end, largest = field.offset + field.type.nbytes, max(largest, alignment)
        padding = _padding(struct, end, struct.nbytes, largest)
        lines += [f"    gpucore_pad_{len(struct.fields)}_{word}: u32," for word in range(padding)]
        self._texts.append([f"struct {self._names.name(struct, struct.name)} {{", *lines, "}"])


def alignment_in_wgsl(element: Element) -> int:
    """AlignOf(element) in a storage buffer."""
    if isinstance(element, StructType):
        return max((alignment_in_wgsl(field.type) for field in element.fields), default=1)
    return element.nbytes  # scalars, vec2 and vec4 are aligned to their size; there is no vec3


def _padding(struct: StructType, end: int, offset: int, alignment: int) -> int:
    """Number of padding words between a member that ends at `end` and one at `offset`."""
    if _aligned(end, alignment) == offset:
        return 0
    first = _aligned(end, _WORD)
    words = (offset - first) // _WORD
    if words < 1 or _aligned(first + words * _WORD, alignment) != offset:
        raise EmitError(
            "GP602",
            f"WGSL cannot lay out the struct '{struct.name}': after a member that ends at byte {end}, byte {offset} "
            f"cannot be reached with an alignment of {alignment}",
            why="WGSL places each member at the next multiple of its alignment, and a vector is aligned to its size",
            fix="give the struct the layout of C, with vectors aligned to their size",
        )
    return words


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment
