"""How the kit measures that memory was freed, where a driver frees it later."""

from __future__ import annotations

import pytest

from gpucore.testing import processes

MIB = 1 << 20


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What a process has, MiB, from one look to the next; the last one stays. A second passes with each wait of 0.1."""
    sizes: list[int] = []
    clock = iter(range(1_000))
    monkeypatch.setattr(processes, "resident_bytes", lambda: (sizes.pop(0) if len(sizes) > 1 else sizes[0]) * MIB)
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return sizes


def test_what_is_freed_in_time_has_not_grown(memory: list[int]) -> None:
    memory += [300, 300, 200, 119]
    processes.check_growth(100 * MIB, 20 * MIB)


def test_what_stays_has_grown(memory: list[int]) -> None:
    memory += [300, 121]
    with pytest.raises(AssertionError, match="the process grew by 21 MiB"):
        processes.check_growth(100 * MIB, 20 * MIB)


def test_what_is_measured_from_has_settled(memory: list[int]) -> None:
    """Memory that a driver frees later is not part of it, so that a leak of as much is seen."""
    memory += [300, 300, 200, 150, 100, 101, 100, 102]
    assert processes.settled_bytes() == 100 * MIB


def test_what_never_settles_is_measured_after_ten_seconds(memory: list[int]) -> None:
    memory += [300 - number for number in range(40)]
    assert processes.settled_bytes() in [size * MIB for size in range(288, 292)]
