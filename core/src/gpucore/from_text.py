"""`gp.kernel_from_text`: a kernel from a string."""

from __future__ import annotations

import ast
import itertools
import linecache
import os
import sys
import textwrap
import traceback
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from gpucore.decorator import make_decorator
from gpucore.errors import ArgumentError, KernelSyntaxError
from gpucore.front.text.origins import register, split_lines
from gpucore.host import host_only
from gpucore.kernel import Kernel
from gpucore.span import Span


class _Place(str):
    """The name of a text for `linecache`, which has its lines as long as this object lives: functions of the text have
    it as their module and their file, and errors in them as the file of their spans."""

    __slots__ = ("__weakref__",)


_names: weakref.WeakValueDictionary[str, _Place] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


@host_only
def kernel_from_text(
    text: str,
    *,
    name: str | None = None,
    globals: Mapping[str, Any] | None = None,
    file: str | os.PathLike[str] | None = None,
    workgroup_size: int | Sequence[int] = 256,
    debug: bool | str | None = None,
    unchecked: bool = False,
    min_workgroups: int | None = None,
    coarsen: bool = True,
) -> Kernel:
    """A kernel from a string that defines a function, without a decorator. `name` chooses one of several.

        double = gp.kernel_from_text('''
            def double(x: gp.InOut[gp.f32]):
                i = gp.global_id(0)
                if i < x.size:
                    x[i] *= 2.0
        ''')

    The text is executed as a module is, so it must come from a source that you trust. It may have imports, constants
    and helpers, and its lines may be indented together. Its names are `gp` and those of `globals`, which are copied.
    Errors, `pdb` and `gp.check` show its lines. `file` is the file that has the text, and nothing else: then they name
    the file, and coverage.py shows its lines too. The other options are those of `gp.kernel`.

    Raises ArgumentError for wrong arguments, and KernelSyntaxError GP101 for a text that is not valid Python, that
    raises an exception, or whose function is not a plain one.
    """
    if not isinstance(text, str):
        raise ArgumentError(f"kernel_from_text takes the source of a kernel, a str, not {text!r:.60}")
    if globals is not None and not isinstance(globals, Mapping):
        raise ArgumentError(f"globals is a dict of names and values, or None, not {globals!r:.60}")
    decorate = make_decorator({}, workgroup_size, debug, unchecked, min_workgroups, coarsen)
    if file is None:
        text = textwrap.dedent(text)
        place = _register(text)
    else:
        place = _check_file(os.fspath(file), text)
    tree = _parse(text, place)
    chosen = _choose(tree, name)
    names: dict[str, Any] = {"gp": sys.modules["gpucore"], **(globals or {}), "__name__": place}
    _execute(tree, place, names)
    return decorate(names[chosen])


def _register(text: str) -> str:
    """Register a text with `linecache`. Returns its name; equal texts have one."""
    place = _names.get(text)
    if place is None:
        place = _names[text] = _Place(f"<kernel_from_text {next(_numbers)}>")
        weakref.finalize(place, linecache.cache.pop, str(place), None).atexit = False
    register(str(place), split_lines(text))
    return place


def _check_file(file: str, text: str) -> str:
    linecache.checkcache(file)
    lines = linecache.getlines(file)
    if not lines:
        raise ArgumentError(f"the file {file!r} cannot be read, or is empty; leave out file= for a text without a file")
    if "".join(lines).rstrip("\n") != "".join(split_lines(text)).rstrip("\n"):
        raise ArgumentError(f"the text is not that of the file {file!r}; give all of it, or leave out file=")
    return file


def _parse(text: str, place: str) -> ast.Module:
    try:
        return ast.parse(text, place)
    except SyntaxError as error:
        line = error.lineno or 1
        column = max((error.offset or 1) - 1, 0)
        _refuse(
            f"the text is not valid Python: {error.msg}",
            Span(place, line, column, line, column + 1),
            "a kernel is written in the syntax of Python",
            "correct this line, or the one before it",
        )
    except (ValueError, RecursionError) as error:  # a NUL character; expressions nested too deeply
        _refuse(f"the text cannot be parsed: {error}", None, "a kernel is a function in Python", "write it with `def`")


def _choose(tree: ast.Module, name: str | None) -> str:
    """The name of the function that is the kernel."""
    names = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    known = ", ".join(dict.fromkeys(names))
    if not names:
        raise ArgumentError("the text defines no function; write the kernel with `def` at its first level")
    if name is None and len(names) > 1:
        raise ArgumentError(f"the text defines {known}; name the kernel, as in name={names[-1]!r}")
    if name is not None and name not in names:
        raise ArgumentError(f"the text defines no function {name!r}; it has {known}")
    return name or names[0]


def _execute(tree: ast.Module, place: str, names: dict[str, Any]) -> None:
    try:
        exec(compile(tree, place, "exec", dont_inherit=True), names)  # noqa: S102 (the text is a program)
    except KernelSyntaxError:  # of a @gp.kernel in the text
        raise
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == place]
        line = next(iter(lines), None) or 1
        raise KernelSyntaxError(
            "GP101",
            f"the text raised {type(error).__name__}: {error}",
            Span(place, line, 0, line, 0),
            why="the text is executed when the kernel is made, with the names `gp` and those of globals",
            fix="import or define what it uses in the text, or give it in globals",
        ) from error


def _refuse(message: str, place: Span | None, why: str, fix: str) -> NoReturn:
    raise KernelSyntaxError("GP101", message, place, why=why, fix=fix) from None
