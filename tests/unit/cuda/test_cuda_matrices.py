"""Products by warps, and copies that end later, as instructions of PTX that NVRTC compiles."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp
from gpucore.algorithms.matmul.units import make_kernel
from gpucore.algorithms.shapes import MatmulShape, UnitTile
from gpucore_cuda.nvrtc import Nvrtc
from gpucore_cuda.probe import capabilities_of

TILES = MatmulShape(()).units


@pytest.mark.parametrize("architecture", [80, 90])
@pytest.mark.parametrize("tile", TILES[2:], ids=lambda tile: f"{tile.tile_m}x{tile.tile_n}x{tile.tile_k}")
def test_products_compile_without_a_warning(nvrtc: Nvrtc, tile: UnitTile, architecture: int) -> None:
    source = make_kernel(tile.invocations, tile.min_workgroups).emit("cuda", tile=tile)
    for part in ("ldmatrix", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "cp.async.cg.shared.global"):
        assert part in source.text
    binary, log = nvrtc.compile(source, architecture)
    assert binary and log == ""


@gp.kernel(workgroup_size=32)
def bytes_and_floats(a: gp.In[gp.i8, 2], b: gp.In[gp.i8, 2], x: gp.In[gp.f32, 2], c: gp.Out[gp.i32, 2]):
    left, right = gp.tiles(gp.i8, 1, (16, 32)), gp.tiles(gp.i8, 1, (16, 32))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0], b, 0, 0)
    floats = gp.tiles(gp.f32, 1, (16, 16))
    gp.copy_tile(floats[0], x, 0, 0)
    gp.copy_wait()
    total = gp.multiply_add(left[0], right[0].T, gp.matrix(gp.i32, (16, 16)))
    of_floats = gp.multiply_add(floats[0], floats[0].T, gp.matrix(gp.f32, (16, 16)))
    gp.store_matrix(total + gp.map(gp.i32, of_floats), c, 0, 0)


@pytest.mark.parametrize("architecture", [80, 90])
def test_bytes_by_units_and_floats_by_registers(nvrtc: Nvrtc, architecture: int) -> None:
    source = bytes_and_floats.emit("cuda")
    assert source.text.count("= gpucore_matrix_multiply_i8(") == 2 and "fmaf(" in source.text
    binary, log = nvrtc.compile(source, architecture)
    assert binary and log == ""
    a, x = np.ones((16, 32), np.int8), np.ones((16, 16), np.float32)
    found = np.zeros((16, 16), np.int32)
    with gp.device("simulator") as device:
        c = gp.asarray(found, device=device)
        bytes_and_floats(*(gp.asarray(each, device=device) for each in (a, a, x)), c, workgroups=1)
        assert np.array_equal(c.numpy(), np.full((16, 16), 32 + 16))


def test_units_begin_with_compute_capability_8() -> None:
    has = {generation: gp.Capability.MATRIX_UNITS in capabilities_of(*generation) for generation in ((7, 5), (8, 0))}
    assert has == {(7, 5): False, (8, 0): True}
