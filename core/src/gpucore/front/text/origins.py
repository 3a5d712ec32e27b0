"""Where the text of a function is found: in its file, in `linecache`, on the command line or on standard input.

Python 3.13 and newer register what is typed at the prompt in `linecache`, each input under a name of its own; notebooks
and IPython do so in every version. The text of `python -c` is in `sys.orig_argv`; that of a program on standard input
can be read again if standard input is a file. These two are named "<string>" and "<stdin>", as many other texts are, so
a text is used only if it compiles to the function, and messages give it a name of its own.
"""

from __future__ import annotations

import importlib.util
import inspect
import io
import linecache
import os
import stat
import sys
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType

from gpucore.front.text.compiled_text import is_text_current
from gpucore.immutable import Immutable


class Text(Immutable):
    """The text that has a function. `linecache` has its lines under `name`."""

    name: str
    lines: tuple[str, ...]
    is_current: bool  # the function was compiled from it


def find_text(function: FunctionType) -> Text | None:
    """The text that a function is defined in; None if Python has not kept it."""
    code = function.__code__
    name, texts = _OF_THE_PROGRAM.get(code.co_filename, ("", _none))
    for text in texts():
        lines = split_lines(text)
        if is_text_current(code, lines):
            register(name, lines)
            return Text(name, tuple(lines), True)
    try:
        lines, _ = inspect.findsource(function)
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    is_current = is_text_current(code, lines)
    if name and not is_current:
        return None  # the text of another program of the same name
    file = inspect.getsourcefile(function) or code.co_filename
    if not linecache.getlines(file):  # Python 3.13.1 and newer keep what is typed by code object
        register(file, lines)
    return Text(file, tuple(lines), is_current)


def has_file(function: FunctionType) -> bool:
    """Whether a function comes from a file, whose text need not be read before it is used.

    A module that was imported without source, as from a .pyc file, counts too, so that its import does not fail.
    """
    file = function.__code__.co_filename
    is_imported = function.__globals__.get("__spec__") is not None and not file.startswith("<")
    return is_imported or os.path.isfile(file)


def register(name: str, lines: list[str]) -> None:
    """Make lines available to error messages, tracebacks and debuggers, under a name that is no file."""
    linecache.cache[name] = (sum(map(len, lines)), None, lines, name)


def split_lines(text: str) -> list[str]:
    """The lines of a text as Python counts them, each with its newline."""
    return io.StringIO(text, newline=None).readlines()


def explain_missing(file: str, *, is_typed: bool) -> tuple[str, str]:
    """Why there is no text for functions of `file`, and what to do. `is_typed`: this is an interactive interpreter."""
    if is_typed and file in ("<stdin>", "<console>"):
        return (
            f"{_RULE}, and this interpreter does not keep what is typed, as Python 3.13 and newer do",
            "use Python 3.13, IPython or a notebook, import the kernel from a file, or give its text to "
            "gp.kernel_from_text",
        )
    if file == "<stdin>":
        return (
            f"{_RULE}, and Python does not keep a program that it reads from a pipe",
            "run the program from a file, as in `python program.py`, or give the kernel's text to gp.kernel_from_text",
        )
    if file.startswith("<"):
        return (
            f"{_RULE}, and Python does not keep what exec, eval and compile are given",
            "give the text to gp.kernel_from_text, or put it into linecache.cache under the name that compile is given",
        )
    if getattr(sys, "frozen", False):
        return (
            f"{_RULE}, and {file} is not among the files of this frozen application",
            "freeze the application with that file, or load its kernels from a package: docs/packages.md, Frozen "
            "applications",
        )
    return (
        f"{_RULE}, and {file} cannot be read",
        "install the source file; a text that is no file is made into a kernel by gp.kernel_from_text",
    )


_RULE = "a kernel is compiled from its source text"


def _none() -> Iterator[str]:
    yield from ()


def _of_command_line() -> Iterator[str]:
    """What may be the text of `python -c`: any argument, and what follows the c, as in `-Bc"text"`."""
    for argument in sys.orig_argv[1:]:
        attached = argument.partition("c")[2] if argument.startswith("-") else ""
        for text in filter(None, (argument, attached)):
            yield text
            yield textwrap.dedent(text)  # Python 3.14 removes the indentation


def _of_standard_input() -> Iterator[str]:
    """The text of `python - < file`, read without moving the position of standard input."""
    try:
        facts = os.fstat(0)
        if stat.S_ISREG(facts.st_mode) and hasattr(os, "pread"):
            yield importlib.util.decode_source(os.pread(0, facts.st_size, 0))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return


_OF_THE_PROGRAM: dict[str, tuple[str, Callable[[], Iterator[str]]]] = {
    "<string>": ("<python -c>", _of_command_line),
    "<stdin>": ("<standard input>", _of_standard_input),
}
"""The name that Python gives a text -> the name for messages, and the texts that it may be."""
