"""What the probe says of an adapter, from facts that an adapter could give."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gpucore_wgpu import adapters


@pytest.mark.parametrize(("features", "timestamps"), [({"timestamp-query"}, "device"), (set(), "host")])
def test_an_adapter_without_timestamps_says_so(
    monkeypatch: pytest.MonkeyPatch, features: set[str], timestamps: str
) -> None:
    monkeypatch.setattr(adapters, "_limits", lambda adapter, name: None)
    names = ("vendor", "architecture", "device", "description", "adapter_type", "backend_type")
    facts = dict.fromkeys(names, "CPU")
    info = adapters._describe(SimpleNamespace(info=facts, features=features), 0, "wgpu:vulkan:0")
    assert dict(info.details)["timestamps"] == timestamps
