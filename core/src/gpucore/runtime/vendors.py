"""Shapes of products of f32 by the vendor of a GPU, for `Backend.shapes_for` of plugins.

None was run by us on such hardware: they follow published measurements of other kernels with tiles in workgroup memory,
or in registers.

AMD and Intel: what the tuner of CLBlast found, https://github.com/CNugteren/CLBlast, file
src/database/kernels/xgemm/xgemm_32.hpp of April 2026. Its matrices are stored by columns, so its M is n here: tile_n is
MWG, tile_m NWG, own_n MWG / MDIMC, own_m NWG / NDIMC. Its KWG is mostly 32; here tiles have 16 columns in two buffers.

Apple: the tiles of MLX for f32, https://github.com/ml-explore/mlx, file mlx/backend/metal/matmul.cpp. It takes larger
ones from 2**20 elements on. CLBlast's for an M2 Max are like the smaller ones.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from gpucore.ir import Limits
from gpucore.runtime.protocol import DeviceInfo


class RegisterTile(NamedTuple):
    """A tile, as `gpucore.algorithms.shapes.Tile` names its lengths."""

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
    """What is known of the GPUs of a vendor."""

    tiles: tuple[RegisterTile, ...]  # the largest first, the last is for products of any size; none: those of the kind
    least_tiles: int = 0  # of a product for which a tile is made that is not the last; 0: one for each multiprocessor


_OF_32_SUMS = RegisterTile(64, 64, 16, 8, 4)
AMD = Vendor((
    RegisterTile(64, 128, 16, 8, 8),  # Radeon RX 5700, 6500 XT, 6900 XT
    _OF_32_SUMS,  # the default
    RegisterTile(32, 64, 16, 4, 4),  # Radeon RX 7900 XTX
))  # fmt: skip
INTEL = Vendor((
    _OF_32_SUMS,  # Arc A750, UHD Graphics, UHD Graphics 620, and the default
    RegisterTile(32, 64, 16, 8, 4),  # Arc A770, Iris Plus Graphics 640
))  # fmt: skip
APPLE = Vendor(
    (
        _OF_32_SUMS,  # MLX, of 2**20 elements or more: 64 x 64 x 16 by 128 invocations
        RegisterTile(32, 32, 16, 2, 4),  # MLX: by 128 invocations, too
    ),
    least_tiles=256,
)


def vendor_shapes(vendor: Vendor, info: DeviceInfo, multiprocessors: int) -> str:
    """For `Backend.shapes_for`: the shapes for a GPU with a number of multiprocessors, of the tiles that fit."""
    table: dict[str, Any] = {"fills": 2 * multiprocessors}
    tiles = [tile for tile in vendor.tiles if tile.fits(info.limits)]
    if tiles:
        rows = [{**tile._asdict(), "min_tiles": vendor.least_tiles or multiprocessors} for tile in tiles[:-1]]
        table["tiles"] = [*rows, tiles[-1]._asdict()]
    return json.dumps({"matmul": table})


__all__ = ["AMD", "APPLE", "INTEL", "Vendor", "vendor_shapes"]
