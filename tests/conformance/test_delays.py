"""What the kit puts in the way of calls that must not wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import mutant_backends as mutants
import pytest
from mutant_backends import WrappedBackend
from queued_device import SeveralQueues

import gpucore as gp
from gpucore.runtime import Mark
from gpucore.testing import require_device
from gpucore.testing.bench import Delay, own_device


@contextmanager
def _registered(device_class: type[mutants.WrappedDevice]) -> Iterator[gp.Device]:
    gp.register_backend(WrappedBackend("delayed", device_class))
    try:
        with gp.device("delayed") as opened:
            yield opened
    finally:
        gp.unregister_backend("delayed")


@pytest.mark.parametrize(("num_late", "num_calls", "is_early"), [(0, 1, True), (3, 4, True), (4, 4, False)])
def test_a_call_that_was_late_is_made_again(num_late: int, num_calls: int, is_early: bool) -> None:
    """As by another process that takes the processor in the meantime."""
    calls: list[Mark] = []

    def call(mark: Mark) -> None:
        calls.append(mark)
        if len(calls) <= num_late:
            bench.wait(mark)

    with _registered(SeveralQueues) as gpu, own_device(gpu) as bench:
        assert Delay(bench).outlasts(call) == is_early
    assert len(calls) == num_calls


def test_work_that_ends_at_once_outlasts_nothing_and_is_not_late() -> None:
    with _registered(mutants.WrappedDevice) as gpu, own_device(gpu) as bench:
        assert Delay(bench).outlasts(bench.wait)


@pytest.mark.parametrize("name", ["cpu", "wgpu", "opencl"])
def test_delays_are_pending_when_they_are_queued(name: str) -> None:
    calls: list[Mark] = []
    with own_device(require_device(name)) as bench:
        assert Delay(bench).outlasts(calls.append)
    assert calls
