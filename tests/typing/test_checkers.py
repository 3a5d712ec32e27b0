"""mypy --strict and pyright accept right programs, and report the wrong lines of others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkers import ROOT, Lines, code_of, run_mypy, run_pyright

HERE = Path(__file__).parent
PAGES = {
    "_".join(path.relative_to(ROOT).with_suffix("").parts).lower().replace("-", "_"): code
    for path in (ROOT / "README.md", ROOT / "core" / "README.md", *sorted((ROOT / "docs").iterdir()))
    if path.suffix in (".md", ".ipynb") and (code := code_of(path))
}
NOTEBOOKS = [f"docs_{path.stem}" for path in (ROOT / "docs").glob("*.ipynb")]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
UNANNOTATED = [*(PAGES.keys() - set(NOTEBOOKS)), *(path.stem for path in EXAMPLES)]
RIGHT = sorted(["accepted_program", *PAGES, *(path.stem for path in EXAMPLES)])
CHECKERS = ("mypy", "pyright")

pytestmark = pytest.mark.xdist_group("checkers")


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Lines]:
    """What each checker reports of all programs."""
    pytest.importorskip("mypy")
    pytest.importorskip("basedpyright")
    folder = tmp_path_factory.mktemp("programs")
    for path in (*EXAMPLES, HERE / "accepted_program.py", HERE / "refused_program.py"):
        shutil.copy(path, folder)
    for name, code in PAGES.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return {"mypy": run_mypy(folder, UNANNOTATED), "pyright": run_pyright(folder)}


def test_every_page_with_programs_is_checked() -> None:
    assert {"readme", "core_readme", "docs_first_kernel", "docs_language", "docs_coming_from"} <= PAGES.keys()


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("program", RIGHT)
def test_a_right_program_is_accepted(reported: dict[str, Lines], program: str, checker: str) -> None:
    assert reported[checker].get(program, {}) == {}


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_marked_lines_are_reported_and_no_others(reported: dict[str, Lines], checker: str) -> None:
    lines = (HERE / "refused_program.py").read_text(encoding="utf-8").splitlines()
    marked = {
        number for number, line in enumerate(lines, 1) if checker in line.partition("  # refused by ")[2].split(", ")
    }
    assert len(marked) > 25
    messages = reported[checker]["refused_program"]
    assert {number: messages.get(number) for number in messages.keys() ^ marked} == {}


def test_the_accepted_program_runs() -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "accepted_program.py")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "GPUCORE_BACKEND": "simulator"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "saxpy True (5,) (3, 3)\n(3,)\n(3,) (5,)\n"
