"""Arrays of gp.random: element i is what the seed and i make of it, on every backend, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import random_reference as reference
from sort_order import bits_of, is_supported
from turns import Turns

import gpucore as gp
from gpucore.random import fill

SIZES = (0, 1, 2, 3, 4, 5, 7, 257, 1025)
SEEDS = (0, 1, 2**32, 2**64 - 1)
MAKERS: dict[str, Callable[..., gp.Array]] = {
    "uniform": lambda shape, **more: gp.random.uniform(shape, 11, low=-1.5, high=3.1, **more),
    "normal": lambda shape, **more: gp.random.normal(shape, 11, mean=1.1, std=0.7, **more),
    "integers": lambda shape, **more: gp.random.integers(shape, 11, -70, 7, **more),
}
each_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def needs(device: gp.Device, dtype: str) -> None:
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} has no {dtype}")


@pytest.mark.parametrize("seed", SEEDS)
def test_uniform(device: gp.Device, seed: int) -> None:
    for n in SIZES:
        got = gp.random.uniform(n, seed, device=device)
        assert got.dtype is gp.f32 and got.shape == (n,) and got.device is device
        assert np.array_equal(got.numpy().astype(np.float64), reference.uniform(seed, n))


@pytest.mark.parametrize("seed", SEEDS)
def test_uniform_f64(device: gp.Device, seed: int) -> None:
    needs(device, "f64")
    for n in SIZES:
        got = gp.random.uniform(n, seed, dtype=gp.f64, device=device)
        assert got.dtype is gp.f64
        assert np.array_equal(got.numpy(), reference.uniform_53(seed, n))


BOUNDS = [(-1.5, 3.1), (1e8, 1e8 + 24), (-3.0, -0.1), (1.0, 1 + 2.0**-23), (-1.6e38, 1.7e38)]


@pytest.mark.parametrize(("low", "high"), BOUNDS)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_uniform_between_bounds(device: gp.Device, dtype: str, low: float, high: float) -> None:
    """The product and the sum are rounded one by one, and no number is `high`."""
    needs(device, dtype)
    made = reference.uniform(3, 1025) if dtype == "f32" else reference.uniform_53(3, 1025)
    got = gp.random.uniform(1025, 3, low=low, high=high, dtype=getattr(gp, dtype), device=device).numpy()
    first, end, u = got.dtype.type(low), got.dtype.type(high), made.astype(got.dtype)
    want = np.minimum(first + u * (end - first), np.nextafter(end, first))
    assert np.array_equal(bits_of(got), bits_of(want))
    assert got.min() >= first and got.max() < end


@pytest.mark.parametrize("seed", SEEDS)
def test_normal(device: gp.Device, seed: int) -> None:
    """Near the exact numbers, and equal to those of the simulator."""
    words = reference.words_of(seed, 1028)
    exact = reference.normal(words[::2], words[1::2]).reshape(-1)
    same = gp.random.normal(SIZES[-1], seed, device="simulator").numpy()
    for n in SIZES:
        got = gp.random.normal(n, seed, device=device).numpy()
        assert np.all(np.abs(got - exact[:n]) <= 2.0**-24 + np.spacing(np.abs(got)) / 2)
        assert np.array_equal(bits_of(got), bits_of(same[:n]))


@pytest.mark.parametrize(("mean", "std"), [(1.1, 0.7), (-1e4, 3e-3), (0.0, 2.9), (5.0, 0.0), (1e38, 3e37)])
def test_normal_with_mean_and_deviation(device: gp.Device, mean: float, std: float) -> None:
    """The product and the sum are rounded one by one."""
    got = gp.random.normal(1025, 5, mean=mean, std=std, device=device).numpy()
    x = gp.random.normal(1025, 5, device=device).numpy()
    assert np.array_equal(bits_of(got), bits_of(np.float32(mean) + x * np.float32(std)))


RANGES = {
    "i32": [(-70, 7), (0, 1), (-(2**31), 2**31), (5, 2**31), (-(2**31), 3)],
    "u32": [(0, 7), (0, 2**32), (3, 2**32 - 1), (2**32 - 1, 2**32)],
    "i64": [(-70, 7), (-(2**63), 2**63), (-3, 2**40), (-(2**63), 2**62)],
    "u64": [(0, 7), (0, 2**64), (2**63, 2**64 - 1)],
}


@pytest.mark.parametrize(("dtype", "low", "high"), [(name, *pair) for name, pairs in RANGES.items() for pair in pairs])
def test_integers(device: gp.Device, dtype: str, low: int, high: int) -> None:
    needs(device, dtype)
    for n, seed in ((0, 1), (1, 1), (257, 2**64 - 3)):
        got = gp.random.integers(n, seed, low, high, dtype=getattr(gp, dtype), device=device)
        assert got.numpy().tolist() == reference.integers(seed, n, low, high)


@each_maker
def test_an_array_begins_as_a_longer_one_does(make: Callable[..., gp.Array], device: gp.Device) -> None:
    longer = make(1030, device=device).numpy()
    for n in SIZES:
        assert np.array_equal(bits_of(make(n, device=device).numpy()), bits_of(longer[:n]))


@each_maker
@pytest.mark.parametrize("shape", [(), (3, 7), (1, 1), (2, 3, 5), (4, 0), (2, 1, 3, 1)])
def test_a_shape_is_filled_in_row_major_order(
    make: Callable[..., gp.Array], shape: tuple[int, ...], device: gp.Device
) -> None:
    got = make(shape, device=device)
    assert got.shape == shape
    assert np.array_equal(got.numpy(), make(got.size, device=device).numpy().reshape(shape))


def test_the_size_of_a_workgroup_does_not_matter(device: gp.Device, turns: Turns) -> None:
    want = gp.random.normal(500, 2**32 + 9, device=device).numpy()
    for number, size in enumerate((1, 32, 96)):
        if not turns.has(number, 2):
            continue
        out = gp.empty(500, device=device)
        kernel = gp.kernel(workgroup_size=size)(fill.normal_f32.__wrapped__)
        kernel(out, (9, 1), 0.0, 1.0, 0, invocations=125)
        assert np.array_equal(bits_of(out.numpy()), bits_of(want))


def test_seeds_differ(device: gp.Device) -> None:
    made = [gp.random.integers(8, seed, 0, 2**32, dtype=gp.u32, device=device).numpy() for seed in SEEDS]
    assert len({row.tobytes() for row in made}) == len(SEEDS)


def test_numbers_of_numpy_are_taken() -> None:
    got = gp.random.integers(np.int64(9), np.uint64(2**64 - 1), np.int8(-3), np.int16(4), dtype=np.int32, device="cpu")
    assert got.numpy().tolist() == reference.integers(2**64 - 1, 9, -3, 4)


def test_without_a_device_the_default_one_is_used() -> None:
    with gp.use("simulator"):
        assert gp.random.uniform(3, 1).device is gp.device("simulator")


@pytest.mark.parametrize(("call", "message"), [
    (lambda: gp.random.uniform(3, -1), "a seed is a whole number from 0 to 2\\*\\*64 - 1, not -1"),
    (lambda: gp.random.normal(3, 2**64), "a seed is a whole number from 0 to 2\\*\\*64 - 1"),
    (lambda: gp.random.integers(3, 1.0, 0, 2), "seed must be a whole number, not 1.0"),
    (lambda: gp.random.uniform(3, True), "seed must be a whole number, not True"),
    (lambda: gp.random.uniform(3, None), "seed must be a whole number, not None"),
    (lambda: gp.random.uniform(-1, 1), "a shape consists of whole numbers"),
    (lambda: gp.random.uniform(3, 1, low=1, high=1), "low must be below high"),
    (lambda: gp.random.uniform(3, 1, low=1, high=1 + 1e-9), "low must be below high"),
    (lambda: gp.random.uniform(3, 1, low=float("nan")), "low must be below high"),
    (lambda: gp.random.uniform(3, 1, low=-3e38, high=3e38), "high - low finite in f32"),
    (lambda: gp.random.uniform(3, 1, low=float("-inf")), "high - low finite in f32"),
    (lambda: gp.random.uniform(3, 1, high=1e39), "does not fit"),
    (lambda: gp.random.uniform(3, 1, dtype=gp.i32), "uniform makes f32, f64, not"),
    (lambda: gp.random.normal(3, 1, dtype=gp.f64), "normal makes f32, not"),
    (lambda: gp.random.normal(3, 1, std=-1.0), "std of at least 0"),
    (lambda: gp.random.normal(3, 1, std=float("nan")), "std of at least 0"),
    (lambda: gp.random.normal(3, 1, mean=float("inf")), "finite mean"),
    (lambda: gp.random.normal(3, 1, std=1e38), "numbers that fit f32"),
    (lambda: gp.random.integers(3, 1, 4, 4), "low must be below high"),
    (lambda: gp.random.integers(3, 1, 0, 2**31 + 1), "high - 1 in -2147483648 to 2147483647 \\(i32\\)"),
    (lambda: gp.random.integers(3, 1, -1, 3, dtype=gp.u32), "low is -1, high is 3"),
    (lambda: gp.random.integers(3, 1, 0, 2.0), "high must be a whole number, not 2.0"),
    (lambda: gp.random.integers(3, 1, 0, 2, dtype=gp.u8), "integers makes i32, u32, i64, u64, not"),
    (lambda: gp.random.integers(3, 1, 0, 2, dtype="nonsense"), "is not a dtype"),
])  # fmt: skip
def test_what_is_refused(call: Callable[[], Any], message: str) -> None:
    with gp.use("simulator"), pytest.raises(gp.ArgumentError, match=message):
        call()


KEY = np.array([1, 2], np.uint32)


@pytest.mark.parametrize(("kernel", "dtype", "each", "values"), [
    (fill.uniform_f32, "f4", 4, (KEY, 0.0, 1.0, 1.0, 0)), (fill.uniform_f64, "f8", 2, (KEY, 0.0, 1.0, 1.0, 0)),
    (fill.normal_f32, "f4", 4, (KEY, 0.0, 1.0, 0)), (fill.integers_32, "u4", 2, (KEY, 1, 9)),
    (fill.integers_64, "i8", 2, (KEY, 1, 9)),
])  # fmt: skip
def test_check_finds_nothing(kernel: gp.Kernel, dtype: str, each: int, values: tuple[Any, ...]) -> None:
    for n in (1, 5, 70):
        report = gp.check(kernel, np.empty(n, dtype), *values, invocations=-(-n // each))
        assert report.ok, report


@pytest.mark.parametrize("call", [
    lambda device: gp.random.uniform(3, 1, dtype=gp.f64, device=device),
    lambda device: gp.random.integers(3, 1, 0, 9, dtype=gp.u64, device=device),
])  # fmt: skip
def test_a_device_without_the_dtype(call: Callable[[gp.Device], gp.Array]) -> None:
    """The error is about the call, not about gpucore's kernels. OpenGL has integers and floats of 32 bits only."""
    found = [info.id for info in gp.devices() if info.id.startswith("wgpu:opengl")]
    if not found:
        pytest.skip("no device of OpenGL")
    device = gp.device(found[0])
    if device.supports("f64") or device.supports("int64"):
        pytest.skip(f"{device.id} has f64 or int64")
    with pytest.raises(gp.CapabilityError, match=r"(uniform|integers) was given elements of type (f64|u64)"):
        call(device)
