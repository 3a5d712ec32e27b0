"""Products by units in one launch whose inner dimension is split: the last workgroup of a tile adds up the parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from driver_traffic import Traffic

import gpucore as gp
from gpucore.algorithms import shapes
from gpucore.algorithms.matmul import units
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.shapes import MatmulShape, Shapes, UnitTile
from gpucore.runtime.protocol import DeviceKind

SIMULATOR = "simulator"
TILE = UnitTile(16, 32, 16, 2, 32)
LENGTHS = ((30, 133, 60), (33, 100, 13), (1, 70, 1))
Host = npt.NDArray[Any]


@pytest.fixture
def gathering(monkeypatch: pytest.MonkeyPatch) -> Iterator[gp.Device]:
    """The simulator with a table by which parts of small products are added up so. Its plans are forgotten after."""
    shape = MatmulShape((), fills=64, most_parts=4, least_steps=1, units=(TILE,), split=(), gathered_from=1)
    monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=shape))
    device = gp.device(SIMULATOR)
    yield device
    device.plans = None


def whole_numbers(m: int, k: int, n: int) -> tuple[Host, Host, Host]:
    """Two matrices of f16, and their product, of which each sum is exact."""
    random = np.random.default_rng(k)
    a, b = (random.integers(-3, 4, shape).astype(np.float16) for shape in ((m, k), (k, n)))
    return a, b, (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
def test_values(gathering: gp.Device, lengths: tuple[int, int, int], watch: Callable[[gp.Device], Traffic]) -> None:
    """Again and again: counts are 0 after each launch."""
    a, b, wanted = whole_numbers(*lengths)
    left, right = gp.asarray(a, device=gathering), gp.asarray(b, device=gathering)
    traffic = watch(gathering)
    gp.matmul(left, right)
    assert traffic.dispatches == 1
    for _ in range(3):
        assert np.array_equal(gp.matmul(left, right).numpy(), wanted)


def test_more_parts_and_small_products_have_two_launches(
    gathering: gp.Device, monkeypatch: pytest.MonkeyPatch, watch: Callable[[gp.Device], Traffic]
) -> None:
    a, b, wanted = whole_numbers(30, 133, 60)
    left, right = gp.asarray(a, device=gathering), gp.asarray(b, device=gathering)
    for changed in ({"gathered_from": 1801}, {"most_gathered": 2}):
        shape = MatmulShape(
            (), fills=64, most_parts=4, least_steps=1, units=(TILE,), split=(), **{"gathered_from": 1, **changed}
        )
        monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=shape))
        traffic = watch(gathering)
        assert np.array_equal(gp.matmul(left, right).numpy(), wanted)
        assert traffic.dispatches == 2


def test_sums_of_floats_are_those_of_every_run(gathering: gp.Device) -> None:
    """In whatever order the workgroups come: parts are added in the order of the inner dimension."""
    random = np.random.default_rng(1)
    left, right = (gp.asarray(random.normal(size=each).astype("f2"), device=gathering) for each in ((33, 90), (90, 35)))
    found = [gp.matmul(left, right).numpy() for _ in range(4)]
    assert all(np.array_equal(found[0].view("u2"), each.view("u2")) for each in found[1:])
    a, b = left.numpy().astype(np.float64), right.numpy().astype(np.float64)
    assert (np.abs(found[0] - a @ b) <= 2.0**-11 * np.abs(a @ b) + 2 * 90 * 2.0**-24 * (np.abs(a) @ np.abs(b))).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_one_special_value(gathering: gp.Device, value: float) -> None:
    a, b = np.ones((33, 60), np.float16), np.ones((60, 37), np.float16)
    a[32, 59] = b[0, 36] = value
    with np.errstate(all="ignore"):
        wanted = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    assert np.array_equal(gp.matmul(a, b, device=SIMULATOR), wanted, equal_nan=True)


def test_in_two_streams(gathering: gp.Device) -> None:
    """Both count in one array, which orders them."""
    a, b, wanted = whole_numbers(*LENGTHS[0])
    left, right = gp.asarray(a, device=gathering), gp.asarray(b, device=gathering)
    outs = []
    for _ in range(2):
        for stream in (gathering.stream(), gathering.stream()):
            with stream:
                outs.append(gp.matmul(left, right))
    assert all(np.array_equal(out.numpy(), wanted) for out in outs)


def test_in_a_graph_of_the_program(gathering: gp.Device) -> None:
    """Recorded before there are counts, and after."""
    a, b, wanted = whole_numbers(*LENGTHS[0])
    left, right = gp.asarray(a, device=gathering), gp.asarray(b, device=gathering)
    gathering.plans = None
    for _ in range(2):
        out = gp.zeros(wanted.shape, gp.f16, device=gathering)
        with gathering.record() as graph:
            gp.matmul(left, right, out=out)
        for _ in range(2):
            out.fill(-1)
            graph.replay()
            assert np.array_equal(out.numpy(), wanted)
        assert np.array_equal(gp.matmul(left, right).numpy(), wanted)


@pytest.mark.parametrize("precision", ["highest", "fast"])
def test_f32_with_a_finish(
    gathering: gp.Device, monkeypatch: pytest.MonkeyPatch, precision: str, watch: Callable[[gp.Device], Traffic]
) -> None:
    """Whole numbers, of which each product and sum is exact."""
    rounded = (UnitTile(16, 32, 8, 2, 32),)
    shape = MatmulShape(
        (), fills=64, most_parts=4, least_steps=1, units=(TILE,), split=(), rounded=rounded, gathered_from=1,
        split_from=1, large=1,
    )  # fmt: skip
    monkeypatch.setitem(shapes.SHAPES, DeviceKind.SOFTWARE, Shapes(matmul=shape))
    a, b, _ = whole_numbers(31, 72, 52)
    left, right = (gp.asarray(each.astype(np.float32), device=gathering) for each in (a, b))
    bias, out = gp.arange(52, dtype=gp.f32, device=gathering), gp.ones((31, 52), device=gathering)
    wanted = 2 * (a.astype(np.float32) @ b.astype(np.float32)) - 3 + np.arange(52, dtype=np.float32)
    traffic = watch(gathering)
    gp.matmul(left, right, out=out, alpha=2, beta=-3, bias=bias, precision=precision)
    assert traffic.dispatches == 1
    assert np.array_equal(out.numpy(), wanted)


def test_a_checked_run_has_no_race() -> None:
    """Every access of every workgroup, in several orders of them."""
    a, b = np.ones((1, 8, 20), np.float16), np.ones((1, 20, 12), np.float16)
    c, sums, counts = np.zeros((1, 8, 12), np.float16), np.zeros((2, 1, 8, 12), np.float32), np.zeros(1, np.uint32)
    bias, kernel = np.zeros((1, 12), np.float16), units.make_gathering_kernel(32, 1)
    found = gp.check(
        kernel, a, b, c, bias, sums, counts, 1.0, 0.0, 16, 20, UnitTile(16, 16, 16, 2, 32), Finish(), workgroups=(1, 2)
    )
    assert {finding.code for finding in found.findings} == set()
