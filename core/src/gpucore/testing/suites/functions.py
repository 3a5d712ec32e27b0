"""Functions of f32: each within its bound over its domain, and exact for special arguments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import gpucore as gp
from gpucore.testing.behaviours import cases
from gpucore.testing.bounds import FUNCTION_CASES, FunctionCase, draw, exact_of
from gpucore.testing.checks import Host, check_ulp, check_values, poisoned, upload
from gpucore.testing.kernels.functions import kernel_of

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
