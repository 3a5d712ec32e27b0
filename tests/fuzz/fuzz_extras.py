"""The wider forms together, and the arrays and parameters that they work on. Each program has some of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from drawing import Choices
from fuzz_debugging import Debugging
from fuzz_kinds import LENGTH, NUMPY, Readable, Shape, Variable, edges, element_of, lanes_of
from fuzz_matches import MEMBERS, Matches
from fuzz_program import Host
from fuzz_statements import ATOMICS, SLOTS
from fuzz_structs import FIELDS, Structs
from fuzz_teams import EXCHANGES, Teams

from gpucore import ir

FEATURES = {"structs": 4, "ranks": 4, "enum": 1, "generic": 2, "teams": 7}
"""Groups of forms, with the number of arrays that each brings."""
PERCENT = 45  # of the programs have one
MOST_ARRAYS = 30  # of a kernel: lavapipe binds 31, and debug takes one
RANKED = {"hc": ("i32", (2, 3, 5)), "hd": ("u32", (2, 1, 3, 2))}
CELLS = {"ai": "i32", "au": "u32", "af": "f32"}
WIDE_COUNTERS = {"cl": "i64", "co": "u64"}


class Body(Structs, Matches, Teams, Debugging):
    """Writes the body of a kernel or of a helper, of every form there is."""


@dataclass
class Arguments:
    """Arrays by name with their annotations; components of an element where more than 1; classes of structs."""

    arrays: dict[str, Host] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)
    widths: dict[str, int] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, annotation: str, host: Host) -> None:
        self.arrays[name], self.annotations[name] = host, annotation


class Extras:
    """Which of the wider forms a program has."""

    def __init__(
        self, choices: Choices, kinds: tuple[str, ...], capabilities: frozenset[ir.Capability], arrays: int
    ) -> None:
        """`arrays` is how many there are without them."""
        self.features: tuple[str, ...] = ()
        names = list(FEATURES)
        first = choices.below(len(names))
        for feature in names[first:] + names[:first]:
            if choices.chance(PERCENT) and arrays + FEATURES[feature] <= MOST_ARRAYS:
                self.features += (feature,)
                arrays += FEATURES[feature]
        self.generic = choices.one_of(("i32", "u32", "f32"))  # the type that the type variable stands for
        self.mode = choices.one_of(tuple(MEMBERS))
        self.has_wide_counters = (
            "teams" in self.features and "u64" in kinds and ir.Capability.ATOMIC_INT64 in capabilities
        )
        self.are_apart = "teams" in self.features and ir.Capability.SUBGROUP in capabilities and choices.chance(30)

    def bring(self, writer: Body) -> None:
        """Put into the writer's scope what there is to read and to write."""
        for feature in self.features:
            getattr(self, f"_bring_{feature}")(writer)

    def _bring_structs(self, writer: Body) -> None:
        writer.readable += [Readable("pa", "Part", (LENGTH,)), Readable("qa", "Pack", (4,))]
        writer.own += [("pb[i]", "Part"), ("qb[i]", "Pack")]

    def _bring_ranks(self, writer: Body) -> None:
        writer.readable += [Readable(name, kind, lengths) for name, (kind, lengths) in RANKED.items()]
        writer.own += [("rc[g, t, 1]", "i32"), ("rd[1, g, 0, t]", "u32")]
        writer.builtins += ("hc.shape[1]", "rd.shape[3]", "hc.size")

    def _bring_enum(self, writer: Body) -> None:
        writer.readable.append(Readable("em", "Mode", (LENGTH,)))
        writer.enums = (("mode", True), ("em[{}]", False))

    def _bring_generic(self, writer: Body) -> None:
        writer.readable.append(Readable("ta", self.generic, (LENGTH,)))
        writer.own.append(("tb[i]", self.generic))
        names = ("T(3)",) if self.generic == "f32" else ("T(3)", "gp.max_value(T)")
        writer.variables += [Variable(name, self.generic, False) for name in names]

    def _bring_teams(self, writer: Body) -> None:
        writer.cells, writer.sums, writer.exchanged = tuple(CELLS.items()), "cf", "cx"
        writer.are_apart = self.are_apart
        if self.has_wide_counters:
            writer.counters += WIDE_COUNTERS.items()

    # ---------------------------------------------------------------- arguments

    def fill(self, made: Arguments, shape: Shape, numbers: np.random.Generator) -> None:
        """Add the arrays of all forms."""
        for name, mode, struct, length in (
            ("pa", "In", "Part", LENGTH), ("pb", "InOut", "Part", shape.total), ("qa", "In", "Pack", 4),
            ("qb", "InOut", "Pack", shape.total),
        ):  # fmt: skip
            made.add(name, f"gp.{mode}[{struct}]", structs(struct, length, numbers))
            made.classes[name] = struct
        for name, (kind, lengths) in RANKED.items():
            made.add(name, f"gp.In[gp.{kind}, {len(lengths)}]", numbers.choice(edges(kind), lengths))
        cube = (shape.groups, shape.of_workgroup, 2)
        made.add("rc", "gp.InOut[gp.i32, 3]", numbers.choice(edges("i32"), cube))
        made.add("rd", "gp.InOut[gp.u32, 4]", numbers.choice(edges("u32"), (2, cube[0], 2, cube[1])))
        made.add("em", "gp.In[Mode]", numbers.choice(list(MEMBERS.values()), LENGTH).astype(np.int32))
        for name, mode, length in (("ta", "In", LENGTH), ("tb", "InOut", shape.total)):
            made.add(name, f"gp.{mode}[T]", _numbers(self.generic, length, numbers))
        for name, kind in CELLS.items():
            made.add(name, f"gp.InOut[gp.{kind}]", _numbers(kind, shape.total, numbers))
        made.add("cf", "gp.InOut[gp.f32]", _numbers("f32", SLOTS, numbers))
        made.add("cx", "gp.InOut[gp.i32]", numbers.choice(edges("i32"), EXCHANGES))
        for name, kind in WIDE_COUNTERS.items():
            made.add(name, f"gp.InOut[gp.{kind}]", numbers.choice(edges(kind), SLOTS * (len(ATOMICS) - 1)))


def _numbers(kind: str, length: int, numbers: np.random.Generator) -> Host:
    """Edges of an integer kind; of f32, whole numbers that are small enough."""
    if kind == "f32":
        return numbers.integers(-64, 64, length, endpoint=True).astype(np.float32)
    return numbers.choice(edges(kind), length)


_OFFSETS = {"Pack": ([0, 12, 32, 48], 64)}  # where a field is not at the end of the one before: i32x4 is aligned to 16


def _dtype(kind: str) -> Any:
    if kind in FIELDS:
        names, kinds = zip(*FIELDS[kind], strict=True)
        layout: dict[str, Any] = {"names": list(names), "formats": [_dtype(one) for one in kinds]}
        if kind in _OFFSETS:
            layout["offsets"], layout["itemsize"] = _OFFSETS[kind]
        return np.dtype(layout)
    return (NUMPY[element_of(kind)], (lanes_of(kind),)) if lanes_of(kind) > 1 else np.dtype(NUMPY[kind])


def structs(kind: str, length: int, numbers: np.random.Generator) -> Host:
    """An array of structs as NumPy has it; padding is zero."""
    made = np.zeros(length, _dtype(kind))
    _fill(made, kind, numbers)
    return made


def _fill(made: Host, kind: str, numbers: np.random.Generator) -> None:
    for name, inner in FIELDS[kind]:
        if inner in FIELDS:
            _fill(made[name], inner, numbers)
        else:
            count = made[name].size
            made[name] = _numbers(inner.partition("x")[0], count, numbers).reshape(made[name].shape)
