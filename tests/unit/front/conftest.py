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
