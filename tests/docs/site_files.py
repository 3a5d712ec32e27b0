"""The pages of a built site, as files: what they link to, and what a browser fetches for them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

_FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "image": "xlink:href"}
_FETCHED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload"}
_IN_STYLE = re.compile(r"""(?:url\(|@import\s+)["']?([^"')\s]+)""")


@dataclass
class PageFile:
    """One page: its anchors, the targets of its links, and the addresses that it fetches."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = PageFile()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.page.anchors.add(values["id"])
        if tag == "a" and "href" in values:
            self.page.links.append(values["href"])
        if tag in _FETCHED and _FETCHED[tag] in values:
            self.page.fetched.append(values[_FETCHED[tag]])
        if tag == "link" and _FETCHED_LINKS & set(values.get("rel", "").split()):
            self.page.fetched.append(values["href"])
        self.page.fetched += _IN_STYLE.findall(values.get("style", ""))


def read_pages(site: Path) -> dict[str, PageFile]:
    """All pages by their paths in the site."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        reader = _Reader()
        reader.feed(path.read_text(encoding="utf-8"))
        pages[path.relative_to(site).as_posix()] = reader.page
    return pages


def broken_links(site: Path, pages: dict[str, PageFile]) -> list[str]:
    """Links within the site to a file or an anchor that is not there."""
    broken = []
    for name, page in pages.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            if re.match(r"\w+:|//", link):
                continue
            path = (site / name).parent / unquote(target) if target else site / name
            found = path.resolve()
            if not found.is_file():
                broken.append(f"{name}: {link}")
            elif anchor and found.suffix == ".html":
                of_page = pages[found.relative_to(site.resolve()).as_posix()]
                if unquote(anchor) not in of_page.anchors:
                    broken.append(f"{name}: {link}")
    return broken


def fetched_elsewhere(site: Path, pages: dict[str, PageFile]) -> list[str]:
    """What pages and style sheets fetch from another host. Data within a page is none."""
    found = [f"{name}: {address}" for name, page in pages.items() for address in page.fetched]
    for path in site.rglob("*.css"):
        addresses = _IN_STYLE.findall(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(site).as_posix()}: {address}" for address in addresses]
    return [line for line in found if re.search(r": (https?:)?//", line)]
