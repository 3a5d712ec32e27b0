"""Bounds on the error of f32 functions: what a kernel may rely on, on every backend.

A result is right within `ulp` units of the last place of the exact value, or within `absolute` of it: hardware
computes some functions with a fixed absolute error, which near a zero of the function is many ulp.
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

DIVISION_ULP = 2.5  # what Vulkan, WGSL and OpenCL ask of drivers; software drivers round correctly
SQRT_ULP = 1.0


@dataclass(frozen=True)
class FunctionCase(Case):
    """A function of f32, where its arguments are drawn from, and how far it may be off."""

    function: Callable[..., Any]
    exact: Callable[..., Any]  # NumPy's, in double precision
    domains: tuple[tuple[float, float], ...]  # one for each argument
    ulp: float
    absolute: float = 0.0
    is_logarithmic: bool = False  # arguments are spread over the exponents instead of evenly
    specials: tuple[tuple[float, ...], ...] = ()  # arguments whose exact results are tested to be equal


def function_case(
    number: str,
    name: str,
    exact: Callable[..., Any],
    *domains: tuple[float, float],
    ulp: float,
    absolute: float = 0.0,
    is_logarithmic: bool = False,
    specials: tuple[tuple[float, ...], ...] = (),
) -> FunctionCase:
    """A case with its text made from its numbers."""
    names = "xyz"[: len(domains)]
    ranges = ", ".join(
        f"{low:.8g} <= {letter} <= {high:.8g}" for letter, (low, high) in zip(names, domains, strict=True)
    )
    bound = f"at most {ulp:g} ulp" + (f" or {absolute:.3g} absolute" if absolute else "")
    text = f"{name}({', '.join(names)}), {ranges}: {bound}."
    contract = "Numeric contract: functions"
    function = getattr(gp, name)
    return FunctionCase(number, name, text, contract, function, exact, domains, ulp, absolute, is_logarithmic, specials)


_INF, _NAN = float("inf"), float("nan")
_ENDS = ((0.0,), (_INF,), (-_INF,), (_NAN,))
_POWERS = ((2.0, 3.0), (-2.0, 3.0), (-2.0, 2.0), (0.0, 2.0), (5.0, 0.0), (0.0, 0.0), (1.0, _NAN), (-2.0, 0.5))
_TINY, _HUGE = 1.1754943508222875e-38, 3.4028234663852886e38

# asin, acos, atan, atan2, erf: what OpenCL asks of devices. WGSL's own are far off, and it has no erf; that backend
# writes better ones itself.
FUNCTION_CASES = (
    function_case("C340", "sqrt", np.sqrt, (_TINY, _HUGE), ulp=SQRT_ULP, is_logarithmic=True,
                  specials=((0.0,), (1.0,), (4.0,), (_INF,), (_NAN,), (-1.0,))),
    function_case("C341", "rsqrt", lambda x: 1 / np.sqrt(x), (_TINY, _HUGE), ulp=2.0, is_logarithmic=True,
                  specials=((1.0,), (_INF,), (_NAN,), (0.0,))),
    function_case("C342", "exp", np.exp, (-87.0, 88.5), ulp=70.0, specials=((0.0,), (-_INF,), (_INF,), (_NAN,))),
    function_case("C343", "exp2", np.exp2, (-126.0, 127.5), ulp=4.0, specials=((0.0,), (-_INF,), (_INF,), (_NAN,))),
    function_case("C344", "log", np.log, (_TINY, _HUGE), ulp=4.0, absolute=1.6e-7, is_logarithmic=True,
                  specials=((1.0,), (0.0,), (_INF,), (-1.0,), (_NAN,))),
    function_case("C345", "log2", np.log2, (_TINY, _HUGE), ulp=4.0, absolute=1.6e-7, is_logarithmic=True,
                  specials=((1.0,), (0.0,), (_INF,), (-1.0,), (_NAN,))),
    function_case("C346", "pow", np.power, (1e-3, 1e3), (-8.0, 8.0), ulp=128.0,
                  specials=_POWERS),
    function_case("C347", "sin", np.sin, (-np.pi, np.pi), ulp=2.0, absolute=2.0**-20,
                  specials=((0.0,), (_INF,), (_NAN,))),
    function_case("C348", "cos", np.cos, (-np.pi, np.pi), ulp=2.0, absolute=2.0**-20,
                  specials=((0.0,), (_INF,), (_NAN,))),
    function_case("C349", "tan", np.tan, (-1.5, 1.5), ulp=64.0, absolute=2.0**-20, specials=((0.0,), (_NAN,))),
    function_case("C350", "asin", np.arcsin, (-1.0, 1.0), ulp=4.0, specials=((0.0,), (2.0,), (_NAN,))),
    function_case("C351", "acos", np.arccos, (-1.0, 1.0), ulp=4.0, specials=((1.0,), (2.0,), (_NAN,))),
    function_case("C352", "atan", np.arctan, (-100.0, 100.0), ulp=5.0, specials=((0.0,), (_NAN,))),
    function_case("C353", "atan2", np.arctan2, (-10.0, 10.0), (-10.0, 10.0), ulp=6.0,
                  specials=((0.0, 1.0), (1.0, _NAN))),
    function_case("C354", "sinh", np.sinh, (-88.0, 88.0), ulp=70.0, absolute=1.6e-7, specials=_ENDS),
    function_case("C355", "cosh", np.cosh, (-88.0, 88.0), ulp=70.0, specials=_ENDS),
    function_case("C356", "tanh", np.tanh, (-20.0, 20.0), ulp=4.0, absolute=1.6e-7, specials=_ENDS),
    function_case("C357", "erf", np.vectorize(math.erf, [np.float64]), (-5.0, 5.0), ulp=16.0, specials=_ENDS),
)  # fmt: skip


def draw(case: FunctionCase, count: int, seed: int = 3) -> tuple[Host, ...]:
    """Arguments over the case's domain: its ends, then `count` in between; f32."""
    rng = np.random.default_rng(seed)
    arguments = []
    for low, high in case.domains:
        if case.is_logarithmic:
            drawn = np.exp2(rng.uniform(np.log2(low), np.log2(high), count))
        else:
            drawn = rng.uniform(low, high, count)
            drawn[: count // 4] *= np.exp2(-rng.uniform(0, 20, count // 4))  # towards zero, where functions cancel
        with np.errstate(over="ignore"):
            ends = np.array([low, high])
            arguments.append(
                np.clip(np.concatenate([ends, drawn]).astype(np.float32), np.float32(low), np.float32(high))
            )
    return tuple(arguments)


def exact_of(case: FunctionCase, arguments: tuple[Host, ...]) -> _F64:
    """The function in double precision, of the f32 arguments as they are."""
    with np.errstate(all="ignore"):
        return np.asarray(case.exact(*(argument.astype(np.float64) for argument in arguments)), np.float64)
