"""What an array says of itself stays as it is, and numbers enter arrays as they were given, or not at all."""

from __future__ import annotations

import copy
import gc
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing import require_device

FACTS = ("shape", "dtype", "device", "nbytes", "size", "ndim", "storage", "is_closed", "unknown")

REFUSED: dict[str, tuple[Any, Any, str]] = {
    "too_long_for_i32": ([2**40, -1], gp.i32, "the value 1099511627776 at index 0 does not fit gpucore.i32, which "
                         "holds -2147483648 to 2147483647"),
    "second_axis": ([[1, 2], [3, 300]], gp.u8, "the value 300 at index (1, 1) does not fit gpucore.u8"),
    "negative_for_u32": (np.array([5, -1]), gp.u32, "the value -1 at index 1 does not fit gpucore.u32"),
    "u64_for_i64": (np.array([2**64 - 1], np.uint64), gp.i64, "the value 18446744073709551615 at index 0"),
    "fraction": ([2.0, 1.5], gp.i32, "the value 1.5 at index 1 does not fit gpucore.i32, which holds whole numbers"),
    "nan": ([float("nan")], gp.i32, "the value nan at index 0 does not fit gpucore.i32, which holds whole numbers"),
    "infinity": (np.array([1, np.inf], np.float32), gp.u32, "the value inf at index 1 does not fit gpucore.u32"),
    "first_float_beyond_i64": (np.array([2.0**63]), gp.i64, f"the value {2.0**63} at index 0"),
    "becomes_infinite": ([1.0, 1e300], gp.f32, "the value 1e+300 at index 1 does not fit gpucore.f32: it would become "
                         "infinite"),
    "becomes_infinite_f16": (np.array([65520.0], np.float32), gp.f16, "the value 65520.0 at index 0 does not fit"),
    "vectors": ([[1, 2], [3, 2**32]], gp.u32x2, "the value 4294967296 at index (1, 1) does not fit gpucore.u32x2"),
    "a_number": (2**31, gp.i32, "the value 2147483648 does not fit gpucore.i32"),
    "a_float": (1e39, gp.f32, "the value 1e+39 does not fit gpucore.f32"),
    "integers_that_numpy_rounds": ([2**63 + 1, -1], gp.i64, "the value 9223372036854775809 at index 0 does not fit"),
    "integers_that_numpy_rounds_without_dtype": ([2**63 + 1, -1], None, "the value 9223372036854775809 at index 0 "
                                                 f"becomes {2.0**63}, because NumPy converts these values to float64"),
}  # fmt: skip

CONVERTED: dict[str, tuple[Any, Any, Any]] = {
    "floats_rounded": ([0.1, 1 / 3], gp.f32, np.float32([0.1, 1 / 3])),
    "whole_floats": ([2.0, -3.0], gp.i32, np.int32([2, -3])),
    "bools": ([True, False], gp.u32, np.uint32([1, 0])),
    "least_and_greatest": (np.array([-(2**31), 2**31 - 1]), gp.i32, np.int32([-(2**31), 2**31 - 1])),
    "infinite_already": (np.array([np.inf, -np.inf, np.nan]), gp.f32, np.float32([np.inf, -np.inf, np.nan])),
    "other_byte_order": (np.array([1, -2], ">i8"), gp.i32, np.int32([1, -2])),
    "strided": (np.arange(10)[::-3], gp.f32, np.float32([9, 6, 3, 0])),
    "integers_that_numpy_rounds": ([2**63 - 1, 2**63], gp.u64, np.array([2**63 - 1, 2**63], np.uint64)),
    "none": ([], gp.i32, np.int32([])),
    "a_number": (7.0, gp.i32, np.int32(7)),
}


@pytest.mark.parametrize("name", FACTS)
def test_facts_are_not_assigned(name: str) -> None:
    y = gp.zeros(12, device="simulator")
    with pytest.raises(AttributeError, match=f"'{name}' of an array cannot be assigned"):
        setattr(y, name, (40_000_000,))
    with pytest.raises(AttributeError, match=f"'{name}' of an array cannot be deleted"):
        delattr(y, name)
    assert (y.shape, y.dtype, y.nbytes, y.size, y.ndim) == ((12,), gp.f32, 48, 12, 1)


@pytest.mark.parametrize("name", ["id", "info", "backend", "driver_device", "kind", "limits", "capabilities"])
def test_facts_of_a_device_are_not_assigned(name: str) -> None:
    device = gp.device("simulator")
    with pytest.raises(AttributeError):
        setattr(device, name, None)
    assert getattr(device, name) is not None


def test_assigned_shape_names_reshape() -> None:
    with pytest.raises(AttributeError, match="reshape"):
        gp.zeros(12, device="simulator").shape = (3, 4)  # type: ignore[misc]
    with pytest.raises(AttributeError, match="reshape"):
        del gp.zeros(12, device="simulator").shape


@pytest.mark.parametrize("case", REFUSED)
def test_values_that_do_not_fit_are_refused(case: str) -> None:
    values, dtype, text = REFUSED[case]
    with pytest.raises(gp.ArgumentError) as caught:
        gp.asarray(values, dtype, device="simulator")
    assert text in str(caught.value)


@pytest.mark.parametrize("case", CONVERTED)
def test_values_that_fit_are_converted(case: str) -> None:
    values, dtype, wanted = CONVERTED[case]
    made = gp.asarray(values, dtype, device="simulator").numpy()
    assert made.dtype == wanted.dtype
    np.testing.assert_array_equal(made, wanted)


@pytest.mark.parametrize("make", [gp.empty, gp.zeros])
def test_an_axis_too_long_is_refused_where_there_are_no_elements(make: Any) -> None:
    with pytest.raises(gp.ArgumentError, match=r"an axis of an array has at most 2\*\*31 - 1 elements"):
        make((0, 2**31), device="simulator")


def test_reshape_to_an_axis_too_long_is_refused() -> None:
    with pytest.raises(gp.ArgumentError, match=r"an axis of an array has at most 2\*\*31 - 1 elements"):
        gp.zeros((0,), device="simulator").reshape(0, 2**31)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda x: copy.deepcopy([x])[0]])
def test_copies_have_memory_of_their_own(duplicate: Any) -> None:
    x = gp.asarray(np.arange(6, dtype=np.float32).reshape(2, 3), device="simulator")
    made = duplicate(x)
    assert made.storage is not x.storage
    x.close()
    np.testing.assert_array_equal(made.numpy(), np.arange(6, dtype=np.float32).reshape(2, 3))


@pytest.mark.parametrize("backend", ["simulator", "cpu", "wgpu", "opencl", "cuda"])
def test_memory_of_an_array_in_a_cycle_is_used_again(backend: str) -> None:
    device = require_device(backend)
    for close in (False, True):
        cycle: list[Any] = [gp.full(1000, 3, device=device)]
        cycle.append(cycle)
        if close:
            cycle[0].close()
        del cycle
        gc.collect()
        again = [gp.full(1000, value, device=device) for value in (5, 7)]
        assert [set(array.numpy().tolist()) for array in again] == [{5.0}, {7.0}]
