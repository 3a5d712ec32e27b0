"""What the probe says of an adapter, from facts that an adapter could give."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gpucore.ir import Capability
from gpucore_wgpu import adapters


@pytest.mark.parametrize(("features", "timestamps"), [({"timestamp-query"}, "device"), (set(), "host")])
def test_an_adapter_without_timestamps_says_so(
    monkeypatch: pytest.MonkeyPatch, features: set[str], timestamps: str
) -> None:
    monkeypatch.setattr(adapters, "_limits", lambda adapter, name, driver: None)
    names = ("vendor", "architecture", "device", "description", "adapter_type", "backend_type")
    facts = dict.fromkeys(names, "CPU")
    info = adapters._describe(SimpleNamespace(info=facts, features=features), 0, "wgpu:vulkan:0")
    assert dict(info.details)["timestamps"] == timestamps


@pytest.mark.parametrize(("api", "has_wide_types"), [("Vulkan", True), ("Metal", True), ("D3D12", False)])
def test_no_types_of_64_bits_where_naga_does_not_translate_them(
    monkeypatch: pytest.MonkeyPatch, api: str, has_wide_types: bool
) -> None:
    monkeypatch.setattr(adapters, "_limits", lambda adapter, name, driver: None)
    features = {"shader-f16", "shader-f64", "shader-int64", "shader-int64-atomic-all-ops"}
    names = ("vendor", "architecture", "device", "description", "adapter_type")
    facts = {**dict.fromkeys(names, "GPU"), "backend_type": api}
    info = adapters._describe(SimpleNamespace(info=facts, features=features), 0, f"wgpu:{api.lower()}:0")
    wide = {Capability.F64, Capability.INT64, Capability.ATOMIC_INT64}
    assert info.capabilities == {Capability.F16} | (wide if has_wide_types else set())


@pytest.mark.parametrize(
    ("reported", "api", "name", "driver", "sizes"),
    [
        ((0, 0), "Vulkan", "llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe Mesa 22.3.6", (8, 8)),
        ((0, 0), "Vulkan", "llvmpipe (LLVM 19.1.7, 128 bits)", "llvmpipe Mesa 25.0.1", (4, 4)),
        ((0, 0), "Vulkan", "NVIDIA H100", "NVIDIA 580.159", (32, 32)),
        ((0, 0), "Metal", "Apple M2", "", (32, 32)),
        ((0, 0), "Vulkan", "Intel(R) Arc(tm) A770", "Intel open-source Mesa driver", (0, 0)),
        ((8, 32), "Vulkan", "Intel(R) Arc(tm) A770", "Intel open-source Mesa driver", (8, 32)),
    ],
)
def test_sizes_of_subgroups_are_reported_or_known_of_the_driver(
    monkeypatch: pytest.MonkeyPatch,
    reported: tuple[int, int],
    api: str,
    name: str,
    driver: str,
    sizes: tuple[int, int],
) -> None:
    monkeypatch.setattr(adapters.native, "subgroup_sizes", lambda adapter: reported)
    assert adapters._subgroup_sizes(SimpleNamespace(info={"backend_type": api}), name, driver) == sizes
