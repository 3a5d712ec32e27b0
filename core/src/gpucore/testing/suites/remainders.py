"""`%` and `//` of floats: those of Python and NumPy, exact."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.behaviours import Case, cases
from gpucore.testing.checks import Host, check_either, check_ulp, check_values, poisoned, skip_without, upload
from gpucore.testing.kernels import remainders as kernels

_CONTRACT = "Numeric contract: // and % of floats"
_NEEDS = {"f16": (gp.Capability.F16,), "f64": (gp.Capability.F64,)}
_DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
_SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.1, -0.1, 3.0, -3.0, 7.5, 1000.0, -2048.0, np.inf, -np.inf, np.nan)
_LARGE = {"f16": 65504.0, "f32": 2.0**31, "f64": 2.0**62}
_SPREAD = {"f16": 13.0, "f32": 100.0, "f64": 1000.0}  # exponents of random arguments, far from subnormal numbers

CASES = tuple(
    Case(f"C33{number}", name, f"x % y and x // y of {name} floor as Python's: x % y is exact, with the sign of y; "
         "NaN of an infinity or by zero.", _CONTRACT)
    for number, name in enumerate(("f32", "f16", "f64"))
)  # fmt: skip


def _arguments(name: str, count: int = 400) -> tuple[Host, Host]:
    """Every pair of special numbers, pairs of all magnitudes, and pairs whose quotient is a whole number."""
    special = (*_SPECIAL, _LARGE[name], -_LARGE[name])
    pairs = np.array(list(itertools.product(special, special))).T
    rng = np.random.default_rng(21)
    spread = _SPREAD[name]
    random = np.exp2(rng.uniform(-spread, spread, (2, count))) * rng.choice([-1, 1], (2, count))
    eighths = rng.integers(-400, 400, (2, count)) / 8
    a, b = np.concatenate([pairs, random, eighths], axis=1).astype(_DTYPES[name])
    return a, b


def _check(a: Host, b: Host, remainder: Host, quotient: Host) -> None:
    with np.errstate(all="ignore"):
        exact, whole = np.mod(a, b), np.floor_divide(a, b)
    small = (np.abs(exact) < np.finfo(a.dtype).smallest_normal) & (exact != 0)
    flushed: Any = np.where(np.abs(remainder) == np.abs(b), b, 0)  # a subnormal result may be lost, before y is added
    check_either(remainder, (exact, np.where(small, flushed, exact)), "x % y", x=a, y=b)
    # beyond that a whole number is as exact as the quotient
    far = np.isfinite(whole) & (np.abs(whole) > 2.0 ** (np.finfo(a.dtype).nmant - 3))
    check_values(quotient[~far], whole[~far], "x // y", x=a[~far], y=b[~far])
    check_ulp(quotient[far], whole[far].astype(np.float64), 4.0, 0.0, "x // y", x=a[far], y=b[far])


class RemainderTests:
    """Remainders of floats."""

    @cases(CASES)
    def test_remainders(self, gpu: gp.Device, case: Case) -> None:
        skip_without(gpu, *_NEEDS.get(case.name, ()))
        a, b = _arguments(case.name)
        remainder, quotient = poisoned(gpu, a.size, a.dtype), poisoned(gpu, a.size, a.dtype)
        kernels.remainders(upload(gpu, a), upload(gpu, b), remainder, quotient, invocations=a.size)
        _check(a, b, remainder.numpy(), quotient.numpy())

    def test_remainders_of_vectors(self, gpu: gp.Device) -> None:
        """C333 [Numeric contract: // and % of floats]: the same of vectors of f32, component by component."""
        a, b = (side[: side.size // 4 * 4].reshape(-1, 4) for side in _arguments("f32"))
        left, right = gp.asarray(a, gp.f32x4, device=gpu), gp.asarray(b, gp.f32x4, device=gpu)
        remainder, quotient = (gp.empty(left.shape, gp.f32x4, device=gpu) for _ in range(2))
        kernels.remainders(left, right, remainder, quotient, invocations=left.size)
        _check(a, b, remainder.numpy(), quotient.numpy())

    def test_sign_of_a_zero_remainder(self, gpu: gp.Device) -> None:
        """C334 [Numeric contract: // and % of floats]: a zero x % y has the sign of y, that of x // y is undefined."""
        a = np.array([0.0, -0.0, 0.0, -0.0, 6.0, -6.0, 6.0, -6.0], np.float32)
        b = np.array([2.0, 2.0, -2.0, -2.0, 3.0, 3.0, -3.0, -3.0], np.float32)
        remainder, quotient = poisoned(gpu, a.size, np.float32), poisoned(gpu, a.size, np.float32)
        kernels.remainders(upload(gpu, a), upload(gpu, b), remainder, quotient, invocations=a.size)
        check_values(remainder.numpy(), np.zeros(a.size, np.float32), "x % y", x=a, y=b)
        check_values(np.signbit(remainder.numpy()), np.signbit(b), "the sign of x % y", x=a, y=b)

    def test_folded_remainders(self, gpu: gp.Device) -> None:
        """C335 [Numeric contract: // and % of floats]: the compiler and the device compute the same result."""
        out = poisoned(gpu, 6, np.float32)
        kernels.folded(out, invocations=1)
        x = np.array([1.0, -1.0, 2.0**31, -1.0, 1.0, -7.5], np.float32)
        y = np.array([0.1, 0.1, 3.0, 1e30, 0.1, 2.0], np.float32)
        check_values(out.numpy(), np.where(np.arange(6) < 4, np.mod(x, y), np.floor_divide(x, y)), "folded", x=x, y=y)
