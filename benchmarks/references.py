"""Reference values of functions of floats in a wider type, samples of their arguments, and errors in ulp."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import gpucore as gp

Floats = Any  # an array of a float type
Sample = Callable[[np.random.Generator, Any, int], tuple[Floats, ...]]


@dataclass(frozen=True)
class Function:
    """A function of the kernel language, its exact values, and samples of its arguments.

    `exact` takes arrays of a type wider than the one measured; `sample(rng, dtype, count)` gives the arguments.
    """

    name: str
    domain: str
    function: Callable[..., Any]
    exact: Callable[..., Floats]
    arity: int
    sample: Sample


def wider(dtype: Any) -> Any:
    """The type in which exact values are computed; None if this machine has no wider one."""
    if np.dtype(dtype) != np.float64:
        return np.float64
    return np.longdouble if np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant else None


def errors_in_ulp(result: Floats, exact: Floats) -> Floats:
    """|result - exact| in ulp of `exact` rounded to the result's type; `exact` has a wider type."""
    info = np.finfo(result.dtype)
    _, exponents = np.frexp(exact)
    places = np.maximum(exponents - info.nmant - 1, info.minexp - info.nmant)
    with np.errstate(invalid="ignore"):
        return np.abs(np.ldexp(result.astype(exact.dtype) - exact, -places)).astype(np.float64)


# ---------------------------------------------------------------- exact values that NumPy lacks


def exact_erf(x: Floats) -> Floats:
    """2 / sqrt(pi) * exp(-x**2) * sum of 2**n x**(2n+1) / (2n+1)!!, whose terms all have one sign."""
    if x.dtype == np.float64:
        return np.array([math.erf(value) for value in x.tolist()], np.float64)
    a = np.minimum(np.abs(x), x.dtype.type(6))
    pi = np.arccos(x.dtype.type(-1))
    term = total = a * 2 / np.sqrt(pi) * np.exp(-a * a)
    for n in range(1, 200):
        term = term * (2 * a * a / (2 * n + 1))
        total = total + term
    return np.copysign(np.where(np.abs(x) > 6, x.dtype.type(1), total), x)


# ---------------------------------------------------------------- samples


def around(dtype: Any, centres: tuple[float, ...], steps: int = 40) -> Floats:
    """Each number with its nearest neighbours on both sides."""
    found = []
    for centre in centres:
        up = down = np.array([centre], dtype)
        found.append(up)
        for _ in range(steps):
            up, down = np.nextafter(up, dtype(np.inf)), np.nextafter(down, dtype(-np.inf))
            found += [up, down]
    return np.concatenate(found)


def within(low: float, high: float) -> Sample:
    """Uniform from low to high, as many uniform over the exponents, and the neighbours of the ends, 1/2 and 1."""

    def sample(rng: np.random.Generator, dtype: Any, count: int) -> tuple[Floats, ...]:
        info = np.finfo(dtype)
        bottom, top = float(max(low, info.min)), float(min(high, info.max))
        even = bottom + (top - bottom) * rng.random(count // 2)
        least, most = math.log2(info.tiny), math.log2(max(-bottom, top))
        spread = np.exp2(rng.uniform(least, most, count // 2)) * rng.choice([-1.0, 1.0], count // 2)
        with np.errstate(over="ignore"):
            x = np.concatenate([even, spread]).astype(dtype)
            x = np.concatenate([x, around(dtype, (bottom, top, -1.0, -0.5, 0.5, 1.0, math.pi / 2, math.pi))])
        return (x[(x >= dtype(bottom)) & (x <= dtype(top)) & (np.abs(x) >= info.tiny)],)

    return sample


def of_range(function: Callable[[Any], Any], sign: float = 1.0) -> Sample:
    """Arguments whose results are normal numbers: `function` is the inverse, from a result to its argument."""

    def sample(rng: np.random.Generator, dtype: Any, count: int) -> tuple[Floats, ...]:
        info = np.finfo(dtype)
        high = float(function(float(info.max)))
        low = float(function(float(info.tiny))) if sign > 0 else -high
        return within(low, high)(rng, dtype, count)

    return sample


def each(*samples: Sample) -> Sample:
    """One argument from each sample, each sample shuffled."""

    def sample(rng: np.random.Generator, dtype: Any, count: int) -> tuple[Floats, ...]:
        drawn = [rng.permutation(sample(rng, dtype, count)[0]) for sample in samples]
        length = min(map(len, drawn))
        return tuple(values[:length] for values in drawn)

    return sample


def powers_in_range(rng: np.random.Generator, dtype: Any, count: int) -> tuple[Floats, ...]:
    """Positive bases, with exponents for which the power is a normal number."""
    info = np.finfo(dtype)
    logarithm = rng.uniform(math.log2(info.tiny), math.log2(info.max), count)
    logarithm[: count // 2] = rng.uniform(-1, 1, count // 2) * np.exp2(-rng.uniform(0, 20, count // 2))
    x = np.exp2(logarithm).astype(dtype)
    y = (rng.uniform(math.log2(info.tiny), math.log2(info.max), count) / logarithm).clip(-1e4, 1e4)
    return x, y.astype(dtype)


def divide(x, y):
    """x / y, in a kernel."""
    return x / y


EVERYTHING, POSITIVE = within(-math.inf, math.inf), within(0.0, math.inf)
PERIOD, ANGLES = within(-math.pi, math.pi), within(-1e4, 1e4)


def _one(name: str, domain: str, exact: Callable[..., Floats], sample: Sample) -> Function:
    return Function(name, domain, getattr(gp, name), exact, 1, sample)


FUNCTIONS = (
    _one("sqrt", "x > 0", np.sqrt, POSITIVE),
    _one("rsqrt", "x > 0", lambda x: 1 / np.sqrt(x), POSITIVE),
    _one("exp", "normal results", np.exp, of_range(math.log)),
    _one("exp2", "normal results", np.exp2, of_range(math.log2)),
    _one("log", "x > 0", np.log, POSITIVE),
    _one("log2", "x > 0", np.log2, POSITIVE),
    _one("log10", "x > 0", np.log10, POSITIVE),
    _one("log1p", "x > -1", np.log1p, within(-1.0, math.inf)),
    _one("expm1", "finite results", np.expm1, of_range(math.log, -1.0)),
    _one("cbrt", "all", np.cbrt, EVERYTHING),
    _one("sin", "-pi to pi", np.sin, PERIOD),
    _one("sin", "-10000 to 10000", np.sin, ANGLES),
    _one("cos", "-pi to pi", np.cos, PERIOD),
    _one("cos", "-10000 to 10000", np.cos, ANGLES),
    _one("tan", "-pi to pi", np.tan, PERIOD),
    _one("asin", "-1 to 1", np.arcsin, within(-1.0, 1.0)),
    _one("acos", "-1 to 1", np.arccos, within(-1.0, 1.0)),
    _one("atan", "all", np.arctan, EVERYTHING),
    _one("sinh", "finite results", np.sinh, of_range(math.log, -1.0)),
    _one("cosh", "finite results", np.cosh, of_range(math.log, -1.0)),
    _one("tanh", "-20 to 20", np.tanh, within(-20.0, 20.0)),
    _one("erf", "-6 to 6", exact_erf, within(-6.0, 6.0)),
    _one("fract", "-1000 to 1000", lambda x: x - np.floor(x), within(-1000.0, 1000.0)),
    Function("pow", "0.01 <= x <= 100, -3 <= y <= 3", gp.pow, np.power, 2, each(within(0.01, 100), within(-3, 3))),
    Function("pow", "x > 0, normal results", gp.pow, np.power, 2, powers_in_range),
    Function("atan2", "-10 to 10", gp.atan2, np.arctan2, 2, each(within(-10, 10), within(-10, 10))),
    Function("atan2", "all", gp.atan2, np.arctan2, 2, each(EVERYTHING, EVERYTHING)),
    Function("hypot", "all", gp.hypot, np.hypot, 2, each(EVERYTHING, EVERYTHING)),
    Function("/", "all", divide, np.divide, 2, each(EVERYTHING, EVERYTHING)),
)

EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 200.0, -200.0, math.inf, -math.inf, math.nan)
