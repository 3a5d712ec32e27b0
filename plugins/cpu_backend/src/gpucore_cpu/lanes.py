"""Operands of a gang: neighbouring invocations along x that run together, one in each lane of a vector.

An operand is uniform (one value for the gang) or varying (a value in each lane). A varying value of a vector type of
the IR is kept as one LLVM vector for each component, so that no operation shuffles components.

In lanes that are off a value may be poison: a masked load did not load it, or it wraps where it is known not to wrap in
the lanes that are on. So masks are joined by `select`, because `and` with poison is poison. And in those lanes
divisors are 1 (the division of a vector is undefined if one divisor is 0 or poison), and so are the operands of
functions that branch on them (a branch on poison is undefined). `mask` has to be set before an expression is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpucore.plugin.ir import ScalarType, Type, VectorType, scalar_of
from gpucore_cpu.assembly import FunctionText
from gpucore_cpu.layout import literal, llvm_type


@dataclass(frozen=True, slots=True)
class Operand:
    """One LLVM operand; or, for a varying vector, one for each component."""

    parts: tuple[str, ...]
    is_varying: bool = False

    @property
    def text(self) -> str:
        """The operand, where there is only one."""
        (text,) = self.parts
        return text


def uniform(text: str) -> Operand:
    """A uniform operand."""
    return Operand((text,))


def varying(*parts: str) -> Operand:
    """A varying operand."""
    return Operand(parts, True)


class Lanes:
    """The lanes of the gangs of one kernel."""

    def __init__(self, code: FunctionText, count: int, *, is_wide: bool = False, is_narrow: bool = False) -> None:
        """`is_wide`: the lanes of several vectors; `is_narrow`: fewer than a vector has."""
        self.code, self.count, self.is_wide, self.is_narrow = code, count, is_wide, is_narrow
        self.mask_kind = self.vector("i1")
        self.mask: str | None = None  # the lanes that execute the current statement; None: all, or nothing varies

    def type(self, type: Type) -> Type:
        """The type of a scalar, or of a component, in all lanes."""
        return scalar_of(type) if self.count == 1 else VectorType(scalar_of(type), self.count)

    def vector(self, kind: str) -> str:
        """The LLVM type of a value of the LLVM type `kind` in each lane."""
        return f"<{self.count} x {kind}>"

    def splat(self, kind: str, text: str) -> str:
        """A scalar of the LLVM type `kind` in all lanes."""
        return self.code.splat(kind, text, self.count)

    def spread(self, operand: Operand, type: Type) -> Operand:
        """A varying operand with the same value."""
        if operand.is_varying:
            return operand
        return varying(*(self.splat(llvm_type(scalar_of(type)), text) for text in self.components(operand, type)))

    def components(self, operand: Operand, type: Type) -> tuple[str, ...]:
        """The components of an operand, one text each."""
        if operand.is_varying or not isinstance(type, VectorType):
            return operand.parts
        return tuple(
            self.code.define(f"extractelement {llvm_type(type)} {operand.text}, i32 {index}")
            for index in range(type.width)
        )

    def first(self, operand: Operand, type: Type) -> str:
        """The scalar in the first lane."""
        if not operand.is_varying:
            return operand.text
        return self.code.define(f"extractelement {llvm_type(self.type(type))} {operand.text}, i32 0")

    def interleaved(self, kind: str, parts: Sequence[str]) -> str:
        """The components of each lane side by side, in one vector; their number is a power of two."""
        vector, width = self.joined(kind, parts, self.count), self.count * len(parts)
        order = [number % len(parts) * self.count + number // len(parts) for number in range(width)]
        return vector if len(parts) == 1 else self.shuffled(kind, width, vector, "poison", order)

    def joined(self, kind: str, parts: Sequence[str], width: int) -> str:
        """Vectors of `width` elements, one after the other; their number is a power of two."""
        vectors = list(parts)
        while len(vectors) > 1:
            pairs = zip(vectors[::2], vectors[1::2], strict=True)
            vectors = [self.shuffled(kind, width, *pair, range(2 * width)) for pair in pairs]
            width *= 2
        return vectors[0]

    def separated(self, kind: str, vector: str, count: int) -> list[str]:
        """The opposite of `interleaved`: one vector for each of `count` components."""
        if count == 1:
            return [vector]
        width = self.count * count
        return [self.shuffled(kind, width, vector, "poison", range(first, width, count)) for first in range(count)]

    def shuffled(self, kind: str, width: int, first: str, second: str, order: Sequence[int]) -> str:
        """Elements of two vectors of `width`, counted through both."""
        vector = f"<{width} x {kind}>"
        numbers = ", ".join(f"i32 {number}" for number in order)
        return self.code.define(f"shufflevector {vector} {first}, {vector} {second}, <{len(order)} x i32> <{numbers}>")

    def numbers(self, type: ScalarType, step: int = 1) -> str:
        """0, step, 2 * step, ... in the lanes."""
        kind = llvm_type(type)
        return "<" + ", ".join(f"{kind} {literal(lane * step, type)}" for lane in range(self.count)) + ">"

    def progression(self, type: ScalarType, first: str, step: int = 1) -> str:
        """first, first + step, ... in the lanes."""
        numbers = self.numbers(type, step)
        if first == "0":
            return numbers
        kind = llvm_type(type)
        return self.code.define(f"add nsw {self.vector(kind)} {self.splat(kind, first)}, {numbers}")

    def is_any(self, mask: str) -> str:
        """Whether a mask has a lane that is on, as i1."""
        return self.code.define(f"icmp ne i{self.count} {self.bits(mask)}, 0")

    def bits(self, mask: str) -> str:
        """A mask as an integer: bit i is lane i."""
        return self.code.define(f"bitcast {self.mask_kind} {mask} to i{self.count}")

    def first_only(self) -> str | None:
        """The mask of the first lane."""
        if self.count == 1:
            return None
        return "<" + ", ".join(["i1 true"] + ["i1 false"] * (self.count - 1)) + ">"

    def both(self, mask: str | None, other: str) -> str:
        """The lanes that are on in both masks; None: all lanes."""
        if mask is None:
            return other
        kind = self.mask_kind
        return self.code.define(f"select {kind} {mask}, {kind} {other}, {kind} zeroinitializer")

    def where_on(self, type: Type, value: str) -> str:
        """The value in the lanes that are on, and 1 in the others."""
        if self.mask is None:
            return value
        kind = llvm_type(type)
        return self.code.define(f"select {self.mask_kind} {self.mask}, {kind} {value}, {kind} {literal(1, type)}")

    def without(self, mask: str | None, other: str) -> str:
        """The lanes of `mask` that are off in `other`."""
        return self.both(mask, self.code.define(f"xor {self.mask_kind} {other}, {self.splat('i1', 'true')}"))
