"""`assert` of what holds, and `print`, in random kernels."""

from __future__ import annotations

from fuzz_kinds import FLOATS, GENERIC, INTEGERS, SMALL
from fuzz_statements import Statements


class Debugging(Statements):
    """Writes statements that only debugged kernels have."""

    def more_forms(self) -> list[tuple[int, str]]:
        return [*super().more_forms(), (1, "assert"), (1, "print")]

    def _printed(self) -> str:
        """A value whose text is the same everywhere: no float, of which devices may drop the sign of a zero."""
        kinds = (GENERIC,) if self.is_homogeneous else tuple(k for k in self.kinds if k in INTEGERS)
        form = self.choices.below(6)
        if form == 0:
            return self.truth(1)
        if form == 1 and not self.is_homogeneous:
            return self.vector("i32x4", 0)[0]
        return self.integer(self.choices.one_of(kinds), 1)

    def _text(self) -> str:
        parts = [f"{{{self._printed()}}}" for _ in range(1 + self.choices.below(2))]
        return f'f"it is {" of ".join(parts)}"'

    def _write_print(self) -> None:
        parts = ['"at"', *(self._printed() for _ in range(self.choices.below(3)))]
        if self.choices.chance(40):
            parts.append(self._text())
        self.line(f"print({', '.join(parts)})")

    def _holds(self) -> str:
        """A condition that is true."""
        form = self.choices.below(5)
        floats = [v for v in self.variables if v.kind in FLOATS and v.name.startswith("v")]  # parameters have no bound
        if form == 0 and floats:
            variable = self.choices.one_of(floats)
            return f"gp.abs({variable.name}) <= {FLOATS[variable.kind][0]}.0"
        arrays = [array for array in self.readable if array.kind not in SMALL]
        if form == 1 and arrays:
            array = self.choices.one_of(arrays)
            return f"0 <= ({self.index(array, 0)}) < {array.lengths[0]}"
        if form == 2:
            condition = self.truth(1)
            return f"{condition} or not {condition}"
        kind = GENERIC if self.is_homogeneous else self.choices.one_of([k for k in self.kinds if k in INTEGERS])
        return f"({self.integer(kind, 1)} & 3) < 4"

    def _write_assert(self) -> None:
        text = self.choices.one_of(("", ', "it holds"', f", {self._text()}"))
        self.line(f"assert {self._holds()}{text}")
