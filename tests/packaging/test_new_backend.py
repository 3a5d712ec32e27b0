"""A backend that `gpucore new-backend` writes is installed, and passes the conformance kit's tier for new backends."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fresh_environment import Environment

pytestmark = pytest.mark.xdist_group("packaging")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_new_backend_passes_the_kit(
    wheels: dict[str, Path], new_environment: Callable[[], Environment], tmp_path: Path
) -> None:
    environment, folder = new_environment(), tmp_path / "mine"
    environment.pip("install", "--no-index", "--no-deps", "--quiet", str(wheels["gpucore"]))
    environment.call(str(environment.command), "new-backend", "my_gpu", "-o", str(folder))
    environment.pip("install", "--no-index", "--no-deps", "--no-build-isolation", "--quiet", str(folder))
    assert environment.probe() == {"simulator": "available", "my_gpu": "available"}
    report = environment.call(str(environment.command), "conformance", "my_gpu", "--tier", "basic")
    assert " passed" in report and " failed" not in report
    environment.pip("uninstall", "--yes", "--quiet", "gpucore-my-gpu")
    assert environment.probe() == {"simulator": "available"}
