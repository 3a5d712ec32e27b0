"""NumPy arrays of every form in memory arrive with their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing import require_device

WHOLE = np.arange(240, dtype=np.int32).reshape(12, 20)


def misaligned() -> np.ndarray[Any, Any]:
    memory = np.zeros(WHOLE.nbytes + 1, np.uint8)
    found = memory[1:].view(np.int32).reshape(WHOLE.shape)
    found[:] = WHOLE
    assert not found.flags.aligned
    return found


def read_only() -> np.ndarray[Any, Any]:
    found = WHOLE.copy()
    found.flags.writeable = False
    return found


FORMS: dict[str, Callable[[], np.ndarray[Any, Any]]] = {
    "strided": lambda: WHOLE[::2, 1::3],
    "reversed": lambda: WHOLE[::-1, ::-1],
    "by columns": lambda: np.asfortranarray(WHOLE),
    "transposed": lambda: WHOLE.T,
    "broadcast": lambda: np.broadcast_to(WHOLE[:1], (5, 20)),
    "big-endian": lambda: WHOLE.astype(">i4"),
    "read-only": read_only,
    "misaligned": misaligned,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("backend", ["simulator", "cpu", "wgpu", "opencl", "cuda"])
def test_every_form_arrives(backend: str, form: str) -> None:
    device, host = require_device(backend), FORMS[form]()
    array = gp.asarray(host, device=device)
    np.testing.assert_array_equal(array.numpy(), host)
    array.set(np.zeros(host.shape, np.int32))
    array.set(host)
    np.testing.assert_array_equal((array + 1).numpy(), host + 1)
    np.testing.assert_array_equal(gp.sort(array.reshape(-1)).numpy(), np.sort(host.reshape(-1)))
