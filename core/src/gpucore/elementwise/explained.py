"""Compile errors of operations on whole arrays, in the words of the call, without the text that is made for it."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gpucore.array import Array
from gpucore.errors import CompileError
from gpucore.front.text.origins import register, split_lines
from gpucore.span import Span
from gpucore.types import DTYPES, bf16

OWN = "_gp_"
"""Begins the names in generated kernels that are not the user's."""

_TEXTS = "<kernel_from_text "  # begins the names of the files of generated kernels
_CONVERSION = re.compile(rf"gp\.({'|'.join(str(dtype.ir_type) for dtype in (*DTYPES, bf16))})\((\w+)\)")
_ON_ELEMENTS = re.compile(r"gp\.\w+x[234]\(|\b[a-z]\.[xyzw]\b")  # what there is of vectors in kernels only
_BITS = "use gp.bitcast"  # begins the fix for floats
_TO_FLOATS = "convert to f32"  # the same, for powers
_MIXED = "GP201"
_INSTEAD = {
    ("GP202", "gp.dot(x, y)"): "write x * y for the products of elements, gp.sum(x * y) for their sum, x @ y "
    "for matrices",
}
"""(Code, call) -> what to write, where the compiler cannot know it."""

_names: dict[str, str] = {}
_numbers = itertools.count(1)


def explain(
    error: CompileError, text: str, shown: str | None, arguments: Mapping[str, Any], marker: str
) -> CompileError:
    """The error for the user. `shown` is the call as he may have written it; None if `text` is his own.

    `marker` precedes the text in the lines that were generated.
    """
    span = _own_place(error.span, text if shown is None else None, marker)
    if span is not None:
        return _again(error, error.message, span, error.fix)
    label = _with_numbers(shown or text, arguments)
    types = [str(value.dtype.ir_type) for value in arguments.values() if isinstance(value, Array)]
    listed = " and ".join(filter(None, (", ".join(types[:-1]), types[-1])))
    fix = _INSTEAD.get((error.code, text)) or _fix(error, arguments)
    message = error.message.replace("the conditional expression", "gp.where")
    return _again(error, f"{label} of {listed}: {message}", None, fix)


def _again(error: CompileError, message: str, span: Span | None, fix: str) -> CompileError:
    return type(error)(error.code, message, span, why=error.why, fix=fix, log=error.log)


def _own_place(span: Span | None, text: str | None, marker: str) -> Span | None:
    """The place in the user's own text, with the calls that are his."""
    if span is None:
        return None
    if not span.file.startswith(_TEXTS):
        return dataclasses.replace(span, called_from=_own_place(span.called_from, text, marker))
    return None if text is None else _place_in(text, span, marker)


def _place_in(text: str, span: Span, marker: str) -> Span | None:
    """The place in an expression of a place in the kernel that was made of it."""
    for above in range(len(split_lines(text))):
        before, found, _ = dataclasses.replace(span, line=span.line - above).source_line().partition(marker)
        if found:
            shift = len((before + found).encode())
            return Span(
                _register(text),
                1 + above,
                span.column - (0 if above else shift),
                1 + above + span.end_line - span.line,
                span.end_column - (0 if above or span.end_line > span.line else shift),
            )
    return None


def _register(text: str) -> str:
    """Register an expression with `linecache`. Returns its name; equal texts have one."""
    place = _names.setdefault(text, f"<gp.elementwise {next(_numbers)}>")
    register(place, split_lines(text))
    return place


def _fix(error: CompileError, arguments: Mapping[str, Any]) -> str:
    """What to write on the host."""
    if OWN in error.fix:  # for the statement that stores the result
        return "the result is a number or a vector for each element"
    floats = [name for name, value in arguments.items() if isinstance(value, Array) and value.dtype.dtype.kind == "f"]
    if error.fix.startswith(_BITS) and floats:
        bits = {2: "u16", 4: "u32", 8: "u64"}[arguments[floats[0]].dtype.dtype.itemsize]
        return f"use {floats[0]}.view(gp.{bits}) for the bits"
    if error.fix.startswith(_TO_FLOATS):
        floats = [f"{name}.astype(gp.f32)" for name, value in arguments.items() if isinstance(value, Array)]
        return f"convert, as in {' and '.join(floats)}"
    _, _, expression = error.fix.partition("as in ")
    if _ON_ELEMENTS.search(expression):
        return f'write an expression, as in gp.elementwise("{expression}")({", ".join(arguments)})'
    for value in arguments.values() if error.code == _MIXED else ():
        if isinstance(value, np.generic) and (own := _beside(value, arguments.values())) is not None:
            return f"convert the number, as in gp.{own}({value.item()!r})"

    def on_host(found: re.Match[str]) -> str:
        is_array = isinstance(arguments.get(found[2]), Array)
        return f"{found[2]}.astype(gp.{found[1]})" if is_array else found[0]

    return _with_numbers(_CONVERSION.sub(on_host, error.fix), arguments)


def _beside(number: np.generic[Any], values: Any) -> str | None:
    """The type that a NumPy scalar must have beside arrays of one type, if it can be converted to that."""
    types = {str(value.dtype.ir_type) for value in values if isinstance(value, Array) and value.dtype.width == 1}
    kinds = {value.dtype.dtype.kind for value in values if isinstance(value, Array)}
    fits = kinds == {"f"} or (kinds <= set("iu") and number.dtype.kind in "iu")
    return types.pop() if len(types) == 1 and fits and str(number.dtype) not in types else None


def _with_numbers(text: str, arguments: Mapping[str, Any]) -> str:
    """The text with numbers in place of their names."""
    numbers = {name: value for name, value in arguments.items() if not isinstance(value, Array)}
    if not numbers:
        return text
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, numbers))})\b")
    return pattern.sub(lambda found: _shown(numbers[found[0]]), text)


def _shown(number: Any) -> str:
    return f"np.{type(number).__name__}({number.item()!r})" if isinstance(number, np.generic) else repr(number)


def letters(count: int) -> Sequence[str]:
    """Names of the arguments of a function, as a user may have them."""
    return "xyz"[:count] if count <= len("xyz") else [f"x{index}" for index in range(count)]
