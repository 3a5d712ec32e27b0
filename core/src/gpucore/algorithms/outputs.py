"""Arrays that the algorithms store their results in: `out=`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.algorithms.plans import Plan
from gpucore.array import Array
from gpucore.errors import ArgumentError


def check_out(name: str, out: Any, shape: tuple[int, ...], dtype: Any, kind: type[Any]) -> None:
    """Whether `out` can take the result of arrays of a kind: Array or NumPy's. Raises ArgumentError."""
    if out is None:
        return
    if not isinstance(out, kind):
        what = "NumPy arrays" if kind is np.ndarray else "device arrays"
        raise ArgumentError(f"{name} stores a product of {what} in another one, not in {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype:
        raise ArgumentError(f"out is {out.dtype} of shape {out.shape}, and the product is {dtype} of shape {shape}")
    if kind is np.ndarray and (isinstance(out, np.ma.MaskedArray) or not out.flags.writeable):
        what = "is a masked array" if isinstance(out, np.ma.MaskedArray) else "is read-only"
        raise ArgumentError(f"out {what}; give a NumPy array that can be written")


def run_into(name: str, plan: Plan, arrays: dict[str, Array], out: Any, read: str = "arrays") -> Array:
    """What a plan gives for arrays of one device, in `out` if it is given. Raises ArgumentError for another `out`.

    `read` is what the arrays are called.
    """
    if out is None:
        return plan.run(**arrays)
    check_out(name, out, plan.shape, plan.dtype, Array)
    out.check_open()
    device = next(iter(arrays.values())).device
    if out.device is not device:
        raise ArgumentError(f"the {read} are on {device.id}, and out is on {out.device.id}; move it with .to(...)")
    if any(out.overlaps(x) for x in arrays.values()):
        raise ArgumentError("out is in the memory of an array that is read; give it memory of its own")
    return plan.run_into(out, **arrays)


__all__ = ["check_out", "run_into"]
