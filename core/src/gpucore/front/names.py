"""What the names of a function are: which are assigned, where, and whether one binding serves all reads."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


@dataclass(slots=True)
class NameUse:
    """Assignments and reads of one name in one function."""

    sites: int = 0
    blocks: list[tuple[int, ...]] = field(default_factory=list)  # path of the statement list of each assignment
    reads: list[tuple[int, ...]] = field(default_factory=list)
    augmented: bool = False

    @property
    def is_single(self) -> bool:
        """Assigned by exactly one statement, and not by an augmented one."""
        return self.sites == 1 and not self.augmented

    @property
    def is_scoped(self) -> bool:
        """Single, and every read lies within the statement list of the assignment."""
        if not self.is_single:
            return False
        path = self.blocks[0]
        return all(read[: len(path)] == path for read in self.reads)


def survey(function: ast.FunctionDef) -> dict[str, NameUse]:
    """The uses of every name that the function assigns (parameters not counted)."""
    surveyor = _Surveyor()
    surveyor.visit_block(function.body)
    return {name: use for name, use in surveyor.uses.items() if use.sites}


class _Surveyor(ast.NodeVisitor):
    def __init__(self) -> None:
        self.uses: dict[str, NameUse] = {}
        self._path: tuple[int, ...] = ()
        self._next = 0

    def visit_block(self, statements: list[ast.stmt]) -> None:
        self._next += 1
        outer = self._path
        self._path = (*outer, self._next)
        for statement in statements:
            self.visit(statement)
        self._path = outer

    def visit_Name(self, node: ast.Name) -> None:
        use = self.uses.setdefault(node.id, NameUse())
        if isinstance(node.ctx, ast.Store):
            use.sites += 1
            use.blocks.append(self._path)
        else:
            use.reads.append(self._path)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.uses.setdefault(node.target.id, NameUse()).augmented = True
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.uses.setdefault(node.value.id, NameUse()).augmented = True
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self.visit_block(node.body)
        self.visit_block(node.orelse)

    def visit_While(self, node: ast.While) -> None:
        self.visit(node.test)
        self.visit_block(node.body)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        outer, self._next = self._path, self._next + 1
        self._path = (*outer, self._next)  # the target is bound inside the loop
        self.visit(node.target)
        for statement in node.body:
            self.visit(statement)
        self._path = outer
