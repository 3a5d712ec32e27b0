"""What fences of the device order: the accesses of other workgroups that come before those of an invocation.

An invocation releases at a fence what it knows: its own accesses, those of its workgroup and of its subgroup up to the
last barrier of each, and what it has acquired. An atomic of its own then leaves that at an element. Who reads it there
by an atomic, and fences afterwards, has acquired it, and its subgroup and its workgroup from the next barrier on. The
fence and the atomic are of one invocation, as in the memory models of C++, OpenCL and PTX: a barrier does not pass on
that others have fenced.

Source: "FastTrack: efficient and precise dynamic race detection", PLDI (2009).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Known:
    """Accesses that come before: of a workgroup, by its number, and of a subgroup those before a barrier with an index,
    of an invocation those before a fence with an index."""

    barriers: dict[int, int] = field(default_factory=dict)
    of_teams: dict[Any, int] = field(default_factory=dict)
    fences: dict[Any, int] = field(default_factory=dict)

    def add(self, other: Known) -> None:
        """Add what another one has."""
        pairs: tuple[tuple[dict[Any, int], dict[Any, int]], ...] = (
            (self.barriers, other.barriers), (self.of_teams, other.of_teams), (self.fences, other.fences),
        )  # fmt: skip
        for mine, others in pairs:
            for key, index in others.items():
                mine[key] = max(index, mine.get(key, 0))

    def has(self, runner: Any, moment: tuple[int, int], fence: int) -> bool:
        """Whether an access is known, with the barriers of its workgroup and its subgroup, and the fences of its
        invocation, before it."""
        return (
            moment[0] < self.barriers.get(runner.group.number, 0)
            or moment[1] < self.of_teams.get(runner.team, 0)
            or fence < self.fences.get(runner, 0)
        )


class Order:
    """What an invocation knows of other workgroups, and releases."""

    __slots__ = ("_acquired", "_read", "fences", "released")

    def __init__(self) -> None:
        self.fences = 0
        self.released: Known | None = None  # at the last fence
        self._acquired = Known()
        self._read = Known()  # from elements since the last fence

    def read(self, released: Known) -> None:
        """An atomic has read what others have released."""
        self._read.add(released)

    def fence(self, runner: Any) -> None:
        """A fence of this invocation."""
        group, team = runner.group, runner.team
        self._acquired.add(self._read)
        for each in (group, team):
            each.passed.add(self._read)
        self._read = Known()
        self.fences += 1
        self.released = Known({group.number: group.ordered}, {team: team.ordered}, {runner: self.fences})
        for known in (group.known, team.known, self._acquired):
            self.released.add(known)

    def knows(self, other: Any, moment: tuple[int, int], fences: int) -> bool:
        """Whether an access of another invocation comes before what follows."""
        return self._acquired.has(other, moment, fences)
