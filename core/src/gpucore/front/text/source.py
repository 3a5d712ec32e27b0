"""The source of a function: its AST, and spans in the user's file."""

from __future__ import annotations

import ast
import inspect
import sys
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from gpucore.errors import KernelSyntaxError
from gpucore.front.text.definitions import find_definition
from gpucore.front.text.names import NameUse, collect_uses
from gpucore.front.text.origins import explain_missing, find_text, has_file
from gpucore.front.text.plain import check_plain, refuse_method
from gpucore.immutable import Immutable
from gpucore.span import Span


class Parsed(Immutable):
    """The parsed text of a function: its AST, its position in the file, and the uses of its names."""

    node: ast.FunctionDef
    file: str
    line_offset: int
    uses: dict[str, NameUse]
    arguments: dict[str, ast.arg]
    needs_exit: bool  # it returns before its last statement


class UnreadFunction:
    """A Python function whose text is not read: nothing in it has a place."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function = function

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def global_names(self) -> dict[str, Any]:
        return self.function.__globals__

    def cells(self) -> dict[str, types.CellType]:
        """The cells of the closure by name."""
        return dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))

    def closure(self) -> dict[str, Any]:
        """The current values of the closure by name, without cells that are still empty."""
        found = {}
        for name, cell in self.cells().items():
            try:
                found[name] = cell.cell_contents
            except ValueError:
                continue
        return found

    def argument(self, name: str) -> ast.AST:
        """The node of a parameter."""
        return _NOWHERE

    def result(self) -> ast.AST:
        """The node of the annotation of the result, if there is one."""
        return _NOWHERE

    def span(self, node: ast.AST, called_from: Span | None = None) -> Span | None:
        """The span of a node in the user's file, if that was read."""
        return None


_NOWHERE = ast.Pass()


class FunctionSource(UnreadFunction):
    """A Python function, parsed."""

    def __init__(self, function: types.FunctionType, parsed: Parsed) -> None:
        super().__init__(function)
        self.parsed = parsed

    @property
    def node(self) -> ast.FunctionDef:
        return self.parsed.node

    @property
    def name(self) -> str:
        return self.node.name

    def argument(self, name: str) -> ast.AST:
        for collecting in (self.node.args.vararg, self.node.args.kwarg):
            if collecting is not None and collecting.arg == name:
                return collecting
        return self.parsed.arguments[name]

    def result(self) -> ast.AST:
        return self.node.returns or _NOWHERE

    def span(self, node: ast.AST, called_from: Span | None = None) -> Span:
        """The span of a node in the user's file."""
        parsed = self.parsed
        line: int = getattr(node, "lineno", 1)
        end: int = getattr(node, "end_lineno", None) or line
        start_column: int = getattr(node, "col_offset", 0)
        end_column: int = getattr(node, "end_col_offset", None) or 0
        offset = parsed.line_offset
        return Span(parsed.file, line + offset, start_column, end + offset, end_column, parsed.node.name, called_from)


_PARSED: dict[int, tuple[weakref.ref[types.CodeType], Parsed]] = {}
"""Cache by the identity of the code object. (Equality does not do: code objects from two files may be equal.)"""


def read_source(function: Callable[..., Any]) -> FunctionSource:
    """Parse the source of a plain Python function, or raise KernelSyntaxError GP101."""
    if not isinstance(function, types.FunctionType):
        check_plain(function)
    assert isinstance(function, types.FunctionType)
    code = function.__code__
    found = _PARSED.get(id(code))
    if found is None or found[0]() is not code:
        check_plain(function)
        key = id(code)
        found = _PARSED[key] = weakref.ref(code, lambda _: _PARSED.pop(key, None)), _parse(function)
    return FunctionSource(function, found[1])


def check_kernel(function: Any) -> None:
    """Raise KernelSyntaxError GP101 at the decorator for what cannot be a kernel, or has no text.

    A file is not read before it is needed. Any other text is, since it may be replaced by the next input.
    """
    check_plain(function)
    refuse_method(function)
    if not has_file(function):
        read_source(function)


def _parse(function: types.FunctionType) -> Parsed:
    found = find_text(function)
    if found is None:
        raise _unreadable(
            function, *explain_missing(function.__code__.co_filename, is_typed=hasattr(sys, "ps1"))
        ) from None
    first = function.__code__.co_firstlineno
    node, nested = _definition(found.lines, first)
    if not isinstance(node, ast.FunctionDef) or node.name != function.__code__.co_name or not found.is_current:
        raise _unreadable(
            function,
            "the file has changed since it was imported, or the function was compiled from different text",
            "import the file again, as with importlib.reload, or start a new process",
        )
    try:
        uses = collect_uses(node)
    except RecursionError:
        place = Span(found.name, first, 0, first, 0, node.name)
        raise KernelSyntaxError(
            "GP110",
            f"{node.name} is nested too deeply",
            place,
            why="an expression in it goes deeper than Python's recursion limit",
            fix="assign parts of a long expression to variables",
        ) from None
    arguments = node.args
    named = {arg.arg: arg for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    return Parsed(node, found.name, first - 1 - nested, uses, named, _returns_early(node))


def _definition(lines: Sequence[str], first: int) -> tuple[ast.stmt | None, bool]:
    """The statement that begins at a line, and whether it is indented; None if the text has no function there."""
    try:
        text = "".join(inspect.getblock(lines[first - 1 :]))
        nested = text[:1].isspace()
        # Parsed under an `if`, the text of a nested function keeps its columns.
        body = ast.parse("if True:\n" + text if nested else text).body
    except (SyntaxError, ValueError, IndexError, RecursionError):
        return None, False
    node = body[0] if body else None
    return (node.body[0] if nested and isinstance(node, ast.If) else node), nested


def _unreadable(function: types.FunctionType, why: str, fix: str) -> KernelSyntaxError:
    message = f"the source of {function.__qualname__} cannot be read"
    return KernelSyntaxError("GP101", message, find_definition(function), why=why, fix=fix)


def _returns_early(node: ast.FunctionDef) -> bool:
    returns = sum(isinstance(child, ast.Return) for child in ast.walk(node))
    return returns > isinstance(node.body[-1], ast.Return)
