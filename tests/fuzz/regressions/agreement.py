"""Runs a kernel on every device and compares with what is expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from differential import devices, reference

import gpucore as gp


def agree(kernel: Any, expected: Any, make: Callable[[], tuple[Any, ...]], *needs: gp.Capability, **call: Any) -> None:
    """The last array that `make` gives holds `expected` after the kernel, on every device that has what it needs."""
    compared = 0
    for name, device in {"simulator": reference(), **devices()}.items():
        if not set(needs) <= device.capabilities:
            continue
        arguments = [gp.asarray(one, device=device) if isinstance(one, np.ndarray) else one for one in make()]
        kernel(*arguments, **call)
        result = arguments[-1].numpy()
        assert np.array_equal(result, np.asarray(expected, result.dtype)), f"{name}: {result}"
        compared += 1
    assert compared >= 2
