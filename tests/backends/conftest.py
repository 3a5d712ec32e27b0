"""The backends under examples/plugins, as if they were installed, for the tests of this folder and their processes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gpucore as gp

EXAMPLES = Path(__file__).parents[2] / "examples" / "plugins"


@pytest.fixture(scope="module")
def cc(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """gpucore-cc."""
    yield from _installed("cc", tmp_path_factory.mktemp("plugin"))


def _installed(name: str, folder: Path) -> Iterator[None]:
    source = EXAMPLES / f"{name}_backend" / "src"
    info = folder / f"gpucore_{name}-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gpucore-{name}\nVersion: 0\n")
    (info / "entry_points.txt").write_text(f"[gpucore.backends]\n{name} = gpucore_{name}.plugin\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(source))
        patch.syspath_prepend(str(folder))
        gp.refresh()
        yield
    gp.refresh()
    for module in [each for each in sys.modules if each.partition(".")[0] == f"gpucore_{name}"]:
        del sys.modules[module]
