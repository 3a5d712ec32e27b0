"""Structs in random kernels: constructors, methods, fields, and elements of arrays of every memory that are structs."""

from __future__ import annotations

from fuzz_kinds import lanes_of
from fuzz_statements import Statements

FIELDS: dict[str, tuple[tuple[str, str], ...]] = {
    "Part": (("whole", "i32"), ("bits", "u32"), ("real", "f32")),
    "Pack": (("part", "Part"), ("spot", "i32x3"), ("lanes", "i32x4"), ("level", "f32")),
}
"""Structs are kinds of values; their fields and the kinds of those."""

TEXT = """@gp.struct
class Part:
    whole: gp.i32
    bits: gp.u32
    real: gp.f32

    def mixed(self, other):
        if other > self.whole:
            return other - gp.i32(self.bits)
        return self.whole * other

    def turned(self, by):
        return Part(self.whole ^ by, self.bits + gp.u32(by), -self.real)

    def __add__(self, other):
        return Part(self.whole + other.whole, self.bits ^ other.bits, gp.clamp(self.real + other.real, -64.0, 64.0))

    @property
    def parity(self):
        return (self.whole & 1) + gp.i32(self.bits >> 31)


@gp.struct
class Pack:
    part: Part
    spot: gp.i32x3
    lanes: gp.i32x4
    level: gp.f32

    def turned(self, by):
        return Pack(self.part.turned(by), self.spot.zxy, self.lanes + by, gp.max(self.level, self.part.real))
"""


def leaves(kind: str, path: str = "") -> list[tuple[str, str]]:
    """Paths to the numbers and vectors of a struct, with their kinds."""
    found = []
    for name, inner in FIELDS[kind]:
        found += leaves(inner, f"{path}{name}.") if inner in FIELDS else [(f"{path}{name}", inner)]
    return found


def digest(name: str, kind: str) -> str:
    """An i32 that depends on every number of a struct."""
    parts = []
    for path, inner in leaves(kind):
        numbers = (
            [f"{name}.{path}.{part}" for part in "xyzw"[: lanes_of(inner)]]
            if lanes_of(inner) > 1
            else [f"{name}.{path}"]
        )
        parts += numbers if inner.startswith("i32") else [f"gp.i32({number})" for number in numbers]
    return " ^ ".join(parts)


def _paths() -> dict[str, list[tuple[str, str]]]:
    """For each kind: the structs in which one is, and where."""
    found: dict[str, list[tuple[str, str]]] = {"Part": [("Pack", "part")]}
    for struct in FIELDS:
        for path, kind in leaves(struct):
            found.setdefault(kind, []).append((struct, path))
    return found


_PATHS = _paths()


class Structs(Statements):
    """Writes values of structs, and reads their fields wherever a number is wanted."""

    def type_text(self, kind: str) -> str:
        return kind if kind in FIELDS else super().type_text(kind)

    def array_kinds(self) -> tuple[str, ...]:
        return (*super().array_kinds(), *FIELDS)

    def _kind(self) -> str:
        if not self.is_homogeneous and self.choices.chance(7):
            return self.choices.one_of(tuple(FIELDS))
        return super()._kind()

    def value(self, kind: str, depth: int) -> str:
        return self.struct(kind, depth) if kind in FIELDS else super().value(kind, depth)

    def _named(self, kind: str) -> list[str]:
        found = super()._named(kind)
        if self.is_homogeneous:
            return found
        for struct, path in _PATHS.get(kind, ()):
            found += [f"{name}.{path}" for name in super()._named(struct)]
            arrays = self._arrays(struct)
            if arrays and self.choices.chance(15):
                found.append(f"{self.load(self.choices.one_of(arrays))}.{path}")
        return found

    # ---------------------------------------------------------------- expressions

    def struct(self, kind: str, depth: int) -> str:
        """A value of a struct; it may be followed by a dot."""
        names = self._named(kind) + [self.load(array) for array in self._arrays(kind)]
        if names and (depth <= 0 or self.choices.chance(35)):
            return self.choices.one_of(names)
        forms = [(4, "construct")] + ([(3, "turned"), (2, "choice"), (2, "sum")] if depth > 0 else [])
        return str(getattr(self, f"_struct_{self.choices.weighted(forms)}")(kind, depth - 1))

    def _struct_construct(self, kind: str, depth: int) -> str:
        return f"{kind}({', '.join(self.stored(inner, min(depth, 1)) for _, inner in FIELDS[kind])})"

    def _struct_turned(self, kind: str, depth: int) -> str:
        return f"{self.struct(kind, depth)}.turned({self.integer('i32', depth)})"

    def _struct_choice(self, kind: str, depth: int) -> str:
        return f"({self.struct(kind, depth)} if {self.truth(depth)} else {self.struct(kind, depth)})"

    def _struct_sum(self, kind: str, depth: int) -> str:
        if kind != "Part":
            return self._struct_construct(kind, depth)
        return f"({self.struct(kind, depth)} + {self.struct(kind, depth)})"

    def truth(self, depth: int) -> str:
        if depth > 0 and not self.is_homogeneous and self.choices.chance(3):
            kind = self.choices.one_of(tuple(FIELDS))
            return f"({self.struct(kind, 0)} {self.choices.one_of(('==', '!='))} {self.struct(kind, depth - 1)})"
        return super().truth(depth)

    def _integer_call(self, kind: str, depth: int) -> str:
        if kind == "i32" and self.choices.chance(25):
            part = self.struct("Part", 1)
            return f"{part}.parity" if self.choices.chance(40) else f"{part}.mixed({self.integer('i32', depth)})"
        return super()._integer_call(kind, depth)

    # ---------------------------------------------------------------- statements

    def _assignment(self, place: str, kind: str) -> str:
        if kind not in FIELDS:
            return super()._assignment(place, kind)
        if "[" in place and self.choices.chance(60):  # in an array, where fields are assigned in place
            name, inner = self.choices.one_of(FIELDS[kind])
            lanes = lanes_of(inner)
            if lanes > 1 and self.choices.chance(60):
                return self._assignment(f"{place}.{name}.{'xyzw'[self.choices.below(lanes)]}", "i32")
            return self._assignment(f"{place}.{name}", inner)
        if kind == "Part" and self.choices.chance(25):
            return f"{place} += {self.struct(kind, 1)}"
        return f"{place} = {self.struct(kind, 2)}"
