"""Source positions of generated statements in the user's file."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from gpucore import ir
from gpucore.immutable import Immutable
from gpucore.span import Span


class _Position(Immutable):
    """Lines from 1, columns in bytes from 0: the position of a node of a syntax tree."""

    line: int
    column: int
    end_line: int
    end_column: int

    def apply_to(self, nodes: list[Any]) -> None:
        line, column, end_line, end_column = self.line, self.column, self.end_line, self.end_column
        for node in nodes:
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = line, column, end_line, end_column


class Placer:
    """Sets the positions of statements, in the order in which they are written.

    Code of a helper in another file gets the position of the call in the kernel's file. Code without a span gets the
    position of the code before it in its block; at the start of a block, that of the block's first statement with a
    span; after a branch or loop, that of its header. So coverage never counts a line of a branch that is not taken.
    """

    def __init__(self, kernel: Span | None) -> None:
        self._kernel = kernel
        self._current = _Position(1, 0, 1, 0)
        self.spans: dict[ast.stmt, Span] = {}
        """The source location of each statement that has one, including helpers in other files."""

    def place(self, statements: list[ast.stmt], span: Span | None, *, is_header: bool = False) -> list[ast.stmt]:
        """Position simple statements, or (`is_header`) compound ones whose bodies are positioned later."""
        own = self._in_kernel_file(span)
        if own is not None:
            self._current = _header(own) if is_header else _whole(own)
        nodes = _placed_nodes(statements)
        self._current.apply_to(nodes)
        if span is not None:
            self.spans.update((node, span) for node in nodes if isinstance(node, ast.stmt))
        return statements

    def enter(self, block: ir.Block, header: Span | None) -> list[ast.stmt]:
        """Begin the block under a header. If a call opens it, a `pass` on the line of the call comes first."""
        first: Span | None = next((s.span for s in block if getattr(s, "span", None) is not None), None)
        own, calls, depth = self._in_kernel_file(first), _call_chain(first), len(_call_chain(header))
        if header is not None and own is first and len(calls) > depth:
            return self.place([ast.Pass()], calls[-depth])
        if own is not None:
            self._current = _header(own)
        return []

    def header(self) -> Callable[[], None]:
        """Returns a function that resets the position to the last header."""
        here = self._current

        def restore() -> None:
            self._current = here

        return restore

    def _in_kernel_file(self, span: Span | None) -> Span | None:
        """The innermost location in the kernel's file, from `span` outwards through the calls."""
        while span is not None and self._kernel is not None and span.file != self._kernel.file:
            span = span.called_from
        return span


def _placed_nodes(statements: list[ast.stmt]) -> list[ast.AST]:
    """All nodes that have a position, as `ast.walk` finds them in more time."""
    found, left = [], list[ast.AST](statements)
    while left:
        node = left.pop()
        if node._attributes:
            found.append(node)
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, ast.AST):
                if child._fields:
                    left.append(child)
            elif isinstance(child, list):
                left += [each for each in child if isinstance(each, ast.AST)]
    return found


def _call_chain(span: Span | None) -> list[Span]:
    """A location and the calls that led to it, innermost first."""
    found = []
    while span is not None:
        found.append(span)
        span = span.called_from
    return found


def _whole(span: Span) -> _Position:
    return _Position(span.line, span.column, span.end_line, span.end_column)


def _header(span: Span) -> _Position:
    """The first line only: the header of an `if` must not claim the lines of its body."""
    if span.end_line == span.line:
        return _whole(span)
    end = max(len(span.source_line().encode()), span.column + 1)
    return _Position(span.line, span.column, span.line, end)


def spans_by_line(tree: ast.Module, text: str, spans: dict[ast.stmt, Span]) -> tuple[Span | None, ...]:
    """For each line of `text`, which is `tree` unparsed, the source location of the statement that begins there."""
    lines: list[Span | None] = [None] * len(text.splitlines())
    end = _number(tree.body, 0, lambda statement, line: lines.__setitem__(line, spans.get(statement)))
    assert end == len(lines), "a statement has more lines than one, or fewer"
    return tuple(lines)


def _number(statements: list[ast.stmt], line: int, visit: Callable[[ast.stmt, int], None]) -> int:
    """Visit the statements of a block with their lines, of which the first is `line`; the line behind them.

    Each has one line, as `ast.unparse` writes it, besides its blocks; a function has an empty one before it.
    """
    for statement in statements:
        line += isinstance(statement, ast.FunctionDef) and line > 0
        visit(statement, line)
        line = _number(getattr(statement, "body", []), line + 1, visit)
        rest = getattr(statement, "orelse", [])
        is_elif = isinstance(statement, ast.If) and len(rest) == 1 and isinstance(rest[0], ast.If)
        line = _number(rest, line + (1 if rest and not is_elif else 0), visit)
    return line
