"""Whether the source text of a function is still the text it was compiled from. (A file may change after its import.)

A file last modified before this process started is unchanged. Any other file is compiled again, and the code objects
are compared. Import hooks may have rewritten the function, as pytest rewrites `assert`. Such code is recognised by
names that are not valid in source (`@py_assert1`), and must contain all names and constants of the text.
"""

from __future__ import annotations
import __future__

import ast
import functools
import os
import types
import warnings
from collections.abc import Iterable, Iterator

from gpucore.lazy import IMPORTED_AT

_PARTS = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_varnames", "co_names", "co_freevars",
          "co_cellvars", "co_code")  # fmt: skip
_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag


def is_text_current(code: types.CodeType, lines: Iterable[str]) -> bool:
    """Whether the code of a function was compiled from these lines, the whole text that has it."""
    if is_older_than_process(code.co_filename):
        return True
    try:
        candidates = [
            found
            for found in _compiled("".join(lines), code.co_filename, code.co_flags & _FUTURE, code.co_firstlineno)
            if found.co_qualname == code.co_qualname and found.co_firstlineno == code.co_firstlineno
        ]
    except RecursionError:
        return True  # lowering reports the deep nesting, with its location
    except (SyntaxError, ValueError):
        return False
    if any(_contents(found) == _contents(code) for found in candidates):
        return True
    is_rewritten = any(name.startswith("@") for name in (*code.co_names, *code.co_varnames))
    return is_rewritten and any(set(_words(found)) <= set(_words(code)) for found in candidates)


def is_older_than_process(file: str) -> bool:
    """Whether a file was last changed before this process imported gpucore."""
    try:
        facts = os.stat(file)
    except (OSError, ValueError):
        return False
    return max(facts.st_mtime, facts.st_ctime) < IMPORTED_AT


@functools.lru_cache(maxsize=4)
def _compiled(text: str, file: str, flags: int, line: int) -> tuple[types.CodeType, ...]:
    """The code objects of the text, compiled as a file, and as a notebook cell is: each statement by itself."""
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were shown when the file was imported
        whole = compile(text, file, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        around = [node for node in whole.body if _first_line(node) <= line <= (node.end_lineno or 0)]
        modules = [whole, *(ast.Module([node], []) for node in around)]
        made = [compile(module, file, "exec", flags, dont_inherit=True) for module in modules]
    return tuple(inner for code in made for inner in _codes(code))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The nested code objects of a code object."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _contents(code: types.CodeType) -> tuple[object, ...]:
    """Everything that determines the behaviour of the code, without line numbers."""
    return (*(getattr(code, part) for part in _PARTS), *map(_constant, code.co_consts))


def _constant(value: object) -> object:
    """A key for a constant: 1, 1.0 and True have different keys, and so do 0.0 and -0.0."""
    if isinstance(value, types.CodeType):
        return _contents(value)
    if isinstance(value, tuple):
        return tuple(map(_constant, value))
    return type(value), repr(value) if isinstance(value, (float, complex)) else value


def _words(code: types.CodeType) -> Iterator[object]:
    """The names and constants in the code."""
    yield from code.co_names
    yield from code.co_varnames
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield from _words(value)
        else:
            yield _constant(value)
