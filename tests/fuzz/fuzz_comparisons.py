"""Values compared with constants, and f64 of any bits: a device may compute a value rightly and compare it wrongly,
for a compiler sees the two as one."""

from __future__ import annotations

from fuzz_expressions import COMPARISONS, FLOAT_FORMS, GENERIC_FORMS, INTEGER_FORMS, ROUNDINGS, Expressions
from fuzz_kinds import FLOATS, INTEGERS, UNSIGNED, WILD, WILD64, literals_of

_WILD_CONSTANTS = ("0.0", "1.0", "0.5", "-2.5", "2147483648.0", "-2147483648.0", "4294967296.0", "3e38")


class Comparisons(Expressions):
    """Compares what every producer of a value gives with 0, 1, powers of two and the ends of its range."""

    def compared(self, kind: str, depth: int) -> str:
        """Whether a value of `kind`, of any producer with the same chance, compares so with a constant."""
        value, constant = self._produced(kind, depth), self._constant(kind)
        form = self.choices.below(4)
        if form == 3 and kind in INTEGERS and kind not in UNSIGNED:
            return f"({constant} {self._order()} {value} {self._order()} {self._constant(kind)})"
        if form == 2:
            return f"({constant} {self.choices.one_of(COMPARISONS)} {value})"
        return f"({value} {self.choices.one_of(COMPARISONS)} {constant})"

    def _order(self) -> str:
        return self.choices.one_of(("<=", "<", ">", ">="))

    def _produced(self, kind: str, depth: int) -> str:
        if kind == WILD:
            return self.wild(depth)
        if kind == WILD64:
            return self.wild64(depth)
        if kind in FLOATS:
            text, _ = getattr(self, f"_float_{self.choices.one_of(FLOAT_FORMS)[1]}")(kind, depth)
            return str(text)
        if self.choices.chance(35):
            return self._integer_function(kind, depth)  # one form of many functions
        forms = GENERIC_FORMS if self.is_homogeneous else INTEGER_FORMS
        return str(getattr(self, f"_integer_{self.choices.one_of(forms)[1]}")(kind, depth))

    def _constant(self, kind: str) -> str:
        if kind in (WILD, WILD64):
            return self.choices.one_of(_WILD_CONSTANTS)
        if kind in FLOATS:
            return self.choices.one_of(("0.0", "1.0", "-1.0", "0.5", "-2.0", "4.0", f"{FLOATS[kind][0]}.0"))
        if self.is_homogeneous:
            return self.literal(kind)
        bits = INTEGERS[kind]
        numbers = ((1, 0, 2, 3, 31, bits - 1), (1 << self.choices.below(bits - 1),), literals_of(kind))
        number = self.choices.one_of(self.choices.one_of(numbers))
        return f"gp.{kind}({number})" if self.choices.chance(40) else str(number)

    def comparable(self) -> str:
        """A kind to compare: 64-bit integers and any f64 as often as all others, where the program has them."""
        if self.is_homogeneous:
            return self._scalar()
        wide = [kind for kind in ("i64", "u64") if kind in self.kinds] + [WILD64] * bool(self._arrays(WILD64))
        if wide and self.choices.chance(50):
            return self.choices.one_of(wide)
        return self.choices.one_of((*self.kinds, *[WILD] * bool(self._arrays(WILD))))

    def _truth_constant(self, depth: int) -> str:
        return self.compared(self.comparable(), depth)

    # ---------------------------------------------------------------- any f64

    def wild64(self, depth: int) -> str:
        """An f64 that may be infinite, NaN, large, or lie between whole numbers."""
        form = self.choices.below(8) if depth > 0 else self.choices.below(2)
        leaf = self._wild64_leaf()
        if form in (1, 2, 3, 4):
            return f"gp.{self.choices.one_of(ROUNDINGS)}({leaf})"
        if form == 5:
            return f"gp.{self.choices.one_of(('min', 'max'))}({leaf}, {self._wild64_leaf()})"
        if form == 6:
            return f"({leaf} if {self.truth(depth - 1)} else {self._wild64_leaf()})"
        if form == 7:
            return self.choices.one_of((f"(-{leaf})", f"gp.abs({leaf})", f"gp.sign({leaf})"))
        return leaf

    def _wild64_leaf(self) -> str:
        return self.choices.one_of(self._named(WILD64) + [self.load(array) for array in self._arrays(WILD64)])

    def _wild_result(self, depth: int) -> str:
        if self._arrays(WILD64) and self.choices.chance(40):
            return self.wild64(1)
        return super()._wild_result(depth)


__all__ = ["Comparisons"]
