"""Atomics of 64 bits and on f32, on a device of the C family that has them."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from device_run import require, run
from language_kernels import counting, exchanging, storage_params

from gpucore.ir import F32, I32, I64, U32, U64, Capability, ScalarType

DTYPES: dict[ScalarType, Any] = {I32: np.int32, U32: np.uint32, I64: np.int64, U64: np.uint64, F32: np.float32}
NEEDS = {I64: Capability.ATOMIC_INT64, U64: Capability.ATOMIC_INT64, F32: Capability.ATOMIC_F32}


def require_atomics(device: Any, element: ScalarType) -> None:
    if element in NEEDS:
        require(device, NEEDS[element])


@pytest.mark.parametrize("element", [I64, U64], ids=str)
def test_every_operation_counts_in_64_bits(device: Any, element: ScalarType) -> None:
    require_atomics(device, element)
    large = 1 << 40
    low = -large if element is I64 else large
    start = [large, large, low, low, (1 << 62) - 1, large, large]
    memory, before = np.array(start, DTYPES[element]), np.zeros(256, DTYPES[element])
    run(device, counting(element), [memory, before], workgroups=4)
    total = sum(range(256))
    least, most = (low, 255) if element is I64 else (0, low)
    assert memory.tolist() == [large + total, large - total, least, most, 0, large + 255, large]
    steps = np.diff(np.append(np.sort(before), large + total))
    assert sorted(steps.tolist()) == list(range(256))  # every addition saw a total of its own


def test_sums_of_f32(device: Any) -> None:
    require_atomics(device, F32)
    memory, before = np.array([0.5, 0.5], np.float32), np.zeros(256, np.float32)
    run(device, counting(F32), [memory, before], workgroups=4)
    total = float(sum(range(256)))
    assert memory.tolist() == [0.5 + total, 0.5 - total]
    assert sorted(np.diff(np.append(np.sort(before), 0.5 + total)).tolist()) == list(range(256))


@pytest.mark.parametrize("memory", ["buffer", "workgroup"])
@pytest.mark.parametrize("element", [I32, U32, I64, U64, F32], ids=str)
def test_exchange_load_and_store(device: Any, element: ScalarType, memory: str) -> None:
    require_atomics(device, element)
    result, cells = np.zeros(5, DTYPES[element]), np.zeros(2, DTYPES[element])
    run(device, exchanging(element, memory), [result] if memory == "workgroup" else [result, cells])
    assert result.tolist() == ([3, 0, 0, 3, 3] if element is F32 else [3, 5, 5, 7, 7])


def test_small_integers_as_scalars_of_a_dispatch(device: Any) -> None:
    valid, result = storage_params(), np.zeros(4, np.int32)
    assert [slot.offset for slot in valid.slots] == [0, 4, 8, 12]
    run(device, valid, [result], struct.pack("<b3xB3xh2xH2x", -5, 250, -30000, 60000))
    assert result.tolist() == [-5, 250, -30000, 60000]
