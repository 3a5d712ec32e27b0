"""Products of f16 and bf16 in panels, which devices whose groups multiply choose for large ones.

Here every device has them, in a small tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matrix_panels import from_panels

import gpucore as gp
from gpucore.algorithms.matmul import launches, split, units
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.shapes import MatmulShape, UnitTile
from gpucore.testing.checks import skip_without

TILE = UnitTile(16, 64, 64, 3, 128)  # 30 KiB of workgroup memory
Host = np.ndarray[Any, Any]


def whole(shape: tuple[int, int], seed: int) -> Host:
    """Whole numbers, whose products and sums are exact."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(np.float32)


def arrays(device: gp.Device, dtype: str, *hosts: Host) -> list[gp.Array]:
    if dtype == "f16":
        skip_without(device, gp.Capability.F16)
    return [gp.asarray(host, device=device).astype(getattr(gp, dtype)) for host in hosts]


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (17, 70, 65), (16, 64, 128), (5, 8, 72)])
def test_panels_hold_the_matrices_and_zeros(device: gp.Device, shape: tuple[int, int, int], dtype: str) -> None:
    m, k, n = shape
    hosts = whole((m, k), 1), whole((k, n), 2)
    for made, host in zip(launches.pack(*arrays(device, dtype, *hosts), TILE), hosts, strict=True):
        (found,) = from_panels(made.astype(gp.f32).numpy())
        expected = np.zeros_like(found)
        expected[: host.shape[0], : host.shape[1]] = host
        assert np.array_equal(found, expected)


def test_matrices_may_begin_within_arrays(device: gp.Device) -> None:
    host = whole((20, 12), 3)
    (x,) = arrays(device, "bf16", host)
    for first in (1, 2, 4):  # 24, 48 and 96 bytes from the begin of the array
        for made in launches.pack(x[first:], x[first:], TILE):
            assert np.array_equal(from_panels(made.astype(gp.f32).numpy())[0, : 20 - first, :12], host[first:])


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (33, 200, 70), (16, 256, 64), (40, 65, 129)])
def test_products(device: gp.Device, shape: tuple[int, int, int], dtype: str) -> None:
    """At inner lengths of fewer steps than stages, and of more."""
    nbytes = (
        TILE.stages * (TILE.tile_m + TILE.tile_n) * TILE.tile_k * (2 if device.supports(gp.Capability.INT16) else 4)
    )
    if nbytes > device.limits.max_workgroup_memory:
        pytest.skip(f"the tiles need {nbytes} bytes of workgroup memory, which {device.id} lacks")
    if device.backend.name == "simulator" and shape[0] * shape[2] > 500:
        shape = (3, 200, 5)
    m, k, n = shape
    a, b, before = whole((m, k), 1), whole((k, n), 2), whole((m, n), 3)
    x, y, c = arrays(device, dtype, a, b, np.full((m, n), 7, np.float32))
    tiles = -(-m // TILE.tile_m) * -(-n // TILE.tile_n)
    packed = launches.pack(x, y, TILE)
    units.make_packed_kernel(TILE.invocations, 1)(*packed, c, k, TILE, workgroups=tiles)
    rounded = (gp.asarray(each, device=device).astype(c.dtype) for each in (a @ b, 2 * (a @ b) + 3 * before))
    product, finished = rounded
    assert np.array_equal(c.astype(gp.f32).numpy(), product.astype(gp.f32).numpy())
    (c,) = arrays(device, dtype, before)
    finish = Finish(scales=True, has_before=True)
    kernel = units.make_packed_finishing_kernel(TILE.invocations, 1)
    kernel(*packed, c, x[:1], 2.0, 3.0, k, TILE, finish, workgroups=tiles)
    assert np.array_equal(c.astype(gp.f32).numpy(), finished.astype(gp.f32).numpy())


OF_GROUPS = [tile for tile in MatmulShape(()).units if tile.needs is gp.Capability.MATRIX_GROUPS]


@pytest.mark.parametrize("k", [1, 64, 300, 1000])
@pytest.mark.parametrize("tile", OF_GROUPS, ids=lambda tile: f"{tile.tile_m}x{tile.tile_n}")
def test_products_by_groups(device: gp.Device, tile: UnitTile, k: int) -> None:
    """Where another invocation copies: with fewer steps than stages, and many more."""
    skip_without(device, gp.Capability.MATRIX_GROUPS)
    m, n = 2 * tile.tile_m + 3, 3 * tile.tile_n - 5
    a, b = whole((m, k), 1), whole((k, n), 2)
    x, y, c = arrays(device, "f16", a, b, np.full((m, n), 7, np.float32))
    tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
    kernel = units.make_packed_kernel(tile.invocations, tile.min_workgroups)
    for _ in range(3):
        kernel(*launches.pack(x, y, tile), c, k, tile, workgroups=tiles)
        assert np.array_equal(c.numpy(), (a @ b).astype(np.float16))


@pytest.mark.parametrize("k", [1, 64, 300, 1000])
@pytest.mark.parametrize(
    ("count", "tile"), MatmulShape(()).split, ids=lambda each: str(each) if isinstance(each, int) else f"{each.tile_n}"
)
def test_split_products_by_groups(device: gp.Device, count: int, tile: UnitTile, k: int) -> None:
    skip_without(device, gp.Capability.MATRIX_GROUPS)
    m, n = 2 * tile.tile_m + 3, 3 * tile.tile_n - 5
    a, b = whole((m, k), 1), whole((k, n), 2)
    x, y = (gp.asarray(host, device=device) for host in (a, b))
    c = gp.full((m, n), 7, gp.f32, device=device)
    tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
    kernel = split.make_kernel(tile.invocations, tile.min_workgroups)
    for _ in range(3):
        kernel(*launches.split_into_panels(x, y, tile, count), c, x, y, tile, count, workgroups=tiles)
        assert np.array_equal(c.numpy(), a @ b)


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_large_products_are_packed(device: gp.Device, dtype: str) -> None:
    skip_without(device, gp.Capability.MATRIX_GROUPS)
    a, b = whole((2600, 2601), 1), whole((2601, 2603), 2)
    x, y = arrays(device, dtype, a, b)
    expected = gp.asarray(a @ b, device=device).astype(x.dtype).astype(gp.f32).numpy()
    assert np.array_equal(gp.matmul(x, y).astype(gp.f32).numpy(), expected)
    finished = gp.matmul(x, y, alpha=2, bias=y[0], epilogue=positive)
    expected = np.maximum(2 * (a @ b) + b[0], 0)
    expected = gp.asarray(expected, device=device).astype(x.dtype).astype(gp.f32).numpy()
    assert np.array_equal(finished.astype(gp.f32).numpy(), expected)


def positive(value):  # type: ignore[no-untyped-def]  # a helper of the kernel language
    return gp.max(value, 0)
