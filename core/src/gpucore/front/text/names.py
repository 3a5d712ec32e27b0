"""Uses of names in a function: where each is assigned and read, and which assignments reach which reads."""

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
    shared: set[int] = field(default_factory=set)
    """Ids of the assigned nodes that reach a read together with others, or whose variable has an annotated type."""
    is_annotated: bool = False  # by an assignment before, as in `x: gp.u32 = 0`
    is_single: bool = False  # assigned by exactly one statement, and not changed
    is_scoped: bool = False  # each read follows the only assignment in its own or an enclosing statement list

    def is_apart(self, target: ast.AST) -> bool:
        """Whether every read that the assignment to this node (or this parameter) reaches is reached by it alone, and
        the name has no annotated type."""
        return id(target) not in self.shared

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
    parameters = [node for node in ast.walk(function.args) if isinstance(node, ast.arg)]
    collector = _UseCollector({node.arg: frozenset({id(node)}) for node in parameters})
    collector.visit_block(function.body)
    own = collector.named | {node.arg for node in parameters}
    uses = {name: use for name, use in collector.uses.items() if use.assignments and name in own}
    for use in uses.values():
        use.finish()
    return uses


def stored_names(loop: ast.For | ast.While) -> frozenset[str]:
    """The names that a loop assigns, including the loop variable."""
    names = {node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(names)


_Reaching = dict[str, frozenset[int]]
"""By name: the ids of the nodes whose assignment may be the last one, at some point of the function."""


def _joined(first: _Reaching, second: _Reaching) -> _Reaching:
    """What reaches a point that both reach."""
    none: frozenset[int] = frozenset()
    return {name: first.get(name, none) | second.get(name, none) for name in first | second}


class _UseCollector(ast.NodeVisitor):
    """Visits statements in the order of their execution. At the head and the end of a loop all its assignments count
    as reaching, so that break and continue need nothing more.
    """

    def __init__(self, parameters: _Reaching) -> None:
        self._reaching: _Reaching = parameters
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
            self._reaching[node.id] = frozenset({id(node)})
            if use.is_annotated:  # it is a variable of that type
                use.shared.add(id(node))
        else:
            self._read(node.id)
        events = use.assignments if isinstance(node.ctx, ast.Store) else use.reads
        events.append((self._path, self._time))

    def _read(self, name: str) -> None:
        """Note which assignments reach a read together."""
        reaching = self._reaching.get(name, ())
        if len(reaching) > 1:
            self._use(name).shared |= reaching

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)  # evaluated before the targets
        for target in node.targets:
            self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)
        self.visit(node.target)
        if isinstance(node.target, ast.Name):
            self._use(node.target.id).is_annotated = True

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._read(node.target.id)
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

    def visit_Return(self, node: ast.Return) -> None:
        self.generic_visit(node)
        self._reaching = {}  # nothing reaches what follows

    def visit_Break(self, node: ast.Break) -> None:
        self._reaching = {}

    def visit_Continue(self, node: ast.Continue) -> None:
        self._reaching = {}

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self._visit_branches([node.body, node.orelse])

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        for case in node.cases:
            self.visit(case.pattern)
            if case.guard is not None:
                self.visit(case.guard)
        self._visit_branches([*(case.body for case in node.cases), []])

    def _visit_branches(self, branches: list[list[ast.stmt]]) -> None:
        before, after = self._reaching, _Reaching()
        for branch in branches:
            self._reaching = dict(before)
            self.visit_block(branch)
            after = _joined(after, self._reaching)
        self._reaching = after

    def visit_While(self, node: ast.While) -> None:
        head = self._enter(node)
        outer, self._blocks = self._path, self._blocks + 1
        self._path = (*outer, self._blocks)  # the condition is evaluated inside the loop
        self.visit(node.test)
        self._path = outer
        self.visit_block(node.body)
        self._reaching = head

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        head = self._enter(node)
        outer, self._blocks = self._path, self._blocks + 1
        self._path = (*outer, self._blocks)  # the target is bound inside the loop
        self.visit(node.target)
        for statement in node.body:
            self.visit(statement)
        self._path = outer
        self._reaching = head

    def _enter(self, loop: ast.For | ast.While) -> _Reaching:
        """Set, and return, what reaches the head of a loop: it reaches the end as well."""
        head = dict(self._reaching)
        for node in ast.walk(loop):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                head[node.id] = head.get(node.id, frozenset()) | {id(node)}
        self._reaching = dict(head)
        return head
