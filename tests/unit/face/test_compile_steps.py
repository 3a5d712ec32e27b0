"""What a first call does, and how often."""

from __future__ import annotations

from typing import Any

import pytest

import gpucore as gp
from gpucore import passes


@gp.kernel(workgroup_size=4, debug=True)
def checked(y: gp.InOut[gp.i32]):
    y[gp.global_id(0)] = 1


def test_checks_are_written_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    original = passes.instrument

    def instrument(module: Any, **options: Any) -> Any:
        calls.append(module.name)
        return original(module, **options)

    monkeypatch.setattr(passes, "instrument", instrument)
    y = gp.zeros(4, gp.i32, device="cpu")
    checked(y, invocations=4)
    assert y.numpy().tolist() == [1] * 4
    assert calls == ["checked"]
