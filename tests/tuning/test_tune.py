"""gp.tune: what is chosen, and what never is. Times are those of a clock that the candidates turn on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from fake_candidates import Clock, Family

import gpucore as gp
from gpucore.testing import require_device
from gpucore.tuning.results import Tuning

ON = "cpu"
HOST = np.arange(1003, dtype=np.int32)


@pytest.fixture
def x() -> gp.Array:
    return gp.asarray(HOST, device=require_device(ON))


def costs(found: Tuning) -> list[float]:
    return [trial.candidate.cost for trial in found.trials]


# ---------------------------------------------------------------- what is chosen


def test_the_fastest_right_candidate_is_the_best(x: gp.Array, clock: Clock) -> None:
    found = gp.tune(Family(clock), {"cost": [3.0, 1.0, 2.0]}, x, verify=HOST)
    assert found.best.cost == 1.0 and found.seconds == 1.0 and (found.device, found.clock) == (x.device.id, "host")
    assert costs(found) == [1.0, 2.0, 3.0]
    for trial in found.trials:
        assert trial.is_right and trial.reason == ""
        assert trial.seconds == trial.least == trial.most == trial.candidate.cost


@pytest.mark.parametrize("kind", ["off", "empty", "raises"])
def test_a_wrong_candidate_is_never_the_best_even_if_it_is_the_fastest(x: gp.Array, clock: Clock, kind: str) -> None:
    space = {"cost": [0.001, 1.0, 2.0], "kind": ["right", kind]}
    family = Family(clock)
    found = gp.tune(family, space, x, verify=HOST, where=lambda c: (c.kind == "right") == (c.cost >= 1))
    assert found.best == (1.0, "right")
    wrong = found.trials[-1]
    assert wrong.candidate == (0.001, kind) and not wrong.is_right and wrong.seconds is None and wrong.rounds == 0
    reasons = {"off": "1 of 1003 elements are wrong: element 1002 is 1003, not 1002", "raises": "LimitError: "}
    assert wrong.reason.startswith(reasons.get(kind, "1003 of 1003 elements are wrong"))
    assert family.calls[0.001] <= 2, "a wrong candidate is not timed"


def test_an_output_cannot_be_what_another_candidate_has_left_in_memory(x: gp.Array, clock: Clock) -> None:
    """The right one runs before, and frees memory that the empty one gets."""
    found = gp.tune(Family(clock), {"cost": [1.0], "kind": ["right", "empty"]}, x, verify=HOST)
    assert [trial.is_right for trial in found.trials] == [True, False]


def test_an_output_in_the_problem_cannot_be_what_another_candidate_has_written(x: gp.Array, clock: Clock) -> None:
    def family(writes: bool) -> Any:
        def run(x: gp.Array, y: gp.Array) -> None:
            if writes:
                y.set(x)

        return run

    problem = (x, gp.zeros(x.shape, x.dtype, device=x.device))
    found = gp.tune(family, [True, False], problem, verify=lambda x, y: bool((y.numpy() == HOST).all()))
    assert found.best is True
    assert [(trial.candidate, trial.reason) for trial in found.trials[1:]] == [(False, "verify returned False")]


def test_the_problem_is_restored_before_each_output_that_is_judged(clock: Clock) -> None:
    @gp.kernel
    def add(x: gp.InOut[gp.i32], amount: gp.Const[int]):  # type: ignore[no-untyped-def]
        i = gp.global_id(0)
        if i < x.size:
            x[i] += amount

    def family(amount: int) -> Any:
        def run(x: gp.Array) -> gp.Array:
            clock.seconds += amount
            add(x, amount, invocations=x.size)
            return x

        return run

    x = gp.asarray(HOST, device=require_device(ON))
    found = gp.tune(family, [2, 1, 3], x, verify=HOST + 2)
    assert found.best == 2 and [trial.is_right for trial in found.trials] == [True, False, False]
    np.testing.assert_array_equal(x.numpy(), HOST)


def test_a_candidate_that_turns_wrong_while_it_is_timed_is_not_the_best(x: gp.Array, clock: Clock) -> None:
    space = [SimpleNamespace(cost=1.0, kind="late"), SimpleNamespace(cost=2.0)]
    found = gp.tune(Family(clock, after=8), space, x, verify=HOST)
    assert found.best is space[1]
    assert found.trials[1].candidate is space[0] and found.trials[1].reason.startswith("after it was timed: 1 of 1003")


def test_without_a_right_candidate_there_is_an_error_with_the_reasons(x: gp.Array, clock: Clock) -> None:
    with pytest.raises(gp.TuningError) as raised:
        gp.tune(Family(clock), {"cost": [1.0, 2.0], "kind": ["off", "raises"]}, x, verify=HOST)
    lines = str(raised.value).splitlines()
    assert lines[0] == f"none of the 4 candidates gives a right output on {x.device.id}, so none is chosen:"
    assert lines[1] == "  cost=1.0 kind='off': 1 of 1003 elements are wrong: element 1002 is 1003, not 1002"
    assert lines[2].startswith("  cost=1.0 kind='raises': LimitError: error[GP999]: too much workgroup memory")
    assert len(lines) == 5


def test_a_kernel_beyond_the_limits_of_the_device_is_reported(x: gp.Array, clock: Clock) -> None:
    limit = x.device.limits.max_workgroup_memory

    @gp.kernel
    def copy(x: gp.In[gp.i32], y: gp.Out[gp.i32], words: gp.Const[int]):  # type: ignore[no-untyped-def]
        block = gp.workgroup_array(gp.i32, words)
        i = gp.global_id(0)
        if i < x.size:
            block[gp.local_id(0)] = x[i]
            y[i] = block[gp.local_id(0)]

    def family(words: int) -> Any:
        def run(x: gp.Array) -> gp.Array:
            y = gp.empty_like(x)
            copy(x, y, words, invocations=x.size)
            return y

        return run

    found = gp.tune(family, [limit, 1024], x, verify=HOST)
    assert found.best == 1024
    assert not found.trials[1].is_right and found.trials[1].reason.startswith("LimitError: ")


def test_other_errors_are_raised(x: gp.Array, clock: Clock) -> None:
    def family(candidate: int) -> Any:
        raise ZeroDivisionError("of the family")

    with pytest.raises(ZeroDivisionError, match="of the family"):
        gp.tune(family, [1], x, verify=HOST)


# ---------------------------------------------------------------- rounds


def test_slow_candidates_take_part_in_the_first_rounds_only(x: gp.Array, clock: Clock) -> None:
    found = gp.tune(Family(clock), {"cost": [1.0, 1.1, 1.5, 10.0]}, x, verify=HOST, rounds=8, limit=1e9)
    assert {trial.candidate.cost: trial.rounds for trial in found.trials} == {1.0: 8, 1.1: 8, 1.5: 3, 10.0: 1}


def test_the_order_of_the_rounds_is_that_of_the_seed(x: gp.Array, clock: Clock) -> None:
    def order(seed: int) -> list[float]:
        family = Family(clock)
        gp.tune(family, {"cost": [1.0, 1.01, 1.02, 1.03]}, x, verify=HOST, rounds=6, limit=1e9, seed=seed)
        return family.order

    assert order(0) == order(0) != order(1)
    assert sorted(order(0)) == sorted(order(1))


def test_the_time_of_all_rounds_is_limited(x: gp.Array, clock: Clock) -> None:
    found = gp.tune(Family(clock), {"cost": [1.0, 1.1]}, x, verify=HOST, rounds=100, limit=0)
    assert [trial.rounds for trial in found.trials] == [3, 3]


# ---------------------------------------------------------------- spaces


def test_candidates_of_a_dict_are_all_combinations_as_named_tuples(x: gp.Array, clock: Clock) -> None:
    seen = []

    def where(candidate: Any) -> bool:
        seen.append(candidate)
        return bool(candidate.cost != 2.0)

    found = gp.tune(Family(clock), {"cost": (1.0, 2.0), "unroll": range(2)}, x, verify=HOST, where=where)
    assert seen == [(1.0, 0), (1.0, 1), (2.0, 0), (2.0, 1)]
    assert found.best._fields == ("cost", "unroll") and {trial.candidate for trial in found.trials} == {*seen[:2]}


def test_candidates_of_an_iterable_are_what_it_gives(x: gp.Array, clock: Clock) -> None:
    space = [SimpleNamespace(cost=cost) for cost in (2.0, 1.0)]
    assert gp.tune(Family(clock), iter(space), x, verify=HOST).best is space[1]


# ---------------------------------------------------------------- verify


def check_with(verify: Any, output: Any, **options: Any) -> Tuning:
    device = require_device(ON)
    arrays = [gp.asarray(each, device=device) for each in (output if isinstance(output, tuple) else [output])]

    def run() -> Any:
        made = tuple(array.copy() for array in arrays)
        return made if isinstance(output, tuple) else made[0]

    return gp.tune(lambda _: run, [1], (), verify=verify, device=device, rounds=1, **options)


FLOATS = np.array([1.0, np.nan, np.inf, -2.0], np.float32)


@pytest.mark.parametrize(
    ("verify", "output", "options"),
    [
        (lambda y: True, HOST, {}), (lambda y: np.bool_(True), HOST, {}), (lambda y: "", HOST, {}),
        (FLOATS, FLOATS, {}), ((HOST, FLOATS), (HOST, FLOATS), {}),
        (FLOATS, FLOATS * np.float32(1 + 2**-20), {"rtol": 1e-5}),
        (FLOATS, FLOATS + np.float32(2**-10), {"atol": 1e-3}),
    ],
)  # fmt: skip
def test_a_right_output_is_accepted(verify: Any, output: Any, options: dict[str, float]) -> None:
    assert check_with(verify, output, **options).best == 1


def fail(output: gp.Array) -> bool:
    raise AssertionError("\nthe third is wrong\nand more")


@pytest.mark.parametrize(
    ("verify", "output", "options", "reason"),
    [
        (lambda y: False, HOST, {}, "verify returned False"),
        (lambda y: "row 3 is wrong", HOST, {}, "row 3 is wrong"),
        (fail, HOST, {}, "the third is wrong"),
        (HOST, HOST.astype(np.float32), {}, "the output is float32 of shape (1003,), and int32 of shape (1003,) is"),
        (HOST, HOST[1:], {}, "the output is int32 of shape (1002,), and int32 of shape (1003,) is expected"),
        ((HOST, HOST), HOST, {}, "the output is 1 arrays, and 2 are expected"),
        ((HOST, HOST), (HOST, HOST + 1), {}, "1003 of 1003 elements are wrong: element 0 is 1, not 0"),
        (FLOATS, FLOATS * 2, {}, "2 of 4 elements are wrong: element 0 is 2.0, not 1.0; rtol= and atol= allow"),
        (FLOATS, np.nan_to_num(FLOATS), {"rtol": 1.0}, "1 of 4 elements are wrong: element 1 is 0.0, not nan"),
    ],
)
def test_a_wrong_output_is_refused(verify: Any, output: Any, options: dict[str, float], reason: str) -> None:
    with pytest.raises(gp.TuningError) as raised:
        check_with(verify, output, **options)
    assert str(raised.value).splitlines()[1].startswith(f"  1: {reason}")


def test_a_function_without_a_verdict_accepts_nothing(x: gp.Array) -> None:
    with pytest.raises(gp.ArgumentError, match="verify returned None; it must return True or False"):
        check_with(lambda y: None, HOST)


def test_expected_arrays_need_an_output(x: gp.Array) -> None:
    with pytest.raises(gp.ArgumentError, match="the candidate returned None, so there is nothing to compare"):
        gp.tune(lambda _: lambda x: None, [1], x, verify=HOST)


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"verify": None}, "verify is missing: nothing is timed whose output was not judged"),
        ({"family": 3}, "family is a function of a candidate that returns what is measured, not 3"),
        ({"space": {}}, "space is empty: it has no candidates"),
        ({"space": []}, "space is empty: it has no candidates"),
        ({"space": {"cost": []}}, "space is empty: it has no candidates"),
        ({"where": lambda c: False}, "space is empty: where refuses all 2 candidates"),
        ({"where": 1}, "where is a function of a candidate"),
        ({"space": 5}, "space is a dict of names and their values, or an iterable of candidates, not 5"),
        ({"space": "ab"}, "space is a dict of names"),
        ({"space": {"a b": [1]}}, "space has the name 'a b'"),
        ({"space": {"for": [1]}}, "space has the name 'for'"),
        ({"space": {"_x": [1]}}, "space has the name '_x'"),
        ({"space": {3: [1]}}, "space has the name 3"),
        ({"space": {"cost": 1.0}}, r"space\['cost'\] must be a list of values, not 1.0; write \[1.0\]"),
        ({"space": {"cost": "abc"}}, r"space\['cost'\] must be a list of values"),
        ({"space": range(100_000)}, "space has more than 10000 candidates"),
        ({"rounds": 0}, "rounds is a whole number from 1, not 0"),
        ({"rounds": True}, "rounds is a whole number from 1"),
        ({"limit": -1.0}, "limit is a number of seconds from 0"),
        ({"limit": float("nan")}, "limit is a number of seconds from 0"),
        ({"seed": 1.5}, "seed is a whole number"),
        *(
            ({name: value}, f"{name} is a finite number from 0, not {text}")
            for name in ("rtol", "atol")
            for value, text in ((-1, "-1"), (float("nan"), "nan"), (float("inf"), "inf"), (True, "True"), ("1", "'1'"))
        ),
        ({"device": "simulator"}, r"the arrays of the problem are not on simulator:0; move them with \.to"),
    ],
)
def test_mistakes(x: gp.Array, clock: Clock, changes: dict[str, Any], message: str) -> None:
    given = {"family": Family(clock), "space": {"cost": [1.0, 2.0]}, "problem": x, "verify": HOST, **changes}
    with pytest.raises(gp.ArgumentError, match=message):
        gp.tune(**given)
    assert clock.seconds == 100.0, "nothing has run"


@pytest.mark.parametrize("made", [None, 3])
def test_a_family_gives_functions(x: gp.Array, clock: Clock, made: Any) -> None:
    with pytest.raises(gp.TuningError, match=f"family gave {made} for the candidate cost=1.0; it must return a func"):
        gp.tune(lambda _: made, {"cost": [1.0]}, x, verify=HOST)


def test_the_simulator_is_refused(clock: Clock) -> None:
    x = gp.asarray(HOST, device="simulator")
    with pytest.raises(gp.ArgumentError, match="simulator:0 runs kernels in Python, so its times say nothing"):
        gp.tune(Family(clock), {"cost": [1.0]}, x, verify=HOST)


def test_a_problem_on_two_devices_is_refused(x: gp.Array, clock: Clock) -> None:
    other = gp.asarray(HOST, device="simulator")
    with pytest.raises(gp.ArgumentError, match=r"on several devices: cpu:0, simulator:0; move them with \.to"):
        gp.tune(Family(clock), {"cost": [1.0]}, (x, other), verify=HOST)


# ---------------------------------------------------------------- results


def test_the_result_is_a_table(x: gp.Array, clock: Clock) -> None:
    space = [SimpleNamespace(cost=1.0), SimpleNamespace(cost=1.2), SimpleNamespace(cost=0.1, kind="off")]
    found = gp.tune(Family(clock), space, x, verify=HOST, rounds=3)
    lines = str(found).splitlines()
    assert lines[0] == f"tuned on {x.device.id}, times by the clock of the host"
    assert lines[1].split() == ["candidate", "median", "least", "most", "rounds", "verdict"]
    assert lines[2].split() == ["namespace(cost=1.0)", *["1", "s"] * 3, "3", "best"]
    assert lines[3].split() == ["namespace(cost=1.2)", *["1.2", "s"] * 3, "3", "1.20", "x"]
    assert lines[4].split()[2:6] == ["-", "-", "-", "-"] and "1 of 1003 elements are wrong" in lines[4]
    assert [row["verdict"] for row in found.table()][:2] == ["best", "1.20 x"]


@pytest.mark.parametrize("name", ["cpu", "opencl", "wgpu"])
def test_a_kernel_is_tuned_on_each_device(name: str) -> None:
    @gp.kernel
    def scale(x: gp.In[gp.f32], y: gp.Out[gp.f32], own: gp.Const[int]):  # type: ignore[no-untyped-def]
        first = gp.global_id(0) * own
        for k in gp.unroll(range(own)):
            if first + k < x.size:
                y[first + k] = 2.0 * x[first + k]

    def family(own: int) -> Any:
        def run(x: gp.Array) -> gp.Array:
            y = gp.empty_like(x)
            scale(x, y, own, invocations=-(-x.size // own))
            return y

        return run

    device = require_device(name)
    x = gp.asarray(np.arange(10_007, dtype=np.float32), device=device)
    found = gp.tune(family, [1, 2, 4], x, verify=2 * x.numpy(), limit=0.1)
    assert found.device == device.id and all(trial.is_right and trial.seconds for trial in found.trials)
    assert found.best == found.trials[0].candidate
    assert [trial.seconds for trial in found.trials] == sorted(trial.seconds or 0 for trial in found.trials)
