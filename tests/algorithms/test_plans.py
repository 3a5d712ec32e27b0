"""What calls remember of earlier ones: the launches for arrays and options that are alike."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.algorithms.reduce.kernels import make_runs
from gpucore.testing import require_device

LEAST = 2.0


@pytest.fixture
def cpu() -> Iterator[gp.Device]:
    device = require_device("cpu")
    device.sequences.clear()
    yield device
    device.sequences.clear()


def recorded(device: gp.Device) -> int:
    return sum(bool(graph) for graph in device.sequences.values())


def above_a_global(a, b):
    return gp.max(gp.max(a, b), LEAST)


def above_what_is_closed_over() -> tuple[Callable[[Any, Any], Any], Callable[[float], None]]:
    least = 2.0

    def above(a, b):
        return gp.max(gp.max(a, b), least)

    def change(value: float) -> None:
        nonlocal least
        least = value

    return above, change


@pytest.mark.parametrize("kind", ["global", "closure"])
def test_a_helper_reads_what_has_changed(cpu: gp.Device, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    op, change = above_what_is_closed_over()
    if kind == "global":
        op, change = above_a_global, lambda least: monkeypatch.setitem(globals(), "LEAST", least)
    x = gp.asarray([1.0, 2.5, 3.0], gp.f32, device=cpu)
    for least in (2.0, 100.0, 300.0):
        change(least)
        for _ in range(3):
            assert gp.reduce(op, x).item() == max(3.0, least)
            assert gp.scan(op, x).tolist() == [1.0, max(2.5, least), max(3.0, least)]


def later(a, b):
    return b if b > a else a


def test_helpers_that_cannot_change_are_recorded(cpu: gp.Device) -> None:
    x = gp.asarray([1.0, 2.5, 3.0], gp.f32, device=cpu)
    for number, op in enumerate((later, gp.max, max, operator.add)):
        total = 6.5 if op is operator.add else 3.0
        for _ in range(3):
            assert gp.reduce(op, x).item() == total and gp.scan(op, x).tolist()[-1] == total
        assert recorded(cpu) == 2 * number + 2


@pytest.mark.parametrize("axis", [(0.0,), (False,), 0.0, False])
def test_equal_axes_of_other_types_are_refused(cpu: gp.Device, axis: Any) -> None:
    x = gp.ones((2, 3), device=cpu)
    assert gp.sum(x, axis=(0,)).tolist() == gp.sum(x, axis=0).tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(gp.ArgumentError, match="an axis of this array is a whole number from -2 to 1"):
        gp.sum(x, axis=axis)


@pytest.mark.parametrize("named", [False, True])
def test_arrays_of_numpy_and_named_devices_have_one_plan(cpu: gp.Device, named: bool) -> None:
    values = np.arange(1, 100, dtype=np.float32)
    x = gp.asarray(values, device=cpu) if named else values

    def call() -> tuple[Any, ...]:
        assert gp.sum(x, device=cpu).item() == 4950.0 and gp.cumsum(x, device=cpu)[-1].item() == 4950.0
        assert gp.reduce(later, x, 0.5, device=cpu).item() == 99.0
        return dict(cpu.plans[1]), [*cpu.sequences], make_runs.cache_info().misses

    first = call()
    assert len(first[1]) == 3
    for _ in range(3):
        assert call() == first
