"""cffi with fewer names to declare gives the same types and the same errors."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from gpucore_wgpu.type_parsing import declare_only_used_names

cffi = pytest.importorskip("cffi", reason="cffi, which wgpu depends on, is not installed")
c_parser = pytest.importorskip("pycparser.c_parser", reason="pycparser, which cffi depends on, is not installed")

NAMES = [f"Name{number}" for number in range(200)]
HEADER = "\n".join(
    [
        "typedef struct PointImpl* Point; typedef struct { int x; Point inner; } Box; typedef void (*Call)(Box, int);",
        *(f"typedef int {name};" for name in NAMES),
    ]
)
TEXTS = (
    "Box *", "Box", "Point[]", "Point [3]", "Name7[2]", "Call", "void(*)(Box, Point const *, void *)", "uint32_t [1]",
    "char []", "void *", "struct PointImpl *", "unsigned long", "Box const * ",
)  # fmt: skip
WRONG = ("Bax *", "Box * *(", "Name7 Bax *", "void(Box)")


def make_ffi() -> Any:
    ffi = cffi.FFI()
    ffi.cdef(HEADER)
    return ffi


def outcome(ffi: Any, text: str) -> tuple[str, str]:
    """What a text means: the type's own text, or the error."""
    try:
        type = ffi.typeof(text)
    except (cffi.FFIError, cffi.CDefError) as error:
        return "error", str(error)
    return str(type), str(ffi.sizeof(type)) if type.kind not in ("array", "function") else type.kind


@pytest.mark.parametrize("text", TEXTS + WRONG)
def test_types_and_errors_are_the_same(text: str) -> None:
    usual, quick = make_ffi(), make_ffi()
    assert declare_only_used_names(quick)
    assert outcome(quick, text) == outcome(usual, text)
    assert (outcome(quick, text)[0] == "error") == (text in WRONG)


def test_types_of_one_ffi_fit_each_other_and_later_definitions() -> None:
    ffi = make_ffi()
    before = ffi.typeof("Point")
    declare_only_used_names(ffi)
    assert declare_only_used_names(ffi), "a second time changes nothing"
    box = ffi.new("Box *", {"x": 3})
    assert ffi.typeof(box.inner) is before
    assert ffi.cast("Box *", ffi.cast("void *", box)).x == 3
    ffi.cdef("typedef struct { Name3 y; Box box; } Later;")
    assert ffi.new("Later *", {"y": 5}).y == 5


def test_only_the_names_of_the_text_are_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    parse = c_parser.CParser.parse

    def recording(self: Any, text: str, *args: Any, **keywords: Any) -> Any:
        parsed.append(text)
        return parse(self, text, *args, **keywords)

    ffi = make_ffi()
    assert declare_only_used_names(ffi)
    monkeypatch.setattr(c_parser.CParser, "parse", recording)
    ffi.typeof("void(*)(Name5, Box *)")
    (text,) = parsed
    assert [name for name in (*NAMES, "Point", "Box", "Call") if f"int {name};" in text] == ["Name5", "Box"]


class _NoParser:
    pass


class _Other:
    """A cffi whose parser keeps its declarations elsewhere, or is written in C."""

    def __init__(self, parser: object) -> None:
        self._parser = parser


class _Slots:
    __slots__ = ("_declarations",)

    def __init__(self) -> None:
        self._declarations: dict[str, Any] = {}

    def _parse(self, source: str) -> str:
        return source


@pytest.mark.parametrize("ffi", [_NoParser(), _Other(None), _Other(object()), _Other(_Slots())])
def test_another_cffi_is_left_as_it_is(ffi: Any) -> None:
    assert not declare_only_used_names(ffi)


def test_a_parser_that_needs_all_names_gets_them() -> None:
    class Needy:
        def __init__(self) -> None:
            self._declarations = {"typedef A": 1, "typedef B": 2}

        def _parse(self, source: str) -> tuple[str, int]:
            if len(self._declarations) < 2:
                raise LookupError("B")
            return source, len(self._declarations)

    ffi: Any = _Other(Needy())
    assert declare_only_used_names(ffi)
    assert ffi._parser._parse("A *") == ("A *", 2)


def test_wgpu_is_told_few_names(backend: Any) -> None:
    """With the wgpu and the cffi that are installed."""
    assert backend.probe().devices
    assert "_parse" in vars(sys.modules["wgpu.backends.wgpu_native"].ffi._parser)
