"""Each distribution installs and uninstalls alone: exactly its backend comes and goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fresh_environment import Environment

PLUGINS = ("cpu", "wgpu", "opencl", "cuda")
SORT = "import gpucore as gp, numpy; print(gp.sort(numpy.array([3, 1, 2], numpy.int32), device={!r}))"
REFUSAL = """
import gpucore as gp
try:
    gp.device("cpu")
except gp.BackendUnavailableError as error:
    print(error)
"""

pytestmark = pytest.mark.xdist_group("packaging")


def test_plugins_come_and_go_alone(wheels: dict[str, Path], new_environment: Callable[[], Environment]) -> None:
    environment = new_environment()
    environment.pip("install", "--no-index", "--no-deps", "--quiet", str(wheels["gpucore"]))
    assert environment.probe() == {"simulator": "available"}
    assert environment.run("-c", SORT.format("simulator")).split() == ["[1", "2", "3]"]
    assert "simulator" in environment.call(str(environment.command), "devices")

    plugins = [str(wheels[f"gpucore-{name}"]) for name in PLUGINS]
    environment.pip("install", "--no-index", "--no-deps", "--quiet", *plugins)
    before = environment.probe()
    assert set(before) == {"simulator", *PLUGINS}
    assert before["cpu"] == "available"
    assert environment.run("-c", SORT.format("cpu")).split() == ["[1", "2", "3]"]
    listed = environment.call(str(environment.command), "devices")
    assert all(name in listed for name, status in before.items() if status == "available")

    environment.pip("uninstall", "--yes", "--quiet", "gpucore-cpu")
    after = environment.probe()
    assert after == {name: status for name, status in before.items() if name != "cpu"}
    for name, status in after.items():
        if status == "available":
            assert environment.run("-c", SORT.format(name)).split() == ["[1", "2", "3]"]
    assert "./plugins/cpu_backend" in environment.run("-c", REFUSAL)
