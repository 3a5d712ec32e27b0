"""Memory that records the accesses to each element, and reports races."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from gpucore.findings import FindingCode
from gpucore.simulator.checking.fences import Known
from gpucore.simulator.checking.watch import WHILE_MULTIPLIED, Group, Moment, Runner, Site, Team
from gpucore.simulator.matrices import CopyQueue
from gpucore.span import Span

Touch = tuple[Runner, Moment, Site, int]
"""Which invocation, after which barriers that order this memory, where in the source, and after how many fences."""

_FIX_OF_OWN = (
    "put gp.barrier() between the two; those of operations on matrices do not count, because there are none in other "
    "layouts of matrices"
)
_FIX_OF_COPY = (
    "put gp.copy_wait() between a copy and an access after it, and gp.barrier() between an access and a copy after it"
)


class Access(enum.Enum):
    """The kind of an access."""

    READ = "read"
    WRITE = "written"
    ATOMIC_READ = "read by an atomic"
    ATOMIC = "changed by an atomic"


_RACES = {
    Access.READ: (Access.WRITE, Access.ATOMIC),
    Access.WRITE: (Access.READ, Access.WRITE, Access.ATOMIC_READ, Access.ATOMIC),
    Access.ATOMIC_READ: (Access.WRITE,),
    Access.ATOMIC: (Access.READ, Access.WRITE),
}
"""Kinds of access that race with each kind. Two atomics never race."""


_LEAST_KEPT = 8
"""Of accesses: fewer are not searched for those that are ordered before a later one."""


class _Marks:
    """The accesses to one element at one site: enough are kept to find a race with any later access.

    Workgroups run one after the other here, but are unordered: accesses of two workgroups are kept, in `far`, or in a
    kernel with fences all that may not be ordered before a later one. Of the running workgroup, only accesses after its
    last barrier matter. Of each subgroup those of two invocations are kept that no barrier of the subgroup has come
    after, or else one access, which matters to the other subgroups.
    """

    __slots__ = ("far", "limit", "near")

    def __init__(self, touch: Touch) -> None:
        self.far = [touch]
        self.limit = _LEAST_KEPT
        self.near: dict[Team, list[Touch]] = {touch[0].team: [touch]}

    def add(self, touch: Touch) -> None:
        runner, moment, *_ = touch
        if runner.watch.has_fences:
            if len(self.far) >= self.limit:  # seldom: a read by all invocations has no order with the others
                self.far = [one for one in self.far if not _is_before(one, touch)]
                self.limit = max(_LEAST_KEPT, 2 * len(self.far))
            self.far.append(touch)
        elif len(self.far) == 1 and runner.group is not self.far[0][0].group:
            self.far.append(touch)
        if not self._is_near(runner.group, moment):
            self.near = {runner.team: [touch]}
            return
        own = self.near.get(runner.team)
        if own is None or own[0][1] != moment:
            self.near[runner.team] = [touch]
        elif len(own) == 1 and own[0][0] is not runner:
            own.append(touch)

    def _is_near(self, group: Group, moment: Moment) -> bool:
        """Whether the accesses in `near` are of this workgroup, and no barrier of it has come after them."""
        kept, when, *_ = next(iter(self.near.values()))[0]
        return kept.group is group and when[0] == moment[0]

    def unordered_with(self, later: Touch) -> Touch | None:
        """An access that is unordered with another one."""
        runner, moment, *_ = later
        group = runner.group
        if self._is_near(group, moment):
            for team, touches in self.near.items():
                for touch in touches:
                    is_other = team is not runner.team or (touch[1] == moment and touch[0] is not runner)
                    if is_other and not _is_fenced(touch, later):
                        return touch
        for far in self.far:
            if far[0].group is not group and not _is_before(far, later):
                return far
        return None


class ShadowMemory:
    """A buffer or a workgroup array in a checked run. `data` has the elements.

    `written` marks the elements that have been written; None stands for all. Elements are numbered by the kernel's flat
    index; the fields of a struct are distinct.
    """

    def __init__(
        self,
        data: Any,
        length: int,
        written: bytearray | None,
    ) -> None:
        self.data, self.length, self.written = data, length, written
        self._written_parts: set[tuple[int, tuple[int, ...]]] = set()
        self._writers: dict[int, dict[tuple[int, ...], Site]] = {}
        self._cells: dict[tuple[int, tuple[int, ...]], dict[tuple[Access, int], _Marks]] = {}
        self._unwritten_reads: list[tuple[int, Touch]] = []
        self._copied_to: set[int] = set()  # by copies that are under way
        self._copies: set[int] = set()  # the sites of copies that end later
        self._multiplied: dict[int, list[Touch]] = {}  # by products that are under way
        self._released: dict[tuple[int, tuple[int, ...]], Known] = {}  # at elements that are accessed by atomics

    def __len__(self) -> int:
        return self.length

    # ------------------------------------------------------------ called by generated code

    def load(self, index: int, site: Site, runner: Runner, zero: Any) -> Any:
        """A read; `zero` if the index is out of range."""
        runner.step(site.span)
        if not runner.may_access(index, self.length, site):
            return zero
        self._touch(Access.READ, index, site, runner)
        self._expect_written(index, site, runner)
        return site.read(self.data, index)

    def store(self, index: int, value: Any, site: Site, runner: Runner) -> None:
        """A write; skipped if the index is out of range."""
        runner.step(site.span)
        if not runner.may_access(index, self.length, site):
            return
        self._touch(Access.WRITE, index, site, runner)
        self._put(index, value, site, runner)

    def atomic(
        self, index: int, change: Callable[[Any], Any] | None, is_blind: bool, site: Site, runner: Runner, zero: Any
    ) -> Any:
        """An atomic; `change` computes the new value, None for a read. `is_blind`: the old value is not used."""
        runner.step(site.span)
        if not runner.may_access(index, self.length, site):
            return zero
        self._touch(Access.ATOMIC if change else Access.ATOMIC_READ, index, site, runner)
        self._pass_on(index, site, runner, reads=not is_blind, writes=change is not None)
        if not is_blind:
            self._expect_written(index, site, runner)
        old = site.read(self.data, index)
        if change:
            self._put(index, change(old), site, runner)
        return old

    def _pass_on(self, index: int, site: Site, runner: Runner, *, reads: bool, writes: bool) -> None:
        """What an atomic reads at an element of what others have released there, and releases itself."""
        key, released = (index, site.part), runner.order.released
        if reads and key in self._released:
            runner.order.read(self._released[key])
        if writes and released is not None:
            self._released.setdefault(key, Known()).add(released)

    def begin_copy(self, copies: CopyQueue, index: int, values: Sequence[Any], site: Site, runner: Runner) -> None:
        """A copy that ends later: a write now, after which nobody is to read, and a write at its end."""
        self._copies.add(site.number)
        for at, value in enumerate(values, index):
            self.store(at, value, site, runner)
            if self.written is not None and 0 <= at < self.length:
                self.written[at] = 0
                self._copied_to.add(at)
            copies.add(functools.partial(self._end_copy, at, value, site, runner))

    def _end_copy(self, index: int, value: Any, site: Site, runner: Runner) -> None:
        self._copied_to.discard(index)
        self.store(index, value, site, runner)

    def begin_product(self, indices: Iterable[int], site: Site, runner: Runner) -> None:
        """A product that reads elements from now on, until it ends: nobody is to write them."""
        touch = _touch_of(runner, site)
        for index in indices:
            self._touch(Access.READ, index, site, runner)
            self._expect_written(index, site, runner)
            self._multiplied.setdefault(index, []).append(touch)

    def end_product(self, indices: Iterable[int], site: Site, runner: Runner) -> None:
        """The end of a product, up to which it has read elements."""
        for index in indices:
            reads = [touch for touch in self._multiplied.pop(index, []) if touch[0] is not runner]
            if reads:
                self._multiplied[index] = reads
            self._touch(Access.READ, index, site, runner)

    def _put(self, index: int, value: Any, site: Site, runner: Runner) -> None:
        runner.has_stored |= site.memory == "buffer"
        if self.written is not None:
            if site.part:
                self._written_parts.add((index, site.part))
            else:
                self.written[index] = 1
        self._writers.setdefault(index, {})[site.part] = site
        site.write(self.data, index, value)

    def peek(self, index: int) -> Any:
        """An element as Python types, without recording an access."""
        element = self.data[index]
        is_plain = isinstance(element, np.ndarray | np.generic) and not isinstance(element, np.void)
        return element.tolist() if is_plain else element

    @property
    def num_written(self) -> int:
        """How many elements the kernel wrote."""
        return len(self._writers)

    def written_indices(self, part: tuple[int, ...] = ()) -> list[int]:
        """The elements that the kernel wrote; of structs, those whose field at the path `part` it wrote."""
        return [index for index, sites in self._writers.items() if not part or part in sites]

    def first_store(self) -> Span | None:
        """Where the kernel first wrote, for an array that it did write."""
        return next(site.span for sites in self._writers.values() for site in sites.values())

    def writer(self, index: int, byte: int) -> Site | None:
        """The last write to a byte of an element."""
        return next((site for site in self._writers.get(index, {}).values() if byte in site.extent), None)

    # ------------------------------------------------------------ races

    def _touch(self, access: Access, index: int, site: Site, runner: Runner) -> None:
        touch = _touch_of(runner, site)
        if self._multiplied and access in (Access.WRITE, Access.ATOMIC) and index in self._multiplied:
            self._report_written(index, self._multiplied[index][0], touch)
        cell = self._cells.get((index, site.part))
        if cell is None:
            self._cells[index, site.part] = {(access, site.number): _Marks(touch)}
            return
        races = _RACES[access]
        for (other, _), marks in cell.items():
            if other in races and (found := marks.unordered_with(touch)) is not None:
                self._report_race(index, found, touch)
        own = cell.get((access, site.number))
        if own is None:
            cell[access, site.number] = _Marks(touch)
        else:
            own.add(touch)

    def _report_written(self, index: int, product: Touch, write: Touch) -> None:
        """A write to a tile that a product reads."""
        (one, _, site, _), (two, _, other, _) = sorted((product, write), key=_place)
        identity = write[0].identity
        message = f"element {index} of {site.array!r} is {write[2].verb} by {identity} while a product reads it"
        spans, invocations = (site.span, other.span), (one.identity, two.identity)
        write[0].watch.report(
            FindingCode.RACE, message, spans, invocations, site.array, site.memory, WHILE_MULTIPLIED,
            "write it after the wait for the product and gp.barrier()",
        )  # fmt: skip

    def _report_race(self, index: int, earlier: Touch, later: Touch) -> None:
        pair = sorted((earlier, later), key=_place)
        (one, _, site, _), (two, _, other, _) = pair
        first, second = one.identity, two.identity
        where = "in two workgroups" if one.group is not two.group else "with no barrier between"
        if one.group is two.group and site.memory == "buffer":
            has_other = one.group.epoch > one.group.ordered
            has_other |= one.team is two.team and one.team.epoch > one.team.ordered
            where += " that orders buffers" if has_other else ""
        message = (
            f"race on element {index} of {site.array!r}: {site.verb} by {first}, {other.verb} by {second}, {where}"
        )
        fix = _FIX_OF_OWN if one.group is two.group and site.memory == "workgroup" and one.group.own else ""
        is_copied = {site.number, other.number} & self._copies
        later[0].watch.report(
            FindingCode.RACE, message, (site.span, other.span), (first, second), site.array, site.memory,
            fix=_FIX_OF_COPY if is_copied else fix,
        )  # fmt: skip

    # ------------------------------------------------------------ elements never written

    def _expect_written(self, index: int, site: Site, runner: Runner) -> None:
        if self.written is None or self.written[index] or (index, site.part) in self._written_parts:
            return
        if index in self._copied_to:
            message = f"element {index} of {site.array!r} is read by {runner.identity} while a copy to it is under way"
            runner.watch.report(
                FindingCode.NEVER_WRITTEN, message, (site.span,), (runner.identity,), site.array, site.memory,
                fix="wait for the copy with gp.copy_wait",
            )  # fmt: skip
            return
        self._unwritten_reads.append((index, _touch_of(runner, site)))

    def settle(self, *, is_end: bool) -> None:
        """Report reads of elements never written, except those that race with the write, which are reported as races.

        Called at each barrier, where the races of a workgroup's own invocations are known, and at the end of the
        workgroup (for its arrays) or of the dispatch (for buffers, which other workgroups may still write).
        """
        if not self._unwritten_reads:
            return
        left = [read for read in self._unwritten_reads if not self._races_with_write(read)]
        self._unwritten_reads = [] if is_end else left
        for index, (runner, _, site, _) in left if is_end else ():
            message = f"element {index} of {site.array!r} was never written, and is read by {runner.identity}"
            runner.watch.report(
                FindingCode.NEVER_WRITTEN, message, (site.span,), (runner.identity,), site.array, site.memory
            )

    def _races_with_write(self, read: tuple[int, Touch]) -> bool:
        index, touch = read
        cell = self._cells[index, touch[2].part]
        writes = (marks for (access, _), marks in cell.items() if access in (Access.WRITE, Access.ATOMIC))
        return any(marks.unordered_with(touch) is not None for marks in writes)


class PrivateMemory:
    """Bounds of a private array: no other invocation sees it, and its elements start as zero."""

    @staticmethod
    def load(data: list[Any], index: int, site: Site, runner: Runner, zero: Any) -> Any:
        """A read; `zero` if the index is out of range."""
        if runner.adding:
            runner.may_use(data, index, site, writes=False)
        return data[index] if runner.may_access(index, len(data), site) else zero

    @staticmethod
    def store(data: list[Any], index: int, value: Any, site: Site, runner: Runner) -> None:
        """A write; skipped if the index is out of range."""
        if runner.adding:
            runner.may_use(data, index, site, writes=True)
        if runner.may_access(index, len(data), site):
            data[index] = value


def _touch_of(runner: Runner, site: Site) -> Touch:
    """An access now, after the barriers that order the memory of the site."""
    group, team = runner.group, runner.team
    if site.memory == "buffer":
        moment = (group.ordered, team.ordered)
    else:
        moment = (group.epoch + group.own[site.id], team.epoch)
    return runner, moment, site, runner.order.fences


def _is_before(one: Touch, later: Touch) -> bool:
    """Whether fences, barriers or the order of an invocation's own accesses order one before a later one."""
    runner, moment, *_ = one
    if runner.group is later[0].group and (runner is later[0] or moment[0] < later[1][0]):
        return True
    if runner.team is later[0].team and moment[1] < later[1][1]:
        return True
    return _is_fenced(one, later)


def _is_fenced(one: Touch, later: Touch) -> bool:
    """Whether fences of the device, which order buffers alone, order one before a later one."""
    runner, moment, site, fences = one
    return site.memory == "buffer" and later[0].knows(runner, moment, fences)


def _place(touch: Touch) -> tuple[str, int, int, int]:
    span = touch[2].span
    return (span.file, span.line, span.column, touch[2].number) if span else ("", 0, 0, touch[2].number)
