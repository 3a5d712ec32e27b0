"""Gangs of several vectors: which kernels run in them, and that a reduction is right whatever its length."""

from __future__ import annotations

import re

import numpy as np
import pytest
from cpu_kernels import Draft, const, local_id, op, run, workgroup_id

from gpucore import ir
from gpucore.ir import I32
from gpucore.runtime import Device
from gpucore_cpu.emit import emit

SIZE = 128


def reduction(*, stride: int = 1, is_slow: bool = False, type: ir.ScalarType = I32) -> Draft:
    """Each invocation adds up elements that lie a workgroup apart; each sum is stored."""
    draft = Draft(SIZE)
    x, out, size = draft.buffer("x", type), draft.buffer("out", type), draft.param("size", I32, is_size=True)
    total = draft.variable("total", const(0, type))
    first = op(local_id(0), "*", stride)
    trips = draft.let("trips", op(op(op(size, "-", local_id(0)), "+", SIZE - 1), "//", SIZE))
    with draft.loop_over(const(0), trips, uniform=False) as trip:
        value = draft.load(x, op(first, "+", op(trip, "*", SIZE * stride)))
        draft.assign(total, op(total, "+", op(value, "//", 3) if is_slow else value))
    draft.store(out, op(op(workgroup_id(0), "*", SIZE), "+", local_id(0)), total)
    return draft


def lanes(draft: Draft, num_lanes: int) -> int:
    return int(emit(draft.valid(), num_lanes=num_lanes).payload)  # type: ignore[call-overload]


def test_a_reduction_has_a_sum_in_many_vectors() -> None:
    assert [lanes(reduction(), count) for count in (1, 4, 8, 16)] == [1, 64, 128, 128]
    assert lanes(reduction(type=ir.I64), 4) == 32  # twice the registers


def test_other_loops_have_one_vector() -> None:
    assert lanes(reduction(stride=5), 16) == 16  # gathers
    assert lanes(reduction(is_slow=True), 16) == 16


def test_iterations_of_all_lanes_have_no_mask_and_read_in_order() -> None:
    text = emit(reduction().valid(), num_lanes=8).text
    assert len(re.findall(r"= load volatile <16 x i32>, ptr %t", text)) == SIZE * 4 // 64
    assert len(re.findall(r"call <128 x i32> @llvm\.masked\.load", text)) == 1  # of the iterations that some lanes have


@pytest.mark.parametrize("size", [0, 1, 5, SIZE - 1, SIZE, SIZE + 1, 7 * SIZE + 77])
def test_every_element_is_added_once(device: Device, size: int) -> None:
    x = np.random.default_rng(size).integers(-(2**31), 2**31, max(size, 1)).astype(np.int32)
    padded = np.zeros(8 * SIZE, np.int32)
    padded[:size] = x[:size]
    result = run(device, reduction(), [x, np.full(SIZE, -1, np.int32)], (1,), size=size)[1]
    np.testing.assert_array_equal(result, padded.reshape(8, SIZE).sum(0, dtype=np.int32))


def test_lanes_with_stops_of_their_own(device: Device) -> None:
    """The iterations that all lanes have come first, then those of some. Nothing is carried over between gangs."""
    draft = Draft(64)
    stops, out = draft.buffer("stops", I32), draft.buffer("out", I32)
    total = draft.variable("total", const(0))
    with draft.loop_over(const(2), draft.load(stops, local_id(0)), uniform=False) as k:
        draft.assign(total, op(op(total, "*", 3), "+", op(k, "+", local_id(0))))
    draft.store(out, local_id(0), total)
    for low, high in ((-3, 9), (5, 12), (6, 7)):
        given = np.random.default_rng(high).integers(low, high, 64).astype(np.int32)
        expected = []
        for lane, stop in enumerate(given.tolist()):
            value = 0
            for k in range(2, stop):
                value = value * 3 + k + lane
            expected.append(value)
        np.testing.assert_array_equal(run(device, draft, [given, np.zeros(64, np.int32)], (1,))[1], expected)
