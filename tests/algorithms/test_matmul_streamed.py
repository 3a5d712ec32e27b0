"""Products in one launch, in which the steps of the last tiles are divided evenly, on the simulator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from driver_traffic import Traffic
from products import assert_is_product, matrices
from sort_order import numpy_dtype

import gpucore as gp
from gpucore.algorithms import shapes
from gpucore.algorithms.matmul import streamed
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.shapes import MatmulShape, Shapes, Tile, UnitTile
from gpucore.runtime.protocol import DeviceKind
from gpucore.simulator.device import SimulatorDevice

SIMULATOR = "simulator"
WIDE = Tile(16, 32, 8, 4, 4, stages=3, padding=4, fills=4)
IN_SLICES = Tile(8, 8, 8, 4, 4, stages=4, slices=2, padding=4, fills=4)
MANY = Tile(8, 16, 4, 4, 4, stages=3, fills=4, ranges=7)
SHAPES = (
    ((47, 41, 68), (8, 4)),  # nine tiles of WIDE, of which four run at a time
    ((17, 100, 13), (0, 4)), ((1, 300, 1), (0, 4)), ((16, 30, 32), (0, 4)), ((48, 8, 64), (6, 0)),
)  # fmt: skip


@pytest.fixture(autouse=True)
def cleared() -> Iterator[None]:
    """The plans of other tables are forgotten."""
    yield
    gp.device(SIMULATOR).plans = None


def use(monkeypatch: pytest.MonkeyPatch, tile: Tile, **numbers: int) -> MatmulShape:
    shape = MatmulShape((tile,), units=(), split=(), **{"least_steps": 1, "least_saved": 1, **numbers})
    monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=shape))
    return shape


def counted(tile: Tile, m: int, k: int, n: int) -> tuple[int, int]:
    """Tiles and steps."""
    return -(-m // tile.tile_m) * -(-n // tile.tile_n), -(-k // tile.tile_k)


@pytest.mark.parametrize(("lengths", "wanted"), SHAPES, ids=str)
def test_what_is_divided(
    lengths: tuple[int, int, int], wanted: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert use(monkeypatch, WIDE).ranges(WIDE, *counted(WIDE, *lengths)) == wanted


def test_few_tiles_of_the_last_wave_are_divided_with_the_wave_before() -> None:
    tile = Tile(128, 256, 8, 8, 16, stages=4, fills=132)
    shape = MatmulShape((tile,))
    assert shape.ranges(tile, 132 * 3 + 100, 500) == (132 * 3, 132)
    assert shape.ranges(tile, 132 * 3 + 10, 500) == (132 * 2, 132)
    assert shape.ranges(tile, 10, 500) == (0, 132)
    assert shape.ranges(tile, 1, 500) == (0, 32)
    assert shape.ranges(tile, 132 * 3, 500) == (132 * 3, 0)
    assert shape.ranges(tile, 130, 500) == (130, 0)  # six steps of 500 are not saved for nothing
    assert shape.ranges(tile, 20, 10) == (20, 0)
    assert MatmulShape((tile,)).ranges(Tile(32, 32, 8, 4, 4, stages=3), 5, 500) == (5, 0)


@pytest.mark.parametrize("dtype", ["f4", "i4", "u4"])
@pytest.mark.parametrize("tile", [WIDE, IN_SLICES, MANY], ids=["wide", "slices", "many"])
def test_values(tile: Tile, dtype: str, monkeypatch: pytest.MonkeyPatch, watch: Callable[[gp.Device], Traffic]) -> None:
    """Of whole numbers, exactly, again and again: counts are 0 after each launch."""
    use(monkeypatch, tile)
    device, traffic = gp.device(SIMULATOR), watch(gp.device(SIMULATOR))
    for m, k, n in ((47, 41, 68), (17, 100, 13), (1, 300, 1)):
        random = np.random.default_rng(k)
        a, b = (random.integers(-9 if dtype != "u4" else 0, 9, each).astype(dtype) for each in ((m, k), (k, n)))
        left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
        before = traffic.dispatches
        gp.matmul(left, right)
        assert traffic.dispatches - before == 1
        for _ in range(3):
            assert np.array_equal(gp.matmul(left, right).numpy(), a @ b)


def at_least_three(value):
    return gp.max(value, 3)


@pytest.mark.parametrize("columns", [68, 79])
def test_finish(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In vectors and in elements."""
    use(monkeypatch, WIDE)
    device, (a, b) = gp.device(SIMULATOR), matrices(np.dtype(np.int32), 47, 41, columns)
    left, right, ones = (gp.asarray(x, device=device) for x in (a, b, np.ones(columns, np.int32)))
    out = gp.matmul(left, right)
    gp.matmul(left, right, out=out, alpha=2, beta=-1, bias=ones)
    assert np.array_equal(out.numpy(), a @ b + 1)
    gp.matmul(left, right, out=out, bias=ones, epilogue=at_least_three)
    assert np.array_equal(out.numpy(), np.maximum(a @ b + 1, 3))


def test_sums_of_floats_are_those_of_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever order the workgroups come: parts are added in the order of the inner dimension."""
    use(monkeypatch, WIDE)
    device = gp.device(SIMULATOR)
    a, b = matrices(np.dtype(np.float32), 33, 200, 35)
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    found = [gp.matmul(left, right).numpy() for _ in range(4)]
    assert_is_product(found[0], a, b)
    assert all(np.array_equal(found[0].view("u4"), each.view("u4")) for each in found[1:])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_one_special_value(value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, WIDE)
    a, b = np.ones((33, 60), np.float32), np.ones((60, 37), np.float32)
    a[32, 59] = b[0, 36] = value
    with np.errstate(all="ignore"):
        wanted = a @ b
    assert np.array_equal(gp.matmul(a, b, device=SIMULATOR), wanted, equal_nan=True)


def test_in_two_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both count in one array, which orders them."""
    use(monkeypatch, WIDE)
    device, (a, b) = gp.device(SIMULATOR), matrices(np.dtype(np.int32), 47, 41, 68)
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    outs = []
    for _ in range(2):
        for stream in (device.stream(), device.stream()):
            with stream:
                outs.append(gp.matmul(left, right))
    assert all(np.array_equal(out.numpy(), a @ b) for out in outs)


def test_in_a_graph_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded before there are counts, and after."""
    use(monkeypatch, WIDE)
    device, (a, b) = gp.device(SIMULATOR), matrices(np.dtype(np.int32), 47, 41, 68)
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    device.plans = None
    for _ in range(2):
        out = gp.zeros((47, 68), gp.i32, device=device)
        with device.record() as graph:
            gp.matmul(left, right, out=out)
        for _ in range(2):
            out.fill(-1)
            graph.replay()
            assert np.array_equal(out.numpy(), a @ b)
        assert np.array_equal(gp.matmul(left, right).numpy(), a @ b)


def test_a_launch_that_ends_early_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its counts are not 0."""
    use(monkeypatch, WIDE)
    device, (a, b) = gp.device(SIMULATOR), matrices(np.dtype(np.int32), 47, 41, 68)
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    for _ in range(3):
        gp.matmul(left, right)
    real = SimulatorDevice.dispatch

    def interrupted(self: SimulatorDevice, *call: Any) -> None:
        real(self, *call[:-1], (10, 1, 1))  # of 12 workgroups
        raise KeyboardInterrupt

    with monkeypatch.context() as changed:
        changed.setattr(SimulatorDevice, "dispatch", interrupted)
        with pytest.raises(KeyboardInterrupt):
            gp.matmul(left, right)
    assert device.plans is None and not device.sequences
    assert np.array_equal(gp.matmul(left, right).numpy(), a @ b)


def test_a_checked_run_has_no_race() -> None:
    """Every access of every workgroup, in three orders of them."""
    tile = Tile(8, 8, 4, 4, 4, stages=3)
    a, b = np.ones((8, 9), np.float32), np.ones((9, 12), np.float32)
    c, parts, counts = np.zeros((8, 12), np.float32), np.zeros(5 * 64, np.float32), np.zeros(2, np.uint32)
    bias = np.zeros((1, 12), np.float32)
    found = gp.check(
        streamed.make_kernel(tile), a, b, c, bias, parts, counts, 1.0, 0.0, 12, 0, tile, Finish(), workgroups=3
    )
    assert {finding.code for finding in found.findings} == set()


@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_parts_by_groups(dtype: str, simulator_with_groups: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workgroups that go on from tile to tile add parts up at the end of each; f32 is multiplied as sums of bf16."""
    tile = UnitTile(64, 64, 64, 2, 128, needs=gp.Capability.MATRIX_GROUPS)
    shape = MatmulShape((), units=(tile,), split=((3, tile),), fills=64, least_steps=1, split_from=1, large=1)
    monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=shape))
    random, device = np.random.default_rng(3), simulator_with_groups
    a, b, bias = (random.integers(-2, 3, each).astype(numpy_dtype(dtype)) for each in ((65, 200), (200, 70), (70,)))
    left, right, added = (gp.asarray(x, device=device) for x in (a, b, bias))
    for _ in range(2):
        assert np.array_equal(gp.matmul(left, right).numpy(), a @ b)
    out = gp.asarray(a @ b, device=device)
    gp.matmul(left, right, out=out, alpha=2, beta=-1, bias=added, epilogue=at_least_three)
    assert np.array_equal(out.numpy(), np.maximum(a @ b + bias, 3))
