"""Subgroups on devices of the C family, their own or core's, over whole, partial and many-dimensional workgroups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from device_run import require, run
from language_kernels import SUBGROUP_OPERATIONS, VOTE_COLUMNS, subgroup_values, subgroup_votes

from gpucore.ir import F32, I32, U32, Capability, ScalarType, SubgroupOp, ValidModule
from gpucore.passes.subgroups import emulate_subgroups
from gpucore.valid import validate

SIZES = [(32, 1, 1), (64, 1, 1), (7, 1, 1), (45, 1, 1), (8, 3, 5), (5, 5, 4), (256, 1, 1), (1, 33, 1)]
MADE_SIZE = 8
DTYPES: dict[ScalarType, Any] = {I32: np.int32, U32: np.uint32, F32: np.float32}


@pytest.fixture
def own_size(device: Any) -> int:
    """Invocations in each of the device's own subgroups."""
    limits = device.info.limits
    require(device, Capability.SUBGROUP)
    if limits.min_subgroup_size != limits.max_subgroup_size or limits.max_subgroup_size == 0:
        pytest.skip(f"{device.info.id} has no single size of its subgroups")
    return int(limits.max_subgroup_size)


def made_by_core(device: Any, valid: ValidModule) -> ValidModule:
    """The kernel over workgroup memory and barriers, with subgroups of MADE_SIZE."""
    info = device.info
    return validate(emulate_subgroups(valid.module, MADE_SIZE), info.capabilities, info.limits, info.id)


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


def inputs(element: ScalarType, size: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Random values of the whole range, and room for the results."""
    count = size[0] * size[1] * size[2]
    low, high = {I32: (-(2**31), 2**31), U32: (0, 2**32), F32: (-1000, 1000)}[element]
    data = np.random.default_rng(count).integers(low, high, count).astype(DTYPES[element])
    return data, np.zeros(count * len(SUBGROUP_OPERATIONS), DTYPES[element])


def check_values(data: np.ndarray, result: np.ndarray, subgroup_size: int) -> None:
    """Every result that is defined, of every invocation."""
    for row, op in zip(result.reshape(len(SUBGROUP_OPERATIONS), len(data)), SUBGROUP_OPERATIONS, strict=True):
        parts = [data[start : start + subgroup_size] for start in range(0, len(data), subgroup_size)]
        wanted = [value for part in parts for value in expected_values(op, part)]
        defined = [index for index, value in enumerate(wanted) if value is not None]
        assert defined
        assert row[defined].tolist() == [wanted[index] for index in defined], op


def check_votes(flags: np.ndarray, result: np.ndarray, subgroup_size: int) -> None:
    wanted = []
    for lane in range(len(flags)):
        subgroup, own = divmod(lane, subgroup_size)
        members = flags[subgroup * subgroup_size : (subgroup + 1) * subgroup_size].tolist()
        ballot = sum(flag << index for index, flag in enumerate(members)).to_bytes(16, "little")
        words = np.frombuffer(ballot, np.int32).tolist()
        subgroups = -(-len(flags) // subgroup_size)
        halves = [(subgroup * subgroup_size + index) // 4 % 2 for index in range(len(members))]
        same = sum(1 << index for index, half in enumerate(halves) if half == halves[own]).to_bytes(16, "little")
        word = int(np.frombuffer(same, np.int32)[0])
        wanted.append([subgroup_size, subgroup, own, subgroups, *words, any(members), all(members), 0, word])
    assert result.tolist() == wanted


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("element", [I32, U32, F32], ids=str)
def test_operations_on_values(device: Any, own_size: int, element: ScalarType, size: tuple[int, int, int]) -> None:
    data, result = inputs(element, size)
    run(device, subgroup_values(element, size), [data, result])
    check_values(data, result, own_size)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_ballots_votes_and_ids(device: Any, own_size: int, size: tuple[int, int, int], share: float) -> None:
    count = size[0] * size[1] * size[2]
    flags = (np.random.default_rng(count).random(count) < share).astype(np.int32)
    result = np.zeros((count, VOTE_COLUMNS), np.int32)
    run(device, subgroup_votes(size), [flags, result])
    check_votes(flags, result, own_size)


@pytest.mark.parametrize("size", [(5, 3, 2)], ids=str)
def test_those_that_core_makes(device: Any, size: tuple[int, int, int]) -> None:
    data, result = inputs(I32, size)
    run(device, made_by_core(device, subgroup_values(I32, size)), [data, result])
    check_values(data, result, MADE_SIZE)
    flags, votes = (data % 3 == 0).astype(np.int32), np.zeros((len(data), VOTE_COLUMNS), np.int32)
    run(device, made_by_core(device, subgroup_votes(size)), [flags, votes])
    check_votes(flags, votes, MADE_SIZE)
