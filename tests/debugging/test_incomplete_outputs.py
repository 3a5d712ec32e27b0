"""Elements of an Out that no invocation wrote: found under debug on every device, and nothing else is taken for one."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

import gpucore as gp
from gpucore.failures import describe_unwritten


@gp.struct
class Ball:
    at: gp.f32x2
    weight: gp.f32


@gp.kernel(workgroup_size=8, debug=True)
def doubled(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = 2 * x[i]


@gp.kernel(workgroup_size=(4, 4), debug=True)
def block(y: gp.Out[gp.u8, 2], z: gp.Out[gp.f32x2], rows: gp.i32, columns: gp.i32):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < rows and column < columns:
        y[row, column] = gp.u8(0)
    if row == 0 and column < z.size and column % 3 != 1:
        z[column] = gp.f32x2(0.0)


@gp.kernel(workgroup_size=8, debug=True)
def thrown(balls: gp.Out[Ball], weighed: gp.i32):
    i = gp.global_id(0)
    if i < balls.size:
        balls[i].at = gp.f32x2(1.0, 2.0)
        if i < weighed:
            balls[i].weight = 1.0


@gp.kernel(workgroup_size=8, debug=True)
def by_atomics(y: gp.Out[gp.u32], z: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        gp.atomic_store(y, i, gp.u32(0))
        gp.atomic_store(z, i, -1)


@gp.kernel(workgroup_size=8, debug=True)
def shifted(y: gp.Out[gp.i32], distance: gp.i32):
    y[gp.global_id(0) + distance] = 1


@gp.kernel(workgroup_size=8, debug=True)
def partly(y: gp.InOut[gp.i32]):
    y[2 * gp.global_id(0)] = 1


def incomplete(device: gp.Device) -> str:
    """What the next wait raises, as one text."""
    with pytest.raises(gp.IncompleteOutputError) as caught:
        device.synchronize()
    device.synchronize()
    return str(caught.value)


def test_the_whole_text(device: gp.Device) -> None:
    x, y = gp.asarray(np.arange(13, dtype="i4"), device=device), gp.full(20, 7, gp.i32, device=device)
    doubled(x, y, invocations=13)
    line = doubled.function.__code__.co_firstlineno + 1
    assert incomplete(device).splitlines() == [
        f"{__file__}:{line}:31: doubled: 7 of 20 elements of 'y' were not written: y[13:20]",
        f" {line} | def doubled(x: gp.In[gp.i32], y: gp.Out[gp.i32]):",
        f" {' ' * len(str(line))} |                               ^^^^^^^^^^^^^^^^^",
        "  why: a gp.Out promises that the kernel writes every element; what it does not write is not defined",
        "  fix: start an invocation for every element and let each write its own; if the kernel is meant to leave "
        "elements as they are, annotate gp.InOut",
    ]
    np.testing.assert_array_equal(y.numpy(), [*range(0, 26, 2), *[7] * 7])


@pytest.mark.parametrize("n", [1, 31, 32, 33, 1000])
def test_every_element_is_looked_at(device: gp.Device, n: int) -> None:
    """A repeated call takes a shorter way, and other sizes."""
    y = gp.zeros(n, gp.i32, device=device)
    for written in (n, n - 1, n, 0):
        doubled(gp.zeros(written, gp.i32, device=device), y, invocations=n)
        if written == n:
            device.synchronize()
        else:
            left = f"y[{written}]" if n - written == 1 else f"y[{written}:{n}]"
            assert f"{n - written} of {n} elements of 'y' were not written: {left}\n" in incomplete(device)


def test_what_is_stored_cannot_hide_or_fake_a_finding(device: gp.Device) -> None:
    """Zeros over zeros are writes; memory that was used before has no marks."""
    for _ in range(3):
        y, z = gp.zeros((7, 9), gp.u8, device=device), gp.zeros(3, gp.f32x2, device=device)
        block(y, z[:1], 7, 9, invocations=(9, 7))
        device.synchronize()
        block(y, z, 7, 5, invocations=(9, 7))
        text = incomplete(device)
        assert "block: 28 of 63 elements of 'y' were not written: y[0:7, 5:9]\n" in text
        assert "\n  and 1 of 3 elements of 'z' were not written: z[1]\n" in text


def test_fields_of_structs(device: gp.Device) -> None:
    balls = gp.zeros(37, Ball, device=device)
    thrown(balls, 37, invocations=37)
    device.synchronize()
    thrown(balls, 30, invocations=37)
    assert "7 of 37 elements of 'balls' were not written completely: balls[30:37].weight\n" in incomplete(device)
    thrown(balls, 30, invocations=32)
    assert "7 of 37 elements of 'balls' were not written completely: balls[32:37].at, balls[30:37].weight\n" in (
        incomplete(device)
    )


def test_atomics_write(device: gp.Device) -> None:
    y, z = gp.zeros(11, gp.u32, device=device), gp.zeros(11, gp.i32, device=device)
    by_atomics(y, z, invocations=11)
    device.synchronize()
    by_atomics(y[:10], z, invocations=11)
    text = incomplete(device)
    assert "1 of 11 elements of 'z' were not written: z[10]" in text and "'y'" not in text


@pytest.mark.parametrize("first", [0, 1, 5, 64])
def test_a_slice_is_looked_at_and_not_what_is_beside_it(device: gp.Device, first: int) -> None:
    y = gp.zeros(100, gp.i32, device=device)
    doubled(gp.ones(20, gp.i32, device=device), y[first : first + 20], invocations=20)
    device.synchronize()
    doubled(gp.ones(19, gp.i32, device=device), y[first : first + 20], invocations=20)
    assert "1 of 20 elements of 'y' were not written: y[19]" in incomplete(device)


def test_an_array_of_numbers_taken_as_vectors(device: gp.Device) -> None:
    y, z = gp.zeros((1, 1), gp.u8, device=device), gp.zeros(10, device=device)
    block(y, z, 1, 1, invocations=(5, 1))
    assert "2 of 5 elements of 'z' were not written: z[1], z[4]" in incomplete(device)


def run_shifted(device: gp.Device) -> None:
    shifted(gp.zeros(8, gp.i32, device=device), 3, invocations=8)
    device.synchronize()


def test_an_index_out_of_range_is_told_instead(device: gp.Device) -> None:
    with pytest.raises(gp.OutOfRangeError):
        run_shifted(device)
    device.synchronize()


def test_an_inout_and_an_empty_out_promise_nothing(device: gp.Device) -> None:
    partly(gp.zeros(16, gp.i32, device=device), invocations=8)
    doubled(gp.zeros(0, gp.i32, device=device), gp.zeros(0, gp.i32, device=device), workgroups=1)
    doubled(gp.zeros(4, gp.i32, device=device), gp.zeros(4, gp.i32, device=device), invocations=0)
    device.synchronize()


def test_a_grid_beyond_the_limits(device: gp.Device) -> None:
    """Its workgroups are folded into rows."""
    n = 8 if device.backend.name == "simulator" else 70_000 * 8
    doubled(gp.zeros(n - 3, gp.i32, device=device), gp.zeros(n, gp.i32, device=device), invocations=n)
    assert f"3 of {n} elements of 'y' were not written: y[{n - 3}:{n}]" in incomplete(device)


def test_later_failures_are_counted(device: gp.Device) -> None:
    x, y = gp.zeros(4, gp.i32, device=device), gp.zeros(5, gp.i32, device=device)
    for _ in range(3):
        doubled(x, y, invocations=5)
    assert incomplete(device).endswith("\n  and 2 more in later dispatches of doubled")


def test_what_has_no_room_is_not_looked_at(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks take up to half of the largest binding; results do not change."""
    x, y = gp.ones(4000, gp.i32, device=device), gp.zeros(40_000, gp.i32, device=device)
    limits = dataclasses.replace(device.limits, max_binding_size=9000)
    with monkeypatch.context() as patch:
        patch.setattr(type(device), "limits", property(lambda self: limits))
        doubled(x, y, invocations=40_000)
        device.synchronize()
    np.testing.assert_array_equal(y.numpy(), [2] * 4000 + [0] * 36_000)


@pytest.mark.parametrize(
    ("mask", "places"),
    [
        ([[0, 0, 1], [0, 0, 1]], "2 of 6 elements of 'y' were not written: y[0:2, 2]"),
        ([[1, 1, 1], [1, 1, 1]], "6 of 6 elements of 'y' were not written: y[0:2, 0:3]"),
        ([[0, 1, 1], [1, 0, 0]], "3 of 6 elements of 'y' were not written: y[0, 1:3], y[1, 0]"),
        ([[1, 0, 1], [1, 0, 1]], "4 of 6 elements of 'y' were not written: y[0, 0], y[0, 2], y[1, 0], ..."),
        ([[0, 0, 0], [0, 0, 0]], ""),
    ],
)
def test_elements_are_named_as_the_user_indexes_them(mask: list[list[int]], places: str) -> None:
    assert describe_unwritten("y", {"": np.array(mask, bool)}) == places


def test_the_text_without_debug_has_no_marks() -> None:
    for language in ("python", "wgsl", "opencl", "llvm"):
        assert "marks" in doubled.source(language, debug=True) or language == "llvm"
        assert not re.search(r"marks|diagnostics", doubled.source(language))
