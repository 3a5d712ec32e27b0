"""`match` in random kernels: over integers of every kind, what is known, and an enum, of which all is named."""

from __future__ import annotations

from fuzz_kinds import GENERIC, INTEGERS, SMALL_LITERALS, literals_of
from fuzz_statements import Statements

ENUM = "Mode"
MEMBERS = {"LOW": -1, "MID": 0, "HIGH": 7}
TEXT = f"class {ENUM}(enum.IntEnum):\n" + "".join(f"    {name} = {value}\n" for name, value in MEMBERS.items())


class Matches(Statements):
    """Writes statements that branch on values."""

    enums: tuple[tuple[str, bool], ...] = ()  # values of the enum as text; whether it is the same in the workgroup

    def more_forms(self) -> list[tuple[int, str]]:
        is_open = self.nesting < 4 and self.budget > 0
        return super().more_forms() + [(4, "match")] * is_open + [(2 if self.nesting else 5, "enum")] * bool(self.enums)

    def _named(self, kind: str) -> list[str]:
        found = super()._named(kind)
        if kind == "i32" and self.enums and self.choices.chance(15):
            found.append(f"gp.i32({self._enum()[0]})")
        return found

    def _write_enum(self) -> None:
        """A variable that holds a member. It is declared in the open, so that it has a value wherever it is read."""
        held = [text for text, _ in self.enums if text.startswith("v")]
        value = self._enum()[0]
        if self.choices.chance(60):
            value = f"({ENUM}.{self._member()} if {self.truth(1)} else {value})"
        if held and (self.nesting or self.choices.chance(50)):
            self.line(f"{self.choices.one_of(held)} = {value}")
        elif not self.nesting:
            name = self.fresh("v")
            self.line(f"{name}: {ENUM} = {value}")  # members alone are numbers
            self.enums += ((name, False),)

    def truth(self, depth: int) -> str:
        if self.enums and self.choices.chance(3):
            return f"({self._enum()[0]} {self.choices.one_of(('==', '!='))} {ENUM}.{self._member()})"
        return super().truth(depth)

    def _enum(self) -> tuple[str, bool]:
        text, is_same = self.choices.one_of(self.enums)
        return text.format(self.index_of_enum()), is_same

    def index_of_enum(self) -> str:
        """An index of the input of members."""
        return self.index(next(array for array in self.readable if array.name == "em"), 0)

    def _member(self) -> str:
        return self.choices.one_of(tuple(MEMBERS))

    def _subject(self) -> tuple[str, str, bool]:
        """What is looked at, its kind, and whether all of the workgroup find the same."""
        if self.is_homogeneous:
            return self.integer(GENERIC, 1), GENERIC, False
        form = self.choices.below(10)
        if form < 4 and self.enums:
            held = [one for one in self.enums if one[0].startswith("v")]
            text, is_same = self.choices.one_of(held) if held and self.choices.chance(50) else self._enum()
            return text, ENUM, is_same
        if form == 4 and self.weak:
            return self.choices.one_of(self.weak)[0], "i32", True
        if form < 7 and self.is_uniform:
            return f"{self.choices.one_of(self.uniform_names)} & 3", "i32", True
        kind = self.choices.one_of([kind for kind in self.kinds if kind in INTEGERS])
        return f"{self.integer(kind, 1)} & 7" if self.choices.chance(70) else self.integer(kind, 1), kind, False

    def _patterns(self, kind: str, is_small: bool) -> list[str]:
        """A pattern for each case, with more than one number in some."""
        if kind == ENUM:
            names = [f"{ENUM}.{name}" for name in MEMBERS]
            if self.choices.chance(30):
                names = [f"{names[0]} | {names[2]}", names[1]]
            return names
        most = (1, 0, 2, 3, 5, 7) if is_small else SMALL_LITERALS if kind == GENERIC else literals_of(kind)
        count = 1 + self.choices.below(3)
        return [" | ".join(str(self.choices.one_of(most)) for _ in range(1 + self.choices.below(3)))
                for _ in range(count)]  # fmt: skip

    def _write_match(self) -> None:
        outer = self.is_uniform
        subject, kind, together = self._subject()
        patterns = self._patterns(kind, subject.endswith("& 7") or subject.endswith("& 3"))
        is_open = kind == ENUM and self.choices.chance(50)  # all members are named, and nothing else
        self.line(f"match {subject}:")
        self.indent += 1
        for pattern in patterns if is_open or kind != ENUM else patterns[:2]:
            guard = ""
            if not is_open and self.choices.chance(20):
                guard, together = f" if {self.truth(1)}", False
            self.is_uniform = outer and together and not self._has_diverged
            self.line(f"case {pattern}{guard}:")
            self.block(2)
        if not is_open and (kind == ENUM or self.choices.chance(60)):
            self.is_uniform = outer and together and not self._has_diverged
            self.line("case _:")
            self.block(2)
        self.indent -= 1
        self.is_uniform = outer and not self._has_diverged
