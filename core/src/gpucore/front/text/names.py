"""Uses of names in a function: where each is assigned and read, and whether one assignment reaches all reads."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from itertools import pairwise

Path = tuple[int, ...]


@dataclass(slots=True)
class NameUse:
    """Assignments and reads of a name in a function, each as the path of its statement list and a sequence number."""

    assignments: list[tuple[Path, int]] = field(default_factory=list)
    reads: list[tuple[Path, int]] = field(default_factory=list)
    is_changed: bool = False  # by an augmented assignment or through a component
    is_single: bool = False  # assigned by exactly one statement, and not changed
    is_scoped: bool = False  # each read follows the only assignment in its own or an enclosing statement list

    def finish(self) -> None:
        """Compute the flags, after all uses are known."""
        self.is_single = len(self.assignments) == 1 and not self.is_changed
        times = dict(self.assignments)
        paths = sorted(path for path, _ in self.assignments)  # a path is followed by its extensions
        is_disjoint = all(after[: len(path)] != path for path, after in pairwise(paths))
        self.is_scoped = (
            not self.is_changed and is_disjoint and all(_follows_assignment(read, times) for read in self.reads)
        )


def _follows_assignment(read: tuple[Path, int], times: dict[Path, int]) -> bool:
    """Whether a read follows the assignment in an enclosing statement list. `times` has each list's assignment."""
    path, time = read
    return any(times.get(path[:length], time) < time for length in range(len(path) + 1))


def collect_uses(function: ast.FunctionDef) -> dict[str, NameUse]:
    """The uses of every name that the function assigns."""
    collector = _UseCollector()
    collector.visit_block(function.body)
    own = collector.named | {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    uses = {name: use for name, use in collector.uses.items() if use.assignments and name in own}
    for use in uses.values():
        use.finish()
    return uses


def stored_names(loop: ast.For | ast.While) -> frozenset[str]:
    """The names that a loop assigns, including the loop variable."""
    names = {node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(names)


class _UseCollector(ast.NodeVisitor):
    def __init__(self) -> None:
        self.uses: dict[str, NameUse] = {}
        self.named: set[str] = set()  # `x.y = 1` alone does not make x a local name
        self._path: Path = ()
        self._blocks = 0
        self._time = 0

    def visit_block(self, statements: list[ast.stmt]) -> None:
        self._blocks += 1
        outer = self._path
        self._path = (*outer, self._blocks)
        for statement in statements:
            self.visit(statement)
        self._path = outer

    def _use(self, name: str) -> NameUse:
        self._time += 1
        return self.uses.setdefault(name, NameUse())

    def visit_Name(self, node: ast.Name) -> None:
        use = self._use(node.id)
        if isinstance(node.ctx, ast.Store):
            self.named.add(node.id)
        events = use.assignments if isinstance(node.ctx, ast.Store) else use.reads
        events.append((self._path, self._time))

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)  # evaluated before the targets
        for target in node.targets:
            self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)
        self.visit(node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        self.visit(node.target)
        if isinstance(node.target, ast.Name):
            self._use(node.target.id).is_changed = True

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.visit(node.value)
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            use = self._use(node.value.id)
            use.assignments.append((self._path, self._time))
            use.is_changed = True

    def visit_BinOp(self, node: ast.BinOp) -> None:
        rights: list[ast.expr] = []
        first: ast.expr = node
        while isinstance(first, ast.BinOp):  # iterative: a long sum would recurse deeply
            rights.append(first.right)
            first = first.left
        self.visit(first)
        for right in reversed(rights):
            self.visit(right)

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self.visit_block(node.body)
        self.visit_block(node.orelse)

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        for case in node.cases:
            self.visit(case.pattern)
            if case.guard is not None:
                self.visit(case.guard)
        for case in node.cases:
            self.visit_block(case.body)

    def visit_While(self, node: ast.While) -> None:
        outer, self._blocks = self._path, self._blocks + 1
        self._path = (*outer, self._blocks)  # the condition is evaluated inside the loop
        self.visit(node.test)
        self._path = outer
        self.visit_block(node.body)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        outer, self._blocks = self._path, self._blocks + 1
        self._path = (*outer, self._blocks)  # the target is bound inside the loop
        self.visit(node.target)
        for statement in node.body:
            self.visit(statement)
        self._path = outer
