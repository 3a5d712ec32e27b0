"""Polynomials with integer coefficients over numbered unknowns, in which proofs about indices are written."""

from __future__ import annotations

import functools
from collections.abc import Iterator

Monomial = tuple[int, ...]
"""Sorted numbers of unknowns, each repeated according to its power; () is 1."""


class Polynomial:
    """A sum of monomials with coefficients other than 0. Immutable: compare with ==, use as a key."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: dict[Monomial, int]) -> None:
        self.terms = terms
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __repr__(self) -> str:
        return " + ".join(f"{c}*{'*'.join(f'x{n}' for n in m) or '1'}" for m, c in self.terms.items()) or "0"

    @property
    def constant(self) -> int:
        """The constant term."""
        return self.terms.get((), 0)

    @property
    def is_constant(self) -> bool:
        return not self.terms or (len(self.terms) == 1 and () in self.terms)

    @property
    def degree(self) -> int:
        return max(map(len, self.terms), default=0)

    @property
    def unknown(self) -> int | None:
        """The unknown, if the polynomial is one unknown and nothing else."""
        if len(self.terms) != 1:
            return None
        ((monomial, coefficient),) = self.terms.items()
        return monomial[0] if len(monomial) == 1 and coefficient == 1 else None

    def unknowns(self) -> Iterator[int]:
        """Every unknown, with repetitions."""
        for monomial in self.terms:
            yield from monomial

    def __add__(self, other: Polynomial) -> Polynomial:
        return self.plus(other, 1)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self.plus(other, -1)

    def plus(self, other: Polynomial, factor: int, monomial: Monomial = ()) -> Polynomial:
        """self + factor * monomial * other"""
        terms = self.terms.copy()
        for product, coefficient in other.terms.items():
            if monomial:
                product = multiplied(product, monomial)
            total = terms.get(product, 0) + factor * coefficient
            if total:
                terms[product] = total
            else:
                terms.pop(product, None)
        return Polynomial(terms)

    def shifted(self, by: int) -> Polynomial:
        """self + by"""
        return self.plus(ONE, by)

    def __mul__(self, other: Polynomial) -> Polynomial:
        terms: dict[Monomial, int] = {}
        for one, coefficient in self.terms.items():
            for another, factor in other.terms.items():
                product = multiplied(one, another)
                terms[product] = terms.get(product, 0) + coefficient * factor
        return Polynomial({monomial: coefficient for monomial, coefficient in terms.items() if coefficient})

    def scaled(self, factor: int) -> Polynomial:
        if not factor:
            return ZERO
        return Polynomial({monomial: factor * coefficient for monomial, coefficient in self.terms.items()})

    def replaced(self, unknown: int, by: Polynomial) -> Polynomial:
        """The polynomial with an unknown replaced by another polynomial."""
        made = ZERO
        for monomial, coefficient in self.terms.items():
            power = monomial.count(unknown)
            product = Polynomial({tuple(number for number in monomial if number != unknown): coefficient})
            for _ in range(power):
                product = product * by
            made = made + product
        return made

    def modulo_word(self) -> Polynomial:
        """The same modulo 2**32, with coefficients from -2**31 to 2**31 - 1."""
        coefficients = self.terms.values()
        if not coefficients or (min(coefficients) >= -(2**31) and max(coefficients) < 2**31):
            return self
        terms = {monomial: ((c + 2**31) & 0xFFFFFFFF) - 2**31 for monomial, c in self.terms.items()}
        return Polynomial({monomial: coefficient for monomial, coefficient in terms.items() if coefficient})


ZERO = Polynomial({})
ONE = Polynomial({(): 1})


def number(value: int) -> Polynomial:
    """A constant."""
    return Polynomial({(): value}) if value else ZERO


@functools.lru_cache(maxsize=4096)
def unknown(name: int) -> Polynomial:
    """An unknown alone."""
    return Polynomial({(name,): 1})


def multiplied(one: Monomial, other: Monomial) -> Monomial:
    """The product of two monomials."""
    return tuple(sorted(one + other)) if one and other else one or other


@functools.lru_cache(maxsize=4096)
def factors(monomial: Monomial) -> tuple[tuple[Monomial, Monomial], ...]:
    """Splits of a monomial into two factors: itself and 1, and each of its unknowns and the rest."""
    parts: dict[Monomial, Monomial] = {monomial: ()}
    for name in monomial:
        position = monomial.index(name)
        parts.setdefault((name,), monomial[:position] + monomial[position + 1 :])
    return tuple(parts.items())
