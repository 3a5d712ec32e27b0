"""Pages of the repository that are not in docs/ become pages of the site, and links to folders lead to a page.

A Sphinx extension. Links to single files outside of docs/ stay: the site has a copy of each for download.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MADE = DOCS / "project"
"""The folder of the pages that are made here. Git ignores it."""

_MOVED = {
    **{path: MADE / f"{path.stem.lower()}.md" for path in ROOT.glob("*.md") if path.name != "README.md"},
    **{path: MADE / "examples" / f"{path.parent.name}.md" for path in (ROOT / "examples").rglob("README.md")},
}
_MEASUREMENTS = MADE / "benchmarks" / "measurements.md"
_SHOWN_BY = {
    **_MOVED,
    ROOT / "README.md": DOCS / "index.md",
    ROOT / "examples": DOCS / "gallery.md",
    **{path.parent: page for path, page in _MOVED.items() if path.name == "README.md"},
    ROOT / "benchmarks": _MEASUREMENTS,
}
"""A file or a folder -> the page of the site that has what it has."""

_LINK = re.compile(r"(\]\()(?!\w+:)([^)#\s]+)((?:#[^)\s]*)?\))")
_NAMED_AFTER_FILE = re.compile(r"\[[\w-]+\.md\](\([\w/-]+\.md[^)]*\))")
"""A link whose text is the name of the file: the site shows the title of the page or section instead."""


def rewrite_links(text: str, written_in: Path, shown_in: Path) -> str:
    """The text of a page with its links as they are from the folder in which the site has it."""

    def link(found: re.Match[str]) -> str:
        target = (written_in / found[2]).resolve()
        page = page_of(target)
        if not target.exists() or (page == target and written_in == shown_in):
            return found[0]
        return found[1] + Path(os.path.relpath(page, shown_in)).as_posix() + found[3]

    return _LINK.sub(link, text)


def page_of(target: Path) -> Path:
    """The page of the site that has what a file or a folder has; of other files the file itself."""
    if target in _SHOWN_BY:
        return _SHOWN_BY[target]
    if target.is_dir():
        return next((_SHOWN_BY[folder] for folder in target.parents if folder in _SHOWN_BY), target)
    return target


def list_measurements(folder: Path) -> str:
    """A page that lists all files of results, with what was measured on which devices."""
    lines = [
        "# Measurements",
        "",
        "The files of results, named after the machine and the commit. `gpucore bench` wrote most of them"
        " ([benchmarks](../../benchmarks.md)).",
        "",
        "| file | what | devices |",
        "|---|---|---|",
    ]
    for path in sorted(folder.glob("*.json")):
        results = json.loads(path.read_text(encoding="utf-8"))
        place = Path(os.path.relpath(path, _MEASUREMENTS.parent)).as_posix()
        lines.append(f"| [{path.name}]({place}) | {_what(results)} | {_devices(results)} |")
    return "\n".join(lines) + "\n"


def _what(results: dict[str, Any]) -> str:
    rows = [row for row in results.get("rows", ()) if isinstance(row, dict)]
    for key in ("benchmark", "function", "workload"):
        names = dict.fromkeys(str(row[key]) for row in rows if key in row)
        if names:
            return ", ".join(names) if len(names) < 9 else f"{len(names)} {key}s"
    return ""


def _devices(results: dict[str, Any]) -> str:
    machine = results.get("machine", results)
    devices = machine.get("devices", machine.get("device", ""))
    if isinstance(devices, str):
        return devices
    if isinstance(devices, list):
        return ", ".join(str(device) for device in devices)
    return ", ".join(f"{key} ({device['name']})" if "name" in device else key for key, device in devices.items())


def _make_pages(_app: Sphinx) -> None:
    made = {
        page: rewrite_links(path.read_text(encoding="utf-8"), path.parent, page.parent) for path, page in _MOVED.items()
    }
    made[_MEASUREMENTS] = list_measurements(ROOT / "benchmarks" / "results")
    for page in set(MADE.rglob("*.md")) - made.keys():
        page.unlink()  # of a file that was renamed
    for page, text in made.items():
        page.parent.mkdir(parents=True, exist_ok=True)
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def _rewrite(_app: Sphinx, name: str, source: list[str]) -> None:
    folder = (DOCS / name).parent
    if MADE not in (folder, *folder.parents):
        source[0] = rewrite_links(_NAMED_AFTER_FILE.sub(r"[]\1", source[0]), folder, folder)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", _make_pages)
    app.connect("source-read", _rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
