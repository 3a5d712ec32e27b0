"""Times and bytes of a task's steps, in the fine metrics that Dask's workers send to the scheduler."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from distributed.metrics import context_meter

import gpucore as gp

UPLOAD, COMPUTE, DOWNLOAD = "gpucore-upload", "gpucore-compute", "gpucore-download"


@contextlib.contextmanager
def metered(step: str, nbytes: int = 0) -> Iterator[None]:
    """Count the time of the block, and bytes, for a step of the task that runs here."""
    with context_meter.meter(step):
        yield
    if nbytes:
        context_meter.digest_metric(step, nbytes, "bytes")


def uploaded(host: npt.NDArray[Any], device: gp.Device) -> gp.Array:
    """A device array with the elements of a host array."""
    with metered(UPLOAD, host.nbytes):
        made = gp.asarray(np.ascontiguousarray(host), device=device)
        device.synchronize()
    return made


def sent(host: npt.NDArray[Any], device: gp.Device) -> gp.Array:
    """A device array with the elements of a host array, which may still be on their way, beside kernels."""
    with metered(UPLOAD, host.nbytes):
        made = gp.empty(host.shape, host.dtype, device=device)
        made.copy_from(np.ascontiguousarray(host))
    return made


def downloaded(array: gp.Array) -> npt.NDArray[Any]:
    """The elements of a device array, when the work before has been done."""
    with metered(COMPUTE):
        array.device.synchronize()
    with metered(DOWNLOAD, array.nbytes):
        return array.numpy()
