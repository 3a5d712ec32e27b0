"""The tables of shapes for GPUs of several vendors: which one an adapter gets, whether it fits, and products in its
tiles on the software adapter."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.algorithms.kept_shapes import from_json
from gpucore.algorithms.shapes import SHIPPED, Origin, Tile, find_shapes, set_shapes, shapes_of
from gpucore.ir import Limits
from gpucore.runtime import DeviceInfo, DeviceKind
from gpucore.testing import require_device
from gpucore_wgpu import adapters
from gpucore_wgpu.plugin import WgpuBackend

AMD, INTEL, APPLE, NVIDIA, MESA = 0x1002, 0x8086, 0x106B, 0x10DE, 0x10005
LARGE, MIDDLE = Tile(64, 128, 16, 8, 8), Tile(64, 64, 16, 8, 4)
LITTLE = {AMD: Tile(32, 64, 16, 4, 4), INTEL: Tile(32, 64, 16, 8, 4), APPLE: Tile(32, 32, 16, 2, 4)}


def found(
    monkeypatch: pytest.MonkeyPatch, vendor: int, name: str, adapter_type: str, memory: int, invocations: int = 256
) -> DeviceInfo:
    """What the probe says of an adapter."""
    limits = Limits(max_workgroup_memory=memory, max_workgroup_invocations=invocations)
    monkeypatch.setattr(adapters, "_limits", lambda adapter, name, driver: limits)
    facts = {
        "vendor": "driver", "architecture": "", "device": name, "description": "", "adapter_type": adapter_type,
        "backend_type": "Metal" if vendor == 0 else "Vulkan", "vendor_id": vendor,
    }  # fmt: skip
    return adapters._describe(SimpleNamespace(info=facts, features=set()), 0, "wgpu:vulkan:0")


def table(tiles: list[Tile], fills: int, least: int) -> tuple[tuple[Tile, ...], int]:
    """Tiles, all but the last for products of `least` tiles or more, and what fills the GPU."""
    return (*(replace(tile, min_tiles=least) for tile in tiles[:-1]), tiles[-1]), fills


WITH_TABLES = [
    (AMD, "AMD Radeon RX 7800 XT (RADV NAVI32)", "DiscreteGPU", 65536, table([LARGE, MIDDLE, LITTLE[AMD]], 128, 64)),
    (AMD, "AMD Radeon RX 6600", "DiscreteGPU", 32768, table([LARGE, MIDDLE, LITTLE[AMD]], 128, 64)),
    (AMD, "AMD Radeon Graphics", "IntegratedGPU", 16384, table([MIDDLE, LITTLE[AMD]], 32, 16)),
    (0, "AMD Radeon Pro 5500M", "DiscreteGPU", 32768, table([LARGE, MIDDLE, LITTLE[AMD]], 128, 64)),
    (MESA, "Radeon 780M", "IntegratedGPU", 65536, table([LARGE, MIDDLE, LITTLE[AMD]], 32, 16)),
    (INTEL, "Intel(R) Arc(TM) A770 Graphics", "DiscreteGPU", 49152, table([MIDDLE, LITTLE[INTEL]], 64, 32)),
    (INTEL, "Intel(R) UHD Graphics 770", "IntegratedGPU", 32768, table([MIDDLE, LITTLE[INTEL]], 16, 8)),
    (0, "Intel(R) Iris(TM) Plus Graphics 655", "IntegratedGPU", 16384, table([MIDDLE, LITTLE[INTEL]], 16, 8)),
    (INTEL, "Intel(R) HD Graphics", "IntegratedGPU", 16380, table([LITTLE[INTEL]], 16, 8)),
    (INTEL, "Intel(R) HD Graphics", "IntegratedGPU", 8192, (SHIPPED[DeviceKind.IGPU].matmul.tiles, 16)),
    (APPLE, "Apple M1", "IntegratedGPU", 32768, table([MIDDLE, LITTLE[APPLE]], 32, 256)),
    (0, "Apple M2 Max", "IntegratedGPU", 32768, table([MIDDLE, LITTLE[APPLE]], 32, 256)),
]  # fmt: skip


@pytest.mark.parametrize(("vendor", "name", "adapter_type", "memory", "wanted"), WITH_TABLES)
def test_adapters_of_some_vendors_have_a_table_that_fits(
    monkeypatch: pytest.MonkeyPatch, vendor: int, name: str, adapter_type: str, memory: int, wanted: Any
) -> None:
    info = found(monkeypatch, vendor, name, adapter_type, memory)
    assert dict(info.details).get("vendor id") == (f"{vendor:#06x}" if vendor else None)
    made = from_json(json.loads(WgpuBackend().shapes_for(info)), info)  # raises for what does not fit
    assert (made.matmul.tiles, made.matmul.fills) == wanted
    kind = SHIPPED[info.kind]
    assert made == replace(kind, matmul=replace(kind.matmul, tiles=wanted[0], fills=wanted[1])), "and nothing else"


@pytest.mark.parametrize(
    ("vendor", "name", "adapter_type", "memory"),
    [
        (NVIDIA, "NVIDIA H100 80GB HBM3", "DiscreteGPU", 49152),
        (MESA, "llvmpipe (LLVM 15.0.6, 256 bits)", "CPU", 32768),
        (INTEL, "SwiftShader Device (LLVM 10.0.0)", "CPU", 32768),
        (AMD, "AMD Ryzen 7 7800X3D 8-Core Processor", "CPU", 32768),
        (0x5143, "Adreno X1-85", "IntegratedGPU", 32768),
        (0, "Pineapple Inteligent", "DiscreteGPU", 32768),
    ],
)
def test_others_have_none(
    monkeypatch: pytest.MonkeyPatch, vendor: int, name: str, adapter_type: str, memory: int
) -> None:
    info = found(monkeypatch, vendor, name, adapter_type, memory)
    assert WgpuBackend().shapes_for(info) == ""
    assert ("vendor id" in dict(info.details)) is (vendor != 0 and info.kind is not DeviceKind.SOFTWARE)


def test_the_software_adapter_has_the_shapes_of_its_kind() -> None:
    device = require_device("wgpu")
    if device.kind is not DeviceKind.SOFTWARE:
        pytest.skip(f"{device.id} is a GPU")
    assert find_shapes(device) == (SHIPPED[DeviceKind.SOFTWARE], Origin.KIND)


@pytest.mark.parametrize("tile", [LARGE, MIDDLE, *LITTLE.values()], ids=lambda tile: f"{tile.tile_m}x{tile.tile_n}")
def test_products_in_the_tiles_are_right(tile: Tile) -> None:
    """Of whole numbers, whose sums are exact: in whole tiles, and at odd lengths."""
    device, rng = require_device("wgpu"), np.random.default_rng(0)
    before = shapes_of(device)
    try:
        set_shapes(device, replace(before, matmul=replace(before.matmul, tiles=(tile,), fills=0)))
        for m, k, n in ((tile.tile_m, 32, 2 * tile.tile_n), (tile.tile_m + 1, 33, tile.tile_n - 1)):
            a, b = (rng.integers(-9, 9, shape).astype(np.float32) for shape in ((m, k), (k, n)))
            np.testing.assert_array_equal(gp.matmul(a, b, device=device), a @ b)
    finally:
        set_shapes(device, None)
