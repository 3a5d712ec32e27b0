"""`agree`: a kernel gives the same on the simulator, on the CPU and as plain Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.kernel import Kernel

sys.path.insert(0, str(Path(__file__).parent))

import plain_python

DEVICES = ["simulator"] + (["cpu"] if any(info.backend == "cpu" for info in gp.devices()) else [])


@pytest.fixture
def agree() -> Callable[..., list[np.ndarray[Any, Any]]]:
    """Run `kernel(*arguments)` everywhere; the arrays afterwards, which must be equal."""

    def check(kernel: Kernel, *arguments: Any, n: int = 8) -> list[np.ndarray[Any, Any]]:
        plain = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        plain_python.run(kernel, plain, n)
        wanted = [a for a in plain if isinstance(a, np.ndarray)]
        for name in DEVICES:
            given = [gp.asarray(a, device=name) if isinstance(a, np.ndarray) else a for a in arguments]
            kernel(*given, invocations=n)
            found = [a.numpy() for a in given if isinstance(a, gp.Array)]
            for have, want in zip(found, wanted, strict=True):
                np.testing.assert_array_equal(have.reshape(want.shape), want, err_msg=f"on {name}")
        return wanted

    return check


@pytest.fixture(params=DEVICES)
def outputs(request: pytest.FixtureRequest) -> Callable[..., list[Any]]:
    """Run `kernel(*arguments)` on the simulator or the CPU, n invocations; the contents of its arrays as lists.

    An array is given as a NumPy array, or as a pair of one and its dtype for a struct or vector.
    """

    def run(kernel: Kernel, *arguments: Any, n: int = 4, **constants: Any) -> list[Any]:
        device = request.param
        given = [_on_device(argument, device) for argument in arguments]
        kernel(*given, **constants, invocations=n)
        found = [argument.numpy().tolist() for argument in given if isinstance(argument, gp.Array)]
        return found[0] if len(found) == 1 else found

    return run


def _on_device(argument: Any, device: str) -> Any:
    if isinstance(argument, tuple) and isinstance(argument[0], np.ndarray):
        return gp.asarray(*argument, device=device)
    return gp.asarray(argument, device=device) if isinstance(argument, np.ndarray) else argument
