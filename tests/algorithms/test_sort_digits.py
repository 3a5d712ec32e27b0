"""The sort by digits with subgroups, in each of its forms, whichever gp.sort chooses: whole outputs, stable orders."""

from __future__ import annotations

import numpy as np
import pytest
from sort_order import any_bits, assert_sorted, in_order, is_supported, numpy_dtype
from turns import Turns

import gpucore as gp
from gpucore.algorithms.sort import digits
from gpucore.algorithms.sort.digits import DigitTile, Plan

FORMS = {
    "split": (False, 0, 0),
    "sweep": (True, 0, 0),
    "one tile of eight silent": (True, 3, 8),
}
SIZES = (1, 127, 128, 129, 3001)


def _plan(device: gp.Device, form: str, dtype: str) -> Plan:
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} lacks {dtype}; test_sort_values checks the refusal")
    if device.backend.name == "simulator":
        pytest.skip("test_fallbacks.py has the simulator, with subgroups of every size")
    sweeps, patience, silent = FORMS[form]
    lanes = device.limits.max_subgroup_size
    if not device.supports(gp.Capability.SUBGROUP) or not lanes or lanes != device.limits.min_subgroup_size:
        pytest.skip(f"{device.id} has no subgroups of one known size")
    if sweeps and device.limits.max_loop_iterations is not None:
        pytest.skip(f"{device.id} has a limit on the iterations of an invocation, and a sweep waits in a loop")
    if sweeps and not patience and not _takes_turns(device):
        pytest.skip(f"{device.id} does not promise that workgroups go on while others wait")
    tile = DigitTile(max(64, lanes), 2, lanes) if sweeps else DigitTile(128, 1, lanes)  # compiled soonest
    return Plan(tile=tile, sweeps=sweeps, chunks=3, patience=patience, silent=silent)


def _takes_turns(device: gp.Device) -> bool:
    """Whether a workgroup that others wait for comes to publish: where it runs beside them, or ran before them."""
    return device.info.workgroups_progress or device.backend.name == "cpu"


@pytest.mark.parametrize(
    ("form", "dtype"), [*((form, "u32") for form in FORMS), ("sweep", "f64"), ("split", "f64"), ("split", "i16")]
)
def test_keys(device: gp.Device, turns: Turns, dtype: str, form: str) -> None:
    plan = _plan(device, form, dtype)
    if form == "split" and dtype != "u32":  # the others have one device each, of those in software
        turns.skip_others(("f64", "i16").index(dtype))
    for number, n in enumerate(SIZES):
        values = any_bits(numpy_dtype(dtype), n)
        for descending in {number % 2 == 0, n == SIZES[-1]}:  # in turns, and the largest both ways
            x = gp.asarray(values, device=device)
            target = gp.empty(n, x.dtype, device=device)
            digits.sort(x, target, descending, plan)
            assert_sorted(target.numpy(), values, descending)


@pytest.mark.parametrize(("form", "dtype"), [("split", "u32"), ("sweep", "f64"), ("one tile of eight silent", "u32")])
def test_values_move_with_their_keys(device: gp.Device, dtype: str, form: str) -> None:
    plan = _plan(device, form, dtype)
    for n in SIZES:
        values = any_bits(numpy_dtype(dtype), n)
        values[::2] = values[0]  # so that a stable order differs from others
        order = in_order(values, False)
        x = gp.asarray(values, device=device)
        given = gp.asarray(np.arange(n, dtype=np.uint32)[::-1].copy(), device=device)
        target, moved = gp.empty(n, x.dtype, device=device), gp.empty(n, gp.u32, device=device)
        for with_values in (False, True):
            digits.sort(x, target, False, plan, values=given if with_values else None, moved=moved)
            permutation = moved.numpy() if not with_values else np.uint32(n - 1) - moved.numpy()
            assert_sorted(target.numpy(), values, False)
            assert np.array_equal(np.sort(permutation), np.arange(n)), "a permutation"
            sorted_bits = values[permutation].view(f"u{values.itemsize}")
            assert np.array_equal(sorted_bits, order.view(f"u{values.itemsize}"))
            same = sorted_bits[1:] == sorted_bits[:-1]
            assert (np.diff(permutation.astype(np.int64))[same] > 0).all(), "stable"
