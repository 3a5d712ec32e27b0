"""Source locations of definitions, for errors about a definition as a whole."""

from __future__ import annotations

import ast
import inspect
import re
from types import FunctionType
from typing import Any

from gpucore.span import Span

_HEAD = re.compile(r"(async\s+)?(def|class)\s+\w+|lambda")


def find_definition(thing: Any, *, of_decorator: bool = False) -> Span | None:
    """The span of a definition's head, `def name`, or of the decorator right above it; None without source text.

    `thing` is a function, a class, or the result of decorating one.
    """
    try:
        inner = inspect.unwrap(thing)
    except ValueError:  # it wraps itself
        return None
    if isinstance(inner, FunctionType):
        code = inner.__code__
        whole = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
        return _in_text(code, code.co_filename, of_decorator) or whole
    if not isinstance(inner, type):
        return None
    try:
        file = inspect.getsourcefile(inner)
    except TypeError:  # a class written in C
        return None
    return _in_text(inner, file, of_decorator) if file else None


def _in_text(thing: Any, file: str, of_decorator: bool) -> Span | None:
    try:
        lines, first = inspect.getsourcelines(thing)
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    node, shift = _definition(lines)
    decorators = node.decorator_list if node is not None else []
    if of_decorator and decorators:
        last = decorators[-1]
        line, end = last.lineno + shift, last.end_lineno or last.lineno
        return Span(file, first + line, last.col_offset, first + end + shift, last.end_col_offset or 0)
    number = node.lineno + shift if node is not None else 0
    line_text = lines[number]
    head = _HEAD.search(line_text)
    if head is None:
        return Span(file, first + number, 0, first + number, 0)
    start, end = (len(line_text[:at].encode()) for at in head.span())
    return Span(file, first + number, start, first + number, end)


def _definition(lines: list[str]) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None, int]:
    """The definition in `lines`, and the offset from its line numbers to indices of `lines`."""
    text = "".join(lines)
    nested = text[:1].isspace()
    try:
        body = ast.parse("if True:\n" + text if nested else text).body
    except (SyntaxError, ValueError, RecursionError):
        return None, 0
    node = body[0] if body else None
    if nested and isinstance(node, ast.If):
        node = node.body[0]
    is_definition = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    return (node if is_definition else None), -1 - nested  # type: ignore[return-value]  # as the test says
