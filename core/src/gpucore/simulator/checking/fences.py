"""What fences of the device order: the accesses of other workgroups that come before those of an invocation.

An invocation releases at a fence what it knows: its own accesses, those of its workgroup up to the last barrier, and
what it has acquired. An atomic of its own then leaves that at an element. Who reads it there by an atomic, and fences
afterwards, has acquired it, and its workgroup from the next barrier on. The fence and the atomic are of one invocation,
as in the memory models of C++, OpenCL and PTX: a barrier does not pass on that others have fenced.

Source: "FastTrack: efficient and precise dynamic race detection", PLDI (2009).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Known:
    """Accesses that come before: of a workgroup by its number those before a barrier with an index, of an invocation
    those before a fence with an index."""

    barriers: dict[int, int] = field(default_factory=dict)
    fences: dict[Any, int] = field(default_factory=dict)

    def add(self, other: Known) -> None:
        """Add what another one has."""
        for mine, others in ((self.barriers, other.barriers), (self.fences, other.fences)):
            for key, index in others.items():
                mine[key] = max(index, mine.get(key, 0))

    def has(self, group: int, barrier: int, runner: Any, fence: int) -> bool:
        """Whether an access is known, with the barriers of its workgroup and the fences of its invocation before it."""
        return barrier < self.barriers.get(group, 0) or fence < self.fences.get(runner, 0)


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

    def fence(self, runner: Any, of_group: Known, passed: Known, group: int, barriers: int) -> None:
        """A fence, in a workgroup that knows `of_group`, and from its next barrier on also `passed`."""
        self._acquired.add(self._read)
        passed.add(self._read)
        self._read = Known()
        self.fences += 1
        self.released = Known({group: barriers}, {runner: self.fences})
        self.released.add(of_group)
        self.released.add(self._acquired)

    def knows(self, group: int, barrier: int, runner: Any, fence: int) -> bool:
        """Whether an access of another workgroup comes before what follows."""
        return self._acquired.has(group, barrier, runner, fence)
