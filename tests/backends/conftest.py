"""The backends under examples/plugins, for the tests of this folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the modules next to this one

from example_plugins import installed


@pytest.fixture(scope="module")
def cc(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """gpucore-cc."""
    yield from installed("cc", tmp_path_factory.mktemp("plugin"))
    for module in [each for each in sys.modules if each.partition(".")[0] == "gpucore_cc"]:
        del sys.modules[module]
