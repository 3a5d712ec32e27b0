"""Prints the polynomials of vector_mathematics.py and vector_trigonometry.py, and their errors. Needs mpmath.

    python plugins/cpu_backend/tools/fit_polynomials.py

Each is the polynomial p of a degree for which max |weight * (p - function)| on an interval is least, by Remez's
exchange on a grid of Chebyshev points. `weight` turns the error of p into the relative error of the whole function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
from mpmath import mpf

Function = Callable[[Any], Any]
_GRID, _ROUNDS = 600, 12


def fit(function: Function, weight: Function, low: Any, high: Any, degree: int) -> tuple[list[Any], Any]:
    """The coefficients, the constant one first, and the largest weighted error."""
    middle, half = (mpf(low) + mpf(high)) / 2, (mpf(high) - mpf(low)) / 2
    points = [middle - half * mpmath.cos(mpmath.pi * number / _GRID) for number in range(_GRID + 1)]
    values, weights = [function(x) for x in points], [weight(x) for x in points]
    chosen = [round(number * _GRID / (degree + 1)) for number in range(degree + 2)]
    for _ in range(_ROUNDS):
        rows = [
            [points[i] ** power for power in range(degree + 1)] + [(-1) ** row / weights[i]]
            for row, i in enumerate(chosen)
        ]
        solution = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix([values[i] for i in chosen]))
        coefficients = [solution[power] for power in range(degree + 1)]
        errors = [
            w * (mpmath.polyval(coefficients[::-1], x) - v) for x, v, w in zip(points, values, weights, strict=True)
        ]
        largest = max(map(abs, errors))
        found = _extrema(errors, degree + 2)
        if largest < abs(solution[degree + 1]) * mpf("1.02") or len(found) < degree + 2:
            break
        chosen = found
    return coefficients, largest


def _extrema(errors: list[Any], count: int) -> list[int]:
    """The places of the largest errors between changes of sign; at most `count`, without the lesser ends."""
    found, start = [], 0
    for end in range(1, len(errors) + 1):
        if end == len(errors) or (errors[end] > 0) != (errors[start] > 0):
            found.append(max(range(start, end), key=lambda i: abs(errors[i])))
            start = end
    while len(found) > count:
        found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found


def of_square(function: Function, limit: float) -> tuple[Function, Function, int, Any]:
    """For (f(x) - x) / x**3 of z = x**2, for x up to a limit."""

    def rest(z: Any) -> Any:
        x = mpmath.sqrt(max(z, mpf(10) ** -12))
        return (function(x) - x) / x**3

    def weight(z: Any) -> Any:
        x = mpmath.sqrt(max(z, mpf(10) ** -8))
        return x**3 / function(x)

    return rest, weight, 0, mpf(limit) ** 2


def _away_from_0(function: Function) -> Function:
    """Without the division 0 / 0 at 0."""
    return lambda x: function(x if abs(x) > mpf(10) ** -20 else mpf(10) ** -20)


def fits() -> dict[str, tuple[Any, ...]]:
    """Names, and arguments of `fit`."""
    m, near = mpmath, _away_from_0
    bound, quarter = mpf("0.3467"), m.pi / 4 + mpf("0.02")
    low, high = m.sqrt(mpf(0.5)) - 1, m.sqrt(mpf(2)) - 1
    exp = near(lambda r: (m.expm1(r) - r) / r**2), lambda r: max(r**2, mpf(10) ** -7) / m.exp(r), -bound, bound
    log = near(lambda f: (m.log1p(f) - f + f * f / 2) / f**3), near(lambda f: abs(f**3 / m.log1p(f))), low, high
    log2 = near(lambda f: m.log1p(f) / f / m.log(2)), near(lambda f: f * m.log(2) / m.log1p(f)), low, high
    cos = near(lambda z: (m.cos(m.sqrt(z)) - 1 + z / 2) / z**2), near(lambda z: z**2 / m.cos(m.sqrt(z))), 0, quarter**2
    log_of_square = near(lambda z: (2 * m.atanh(m.sqrt(z)) / m.sqrt(z) - 2) / z), near(lambda z: z / 2), 0, 0.02944
    return {
        "exp": (*exp, 4), "exp of f64": (*exp, 9), "log": (*log, 7), "log of f64": (*log_of_square, 6),
        "log2 of power": (*log2, 13), "cos": (*cos, 2), "cos of f64": (*cos, 5),
        "sin": (*of_square(m.sin, quarter), 2), "sin of f64": (*of_square(m.sin, quarter), 5),
        "tan": (*of_square(m.tan, quarter), 5), "asin": (*of_square(m.asin, 0.5), 4),
        "atan": (*of_square(m.atan, 1), 8), "sinh": (*of_square(m.sinh, 1), 3), "tanh": (*of_square(m.tanh, 0.625), 4),
        "erf": (near(lambda z: m.erf(m.sqrt(z)) / m.sqrt(z) - 1), lambda z: 1, 0, 1, 6),
        "log of 1 - erf": (lambda x: m.log(m.erfc(x)), lambda x: m.erfc(x) / m.erf(x), 1, 4, 6),
    }  # fmt: skip


if __name__ == "__main__":
    mpmath.mp.dps = 80
    for name, arguments in fits().items():
        coefficients, error = fit(*arguments)
        print(f"{name}: error 2**{float(mpmath.log(error, 2)):.1f}\n    {[float(c) for c in coefficients]}", flush=True)
