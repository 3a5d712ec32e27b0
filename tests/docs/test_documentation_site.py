"""The site of the documentation: it builds without a warning, its links lead somewhere, it fetches nothing from another
host, its search finds words, and its pages fit narrow screens in both colour schemes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, MissingBrowserError, served
from page_programs import ROOT
from site_files import PageFile, broken_links, fetched_elsewhere, read_pages

from gpucore.testing import require_device
from gpucore.testing.devices import is_required

pytestmark = pytest.mark.xdist_group("documentation site")
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site. Warnings are errors."""
    for name in ("sphinx", "furo", "myst_nb", "sphinx_design", "matplotlib"):
        pytest.importorskip(name, reason=f"{name} is not installed (docs/requirements.txt)")
    require_device("cpu")
    folder = tmp_path_factory.mktemp("documentation")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", folder / "doctrees", "docs"]
    done = subprocess.run([*command, folder / "html"], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, PageFile]:
    return read_pages(site)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as found:
        yield found


def opened(address: str, ready: str, **options: object) -> Browser:
    """A browser with a page of the site. Skips the test where there is no browser."""
    try:
        return Browser(address, ready, **options)  # type: ignore[arg-type]
    except MissingBrowserError as error:
        if is_required("web"):
            pytest.fail(f"GPUCORE_REQUIRE_BACKENDS requires web: {error}", pytrace=False)
        pytest.skip(str(error))


def test_every_page_is_on_the_site(pages: dict[str, PageFile]) -> None:
    written = {path.stem for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".ipynb")}
    assert {f"{name}.html" for name in written} <= pages.keys()
    assert {"project/architecture.html", "project/changelog.html", "project/contributing.html"} <= pages.keys()


def test_every_page_is_reached_from_the_first(pages: dict[str, PageFile]) -> None:
    linked = {link.partition("#")[0] for link in pages["index.html"].links}
    assert pages.keys() - linked - {"index.html", "search.html", "genindex.html"} == set()


def test_links_within_the_site_lead_somewhere(site: Path, pages: dict[str, PageFile]) -> None:
    assert sum(len(page.links) for page in pages.values()) > 1000
    assert broken_links(site, pages) == []


def test_a_broken_link_and_a_foreign_script_are_found(tmp_path: Path) -> None:
    text = '<a href="#here"></a><a href="b.html"></a><p id="there"></p><script src="https://example.org/x.js"></script>'
    (tmp_path / "a.html").write_text(text, encoding="utf-8")
    (tmp_path / "a.css").write_text("p { background: url(//example.org/x.png) }", encoding="utf-8")
    pages = read_pages(tmp_path)
    assert broken_links(tmp_path, pages) == ["a.html: #here", "a.html: b.html"]
    assert fetched_elsewhere(tmp_path, pages) == [
        "a.html: https://example.org/x.js", "a.css: //example.org/x.png"
    ]  # fmt: skip


def test_nothing_is_fetched_from_another_host(site: Path, pages: dict[str, PageFile]) -> None:
    assert fetched_elsewhere(site, pages) == []


def test_the_gallery_has_every_example_with_its_picture(site: Path) -> None:
    text = (site / "gallery.html").read_text(encoding="utf-8")
    source = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert [name for name in EXAMPLES if f"{{example}} {name}\n" not in source] == []
    assert text.count('<div class="drawing"><svg') == len(EXAMPLES)
    assert len({picture.partition("</svg>")[0] for picture in text.split('<div class="drawing">')[1:]}) == len(EXAMPLES)


def test_search_finds_a_word(address: str) -> None:
    browser = opened(f"{address}/search.html?q=workgroup_array", "document.querySelector('#search-results ul')")
    try:
        limit = time.monotonic() + 20
        titles: list[str] = []
        while "The kernel language" not in titles and time.monotonic() < limit:
            titles = browser.evaluate(
                "Array.from(document.querySelectorAll('#search-results li > a'), link => link.textContent)"
            )
            time.sleep(0.1)
        assert "The kernel language" in titles
    finally:
        browser.close()


@pytest.mark.parametrize(
    ("name", "scheme"), [("index", "light"), ("language", "dark"), ("performance", "dark"), ("faq", "light")]
)
def test_a_page_fits_a_narrow_screen_and_its_drawings_have_the_colour_of_its_text(
    address: str, name: str, scheme: str
) -> None:
    browser = opened(f"{address}/{name}.html", "document.readyState == 'complete'", width=390, scheme=scheme)
    try:
        sizes = browser.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert sizes[0] == sizes[1] == 390
        colours = browser.evaluate(
            "[document.querySelector('article h1'), ...document.querySelectorAll('.drawing svg')]"
            ".map(element => getComputedStyle(element).color)"
        )
        assert len(set(colours)) == 1 and len(colours) == 1 + {"performance": 6, "faq": 1}.get(name, 0)
        assert is_bright(colours[0]) == (scheme == "dark")
        fetched = browser.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
        assert fetched and [url for url in fetched if not url.startswith((address, "data:"))] == []
    finally:
        browser.close()


def is_bright(colour: str) -> bool:
    """Whether a colour, as rgb(r, g, b), is for text on a dark ground."""
    return sum(map(int, colour.strip("rgba()").split(",")[:3])) > 3 * 128
