"""Indices of elements, linear in the lanes of a gang where that can be seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpucore.plugin.ir import I64, ScalarType
from gpucore_cpu.assembly import FunctionText, ModuleText
from gpucore_cpu.lanes import Lanes
from gpucore_cpu.layout import llvm_type

MAX_MULTIPLE = 1 << 30


@dataclass(frozen=True, slots=True)
class Index:
    """An index of elements: `first + step * lane`, in i64. Without a step it is `lanes`, of the LLVM type `kind`.

    `first` is a multiple of `multiple`, a power of two. With a `limit` that is only so if no lane is beyond
    it or negative, and with `holds` if that is true; `otherwise` then writes the indices of the lanes.
    From the lane `wrap` on, `wrapped` is in the place of `first`.
    """

    first: str = "0"
    step: int | None = 0
    multiple: int = 1
    lanes: str = ""
    kind: str = ""
    limit: str = ""
    holds: str = ""
    wrapped: str = ""
    wrap: str = ""
    otherwise: Callable[[], Index] | None = None


def constant(value: int) -> Index:
    """A constant."""
    return Index(str(value), 0, factor(value))


def factor(value: int) -> int:
    """The largest power of two that divides a number, up to a limit that no workgroup reaches."""
    return min(MAX_MULTIPLE, value & -value) or MAX_MULTIPLE


class Indices:
    """Arithmetic on indices, modulo 2**64."""

    def __init__(self, code: FunctionText, module: ModuleText, lanes: Lanes) -> None:
        self.code, self._module, self._lanes = code, module, lanes

    def sum(self, left: Index, right: Index) -> Index:
        """left + right, both linear."""
        assert left.step is not None
        assert right.step is not None
        step, multiple = left.step + right.step, min(left.multiple, right.multiple)
        return Index(self._computed("add", left.first, right.first, neutral="0"), step, multiple)

    def difference(self, left: Index, right: Index) -> Index:
        """left - right, both linear."""
        assert left.step is not None
        assert right.step is not None
        step, multiple = left.step - right.step, min(left.multiple, right.multiple)
        if right.first == "0":
            return Index(left.first, step, multiple)
        return Index(self.code.define(f"sub i64 {left.first}, {right.first}", "index"), step, multiple)

    def product(self, left: Index, right: Index) -> Index | None:
        """left * right, both linear; None if the step is not constant."""
        if right.step:
            left, right = right, left
        if left.step and right.first.startswith("%"):
            return None
        step = left.step * int(right.first) if left.step else 0
        multiple = min(MAX_MULTIPLE, left.multiple * right.multiple)
        if "0" in (left.first, right.first):
            return Index("0", step, MAX_MULTIPLE)
        return Index(self._computed("mul", left.first, right.first, neutral="1"), step, multiple)

    def blocks(self, index: Index, size: int) -> tuple[Index, Index] | None:
        """Quotient and remainder of an index >= 0 by a constant, if all lanes of a gang are in one block."""
        if index.step != 1 or index.multiple % self._lanes.count or size % self._lanes.count:
            return None
        quotient = self.code.define(f"udiv i64 {index.first}, {size}", "block")
        remainder = self.code.define(f"urem i64 {index.first}, {size}", "inside")
        return Index(quotient), Index(remainder, 1, min(index.multiple, size & -size))

    def flipped(self, index: Index, mask: int) -> Index | None:
        """An index >= 0 with the bits of a mask flipped, if that keeps the order of the lanes of a gang."""
        if index.step != 1 or index.multiple % self._lanes.count or mask % self._lanes.count:
            return None
        first = self.code.define(f"xor i64 {index.first}, {mask}", "flipped")
        return Index(first, 1, min(index.multiple, mask & -mask))

    def smaller(self, index: Index, limit: Index) -> Index:
        """The smaller of two, as u64, that are the same in all lanes: a negative index becomes the limit."""
        self._module.declare("llvm.umin.i64", "i64", ("i64", "i64"))
        return Index(self.code.define(f"call i64 @llvm.umin.i64(i64 {index.first}, i64 {limit.first})"))

    def fits(self, index: Index, mask: str | None) -> str:
        """Whether no lane of a contiguous index that is on is clamped, as i1. The index may wrap in 64 bits."""
        assert index.step == 1
        if index.holds:
            return index.holds
        if mask is None:
            last = self._computed("add", index.first, str(self._lanes.count - 1), neutral="0")
            is_last_below = self.code.define(f"icmp sle i64 {last}, {index.limit}")
            is_first_below = self.code.define(f"icmp ule i64 {index.first}, {index.limit}")
            return self.code.define(f"and i1 {is_first_below}, {is_last_below}")
        kind = self._lanes.vector("i64")
        first, numbers = self._lanes.splat("i64", index.first), self._lanes.numbers(I64)
        lanes = self.code.define(f"add {kind} {first}, {numbers}")
        is_beyond = self.code.define(f"icmp ugt {kind} {lanes}, {self._lanes.splat('i64', index.limit)}")
        is_any = self._lanes.is_any(self._lanes.both(mask, is_beyond))
        return self.code.define(f"xor i1 {is_any}, true")

    def in_array(self, index: Index, factor: int, offset: Index) -> Index:
        """`index * factor + offset`, where the offset is linear."""
        if index.step == 0 and not index.limit:
            scaled = self.product(index, constant(factor))
            assert scaled is not None
            return self.sum(scaled, offset)
        wide = self.spread(index)
        factors = self._lanes.splat("i64", str(factor))
        product = self.code.define(f"mul nsw {wide.kind} {wide.lanes}, {factors}")
        own = self.spread(offset).lanes
        return Index(step=None, lanes=self.code.define(f"add nsw {wide.kind} {product}, {own}"), kind=wide.kind)

    def of_lanes(self, text: str, type: ScalarType) -> Index:
        """An index with any value in each lane. Addresses extend their indices as signed integers."""
        kind = self._lanes.vector(llvm_type(type))
        if not type.is_signed and type.bits < I64.bits:
            wide = self._lanes.vector("i64")
            return Index(step=None, lanes=self.code.define(f"zext {kind} {text} to {wide}"), kind=wide)
        return Index(step=None, lanes=text, kind=kind)

    def spread(self, index: Index) -> Index:
        """The index as a vector of i64."""
        kind = self._lanes.vector("i64")
        if index.otherwise is not None:
            index = index.otherwise()
        if index.step is not None:
            lanes = self._lanes.progression(I64, index.first, index.step)
            return Index(step=None, lanes=lanes, kind=kind)
        if index.kind == kind:
            return index
        return Index(step=None, lanes=self.code.define(f"sext {index.kind} {index.lanes} to {kind}"), kind=kind)

    def _computed(self, name: str, left: str, right: str, neutral: str) -> str:
        if left == neutral:
            return right
        if right == neutral:
            return left
        if not left.startswith("%") and not right.startswith("%"):
            return str(int(left) + int(right) if name == "add" else int(left) * int(right))
        return self.code.define(f"{name} i64 {left}, {right}", "index")
