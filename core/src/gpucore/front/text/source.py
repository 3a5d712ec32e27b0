"""The source of a function: its AST, and spans in the user's file."""

from __future__ import annotations

import ast
import inspect
import types
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from gpucore.errors import KernelSyntaxError
from gpucore.front.text.compiled_text import is_text_current
from gpucore.front.text.definitions import find_definition
from gpucore.front.text.names import NameUse, collect_uses
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


class FunctionSource:
    """A Python function, parsed."""

    def __init__(self, function: types.FunctionType, parsed: Parsed) -> None:
        self.function = function
        self.parsed = parsed

    @property
    def node(self) -> ast.FunctionDef:
        return self.parsed.node

    @property
    def name(self) -> str:
        return self.node.name

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
        _refuse_other(function)
    code = function.__code__
    found = _PARSED.get(id(code))
    if found is None or found[0]() is not code:
        _check_plain(function)
        key = id(code)
        found = _PARSED[key] = weakref.ref(code, lambda _: _PARSED.pop(key, None)), _parse(function)
    return FunctionSource(function, found[1])


def _refuse_other(thing: Any) -> NoReturn:
    """Raise GP101 for an object that is not a plain function."""
    name = getattr(thing, "__name__", repr(thing))
    message, fix = f"{thing!r:.60} is not a plain Python function", "write a function with `def`"
    if isinstance(thing, type):
        message = f"{name} is a class"
    elif getattr(type(thing), "__gpucore_kernel__", False):
        message, fix = f"{name} is already a kernel", "put the decorator right above the `def`, once"
    elif isinstance(inspect.unwrap(thing), types.FunctionType):
        message, fix = f"{name} is wrapped by a decorator", "remove the decorator, or use the function that it wraps"
    place = find_definition(thing, of_decorator=hasattr(thing, "__wrapped__"))
    raise KernelSyntaxError("GP101", message, place, why="a kernel is compiled from the source of a `def`", fix=fix)


def _check_plain(function: types.FunctionType) -> None:
    what = next((what for what, is_kind in _KINDS.items() if is_kind(function)), None)
    if what is not None:
        raise KernelSyntaxError(
            "GP101",
            f"{'this function' if what == 'a lambda' else function.__qualname__} is {what}",
            find_definition(function),
            why="a kernel is compiled from the source of a plain `def`",
            fix="write a function with `def`, without yield and await",
        )
    if hasattr(function, "__wrapped__"):
        raise KernelSyntaxError(
            "GP101",
            f"{function.__qualname__} is wrapped by a decorator",
            find_definition(function, of_decorator=True),
            why="what the decorator adds runs in Python, and a device cannot run it",
            fix="remove the decorator, or use the function that it wraps",
        )


_KINDS: dict[str, Callable[[types.FunctionType], bool]] = {
    "a lambda": lambda function: function.__name__ == "<lambda>",
    "a generator": lambda function: inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function),
    "a coroutine": inspect.iscoroutinefunction,
}


def _parse(function: types.FunctionType) -> Parsed:
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError, SyntaxError, IndexError):
        raise _unreadable(
            function,
            "a kernel is compiled from its source text, and this function came from exec, stdin or a plain REPL",
            "put the function into a file, or use IPython or a notebook, which keep the source",
        ) from None
    text = "".join(lines)
    nested = text[:1].isspace()
    try:
        # Parsed under an `if`, the text of a nested function keeps its columns.
        body = ast.parse("if True:\n" + text if nested else text).body
    except (SyntaxError, ValueError, RecursionError):
        body = []
    node = body[0] if body else None
    if nested and isinstance(node, ast.If):
        node = node.body[0]
    if not isinstance(node, ast.FunctionDef) or node.name != function.__code__.co_name or not is_text_current(function):
        raise _unreadable(
            function,
            "the file has changed since it was imported, or the function was compiled from different text",
            "import the file again, as with importlib.reload, or start a new process",
        )
    try:
        uses = collect_uses(node)
    except RecursionError:
        place = Span(inspect.getsourcefile(function) or "", first, 0, first, 0, node.name)
        raise KernelSyntaxError(
            "GP110",
            f"{node.name} is nested too deeply",
            place,
            why="an expression in it goes deeper than Python's recursion limit",
            fix="assign parts of a long expression to variables",
        ) from None
    arguments = node.args
    named = {arg.arg: arg for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    file = inspect.getsourcefile(function) or "<unknown>"
    return Parsed(node, file, first - 1 - nested, uses, named, _returns_early(node))


def _unreadable(function: types.FunctionType, why: str, fix: str) -> KernelSyntaxError:
    message = f"the source of {function.__qualname__} cannot be read"
    return KernelSyntaxError("GP101", message, find_definition(function), why=why, fix=fix)


def _returns_early(node: ast.FunctionDef) -> bool:
    returns = sum(isinstance(child, ast.Return) for child in ast.walk(node))
    return returns > isinstance(node.body[-1], ast.Return)
