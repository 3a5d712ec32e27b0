"""docs/limitations.md says with what, and why not, translation was checked: as the pins and the code have it."""

from __future__ import annotations

import re
from pathlib import Path

import dxc_library
import naga_translation
import pytest
import translated_runs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "limitations.md").read_text().partition("## Metal and Direct3D 12")[2].partition("\n## ")[0]


def test_the_versions_are_those_that_are_installed() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert f"`naga-wasm` {naga_translation.version()}" in PAGE
    for name in ("compushady", "vulkan"):
        (version,) = re.findall(rf"{name}==([\d.]+)", makefile)
        assert re.search(rf"`{name}`? {re.escape(version)}", PAGE), name


def test_dxc_is_the_version_of_the_page(dxc: None) -> None:
    assert f"DXC {dxc_library.version()} " in PAGE


@pytest.mark.parametrize("reason", translated_runs.SKIPS.values())
def test_every_reason_not_to_run_a_kernel_is_there(reason: str) -> None:
    assert f"\n- {reason}" in PAGE


def test_the_lock_file_has_no_addresses() -> None:
    """It is for whatever registry npm is set up with."""
    text = (naga_translation.HERE / "package-lock.json").read_text()
    assert "resolved" not in text
    assert f'"version": "{naga_translation.version()}"' in text
