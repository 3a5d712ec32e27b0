"""Indices out of range and failed asserts: the same exception, with the same text, on every device."""

from __future__ import annotations

import pickle
from typing import Any

import debug_kernels as kernels
import numpy as np
import pytest
from debug_kernels import line_of, moved

import gpucore as gp
from gpucore.testing.kernels.debugging import write_at


def run(device: gp.Device, kernel: gp.Kernel, *arguments: Any, **grid: Any) -> None:
    """A call, to its end: the simulator raises in the call, the others when they are waited for."""
    kernel(*arguments, **grid)
    device.synchronize()


def failure(device: gp.Device, kernel: gp.Kernel, *values: Any, **grid: Any) -> tuple[gp.KernelError, list[Any]]:
    """What a call raises, and the arrays afterwards. The device is usable, and raises nothing twice."""
    arguments = moved(device, *values)
    with pytest.raises(gp.KernelError) as caught:
        run(device, kernel, *arguments, **grid)
    device.synchronize()
    return caught.value, [a.numpy() for a in arguments if isinstance(a, gp.Array)]


def more(device: gp.Device, text: str) -> list[str]:
    """The line that counts further failures; the simulator stops at the first."""
    return [] if device.backend.name == "simulator" else [text]


def test_a_read_beyond_the_end_in_full(device: gp.Device) -> None:
    x, out = np.arange(16, dtype="f4"), np.full(16, -1, "f4")
    error, (_, found) = failure(device, kernels.read_at, x, out, 6, invocations=16)
    line = line_of(kernels.read_at, "out[i] = x[i + offset]")
    assert type(error) is gp.OutOfRangeError and isinstance(error, IndexError)
    assert str(error).splitlines() == [
        f"{kernels.__file__}:{line}:18: read_at: index 16 is out of range for 'x' of length 16, in invocation "
        "(10, 0, 0) (local_id (2, 0, 0) of workgroup (1, 0, 0))",
        f" {line} |         out[i] = x[i + offset]",
        f" {' ' * len(str(line))} |                  ^^^^^^^^^^^^^",
        *more(device, "  and 5 more, in 6 invocations"),
    ]
    np.testing.assert_array_equal(found[:10], x[6:])
    if device.backend.name != "simulator":
        np.testing.assert_array_equal(found[10:], np.zeros(6))  # what a refused read gives


@pytest.mark.parametrize("place", [-1, 3])
def test_a_component_that_a_vector_does_not_have(device: gp.Device, place: int) -> None:
    """It is not assigned."""
    x = np.arange(24, dtype="i4").reshape(8, 3)
    given = gp.asarray(x, gp.i32x3, device=device)
    with pytest.raises(gp.OutOfRangeError) as caught:
        run(device, kernels.turn, given, place, invocations=8)
    line = line_of(kernels.turn, "v[place] = -v[0]")
    assert str(caught.value).splitlines() == [
        f"{kernels.__file__}:{line}:5: turn: index {place} is out of range for 'v' of length 3, in invocation "
        "(0, 0, 0) (local_id (0, 0, 0) of workgroup (0, 0, 0))",
        f" {line} |     v[place] = -v[0]",
        f" {' ' * len(str(line))} |     ^^^^^^^^",
        *more(device, "  and 7 more, in 8 invocations"),
    ]
    np.testing.assert_array_equal(given.numpy(), x)
    run(device, kernels.turn, given, 2, invocations=8)
    np.testing.assert_array_equal(given.numpy(), np.stack([x[:, 0], x[:, 1], -x[:, 0]], 1))


def test_each_element_of_a_vector_is_checked(device: gp.Device) -> None:
    x = np.arange(16, dtype="f4")
    error, (_, found) = failure(device, kernels.move_pairs, x, np.full(16, -1, "f4"), 1, invocations=8)
    line = line_of(kernels.move_pairs, "gp.vstore(out, i, gp.vload(x, i + shift, 2))")
    assert str(error).splitlines()[0] == (
        f"{kernels.__file__}:{line}:23: move_pairs: index 16 is out of range for 'x' of length 16, in invocation "
        "(7, 0, 0) (local_id (7, 0, 0) of workgroup (0, 0, 0))"
    )
    np.testing.assert_array_equal(found[:14], x[1:15])
    if device.backend.name != "simulator":
        np.testing.assert_array_equal(found[14:], [15, 0])


def test_a_range_with_a_step_of_zero(device: gp.Device) -> None:
    """A step of 0 is an error, as in Python. The loop has no iterations."""
    error, (out,) = failure(device, kernels.step_by, np.zeros(8, "i4"), -1, invocations=8)
    line = line_of(kernels.step_by, "for k in range(i, out.size, step + i // 4):")
    assert type(error) is gp.KernelAssertionError
    assert str(error).splitlines() == [
        f"{kernels.__file__}:{line}:33: step_by: assertion failed: the step of range is 0, in invocation "
        "(4, 0, 0) (local_id (4, 0, 0) of workgroup (0, 0, 0))",
        f" {line} |     for k in range(i, out.size, step + i // 4):",
        f" {' ' * len(str(line))} |                                 ^^^^^^^^^^^^^",
        *more(device, "  and 3 more, in 4 invocations"),
    ]
    assert not out.any()
    right = gp.zeros(8, dtype=gp.i32, device=device)
    run(device, kernels.step_by, right, 1, invocations=8)
    walked = [k for i in range(8) for k in range(i, 8, 1 + i // 4)]
    np.testing.assert_array_equal(right.numpy(), np.bincount(walked))


def test_a_negative_index(device: gp.Device) -> None:
    error, _ = failure(device, kernels.read_at, np.arange(8, dtype="f4"), np.zeros(8, "f4"), -2, invocations=8)
    assert "index -2 is out of range for 'x' of length 8, in invocation (0, 0, 0)" in str(error)


def test_a_search_that_runs_past_the_end_is_left(device: gp.Device) -> None:
    """Reads past the end give 0, so that the loop itself would never end."""
    x = np.array([1, 1, -1, 1, 1, 1], "f4")
    error, (_, found) = failure(device, kernels.first_negative, x, np.full(4, -1, "i4"), invocations=4)
    line = line_of(kernels.first_negative, "while x[j] >= 0.0:")
    assert error.span is not None and error.span.line == line
    assert "index 6 is out of range for 'x' of length 6, in invocation (3, 0, 0)" in str(error)
    assert found[:3].tolist() == [2, 2, 2] or device.backend.name == "simulator"


def test_what_a_loop_that_was_left_did_not_assign_is_zero(device: gp.Device) -> None:
    """Such a loop ends without a result, and what reads it must find a value: none at all is undefined in C."""
    x = np.array([1, 1, -1, 1, 1, 1], "f4")
    error, (_, found) = failure(device, kernels.place_from_each, x, np.full(4, -1, "i4"), invocations=4)
    assert "index 6 is out of range for 'x' of length 6, in invocation (3, 0, 0)" in str(error)
    assert found.tolist() == [2, 2, 2, 0] or device.backend.name == "simulator"


def test_a_write_beyond_the_end_changes_nothing(device: gp.Device) -> None:
    """Neither the array nor those around it."""
    before, out, after = (gp.asarray(np.full(8, -1, "i4"), device=device) for _ in range(3))
    for offset in (4, 1000, -6, 2**30):
        with pytest.raises(gp.OutOfRangeError, match="for 'out' of length 8"):
            run(device, write_at, out, offset, invocations=8)
    for array in (before, after):
        np.testing.assert_array_equal(array.numpy(), np.full(8, -1))
    compiled = device.backend.name != "simulator"
    np.testing.assert_array_equal(out.numpy(), [7, 8, -1, -1, 1, 2, 3, 4] if compiled else [-1] * 4 + [1, 2, 3, 4])


def test_an_unsigned_index(device: gp.Device) -> None:
    error, (out,) = failure(device, kernels.write_unsigned, np.zeros(4, "i4"), np.uint32(2**32 - 1), workgroups=1)
    assert "index 4294967295 is out of range for 'out' of length 4, in invocation (0, 0, 0)" in str(error)
    np.testing.assert_array_equal(out, np.zeros(4))


def test_an_atomic_out_of_range_is_not_done_and_gives_zero(device: gp.Device) -> None:
    error, (counts, old) = failure(device, kernels.count_at, np.ones(3, "u4"), np.full(8, 5, "u4"), 3, invocations=8)
    assert "index 3 is out of range for 'counts' of length 3" in str(error)
    np.testing.assert_array_equal(counts, [1, 1, 1])
    if device.backend.name != "simulator":
        np.testing.assert_array_equal(old, np.zeros(8))


@pytest.mark.parametrize(
    ("down", "right", "index", "invocation"),
    [(0, 1, "(0, 4)", "(3, 0, 0)"), (0, -1, "(0, -1)", "(0, 0, 0)"), (2, 0, "(4, 0)", "(0, 2, 0)")],
)
def test_every_axis_is_checked(device: gp.Device, down: int, right: int, index: str, invocation: str) -> None:
    """Also where the element that is meant would lie within the array, in another row."""
    error, (out,) = failure(device, kernels.write_plane, np.zeros((4, 4), "i4"), down, right, invocations=(4, 4))
    assert f"index {index} is out of range for 'out' of shape (4, 4), in invocation {invocation}" in str(error)
    rows = np.zeros((4, 4))
    rows[max(0, down) :, max(0, right) : 4 + right] = 1
    if device.backend.name != "simulator":
        np.testing.assert_array_equal(out, rows)


def test_workgroup_arrays_are_checked_and_barriers_reached_by_all(device: gp.Device) -> None:
    error, (out,) = failure(device, kernels.read_shared, np.full(16, -1, "i4"), 3, workgroups=2)
    assert "index 8 is out of range for 'tile' of length 8, in invocation (5, 0, 0)" in str(error)
    if device.backend.name != "simulator":
        np.testing.assert_array_equal(out, [3, 4, 5, 6, 7, 0, 0, 0] * 2)
        assert str(error).endswith("  and 5 more, in 6 invocations")


def test_a_helper_is_named_with_its_caller(device: gp.Device) -> None:
    error, _ = failure(device, kernels.read_in_helper, np.arange(8, dtype="i4"), np.zeros(8, "i4"), invocations=8)
    inside, call = (
        line_of(kernels.taken, "return x[index * 2]"),
        line_of(kernels.read_in_helper, "out[i] = taken(x, i)"),
    )
    lines = str(error).splitlines()
    assert lines[0].startswith(f"{kernels.__file__}:{inside}:12: read_in_helper: index 10 is out of range for 'x'")
    assert lines[1:3] == [
        f" {inside} |     return x[index * 2]",
        f" {' ' * len(str(inside))} |            ^^^^^^^^^^^^",
    ]
    assert lines[3:6] == [
        f"  called from {kernels.__file__}:{call}:18",
        f" {call} |         out[i] = taken(x, i)",
        f" {' ' * len(str(call))} |                  ^^^^^^^^^^^",
    ]


def test_a_loop_reports_each_pass(device: gp.Device) -> None:
    x = np.arange(10, dtype="i4")
    error, (_, sums) = failure(device, kernels.read_in_loop, x, np.zeros(8, "i4"), 4, invocations=8)
    assert "index 10 is out of range for 'x' of length 10, in invocation (7, 0, 0)" in str(error)
    if device.backend.name != "simulator":
        assert "more" not in str(error)
        np.testing.assert_array_equal(sums, [x[i : i + 4].sum() for i in range(8)])


def test_the_failures_of_one_invocation_come_in_its_order(compiled: gp.Device) -> None:
    error, _ = failure(compiled, kernels.read_in_loop, np.arange(8, dtype="i4"), np.zeros(8, "i4"), 4, invocations=8)
    assert "index 8 is out of range for 'x' of length 8, in invocation (5, 0, 0)" in str(error)
    assert str(error).endswith("  and 5 more, in 3 invocations")


def test_uniform_values_stay_uniform(device: gp.Device) -> None:
    (x, out) = moved(device, np.ones(2, "i4"), np.zeros(16, "i4"))
    kernels.uniform_read(x, out, workgroups=2)
    assert isinstance(out, gp.Array)
    np.testing.assert_array_equal(out.numpy(), [7 - i for i in range(8)] * 2)


def test_an_assert_with_a_text(device: gp.Device) -> None:
    error, (out,) = failure(device, kernels.assert_below, np.zeros(16, "i4"), 13, invocations=16)
    line = line_of(kernels.assert_below, 'assert i < limit, "an id beyond the limit"')
    assert type(error) is gp.KernelAssertionError and isinstance(error, AssertionError)
    assert str(error).splitlines() == [
        f"{kernels.__file__}:{line}:5: assert_below: assertion failed: an id beyond the limit, in invocation "
        "(13, 0, 0) (local_id (5, 0, 0) of workgroup (1, 0, 0))",
        f' {line} |     assert i < limit, "an id beyond the limit"',
        f" {' ' * len(str(line))} |     {'^' * 42}",
        *more(device, "  and 2 more, in 3 invocations"),
    ]
    if device.backend.name != "simulator":
        np.testing.assert_array_equal(out, np.arange(16))  # what follows an assert is done


def test_an_assert_without_a_text_under_a_condition(device: gp.Device) -> None:
    error, _ = failure(device, kernels.assert_bare, np.zeros(8, "i4"), 4, invocations=8)
    assert "assert_bare: assertion failed, in invocation (5, 0, 0) (local_id (5, 0, 0)" in str(error)


def test_asserts_that_hold_say_nothing(device: gp.Device) -> None:
    (out,) = moved(device, np.zeros(8, "i4"))
    kernels.assert_below(out, 8, invocations=8)
    assert isinstance(out, gp.Array)
    np.testing.assert_array_equal(out.numpy(), np.arange(8))


def test_the_exceptions_can_be_pickled(device: gp.Device) -> None:
    error, _ = failure(device, kernels.assert_bare, np.zeros(8, "i4"), 4, invocations=8)
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied), copied.span) == (type(error), str(error), error.span)
    assert copied.span.line == line_of(kernels.assert_bare, "assert i < limit")
