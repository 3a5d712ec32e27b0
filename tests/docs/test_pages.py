"""The Python on every page of the documentation runs, and prints what stands under it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from page_programs import ROOT, blocks_of, outputs_of, text_of, without_lines

from gpucore.testing import require_device

NEEDS = {"docs/tutorial-plugin.md": "cc"}
"""Pages whose programs run a command that a machine may lack."""

OWN_TESTS = {"docs/checking.md", "docs/debugging.md", "docs/several-gpus.md"}
PAGES = sorted(
    name
    for path in [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "core/README.md", *ROOT.glob("docs/*.md")]
    if blocks_of(path) and (name := str(path.relative_to(ROOT))) not in OWN_TESTS
)
DOCS = sorted(path.name for path in ROOT.glob("docs/*") if path.suffix in (".md", ".ipynb"))


@pytest.mark.parametrize(
    ("page", "backend"),
    [  # neighbours take turns at the two drivers that compile longest
        (page, backend)
        for number, page in enumerate(PAGES)
        for backend in ("cpu", "simulator", ("wgpu", "opencl")[number % 2], "cuda")
    ],
)
def test_a_page_is_a_program(page: str, backend: str, tmp_path: Path) -> None:
    require_device(backend)
    if page in NEEDS and shutil.which(NEEDS[page]) is None:
        pytest.skip(f"{NEEDS[page]} is not installed")
    blocks = blocks_of(ROOT / page)
    printed = outputs_of([block.code for block in blocks], backend, tmp_path)
    shown = [
        without_lines(block.shown if block.shown is not None else text)
        for block, text in zip(blocks, printed, strict=True)
    ]
    assert list(map(without_lines, printed)) == shown


def test_the_pages_have_programs() -> None:
    assert {"README.md", "docs/language.md"} <= set(PAGES)
    assert all("```py\n" not in (ROOT / page).read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", *(f"docs/{name}" for name in DOCS)])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", text_of(path), flags=re.DOTALL)
    links = re.findall(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)", prose)
    assert {link for link, _ in links if not (path.parent / link).exists()} == set()


def test_the_readme_lists_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in DOCS if f"(docs/{name})" not in readme] == []
