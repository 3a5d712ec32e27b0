"""The backends under examples/plugins, as if they were installed, for tests and the processes that they start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import gpucore as gp

EXAMPLES = Path(__file__).parents[2] / "examples" / "plugins"


def source_of(name: str) -> Path:
    """The folder with the package of a backend."""
    return EXAMPLES / f"{name}_backend" / "src"


def installed(name: str, folder: Path) -> Iterator[None]:
    """A backend is there from the first step on until the second one. `folder` is empty."""
    info = folder / f"gpucore_{name}-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gpucore-{name}\nVersion: 0\n")
    (info / "entry_points.txt").write_text(f"[gpucore.backends]\n{name} = gpucore_{name}.plugin\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(source_of(name)))
        patch.syspath_prepend(str(folder))
        gp.refresh()
        yield
    gp.refresh()
