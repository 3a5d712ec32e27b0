"""The rows of benchmarks/cpu.py without any compiler: input, the NumPy form, and a check of the whole output.

The arrays come from a fixed seed, so every process that imports this module has the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Arrays = tuple[Any, ...]
ULP = 2.0**-23  # an f32 result that is rounded to nearest is off by half of it, relatively
BINS = 64
MOST_STEPS = 200


@dataclass(frozen=True)
class Workload:
    """What one row computes.

    `check` raises AssertionError unless the outputs, in the order of the kernel's written arrays, are right.
    `numpy` computes the same from `inputs` without conversions; None where NumPy has no natural form.
    """

    family: str
    size: tuple[int, ...]
    inputs: Arrays
    check: Callable[..., None]
    numpy: Callable[[], Any] | None = None
    goals: dict[str, float] = field(default_factory=dict)  # ratios to aim at, by peer


def is_close(value: Any, expected: Any, bound: Any) -> None:
    """Assert |value - expected| <= bound everywhere."""
    value = np.asarray(value)
    assert value.shape == np.shape(expected), f"shape {value.shape}, expected {np.shape(expected)}"
    wrong = ~(np.abs(value - expected) <= bound)  # NaN is wrong
    assert not wrong.any(), f"{wrong.sum()} of {wrong.size} elements are wrong"


def is_equal(value: Any, expected: Any) -> None:
    """Assert equality everywhere."""
    assert np.array_equal(value, expected), f"{(value != expected).sum()} elements differ"


def _random(count: int, seed: int = 0, dtype: Any = np.float32) -> Any:
    return np.random.default_rng(seed).random(count, dtype=dtype)


# ---------------------------------------------------------------- matmul, reductions, element-wise


def matmul(dtype: Any, m: int, k: int, n: int) -> Workload:
    """a @ b."""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((m, k), dtype=dtype), rng.standard_normal((k, n), dtype=dtype)
    out = np.empty((m, n), dtype)

    def check(product: Any) -> None:
        wide = np.float64 if dtype == np.float32 else dtype
        # For any order of summation, twice: of the result and, in f64, of the reference.
        bound = 2 * k * np.finfo(dtype).eps * (np.abs(a).astype(wide) @ np.abs(b).astype(wide))
        is_close(product, a.astype(wide) @ b.astype(wide), bound)

    goals = {"numpy": 0.95, "pocl": 8.0} if dtype == np.float32 else {"numpy": 0.9}
    return Workload("matmul", (m, k, n), (a, b), check, lambda: np.matmul(a, b, out=out), goals)


def reduction(name: str, log_n: int) -> Workload:
    """sum, min, max or dot."""
    x, y = _random(1 << log_n), _random(1 << log_n, 1)
    if name in ("sum", "dot"):  # up to 2**24 zeros and ones: exact in any order
        x, y = np.round(x), np.round(y)
    compute: dict[str, Callable[[Any, Any], Any]] = {
        "sum": lambda x, y: x.sum(), "min": lambda x, y: x.min(), "max": lambda x, y: x.max(),
        "dot": lambda x, y: x @ y,
    }  # fmt: skip

    def check(result: Any) -> None:
        is_equal(np.ravel(result)[0], np.float32(compute[name](x.astype(np.float64), y.astype(np.float64))))

    inputs = (x, y) if name == "dot" else (x,)
    return Workload(name, (1 << log_n,), inputs, check, lambda: compute[name](x, y), {"numpy": 0.95})


def add(log_n: int, goal: float) -> Workload:
    """x + y."""
    x, y = _random(1 << log_n), _random(1 << log_n, 1)
    out = np.empty_like(x)
    return Workload(
        "add", x.shape, (x, y), lambda z: is_equal(z, x + y), lambda: np.add(x, y, out=out), {"numpy": goal}
    )


def four(log_n: int) -> Workload:
    """sqrt(a * x + y * y) - z, four operations and a root in one kernel; NumPy makes an array for each."""
    x, y, z = (_random(1 << log_n, seed) for seed in range(3))
    a = np.float32(2.5)

    def check(result: Any) -> None:
        wide = [v.astype(np.float64) for v in (x, y, z)]
        is_close(result, np.sqrt(a * wide[0] + wide[1] * wide[1]) - wide[2], 4 * 2.0 * ULP)

    return Workload("four", x.shape, (a, x, y, z), check, lambda: np.sqrt(a * x + y * y) - z, {"numpy": 4.0})


def function(name: str, log_n: int) -> Workload:
    """exp or sin of numbers from -10 to 10."""
    x = _random(1 << log_n) * np.float32(20) - np.float32(10)
    out, compute = np.empty_like(x), getattr(np, name)

    def check(result: Any) -> None:
        expected = compute(x.astype(np.float64))
        is_close(result, expected, 4 * ULP * np.abs(expected) + 2.0**-21 * (name == "sin"))

    return Workload(name, x.shape, (x,), check, lambda: compute(x, out=out), {"numpy": 1.0})


# ---------------------------------------------------------------- the examples


def _escape_steps(c: Any, most: int) -> Any:
    z, steps, alive = np.zeros_like(c), np.full(c.shape, most), np.ones(c.shape, bool)
    for step in range(most):
        gone = alive & (z.real**2 + z.imag**2 > 4)
        steps[gone] = step
        alive &= ~gone
        z[alive] = z[alive] ** 2 + c[alive]
    return steps


def mandelbrot(width: int, height: int) -> Workload:
    """Steps to escape. Rounding moves a point a little: a count is one of those of the points around."""
    pixel = 3.0 / width
    corner = (-2.2, -pixel * height / 2)

    def check(image: Any) -> None:
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        c = corner[0] + x * pixel + 1j * (corner[1] + y * pixel)
        near = [_escape_steps(c + 2e-6 * (i + 1j * j), MOST_STEPS) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        low, high = np.minimum.reduce(near), np.maximum.reduce(near)
        inside = (low <= image) & (image <= high)
        # Nine samples do not find all counts that a chaotic point near the edge of the set can have.
        assert inside.mean() > 0.999, f"{(~inside).sum()} of {image.size} counts are wrong"

    return Workload("mandelbrot", (width, height), (*corner, pixel), check, None, {"numba": 5.0, "numba fastmath": 5.0})


SECONDS, SOFTENING = 0.01, 0.05


def nbody(count: int) -> Workload:
    """One step of `count` bodies: positions, velocities, masses."""
    rng = np.random.default_rng(1)
    position, velocity = (rng.standard_normal((count, 3), dtype=np.float32) for _ in range(2))
    mass = (rng.random(count) / count).astype(np.float32)

    def check(new_position: Any, new_velocity: Any) -> None:
        p, v, m = (part.astype(np.float64) for part in (position, velocity, mass))
        acceleration, bound = np.empty_like(p), np.empty_like(p)
        for i in range(count):
            offset = p - p[i]
            pull = offset * (m * ((offset * offset).sum(1) + SOFTENING**2) ** -1.5)[:, None]
            acceleration[i], bound[i] = pull.sum(0), np.abs(pull).sum(0)
        v = v + acceleration * SECONDS
        off = (bound * SECONDS * (count / 2 + 20) + np.abs(v)) * ULP
        is_close(new_velocity, v, off)
        is_close(new_position, p + v * SECONDS, off * SECONDS + 2 * np.abs(p) * ULP + np.abs(v) * SECONDS * ULP)

    return Workload("nbody", (count,), (position, velocity, mass), check, None, {"numba": 1.0, "numba fastmath": 1.0})


def histogram(log_n: int) -> Workload:
    """Counts of multiples of 1/16, whose bins are computed exactly."""
    values = np.random.default_rng(2).integers(-64, 64, 1 << log_n).astype(np.float32) / 16
    expected, _ = np.histogram(values, bins=BINS, range=(-4.0, 4.0))
    return Workload(
        "histogram", (values.size,), (values,), lambda counts: is_equal(counts, expected),
        lambda: np.histogram(values, bins=BINS, range=(-4.0, 4.0)), {"numba": 1.0, "numba fastmath": 1.0},
    )  # fmt: skip


RATE, VOLATILITY = 0.03, 0.2


def black_scholes(log_n: int) -> Workload:
    """Prices of calls and puts."""
    rng = np.random.default_rng(3)
    spot, strike, years = (
        rng.uniform(low, high, 1 << log_n).astype(np.float32) for low, high in ((50, 150), (50, 150), (0.25, 2))
    )

    def check(call: Any, put: Any) -> None:
        s, k, t = (part.astype(np.float64) for part in (spot, strike, years))
        spread = VOLATILITY * np.sqrt(t)
        d1 = (np.log(s / k) + (RATE + VOLATILITY**2 / 2) * t) / spread
        normal = np.vectorize(lambda x: 0.5 * math.erfc(-x * math.sqrt(0.5)))
        discounted = k * np.exp(-RATE * t)
        is_close(call, s * normal(d1) - discounted * normal(d1 - spread), 150 * 2.0**-18)
        is_close(put, discounted * normal(spread - d1) - s * normal(-d1), 150 * 2.0**-18)

    return Workload(
        "black_scholes", spot.shape, (spot, strike, years), check, None, {"numba": 1.0, "numba fastmath": 1.0}
    )


def heat(side: int) -> Workload:
    """One step of a plate."""
    plate = np.random.default_rng(6).random((side, side), dtype=np.float32)
    after = np.empty_like(plate)

    def step() -> Any:
        edge = np.pad(plate, 1, mode="edge")
        around = edge[:-2, 1:-1] + edge[2:, 1:-1] + edge[1:-1, :-2] + edge[1:-1, 2:]
        return np.add(plate, np.float32(0.2) * (around - np.float32(4) * plate), out=after)

    def check(result: Any) -> None:
        """Assert that both sides are within six roundings of numbers below 8."""
        is_close(result, step().astype(np.float64), 12 * 8 * ULP)

    return Workload("heat", plate.shape, (plate,), check, step, {"numba": 1.0, "numba fastmath": 1.0})


def spmv(rows: int, most: int) -> Workload:
    """A sparse matrix of whole numbers, of up to `most` elements a row in random columns, times a vector."""
    rng = np.random.default_rng(7)
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, most + 1, rows))]).astype(np.int32)
    columns = rng.integers(0, rows, starts[-1]).astype(np.int32)
    values = rng.integers(-9, 10, starts[-1]).astype(np.float32)
    x = rng.integers(-9, 10, rows).astype(np.float32)

    def check(y: Any) -> None:
        sums = np.concatenate([[0.0], np.cumsum(values.astype(np.float64) * x[columns])])
        is_equal(y, sums[starts[1:]] - sums[starts[:-1]])

    return Workload("spmv", (rows,), (starts, columns, values, x), check, None, {"numba": 1.0, "numba fastmath": 1.0})


# ---------------------------------------------------------------- sort, launch


def sort(dtype: Any, log_n: int) -> Workload:
    """Random keys: u32 of all values, or f32."""
    rng = np.random.default_rng(1)
    is_float = dtype == np.float32
    keys = rng.standard_normal(1 << log_n, dtype=dtype) if is_float else rng.integers(0, 2**32, 1 << log_n, dtype=dtype)
    goals = {"numpy": 0.5 if log_n <= 12 else 1.0}
    return Workload("sort", keys.shape, (keys,), lambda x: is_equal(x, np.sort(keys)), lambda: np.sort(keys), goals)


def launch(family: str, count: int) -> Workload:
    """x += 1 of `count` elements: the cost is that of the launch."""
    x = np.zeros(count, np.float32)
    return Workload(family, (count,), (x,), lambda y: is_equal(y, x + 1))


F32_SHAPES = ((512,) * 3, (1024,) * 3, (2048,) * 3, (1000, 999, 1001), (513, 1030, 257))
F64_SHAPES = ((512,) * 3, (1024,) * 3)


def _rows() -> dict[str, Callable[[], Workload]]:
    rows: dict[str, Callable[[], Workload]] = {}
    for dtype, name, shapes in ((np.float32, "f32", F32_SHAPES), (np.float64, "f64", F64_SHAPES)):
        for shape in shapes:
            text = str(shape[0]) if len(set(shape)) == 1 else "x".join(map(str, shape))
            rows[f"matmul {name} {text}"] = lambda dtype=dtype, shape=shape: matmul(dtype, *shape)
    for name in ("sum", "min", "max", "dot"):
        for log_n in (16, 24):
            rows[f"{name} 2^{log_n}"] = lambda name=name, log_n=log_n: reduction(name, log_n)
    rows["add 2^20"], rows["add 2^24"] = lambda: add(20, 0.9), lambda: add(24, 1.2)
    rows["four 2^20"], rows["four 2^24"] = lambda: four(20), lambda: four(24)
    rows["exp 2^20"], rows["sin 2^20"] = lambda: function("exp", 20), lambda: function("sin", 20)
    rows["mandelbrot 1024x768"] = lambda: mandelbrot(1024, 768)
    rows["nbody 4096"] = lambda: nbody(4096)
    rows["histogram 2^22"] = lambda: histogram(22)
    rows["black_scholes 2^20"] = lambda: black_scholes(20)
    rows["heat 2048x2048"] = lambda: heat(2048)
    rows["spmv 2^17"] = lambda: spmv(1 << 17, 40)
    for dtype, name in ((np.uint32, "u32"), (np.float32, "f32")):
        for log_n in (12, 16, 20, 24):
            rows[f"sort {name} 2^{log_n}"] = lambda dtype=dtype, log_n=log_n: sort(dtype, log_n)
    for family in ("launch", "queue"):
        for count in (64, 4096, 64000):
            rows[f"{family} {count}"] = lambda family=family, count=count: launch(family, count)
    return rows


ROWS = _rows()
"""By name, in the order of the table: makes the workload."""
