"""Source locations of definitions, for errors about a definition as a whole."""

from __future__ import annotations

import ast
import contextlib
import inspect
import linecache
import re
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from gpucore.front.text.origins import find_text
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
        return _of_function(inner, of_decorator)
    if not isinstance(inner, type):
        return None
    try:
        file = inspect.getsourcefile(inner)
    except TypeError:  # a class written in C
        return None
    try:
        lines, first = inspect.getsourcelines(inner)
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return _in_text(lines, first, file, of_decorator) if file else None


def _of_function(function: FunctionType, of_decorator: bool) -> Span | None:
    code = function.__code__
    first, text = code.co_firstlineno, find_text(function)
    if text is None:
        has_other = bool(linecache.getlines(code.co_filename))  # of another program, whose line would be shown
        return None if has_other else Span(code.co_filename, first, 0, first, 0)
    if first > len(text.lines):
        return Span(text.name, first, 0, first, 0)
    block: Sequence[str] = text.lines[first - 1 : first]
    with contextlib.suppress(SyntaxError):
        block = inspect.getblock(text.lines[first - 1 :])
    return _in_text(block, first, text.name, of_decorator)


def _in_text(lines: Sequence[str], first: int, file: str, of_decorator: bool) -> Span:
    """The span in the lines of a definition, which begin at line `first` of a file."""
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


def _definition(lines: Sequence[str]) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None, int]:
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
