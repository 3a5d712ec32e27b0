"""Error bounds of f32 functions, guaranteed to kernels on every backend.

A result is correct if it is within `ulp` + `slope` * |x| ulp (units in the last place) of the exact value, or within
`absolute` of it: hardware computes some functions with a fixed absolute error, which is many ulp near a zero.

Each bound is the loosest that a specification allows a driver, and `source` says which:

- WGSL, "Accuracy of expressions": division 2.5 ulp, inverseSqrt 2, exp and exp2 3 + 2 |x|, sin and cos 2**-11 absolute
  over -pi to pi, log and log2 3 ulp, or 2**-21 absolute for x from 1/2 to 2. The bounds of functions that are computed
  from others (sqrt, pow, tan, cosh) are derived below.
- OpenCL C, full profile, "Relative error as ulps": asin and acos 4 ulp, atan 5, atan2 6, erf 16, log10 3. WGSL's own
  inverse functions may have errors of thousands of ulp, and it has no erf; its backend expands them.
- CUDA's guide, "Mathematical functions": 4 ulp or less for all of these, so never the loosest.
- hypot, log1p, expm1 and cbrt are expanded to older operations if a target lacks them, as WGSL does; the bounds follow
  from those of square root, exp and division. OpenCL C grants 4, 2, 3 and 2 ulp, CUDA 3, 1, 1 and 1.
- log10: OpenCL C's bound is the loosest. The error of core's expansion, which WGSL needs, is derived below.
- sinh and tanh: WGSL allows errors as large as the result near zero. Its backend expands them too, to polynomials
  near zero and to exp elsewhere; the bound follows from that of exp.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore.testing.behaviours import Case
from gpucore.testing.checks import Host

_F64 = npt.NDArray[np.float64]

DIVISION_ULP = 2.5  # WGSL and OpenCL C; for divisors from 2**-126 to 2**126

# A relative error of k ulp can become 2 k ulp after an operation that moves the result to another binade.
_SQRT_ULP = 2 * 2.0 + DIVISION_ULP  # WGSL: 1 / inverseSqrt(x)
_COSH_ULP, _COSH_SLOPE = 2 * 3.0 + 1, 2 * 2.0  # WGSL: (exp(x) + exp(-x)) / 2
_SINH_ULP = 2 * 3.0 + 4  # (exp(|x| - 1) * e / 2) - ...: two products and a difference more, the slope as of cosh
# 1 - q with q = 2 / (exp(2 |x|) + 1), from |x| = 0.625: there q is 0.445 of results of 0.555, and less beyond.
_TANH_ULP = 7.0
_HYPOT_ULP = _SQRT_ULP + 1  # two squares and their sum are off by 2**-23 of it at most, the root by half of that
# exp(x) - 1 is at most one binade below exp(x), so of _COSH_ULP. 1 + x is rounded by up to 2 ulp of results from 0.34.
_LOG1P_ULP = 4.0
# A third of the error of x / (t * t), which is 2.5 ulp and half an ulp, up to two binades' worth; then one rounding.
_CBRT_ULP = 3.0
# OpenCL C. Core's expansion has a smaller error. In units of 2**-24 relative to log(m), m from 0.707 to 1.414: the last
# subtraction of the series 1, its other roundings 0.5, the error of the division (5) in the terms beyond f 0.4, the
# constant 1 / log(10) 0.4. That is 2.3 ulp at most, and the product adds 0.5. Where the exponent is not 0, results are
# 0.15 or more: there the error of log10(m) is 1.9 ulp at most, and two additions add 1.
_LOG10_ULP = 3.0
# WGSL: exp2(y * log2(x)). Here |y| <= 8, |log2(x)| <= 10 with 3 ulp of 2**-20, |y * log2(x)| <= 80 with half of 2**-17.
_POW_ULP = (8 * 3 * 2.0**-20 + 2.0**-18) * math.log(2) * 2.0**24 + 3 + 2 * 80
_TRIGONOMETRIC = 2.0**-11
# WGSL: sin(x) / cos(x), up to 1, where cos is 0.54 and tan 1.56.
_TAN_ABSOLUTE = _TRIGONOMETRIC * (1 + math.tan(1)) / (math.cos(1) - _TRIGONOMETRIC)
_LOG_ABSOLUTE, _LOG_AROUND_ONE = 2.0**-21, (0.5, 2.0)
EVERYWHERE = (-math.inf, math.inf)


@dataclass(frozen=True)
class FunctionCase(Case):
    """A function, the domain of its arguments, and its error bound for f32.

    `slope` and `absolute_within` concern the first argument only. A function of two arguments that is zero along a line
    has an absolute bound for its whole domain.
    """

    function: Callable[..., Any]
    exact: Callable[..., Any]  # NumPy's, in double precision
    domains: tuple[tuple[float, float], ...]  # one per argument
    ulp: float
    absolute: float = 0.0
    absolute_within: tuple[float, float] = EVERYWHERE  # of the first argument
    slope: float = 0.0
    source: str = ""  # the specification that sets the bound
    is_logarithmic: bool = False  # arguments are distributed over the exponents instead of evenly
    specials: tuple[tuple[float, ...], ...] = ()  # infinite and NaN results must be equal, finite ones within the bound

    @property
    def max_ulp(self) -> float:
        """The larger bound of the two ends of the first argument's domain."""
        return self.ulp + self.slope * max(map(abs, self.domains[0]))

    def ulp_at(self, x: Host) -> _F64:
        """The bound for each first argument."""
        with np.errstate(invalid="ignore"):
            slope = self.slope * np.abs(x.astype(np.float64)) if self.slope else np.zeros(x.shape)
        return np.asarray(self.ulp + slope, np.float64)

    def absolute_at(self, x: Host) -> _F64:
        """The absolute error allowed for each first argument: 0 if there is none."""
        low, high = self.absolute_within
        return np.where((x >= low) & (x <= high), self.absolute, 0.0)


def function_case(
    number: str,
    name: str,
    exact: Callable[..., Any],
    *domains: tuple[float, float],
    ulp: float,
    source: str,
    absolute: float = 0.0,
    absolute_within: tuple[float, float] = EVERYWHERE,
    slope: float = 0.0,
    is_logarithmic: bool = False,
    specials: tuple[tuple[float, ...], ...] = (),
) -> FunctionCase:
    """A case, with its text generated from the numbers."""
    names = "xyz"[: len(domains)]
    ranges = ", ".join(
        f"{low:.8g} <= {letter} <= {high:.8g}" for letter, (low, high) in zip(names, domains, strict=True)
    )
    bound = f"at most {ulp:.4g}{f' + {slope:g} * |x|' if slope else ''} ulp" + (
        f" or {absolute:.3g} absolute" if absolute else ""
    )
    if absolute_within != EVERYWHERE:
        bound += " for {:g} <= x <= {:g}".format(*absolute_within)
    text = f"{name}({', '.join(names)}), {ranges}: {bound}."
    contract = "Numeric contract: functions"
    function = getattr(gp, name)
    return FunctionCase(
        number, name, text, contract, function, exact, domains, ulp, absolute, absolute_within, slope, source,
        is_logarithmic, specials,
    )  # fmt: skip


_INF, _NAN = float("inf"), float("nan")
_ENDS = ((0.0,), (_INF,), (-_INF,), (_NAN,))
_POWERS = ((2.0, 3.0), (-2.0, 3.0), (-2.0, 2.0), (0.0, 2.0), (5.0, 0.0), (0.0, 0.0), (1.0, _NAN), (-2.0, 0.5))
_POWERS_OF_TEN = tuple((10.0**exponent,) for exponent in range(-37, 39))  # exact in f32 from 1 to 1e10
_LOG10_SPECIALS = ((0.0,), (-1.0,), (_INF,), (-_INF,), (_NAN,), (1 - 2.0**-24,), (1 + 2.0**-23,), *_POWERS_OF_TEN)
_MIN, _MAX = 1.1754943508222875e-38, 3.4028234663852886e38  # normal f32

_WGSL, _OPENCL, _OWN, _OWN_SERIES = "WGSL", "OpenCL C", "WGSL's exp", "WGSL's division"

FUNCTION_CASES = (
    function_case("C340", "sqrt", np.sqrt, (_MIN, _MAX), ulp=_SQRT_ULP, source=_WGSL, is_logarithmic=True,
                  specials=((0.0,), (1.0,), (4.0,), (_INF,), (_NAN,), (-1.0,))),
    function_case("C341", "rsqrt", lambda x: 1 / np.sqrt(x), (_MIN, _MAX), ulp=2.0, source=_WGSL,
                  is_logarithmic=True, specials=((1.0,), (_INF,), (_NAN,), (0.0,))),
    function_case("C342", "exp", np.exp, (-87.0, 88.5), ulp=3.0, slope=2.0, source=_WGSL,
                  specials=((0.0,), (-_INF,), (_INF,), (_NAN,))),
    function_case("C343", "exp2", np.exp2, (-126.0, 127.5), ulp=3.0, slope=2.0, source=_WGSL,
                  specials=((0.0,), (-_INF,), (_INF,), (_NAN,))),
    function_case("C344", "log", np.log, (_MIN, _MAX), ulp=3.0, absolute=_LOG_ABSOLUTE,
                  absolute_within=_LOG_AROUND_ONE, source=_WGSL, is_logarithmic=True,
                  specials=((1.0,), (0.0,), (_INF,), (-1.0,), (_NAN,))),
    function_case("C345", "log2", np.log2, (_MIN, _MAX), ulp=3.0, absolute=_LOG_ABSOLUTE,
                  absolute_within=_LOG_AROUND_ONE, source=_WGSL, is_logarithmic=True,
                  specials=((1.0,), (0.0,), (_INF,), (-1.0,), (_NAN,))),
    function_case("C346", "pow", np.power, (1e-3, 1e3), (-8.0, 8.0), ulp=_POW_ULP, source=_WGSL, specials=_POWERS),
    function_case("C347", "sin", np.sin, (-np.pi, np.pi), ulp=4.0, absolute=_TRIGONOMETRIC, source=_WGSL,
                  specials=((0.0,), (_INF,), (_NAN,))),
    function_case("C348", "cos", np.cos, (-np.pi, np.pi), ulp=4.0, absolute=_TRIGONOMETRIC, source=_WGSL,
                  specials=((0.0,), (_INF,), (_NAN,))),
    function_case("C349", "tan", np.tan, (-1.0, 1.0), ulp=5.0, absolute=_TAN_ABSOLUTE, source=_WGSL,
                  specials=((0.0,), (_NAN,))),
    function_case("C350", "asin", np.arcsin, (-1.0, 1.0), ulp=4.0, source=_OPENCL, specials=((0.0,), (2.0,), (_NAN,))),
    function_case("C351", "acos", np.arccos, (-1.0, 1.0), ulp=4.0, source=_OPENCL, specials=((1.0,), (2.0,), (_NAN,))),
    function_case("C352", "atan", np.arctan, (-100.0, 100.0), ulp=5.0, source=_OPENCL, specials=((0.0,), (_NAN,))),
    function_case("C353", "atan2", np.arctan2, (-10.0, 10.0), (-10.0, 10.0), ulp=6.0, source=_OPENCL,
                  specials=((0.0, 1.0), (1.0, _NAN))),
    function_case("C354", "sinh", np.sinh, (-88.0, 88.0), ulp=_SINH_ULP, slope=_COSH_SLOPE, source=_OWN,
                  specials=_ENDS),
    function_case("C355", "cosh", np.cosh, (-88.0, 88.0), ulp=_COSH_ULP, slope=_COSH_SLOPE, source=_WGSL,
                  specials=_ENDS),
    function_case("C356", "tanh", np.tanh, (-20.0, 20.0), ulp=_TANH_ULP, source=_OWN, specials=_ENDS),
    function_case("C357", "erf", np.vectorize(math.erf, [np.float64]), (-5.0, 5.0), ulp=16.0, source=_OPENCL,
                  specials=_ENDS),
    function_case("C470", "hypot", np.hypot, (_MIN, 2.4e38), (_MIN, 2.4e38), ulp=_HYPOT_ULP, source=_WGSL,
                  is_logarithmic=True, specials=((3.0, -4.0), (0.0, 0.0), (_INF, _NAN), (_NAN, -_INF), (_NAN, 1.0))),
    function_case("C471", "log1p", np.log1p, (-0.999, 10.0), ulp=_LOG1P_ULP, source=_OWN_SERIES,
                  specials=((0.0,), (-1.0,), (_INF,), (-2.0,), (-_INF,), (_NAN,))),
    function_case("C472", "expm1", np.expm1, (-20.0, 88.0), ulp=_COSH_ULP, slope=_COSH_SLOPE, source=_OWN,
                  specials=_ENDS),
    function_case("C473", "cbrt", np.cbrt, (_MIN, _MAX), ulp=_CBRT_ULP, source=_OWN_SERIES, is_logarithmic=True,
                  specials=(*_ENDS, (8.0,), (-27.0,))),
    function_case("C479", "log10", np.log10, (_MIN, _MAX), ulp=_LOG10_ULP, source=_OPENCL, is_logarithmic=True,
                  specials=_LOG10_SPECIALS),
)  # fmt: skip


def draw(case: FunctionCase, count: int, seed: int = 3) -> tuple[Host, ...]:
    """Arguments over the case's domain: its ends, then `count` in between; f32."""
    rng = np.random.default_rng(seed)
    arguments = []
    for low, high in case.domains:
        if case.is_logarithmic:
            drawn = np.exp2(rng.uniform(np.log2(low), np.log2(high), count))
            if case.absolute_within != EVERYWHERE:  # on both sides of the points where the bound changes
                lower, upper = case.absolute_within
                drawn[: count // 2] = rng.uniform(lower / 2, upper * 2, count // 2)
        else:
            drawn = rng.uniform(low, high, count)
            drawn[: count // 4] *= np.exp2(-rng.uniform(0, 90, count // 4))  # towards zero, where functions cancel
        with np.errstate(over="ignore"):
            ends = np.array([low, high])
            arguments.append(
                np.clip(np.concatenate([ends, drawn]).astype(np.float32), np.float32(low), np.float32(high))
            )
    return tuple(arguments)


def exact_of(case: FunctionCase, arguments: tuple[Host, ...]) -> _F64:
    """The function of the f32 arguments in double precision."""
    with np.errstate(all="ignore"):
        return np.asarray(case.exact(*(argument.astype(np.float64) for argument in arguments)), np.float64)
