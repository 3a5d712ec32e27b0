"""Loads and stores of a gang: one element, neighbouring elements, or an element for each lane.

Lanes that are off access nothing. An access with a uniform index is made once, if it is known that a lane is on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gpucore.plugin.ir import BOOL, I32, Type, VectorType, num_components, scalar_of, with_scalar
from gpucore_cpu.arithmetic import Arithmetic
from gpucore_cpu.indices import Index, Indices, constant
from gpucore_cpu.lanes import Lanes, Operand, uniform, varying
from gpucore_cpu.layout import llvm_type, memory_nbytes, memory_type, suffix
from gpucore_cpu.scratch import ALIGN
from gpucore_cpu.streaming import MARK, NEVER

_LINE_NBYTES = 64  # of a cache


@dataclass(frozen=True, slots=True)
class Location:
    """Elements of an array in memory, one for each lane or one for all."""

    base: str
    kind: str  # the LLVM type of an element of the array
    index: Index
    type: Type  # what is loaded and stored
    offset: int | None = None  # in bytes from the start of the element, if `type` is only a part of it


class Accesses:
    """Writes loads and stores."""

    def __init__(self, arithmetic: Arithmetic, lanes: Lanes, indices: Indices) -> None:
        self.code, self._lanes = lanes.code, lanes
        self._arithmetic, self._indices = arithmetic, indices
        self.may_be_off = False  # whether all lanes may be off
        self.in_order = False  # whether the loads of a wide gang keep their order
        self.may_stream = False  # whether a store of whole vectors may bypass the caches

    def load(self, at: Location, mask: str | None, name: str) -> Operand:
        """The elements at a location; uniform if its index is."""
        if at.index.step == 0 and self.may_be_off:
            at = self._spread(at)
        if at.index.step == 0:
            kind = memory_type(at.type)
            loaded = self.code.define(f"load {kind}, ptr {self._pointer(at)}, align {memory_nbytes(at.type)}", name)
            return uniform(self.from_memory(loaded, at.type))
        type = self._lanes.type(at.type)
        load = self._load_lanes if at.index.otherwise is None else self._load_clamped
        return varying(*(self.from_memory(part, type) for part in load(at, mask, name)))

    def store(self, operand: Operand, at: Location, mask: str | None) -> None:
        """Store an operand. Of several lanes with one index, any may be the last."""
        if at.index.step == 0 and self.may_be_off:
            at = self._spread(at)
        if at.index.step == 0:
            kind = memory_type(at.type)
            text = self.to_memory(self.any_lane(operand, at.type, mask), at.type)
            self.code.write(f"store {kind} {text}, ptr {self._pointer(at)}, align {memory_nbytes(at.type)}")
            return
        type = self._lanes.type(at.type)
        spread = self._lanes.spread(operand, at.type).parts
        store = self._store_lanes if at.index.otherwise is None else self._store_clamped
        store(tuple(self.to_memory(part, type) for part in spread), at, mask)

    def prefetch(self, at: Location, nbytes: int) -> None:
        """Ask for the lines of the cache that have the elements of a gang, of `nbytes` each, if they are neighbours."""
        if at.index.step not in (0, 1):
            return
        count = self._lanes.count if at.index.step else 1
        self._arithmetic.module.declare("llvm.prefetch.p0", "void", ("ptr", "i32", "i32", "i32"))
        first = self.code.define(f"getelementptr {at.kind}, ptr {at.base}, i64 {at.index.first}")
        for offset in range(0, count * nbytes, _LINE_NBYTES):
            line = self.code.define(f"getelementptr i8, ptr {first}, i64 {offset}")
            self.code.write(f"call void @llvm.prefetch.p0(ptr {line}, i32 0, i32 3, i32 1)")  # to read; near; data

    def from_memory(self, operand: str, type: Type) -> str:
        """A value loaded as memory_type(type), converted to its register type."""
        if memory_type(type) == llvm_type(type):
            return operand
        return self.code.define(f"trunc {memory_type(type)} {operand} to {llvm_type(type)}")

    def to_memory(self, operand: str, type: Type) -> str:
        """A value of a register, converted to memory_type(type)."""
        if memory_type(type) == llvm_type(type):
            return operand
        return self.code.define(f"zext {llvm_type(type)} {operand} to {memory_type(type)}")

    def lane(self, operand: Operand, type: Type, lane: str) -> str:
        """The value in one lane; `lane` is an i32."""
        if not operand.is_varying:
            return operand.text
        vector = llvm_type(self._lanes.type(type))
        parts = [self.code.define(f"extractelement {vector} {part}, i32 {lane}") for part in operand.parts]
        return self.code.vector(llvm_type(type.element), parts) if isinstance(type, VectorType) else parts[0]

    def any_lane(self, operand: Operand, type: Type, mask: str | None) -> str:
        """The value in a lane that is on."""
        if not operand.is_varying or mask is None:
            return self.lane(operand, type, "0")
        count = self._lanes.count
        bits = self._lanes.bits(mask)
        self._arithmetic.module.declare(f"llvm.cttz.i{count}", f"i{count}", (f"i{count}", "i1"))
        first = self.code.define(f"call i{count} @llvm.cttz.i{count}(i{count} {bits}, i1 true)")
        if count != 32:
            first = self.code.define(f"{'zext' if count < 32 else 'trunc'} i{count} {first} to i32")
        return self.lane(operand, type, first)

    # ------------------------------------------------------------ addresses

    def _pointer(self, at: Location, mask: str | None = None) -> str:
        """The address of the element of the first lane; outside of the memory perhaps if that is off in `mask`."""
        index, flag = f"i64 {at.index.first}{self._offset(at)}", " inbounds" if mask is None else ""
        return self.code.define(f"getelementptr{flag} {at.kind}, ptr {at.base}, {index}", "place")

    def lane_pointers(self, at: Location) -> Callable[[str], str]:
        """What writes the address of the element of a lane, given its number as an i32."""
        if at.index.otherwise is not None:
            at = self._spread(at)
        if at.index.step is not None:
            return lambda lane: self._pointer(replace(at, index=self._lane_index(at.index, lane)))
        element = at.index.kind.rpartition(" ")[2].rstrip(">")
        read = self._stored(at.index.kind, element, at.index.lanes)

        def pointer(lane: str) -> str:
            index = read(lane)
            if element != "i64":
                index = self.code.define(f"sext {element} {index} to i64")
            return self._pointer(replace(at, index=Index(index)))

        return pointer

    def _lane_index(self, index: Index, lane: str) -> Index:
        if not index.step:
            return index
        wide = self.code.define(f"zext i32 {lane} to i64")
        own = self._indices.product(Index(wide), constant(index.step))
        assert own is not None
        return Index(self._indices.sum(replace(index, step=0), own).first)

    def in_memory(self, operand: Operand, type: Type) -> Callable[[str], str]:
        """What writes the value of a scalar in a lane, given its number as an i32."""
        if not operand.is_varying:
            return lambda lane: operand.text
        return self._stored(llvm_type(self._lanes.type(type)), llvm_type(type), operand.text)

    def _stored(self, vector: str, kind: str, text: str) -> Callable[[str], str]:
        """A vector in memory: an element with a variable number is cheap to read there."""
        address = self.code.alloca(vector, 64, "lanes")
        self.code.write(f"store {vector} {text}, ptr {address}")

        def read(lane: str) -> str:
            place = self.code.define(f"getelementptr inbounds {kind}, ptr {address}, i32 {lane}")
            return self.code.define(f"load {kind}, ptr {place}")

        return read

    def _pointers(self, at: Location, component: int) -> str:
        """The addresses of one component in all lanes."""
        index = at.index if at.index.step is None else self._indices.spread(at.index)
        lanes = f"{index.kind} {index.lanes}{self._offset(at)}"
        whole = self.code.define(f"getelementptr inbounds {at.kind}, ptr {at.base}, {lanes}", "places")
        if component == 0:
            return whole
        element = memory_type(scalar_of(at.type))
        return self.code.define(
            f"getelementptr inbounds {element}, {self._lanes.vector('ptr')} {whole}, i64 {component}"
        )

    def _offset(self, at: Location) -> str:
        return "" if at.offset is None else f", i64 {at.offset}"

    def _mask(self, mask: str | None) -> str:
        return self._lanes.splat("i1", "true") if mask is None else mask

    def _is_contiguous(self, at: Location) -> bool:
        return at.index.step == 1 and at.offset is None

    # ------------------------------------------------------------ loads

    def _load_clamped(self, at: Location, mask: str | None, name: str) -> list[str]:
        """Contiguous elements if no lane is clamped, which is tested when the kernel runs."""
        code = self.code
        if not self._is_contiguous(at) or (at.index.wrapped and num_components(at.type) > 1):
            return self._load_lanes(self._spread(at), mask, name)
        fast, slow, end = (code.fresh_label(hint) for hint in ("in_range", "clamped", "loaded"))
        code.branch(self._indices.fits(at.index, mask), fast, slow)
        code.start(fast)
        near = self._load_pieces(replace(at, index=replace(at.index, limit="", holds="", otherwise=None)), mask, name)
        near_label = code.label
        code.jump(end)
        code.start(slow)
        far = self._load_lanes(self._spread(at), mask, name)
        far_label = code.label
        code.start(end)
        kind = self._lanes.vector(memory_type(scalar_of(at.type)))
        return [
            code.define(f"phi {kind} [ {first}, %{near_label} ], [ {second}, %{far_label} ]", name)
            for first, second in zip(near, far, strict=True)
        ]

    def _load_pieces(self, at: Location, mask: str | None, name: str) -> list[str]:
        """Contiguous elements, or two sequences of them."""
        if not at.index.wrapped:
            return self._load_lanes(at, mask, name)
        scalar, lanes = scalar_of(at.type), self._lanes
        wrap = lanes.splat("i32", self.code.define(f"trunc i64 {at.index.wrap} to i32"))
        is_before = self.code.define(f"icmp slt {lanes.vector('i32')} {lanes.numbers(I32)}, {wrap}")
        vector, text = lanes.vector(memory_type(scalar)), "poison"
        after = replace(at, index=Index(at.index.wrapped, 1))
        for part, flags in ((at, lanes.both(mask, is_before)), (after, lanes.without(mask, is_before))):
            pointer, align = f"ptr {self._pointer(part, flags)}", memory_nbytes(at.type)
            text = self._masked("load", vector, scalar, "p0", pointer, align, flags, name, text)
        return [text]

    def _spread(self, at: Location) -> Location:
        return replace(at, index=self._indices.spread(at.index))

    def _load_lanes(self, at: Location, mask: str | None, name: str) -> list[str]:
        count = num_components(at.type)
        if self._is_contiguous(at) and (count == 1 or mask is None):
            return self._load_contiguous(at, mask, count, name)
        return [self._gather(at, mask, component, name) for component in range(count)]

    def _load_contiguous(self, at: Location, mask: str | None, count: int, name: str) -> list[str]:
        scalar, pointer = scalar_of(at.type), self._pointer(at, mask)
        element, align = memory_type(scalar), memory_nbytes(at.type)
        if mask is not None:
            return [
                self._masked("load", self._lanes.vector(element), scalar, "p0", f"ptr {pointer}", align, mask, name)
            ]
        if self.in_order and count == 1:
            return [self._load_in_order(element, pointer, align)]
        wide = f"<{self._lanes.count * count} x {element}>"
        loaded = self.code.define(f"load {wide}, ptr {pointer}, align {align}", name)
        if count == 1:
            return [loaded]
        return self._lanes.separated(element, loaded, count)

    def _load_in_order(self, element: str, pointer: str, align: int) -> str:
        """Neighbouring elements, by one load for each line of the cache. LLVM keeps the order of volatile loads; the
        processor foresees no other order than that of the addresses."""
        size, parts = min(_LINE_NBYTES // align, self._lanes.count), []
        for first in range(0, self._lanes.count, size):
            place = self.code.define(f"getelementptr inbounds {element}, ptr {pointer}, i64 {first}")
            parts.append(self.code.define(f"load volatile <{size} x {element}>, ptr {place}, align {align}"))
        return self._lanes.joined(element, parts, size)

    def _gather(self, at: Location, mask: str | None, component: int, name: str) -> str:
        scalar = scalar_of(at.type)
        pointers = f"{self._lanes.vector('ptr')} {self._pointers(at, component)}"
        vector = self._lanes.vector(memory_type(scalar))
        align = memory_nbytes(scalar)
        return self._masked(
            "gather", vector, scalar, f"v{self._lanes.count}p0", pointers, align, self._mask(mask), name
        )

    def _masked(
        self, what: str, vector: str, scalar: Type, space: str, pointer: str, align: int, mask: str, name: str,
        rest: str = "poison",
    ) -> str:  # fmt: skip
        """A load of the lanes that are on; the others have the elements of `rest`."""
        function = f"llvm.masked.{what}.{self._suffix(scalar)}.{space}"
        flags = self._lanes.mask_kind
        self._arithmetic.module.declare(function, vector, (pointer.rpartition(" ")[0], "i32", flags, vector))
        arguments = f"{pointer}, i32 {align}, {flags} {mask}, {vector} {rest}"
        return self.code.define(f"call {vector} @{function}({arguments})", name)

    def _suffix(self, scalar: Type) -> str:
        if memory_type(scalar) != llvm_type(scalar):
            return f"v{self._lanes.count}i8"
        return suffix(with_scalar(self._lanes.type(BOOL), scalar_of(scalar)))

    # ------------------------------------------------------------ stores

    def _store_clamped(self, parts: tuple[str, ...], at: Location, mask: str | None) -> None:
        """As `_load_clamped`."""
        code = self.code
        if not self._is_contiguous(at) or at.index.wrapped:
            self._store_lanes(parts, self._spread(at), mask)
            return
        fast, slow, end = (code.fresh_label(hint) for hint in ("in_range", "clamped", "stored"))
        code.branch(self._indices.fits(at.index, mask), fast, slow)
        code.start(fast)
        self._store_lanes(parts, replace(at, index=replace(at.index, limit="", holds="", otherwise=None)), mask)
        code.jump(end)
        code.start(slow)
        self._store_lanes(parts, self._spread(at), mask)
        code.start(end)

    def _store_lanes(self, parts: tuple[str, ...], at: Location, mask: str | None) -> None:
        scalar, count = scalar_of(at.type), len(parts)
        element = memory_type(scalar)
        if self._is_contiguous(at) and count == 1 and mask is None:
            self._store_vector(f"store {self._lanes.vector(element)} {parts[0]}, ptr ", at)
        elif self._is_contiguous(at) and count == 1:
            self._masked_store(
                "store", parts[0], scalar, "p0", f"ptr {self._pointer(at, mask)}", memory_nbytes(at.type), mask
            )
        elif self._is_contiguous(at) and mask is None:
            self._store_interleaved(parts, at)
        else:
            for component, part in enumerate(parts):
                pointers = f"{self._lanes.vector('ptr')} {self._pointers(at, component)}"
                space = f"v{self._lanes.count}p0"
                self._masked_store("scatter", part, scalar, space, pointers, memory_nbytes(scalar), mask)

    def _store_vector(self, store: str, at: Location) -> None:
        """Neighbouring elements, by a streaming store where it may be one and has the alignment for it."""
        code, pointer, align = self.code, self._pointer(at), memory_nbytes(at.type)
        plain, size = f"{store}{pointer}, align {align}", min(ALIGN, self._lanes.count * align)
        whole = f"{store}{pointer}, align {size}{MARK}"
        if not self.may_stream or at.index.multiple % self._lanes.count == 0:
            code.write(whole if self.may_stream else plain)
            return
        aligned, shifted, end = (code.fresh_label(hint) for hint in ("aligned", "shifted", "stored"))
        beyond = code.define(f"and i64 {code.define(f'ptrtoint ptr {pointer} to i64')}, {size - 1}")
        code.branch(code.define(f"icmp eq i64 {beyond}, {NEVER}"), aligned, shifted)
        code.start(aligned)
        code.write(whole)
        code.jump(end)
        code.start(shifted)
        code.write(plain)
        code.start(end)

    def _masked_store(
        self, what: str, part: str, scalar: Type, space: str, pointer: str, align: int, mask: str | None
    ) -> None:
        vector, flags = self._lanes.vector(memory_type(scalar)), self._lanes.mask_kind
        function = f"llvm.masked.{what}.{self._suffix(scalar)}.{space}"
        self._arithmetic.module.declare(function, "void", (vector, pointer.rpartition(" ")[0], "i32", flags))
        self.code.write(f"call void @{function}({vector} {part}, {pointer}, i32 {align}, {flags} {self._mask(mask)})")

    def _store_interleaved(self, parts: tuple[str, ...], at: Location) -> None:
        """The components of each lane side by side, by one store."""
        element = memory_type(scalar_of(at.type))
        mixed = self._lanes.interleaved(element, parts)
        wide = f"<{self._lanes.count * len(parts)} x {element}>"
        self.code.write(f"store {wide} {mixed}, ptr {self._pointer(at)}, align {memory_nbytes(at.type)}")
