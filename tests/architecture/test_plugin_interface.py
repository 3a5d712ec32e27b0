"""What a plugin can rely on changes by a decision only, and the version of the interface says how.

`plugin_interface/MAJOR.MINOR.txt` has the lines of each version. A change of the interface before the release of its
version is reviewed as the difference of its file, which `--update-golden` writes. After the release, `GPUCORE_API` is
raised first.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from interface_text import interface_lines
from source_tree import ROOT

from gpucore import plugin
from gpucore.runtime.protocol import GPUCORE_API

VERSIONS = Path(__file__).with_name("plugin_interface")


def test_the_interface_is_that_of_its_version(update_golden: bool) -> None:
    path = VERSIONS / f"{GPUCORE_API}.txt"
    text = "\n".join(interface_lines()) + "\n"
    if update_golden:
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"GPUCORE_API is {GPUCORE_API}: run with --update-golden to write {path.name}"
    old, new = set(path.read_text(encoding="utf-8").splitlines()), set(text.splitlines())
    assert old == new, (
        f"the interface of plugins differs from {path.relative_to(ROOT)}\n"
        f"gone or changed (a new major version): {sorted(old - new)}\n"
        f"added (a new minor version): {sorted(new - old)}\n"
        "docs/plugin-interface.md says what a version covers; --update-golden writes that of an unreleased one"
    )


def _versions() -> list[tuple[int, int]]:
    return sorted((int(major), int(minor)) for major, minor in (path.stem.split(".") for path in VERSIONS.iterdir()))


@pytest.mark.parametrize("version", _versions(), ids=str)
def test_a_minor_version_only_adds(version: tuple[int, int]) -> None:
    """Each line of an older minor version of the same major one is in the newer one."""
    major, minor = version
    newer = VERSIONS / f"{major}.{minor + 1}.txt"
    assert newer.exists() or version == tuple(map(int, GPUCORE_API.split("."))) or (major + 1, 0) in _versions()
    if newer.exists():
        lines = set((VERSIONS / f"{major}.{minor}.txt").read_text(encoding="utf-8").splitlines())
        assert lines <= set(newer.read_text(encoding="utf-8").splitlines())


def test_every_name_is_explained() -> None:
    """Docstrings of classes and functions; fields and constants have comments where they are declared."""
    lacking = [
        name
        for name in plugin.__all__
        if (inspect.isclass(found := getattr(plugin, name)) or inspect.isfunction(found)) and not inspect.getdoc(found)
    ]
    assert not lacking
