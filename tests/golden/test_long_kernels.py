"""The work to compile a kernel grows with its length, not with the square of it.

Counted, not timed: calls of functions for whole compilations, executed lines where a loop calls nothing.
"""

from __future__ import annotations

import cProfile
import linecache
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import pytest

import gpucore as gp
from gpucore.back.names import Names

LANGUAGES = ("llvm", "wgsl", "opencl", "cuda", "python")
SHORT, LONG = 500, 2000
MOST = 6.0  # four times the lines: linear is 4, quadratic 16, and what is linear beside it brings that down


def _kernel(name: str, lines: list[str]) -> gp.Kernel:
    text = "@gp.kernel\ndef long(y: gp.InOut[gp.i32]):\n    s = y[0]\n" + "\n".join(lines) + "\n    y[0] = s\n"
    path = f"<a long kernel: {name}, {len(lines)} lines>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    namespace: dict[str, Any] = {"gp": gp}
    exec(compile(text, path, "exec"), namespace)  # noqa: S102 (text that this file wrote)
    kernel: gp.Kernel = namespace["long"]
    return kernel


def _calls(work: Callable[[], object]) -> int:
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


def _lines(work: Callable[[], object], inside: CodeType) -> int:
    """Lines that are executed in one function."""
    count = 0

    def local(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return local

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        return local if frame.f_code is inside else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def _growth(name: str, language: str, line: str, short: int, long: int) -> float:
    _kernel(name, [line]).source(language)  # what is read and loaded once is not counted
    few, many = (_kernel(name, [line] * count) for count in (short, long))
    return _calls(lambda: many.source(language)) / _calls(lambda: few.source(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chain_of_values(language: str) -> None:
    """Each line needs the line before: a pass that goes round until nothing changes would go round once a line."""
    line = "    s = s * 3 + 1"
    text = _kernel("chain", [line] * LONG).source(language)
    assert str(text).count("\n") > LONG
    assert _growth("chain", language, line, SHORT, LONG) < MOST


@pytest.mark.parametrize("language", ["llvm", "python"])
def test_loops_one_after_the_other(language: str) -> None:
    """Each assigns the same name again, in a statement list of its own."""
    assert _growth("loops", language, "    for j in range(3): s += j", 400, 1600) < MOST


def test_names_from_one_wish() -> None:
    """The n-th of a name does not try the n - 1 before it."""

    def give(count: int) -> list[str]:
        names = Names(frozenset({"s_3"}))
        return [names.name(key, "s") for key in range(count)]

    assert give(4) == ["s", "s_2", "s_4", "s_5"]
    inside = Names._fresh.__code__
    assert _lines(lambda: give(LONG), inside) < MOST * _lines(lambda: give(SHORT), inside)
