"""The simulator passes the behaviours of subgroups, and of the blocks made of them, with subgroups of every size."""

from __future__ import annotations

import pytest

import gpucore as gp
from gpucore.simulator.device import SUBGROUP_SIZE_VARIABLE
from gpucore.testing import ConformanceTests, run_behaviours
from gpucore.testing.behaviours import list_behaviours

BEHAVIOURS = {
    one.number
    for one in list_behaviours(ConformanceTests)
    if "subgroup" in one.method or one.contract == "Kernel language: blocks"
}


@pytest.mark.parametrize("size", [1, 4, 8, 16, 32, 64])
def test_behaviours_of_subgroups(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    gp.device("simulator").close()
    monkeypatch.setenv(SUBGROUP_SIZE_VARIABLE, str(size))
    with gp.device("simulator") as opened:
        outcomes = run_behaviours(ConformanceTests, opened, BEHAVIOURS)
    assert {"C813", "C814", "C821", "C822", "C823", "C850", "C851", "C852"} <= BEHAVIOURS
    assert [(one.behaviour.number, one.reason) for one in outcomes if one.status != "passed"] == []
