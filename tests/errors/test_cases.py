"""Beginners' mistakes: each file in `cases` with the whole text of its error next to it.

`--update-golden` writes the texts anew; the difference is the review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import mistakes
import pytest
import small_devices

import gpucore as gp

FIRST_LINE = re.compile(r"(?P<file>\S+\.py):(?P<line>\d+):(?P<column>\d+): error\[GP\d{3}\]: \S.*")


@pytest.fixture
def small_device() -> Iterator[str]:
    """The name of a device with WebGPU's least limits and no capability, which runs nothing."""
    gp.register_backend(small_devices.SmallBackend())
    yield "small:0"
    gp.device("small:0").close()
    gp.unregister_backend("small")


@pytest.mark.parametrize("name", mistakes.names())
def test_text_is_as_expected(name: str, small_device: str, update_golden: bool) -> None:
    text = mistakes.text_of(mistakes.error_of(mistakes.CASES / f"{name}.py", small_device))
    expected = mistakes.CASES / f"{name}.txt"
    if update_golden:
        expected.write_text(text)
    assert expected.exists(), "write it with pytest tests/errors --update-golden"
    assert text == expected.read_text()


@pytest.mark.parametrize("name", mistakes.names())
def test_the_fix_works(name: str, small_device: str, tmp_path: Path) -> None:
    """What the text says to write is accepted."""
    path = tmp_path / f"{name}.py"
    path.write_text(mistakes.fixed(mistakes.CASES / f"{name}.py"))
    mistakes.make(path, small_device)


@pytest.mark.parametrize("name", mistakes.names())
def test_text_is_complete(name: str, small_device: str) -> None:
    """Code, place, line, caret under the place, why and fix; and the error survives pickling by its parts."""
    error = mistakes.error_of(mistakes.CASES / f"{name}.py", small_device)
    assert isinstance(error, gp.CompileError)
    assert error.why and error.fix and error.span is not None
    first, *rest = mistakes.text_of(error).splitlines()[1:]
    match = FIRST_LINE.fullmatch(first)
    assert match is not None or not error.span.excerpt()
    if match is not None:
        source, carets = rest[0].split(" | ", 1)[1], rest[1].split(" | ", 1)[1]
        text = (mistakes.CASES if (mistakes.CASES / match["file"]).exists() else mistakes.LIBRARY) / match["file"]
        assert source == text.read_text().splitlines()[int(match["line"]) - 1]
        assert re.fullmatch(r" *\^+", carets)
        assert not source[carets.index("^")].isspace() and len(carets) <= len(source)
        assert carets.index("^") == int(match["column"]) - 1
    assert sum(line.startswith("  why: ") for line in rest) == sum(line.startswith("  fix: ") for line in rest) == 1


def test_every_text_belongs_to_a_case() -> None:
    assert sorted(path.stem for path in mistakes.CASES.glob("*.txt")) == mistakes.names()
    assert len(mistakes.names()) >= 170
