"""What a launch needs to know of a compiled kernel: which values it packs. It can be kept on disk, unlike the IR."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from gpucore import ir
from gpucore.immutable import Immutable
from gpucore.ir import walk

_FIELD = re.compile(r"(\w+(\.\w+)*)?")
_SCALARS = {scalar.name: scalar for scalar in ir.SCALARS}


class Slot(Immutable):
    """A packed scalar: where its value comes from, its type, and its offset in bytes."""

    origin: ir.Origin
    type: ir.ScalarType
    offset: int


class View(Immutable):
    """An array as the kernel sees it: its rank, and the components of an element, 1 for structs."""

    rank: int
    width: int


class Layout(Immutable, eq=False):
    """The packed scalars of a kernel, its arrays by name, its assumptions, and the arguments that packing checks."""

    slots: tuple[Slot, ...]
    nbytes: int  # of the packed scalars
    views: Mapping[str, View]
    assumptions: tuple[ir.Assumption, ...]
    checked: frozenset[tuple[str, str]]
    """The name and the field of each argument by value that is packed as its own type, so that packing checks it. What
    is packed as a wider type, as small integers are where they are emulated, is not checked by packing."""
    counter: str = ""
    """The only array that the kernel writes, if it reaches it by atomics alone, as a sum or a histogram."""
    coarsening: int = 1
    """The invocations of a call of which one does the work."""
    is_wide: bool = False
    """Whether the arrays must begin at multiples of 16 bytes."""

    def to_json(self) -> Any:
        """Plain data, from which `from_json` makes the layout again."""
        return {
            "slots": [[_origin_to_json(slot.origin), slot.type.name, slot.offset] for slot in self.slots],
            "nbytes": self.nbytes,
            "views": {name: [view.rank, view.width] for name, view in self.views.items()},
            "assumptions": [
                [each.multiple, [[factor, [*map(_origin_to_json, origins)]] for factor, origins in each.terms]]
                for each in self.assumptions
            ],
            "checked": sorted(self.checked),
            "counter": self.counter,
            "coarsening": self.coarsening,
            "is_wide": self.is_wide,
        }


def make_layout(valid: ir.ValidModule, lowered: ir.Module) -> Layout:
    """The layout of a kernel, from what its backend gets and from the IR before the passes."""
    module = valid.module
    slots = (Slot(module.origins[slot.param.index], slot.param.type, slot.offset) for slot in valid.slots)
    views = {b.name: View(b.rank, ir.num_components(b.vector or b.element)) for b in module.buffers if b.rank}
    checked = ((name, field) for name, field, _ in _packed(module) & _packed(lowered))
    counter = _counter(lowered)
    return Layout(
        tuple(slots), valid.scalars_nbytes, views, module.assumptions, frozenset(checked), counter, module.coarsening,
        _has_views(module) or _asks_for_alignment(lowered),
    )  # fmt: skip


def layout_from_json(data: Any, parameters: Collection[str]) -> Layout:
    """The layout that `Layout.to_json` describes, of a kernel with these parameters. Raises an exception for other
    data: the code of launches is made of it."""
    views = {str(name): View(int(rank), int(width)) for name, (rank, width) in data["views"].items()}
    known = (*parameters, "")
    if not {*views, data["counter"]}.issubset(known) or not all(data["assumptions"]):
        raise ValueError("another kernel's layout")

    def origin(data: Any) -> ir.Origin:
        match data:
            case ["argument", str(name), str(field)] if name in parameters and _FIELD.fullmatch(field):
                return ir.ArgumentOrigin(name, field)
            case ["shape", str(name), int(axis)] if 0 <= axis < views[name].rank:
                return ir.ShapeOrigin(name, axis)
            case ["grid", "x" | "y" | "z" | "columns" | "called" as what]:
                return ir.GridOrigin(what)
            case ["last", str(name)] if name in views:
                return ir.LastIndexOrigin(name)
            case ["start", str(name)] if name in views:
                return ir.StartOrigin(name)
        raise ValueError(f"no origin of a value: {data!r}")

    return Layout(
        tuple(Slot(origin(each), _SCALARS[type], int(offset)) for each, type, offset in data["slots"]),
        int(data["nbytes"]),
        views,
        tuple(
            ir.Assumption(tuple((int(factor), tuple(map(origin, origins))) for factor, origins in terms), int(multiple))
            for multiple, terms in data["assumptions"]
        ),
        frozenset((str(name), str(field)) for name, field in data["checked"]),
        data["counter"],
        int(data["coarsening"]),
        bool(data["is_wide"]),
    )


def _has_views(module: ir.Module) -> bool:
    """Whether a kernel accesses several elements at once."""
    if module.coarsening == 1:
        return False
    places = map(walk.place_of, walk.statements(module.body))
    return any(place is not None and place.view is not None for place in places)


def _asks_for_alignment(module: ir.Module) -> bool:
    asked = (ir.BuiltinKind.ALIGNMENT, ir.BuiltinKind.ROW_ALIGNMENT)
    return any(
        isinstance(leaf, ir.Builtin) and leaf.kind in asked
        for statement in ir.walk.statements(module.body)
        for expr in ir.walk.expressions(statement)
        for leaf in ir.walk.leaves(expr)
    )


def _counter(module: ir.Module) -> str:
    """The only array that a kernel writes, if it reaches it by atomics alone; else ""."""
    written = [buffer for buffer in module.buffers if buffer.writable]
    if len(written) != 1:
        return ""
    accesses = {
        type(statement)
        for statement in walk.statements(module.body)
        if (place := walk.place_of(statement)) is not None and place.memory == written[0]
    }
    return written[0].name if accesses == {ir.Atomic} else ""


def _packed(module: ir.Module) -> set[tuple[str, str, ir.ScalarType]]:
    """The arguments, or parts of them, that a kernel takes by value, each with its type in the packed scalars."""
    both = zip(module.origins, module.params, strict=True)
    return {(origin.name, origin.field, param.type) for origin, param in both if isinstance(origin, ir.ArgumentOrigin)}


def _origin_to_json(origin: ir.Origin) -> list[Any]:
    match origin:
        case ir.ArgumentOrigin(name, field):
            return ["argument", name, field]
        case ir.ShapeOrigin(name, axis):
            return ["shape", name, axis]
        case ir.GridOrigin(what):
            return ["grid", what]
        case ir.LastIndexOrigin(name):
            return ["last", name]
        case ir.StartOrigin(name):
            return ["start", name]
