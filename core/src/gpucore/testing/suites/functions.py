"""Functions of f32: each within its bound over its domain, and exact for special arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.behaviours import cases
from gpucore.testing.bounds import FUNCTION_CASES, FunctionCase, draw, exact_of
from gpucore.testing.checks import Host, check_either, check_ulp, check_values, poisoned, skip_without, upload
from gpucore.testing.kernels.functions import kernel_of, of_type, of_vectors, scaled, signed

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


def _run(gpu: gp.Device, case: FunctionCase, arguments: tuple[Host, ...]) -> Host:
    out = poisoned(gpu, arguments[0].size, np.float32)
    kernel_of(case.function, len(arguments))(*[upload(gpu, a) for a in arguments], out, invocations=out.size)
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
            _run(gpu, case, arguments),
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
        actual, exact = _run(gpu, case, arguments), exact_of(case, arguments)
        finite = np.isfinite(exact)
        check_values(actual[~finite], exact[~finite].astype(np.float32), case.name, **_taken(names, ~finite))
        bound = case.ulp_at(arguments[0][finite])
        absolute = case.absolute_at(arguments[0][finite])
        check_ulp(actual[finite], exact[finite], bound, absolute, case.name, **_taken(names, finite))

    def test_log10_of_subnormal_numbers(self, gpu: gp.Device) -> None:
        """C480 [Numeric contract: functions]: log10 of a subnormal number is within its bound, or that of zero."""
        x = np.concatenate([[1, 2, 3, 2**23 - 1], np.linspace(1, 2**23, 300)[1:-1]]).astype(np.uint32).view(np.float32)
        (case,) = (case for case in FUNCTION_CASES if case.name == "log10")
        actual, exact = _run(gpu, case, (x,)), exact_of(case, (x,))
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

    def test_roots_and_logarithms_of_vectors(self, gpu: gp.Device) -> None:
        """C476 [Kernel language: math]: hypot, cbrt, log1p, expm1, log10 work on components, under Python's names."""
        x, y = (np.linspace(low, 5, 40, dtype=np.float32) for low in (-5, -3))
        out = poisoned(gpu, (6, x.size), np.float32)
        of_vectors(upload(gpu, x), upload(gpu, y), out, invocations=x.size)
        a, b = x.astype(np.float64), y.astype(np.float64)
        half = np.full(x.size, 0.5)
        wanted = (
            np.hypot(a, b),
            np.hypot(half, half),
            np.log1p((x * x).astype(np.float64)),
            np.expm1(-half),
            np.cbrt(b),
            np.log10(a * a + 2),
        )
        for row, exact in enumerate(wanted):
            check_ulp(out.numpy()[row], exact, np.full(x.size, 12.0), np.zeros(x.size), f"row {row}", x=x, y=y)

    def test_newer_functions_of_f64(self, gpu: gp.Device) -> None:
        """C477 [Capability F64]: hypot, copysign and ldexp of f64, and with F64_MATH log1p, expm1, cbrt and log10."""
        skip_without(gpu, gp.Capability.F64)
        self._of_type(gpu, gp.f64, np.float64, 1e-300, 1e-14, gp.Capability.F64_MATH not in gpu.capabilities)

    def test_newer_functions_of_f16(self, gpu: gp.Device) -> None:
        """C478 [Capability F16]: hypot, copysign, ldexp, log1p, expm1, cbrt and log10 of f16."""
        skip_without(gpu, gp.Capability.F16)
        self._of_type(gpu, gp.f16, np.float16, 2.0**-9, 4e-3, False)

    def _of_type(self, gpu: gp.Device, dtype: Any, host: Any, least: float, error: float, exact_only: bool) -> None:
        x = np.concatenate([np.linspace(-4, 4, 33), [least, 1 / least]]).astype(host)
        y = np.concatenate([np.linspace(3, -3, 33), [least, -1 / least]]).astype(host)
        out = poisoned(gpu, (7, x.size), host)
        of_type(dtype, exact_only)(upload(gpu, x), upload(gpu, y), out, invocations=x.size)
        exponents = np.arange(x.size) % 9 - 4
        with np.errstate(all="ignore"):
            exact = [
                np.hypot(x, y),
                np.copysign(x, y),
                np.ldexp(x, exponents),
                np.log1p(np.abs(x)),
                np.expm1(x),
                np.cbrt(x),
                np.log10(np.abs(x)),
            ]
        for row, wanted in enumerate(exact[:3] if exact_only else exact):
            tolerance = 0.0 if row in (1, 2) else error
            near = np.isclose(out.numpy()[row], wanted.astype(host), rtol=tolerance, atol=0)
            check_values(near, np.ones(x.size, bool), f"row {row} of {dtype}", x=x, y=y)
