"""f32: arithmetic, rounding, comparisons, NaN and infinity."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.behaviours import Case, cases
from gpucore.testing.bounds import DIVISION_ULP
from gpucore.testing.checks import Host, check_bits, check_either, check_ulp, check_values, poisoned, upload
from gpucore.testing.kernels import floats as kernels

_FLOATS = "Numeric contract: + - * of floats"
_MINMAX = "Numeric contract: NaN in min/max"
_MATH = "Kernel language: math"
_INF, _NAN = np.float32(np.inf), np.float32(np.nan)


def numbers(count: int = 200, seed: int = 5) -> tuple[Host, Host]:
    """Pairs of finite normal numbers whose sum, difference, product and quotient are normal, or zero."""
    rng = np.random.default_rng(seed)
    sides = [np.exp2(rng.uniform(-30, 30, count)) * rng.choice([-1, 1], count) for _ in range(2)]
    sides[1][: count // 4] = sides[0][: count // 4] * (1 + rng.uniform(-1e-6, 1e-6, count // 4))  # cancellation
    a, b = (np.array([1.0, 0.0, 3.0, 16777216.0, 1.0, -2.5, *side], np.float32) for side in sides)
    b[:6] = [-1.0, 5.0, 3.0, 1.0, 5.9604645e-08, 0.1]
    keep = np.abs(a.astype(np.float64) - b) >= 2.0**-100
    return np.where(keep, a, np.float32(7)), b


def specials() -> tuple[Host, Host]:
    """Every pair of zeros, infinities, NaN and some numbers."""
    values = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.0, -2.5, 3e38, -3e38, np.inf, -np.inf, np.nan]
    a, b = np.array(list(itertools.product(values, values)), np.float32).T.copy()
    return a, b


@dataclass(frozen=True)
class FloatCase(Case):
    """A row of `kernels.arithmetic` on numbers, and on specials, whose exact values NumPy gives."""

    row: int


CASES = (
    FloatCase("C300", "add", "x + y is rounded correctly.", _FLOATS, 0),
    FloatCase("C301", "subtract", "x - y is rounded correctly, also where it cancels.", _FLOATS, 1),
    FloatCase("C302", "multiply", "x * y is rounded correctly.", _FLOATS, 2),
    FloatCase("C303", "negate", "-x.", _FLOATS, 4),
    FloatCase("C304", "abs", "abs(x).", _MATH, 5),
    FloatCase("C305", "min", "min(x, y); of a NaN and a number, the number.", _MINMAX, 6),
    FloatCase("C306", "max", "max(x, y); of a NaN and a number, the number.", _MINMAX, 7),
    FloatCase("C307", "clamp", "clamp(x, low, high) is min(max(x, low), high), with NaN too.", _MINMAX, 8),
    FloatCase("C308", "sign", "sign(x) is -1, 0 or 1; 0 for NaN.", _MATH, 9),
    FloatCase("C309", "step", "step(edge, x) is 1 where x >= edge, else 0; 0 with a NaN.", _MATH, 10),
    FloatCase("C310", "times_one", "x * 1.0 is x.", _FLOATS, 11),
    FloatCase("C311", "plus_zero", "x + 0.0 is x.", _FLOATS, 12),
)
_ROWS = 13


def _fmin(x: Any, y: Any) -> Host:
    return np.asarray(np.where((x < y) | np.isnan(y), x, y))


def _fmax(x: Any, y: Any) -> Host:
    return np.asarray(np.where((x > y) | np.isnan(y), x, y))


def _exact(row: int, x: Host, y: Host) -> Host:
    with np.errstate(all="ignore"):
        rows: dict[int, Callable[[], Any]] = {
            0: lambda: x + y, 1: lambda: x - y, 2: lambda: x * y, 4: lambda: -x, 5: lambda: np.abs(x),
            6: lambda: _fmin(x, y), 7: lambda: _fmax(x, y), 8: lambda: _fmin(_fmax(x, y), np.float32(2)),
            9: lambda: (x > 0).astype(np.float32) - (x < 0), 10: lambda: (y >= x).astype(np.float32),
            11: lambda: x, 12: lambda: x,
        }  # fmt: skip
        return np.asarray(rows[row](), np.float32)


class FloatTests:
    """Numbers of 32 bits."""

    @cases(CASES)
    def test_float_operations(self, gpu: gp.Device, case: FloatCase) -> None:
        for a, b in (numbers(), specials()):
            out = poisoned(gpu, (_ROWS, a.size), np.float32)
            kernels.arithmetic(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
            check_values(out.numpy()[case.row], _exact(case.row, a, b), case.name, x=a, y=b)

    def test_division(self, gpu: gp.Device) -> None:
        """C315 [Numeric contract: / of floats]: x / y within 2.5 ulp; by zero, of infinities and NaN as IEEE."""
        a, b = numbers()
        b = np.where(b == 0, np.float32(1), b)
        out = poisoned(gpu, (_ROWS, a.size), np.float32)
        kernels.arithmetic(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        check_ulp(out.numpy()[3], a.astype(np.float64) / b, DIVISION_ULP, 0.0, "x / y", x=a, y=b)
        a, b = specials()
        out = poisoned(gpu, (_ROWS, a.size), np.float32)
        kernels.arithmetic(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        with np.errstate(all="ignore"):
            exact = a / b
        hard = ~np.isfinite(a) | ~np.isfinite(b) | (b == 0) | (a == 0)
        check_values(out.numpy()[3][hard], exact[hard], "x / y", x=a[hard], y=b[hard])

    def test_division_by_constant_zero(self, gpu: gp.Device) -> None:
        """C336 [Numeric contract: / of floats]: a constant zero divides like any other zero."""
        a = np.array([1.0, -1.0, 0.0, -0.0, np.inf, -np.inf, np.nan, 3e38], np.float32)
        out = poisoned(gpu, (4, a.size), np.float32)
        kernels.by_zero(upload(gpu, a), out, invocations=a.size)
        zero = np.float32(0)
        with np.errstate(all="ignore"):
            check_values(out.numpy()[0], a / zero, "x / 0.0", x=a)
            check_values(out.numpy()[1], a / -zero, "x / -0.0", x=a)
            check_values(out.numpy()[2], a / zero, "vector / 0.0", x=a)
        check_values(out.numpy()[3], np.full(a.size, np.inf, np.float32), "1 / 0.0")

    def test_sign_of_zero(self, gpu: gp.Device) -> None:
        """C312 [Kernel language: math]: sign(x) of a zero of either sign and of NaN is 0.0, not -0.0."""
        a = np.array([0.0, -0.0, np.nan, -np.nan], np.float32)
        out = poisoned(gpu, (_ROWS, a.size), np.float32)
        kernels.arithmetic(upload(gpu, a), upload(gpu, a), out, invocations=a.size)
        check_bits(out.numpy()[9], np.zeros(a.size, np.float32), "sign", x=a)

    def test_contraction(self, gpu: gp.Device) -> None:
        """C316 [Numeric contract: + - * of floats]: a * b + c is rounded twice, or once where it is contracted."""
        a, b, c, fused, plain = _multiply_add_arguments()
        out = poisoned(gpu, (3, a.size), np.float32)
        kernels.multiply_add(upload(gpu, a), upload(gpu, b), upload(gpu, c), out, invocations=a.size)
        check_either(out.numpy()[0], (plain, fused), "a * b + c", a=a, b=b, c=c)

    def test_fma(self, gpu: gp.Device) -> None:
        """C317 [Capability FUSED_FMA]: fma(a, b, c) is rounded once if the device has the capability, else once or
        twice."""
        a, b, c, fused, plain = _multiply_add_arguments()
        out = poisoned(gpu, (3, a.size), np.float32)
        kernels.multiply_add(upload(gpu, a), upload(gpu, b), upload(gpu, c), out, invocations=a.size)
        choices = (fused,) if gp.Capability.FUSED_FMA in gpu.capabilities else (fused, plain)
        check_either(out.numpy()[1], choices, "fma", a=a, b=b, c=c)

    def test_mix(self, gpu: gp.Device) -> None:
        """C318 [Kernel language: math]: mix(a, b, t) is a * (1 - t) + b * t, each step rounded or contracted."""
        a, b = (side[:100] for side in numbers(200, 9))
        t = np.linspace(0, 1, a.size, dtype=np.float32)
        out = poisoned(gpu, (3, a.size), np.float32)
        kernels.multiply_add(upload(gpu, a), upload(gpu, b), upload(gpu, t), out, invocations=a.size)
        left, right = a.astype(np.float64) * (1 - t.astype(np.float64)), b.astype(np.float64) * t
        slack = 2.0**-24 * (2 * np.abs(left) + 2 * np.abs(right) + np.abs(left + right))
        check_either(np.abs(out.numpy()[2] - (left + right)) <= slack, (np.ones(a.size, bool),), "mix", a=a, b=b, t=t)

    def test_extremes_with_literals(self, gpu: gp.Device) -> None:
        """C319 [Numeric contract: NaN in min/max]: min, max and clamp with literals, including NaN."""
        a = specials()[0]
        out = poisoned(gpu, (4, a.size), np.float32)
        kernels.extremes_with_literals(upload(gpu, a), out, invocations=a.size)
        low, high, zero, one = np.float32(-1), np.float32(1.5), np.float32(0), np.float32(1)
        wanted = [_fmin(a, high), _fmax(high, a), _fmin(_fmax(a, low), one), _fmin(_fmax(zero, a), one)]
        check_values(out.numpy(), np.stack(wanted), "min and max", x=a)

    def test_rounding(self, gpu: gp.Device) -> None:
        """C320 [Kernel language: math]: floor, ceil, trunc, and round with ties to even, exact for every magnitude."""
        a = _fractions()
        out = poisoned(gpu, (5, a.size), np.float32)
        kernels.rounding(upload(gpu, a), out, invocations=a.size)
        check_values(out.numpy()[:4], np.stack([np.floor(a), np.ceil(a), np.trunc(a), np.rint(a)]), "rounding", x=a)

    def test_fract(self, gpu: gp.Device) -> None:
        """C321 [Kernel language: math]: fract(x) is x - floor(x), from 0 to 1."""
        a = _fractions()
        a = a[np.isfinite(a)]
        out = poisoned(gpu, (5, a.size), np.float32)
        kernels.rounding(upload(gpu, a), out, invocations=a.size)
        below = np.nextafter(np.float32(1), np.float32(0))
        check_either(out.numpy()[4], (a - np.floor(a), np.minimum(a - np.floor(a), below)), "fract", x=a)

    def test_float_comparisons(self, gpu: gp.Device) -> None:
        """C322 [Numeric contract: comparisons as IEEE]: With NaN only != is true; `not (x < y)` is not `x >= y`."""
        a, b = specials()
        out = poisoned(gpu, (12, a.size), np.uint32)
        kernels.comparisons(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        rows = np.stack([a == b, a != b, a < b, a <= b, a > b, a >= b])
        check_bits(out.numpy(), np.concatenate([rows, ~rows]).astype(np.uint32), "comparisons", x=a, y=b)

    def test_float_branches(self, gpu: gp.Device) -> None:
        """C323 [Numeric contract: comparisons as IEEE]: if, elif and while take the same decisions with NaN."""
        a, b = specials()
        out = poisoned(gpu, a.size, np.uint32)
        kernels.branches(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        wanted = np.where(a < b, 1, np.where(a >= b, 2, 3)) + np.where(a <= b, 0, 8)
        check_bits(out.numpy(), wanted.astype(np.uint32), "branches", x=a, y=b)

    def test_classes(self, gpu: gp.Device) -> None:
        """C324 [Kernel language: math]: isnan and isinf detect every NaN, including signalling ones, and every
        infinity."""
        patterns = [0, 1 << 31, 1, 0x7FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000,
                    0x7FFFFFFF, 0xFF7FFFFF, 0xFF800000, 0xFF800001, 0xFFC00000, 0xFFFFFFFF]  # fmt: skip
        a = np.array(patterns, np.uint32).view(np.float32)
        out = poisoned(gpu, (4, a.size), np.uint32)
        kernels.classes(upload(gpu, a), out, invocations=a.size)
        nan, inf = np.isnan(a), np.isinf(a)
        check_bits(out.numpy(), np.stack([nan, inf, nan, nan | inf]).astype(np.uint32), "classes", x=a)

    def test_python_operators(self, gpu: gp.Device) -> None:
        """C325 [Kernel language: operators]: // and % of floats floor, and ** with a literal multiplies."""
        a = np.array([7.5, -7.5, 6.0, -6.0, 0.25, -0.25, 100.0, 3.0], np.float32)
        b = np.array([2.0, 2.0, -4.0, -4.0, 0.5, 0.5, 8.0, -0.5], np.float32)
        out = poisoned(gpu, (6, a.size), np.float32)
        kernels.python_operators(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        wanted = [a // b, a % b, a**0, a, a * a, a**5]
        check_values(out.numpy(), np.stack(wanted).astype(np.float32), "operators", x=a, y=b)

    def test_literals(self, gpu: gp.Device) -> None:
        """C326 [Numeric contract: literals]: A literal is the nearest f32, including signed zeros and infinities."""
        out = poisoned(gpu, 17, np.float32)
        kernels.literals(out, workgroups=1)
        info = np.finfo(np.float32)
        least = -float(info.smallest_normal)
        wanted = [0.1, np.pi / 2, np.pi, info.max, least, 2**24, -0.0, np.inf, -np.inf, 1e-3, 1 / 3, 123456789.0]
        wanted += [info.max, info.min, 0.0, 8.589973e9]
        check_bits(out.numpy()[:16], np.array(wanted, np.float32), "literals")
        check_values(out.numpy()[16:], np.array([np.nan], np.float32), "the literal NaN")

    def test_subnormal_literals(self, gpu: gp.Device) -> None:
        """C327 [Numeric contract: subnormals]: A subnormal literal that is stored keeps every bit."""
        out = poisoned(gpu, 3, np.float32)
        kernels.subnormal_literals(out, workgroups=1)
        check_bits(out.numpy(), np.array([1e-45, -1e-40, 1.1754942e-38], np.float32), "subnormal literals")

    def test_float_folding(self, gpu: gp.Device) -> None:
        """C328 [Numeric contract: constant folding]: f32 operations on constants are rounded to f32, step by step."""
        out = poisoned(gpu, 11, np.float32)
        kernels.folded(out, workgroups=1)
        f = np.float32
        with np.errstate(all="ignore"):
            wanted = [
                f(0.1) + f(0.2),
                f(2**24) + f(1),
                f(3e38) * f(10),
                f(1) - f(1e-8),
                2,
                -4,
                -1,
                1,
                2,
                np.nan,
                f(1.1) * f(1.1),
            ]
        check_values(out.numpy(), np.array(wanted, f), "folded constants")
        out = poisoned(gpu, 4, np.float32)
        kernels.divisions_folded(out, workgroups=1)
        check_values(out.numpy(), np.array([np.inf, -np.inf, np.nan, 0.25], f), "divided constants")

    def test_nan_that_is_known(self, gpu: gp.Device) -> None:
        """C379 [Numeric contract: constants]: a constant NaN propagates through operators and functions."""
        a = np.array([1.0, -1.0, 3.0, -0.5, 0.0, np.inf, -np.inf, np.nan], np.float32)
        out = poisoned(gpu, (10, a.size), np.float32)
        kernels.with_nan(upload(gpu, a), out, invocations=a.size)
        for row, result in enumerate(out.numpy()):
            check_values(result, np.full(a.size, _NAN), f"row {row}", x=a)

    def test_subnormal_arithmetic(self, gpu: gp.Device) -> None:
        """C329 [Numeric contract: subnormals]: Arithmetic on subnormals is exact, or treats them as zero."""
        tiny = np.array([1, 2, 0x7FFFFF, 0x800000, 0x800001, 0x1000000], np.uint32).view(np.float32)
        a, b = np.array(list(itertools.product(tiny, tiny)), np.float32).T.copy()
        out = poisoned(gpu, (_ROWS, a.size), np.float32)
        kernels.arithmetic(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        flushed_a, flushed_b = _flush(a), _flush(b)
        for row, name in ((0, "x + y"), (1, "x - y"), (11, "x * 1.0"), (4, "-x")):
            kept, flushed = _exact(row, a, b), _exact(row, flushed_a, flushed_b)
            choices = (kept, _flush(kept), flushed, _flush(flushed))
            check_either(out.numpy()[row], choices, f"{name} of subnormals", x=a, y=b)


def _flush(x: Host) -> Host:
    return np.where(np.abs(x) < np.finfo(np.float32).smallest_normal, np.float32(0), x)


def _fractions() -> Host:
    """Halves and their neighbours, and numbers so large that they are integers."""
    halves = np.arange(-6, 6.5, 0.5, dtype=np.float32)
    up, down = np.nextafter(halves, _INF), np.nextafter(halves, -_INF)
    near = np.abs(np.concatenate([up, down])) > 1e-30
    large = np.array(
        [8388607.5, 8388608.0, 16777217.0, 2147483648.0, 1e10, 3e38, np.inf, np.nan, 0.49999997], np.float32
    )
    return np.concatenate([halves, np.concatenate([up, down])[near], large, -large])


def _multiply_add_arguments() -> tuple[Host, Host, Host, Host, Host]:
    """Arguments whose product and sum cancel, so that one rounding and two differ; both results."""
    rng = np.random.default_rng(11)
    a, b = (rng.uniform(-4, 4, 150).astype(np.float32) for _ in range(2))
    c = (-(a.astype(np.float64) * b) * (1 + rng.uniform(-1e-6, 1e-6, 150))).astype(np.float32)
    c[75:] = rng.uniform(-100, 100, 75).astype(np.float32)
    exact = [Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z)) for x, y, z in zip(a, b, c, strict=True)]
    fused = np.array([_nearest(value) for value in exact], np.float32)
    return a, b, c, fused, a * b + c


def _nearest(value: Fraction) -> np.float32:
    """The nearest f32 of an exact value; a double in between would round twice."""
    guess = np.float32(float(value))
    near = [np.nextafter(guess, -_INF), guess, np.nextafter(guess, _INF)]
    errors = [abs(Fraction(float(x)) - value) for x in near]
    best = min(errors)
    closest = [x for x, error in zip(near, errors, strict=True) if error == best]
    return min(closest, key=lambda x: int(x.view(np.uint32)) & 1)  # a tie goes to the even one
