"""Facts about integers at a point of a kernel, and a bounded search for a proof that a polynomial is at least 0.

Unknowns are integers that do not change: values, params, what a variable holds between two assignments. Each has an
interval. A fact is a polynomial over them that is at least 0. A goal is proven if subtracting non-negative multiples of
facts from it leaves a polynomial whose lower bound, by the intervals of its unknowns, is at least 0. The search is
bounded, so it may miss a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from itertools import chain
from math import gcd

from gpucore.ir.ranges import Interval
from gpucore.passes.index_bounds.polynomials import Monomial, Polynomial, factors, multiplied, unknown

_MAX_TERMS = 24  # monomials in a polynomial
_MAX_DEGREE = 4
_MAX_PROOF_NODES = 64  # of one search
_MAX_ASSUMPTION_NODES = 160
_MAX_NODES = 10_000  # of all searches in a kernel: a few tenths of a second
_REDUCTION = 16  # after a failed search, the next one for a goal of the same shape has this fraction of the nodes
_DEPTHS = (2, 4, 6)  # facts used in one proof
_MAX_SPLITS = 2  # case splits in one proof
_MAX_NARROWINGS = 24  # facts from which intervals are derived after one new fact
_MAX_BOUND = 2**31 - 1024  # a bound of this size or more says nothing about an index
_MAX_ASSUMED = 2**24  # the greatest number in an assumption about arguments

_Shape = frozenset[tuple[Monomial, bool]]
"""The monomials of a goal with their signs. If the search for a proof of one goal failed, it usually fails for others
of the same shape."""

Step = tuple[int, Polynomial, int, Monomial]
"""Scale, fact, factor and monomial of the step from a goal to scale * goal + scale - 1 + factor * monomial * fact.

The added product is at most 0. So if the result is at least 0, then scale * goal >= 1 - scale, and the goal is greater
than -1. It is an integer, so it is at least 0."""


def is_simple(sum: Polynomial) -> bool:
    """Whether a polynomial is small enough for searches."""
    return len(sum.terms) <= _MAX_TERMS and sum.degree <= _MAX_DEGREE


def _shape(goal: Polynomial, sign: int = 1) -> _Shape:
    """The shape of sign * goal."""
    return frozenset([(monomial, coefficient * sign > 0) for monomial, coefficient in goal.terms.items() if monomial])


class Facts:
    """Unknowns with their intervals, and facts about them. `mark` and `forget` open and close a scope."""

    def __init__(self) -> None:
        self._intervals: list[Interval] = []
        self._bounds: dict[Monomial, tuple[int, int]] = {}  # by the intervals of their unknowns
        self._dependent: dict[int, list[Monomial]] = {}  # unknown -> the monomials with an entry in _bounds
        self._nodes: dict[tuple[_Shape, bool], int] = {}  # limits after a failure, for proofs and for assumptions
        self.version = 0  # changes with every fact and every interval
        self._known: dict[Hashable, int] = {}
        self._facts: dict[tuple[Monomial, bool], list[Polynomial]] = {}  # by monomial, and whether its sign is positive
        self._undo: list[Callable[[], object]] = []
        self._alternatives: dict[int, tuple[Polynomial, ...]] = {}
        self._host: set[int] = set()
        self._impossible = 0
        self.nodes_left = _MAX_NODES
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
        """The key of an unknown."""
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

    def set_alternatives(self, name: int, among: tuple[Polynomial, ...]) -> None:
        """The unknown equals one of these, everywhere."""
        self._alternatives[name] = among

    # ------------------------------------------------------------ scopes and facts

    def mark(self) -> int:
        """Open a scope."""
        return len(self._undo)

    def forget(self, mark: int) -> None:
        """Close a scope: drop the facts since the mark."""
        self.version += 1
        while len(self._undo) > mark:
            self._undo.pop()()

    @property
    def is_impossible(self) -> bool:
        """Whether the facts contradict each other, so that this point is unreachable."""
        return self._impossible > 0

    def add_global(self, fact: Polynomial) -> None:
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
            self._undo.append(partial(_remove, places, fact))
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
        self.version += 1
        return entered

    def narrow(self, name: int, low: int, high: int) -> bool:
        """Intersect the interval of an unknown with this one until the end of the scope; returns whether it changed."""
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
        for monomial in self._dependent.pop(name, ()):
            self._bounds.pop(monomial, None)
        self.version += 1

    def _contradict(self) -> None:
        self._impossible += 1
        self.version += 1
        self._undo.append(self._possible_again)

    def _possible_again(self) -> None:
        self._impossible -= 1

    def _narrow(self, fact: Polynomial) -> None:
        """Propagate a new fact to the intervals of its unknowns, and from there through other facts."""
        pending = [fact]
        for _ in range(_MAX_NARROWINGS):
            if not pending:
                return
            current = pending.pop()
            for monomial, coefficient in current.terms.items():
                if len(monomial) != 1:
                    continue
                rest = self._upper_bound(current) - coefficient * self.bounds(monomial)[coefficient > 0]
                full = self._intervals[monomial[0]]
                low = -(rest // coefficient) if coefficient > 0 else full.lo
                high = rest // -coefficient if coefficient < 0 else full.hi
                if self.narrow(monomial[0], low, high):
                    for is_added in (True, False):
                        pending += self._facts.get((monomial, is_added), ())

    # ------------------------------------------------------------ intervals

    def interval(self, sum: Polynomial) -> Interval:
        """Bounds of a polynomial, by the intervals of its unknowns."""
        return Interval(self.lower_bound(sum), self._upper_bound(sum))

    def lower_bound(self, sum: Polynomial) -> int:
        """The lower end of `interval`."""
        low = 0
        known = self._bounds.get
        for monomial, coefficient in sum.terms.items():
            low += coefficient * (known(monomial) or self.bounds(monomial))[coefficient < 0]
        return low

    def _upper_bound(self, sum: Polynomial) -> int:
        high = 0
        known = self._bounds.get
        for monomial, coefficient in sum.terms.items():
            high += coefficient * (known(monomial) or self.bounds(monomial))[coefficient > 0]
        return high

    def bounds(self, monomial: Monomial) -> tuple[int, int]:
        """Bounds of a monomial, by the intervals of its unknowns."""
        found = self._bounds.get(monomial)
        if found is None:
            low = high = 1
            for name in monomial:
                factor = self._intervals[name]
                corners = (low * factor.lo, low * factor.hi, high * factor.lo, high * factor.hi)
                low, high = min(corners), max(corners)
                self._dependent.setdefault(name, []).append(monomial)
            found = self._bounds[monomial] = low, high
        return found

    # ------------------------------------------------------------ proofs

    def proves(self, goal: Polynomial) -> bool:
        """Whether the goal is proven to be at least 0 here."""
        if self.is_impossible or self.lower_bound(goal) >= 0:
            return True
        return self._search(goal, None)

    def proves_within(self, sum: Polynomial, range: Interval) -> bool:
        """Whether the sum is proven to be in the range here."""
        is_low = self.is_impossible or self.lower_bound(sum) >= range.lo
        is_high = self.is_impossible or self._upper_bound(sum) <= range.hi
        if is_low and is_high:
            return True
        if not is_low and not self._may_be_proven(sum, 1):
            return False
        if not is_high and not self._may_be_proven(sum, -1):
            return False
        return (is_low or self._search(sum.shifted(-range.lo), None)) and (
            is_high or self._search(sum.scaled(-1).shifted(range.hi), None)
        )

    def is_zero(self, sum: Polynomial) -> bool:
        """Whether the sum is 0 by the intervals of its unknowns."""
        return self.lower_bound(sum) == 0 == self._upper_bound(sum)

    def find_assumption(self, goal: Polynomial) -> Polynomial | None:
        """A polynomial over unknowns of the host that implies the goal if it is at least 0; None if none is found."""
        wanted: list[Polynomial] = []
        self._search(goal, wanted)
        return wanted[0] if wanted else None

    def _search(self, goal: Polynomial, wanted: list[Polynomial] | None) -> bool:
        """Search for a proof, or for an assumption to add to `wanted`; returns whether one was found."""
        is_proof = wanted is None
        if self._has_unbounded_term(goal) if is_proof else self._has_irreplaceable_term(goal):
            return False
        shape = _shape(goal)
        nodes = self._nodes_for(shape, is_proof)
        if not nodes:
            return False
        is_found = _Search(self, wanted, nodes).run(goal, _MAX_SPLITS)
        if not is_found:
            self._nodes[shape, is_proof] = nodes // _REDUCTION
        return is_found

    def _nodes_for(self, shape: _Shape, is_proof: bool) -> int:
        """The limit of the next search for a goal of the shape."""
        return self._nodes.get((shape, is_proof), _MAX_PROOF_NODES if is_proof else _MAX_ASSUMPTION_NODES)

    def _may_be_proven(self, sum: Polynomial, sign: int) -> bool:
        """Whether a lower bound of sign * sum is worth a search."""
        if self._has_unbounded_term(sum, sign) or not is_simple(sum):
            return False
        return self._nodes_for(_shape(sum, sign), True) > 0

    def _has_unbounded_term(self, goal: Polynomial, sign: int = 1) -> bool:
        """Whether a term of sign * goal may be as low as its type allows, and no fact can cancel it."""
        known = self._bounds.get
        for monomial, coefficient in goal.terms.items():
            is_positive = coefficient * sign > 0
            if abs((known(monomial) or self.bounds(monomial))[not is_positive]) < _MAX_BOUND:
                continue
            if any(name in self._alternatives for name in monomial):
                continue
            if not any(self._facts.get((factor, is_positive)) for factor, _ in factors(monomial)):
                return True
        return False

    def _has_irreplaceable_term(self, goal: Polynomial) -> bool:
        """Whether a term has an unknown of the device, and neither a fact nor a bound of the unknown can remove it."""
        for monomial, coefficient in goal.terms.items():
            if self._host.issuperset(monomial):
                continue
            parts = factors(monomial)
            has_fact = any(self._facts.get((factor, coefficient > 0)) for factor, _ in parts)
            if not has_fact and all(self._plausible_bound(coefficient, *part) is None for part in parts):
                return True
        return False

    def _plausible_bound(self, coefficient: int, factor: Monomial, rest: Monomial) -> int | None:
        """A number to replace the factor in coefficient * factor * rest, which makes the term smaller or equal.

        None if the factor is not an unknown of the device, or if an assumption with that number is implausible.
        """
        if len(factor) != 1 or factor[0] in self._host or (rest and self.bounds(rest)[0] < 0):
            return None
        interval = self._intervals[factor[0]]
        bound = interval.lo if coefficient > 0 else interval.hi
        return None if abs(bound) >= _MAX_BOUND or (rest and coefficient * bound < -_MAX_ASSUMED) else bound

    def is_known_to_host(self, sum: Polynomial) -> bool:
        """Whether the host can compute the sum when it dispatches."""
        return all(name in self._host for name in sum.unknowns())

    def fact_steps(self, goal: Polynomial) -> Iterator[Step]:
        """Steps that subtract a multiple of a fact to cancel a term, the term with the least lower bound first."""
        least = {
            monomial: coefficient * self.bounds(monomial)[coefficient < 0]
            for monomial, coefficient in goal.terms.items()
            if monomial
        }
        for monomial in sorted(least, key=least.__getitem__):
            coefficient = goal.terms[monomial]
            for factor, rest in factors(monomial):
                known = self._facts.get((factor, coefficient > 0))
                if not known or (rest and self.bounds(rest)[0] < 0):
                    continue
                for fact in reversed(known):
                    of_fact = fact.terms[factor]
                    scale = abs(of_fact) // gcd(coefficient, of_fact)
                    yield scale, fact, -(coefficient * scale // of_fact), rest

    def bound_steps(self, goal: Polynomial) -> Iterator[Step]:
        """Steps that replace an unknown of the device by a bound of it."""
        for monomial, coefficient in goal.terms.items():
            for factor, rest in factors(monomial):
                bound = self._plausible_bound(coefficient, factor, rest)
                if bound is not None:
                    yield 1, unknown(factor[0]).shifted(-bound), -coefficient, rest

    def lower_bound_after(self, goal: Polynomial, lower: int, step: Step) -> int:
        """The lower bound of the polynomial after a step, given that of the goal."""
        scale, fact, factor, rest = step
        found = scale * lower + scale - 1
        terms = goal.terms
        for monomial, coefficient in fact.terms.items():
            product = multiplied(monomial, rest)
            before = scale * terms.get(product, 0)
            after = before + factor * coefficient
            ends = self.bounds(product)
            found += after * ends[after < 0] - before * ends[before < 0]
        return found

    def case_splits(self, goal: Polynomial) -> Iterator[tuple[int, tuple[Polynomial, ...]]]:
        """The unknowns of the goal that have alternatives."""
        for name in dict.fromkeys(goal.unknowns()):
            if name in self._alternatives:
                yield name, self._alternatives[name]


def _remove(places: list[Polynomial], fact: Polynomial) -> None:
    """Remove this fact. It need not be the last: facts that hold everywhere may have been added since."""
    for position in reversed(range(len(places))):
        if places[position] is fact:
            del places[position]
            return


def _apply(goal: Polynomial, step: Step) -> Polynomial:
    """The goal after a step."""
    scale, fact, factor, rest = step
    if scale > 1:
        goal = goal.scaled(scale).shifted(scale - 1)
    return goal.plus(fact, factor, rest)


class _Search:
    """A search by iterative deepening. `wanted`, if given, gets the assumption that completes a proof."""

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
            for name, among in self._facts.case_splits(goal):
                if all(self.run(goal.replaced(name, one), splits - 1) for one in among):
                    return True
        return False

    def _follows(self, goal: Polynomial, depth: int) -> bool:
        facts = self._facts
        if facts.nodes_left <= self._stop:
            return False
        lower = facts.lower_bound(goal)
        if lower >= 0:
            return True
        if depth == 0 or self._seen.get(goal, 0) >= depth:
            return False
        facts.nodes_left -= 1
        self._seen[goal] = depth
        if self._wanted is not None and facts.is_known_to_host(goal):
            if goal.is_constant or abs(goal.constant) > _MAX_ASSUMED or facts.interval(goal).hi < 0:
                return False
            self._wanted.append(goal)
            return True
        if facts.nodes_left <= self._stop:
            return False
        if depth == 1:  # the last step can complete a proof, not an assumption
            return self._wanted is None and any(
                facts.lower_bound_after(goal, lower, step) >= 0 for step in facts.fact_steps(goal)
            )
        steps = facts.fact_steps(goal)
        if self._wanted is not None:
            steps = chain(steps, facts.bound_steps(goal))
        return any(self._follows(_apply(goal, step), depth - 1) for step in steps)
