"""The source of a function: its AST, and spans that point into the user's file."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpucore.errors import KernelSyntaxError
from gpucore.span import Span


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """A Python function, parsed. `captured` are the values of its closure by name, as they are now."""

    function: Callable[..., Any]
    node: ast.FunctionDef
    file: str
    line_offset: int
    column_offset: int

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def global_names(self) -> Mapping[str, Any]:
        return self.function.__globals__  # type: ignore[attr-defined, no-any-return]

    def closure(self) -> dict[str, Any]:
        """The values of the closure by name; a cell that is still empty is left out."""
        code = self.function.__code__  # type: ignore[attr-defined]
        cells = self.function.__closure__ or ()  # type: ignore[attr-defined]
        found = {}
        for name, cell in zip(code.co_freevars, cells, strict=True):
            try:
                found[name] = cell.cell_contents
            except ValueError:
                continue
        return found

    def span(self, node: ast.AST, called_from: Span | None = None) -> Span:
        """The place of a node in the user's file."""
        line = getattr(node, "lineno", 1)
        end = getattr(node, "end_lineno", None) or line
        return Span(
            self.file,
            line + self.line_offset,
            getattr(node, "col_offset", 0) + self.column_offset,
            end + self.line_offset,
            (getattr(node, "end_col_offset", None) or 0) + self.column_offset,
            self.name,
            called_from,
        )


def read_source(function: Callable[..., Any]) -> FunctionSource:
    """Parse the source of a plain Python function, or raise KernelSyntaxError GP101."""
    if not inspect.isfunction(function):
        raise KernelSyntaxError(
            "GP101",
            f"{function!r} is not a plain Python function",
            why="a kernel is compiled from the source of a `def`",
            fix="write a function with `def`",
        )
    if function.__name__ == "<lambda>" or not _is_plain(function):
        raise KernelSyntaxError(
            "GP101",
            f"{function.__qualname__} is a lambda, a generator or a coroutine",
            _place(function),
            why="a kernel is compiled from the source of a plain `def`",
            fix="write a function with `def`, without yield and await",
        )
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise KernelSyntaxError(
            "GP101",
            f"the source of {function.__qualname__} cannot be read",
            why="a kernel is compiled from its source text, and this function came from exec, stdin or a plain REPL",
            fix="put the function into a file, or use IPython or a notebook, which keep the source",
        ) from None
    text = "".join(lines)
    dedented = textwrap.dedent(text)
    column = len(lines[0]) - len(lines[0].lstrip()) if dedented != text else 0
    node = ast.parse(dedented).body[0]
    assert isinstance(node, ast.FunctionDef)  # inspect.isfunction and the checks above leave nothing else
    return FunctionSource(function, node, inspect.getsourcefile(function) or "<unknown>", first - 1, column)


def _is_plain(function: Callable[..., Any]) -> bool:
    return not (inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function))


def _place(function: Any) -> Span:
    code = function.__code__
    return Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
