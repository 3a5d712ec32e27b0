"""gp.matmul gives the right values on every device, in every version, for every shape."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from driver_traffic import Traffic
from hypothesis import given, settings
from hypothesis import strategies as st
from products import Matrix, assert_is_product, matrices
from sort_order import is_supported, numpy_dtype
from turns import Turns

import gpucore as gp
from gpucore.algorithms import shapes
from gpucore.algorithms.matmul import VARIANTS, staged
from gpucore.algorithms.matmul.by_units import unit_tiles
from gpucore.algorithms.matmul.tiled import VECTORS, make_kernels
from gpucore.algorithms.shapes import CPU_TILES, LARGE, SMALL, MatmulShape, Shapes, Tile, UnitTile
from gpucore.runtime.protocol import DeviceKind
from gpucore.runtime.registry import OpenDevice
from gpucore.simulator.device import GROUPS_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.testing.checks import skip_without

Shape = tuple[int, int, int]
SIMULATOR = "simulator"
SHAPES: list[Shape] = [
    (1, 1, 1), (1, 4096, 1), (17, 5, 33), (64, 64, 64), (130, 33, 1), (1, 300, 7), (257, 129, 65), (0, 3, 4), (3, 0, 4),
    (3, 4, 0), (0, 0, 0), (1024, 64, 16), (16, 64, 1024), (5, 1, 5), (128, 16, 64), (65, 17, 63),
]  # fmt: skip
"""(m, k, n)"""
SIMULATED_SHAPES: list[Shape] = [(1, 1, 1), (1, 300, 1), (17, 5, 33), (0, 3, 4), (3, 0, 4), (5, 1, 5), (64, 16, 64)]
LONG: Shape = (2, 70_001, 2)
"""More steps of a loop than lavapipe's shaders may take: core splits the product."""

kernels_of, staged_kernel = functools.cache(make_kernels), functools.cache(staged.make_kernel)


DTYPES = ("f32", "i32", "u32", "f16", "bf16", "i64", "u64", "f64")


def number(dtype: str, variant: str) -> int:
    """Of the turn that a variant has with a dtype."""
    return DTYPES.index(dtype) + VARIANTS.index(variant)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", DTYPES[:3])
def test_shapes(device: gp.Device, turns: Turns, dtype: str, variant: str) -> None:
    if (dtype, variant) != ("f32", "auto"):  # what most programs call
        turns.skip_others(number(dtype, variant))
    for shape in SIMULATED_SHAPES if device.backend.name == "simulator" else SHAPES:
        a, b = matrices(numpy_dtype(dtype), *shape)
        print(shape)  # shown when it fails
        assert_is_product(gp.matmul(a, b, variant=variant, device=device), a, b)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", ["f32", "i32"])
def test_a_long_inner_dimension(device: gp.Device, turns: Turns, dtype: str, variant: str) -> None:
    if device.backend.name == "simulator":
        pytest.skip("70,001 steps take the simulator minutes; it has no limit on them")
    turns.skip_others(number(dtype, variant), 2)
    a, b = matrices(numpy_dtype(dtype), *LONG)
    assert_is_product(gp.matmul(a, b, variant=variant, device=device), a, b)


def test_a_split_inner_dimension_adds_up(device: gp.Device) -> None:
    """Every entry is the number of steps: one too many or too few at a boundary of the split shows."""
    if device.backend.name == "simulator":
        pytest.skip("140,000 steps take the simulator minutes; it does not split")
    k = 140_000
    a, b = np.ones((1, k), np.int32), np.ones((k, 3), np.int32)
    for variant in VARIANTS:
        assert gp.matmul(a, b, variant=variant, device=device).tolist() == [[k, k, k]], variant


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", DTYPES[3:7])
def test_dtypes_by_capability(device: gp.Device, turns: Turns, dtype: str, variant: str) -> None:
    if is_supported(device, dtype):
        turns.skip_others(number(dtype, variant))
    shapes = (
        [(17, 5, 33), (5, 1, 5)]
        if device.backend.name == "simulator"
        else [(17, 5, 33), (64, 64, 64), (1, 300, 7), (65, 17, 63)]
    )
    for shape in shapes:
        a, b = matrices(numpy_dtype(dtype), *shape)
        if is_supported(device, dtype):
            assert_is_product(gp.matmul(a, b, variant=variant, device=device), a, b)
        else:
            with pytest.raises(gp.CapabilityError, match=dtype):
                gp.matmul(a, b, variant=variant, device=device)


@pytest.mark.parametrize("variant", VARIANTS)
def test_f64(device: gp.Device, turns: Turns, variant: str) -> None:
    """Against exact rational numbers: the bound of k roundings of 2**-53; and sums that are exact."""
    a, b = matrices(np.dtype(np.float64), 7, 13, 5)
    if not is_supported(device, "f64"):
        with pytest.raises(gp.CapabilityError, match="f64"):
            gp.matmul(a, b, variant=variant, device=device)
        return
    turns.skip_others(number("f64", variant))
    c = gp.matmul(a, b, variant=variant, device=device)
    for i in range(7):
        for j in range(5):
            products = [Fraction(float(a[i, k])) * Fraction(float(b[k, j])) for k in range(13)]
            bound = 13 * Fraction(1, 2**53) * sum(map(abs, products))
            assert abs(Fraction(float(c[i, j])) - sum(products)) <= bound
    left, right = (x % 2**24 for x in matrices(np.dtype(np.int64), 33, 40, 17))
    got = gp.matmul(left.astype(np.float64), right.astype(np.float64), variant=variant, device=device)
    assert np.array_equal(got, (left @ right).astype(np.float64))
    assert (left @ right).max() < 2**53, "the sums of this test are exact"


TILES = {
    "large": LARGE,
    "small": SMALL,
    "tiny_gangs": Tile(8, 16, 8, 2, 2, width=1, gang=4, parts=2, padding=4),
    **{f"gangs_of_{tile.gang}_{tile.tile_m}_{tile.nbytes}": tile for tile in CPU_TILES},
}
_MOST_SIMULATED = 64  # invocations of a workgroup: more take the simulator minutes


@pytest.mark.parametrize(
    ("name", "is_integer"),
    [(name, is_integer) for name in TILES for is_integer in (False, True)[: 1 if name.startswith("gangs_of_") else 2]],
)
def test_tiles(device: gp.Device, turns: Turns, name: str, is_integer: bool) -> None:
    """Every tile, whole and guarded, whatever matmul would choose; and a product in two ranges of k."""
    tile = TILES[name]
    dtype = {4: (gp.f32, gp.i32), 8: (gp.f64, gp.i64)}[tile.nbytes][is_integer]
    skip_without(device, *({gp.f64: [gp.Capability.F64], gp.i64: [gp.Capability.INT64]}.get(dtype, [])))
    if not replace(tile, gang=0).fits(device.limits, dtype):
        pytest.skip(f"{device.id} has too little memory or too few invocations for the tile")
    if tile in CPU_TILES and device.kind is not DeviceKind.CPU:
        pytest.skip("a tile for CPUs: tiny_gangs tests them on other devices")
    if device.backend.name == "simulator" and tile.invocations > _MOST_SIMULATED:
        pytest.skip("a large tile takes the simulator minutes")
    if tile not in CPU_TILES:
        turns.skip_others([*TILES].index(name) + is_integer, 2)
    of_vectors, of_elements = kernels_of(tile)
    vector = VECTORS[dtype] if tile.width == 4 else dtype
    whole, ragged = (
        (2 * tile.tile_m, 3 * tile.tile_k, tile.tile_n),
        (tile.tile_m + 1, tile.tile_k + 5, 2 * tile.tile_n - 3),
    )
    for is_guarded, (m, k, n) in ((False, whole), (True, ragged), (True, whole)):
        a, b = matrices(numpy_dtype(str(dtype.ir_type)), m, k, n)
        left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
        c = gp.empty((m, n), dtype, device=device)
        tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
        for first, last in ((0, tile.tile_k), (tile.tile_k, k)):
            if tile.width == 4 and not is_guarded:
                of_vectors(left, right, c, first, last, vector, tile, workgroups=tiles)
            else:
                of_elements(left, right, c, first, last, vector, tile, is_guarded, workgroups=tiles)
        assert_is_product(c.numpy(), a, b)


STAGED = {
    "one_block": Tile(16, 32, 8, 4, 4, stages=3, padding=4),
    "uneven": Tile(32, 16, 4, 8, 4, stages=4, across=2),
    "slices": Tile(16, 16, 8, 4, 4, stages=3, slices=4, padding=4),
}


@pytest.mark.parametrize("dtype", [gp.f32, gp.u32], ids=["f32", "u32"])
@pytest.mark.parametrize("name", STAGED)
def test_tiles_whose_copies_end_later(name: str, dtype: gp.ElementDType) -> None:
    """On the simulator, which has such copies; with b and c in elements and in vectors."""
    tile, device = STAGED[name], gp.device(SIMULATOR)
    (m, n), vector = (tile.tile_m, tile.tile_n), VECTORS[dtype]
    for rows, k, columns in ((2 * m, 3 * tile.tile_k, n), (m + 1, tile.tile_k + 5, n + 4), (m - 1, 1, n - 3)):
        a, b = matrices(numpy_dtype(str(dtype.ir_type)), rows, k, columns)
        left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
        tiles = -(-rows // m) * -(-columns // n)
        kinds = [dtype] if columns % 4 else [dtype, vector]
        for of_b, of_c in product(kinds, kinds):
            c = gp.empty((rows, columns), dtype, device=device)
            staged_kernel(tile)(left, right.view(of_b), c.view(of_c), 0, columns, tile, workgroups=tiles)
            assert_is_product(c.numpy(), a, b)


@pytest.mark.parametrize("batches", [(3, 3), (1, 2), (2, 1)])
@pytest.mark.parametrize("columns", [20, 13])
def test_batches_in_tiles_whose_copies_end_later(columns: int, batches: tuple[int, int]) -> None:
    """In one launch, in elements and in vectors."""
    tile, device, random = STAGED["slices"], gp.device(SIMULATOR), np.random.default_rng(columns)
    a, b = (random.integers(-3, 4, each).astype("f4") for each in ((batches[0], 17, 13), (batches[1], 13, columns)))
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    for kind in [gp.f32] if columns % 4 else [gp.f32, VECTORS[gp.f32]]:
        c = gp.full((max(batches), 17, columns), np.nan, gp.f32, device=device)
        kernel = staged.make_batch_kernel(tile)
        kernel(left, right.view(kind), c.view(kind), columns, tile, workgroups=(4, max(batches)))
        assert np.array_equal(c.numpy(), a @ b)


@pytest.mark.parametrize("columns", [68, 79])
def test_columns_beyond_whole_waves_have_smaller_tiles(
    columns: int, monkeypatch: pytest.MonkeyPatch, watch: Callable[[gp.Device], Traffic]
) -> None:
    """Nine tiles, of which four run at a time: eight, and a strip in smaller tiles; with a finish, too."""
    tiles = (
        Tile(16, 32, 8, 4, 4, stages=3, padding=4, min_tiles=4, fills=4),
        Tile(8, 8, 8, 4, 4, stages=4, slices=2, padding=4),
    )
    monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=MatmulShape(tiles, units=(), split=())))
    device, (a, b) = gp.device(SIMULATOR), matrices(np.dtype(np.int32), 47, 9, columns)
    left, right, ones = (gp.asarray(x, device=device) for x in (a, b, np.ones(columns, np.int32)))
    traffic = watch(device)
    out = gp.matmul(left, right)
    assert traffic.dispatches == 2
    assert_is_product(out.numpy(), a, b)
    gp.matmul(left, right, out=out, alpha=2, beta=-1, bias=ones)
    assert np.array_equal(out.numpy(), a @ b + 1)


def _special_cases() -> dict[str, tuple[Matrix, Matrix]]:
    a, b = np.ones((20, 70), np.float32), np.ones((70, 18), np.float32)
    cases = {}
    for name, left, right in (
        ("NaN in a", np.nan, 1), ("NaN in b", 1, np.nan), ("infinity in a", np.inf, 1), ("infinity in b", 1, -np.inf),
        ("infinity times zero", np.inf, 0), ("overflow", 3e38, 3e38),
    ):  # fmt: skip
        c, d = a.copy(), b.copy()
        c[19, 69], d[69, 17] = left, right  # the last entries: a guarded tile has them at its edge
        cases[name] = (c, d)
    c = a.copy()
    c[3, 5], c[3, 6] = np.inf, -np.inf
    cases["infinities that cancel"] = (c, b)
    return cases


def test_a_tile_of_vectors_is_left_out_for_elements_that_have_none(
    device: gp.Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table may be overwritten; there are no vectors of 64-bit elements."""
    skip_without(device, gp.Capability.INT64)
    tiles = (Tile(16, 16, 8, 4, 4, nbytes=8),)
    monkeypatch.setitem(shapes.SHAPES, device.kind, Shapes(matmul=MatmulShape(tiles)))
    a, b = matrices(np.dtype(np.int64), 16, 8, 16)
    assert_is_product(gp.matmul(a, b, device=device), a, b)


@pytest.mark.parametrize("variant", VARIANTS)
def test_special_values_spread_as_far_as_they_should(device: gp.Device, variant: str) -> None:
    for name, (a, b) in _special_cases().items():
        with np.errstate(all="ignore"):
            want = a @ b
        got = gp.matmul(a, b, variant=variant, device=device)
        assert np.array_equal(np.isnan(got), np.isnan(want)), name
        assert np.array_equal(got, want, equal_nan=True), (
            name
        )  # what is finite is a sum of small whole numbers, or overflows


@settings(max_examples=20, deadline=None)
@given(shape=st.tuples(*[st.integers(0, 40)] * 3), variant=st.sampled_from(VARIANTS), seed=st.integers(0, 1000))
def test_any_shape(device: gp.Device, shape: Shape, variant: str, seed: int) -> None:
    if device.backend.name == "simulator":
        shape = (shape[0] % 8, shape[1] % 20, shape[2] % 8)
    a, b = matrices(np.dtype(np.uint32), *shape, seed)
    assert_is_product(gp.matmul(a, b, variant=variant, device=device), a, b)


@pytest.mark.parametrize(("m", "k", "n"), [(45, 67, 70), (1, 33, 200), (64, 64, 64)])
def test_by_units_for_matrices(m: int, k: int, n: int) -> None:
    """On the simulator, whose subgroups of 32 multiply matrices."""
    random = np.random.default_rng(m)
    a, b = random.normal(size=(m, k)).astype("f2"), random.normal(size=(k, n)).astype("f2")
    found = gp.matmul(a, b, variant="matrix_units", device="simulator")
    wanted = a.astype("f4") @ b.astype("f4")
    assert found.dtype == np.float16 and np.allclose(found.astype("f4"), wanted, rtol=2**-10, atol=1e-4)


@pytest.mark.parametrize(("m", "k", "n"), [(45, 67, 130), (65, 16, 1)])
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_by_groups_of_subgroups(monkeypatch: pytest.MonkeyPatch, m: int, k: int, n: int, dtype: str) -> None:
    """On a simulator that has them, as GPUs of compute capability 9.0 do. Rows are padded, as those of large products;
    f32 is multiplied as sums of bf16."""
    monkeypatch.setenv(GROUPS_VARIABLE, "1")
    split = ((3, UnitTile(64, 64, 64, 2, 128, needs=gp.Capability.MATRIX_GROUPS)),)
    shape = replace(shapes.SHAPES[DeviceKind.SOFTWARE].matmul, large=1, split_from=1, split=split)
    monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=shape))
    backend, (a, b) = SimulatorBackend(), matrices(numpy_dtype(dtype), m, k, n)
    with gp.Device(OpenDevice(backend.open(0), backend)) as device:
        for each in (gp.f16, gp.bf16):
            assert {tile.needs for tile in unit_tiles(device, each)} == {None, gp.Capability.MATRIX_GROUPS}
        given = [gp.asarray(each, device=device) for each in (a, b)]
        for variant in ("matrix_units", "auto"):
            assert_is_product(gp.matmul(*given, variant=variant).numpy(), a, b)


def test_devices_without_units_refuse() -> None:
    for device, dtype in (("simulator", "i32"), ("cpu", "i32"), ("cpu", "f32")):
        ones = np.ones((4, 4), numpy_dtype(dtype))
        with pytest.raises(gp.ArgumentError, match=rf"no units for products of matrices of gpucore\.{dtype}"):
            gp.matmul(ones, ones, variant="matrix_units", device=device)
