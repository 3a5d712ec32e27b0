"""`gpucore demo`: it passes where all is right, and only there."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from fake_backend import FakeBackend, Faults

from gpucore.algorithms.matmul import VARIANTS
from gpucore.bench.checks import Product
from gpucore.cli.demo.checks import check_sorted, rank
from gpucore.cli.demo.sorts import make_sorts
from gpucore.errors import DeviceLostError
from gpucore.runtime import DeviceKind
from gpucore.runtime.plugins import manager
from gpucore.runtime.select import devices

FINE = "All demos completed successfully!"


def test_demo_passes_on_simulator_and_cpu(run: Any) -> None:
    wanted = ["simulator:0", *[info.id for info in devices() if info.backend == "cpu"]]
    shown = run("demo", "--quick", "--device", *wanted)
    lines = shown.out.splitlines()
    assert (shown.code, lines[-1], shown.err) == (0, FINE, "")
    assert sum(line.startswith("  PASSED  ") for line in lines) == 10 * len(wanted)  # the ninth sorts two arrays
    assert sum(line.startswith("Sort ") for line in lines) == 9 * len(wanted)
    for variant in VARIANTS:
        rows = [line.split() for line in lines if line.startswith(f"{variant} ")]
        assert len(rows) == len(wanted) and all(row[-1] == "PASSED" for row in rows)
    for device in wanted:
        assert any(line.startswith(f"{device} ") and "9/9" in line and "7/7" in line for line in lines)
    assert "  out     -inf -1e+30 -2.5 -0.125 -0 0 9.99995e-41 0.5 2.71 3.14 inf nan" in lines


def test_wrong_results_are_seen(run: Any, register: Any) -> None:
    register(FakeBackend("idle"))  # accepts every kernel and computes nothing
    shown = run("demo", "--quick", "--device", "idle")
    lines = shown.out.splitlines()
    assert shown.code == 1 and FINE not in shown.out
    assert "  PASSED" not in shown.out
    for number in range(1, 10):
        assert any(line.startswith(f"FAILED  idle:0: sort {number} (") for line in lines)
    for variant in VARIANTS:
        assert any(line.startswith(f"FAILED  idle:0: matrix product {variant}: ") for line in lines)
    assert any(line.startswith("idle:0 ") and "0/9" in line and "0/7" in line for line in lines)


def test_failing_devices_do_not_stop_the_others(run: Any, register: Any) -> None:
    register(FakeBackend("shut", faults=Faults(open=RuntimeError("the door is locked"))))
    register(FakeBackend("gone", faults=Faults(dispatch=DeviceLostError("it fell off the bus"))))
    register(FakeBackend("odd", faults=Faults(allocate=KeyError("odd error"))))
    shown = run("demo", "--quick", "--device", "shut", "gone", "--device", "odd", "missing")
    lines = shown.out.splitlines()
    assert shown.code == 1
    assert any(
        line.startswith("FAILED  shut:0: it cannot be opened: ") and "the door is locked" in line for line in lines
    )
    assert "FAILED  gone:0: the rest was not run: DeviceLostError: it fell off the bus" in lines
    assert "FAILED  odd:0: sort 9 (u32 that is sorted already, and all equal): KeyError: 'odd error'" in lines
    assert "FAILED  odd:0: the matrices cannot be uploaded: KeyError: 'odd error'" in lines
    assert any(line.startswith("FAILED  missing: ") for line in lines)
    assert "there is no backend 'missing'" in shown.out
    assert [line.split()[-1] for line in lines if line.startswith(("shut:0 ", "gone:0 ", "odd:0 ", "missing "))] == [
        "FAILED"
    ] * 4


def test_no_device_at_all_is_3_with_the_reasons(run: Any, register: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run("demo", "--device", "nosuch", "cudda")
    assert (shown.code, shown.out) == (3, "")
    assert "there is no backend 'nosuch'" in shown.err and "did you mean 'cuda'?" in shown.err


def test_everything_blocked_is_3(run_process: Any) -> None:
    shown = run_process("demo", GPUCORE_BLOCK="simulator,cpu,wgpu,opencl,cuda")
    assert (shown.code, shown.out) == (3, "")
    assert "simulator: blocked: it is named in GPUCORE_BLOCK" in shown.err
    assert "Traceback" not in shown.err


def test_text_that_names_no_device_is_2(run: Any) -> None:
    shown = run("demo", "--device", "cpu", "two words")
    assert (shown.code, shown.out) == (2, "")
    assert "'two words' does not name a device" in shown.err


def test_backends_without_a_device_are_named(run: Any, register: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    register(FakeBackend("alone", kinds=(DeviceKind.CPU,), faults=Faults(open=RuntimeError("shut"))))
    monkeypatch.setenv("GPUCORE_BLOCK", f"{os.environ['GPUCORE_BLOCK']},simulator")
    manager.refresh()
    shown = run("demo", "--quick")
    assert shown.code == 1
    assert "not run: simulator: blocked: it is named in GPUCORE_BLOCK" in shown.out


# ---------------------------------------------------------------- the checks themselves


def numpy_sorted(values: Any, descending: bool = False) -> Any:
    """In the documented order, bit for bit."""
    order = np.argsort(rank(values), kind="stable")
    return values[order][::-1] if descending else values[order]


@pytest.mark.parametrize("demo", make_sorts(is_simulator=True, quick=True), ids=lambda demo: str(demo.number))
def test_the_check_of_sorts_takes_right_results_and_no_others(demo: Any) -> None:
    for values in demo.arrays:
        right = numpy_sorted(values, demo.descending)
        assert check_sorted(values, right, demo.descending) == ""
        lost = right.copy()
        lost[1] = lost[0]
        zeros = np.zeros_like(values)
        all_equal = (values == values[0]).all()
        assert check_sorted(values, zeros, demo.descending) != ""
        assert (check_sorted(values, lost, demo.descending) == "") == all_equal
        assert (check_sorted(values, right[::-1], demo.descending) == "") == all_equal
        assert check_sorted(values, right[:-1], demo.descending) != ""
        assert check_sorted(values, right.astype(np.float64), demo.descending) != ""


def test_the_order_of_special_floats() -> None:
    order = np.array([-np.inf, -3e38, -1.0, -1e-45, -0.0, 0.0, 1e-45, 1.0, 3e38, np.inf], np.float32)
    assert (np.diff(rank(order)) > 0).all()
    nans = np.array([0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF], np.uint32).view(np.float32)
    assert (rank(nans) > rank(order).max()).all()
    zeros = np.array([0.0, -0.0], np.float32)
    assert (
        check_sorted(zeros, zeros, False) == "value 0 is np.float32(0.0) and value 1 is np.float32(-0.0): out of order"
    )
    assert check_sorted(nans, nans[::-1], False) == ""  # any order among NaNs
    assert "not a permutation" in check_sorted(nans, np.full(4, nans[0]), False)  # but every bit is kept


def test_the_inputs_need_sorting() -> None:
    sorts = make_sorts(is_simulator=False, quick=False)
    assert [demo.number for demo in sorts] == [*range(1, 10)]
    assert sorts[7].arrays[0].size == 100_000
    for demo in sorts[:8]:
        assert check_sorted(demo.arrays[0], demo.arrays[0], demo.descending) != ""
    floats = sorts[2].arrays[0]
    assert np.isnan(floats).any() and np.isinf(floats).sum() == 2 and np.signbit(floats[floats == 0]).sum() == 1


def test_the_check_of_products_takes_right_results_and_no_others() -> None:
    product = Product.random(48)
    right = product.a @ product.b
    assert product.check(right) == "" and product.worst(right) <= 1
    for wrong in (np.zeros_like(right), right.T.copy(), right * np.float32(1.001)):
        assert "entries are wrong" in product.check(wrong) and product.worst(wrong) > 1
    nan = right.copy()
    nan[3, 5] = np.nan
    assert product.check(nan).startswith("1 of 2304 entries are wrong; entry (3, 5) is np.float32(nan)")
    assert product.check(right.astype(np.float64)) != ""
    off = right.copy()
    off[0, 0] += np.float32(3 * product.bound[0, 0])
    assert product.check(off).startswith("1 of 2304 entries are wrong; entry (0, 0)")
