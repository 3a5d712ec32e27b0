"""exp, log, sin and the like of f64: where the device has them, and the error where not. sqrt comes with f64."""

from __future__ import annotations

import math

import numpy as np
import pytest
from lacking import is_refused

import gpucore as gp

FUNCTIONS = {
    "exp": math.exp, "exp2": math.exp2, "log": math.log, "log2": math.log2, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan, "sinh": math.sinh, "cosh": math.cosh,
    "tanh": math.tanh, "erf": math.erf,
}  # fmt: skip
BOUND = 16 * np.finfo(np.float64).eps  # OpenCL grants these functions 16 ulp at most, the loosest of all that have them


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_f64(device: gp.Device, name: str) -> None:
    function = getattr(gp, name)

    @gp.kernel(workgroup_size=32)
    def apply(x: gp.In[gp.f64], y: gp.Out[gp.f64]):
        i = gp.global_id(0)
        if i < x.size:
            y[i] = function(x[i])

    x = np.linspace(0.05, 0.95, 101)
    source, target = gp.asarray(x, device=device), gp.zeros(101, gp.f64, device=device)
    for capability in ("f64", "f64_math"):
        if is_refused(device, capability, lambda: apply(source, target, invocations=101)):
            return
    apply(source, target, invocations=101)
    exact = np.array([FUNCTIONS[name](value) for value in x])
    np.testing.assert_allclose(target.numpy(), exact, rtol=BOUND, atol=0)
