"""The fake backend, by which faults are injected, passes the conformance kit while it has none."""

from __future__ import annotations

import pytest
from fake_backend import FakeBackend

import gpucore as gp
from gpucore.cli import main


def test_the_full_tier(capfd: pytest.CaptureFixture[str]) -> None:
    gp.register_backend(FakeBackend("faultless", computes=True))
    try:
        assert main(["conformance", "faultless", "--in-process", "--tier", "full"]) == 0
    finally:
        gp.unregister_backend("faultless")
    shown = capfd.readouterr().out
    assert " passed" in shown and " failed" not in shown
