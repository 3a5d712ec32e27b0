"""The six distributions, built once, and fresh environments to install them in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the modules next to this one

from distributions import Built, build_all
from fresh_environment import Environment

Wheels = dict[str, Path]
EPOCH = "1700000000"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Built]:
    """Name of a distribution -> its wheel and sdist."""
    pytest.importorskip("hatchling")
    return build_all(tmp_path_factory.mktemp("distributions"), SOURCE_DATE_EPOCH=EPOCH)


@pytest.fixture(scope="session")
def wheels(built: dict[str, Built]) -> Wheels:
    """Name of a distribution -> its wheel."""
    return {name: files.wheel for name, files in built.items()}


@pytest.fixture(scope="session")
def new_environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Environment]:
    """Makes environments."""
    pytest.importorskip("pip")
    return lambda: Environment(tmp_path_factory.mktemp("environment"))
