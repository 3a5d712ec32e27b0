"""What the Python package has of the runtime is what its sources build to."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browser import PAGE_FOLDER
from npm import run_npm

import gpucore as gp
from gpucore.testing.devices import is_required

SOURCES = Path(__file__).parents[2] / "plugins" / "wgpu_backend" / "web"


@pytest.mark.parametrize("command", ["types", "check", "test"])
def test_npm(command: str) -> None:
    """The sources have no errors of types, are what the package was built from, and pass their own tests."""
    if not (SOURCES / "node_modules").is_dir():
        missing = f"{SOURCES.name} has no node_modules: make test installs them"
        if is_required("web"):
            pytest.fail(f"GPUCORE_REQUIRE_BACKENDS requires web: {missing}", pytrace=False)
        pytest.skip(missing)
    run = run_npm("run", "-s", command, folder=SOURCES)
    assert run.returncode == 0, run.stdout + run.stderr


def test_versions_and_license() -> None:
    package = json.loads((SOURCES / "package.json").read_text())
    assert package["name"] == "gpucore" and package["version"] == gp.__version__
    assert "dependencies" not in package
    assert (SOURCES / "LICENSE").read_text() == (SOURCES.parents[2] / "LICENSE").read_text()
    assert (PAGE_FOLDER / "gpucore.js").read_text().startswith(f"/* gpucore {gp.__version__}, Apache-2.0. ")


def test_the_lock_file_names_no_registry() -> None:
    lock = (SOURCES / "package-lock.json").read_text()
    assert '"integrity"' in lock and "resolved" not in lock and "://" not in lock


def test_sources_are_small() -> None:
    files = sorted((SOURCES / "src").glob("*.ts"))
    assert len(files) > 10
    lines = {path.name: path.read_text().splitlines() for path in files}
    assert {name: len(text) for name, text in lines.items() if len(text) >= 400} == {}
    assert [name for name, text in lines.items() if any(len(line) > 120 for line in text)] == []


def test_the_module_stands_alone() -> None:
    """It imports nothing, and loads nothing but what the page names."""
    script = (PAGE_FOLDER / "gpucore.js").read_text()
    assert not re.search(r"\bimport\s*[({'\"*\w]", script) and "require(" not in script
    assert "http" not in re.sub(r"https?, or from|by https?|python -m http\.server|https", "", script)
    exported = set(re.search(r"export\s*\{([^}]*)\}", script)[1].split(","))  # type: ignore[index]
    assert exported == {
        "ArgumentError", "Device", "DeviceArray", "DeviceError", "GpucoreError", "KernelError", "Queue", "Recording",
        "openDevice", "pack", "unpack",
    }  # fmt: skip
