"""Subgroups on a device of the C family that has them, over whole, partial and many-dimensional workgroups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from device_run import run
from language_kernels import SUBGROUP_OPERATIONS, subgroup_values, subgroup_votes

from gpucore.ir import F32, I32, U32, Capability, ScalarType, SubgroupOp

SIZES = [(32, 1, 1), (64, 1, 1), (7, 1, 1), (45, 1, 1), (8, 3, 5), (5, 5, 4), (256, 1, 1), (1, 33, 1)]
DTYPES: dict[ScalarType, Any] = {I32: np.int32, U32: np.uint32, F32: np.float32}


@pytest.fixture
def size_of_subgroups(device: Any) -> int:
    """Of a device whose subgroups have one size."""
    if Capability.SUBGROUP not in device.info.capabilities:
        pytest.skip("this device has no subgroups of its own")
    limits = device.info.limits
    if limits.min_subgroup_size != limits.max_subgroup_size or limits.max_subgroup_size == 0:
        pytest.skip("this device does not tell one size of its subgroups")
    return int(limits.max_subgroup_size)


def expected_values(op: SubgroupOp, lanes: np.ndarray) -> list[Any]:
    """What each invocation of one subgroup gets; None where it is undefined."""
    count, values = len(lanes), lanes.tolist()
    wrap = lanes.dtype.type

    def at(index: int) -> Any:
        return values[index] if 0 <= index < count else None

    match op:
        case SubgroupOp.BROADCAST:
            return [at(2)] * count
        case SubgroupOp.SHUFFLE:
            return [at(k // 2) for k in range(count)]
        case SubgroupOp.SHUFFLE_XOR:
            return [at(k ^ 1) for k in range(count)]
        case SubgroupOp.SHUFFLE_UP:
            return [at(k - 3) for k in range(count)]
        case SubgroupOp.SHUFFLE_DOWN:
            return [at(k + 2) for k in range(count)]
        case SubgroupOp.ADD:
            return [lanes.sum(dtype=lanes.dtype).item()] * count
        case SubgroupOp.MIN:
            return [min(values)] * count
        case SubgroupOp.MAX:
            return [max(values)] * count
        case SubgroupOp.INCLUSIVE_ADD:
            return list(np.cumsum(lanes, dtype=lanes.dtype).tolist())
        case SubgroupOp.EXCLUSIVE_ADD:
            return [wrap(0).item(), *np.cumsum(lanes, dtype=lanes.dtype)[:-1].tolist()]
        case _:
            return [1] + [0] * (count - 1)  # elect


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("element", [I32, U32, F32], ids=str)
def test_operations_on_values(
    device: Any, size_of_subgroups: int, element: ScalarType, size: tuple[int, int, int]
) -> None:
    count = size[0] * size[1] * size[2]
    rng = np.random.default_rng(count)
    low, high = {I32: (-(2**31), 2**31), U32: (0, 2**32), F32: (-1000, 1000)}[element]
    data = rng.integers(low, high, count).astype(DTYPES[element])
    result = np.zeros(count * len(SUBGROUP_OPERATIONS), DTYPES[element])
    run(device, subgroup_values(element, size), [data, result])
    for row, op in zip(result.reshape(len(SUBGROUP_OPERATIONS), count), SUBGROUP_OPERATIONS, strict=True):
        wanted = [
            value
            for start in range(0, count, size_of_subgroups)
            for value in expected_values(op, data[start : start + size_of_subgroups])
        ]
        defined = [index for index, value in enumerate(wanted) if value is not None]
        assert defined or count < 3
        assert row[defined].tolist() == [wanted[index] for index in defined], op


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_ballots_votes_and_ids(device: Any, size_of_subgroups: int, size: tuple[int, int, int], share: float) -> None:
    count = size[0] * size[1] * size[2]
    flags = (np.random.default_rng(count).random(count) < share).astype(np.int32)
    result = np.zeros((count, 11), np.int32)
    run(device, subgroup_votes(size), [flags, result])
    wanted = []
    for lane in range(count):
        subgroup, own = divmod(lane, size_of_subgroups)
        members = flags[subgroup * size_of_subgroups : (subgroup + 1) * size_of_subgroups].tolist()
        ballot = sum(flag << index for index, flag in enumerate(members)).to_bytes(16, "little")
        words = np.frombuffer(ballot, np.int32).tolist()
        subgroups = -(-count // size_of_subgroups)
        wanted.append([size_of_subgroups, subgroup, own, subgroups, *words, any(members), all(members), 0])
    assert result.tolist() == wanted
