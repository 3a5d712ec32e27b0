"""Parts of gpucore bench: rounds, and checks of results."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from gpucore.bench import chunks, sorts
from gpucore.bench.checks import check_axpy, check_bits, check_equal, check_numbers, check_order, check_pairs, mix
from gpucore.bench.libraries import NumPy
from gpucore.bench.sorts import DISTRIBUTIONS, Keys, sort_cases
from gpucore.tuning.rounds import in_a_row, interleave, wall_time

# ---------------------------------------------------------------- rounds


def test_rounds_end_at_the_limit_but_not_before_three() -> None:
    calls = []
    found = interleave({"a": lambda: calls.append("a") or 2.0, "b": lambda: calls.append("b") or 3.0}, limit=0.0)
    assert calls == ["a", "b"] * 4  # one round warms up
    assert found["b"] == {"median": 3.0, "min": 3.0, "max": 3.0, "rounds": 3}
    times = iter([9.0, 9.0, 9.0, 1.0, 5.0, 2.0, 4.0])
    assert interleave({"a": lambda: next(times)}, rounds=4) == {
        "a": {"median": 3.0, "min": 1.0, "max": 5.0, "rounds": 4}
    }


def test_what_has_used_up_its_share_takes_no_more_part() -> None:
    calls = []

    def slow() -> float:
        calls.append("slow")
        time.sleep(0.2)
        return 0.2

    found = interleave({"slow": slow, "fast": lambda: calls.append("fast") or 1.0}, rounds=30, limit=1.0)
    assert (found["slow"]["rounds"], found["fast"]["rounds"]) == (3, 30)
    assert calls[-27:] == ["fast"] * 27


def test_calls_in_a_row_take_a_while_in_all() -> None:
    def calls_of(seconds: float) -> list[int]:
        made: list[int] = []

        def timed(calls: int) -> Callable[[], float]:
            return lambda: made.append(calls) or seconds

        row = in_a_row(timed)
        assert (row(), row()) == (seconds, seconds)
        return made

    assert calls_of(1.0) == [1, 3, 3]
    assert calls_of(0.0005) == [1, 10, 10]
    assert calls_of(1e-6) == calls_of(0.0) == [1, 20, 20]


def test_the_time_of_several_calls_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    clock = iter([3.0, 13.0])
    monkeypatch.setattr("gpucore.tuning.rounds.time.perf_counter", lambda: next(clock))
    assert wall_time(lambda: calls.append("work"), lambda: calls.append("wait"), calls=5)() == 2.0
    assert calls == ["work"] * 5 + ["wait"]


# ---------------------------------------------------------------- checks


def test_checks_find_one_wrong_element() -> None:
    x, y = (np.random.default_rng(seed).random(1003, dtype=np.float32) for seed in (1, 2))
    right = y + np.float32(1.5) * x
    assert check_axpy(1.5, x, y, right) == check_equal(right, right.copy()) == ""
    for wrong in (np.float32(np.nan), right[777] * np.float32(1 + 1e-6)):
        other = right.copy()
        other[777] = wrong
        assert check_axpy(1.5, x, y, other).startswith(f"element 777 is {wrong!r}, but should be ")
        assert check_equal(other, right).startswith("1 of 1003 elements are wrong; element 777 is ")
    assert "f" in check_axpy(1.5, x, y, right.astype(np.float64)) and check_axpy(1.5, x, y, right[1:]) != ""
    assert (
        check_equal(right.astype(np.float64), right)
        == "the result is float64 of shape (1003,), not float32 of shape (1003,)"
    )
    steps = y.copy()
    for _ in range(50):
        steps += np.float32(0.5) * x
    assert check_axpy(0.5, x, y, steps, 50) == "" and check_axpy(0.5, x, y, steps, 49) != ""


def test_integers_of_other_types_are_compared() -> None:
    x = np.array([1, 2**32 - 1], np.uint32)
    assert check_bits(x.view(np.int32), x) == check_numbers(x.astype(np.int64), x) == ""
    assert check_bits(x.astype(np.int64), x) == "the result is int64 of shape (2,), not uint32 of shape (2,)"
    assert check_bits(np.array([1, -2], np.int32), x).startswith("1 of 2 elements are wrong; element 1 ")
    assert check_numbers(x.astype(np.int64) + 2**32, x).startswith("2 of 2 elements are wrong; element 0 ")
    assert check_numbers(x.astype(np.float64), x) == "the result is float64 of shape (2,), not of integers"


SIZE = 1003


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """Keys with equal ones, in chunks of 100."""
    monkeypatch.setattr(chunks, "_CHUNK", 100)
    return np.random.default_rng(3).integers(0, 500, SIZE, dtype=np.uint32)


def test_the_order_is_checked_between_chunks(keys: np.ndarray) -> None:
    ordered = np.arange(SIZE, dtype=np.uint32)
    assert check_order(ordered) == check_order(ordered[:1]) == check_order(ordered[:0]) == ""
    for place in (1, 99, 100, 101, 200, SIZE - 1):
        wrong = ordered + np.uint32(1)
        wrong[place] = wrong[place - 1] - np.uint32(1)
        assert check_order(wrong) == f"element {place} is {wrong[place]!r}, less than the one before it"


@pytest.mark.parametrize("compared", [0, 1 << 24])
def test_sorted_keys_are_the_same_keys(keys: np.ndarray, monkeypatch: pytest.MonkeyPatch, compared: int) -> None:
    monkeypatch.setattr(sorts, "_MOST_COMPARED", compared)
    given, result = Keys(keys), np.sort(keys)
    assert given.check(result) == ""
    twice = result.copy()  # one key is lost, and another one is there twice
    place = int(np.flatnonzero(np.diff(result))[200])
    twice[place + 1] = twice[place]
    exchanged = result.copy()  # the same sum
    low, high = exchanged.searchsorted([100, 300])
    exchanged[low - 1] += 1
    exchanged[high] -= 1
    for wrong in (
        keys,
        np.unique(result),
        result[:-1],
        result.astype(np.int64),
        np.sort(exchanged),
        np.zeros_like(keys),
    ):
        assert given.check(wrong) != ""
    assert mix(keys) == mix(result) != mix(np.sort(exchanged))


def test_values_are_where_their_keys_were(keys: np.ndarray) -> None:
    order = np.argsort(keys, kind="stable")
    assert check_pairs(keys, keys[order], order) == ""
    ends = np.flatnonzero(np.diff(keys[order]) == 0)
    other = order.copy()  # equal keys in another order
    other[ends[0]], other[ends[0] + 1] = order[ends[0] + 1], order[ends[0]]
    assert check_pairs(keys, keys[order], other) == ""
    repeated = order.copy()
    repeated[ends[0]] = repeated[ends[0] + 1]
    assert check_pairs(keys, keys[order], repeated) == f"no element has the value {order[ends[0]]}"
    beyond = order.copy()
    beyond[707] = SIZE
    assert check_pairs(keys, keys[order], beyond).startswith("a value is ")
    shifted = np.roll(order, 1)
    assert "which is that of another key" in check_pairs(keys, keys[order], shifted)
    assert check_pairs(keys, keys, np.arange(SIZE)).startswith("element ")
    assert check_pairs(keys, keys[order][1:], order).startswith("the result is ")


# ---------------------------------------------------------------- keys


def test_distributions_are_what_their_names_say() -> None:
    size = 1 << 18
    cases = {case.what: case for case in sort_cases(size)}
    assert [what for what in cases if "," in what] == [f"sort u32, {name}" for name in DISTRIBUTIONS]
    drawn = {name: cases[f"sort u32, {name}"].inputs(size).keys for name in DISTRIBUTIONS}
    assert (np.diff(drawn["sorted"].astype(np.int64)) > 0).all()
    assert np.unique(drawn["all equal"]).size == 1
    values, counts = np.unique(drawn["16 values"], return_counts=True)
    assert values.size == 16 and counts.min() > size / 20 and np.any(values > 2**31)
    zipf = drawn["Zipf's law in 16 bits"]
    counts = np.bincount(zipf, minlength=1 << 16)
    assert zipf.max() < 1 << 16 and counts[1] > 1.6 * counts[2] > 3 * counts[8] and counts[1] > size / 20
    random = cases["sort u32 on the device"].inputs(size).keys
    assert np.unique(random).size > 0.99 * size
    library = NumPy()
    for case in cases.values():
        prepared = case.prepare(library, case.inputs(size))
        assert prepared is not None and prepared[1]() == ""
