"""A device that is named again is found without a choice, as long as the choice would be the same."""

from __future__ import annotations

import gc
import weakref

import pytest

import gpucore as gp
from gpucore.testing import require_device


def test_a_closed_device_is_opened_anew_and_not_kept() -> None:
    require_device("simulator").close()  # other tests may keep it
    first = gp.device("simulator")
    assert gp.device("simulator") is gp.device("simulator:0") is gp.device("simulator") is first
    ref = weakref.ref(first)
    first.close()
    second = gp.device("simulator")
    assert second is not first and gp.ones(3, device="simulator").device is second
    del first
    gc.collect()
    assert ref() is None


def test_a_plugin_that_is_blocked_meanwhile_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    device = require_device("cpu")
    assert gp.device("cpu") is device
    monkeypatch.setenv("GPUCORE_BLOCK", "cpu")
    gp.refresh()
    try:
        with pytest.raises(gp.BackendUnavailableError, match="GPUCORE_BLOCK"):
            gp.device("cpu")
    finally:
        monkeypatch.undo()
        gp.refresh()
    assert gp.device("cpu") is device
