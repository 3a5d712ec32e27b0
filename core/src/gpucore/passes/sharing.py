"""share_workgroup_memory: workgroup arrays that are in use one after the other take the same memory.

Two arrays share if all accesses to one come before all to the other in program order, where a loop counts as a whole,
and a barrier that always runs is between them: then no invocation accesses the second one while another still accesses
the first. What the second one holds before it is written is undefined, so it may be what the first one held.

Their elements are of one type, or scalars of 32 or of 64 bits, which are then kept as integers: to read an integer as
a float and write it again may change it on some targets. Arrays with atomics share with such of their type only,
because every access to them is atomic, or volatile, on some targets.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence

from gpucore.immutable import Immutable
from gpucore.ir import (
    Atomic,
    Barrier,
    Bitcast,
    Block,
    Bounds,
    CooperativeLoad,
    CooperativeStore,
    CopyAsync,
    CopyPart,
    GroupMultiply,
    Let,
    Load,
    MatrixLoad,
    Memory,
    Module,
    Place,
    ScalarType,
    Stmt,
    Store,
    Type,
    Value,
    WorkgroupArray,
    scalar_of,
    walk,
)
from gpucore.passes.program_order import Time, times

_TYPED = (Atomic, MatrixLoad, CooperativeLoad, CooperativeStore, GroupMultiply)
"""What needs an array with elements of its own type."""

_LEAST = 4  # bytes of elements of several types: smaller integers are emulated by a later pass


def share_workgroup_memory(module: Module) -> Module:
    """The module with fewer workgroup arrays; the module itself if none can share."""
    if len(module.workgroup_arrays) < 2:
        return module
    groups = _grouped(module)
    shared = {array.id: _joined(group) for group in groups if len(group) > 1 for array in group}
    if not shared:
        return module
    arrays = dict.fromkeys(shared.get(array.id, array) for array in module.workgroup_arrays)
    body = _Rewriting(module, shared).block(module.body)
    return dataclasses.replace(module, workgroup_arrays=tuple(arrays), body=body)


class _Use(Immutable):
    """When an array is accessed, whether by what needs its own type, and whether copies to it may be under way."""

    array: WorkgroupArray
    time: Time
    is_typed: bool
    is_copied_to: bool

    def fits(self, other: _Use) -> bool:
        """Whether the two can be in one memory, at different times."""
        if self.is_typed != other.is_typed or self.is_copied_to or other.is_copied_to:
            return False
        one, two = self.array.element, other.array.element
        are_scalars = isinstance(one, ScalarType) and isinstance(two, ScalarType)
        are_of_one_size = are_scalars and one.nbytes == two.nbytes >= _LEAST
        return one == two or (are_of_one_size and not self.is_typed)


def _grouped(module: Module) -> list[list[WorkgroupArray]]:
    """The arrays, those together that share. Each joins the group whose length is the nearest."""
    uses, barriers = _uses(module)
    groups: list[list[_Use]] = []
    for use in sorted(uses, key=lambda use: use.time.first):
        free = [
            group
            for group in groups
            if use.fits(group[0])
            and all(any(barrier.separates(before.time, use.time) for barrier in barriers) for before in group)
        ]
        if free:
            length = use.array.length
            min(free, key=lambda group: abs(max(each.array.length for each in group) - length)).append(use)
        else:
            groups.append([use])
    return [[use.array for use in group] for group in groups]


def _uses(module: Module) -> tuple[list[_Use], list[Time]]:
    found: dict[int, _Use] = {}
    barriers = []
    for statement, time in times(module.body):
        if isinstance(statement, Barrier):
            barriers.append(time)
        for place in walk.places_of(statement):
            if not isinstance(place.memory, WorkgroupArray):
                continue
            is_typed = isinstance(statement, _TYPED)
            is_copied_to, before, use = isinstance(statement, (CopyAsync, CopyPart)), found.get(place.memory.id), time
            if before is not None:
                use = before.time.and_later(time)
                is_typed, is_copied_to = is_typed or before.is_typed, is_copied_to or before.is_copied_to
            found[place.memory.id] = _Use(place.memory, use, is_typed, is_copied_to)
    return list(found.values()), barriers


def _joined(group: list[WorkgroupArray]) -> WorkgroupArray:
    """The array that takes the place of several."""
    name = "_or_".join(dict.fromkeys(array.name for array in group))
    elements = {array.element: None for array in group}
    element = next((e for e in elements if not scalar_of(e).is_float), group[0].element)
    length = max(array.length for array in group)
    return WorkgroupArray(group[0].id, name, element, length, group[0].span)


def _may_precede(statement: Stmt, conversions: Sequence[Let]) -> bool:
    """Whether a statement is a load of a vector that does not need the conversions of loads before it."""
    if not isinstance(statement, Load) or statement.width == 1:
        return False
    converted = {let.value for let in conversions}
    return converted.isdisjoint(walk.leaves(statement.place.index))


class _Rewriting:
    def __init__(self, module: Module, shared: Mapping[int, WorkgroupArray]) -> None:
        self._shared = shared
        self._ids = itertools.count(walk.next_id(module))

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        conversions: list[Let] = []  # of what was loaded just before: loads that may become one stay together
        for statement in block:
            made, conversion = self._statement(statement)
            if conversions and not _may_precede(made, conversions):
                out += conversions
                conversions = []
            out.append(made)
            if conversion is not None:
                conversions.append(conversion)
        return walk.same_or(block, [*out, *conversions])

    def _memory(self, memory: Memory) -> Memory:
        return self._shared.get(memory.id, memory) if isinstance(memory, WorkgroupArray) else memory

    def _statement(self, statement: Stmt) -> tuple[Stmt, Let | None]:
        """The statement in the shared memory, and the conversion of what it loads, if any."""
        if isinstance(statement, Bounds):
            return dataclasses.replace(statement, memory=self._memory(statement.memory)), None
        if isinstance(statement, Barrier) and statement.arrays:
            return Barrier(statement.span, statement.buffers), None  # other arrays may be where these were
        if isinstance(statement, GroupMultiply):
            left, right = (Place(self._memory(p.memory), p.index) for p in walk.places_of(statement))
            return dataclasses.replace(statement, left=left, right=right), None
        if not isinstance(statement, (Load, Store, *_TYPED)):
            return walk.map_statement(statement, lambda expr: expr, self.block), None
        memory = self._memory(statement.place.memory)
        if memory is statement.place.memory:
            return statement, None
        place = Place(memory, statement.place.index)
        wanted: Type = statement.place.type
        if wanted == place.type or isinstance(statement, _TYPED):
            return dataclasses.replace(statement, place=place), None
        if isinstance(statement, Store):
            return Store(place, Bitcast(statement.expr, place.type), statement.span, statement.width), None
        bits = Value(next(self._ids), statement.value.name, place.type)
        converted = Let(statement.value, Bitcast(bits, wanted), statement.span)
        return Load(bits, place, statement.span, statement.width), converted
