"""Functions of floats: each within its bound over its domain, and for special arguments; vectors, f64 and f16."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.ir import FUNCTIONS, MathOp
from gpucore.testing.behaviours import cases
from gpucore.testing.bounds import FUNCTION_CASES, FunctionCase, draw, exact_of
from gpucore.testing.checks import Host, check_either, check_ulp, check_values, poisoned, skip_without, upload
from gpucore.testing.kernels.functions import kernel_of, scaled, signed

_MIN_NORMAL = np.float32(2.0**-126)
_MAGNITUDES = np.array([0.0, -0.0, 1.0, -1.5, 1.1, 3.3e38, -(2.0**-126), np.inf, -np.inf, np.nan], np.float32)
_EXPONENTS = np.array(
    [0, 1, -1, 60, -60, 126, 127, 128, -126, -130, -149, -151, 253, -253, 278, -278, 2**31 - 1, -(2**31)]
)
_FAST, _SLOW = 4000, 300  # arguments drawn for each function on a device, and on the simulator

SPECIAL_CASES = tuple(
    replace(
        case,
        number=f"C{int(case.number[1:]) + 20}",
        text=f"{case.name} of zeros, infinities and NaN, and of arguments without a result.",
    )
    for case in FUNCTION_CASES
    if case.specials
)


def _run(gpu: gp.Device, function: Callable[..., Any], arguments: tuple[Host, ...], element: Any = gp.f32) -> Host:
    types = [gp.i32 if argument.dtype == np.int32 else element for argument in arguments]
    arrays = [gp.asarray(argument, type, device=gpu) for argument, type in zip(arguments, types, strict=True)]
    out = poisoned(gpu, len(arguments[0]), element)
    kernel_of(function, len(arguments))(*arrays, out, invocations=out.size)
    return out.numpy()


def _taken(arrays: dict[str, Host], mask: Host) -> dict[str, Host]:
    return {name: array[mask] for name, array in arrays.items()}


class FunctionTests:
    """Every function of floats."""

    @cases(FUNCTION_CASES)
    def test_bound(self, gpu: gp.Device, case: FunctionCase) -> None:
        arguments = draw(case, _SLOW if gpu.info.backend == "simulator" else _FAST)
        names = dict(zip("xyz", arguments, strict=False))
        check_ulp(
            _run(gpu, case.function, arguments),
            exact_of(case, arguments),
            case.ulp_at(arguments[0]),
            case.absolute_at(arguments[0]),
            case.name,
            **names,
        )

    @cases(SPECIAL_CASES)
    def test_special_arguments(self, gpu: gp.Device, case: FunctionCase) -> None:
        arguments = tuple(np.array(values, np.float32) for values in zip(*case.specials, strict=True))
        names = dict(zip("xyz", arguments, strict=False))
        actual, exact = _run(gpu, case.function, arguments), exact_of(case, arguments)
        finite = np.isfinite(exact)
        check_values(actual[~finite], exact[~finite].astype(np.float32), case.name, **_taken(names, ~finite))
        bound = case.ulp_at(arguments[0][finite])
        absolute = case.absolute_at(arguments[0][finite])
        check_ulp(actual[finite], exact[finite], bound, absolute, case.name, **_taken(names, finite))

    def test_log10_of_subnormal_numbers(self, gpu: gp.Device) -> None:
        """C480 [Numeric contract: functions]: log10 of a subnormal number is within its bound, or that of zero."""
        x = np.concatenate([[1, 2, 3, 2**23 - 1], np.linspace(1, 2**23, 300)[1:-1]]).astype(np.uint32).view(np.float32)
        (case,) = (case for case in FUNCTION_CASES if case.name == "log10")
        actual, exact = _run(gpu, case.function, (x,)), exact_of(case, (x,))
        is_flushed = actual == -np.inf
        check_ulp(actual[~is_flushed], exact[~is_flushed], case.ulp_at(x[~is_flushed]), 0.0, "log10", x=x[~is_flushed])

    def test_ldexp(self, gpu: gp.Device) -> None:
        """C474 [Kernel language: math]: ldexp(x, n) is x * 2**n, exact where it is normal, for every n of i32."""
        x, n = (side.ravel() for side in np.meshgrid(_MAGNITUDES, _EXPONENTS))
        out = poisoned(gpu, (3, x.size), np.float32)
        scaled(upload(gpu, x), upload(gpu, n.astype(np.int32)), out, invocations=x.size)
        with np.errstate(all="ignore"):
            wanted, eightfold = np.ldexp(x.astype(np.float64), n).astype(np.float32), x * np.float32(8)
        is_tiny = (np.abs(wanted) < _MIN_NORMAL) & (wanted != 0)  # subnormal: rounded, or flushed to zero
        exact = np.where(is_tiny, np.float32(0), wanted)
        for row in (0, 2):
            check_either(out.numpy()[row], (wanted, exact), "ldexp", x=x, n=n)
        check_values(out.numpy()[1], eightfold, "ldexp by a literal", x=x)

    def test_copysign(self, gpu: gp.Device) -> None:
        """C475 [Kernel language: math]: copysign(x, y) is x with the sign of y, including zeros and infinities."""
        x, y = (side.ravel() for side in np.meshgrid(_MAGNITUDES, [1.0, -2.0, 0.0, -0.0, np.inf, -np.inf]))
        x, y = x.astype(np.float32), y.astype(np.float32)
        out = poisoned(gpu, (3, x.size), np.float32)
        signed(upload(gpu, x), upload(gpu, y), out, invocations=x.size)
        for row, magnitude in ((0, x), (1, np.full_like(x, 2)), (2, x)):
            wanted = np.copysign(magnitude, y)
            check_values(out.numpy()[row], wanted, "copysign", x=x, y=y)
            known = ~np.isnan(wanted)
            check_values(np.signbit(out.numpy()[row][known]), np.signbit(wanted[known]), "sign", y=y[known])

    def test_functions_by_component(self, gpu: gp.Device) -> None:
        """C476 [Kernel language: math]: Each function works on components, under its name in Python if it has one."""
        for case in FUNCTION_CASES:
            arguments = draw(case, 38)
            vectors = tuple(argument.reshape(-1, 4) for argument in arguments)
            result = _run(gpu, getattr(math, case.name, case.function), vectors, gp.f32x4).ravel()
            bound, absolute = case.ulp_at(arguments[0]), case.absolute_at(arguments[0])
            names = dict(zip("xyz", arguments, strict=False))
            check_ulp(result, exact_of(case, arguments), bound, absolute, case.name, **names)

    def test_functions_of_f64(self, gpu: gp.Device) -> None:
        """C477 [Capability F64]: Each function of f64, also of infinities and NaN; the capability F64_MATH tells
        whether the device has those that need it."""
        skip_without(gpu, gp.Capability.F64)
        self._check_type(gpu, gp.f64, np.float64, 1e-300, 1e-14)

    def test_functions_of_f16(self, gpu: gp.Device) -> None:
        """C478 [Capability F16]: Each function of f16, also of infinities and NaN."""
        skip_without(gpu, gp.Capability.F16)
        self._check_type(gpu, gp.f16, np.float16, 2.0**-9, 4e-3)

    def _check_type(self, gpu: gp.Device, element: Any, host: Any, least: float, error: float) -> None:
        x = np.concatenate([np.linspace(-4, 4, 33), [least, 1 / least, np.inf, -np.inf, np.nan]]).astype(host)
        y = np.concatenate([np.linspace(3, -3, 33), [least, -1 / least, -0.0, np.inf, -np.inf]]).astype(host)
        n = (np.arange(x.size) % 9 - 4).astype(np.int32)
        check_values(_run(gpu, gp.copysign, (x, y), element), np.copysign(x, y), f"copysign of {element}", x=x, y=y)
        check_values(_run(gpu, gp.ldexp, (x, n), element), np.ldexp(x, n), f"ldexp of {element}", x=x, n=n)
        for case in FUNCTION_CASES:
            needs_math = element is gp.f64 and FUNCTIONS[MathOp(case.name)].is_transcendental
            if not needs_math or gp.Capability.F64_MATH in gpu.capabilities:
                self._check_function(gpu, case, (x, y)[: len(case.domains)], element, error)

    def _check_function(
        self, gpu: gp.Device, case: FunctionCase, arguments: tuple[Host, ...], element: Any, error: float
    ) -> None:
        """Within a relative error or the absolute bound, also for special arguments. Subnormal numbers are left out.

        The absolute bound is that of f32, for f64 less by the ratio of their precisions.
        """
        host = arguments[0].dtype
        with np.errstate(over="ignore"):
            if case.absolute:  # which holds in the domain only
                arguments = tuple(np.clip(a, *domain) for a, domain in zip(arguments, case.domains, strict=True))
            specials = np.array(case.specials).T.astype(host)
            arguments = tuple(map(np.concatenate, zip(arguments, specials, strict=True)))
            exact = exact_of(case, arguments).astype(host)
        tiny = np.finfo(host).smallest_normal
        is_normal = np.all([~((a != 0) & (np.abs(a) < tiny)) for a in (*arguments, exact)], axis=0)
        arguments, exact = tuple(a[is_normal] for a in arguments), exact[is_normal]
        result = _run(gpu, case.function, arguments, element)
        absolute = case.absolute * (2.0**-29 if host == np.float64 else 1)
        is_near = np.isclose(result, exact, error, absolute, equal_nan=True)
        names = dict(zip("xyz", arguments, strict=False))
        check_values(np.where(is_near, exact, result), exact, f"{case.name} of {element}", **names)
