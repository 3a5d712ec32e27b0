"""gp.check itself: what it takes, what it leaves alone, and what its report says."""

from __future__ import annotations

import functools

import numpy as np
import planted
import pytest

import gpucore as gp


@gp.kernel(workgroup_size=4)
def racy(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    y[gp.local_id(0)] = x[gp.global_id(0)]


@gp.kernel(workgroup_size=4)
def fine(a: gp.f32, x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = a * x[i]


def arguments() -> tuple[np.ndarray, np.ndarray]:
    return np.arange(8, dtype="f4"), np.zeros(4, "f4")


def test_the_whole_text_of_a_report() -> None:
    report = gp.check(racy, *arguments(), invocations=8, schedules=1)
    line = racy.function.__code__.co_firstlineno + 2
    assert str(report) == (
        f"racy: 1 finding (8 invocations, 1 schedule, subgroups of 32)\n\n"
        f"{__file__}:{line}:5: error[GP701]: race on element 0 of 'y': written by invocation (0, 0, 0) "
        f"(local_id (0, 0, 0) of workgroup (0, 0, 0)), written by invocation (4, 0, 0) (local_id (0, 0, 0) of "
        f"workgroup (1, 0, 0)), in two workgroups (4 times)\n"
        f" {line} |     y[gp.local_id(0)] = x[gp.global_id(0)]\n"
        f" {' ' * len(str(line))} |     ^^^^^^^^^^^^^^^^^\n"
        "  why: the order of the two accesses is undefined, even when both write the same value\n"
        "  fix: let only one invocation access the element, use an atomic function for both, put gp.barrier() "
        "between two invocations of one workgroup, or split the kernel into two"
    )


def test_a_finding_tells_its_parts() -> None:
    (finding,) = gp.check(racy, *arguments(), invocations=8, schedules=1).findings
    assert (finding.code, finding.array, finding.memory, finding.count) == ("GP701", "y", "buffer", 4)
    assert [invocation.global_id for invocation in finding.invocations] == [(0, 0, 0), (4, 0, 0)]
    assert finding.invocations[1].workgroup_id == (1, 0, 0)
    assert len(finding.spans) == 2 and finding.spans[0] == finding.spans[1]


def test_findings_of_later_schedules_are_counted_not_repeated() -> None:
    reports = [gp.check(racy, *arguments(), invocations=8, schedules=n) for n in (1, 3)]
    races = [next(f for f in report.findings if f.code == "GP701") for report in reports]
    assert races[1].count == 3 * races[0].count and races[1].lines == races[0].lines


@pytest.mark.parametrize("place", ["numpy", "simulator", "cpu"])
def test_arguments_stay_as_they_are(place: str) -> None:
    x, y = arguments()
    given = (x, y) if place == "numpy" else tuple(gp.asarray(values, device=place) for values in (x, y))
    assert not gp.check(racy, *given, invocations=8).ok
    for before, after in zip(arguments(), given, strict=True):
        assert np.array_equal(before, np.asarray(after))


def test_a_report_without_findings() -> None:
    report = gp.check(fine, 2.0, np.ones(5, "f4"), np.zeros(5, "f4"), invocations=5)
    assert report.ok and report and report.findings == ()
    assert str(report) == "fine: no findings (8 invocations, 3 schedules, subgroups of 32)"
    report.raise_for_findings()


def test_raise_for_findings_raises_the_report() -> None:
    report = gp.check(racy, *arguments(), invocations=8)
    assert not report
    with pytest.raises(gp.CheckError) as caught:
        report.raise_for_findings()
    assert str(caught.value) == str(report)


def test_keywords_reach_the_kernel() -> None:
    x, y = np.ones(4, "f4"), np.zeros(4, "f4")
    assert gp.check(fine, 2.0, y=y, x=x, workgroups=1).ok


def test_zero_invocations_find_nothing() -> None:
    report = gp.check(racy, *arguments(), invocations=0)
    assert report.ok and report.invocations == 0


def test_an_array_given_twice_is_refused_as_by_the_call() -> None:
    x = gp.zeros(8, device="simulator")
    with pytest.raises(gp.ArgumentError, match="the same memory"):
        gp.check(racy, x, x, invocations=8)


@pytest.mark.parametrize("place", ["simulator", "cpu"])
def test_arrays_in_the_same_memory_are_taken_as_by_the_call(place: str) -> None:
    @gp.kernel(workgroup_size=8)
    def add_bits(x: gp.In[gp.f32], bits: gp.In[gp.u32], y: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = x[i] + gp.f32(bits[i])

    x, y = gp.ones(8, device=place), gp.zeros(8, device=place)
    assert gp.check(add_bits, x, x.view(gp.u32), y).ok
    for run in (add_bits, functools.partial(gp.check, add_bits)):
        with pytest.raises(gp.ArgumentError, match="'y' shares memory with 'x', and the kernel writes to it"):
            run(x[:5], y.view(gp.u32), x[3:])


def test_a_numpy_array_of_vectors_is_a_grid_of_its_vectors() -> None:
    @gp.kernel(workgroup_size=8)
    def double(x: gp.InOut[gp.f32x3]):
        i = gp.global_id(0)
        if i < x.size:
            x[i] = 2.0 * x[i]

    report = gp.check(double, np.ones((5, 3), "f4"))
    assert report.ok and report.invocations == 8


@pytest.mark.parametrize("size", [0, 65, 2.5, "32"])
def test_subgroup_sizes_beyond_the_range_are_refused(size: object) -> None:
    with pytest.raises(gp.ArgumentError, match="subgroup_size must be a whole number from 1 to 64"):
        gp.check(racy, *arguments(), invocations=8, subgroup_size=size)  # type: ignore[arg-type]  # that is the test


def test_other_wrong_arguments_are_refused() -> None:
    with pytest.raises(gp.ArgumentError, match="schedules must be"):
        gp.check(racy, *arguments(), invocations=8, schedules=0)
    with pytest.raises(gp.ArgumentError, match="takes a kernel"):
        gp.check(print, 1)  # type: ignore[arg-type]  # that is the test
    with pytest.raises(gp.ArgumentError, match="give either invocations"):
        gp.check(racy, *arguments(), invocations=8, workgroups=2)
    with pytest.raises(gp.ArgumentError, match="missing a required argument"):
        gp.check(racy, arguments()[0], invocations=8)


def test_the_seed_makes_random_schedules_repeatable() -> None:
    case = planted.GALLERY.cases["compaction_in_any_order"]
    reports = [str(case.check(schedules=6, seed=seed)) for seed in (1, 1)]
    assert reports[0] == reports[1]


def test_overflow_and_nan_are_looked_for_only_when_asked() -> None:
    for name in ("square_overflows", "zero_over_zero", "root_of_negative_variance"):
        case = planted.GALLERY.cases[name]
        assert not case.check().ok
        assert case.check(overflow=False, nan=False).ok


def test_after_a_kernel_without_end_no_other_schedule_runs() -> None:
    report = planted.GALLERY.cases["waits_for_another_workgroup"].check(schedules=3)
    assert report.skipped == ("only 1 of 3 schedules ran, because a finding ended the run",)
    assert report.skipped[0] in str(report)


@gp.kernel(workgroup_size=4)
def shifted(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    """Reads and writes one beyond the end, and goes on: 0 / 0 there."""
    i = gp.global_id(0)
    value = x[i + 1]
    y[i + 1] = value / value


def test_a_kernel_goes_on_after_an_index_out_of_range() -> None:
    """The read gives 0, which shows as NaN; the store is dropped, and is a finding too."""
    first = shifted.function.__code__.co_firstlineno
    report = gp.check(shifted, np.ones(4, "f4"), np.zeros(4, "f4"), invocations=4, nan=True)
    assert [(finding.code, finding.array, finding.lines) for finding in report.findings] == [
        ("GP703", "x", (first + 4,)),
        ("GP703", "y", (first + 5,)),
        ("GP708", "", (first + 5,)),
    ]


@gp.struct
class Ball:
    weight: gp.f32
    at: gp.f32x2


@gp.kernel(workgroup_size=4)
def pushed(balls: gp.InOut[Ball]):
    """Each invocation writes one field of its own ball, and another of the next one's."""
    i = gp.global_id(0)
    balls[i].weight = 2.0
    balls[(i + 1) % 4].at.x = 1.0
    if balls[(i + 1) % 4].weight > 1.5:
        balls[i].weight = 3.0


def test_structs_are_checked_field_by_field() -> None:
    first = pushed.function.__code__.co_firstlineno
    given = np.zeros(4, gp.empty(1, Ball, device="simulator").numpy().dtype)
    for balls in (given, gp.asarray(given, Ball, device="cpu")):
        report = gp.check(pushed, balls, invocations=4)
        found = {(finding.code, tuple(sorted(set(finding.lines)))) for finding in report.findings}
        races = {("GP701", (first + 4, first + 6)), ("GP701", (first + 6, first + 7))}
        assert races <= found and {code for code, _ in found - races} == {"GP706"}, str(report)
    assert not given["weight"].any()


@gp.kernel(workgroup_size=4)
def bytes_side_by_side(x: gp.In[gp.u8], y: gp.Out[gp.u8]):
    y[gp.global_id(0)] = x[gp.global_id(0)]


def test_neighbouring_bytes_are_elements_of_their_own() -> None:
    assert gp.check(bytes_side_by_side, np.arange(8, dtype="u1"), np.zeros(8, "u1"), invocations=8).ok


def test_empty_arrays() -> None:
    assert gp.check(fine, 1.0, np.zeros(0, "f4"), np.zeros(0, "f4"), invocations=4).ok


@gp.kernel(workgroup_size=1)
def dots(x: gp.In[gp.f32x2], n: gp.In[gp.i32x2], y: gp.Out[gp.f32], m: gp.Out[gp.i32]):
    y[0] = gp.dot(x[0], x[0])
    y[1] = gp.dot(x[0], x[1])
    m[0] = gp.dot(n[0], n[1])


def test_the_sum_of_a_dot_product_is_watched_too() -> None:
    """Infinity less infinity, and two products that fit whose sum does not."""
    first = dots.function.__code__.co_firstlineno
    x = np.array([[np.inf, np.inf], [1, -1]], "f4")
    n = np.array([[2**30, 2**30], [1, 1]], "i4")
    report = gp.check(dots, x, n, np.zeros(2, "f4"), np.zeros(1, "i4"), invocations=1, nan=True, overflow=True)
    assert [(finding.code, finding.lines) for finding in report.findings] == [
        ("GP707", (first + 4,)),
        ("GP708", (first + 3,)),
    ]


def squared(value):
    return value * value


@gp.kernel(workgroup_size=1)
def arithmetic(n: gp.In[gp.i32], x: gp.In[gp.f32], m: gp.Out[gp.i32], y: gp.Out[gp.f32]):
    m[0] = 1 + squared(n[0]) + n[1] * 4 - abs(-n[2])
    y[0] = 1.0 + gp.sqrt(x[0]) * (x[1] / x[1])


def test_the_caret_of_arithmetic_is_under_the_operation() -> None:
    """Each finding shows what was computed, not the whole store; that of a helper, its own line."""
    n, x = np.array([70_000, 2**30, 5], "i4"), np.array([-1, 0], "f4")
    outputs = np.zeros(1, "i4"), np.zeros(1, "f4")
    report = gp.check(arithmetic, n, x, *outputs, invocations=1, nan=True, overflow=True)
    places = [finding.spans[0] for finding in report.findings]
    shown = {place.source_line().encode()[place.column : place.end_column].decode() for place in places}
    assert shown == {"value * value", "n[1] * 4", "gp.sqrt(x[0])", "x[1] / x[1]"}, str(report)


@gp.kernel(workgroup_size=(16, 16))
def row_after_column(y: gp.Out[gp.f32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0] and column < y.shape[1]:
        y[row, column] = 1.0


def test_a_grid_with_exchanged_axes_is_found() -> None:
    y = np.zeros((20, 70), "f4")
    (finding,) = gp.check(row_after_column, y, invocations=y.shape, schedules=1).findings
    assert finding.code == "GP712"
    assert finding.message == (
        "760 of 1400 elements of 'y' were not written: y[0:20, 32:70]; along axis 0 the dispatch ends with invocation "
        "31, which still stores; along axis 1 it has 80, and none from 20 on stores anything"
    )
    first = row_after_column.function.__code__.co_firstlineno
    assert finding.lines == (first + 1, first + 4)
    assert "why: axis 0 of a grid is x" in str(finding)
    assert "fix: give the grid in the order of the ids" in str(finding)
    assert gp.check(row_after_column, y, invocations=y.shape[::-1], schedules=1).ok


def test_the_short_form_is_one_line() -> None:
    y = np.zeros((20, 70), "f4")
    found = gp.check(row_after_column, y, invocations=y.shape, schedules=1)
    assert repr(found) == (
        "<gpucore check of row_after_column: 1 finding (2560 invocations, 1 schedule, subgroups of 32): GP712; print() "
        "shows them>"
    )
    clean = gp.check(row_after_column, y, invocations=y.shape[::-1], schedules=1)
    assert repr(clean) == (
        "<gpucore check of row_after_column: no findings (2560 invocations, 1 schedule, subgroups of 32)>"
    )


@gp.kernel(workgroup_size=4)
def every_second(y: gp.Out[gp.i32], z: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if 2 * i < y.size:
        y[2 * i] = i
        z[2 * i] = i


def test_elements_of_an_out_that_no_invocation_wrote() -> None:
    """An InOut may keep elements."""
    (finding,) = gp.check(every_second, np.zeros(9, "i4"), np.zeros(9, "i4"), invocations=9, schedules=1).findings
    assert (finding.code, finding.array, finding.memory) == ("GP712", "y", "buffer")
    line = every_second.function.__code__.co_firstlineno + 1
    assert str(finding).splitlines() == [
        f"{__file__}:{line}:18: error[GP712]: 4 of 9 elements of 'y' were not written: y[1], y[3], y[5], ...",
        f" {line} | def every_second(y: gp.Out[gp.i32], z: gp.InOut[gp.i32]):",
        f" {' ' * len(str(line))} |                  ^^^^^^^^^^^^^^^^^",
        "  why: a gp.Out promises that the kernel writes every element; what it does not write is not defined",
        "  fix: start an invocation for every element and let each write its own; if the kernel is meant to leave "
        "elements as they are, annotate gp.InOut",
    ]


def test_a_field_that_was_not_written_is_named() -> None:
    case = planted.GALLERY.cases["field_forgotten"]
    (finding,) = case.check().findings
    assert finding.message == "5 of 20 elements of 'y' were not written completely: y[0:5].count"


@gp.kernel(workgroup_size=4)
def shifted_output(y: gp.Out[gp.i32]):
    y[gp.global_id(0) + 2] = 1


def test_what_is_left_because_of_an_index_out_of_range_is_no_finding_of_its_own() -> None:
    report = gp.check(shifted_output, np.zeros(8, "i4"), invocations=8)
    assert [finding.code for finding in report.findings] == ["GP703"]
