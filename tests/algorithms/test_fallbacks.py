"""Workgroups that never publish, and subgroups of every size: every way to sort, and the scan in one pass.

A feigned device: of so many tiles the first one publishes nothing, as if its workgroup did not run, so that the others
find what it should have published. Subgroups have 1 to 64 invocations, on simulators of this test's own. `gp.check`
finds nothing in these forms. test_sort_digits.py and test_scans.py have devices that compile.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest
from drawn import CAPACITIES, SORT, changed, values_of
from sort_order import assert_sorted, bits_of, in_order

import gpucore as gp
from gpucore.algorithms.scan.launches import plan_look_back
from gpucore.algorithms.shapes import ScanShape
from gpucore.algorithms.sort import digits, methods, queue_few
from gpucore.algorithms.sort.digits import DigitTile, Plan
from gpucore.runtime.registry import OpenDevice
from gpucore.simulator.device import SUBGROUP_SIZE_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.testing.checked_calls import CheckedCalls, checked_calls

LANES = (1, 4, 8, 16, 32, 64)
LOOK_BACK = ScanShape(look_back_from=4, look_back=(64, 1), look_back_with_fallback=(64, 1), patience=2)
"""Tiles of 256 elements."""


@functools.cache
def simulator(lanes: int) -> gp.Device:
    """A simulator with subgroups of a size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SUBGROUP_SIZE_VARIABLE, str(lanes))
        backend = SimulatorBackend()
        return gp.Device(OpenDevice(backend.open(0), backend))


def plan_of(lanes: int, *, sweeps: bool, silent: int = 0, invocations: int = 64) -> Plan:
    return Plan(DigitTile(invocations, 1, lanes), sweeps, chunks=3, patience=2 if silent else 0, silent=silent)


def check_digits(lanes: int, n: int, plan: Plan, descending: bool, dtype: str = "u8", calls: str = "p") -> None:
    """Keys of one digit, unless another dtype is named; the keys alone, the permutation, and values."""
    device = simulator(lanes)
    values = values_of(dtype, n, "any bits", n)
    x, carried = gp.asarray(values, device=device), gp.arange(n, 2 * n, dtype=gp.u32, device=device)
    target, moved = gp.empty_like(x), gp.empty(n, gp.u32, device=device)
    for call in calls:
        given = carried if call == "v" else None
        digits.sort(x, target, descending, plan, values=given, moved=None if call == "k" else moved)
        assert_sorted(target.numpy(), values, descending)
        if call != "k":
            permutation = moved.numpy() - np.uint32(n if call == "v" else 0)
            assert np.array_equal(np.sort(permutation), np.arange(n))
            assert np.array_equal(bits_of(values[permutation]), bits_of(in_order(values, descending)))
            alike = np.diff(bits_of(values[permutation]).astype("i8")) == 0
            assert (np.diff(permutation.astype("i8"))[alike] > 0).all(), "stable"


@pytest.mark.parametrize(("lanes", "silent"), [*itertools.product(LANES[1:], [0, 8]), (1, 8), (16, 1)])
def test_onesweep(lanes: int, silent: int) -> None:
    """None, all, and one of eight are silent, the first one too."""
    calls = "kpv" if (lanes, silent) == (16, 8) else "p"
    check_digits(lanes, 64 * 17 + 5, plan_of(lanes, sweeps=True, silent=silent), lanes in (4, 32), calls=calls)


def test_onesweep_by_several_digits() -> None:
    check_digits(16, 64 * 9 + 3, plan_of(16, sweeps=True, silent=8), False, "i16")


@pytest.mark.parametrize("lanes", LANES)
def test_reduce_then_scan(lanes: int) -> None:
    check_digits(lanes, 128 * 4 + 5, plan_of(lanes, sweeps=False, invocations=128), lanes in (4, 32))


@pytest.mark.parametrize("lanes", LANES)
def test_the_methods_by_name(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the plans that the library makes: on a device without progress `onesweep` has its fallback."""
    monkeypatch.setattr(queue_few, "CAPACITIES", CAPACITIES)
    device = simulator(lanes)
    values = values_of("u8", 130, "any bits", lanes)
    x = gp.asarray(values, device=device)
    with changed(device, sort=SORT):
        for variant in methods.METHODS:
            if variant == "columns" or (variant in ("onesweep", "reduce_then_scan") and lanes != 64):
                continue  # the first has no subgroups, the others are tested above, and they take a second
            assert_sorted(gp.sort(x, True, variant=variant).numpy(), values, True)


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("lost", [0, 1, 8])
def test_sums_in_one_pass(lanes: int, lost: int) -> None:
    device = simulator(lanes)
    values = values_of("u32", 256 * 9 + 7, "any bits", lanes)
    x, sums = gp.asarray(values, device=device), values.cumsum(dtype="u4")
    for exclusive in (False, True):
        got = plan_look_back(x.size, x.shape, x.dtype, exclusive, LOOK_BACK, lost).run(x=x).numpy()
        assert np.array_equal(got, sums - values if exclusive else sums)


# ---------------------------------------------------------------- gp.check


def checked(lanes: int) -> Any:
    return checked_calls(schedules=2 if lanes > 1 else 1, subgroup_size=lanes)  # much code is made for one lane


def assert_clean(calls: CheckedCalls, least: int) -> None:
    assert calls.checked >= least and calls.too_large == 0
    assert not calls.reports, str(calls)


# A sweep and the other way have the sizes of subgroups by turns: code for few lanes is long.
SILENT = [(lanes, 2) if lanes in (4, 16, 64) else pytest.param(lanes, 2, marks=pytest.mark.large) for lanes in LANES]


@pytest.mark.parametrize(("lanes", "silent"), [*SILENT, (64, 0)])
def test_nothing_is_found_in_a_sweep(lanes: int, silent: int) -> None:
    device, invocations = simulator(lanes), max(16, lanes)
    values = values_of("u8", invocations * 3 + 5, "any bits", lanes)
    x, target = gp.asarray(values, device=device), gp.empty(values.size, gp.u8, device=device)
    plan = plan_of(lanes, sweeps=True, silent=silent, invocations=invocations)
    with checked(lanes) as calls:
        if lanes in (16, 64):
            moved = gp.empty(values.size, gp.u32, device=device)
            digits.sort(x, target, True, plan, moved=moved)
        else:
            digits.sort(x, target, False, plan)
    assert_sorted(target.numpy(), values, lanes in (16, 64))
    assert_clean(calls, 3)


@pytest.mark.parametrize(
    "lanes", [lanes if lanes in (1, 8, 32) else pytest.param(lanes, marks=pytest.mark.large) for lanes in LANES]
)
def test_nothing_is_found_in_reduce_then_scan(lanes: int) -> None:
    device = simulator(lanes)
    values = values_of("u8", 128 + 9, "any bits", lanes)
    x, target = gp.asarray(values, device=device), gp.empty(values.size, gp.u8, device=device)
    moved = gp.empty(values.size, gp.u32, device=device)
    with checked(lanes) as calls:
        digits.sort(x, target, lanes in (4, 32), plan_of(lanes, sweeps=False, invocations=128), moved=moved)
    assert_sorted(target.numpy(), values, lanes in (4, 32))
    assert np.array_equal(values[moved.numpy()], target.numpy())
    assert_clean(calls, 2)


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("lost", [0, 2])
def test_nothing_is_found_in_sums_in_one_pass(lanes: int, lost: int) -> None:
    values = values_of("i32", 256 * 3 + 6, "any bits", lanes)
    x = gp.asarray(values, device=simulator(lanes))
    with checked(lanes) as calls:
        got = plan_look_back(x.size, x.shape, x.dtype, lanes in (4, 32), LOOK_BACK, lost).run(x=x).numpy()
    sums = values.cumsum(dtype="i4")
    assert np.array_equal(got, sums - values if lanes in (4, 32) else sums)
    assert_clean(calls, 2)
