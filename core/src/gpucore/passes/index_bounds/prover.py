"""Facts about integers at a point of a kernel, and a bounded search for a proof that a sum is not negative.

Unknowns are integers that do not change: values, params, what a variable holds between two assignments. A fact is a
polynomial over them that is at least 0. A goal is proven if subtracting non-negative multiples of facts from it leaves
a polynomial that is at least 0 by the intervals of its unknowns alone. The search is bounded, so it may miss a proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from math import gcd

from gpucore.ir.ranges import Interval
from gpucore.passes.index_bounds.polynomials import Monomial, Polynomial, factors

_PROOF_NODES = 64  # per search; fewer after failed searches for goals of the same shape
_ASSUMPTION_NODES = 160
_HALVINGS = 4  # of that number, one after each failure
_NODES_IN_ALL = 10_000  # for all searches in a kernel: a few tenths of a second
_DEPTHS = (2, 4, 6)  # facts used in one proof
_SPLITS = 2  # case splits in one proof
_NARROWINGS = 24  # intervals recomputed after one new fact
_HUGE = 2**31 - 1024  # a bound from here on says nothing about an index
_PLAUSIBLE = 2**24  # the greatest constant in an assumption about arguments


_Shape = frozenset[tuple[Monomial, bool]]
"""The monomials of a goal with their signs. Goals that differ only in coefficients have the same shape: if a search
failed for one, it will usually fail for the others."""


class Facts:
    """Unknowns with their intervals, and facts about them. `mark` and `forget` open and close a scope."""

    def __init__(self) -> None:
        self._intervals: list[Interval] = []
        self._products: dict[Monomial, tuple[int, int]] = {}  # bounds of monomials, valid until an interval changes
        self._failures: tuple[Counter[_Shape], Counter[_Shape]] = (Counter(), Counter())  # of explanations, of proofs
        self._known: dict[Hashable, int] = {}
        self._facts: dict[tuple[Monomial, bool], list[Polynomial]] = {}  # by monomial, and whether its sign is positive
        self._undo: list[Callable[[], object]] = []
        self._choices: dict[int, tuple[Polynomial, ...]] = {}
        self._host: set[int] = set()
        self._impossible = 0
        self.nodes_left = _NODES_IN_ALL
        self._keys: list[Hashable] = []
        self.learnt: list[Polynomial] = []

    # ------------------------------------------------------------ unknowns

    def unknown(self, key: Hashable, interval: Interval) -> int:
        """The unknown with that key; its interval is valid everywhere."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self._intervals)
            self._intervals.append(interval)
            self._keys.append(key)
        return found

    def key_of(self, name: int) -> Hashable:
        return self._keys[name]

    def find(self, key: Hashable) -> int | None:
        """The unknown with that key, if it exists."""
        return self._known.get(key)

    def fresh(self, interval: Interval) -> int:
        """A new unknown without a key."""
        return self.unknown(("fresh", len(self._intervals)), interval)

    def host_unknown(self, key: Hashable, interval: Interval) -> int:
        """An unknown whose value the host knows when it dispatches the kernel."""
        found = self.unknown(key, interval)
        self._host.add(found)
        return found

    def choose(self, name: int, among: tuple[Polynomial, ...]) -> None:
        """The unknown equals one of these, everywhere."""
        self._choices[name] = among

    # ------------------------------------------------------------ scopes and facts

    def mark(self) -> int:
        return len(self._undo)

    def forget(self, mark: int) -> None:
        """Drop the facts learnt since the mark."""
        while len(self._undo) > mark:
            self._undo.pop()()

    @property
    def is_impossible(self) -> bool:
        """Whether the facts contradict each other: this point is unreachable."""
        return self._impossible > 0

    def always(self, fact: Polynomial) -> None:
        """Add a fact that holds wherever its unknowns are defined."""
        self._enter(fact)

    def learn(self, fact: Polynomial) -> None:
        """Add a fact that holds until the end of the scope."""
        if fact.is_constant:  # useful only if it is false
            if fact.constant < 0:
                self._contradict()
            return
        self.learnt.append(fact)
        self._undo.append(self.learnt.pop)
        for places in self._enter(fact):
            self._undo.append(partial(_drop, places, fact))
        self._narrow(fact)

    def _enter(self, fact: Polynomial) -> list[list[Polynomial]]:
        entered: list[list[Polynomial]] = []
        first = next(monomial for monomial in fact.terms if monomial)
        if fact in self._facts.get((first, fact.terms[first] > 0), ()):
            return entered
        for monomial, coefficient in fact.terms.items():
            if monomial:
                places = self._facts.setdefault((monomial, coefficient > 0), [])
                places.append(fact)
                entered.append(places)
        return entered

    def narrow(self, name: int, low: int, high: int) -> bool:
        """Narrow an unknown to this range until the end of the scope; returns whether that is new information."""
        old = self._intervals[name]
        new = Interval(max(low, old.lo), min(high, old.hi))
        if new == old:
            return False
        if new.lo > new.hi:
            self._contradict()
            return False
        self._set_interval(name, new)
        self._undo.append(partial(self._set_interval, name, old))
        return True

    def _set_interval(self, name: int, interval: Interval) -> None:
        self._intervals[name] = interval
        self._products.clear()

    def _contradict(self) -> None:
        self._impossible += 1
        self._undo.append(self._possible_again)

    def _possible_again(self) -> None:
        self._impossible -= 1

    def _narrow(self, fact: Polynomial) -> None:
        """Derive intervals of single unknowns from a new fact, and from facts about those unknowns."""
        pending = [fact]
        for _ in range(_NARROWINGS):
            if not pending:
                return
            current = pending.pop()
            for monomial, coefficient in current.terms.items():
                if len(monomial) != 1:
                    continue
                rest = self.interval(current.plus(Polynomial({monomial: 1}), -coefficient)).hi
                full = self._intervals[monomial[0]]
                low = -(rest // coefficient) if coefficient > 0 else full.lo
                high = rest // -coefficient if coefficient < 0 else full.hi
                if self.narrow(monomial[0], low, high):
                    for is_added in (True, False):
                        pending += self._facts.get((monomial, is_added), ())

    # ------------------------------------------------------------ intervals

    def interval(self, sum: Polynomial) -> Interval:
        """Bounds of a sum, by the intervals of its unknowns."""
        return Interval(self.lower_bound(sum), self._upper_bound(sum))

    def lower_bound(self, sum: Polynomial) -> int:
        """The lower end of `interval`."""
        low = 0
        known = self._products.get
        for monomial, coefficient in sum.terms.items():
            low += coefficient * (known(monomial) or self.bounds(monomial))[coefficient < 0]
        return low

    def _upper_bound(self, sum: Polynomial) -> int:
        high = 0
        for monomial, coefficient in sum.terms.items():
            high += coefficient * self.bounds(monomial)[coefficient > 0]
        return high

    def bounds(self, monomial: Monomial) -> tuple[int, int]:
        """Bounds of a product of unknowns, by their intervals."""
        found = self._products.get(monomial)
        if found is None:
            low = high = 1
            for name in monomial:
                factor = self._intervals[name]
                corners = (low * factor.lo, low * factor.hi, high * factor.lo, high * factor.hi)
                low, high = min(corners), max(corners)
            found = self._products[monomial] = low, high
        return found

    # ------------------------------------------------------------ proofs

    def proves(self, goal: Polynomial) -> bool:
        """Whether the goal is proven to be at least 0 here."""
        if self.is_impossible or self.lower_bound(goal) >= 0:
            return True
        return self._search(goal, None)

    def explain(self, goal: Polynomial) -> Polynomial | None:
        """A sum of quantities known to the host whose being at least 0 implies the goal; None if none was found."""
        wanted: list[Polynomial] = []
        self._search(goal, wanted)
        return wanted[0] if wanted else None

    def _search(self, goal: Polynomial, wanted: list[Polynomial] | None) -> bool:
        """Search for a proof, with less effort after each failure for goals of the same shape."""
        if self._has_unbounded_term(goal, is_host_allowed=wanted is not None):
            return False
        failures = self._failures[wanted is None]
        shape = self._shape_of(goal)
        nodes = _PROOF_NODES if wanted is None else _ASSUMPTION_NODES
        is_found = _Search(self, wanted, nodes >> _HALVINGS * failures[shape]).run(goal, _SPLITS)
        if not is_found:
            failures[shape] += 1
        return is_found

    def _has_unbounded_term(self, goal: Polynomial, is_host_allowed: bool) -> bool:
        """Whether a term of the goal may be as low as its type allows, and no fact can cancel it."""
        for monomial, coefficient in goal.terms.items():
            is_positive = coefficient > 0
            if abs(self.bounds(monomial)[not is_positive]) < _HUGE or any(
                name in self._choices or (is_host_allowed and name in self._host) for name in monomial
            ):
                continue
            if not any(self._facts.get((factor, is_positive)) for factor, _ in factors(monomial)):
                return True
        return False

    def _shape_of(self, goal: Polynomial) -> _Shape:
        return frozenset((monomial, coefficient > 0) for monomial, coefficient in goal.terms.items() if monomial)

    def knows_on_host(self, sum: Polynomial) -> bool:
        """Whether the host can compute the sum when it dispatches."""
        return all(name in self._host for name in sum.unknowns())

    def steps(self, goal: Polynomial) -> Iterator[Polynomial]:
        """Goals that imply this one, each by one fact that cancels a term; the smallest first."""
        least = {
            monomial: coefficient * self.bounds(monomial)[coefficient < 0]
            for monomial, coefficient in goal.terms.items()
            if monomial
        }
        for monomial in sorted(least, key=lambda monomial: least[monomial]):
            coefficient = goal.terms[monomial]
            for factor, rest in factors(monomial):
                known = self._facts.get((factor, coefficient > 0))
                if not known or (rest and self.bounds(rest)[0] < 0):
                    continue
                for fact in reversed(known):
                    yield _reduced(goal, coefficient, fact, fact.terms[factor], rest)

    def bounded(self, goal: Polynomial) -> Iterator[Polynomial]:
        """Goals that imply this one, by replacing an unknown that the host does not know by a bound."""
        for monomial, coefficient in goal.terms.items():
            for factor, rest in factors(monomial):
                if len(factor) != 1 or (rest and self.bounds(rest)[0] < 0):
                    continue
                (name,) = factor
                if name in self._host:
                    continue
                bound = self._intervals[name].lo if coefficient > 0 else self._intervals[name].hi
                if abs(bound) < _HUGE:
                    yield goal.plus(Polynomial({monomial: 1}), -coefficient).plus(
                        Polynomial({rest: 1}), coefficient * bound
                    )

    def choices(self, goal: Polynomial) -> Iterator[tuple[int, tuple[Polynomial, ...]]]:
        for name in dict.fromkeys(goal.unknowns()):
            if name in self._choices:
                yield name, self._choices[name]


def _drop(places: list[Polynomial], fact: Polynomial) -> None:
    """Remove this fact. It need not be the last: facts that hold everywhere may have been added since."""
    for position in reversed(range(len(places))):
        if places[position] is fact:
            del places[position]
            return


def _reduced(goal: Polynomial, coefficient: int, fact: Polynomial, of_fact: int, rest: Monomial) -> Polynomial:
    """The goal minus a multiple of a fact that cancels the term with `coefficient`. Both have the same sign."""
    scale = abs(of_fact) // gcd(coefficient, of_fact)
    if scale > 1:  # an integer with a multiple greater than -scale is at least 0
        goal = goal.scaled(scale)
        goal = Polynomial({**goal.terms, (): goal.constant + scale - 1})
    return goal.plus(fact, -(coefficient * scale // of_fact), rest)


class _Search:
    """A search that tries short proofs first. `wanted`, if given, collects assumptions that complete a proof."""

    def __init__(self, facts: Facts, wanted: list[Polynomial] | None, nodes: int) -> None:
        self._facts, self._wanted = facts, wanted
        self._stop = max(facts.nodes_left - nodes, 0)
        self._seen: dict[Polynomial, int] = {}

    def run(self, goal: Polynomial, splits: int) -> bool:
        """Whether the goal follows from the facts, with at most `splits` case splits."""
        for depth in _DEPTHS:
            if self._follows(goal, depth):
                return True
        if splits and self._wanted is None:
            for name, among in self._facts.choices(goal):
                if all(self.run(goal.replaced(name, one), splits - 1) for one in among):
                    return True
        return False

    def _follows(self, goal: Polynomial, depth: int) -> bool:
        if self._facts.nodes_left <= self._stop:
            return False
        if self._facts.lower_bound(goal) >= 0:
            return True
        if depth == 0 or self._seen.get(goal, 0) >= depth:
            return False
        self._facts.nodes_left -= 1
        self._seen[goal] = depth
        if self._wanted is not None and self._facts.knows_on_host(goal):
            if goal.is_constant or abs(goal.constant) > _PLAUSIBLE or self._facts.interval(goal).hi < 0:
                return False
            self._wanted.append(goal)
            return True
        if any(self._follows(step, depth - 1) for step in self._facts.steps(goal)):
            return True
        return self._wanted is not None and any(self._follows(step, depth - 1) for step in self._facts.bounded(goal))
