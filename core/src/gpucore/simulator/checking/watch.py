"""The running invocation, and the findings of a checked run."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gpucore.findings import Axes, Finding, FindingCode, Invocation
from gpucore.immutable import Immutable
from gpucore.simulator.checking.fences import Known, Order
from gpucore.span import Span

MAX_ACCESSES = 1_000_000
"""Accesses to shared memory by one invocation between two barriers; more count as an infinite loop."""


WHILE_MULTIPLIED = "a product reads its tiles and changes its sums until the wait for it"
"""Why an access during a product is wrong."""

_FIX_OF_SUMS = "use the sums after the wait for the product"

Moment: TypeAlias = tuple[int, int]
"""How many barriers of the workgroup, and of the subgroup, an invocation has passed."""


class Options(Immutable):
    """What to check besides memory and barriers, and how subgroups are formed."""

    subgroup_size: int = 32
    overflow: bool = False
    nan: bool = False


class NoEnd(Exception):  # noqa: N818 (ends a run; never raised to the user)
    """An invocation that does not end."""


@dataclass(slots=True)
class Group:
    """A running workgroup: `epoch` counts the barriers that it has passed, `ordered` those that order buffers. `own`
    counts, by the ids of workgroup arrays, those for them alone, which `epoch` leaves out. `known` are accesses of
    other workgroups before its own, and `passed` those from the next barrier on."""

    number: int
    id: Axes
    epoch: int = 0
    ordered: int = 0
    known: Known = field(default_factory=Known)
    passed: Known = field(default_factory=Known)
    own: Counter[int] = field(default_factory=Counter)

    def pass_barrier(self, site: Site) -> None:
        """A barrier that all have reached."""
        buffers = site.buffers
        if site.arrays:
            self.own.update(site.arrays)
        else:
            self.epoch += 1
        self.ordered += buffers
        if buffers:
            self.known.add(self.passed)


@dataclass(slots=True, eq=False)
class Team:
    """A subgroup of a running workgroup: the members are those of a workgroup, of barriers of the subgroup."""

    epoch: int = 0
    ordered: int = 0
    known: Known = field(default_factory=Known)
    passed: Known = field(default_factory=Known)

    def pass_barrier(self, site: Site) -> None:
        """A barrier that all of it have reached."""
        self.epoch += 1
        self.ordered += site.buffers
        if site.buffers:
            self.known.add(self.passed)


class Watch:
    """Collects findings: one for each code and pair of lines, with a count. `has_fences`: of the device, in the
    kernel."""

    def __init__(self) -> None:
        self.has_fences = False
        self._findings: dict[tuple[object, ...], Finding] = {}
        self.codes: set[FindingCode] = set()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """By code, then in the order in which they were found."""
        return tuple(sorted(self._findings.values(), key=lambda finding: finding.code))

    def report(
        self,
        code: FindingCode,
        message: str,
        spans: tuple[Span | None, ...],
        invocations: tuple[Invocation, ...] = (),
        array: str = "",
        memory: str = "",
        why: str = "",
        fix: str = "",
    ) -> None:
        """Record a finding, or count it if an equal one is known."""
        known = tuple(span for span in spans if span is not None)
        key: tuple[object, ...] = (code, array, *((span.file, span.line) for span in known))
        if code in (FindingCode.OVERFLOW, FindingCode.NAN):  # each operation of a line is a finding
            key += tuple((span.column, span.end_column) for span in known)
        self.codes.add(code)
        if key in self._findings:
            self._findings[key].count += 1
        else:
            self._findings[key] = Finding(code.value, message, known, invocations, array, memory, why=why, fix=fix)


class Runner:
    """One running invocation. Generated code names it `gpucore_me` and passes it to memory."""

    __slots__ = (
        "adding", "group", "has_stored", "local_id", "number", "order", "refused", "size", "steps", "team", "watch",
    )  # fmt: skip

    def __init__(self, watch: Watch, group: Group, team: Team, number: int, local_id: Axes, size: Axes) -> None:
        self.watch, self.group, self.number, self.local_id, self.size = watch, group, number, local_id, size
        self.team = team
        self.refused: tuple[tuple[int, ...], tuple[int, ...], int] | None = None
        self.order = Order()
        self.steps = 0
        self.has_stored = False  # to a buffer
        self.adding: list[list[Any]] = []  # private arrays to which products are being added

    @property
    def identity(self) -> Invocation:
        """Its ids."""
        x, y, z = (g * s + i for g, s, i in zip(self.group.id, self.size, self.local_id, strict=True))
        return Invocation((x, y, z), self.local_id, self.group.id)

    def step(self, span: Span | None) -> None:
        """Count a memory access."""
        self.steps += 1
        if self.steps > MAX_ACCESSES:
            message = f"{self.identity} does not end: it has made {MAX_ACCESSES} memory accesses since the last barrier"
            self.watch.report(FindingCode.NO_END, message, (span,), (self.identity,))
            raise NoEnd

    def fence(self) -> None:
        """A fence of the device."""
        self.order.fence(self)

    def knows(self, other: Runner, moment: Moment, fences: int) -> bool:
        """Whether fences order an access of another invocation, with so many fences of its own before it, before what
        follows."""
        if not self.watch.has_fences:
            return False
        knowing = self.group.known, self.team.known
        return any(known.has(other, moment, fences) for known in knowing) or self.order.knows(other, moment, fences)

    def bounds(self, indices: tuple[int, ...], extents: tuple[int, ...]) -> None:
        """Check the indices of the next access, one for each axis; the access is skipped if one is out of range."""
        for axis, (index, extent) in enumerate(zip(indices, extents, strict=True)):
            if not 0 <= index < extent:
                self.refused = indices, extents, axis
                return

    def may_access(self, index: int, length: int, site: Site) -> bool:
        """Whether an access is done: not if `bounds` has rejected it, and not outside the whole array."""
        if self.refused is None:
            if 0 <= index < length:
                return True
            self.refused = (index,), (length,), 0
        (indices, extents, axis), self.refused = self.refused, None
        if len(indices) == 1:
            what = f"index {indices[0]} is out of range for {site.array!r} of length {extents[0]}"
        else:
            what = f"index {indices} is out of range for {site.array!r} of shape {extents}, in axis {axis}"
        message = f"{what}, {site.verb} by {self.identity}"
        self.watch.report(FindingCode.OUT_OF_RANGE, message, (site.span,), (self.identity,), site.array, site.memory)
        return False

    def failed(self, parts: tuple[Any, ...], site: Site) -> None:
        """A failed assertion; `parts` are the values in its message."""
        text = "".join(map(str, parts))
        message = f"assertion failed in {self.identity}" + (f": {text}" if text else "")
        self.watch.report(FindingCode.ASSERTION, message, (site.span,), (self.identity,))

    def aligned(self, start: int, valid: int, count: int, text: str, site: Site) -> None:
        """Whether the first element of an aligned copy is at a multiple of its elements; `text` says what is wrong."""
        if valid and start % count:
            self.failed((text, start), site)

    def may_use(self, array: list[Any], index: int, site: Site, *, writes: bool) -> None:
        """A finding if products are being added to a private array that is accessed."""
        if not any(each is array for each in self.adding):
            return
        message = f"element {index} of {site.array!r} is {site.verb} by {self.identity} while products are added to it"
        where = (message, (site.span,), (self.identity,), site.array, site.memory, WHILE_MULTIPLIED, _FIX_OF_SUMS)
        if writes:
            self.watch.report(FindingCode.RACE, *where)
        else:
            self.watch.report(FindingCode.NEVER_WRITTEN, *where)

    def overflow(self, exact: int, low: int, high: int, site: Site) -> int:
        """`exact` wrapped into a type's range; a finding if that changes it."""
        if low <= exact <= high:
            return exact
        message = f"integer overflow: {site.verb} gives {exact}, beyond {low} to {high}, in {self.identity}"
        self.watch.report(FindingCode.OVERFLOW, message, (site.span,), (self.identity,))
        return (exact - low) % (high - low + 1) + low

    def watched(self, operation: Callable[..., Any], site: Site, *operands: Any) -> Any:
        """The result of an operation on floats; a finding if it is NaN and no operand is."""
        result = operation(*operands)
        if result != result and all(operand == operand for operand in operands):
            values = ", ".join(f"{letter} = {operand}" for letter, operand in zip("abc", operands, strict=False))
            message = f"new NaN: {site.verb} with {values}, in {self.identity}"
            self.watch.report(FindingCode.NAN, message, (site.span,), (self.identity,))
        return result


class Site(Immutable):
    """A point in the kernel that accesses memory or computes: what it does, to which array."""

    number: int
    verb: str  # "read", "written", "changed by an atomic"; of arithmetic: the operation
    array: str
    memory: str
    span: Span | None
    part: tuple[int, ...] = ()  # of an element of structs: the field numbers of the path
    extent: range = range(0)  # the bytes of the element that it accesses
    read: Callable[[Any, int], Any] = operator.getitem
    write: Callable[[Any, int, Any], None] = operator.setitem
    buffers: bool = True  # of a barrier: it orders buffers
    arrays: tuple[int, ...] = ()  # of a barrier: the workgroup arrays that it orders, if not all
    id: int = -1  # of a workgroup array
