"""Versions of locals: the assignments that may have been the last before a point, in a walk of the blocks in order.

Each assignment makes a version. Where two branches join, and in a loop for the locals that its body assigns, a version
stands for several. A version is a node of the divergence graph; the node of the local itself stands for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gpucore.immutable import Immutable
from gpucore.span import Span

_FIRST = 1 << 40
"""Versions are numbered from here on: no value, local or array has such a large id."""


class Node(Immutable):
    """A node as it appears in messages: `kind` is "value", "if", "for", "loop" or "exit"."""

    kind: str
    name: str
    span: Span | None


def is_version(node: int) -> bool:
    """Whether a node is a version of a local."""
    return node >= _FIRST


class Versions:
    """The current version of each local during the walk. `edge(a, b)` says that b differs if a does."""

    def __init__(self, nodes: dict[int, Node], edge: Callable[[int, int], None]) -> None:
        self._nodes, self._edge = nodes, edge
        self._count = 0
        self._now: dict[int, int] = {}
        self._before: list[dict[int, int | None]] = [{}]  # for each open branch, what it has changed
        self._loops: list[dict[int, int]] = []  # for each open loop, the versions that its iterations share

    def current(self, local: int) -> int:
        """The node that a read of the local depends on here."""
        return self._now.get(local, local)

    def new(self, local: int, span: Span | None) -> int:
        """A version that nothing reads yet."""
        version = _FIRST + self._count
        self._count += 1
        self._nodes[version] = Node("value", self._nodes[local].name, span)
        self._edge(version, local)
        return version

    def write(self, local: int, version: int) -> None:
        """The local has this version from here on."""
        self._before[-1].setdefault(local, self._now.get(local))
        self._now[local] = version

    # ------------------------------------------------------------ branches

    def enter(self) -> None:
        self._before.append({})

    def leave(self) -> dict[int, int]:
        """Restore the versions before the branch; returns those that it changed, of locals declared before it."""
        changed = self._before.pop()
        own = {local: self._now[local] for local, before in changed.items() if before is not None}
        for local, before in changed.items():
            if before is None:
                del self._now[local]
            else:
                self._now[local] = before
        return own

    def join(self, branches: Sequence[dict[int, int]]) -> None:
        """Merge branches: `branches` has the result of `leave` for each branch whose end is reachable."""
        for local in dict.fromkeys(local for way in branches for local in way):
            versions = list(dict.fromkeys(way.get(local, self._now[local]) for way in branches))
            self.write(local, versions[0] if len(versions) == 1 else self._joined(local, versions))

    def _joined(self, local: int, versions: Iterable[int]) -> int:
        spans = [self._nodes[version].span for version in versions]
        joined = self.new(local, next((span for span in spans if span is not None), None))
        for version in versions:
            self._edge(version, joined)
        return joined

    # ------------------------------------------------------------ loops

    def enter_loop(self, assigned: Iterable[int]) -> None:
        """`assigned`: the locals that the body assigns. In the loop their versions may come from any iteration."""
        shared = {local: self._joined(local, [self._now[local]]) for local in assigned if local in self._now}
        self._loops.append(shared)
        for local, version in shared.items():
            self.write(local, version)

    def to_loop(self) -> None:
        """Record a `break` or `continue`: the current versions reach the next iteration or the end."""
        for local, version in self._loops[-1].items():
            self._edge(self._now[local], version)

    def leave_loop(self, is_end_reachable: bool) -> None:
        """`is_end_reachable` says whether the end of the body is reachable."""
        if is_end_reachable:
            self.to_loop()
        for local, version in self._loops.pop().items():
            self.write(local, version)
