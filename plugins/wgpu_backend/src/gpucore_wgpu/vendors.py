"""Shapes of products of f32 by the vendor of a GPU. None was run by us on such hardware: they follow published
measurements of other kernels with tiles in workgroup memory, or in registers.

AMD and Intel: what the tuner of CLBlast found, https://github.com/CNugteren/CLBlast, file
src/database/kernels/xgemm/xgemm_32.hpp of April 2026. Its matrices are stored by columns, so its M is n here: tile_n is
MWG, tile_m NWG, own_n MWG / MDIMC, own_m NWG / NDIMC. Its KWG is mostly 32; here tiles have 16 columns in two buffers.

Apple: the tiles of MLX for f32, https://github.com/ml-explore/mlx, file mlx/backend/metal/matmul.cpp. It takes larger
ones from 2**20 elements on. CLBlast's for an M2 Max are like the smaller ones.

NVIDIA has none: the shapes that core has for GPUs were measured on one of its.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from gpucore.ir import Limits
from gpucore.runtime import DeviceInfo, DeviceKind

VENDOR_ID = "vendor id"
"""The key in the details of a device: a number of PCI-SIG, or of Khronos."""


class RegisterTile(NamedTuple):
    """A tile, as core names its lengths."""

    tile_m: int
    tile_n: int
    tile_k: int
    own_m: int
    own_n: int

    def fits(self, limits: Limits) -> bool:
        """Whether a device can run it, of f32: two buffers for the tiles of both matrices."""
        invocations = self.tile_m // self.own_m * (self.tile_n // self.own_n)
        memory = 2 * 4 * self.tile_k * (self.tile_m + self.tile_n)
        return invocations <= limits.max_workgroup_invocations and memory <= limits.max_workgroup_memory


class Vendor(NamedTuple):
    """What is known of the GPUs of a vendor. WebGPU tells no number of multiprocessors, so a usual one is assumed."""

    tiles: tuple[RegisterTile, ...]  # the largest first; the last is for products of any size
    discrete: int  # multiprocessors of a GPU with its own memory
    integrated: int  # of one that shares the CPU's
    least_tiles: int = 0  # of a product for which a tile is made that is not the last; 0: one for each multiprocessor


_OF_32_SUMS = RegisterTile(64, 64, 16, 8, 4)
AMD = Vendor(
    (
        RegisterTile(64, 128, 16, 8, 8),  # Radeon RX 5700, 6500 XT, 6900 XT
        _OF_32_SUMS,  # the default
        RegisterTile(32, 64, 16, 4, 4),  # Radeon RX 7900 XTX
    ),
    discrete=64, integrated=16,
)  # fmt: skip
INTEL = Vendor(
    (
        _OF_32_SUMS,  # Arc A750, UHD Graphics, UHD Graphics 620, and the default
        RegisterTile(32, 64, 16, 8, 4),  # Arc A770, Iris Plus Graphics 640
    ),
    discrete=32, integrated=8,
)  # fmt: skip
APPLE = Vendor(
    (
        _OF_32_SUMS,  # MLX, of 2**20 elements or more: 64 x 64 x 16 by 128 invocations
        RegisterTile(32, 32, 16, 2, 4),  # MLX: by 128 invocations, too
    ),
    discrete=16, integrated=16, least_tiles=256,
)  # fmt: skip
_BY_ID = {"0x1002": AMD, "0x8086": INTEL, "0x106b": APPLE}
_BY_NAME = {"amd": AMD, "radeon": AMD, "intel": INTEL, "intel(r)": INTEL, "apple": APPLE}  # Metal tells no id


def vendor_of(info: DeviceInfo) -> Vendor | None:
    """The vendor of a device that is a GPU; None if nothing is known of it."""
    if info.kind not in (DeviceKind.GPU, DeviceKind.IGPU):
        return None
    known = _BY_ID.get(dict(info.details).get(VENDOR_ID, ""))
    return known or next((_BY_NAME[word] for word in info.name.lower().split() if word in _BY_NAME), None)


def shapes_for(info: DeviceInfo) -> str:
    """The shapes for a device, as `Backend.shapes_for` returns them."""
    vendor = vendor_of(info)
    tiles = [tile for tile in vendor.tiles if tile.fits(info.limits)] if vendor is not None else []
    if vendor is None or not tiles:
        return ""
    multiprocessors = vendor.discrete if info.kind is DeviceKind.GPU else vendor.integrated
    rows = [{**tile._asdict(), "min_tiles": vendor.least_tiles or multiprocessors} for tile in tiles[:-1]]
    return json.dumps({"matmul": {"tiles": [*rows, tiles[-1]._asdict()], "fills": 2 * multiprocessors}})


__all__ = ["VENDOR_ID", "shapes_for", "vendor_of"]
