"""The rows of benchmarks/cpu.py for numba: njit, and with fastmath; with prange where there is more than one thread."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from cpu_workloads import BINS, MOST_STEPS, RATE, SECONDS, SOFTENING, VOLATILITY, Workload
from numba import prange


def add(x, y, out):
    for i in prange(out.size):
        out[i] = x[i] + y[i]


def four(a, x, y, z, out):
    for i in prange(out.size):
        out[i] = math.sqrt(a * x[i] + y[i] * y[i]) - z[i]


def exp(x, out):
    for i in prange(out.size):
        out[i] = math.exp(x[i])


def sin(x, out):
    for i in prange(out.size):
        out[i] = math.sin(x[i])


def sum_(x):
    total = np.float32(0)
    for i in prange(x.size):
        total += x[i]
    return total


def min_(x):
    least = np.float32(math.inf)
    for i in prange(x.size):
        least = min(least, x[i])
    return least


def max_(x):
    most = np.float32(-math.inf)
    for i in prange(x.size):
        most = max(most, x[i])
    return most


def dot(x, y):
    total = np.float32(0)
    for i in prange(x.size):
        total += x[i] * y[i]
    return total


def mandelbrot(left, top, pixel, most, image):
    for row in prange(image.shape[0]):
        for column in range(image.shape[1]):
            c_re, c_im = left + np.float32(column) * pixel, top + np.float32(row) * pixel
            re = im = np.float32(0)
            steps = most
            for step in range(most):
                if re * re + im * im > np.float32(4):
                    steps = step
                    break
                re, im = re * re - im * im + c_re, re * im + im * re + c_im
            image[row, column] = steps


def nbody(px, py, pz, vx, vy, vz, mass, seconds, softening, new_position, new_velocity):
    square = softening * softening
    for i in prange(mass.size):
        ax = ay = az = np.float32(0)
        for j in range(mass.size):
            dx, dy, dz = px[j] - px[i], py[j] - py[i], pz[j] - pz[i]
            inverse = np.float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + square)
            pull = mass[j] * inverse * inverse * inverse
            ax += dx * pull
            ay += dy * pull
            az += dz * pull
        new_velocity[0, i] = vx[i] + ax * seconds
        new_velocity[1, i] = vy[i] + ay * seconds
        new_velocity[2, i] = vz[i] + az * seconds
        new_position[0, i] = px[i] + new_velocity[0, i] * seconds
        new_position[1, i] = py[i] + new_velocity[1, i] * seconds
        new_position[2, i] = pz[i] + new_velocity[2, i] * seconds


def histogram(values, low, scale, partial):
    """Each part of the values has its own counts; the caller adds them."""
    parts, size = partial.shape[0], values.size
    for part in prange(parts):
        for i in range(part * size // parts, (part + 1) * size // parts):
            position = (values[i] - low) * scale
            if position >= 0 and position < partial.shape[1]:
                partial[part, int(position)] += 1


def black_scholes(rate, volatility, spot, strike, years, call, put):
    half, one, root = np.float32(0.5), np.float32(1), np.float32(math.sqrt(0.5))
    for i in prange(spot.size):
        s, k, t = spot[i], strike[i], years[i]
        spread = volatility * math.sqrt(t)
        d1 = (math.log(s / k) + (rate + volatility * volatility * half) * t) / spread
        d2 = d1 - spread
        discounted = k * math.exp(-rate * t)
        n1, n2 = half * (one + math.erf(d1 * root)), half * (one + math.erf(d2 * root))
        m1, m2 = half * (one + math.erf(-d1 * root)), half * (one + math.erf(-d2 * root))
        call[i] = s * n1 - discounted * n2
        put[i] = discounted * m2 - s * m1


def heat(before, after, rate):
    rows, columns = before.shape
    four_times = np.float32(4)
    for row in prange(rows):
        up, down = max(row - 1, 0), min(row + 1, rows - 1)
        for column in range(columns):
            left, right = max(column - 1, 0), min(column + 1, columns - 1)
            around = before[up, column] + before[down, column] + before[row, left] + before[row, right]
            after[row, column] = before[row, column] + rate * (around - four_times * before[row, column])


def spmv(starts, columns, values, x, y):
    for row in prange(y.size):
        total = np.float32(0)
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        y[row] = total


Run = Callable[[], Any]
Outputs = Callable[[], tuple[Any, ...]]


def _arguments(workload: Workload) -> tuple[Callable[..., Any], list[Any], Outputs | None]:
    """The function of a family, its arguments, and what it wrote; None: it returns its result."""
    inputs, size = list(workload.inputs), workload.size
    match workload.family:
        case "add" | "four" | "exp" | "sin" | "spmv":
            out = np.empty(size, np.float32)
            return globals()[workload.family], [*inputs, out], lambda: (out,)
        case "sum" | "min" | "max":
            return globals()[workload.family + "_"], inputs, None
        case "dot":
            return dot, inputs, None
        case "mandelbrot":
            image = np.empty(size[::-1], np.int32)
            return mandelbrot, [*map(np.float32, inputs), MOST_STEPS, image], lambda: (image,)
        case "nbody":
            position, velocity, mass = inputs
            new = [np.empty((3, mass.size), np.float32) for _ in range(2)]
            parts = [np.ascontiguousarray(part.T[axis]) for part in (position, velocity) for axis in range(3)]
            arguments = [*parts, mass, np.float32(SECONDS), np.float32(SOFTENING), *new]
            return nbody, arguments, lambda: tuple(part.T for part in new)
        case "histogram":
            parts = np.zeros((numba.get_num_threads(), BINS), np.int64)
            return histogram, [*inputs, np.float32(-4), np.float32(BINS / 8), parts], lambda: (parts.sum(0),)
        case "black_scholes":
            call, put = np.empty(size, np.float32), np.empty(size, np.float32)
            return black_scholes, [np.float32(RATE), np.float32(VOLATILITY), *inputs, call, put], lambda: (call, put)
        case "heat":
            after = np.empty(size, np.float32)
            return heat, [*inputs, after, np.float32(0.2)], lambda: (after,)
    raise KeyError(workload.family)


def works(workload: Workload) -> dict[str, tuple[Run, Outputs]]:
    """By name: a run of the row, and what it wrote. Empty for a family that numba is no peer of."""
    try:
        function, arguments, outputs = _arguments(workload)
    except KeyError:
        return {}
    found: dict[str, tuple[Run, Outputs]] = {}
    for name, fastmath in (("numba", False), ("numba fastmath", True)):
        compiled = numba.njit(parallel=numba.get_num_threads() > 1, fastmath=fastmath, error_model="numpy")(function)

        def run(compiled: Any = compiled) -> Any:
            if workload.family == "histogram":
                arguments[-1][:] = 0
            return compiled(*arguments)

        def read(run: Run = run) -> tuple[Any, ...]:
            result = run()
            return (result,) if outputs is None else outputs()

        found[name] = run, read
    return found


def describe() -> dict[str, Any]:
    """The version and the number of threads."""
    return {"numba": numba.__version__, "threads": numba.get_num_threads()}
