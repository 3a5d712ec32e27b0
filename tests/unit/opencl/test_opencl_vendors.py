"""The tables of shapes for GPUs of several vendors: which one a device gets, and whether it fits."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpucore.algorithms.kept_shapes import from_json
from gpucore.algorithms.shapes import SHIPPED, Origin, Tile, find_shapes
from gpucore.runtime import DeviceInfo, DeviceKind
from gpucore.testing import require_device
from gpucore_opencl import platforms, vendors
from gpucore_opencl.plugin import OpenCLBackend

CPU, GPU = 2, 4  # CL_DEVICE_TYPE_
KIND = SHIPPED[DeviceKind.GPU].matmul
LARGE, MIDDLE = Tile(64, 128, 16, 8, 8), Tile(64, 64, 16, 8, 4)
FOR_AMD, FOR_INTEL, FOR_APPLE = Tile(32, 64, 16, 4, 4), Tile(32, 64, 16, 8, 4), Tile(32, 32, 16, 2, 4)


def found(vendor: str, units: int, memory: int, *, kind: int = GPU, invocations: int = 256) -> DeviceInfo:
    """What the probe says of a device."""
    device: Any = SimpleNamespace(
        platform=SimpleNamespace(name="a platform"), name="a device", driver_version="1.0", version="OpenCL 3.0 x",
        vendor=vendor, max_compute_units=units, global_mem_size=1 << 30, type=kind, host_unified_memory=False,
        extensions="", profile="FULL_PROFILE", double_fp_config=0, max_work_group_size=invocations,
        max_work_item_sizes=(1024, 1024, 64), local_mem_size=memory, max_mem_alloc_size=1 << 30,
        mem_base_addr_align=1024, opencl_c_features=(),
    )  # fmt: skip
    return platforms.describe(SimpleNamespace(device_type=SimpleNamespace(GPU=GPU)), device, "opencl", 0)


def table(tiles: list[Tile], fills: int, least: int) -> tuple[tuple[Tile, ...], int]:
    """Tiles, all but the last for products of `least` tiles or more, and what fills the GPU."""
    return (*(replace(tile, min_tiles=least) for tile in tiles[:-1]), tiles[-1]), fills


@pytest.mark.parametrize(
    ("vendor", "units", "memory", "wanted"),
    [
        ("Advanced Micro Devices, Inc.", 60, 65536, table([LARGE, MIDDLE, FOR_AMD], 120, 60)),
        ("AMD", 12, 32768, table([LARGE, MIDDLE, FOR_AMD], 24, 12)),
        ("AMD", 12, 16384, table([MIDDLE, FOR_AMD], 24, 12)),
        ("Intel(R) Corporation", 512, 65536, table([MIDDLE, FOR_INTEL], 64, 32)),
        ("Intel", 24, 49152, table([MIDDLE, FOR_INTEL], 2, 1)),
        ("Intel Inc.", 8, 16380, table([FOR_INTEL], 2, 1)),
        ("Apple", 8, 32768, table([MIDDLE, FOR_APPLE], 16, 256)),
        ("NVIDIA Corporation", 28, 49152, (KIND.tiles, 56)),
        ("NVIDIA Corporation", 132, 233472, (KIND.tiles, KIND.fills)),
    ],
)  # fmt: skip
def test_devices_of_some_vendors_have_a_table_that_fits(vendor: str, units: int, memory: int, wanted: Any) -> None:
    info = found(vendor, units, memory)
    made = from_json(json.loads(OpenCLBackend().shapes_for(info)), info)  # raises for what does not fit
    assert (made.matmul.tiles, made.matmul.fills) == wanted
    kind = SHIPPED[info.kind]
    assert made == replace(kind, matmul=replace(kind.matmul, tiles=wanted[0], fills=wanted[1])), "and nothing else"


@pytest.mark.parametrize(
    ("vendor", "kind"),
    [("QUALCOMM", GPU), ("ARM", GPU), ("AuthenticAMD", CPU), ("Intel(R) Corporation", CPU), ("", GPU)],
)
def test_others_have_none(vendor: str, kind: int) -> None:
    assert OpenCLBackend().shapes_for(found(vendor, 16, 65536, kind=kind)) == ""


def test_few_invocations_leave_only_tiles_that_fit() -> None:
    info = found("Intel", 96, 65536, invocations=64)
    assert from_json(json.loads(vendors.shapes_for(info)), info).matmul.tiles == (FOR_INTEL,)
    info = found("AMD", 96, 65536, invocations=64)
    assert from_json(json.loads(vendors.shapes_for(info)), info).matmul.tiles is KIND.tiles


def test_devices_on_the_processor_have_the_shapes_of_their_kind() -> None:
    device = require_device("opencl")
    if device.kind not in (DeviceKind.CPU, DeviceKind.SOFTWARE):
        pytest.skip(f"{device.id} is a GPU")
    assert find_shapes(device) == (SHIPPED[device.kind], Origin.KIND)
