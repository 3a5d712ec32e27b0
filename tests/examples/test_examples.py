"""The ten examples agree with NumPy on every backend: whole outputs, at sizes that no workgroup divides."""

from __future__ import annotations

import math
import runpy
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.simulator.device import COOPERATIVE_VARIABLE
from gpucore.testing import available_devices
from gpucore.testing.checked_calls import checked_calls
from gpucore.testing.checks import skip_without

Load = Callable[[str], ModuleType]
EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("shape", [(1, 1), (16, 33), (37, 21)])
def test_transpose(device: gp.Device, example: Load, shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    np.testing.assert_array_equal(example("transpose").transpose(matrix, device), matrix.T)


@pytest.mark.parametrize("size", [1, 1024, 2311])
def test_histogram(device: gp.Device, example: Load, size: int) -> None:
    # Multiples of 1/16: the place of each value is computed exactly in f32.
    values = np.random.default_rng(2).integers(-80, 80, size).astype(np.float32) / 16
    expected, _ = np.histogram(values[values < 4], bins=32, range=(-4.0, 4.0))
    np.testing.assert_array_equal(example("histogram").histogram(values, 32, -4.0, 4.0, device), expected)


@pytest.mark.parametrize("size", [1, 256, 257, 1900])
def test_scan(device: gp.Device, example: Load, size: int) -> None:
    values = np.random.default_rng(3).integers(-(2**31), 2**31, size).astype(np.int32)
    np.testing.assert_array_equal(example("scan").scan(values, device).numpy(), np.cumsum(values, dtype=np.int32))


def test_scan_of_scans(device: gp.Device, example: Load) -> None:
    """More blocks than one block holds."""
    if device.backend.name == "simulator":
        pytest.skip("65,793 invocations with barriers take minutes on the simulator")
    values = np.random.default_rng(4).integers(-9, 10, 257 * 256 + 1).astype(np.int32)
    np.testing.assert_array_equal(example("scan").scan(values, device).numpy(), np.cumsum(values, dtype=np.int32))


def test_nbody(device: gp.Device, example: Load) -> None:
    module, random = example("nbody"), np.random.default_rng(5)
    bodies = np.zeros(71, module.Body.dtype)
    bodies["position"][:, :3] = random.normal(size=(71, 3))
    bodies["velocity"][:, :3] = random.normal(size=(71, 3))
    bodies["mass"] = random.random(71) / 10
    moved = module.simulate(bodies, 2, device=device)
    place, velocity = bodies["position"].astype(float), bodies["velocity"].astype(float)
    for _ in range(2):
        way = place[None] - place[:, None]
        inverse = 1 / np.sqrt((way**2).sum(axis=2) + 0.05**2)
        velocity = velocity + (way * (bodies["mass"] * inverse**3)[:, :, None]).sum(axis=1) * 0.01
        place = place + velocity * 0.01
    # 71 terms in f32, each within about ten roundings of its own size; the largest is softened mass / softening**2.
    largest = float(bodies["mass"].max()) / 0.05**2
    off = 2 * 71 * 10 * 2.0**-24 * largest * 0.01
    np.testing.assert_allclose(moved["velocity"], velocity, rtol=1e-6, atol=off)
    np.testing.assert_allclose(moved["position"], place, rtol=1e-6, atol=off)
    np.testing.assert_array_equal(moved["mass"], bodies["mass"])


def escape(c: Any, most: int) -> Any:
    """Steps until each point escapes, in double precision."""
    z, steps = np.zeros_like(c), np.full(c.shape, most, np.int32)
    for step in range(most):
        steps = np.where((steps == most) & (np.abs(z) ** 2 > 4), step, steps)
        z = np.where(np.abs(z) ** 2 > 4, z, z * z + c)
    return steps


def test_mandelbrot(device: gp.Device, example: Load) -> None:
    """Rounding moves a point a little: its count is one of those of the points around it."""
    width, height, most = 45, 31, 50
    image = example("mandelbrot").mandelbrot(width, height, most, device)
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    pixel = 3.0 / width
    c = -2.2 + x * pixel + 1j * (-pixel * height / 2 + y * pixel)
    near = [escape(c + 2e-6 * (i + 1j * j), most) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    low, high = np.minimum.reduce(near), np.maximum.reduce(near)
    assert image.shape == (height, width)
    assert ((low <= image) & (image <= high)).all()
    assert (low == high).mean() > 0.95


@pytest.mark.parametrize("shape", [(1, 1), (19, 35)])
def test_heat(device: gp.Device, example: Load, shape: tuple[int, int]) -> None:
    plate = np.random.default_rng(6).random(shape).astype(np.float32)
    expected = plate.astype(float)
    for _ in range(3):
        edge = np.pad(expected, 1, mode="edge")
        around = edge[:-2, 1:-1] + edge[2:, 1:-1] + edge[1:-1, :-2] + edge[1:-1, 2:]
        expected = expected + 0.2 * (around - 4 * expected)
    # Three steps of six roundings of numbers below 8.
    np.testing.assert_allclose(example("heat").heat(plate, 3, device=device), expected, rtol=0, atol=18 * 8 * 2.0**-24)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_spmv(device: gp.Device, example: Load, dtype: type) -> None:
    if dtype is np.float64:
        skip_without(device, gp.Capability.F64)
    module, random = example("spmv"), np.random.default_rng(7)
    # Whole numbers: the sums are exact in any order and precision.
    matrix = random.integers(-9, 10, (143, 57)) * (random.random((143, 57)) < 0.1)
    matrix[5:20] = 0
    x = random.integers(-9, 10, 57)
    y = module.spmv(*module.compress(matrix.astype(dtype)), x.astype(dtype), device)
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, matrix @ x)


def test_black_scholes(device: gp.Device, example: Load) -> None:
    random = np.random.default_rng(8)
    spot, strike, years = (random.uniform(low, high, 301) for low, high in ((50, 150), (50, 150), (0.25, 2)))
    call, put = example("black_scholes").black_scholes(spot, strike, years, 0.03, 0.25, device)
    spot, strike, years = (part.astype(np.float32).astype(float) for part in (spot, strike, years))
    erf = np.vectorize(math.erf)
    spread = 0.25 * np.sqrt(years)
    d1 = (np.log(spot / strike) + (0.03 + 0.25**2 / 2) * years) / spread
    d2, discounted = d1 - spread, strike * np.exp(-0.03 * years)
    first, second = (0.5 * (1 + erf(d * np.sqrt(0.5))) for d in (d1, d2))
    # erf is within 16 ulp, exp, log, sqrt and / within a few, of numbers up to 1; what moves d1 moves d2 as well, and
    # leaves the price nearly as it is: together at most 86 * 2**-23 of spot and strike.
    bound = 86 * 2.0**-23 * (spot + strike)
    assert (np.abs(call - (spot * first - discounted * second)) <= bound).all()
    assert (np.abs(put - (discounted * (1 - second) - spot * (1 - first))) <= bound).all()


def test_kmeans(device: gp.Device, example: Load) -> None:
    random = np.random.default_rng(9)
    # Multiples of 1/16: distances and sums are exact in f32, so no order of the atomics changes them.
    points = random.integers(-160, 160, (301, 2)).astype(np.float32) / 16
    centres = np.concatenate([random.integers(-160, 160, (6, 2)) / 16, [[1000.0, 1000.0]]]).astype(np.float32)
    labels, moved = example("kmeans").kmeans_step(points, centres, device)
    nearest = ((points[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(labels, nearest)
    means = [points[nearest == k].astype(float).mean(axis=0) for k in range(6)]
    np.testing.assert_allclose(moved, [*means, centres[6]], rtol=2.0**-23, atol=0)


@pytest.mark.parametrize("shape", [(1, 1), (17, 30)])
def test_life(device: gp.Device, example: Load, shape: tuple[int, int]) -> None:
    cells = np.random.default_rng(10).integers(0, 2, shape).astype(np.int32)
    expected = cells
    for _ in range(3):
        turned = [np.roll(expected, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
        neighbours = np.sum(turned, axis=0)
        expected = ((neighbours == 3) | ((neighbours == 2) & (expected == 1))).astype(np.int32)
    np.testing.assert_array_equal(example("life").life(cells, 3, device), expected)


DTYPES = {gp.f32: 1e-5, gp.f16: 3e-3, gp.bf16: 3e-2}
"""How much attention may be off."""


@pytest.mark.parametrize(
    ("shape", "causal"), [((1, 37, 45, 64), False), ((2, 33, 21, 17), True), ((2, 17, 20, 100), True)]
)
def test_attention(device: gp.Device, example: Load, shape: tuple[int, int, int, int], causal: bool) -> None:
    """With a mask in every dtype; without, and of many columns, in one that is another on the next device."""
    dtypes = [dtype for dtype in DTYPES if dtype is not gp.f16 or device.supports("f16")]
    if shape[3] != 17:
        dtypes = dtypes[(available_devices().index(device.backend.name) + (shape[3] == 64)) % len(dtypes) :][:1]
    check_attention(device, example("attention"), shape, causal, dtypes)


def check_attention(
    device: gp.Device, module: ModuleType, shape: tuple[int, int, int, int], causal: bool, dtypes: Iterable[Any]
) -> None:
    """Of some dtypes; NumPy has no bf16."""
    random, (heads, rows, keys, depth) = np.random.default_rng(11), shape
    q, k, v = (random.normal(size=(heads, each, depth)).astype("f4") for each in (rows, keys, keys))
    for dtype in dtypes:
        given = [gp.asarray(x, device=device).astype(dtype) for x in (q, k, v)]
        found = module.attention_of(*given, causal)
        wanted = module.expected(*(x.astype(gp.f32).numpy() for x in given), causal)
        assert found.dtype is dtype and np.abs(found.astype(gp.f32).numpy() - wanted).max() < DTYPES[dtype]


@pytest.mark.parametrize("dtype", [gp.f16, gp.bf16], ids=["f16", "bf16"])
def test_attention_by_groups(simulator_with_groups: gp.Device, example: Load, dtype: Any) -> None:
    """By the tiles for devices whose groups of 128 invocations multiply, which they do not for f32."""
    check_attention(simulator_with_groups, example("attention"), (2, 70, 150, 64), True, [dtype])


@pytest.mark.parametrize("dtype", DTYPES, ids=["f32", "f16", "bf16"])
def test_attention_by_cooperative_matrices(monkeypatch: pytest.MonkeyPatch, example: Load, dtype: Any) -> None:
    gp.device("simulator").close()
    monkeypatch.setenv(COOPERATIVE_VARIABLE, "16")
    with gp.device("simulator") as device:
        check_attention(device, example("attention"), (1, 37, 45, 64), True, [dtype])


WHOLE = np.arange(60).reshape(20, 3)
SMALL: dict[str, tuple[Any, ...]] = {
    "transpose": (WHOLE,),
    "histogram": (WHOLE.ravel(), 7, 0.0, 50.0),
    "scan": (np.arange(300),),
    "heat": (WHOLE, 2),
    "spmv": (np.array([0, 2, 2, 3]), np.array([0, 2, 1]), np.array([1, 2, 3], np.float32), np.ones(3, np.float32)),
    "black_scholes": (*(np.linspace(50, 60, 9) for _ in range(3)), 0.03, 0.2),
    "mandelbrot": (17, 5, 9),
    "life": (WHOLE % 2, 2),
    "kmeans": (WHOLE[:, :2], WHOLE[:2, :2]),
    "nbody": (5,),
    "attention": tuple(np.ones((2, rows, 64), np.float16) for rows in (17, 18, 18)),
}
FUNCTION = {"kmeans": "kmeans_step", "nbody": "simulate"}


@pytest.mark.parametrize("name", NAMES)
def test_an_example_has_no_races(name: str, example: Load) -> None:
    """Every call of a kernel, checked on copies: races, barriers, indices, what was never written, and the order."""
    module, arguments = example(name), SMALL[name]
    if name == "nbody":
        arguments = (np.ones(5, module.Body.dtype), 2)
    with checked_calls(schedules=2) as calls:
        getattr(module, FUNCTION.get(name, name))(*arguments, device="simulator")
    assert calls.checked >= 1
    assert calls.reports == []


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_a_program(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [f"{name}.py", "--device", "cpu"])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert gp.device("cpu").name in shown
    assert "WRONG" not in shown


def test_there_are_ten_short_examples_and_a_longer_one() -> None:
    lengths = {name: len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) for name in NAMES}
    assert lengths.pop("attention") < 150
    assert len(lengths) == 10
    assert {name: length for name, length in lengths.items() if length >= 60} == {}
