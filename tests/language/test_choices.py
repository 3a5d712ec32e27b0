"""A choice between literals takes the type that is wanted, as a literal does."""

from __future__ import annotations

import numpy as np
import pytest
from lacking import is_refused

import gpucore as gp


@gp.struct
class Mark:
    level: gp.u32
    weight: gp.f32


@gp.func
def doubled(word: gp.u32) -> gp.u32:
    return word * 2


def chosen(is_first):
    return 1 if is_first else 2


def from_branches(x):
    """Literals, choices between literals and a u32: all are u32."""
    if x > 2.0:
        return 7
    if x > 1.0:
        return 8 if x > 1.5 else 9
    return gp.u32(x * x)


@gp.kernel(workgroup_size=32)
def choices(
    x: gp.In[gp.f32], u: gp.InOut[gp.u32, 2], b: gp.Out[gp.u8], f: gp.Out[gp.f32, 2], v: gp.Out[gp.f32x2],
    marks: gp.Out[Mark], total: gp.InOut[gp.u32],
):  # fmt: skip
    i = gp.global_id(0)
    if i < x.size:
        c = x[i] > 0
        u[0, i] = 1 if c else 0
        u[1, i] = 0xFFFFFFFF if c else 0x80000000
        u[2, i] = gp.u32(5) + (1 if c else 0)
        u[3, i], nested = (3 if c else 4), (2 if x[i] < -1 else (3 if x[i] > 1 else 4))
        u[4, i] = nested
        u[5, i] = gp.select(c, 1, 0)
        word = gp.u32(1)
        word += 1 if c else 0
        u[6, i] = word * gp.select(x.ndim == 1, 1, 2)
        word = 3 if c else 4
        u[7, i] = doubled(1 if c else 2) + doubled(chosen(c)) + word
        u[8, i] = from_branches(x[i])
        b[i] = 255 if x[i] > 0 else 1 if x[i] > -1 else 2
        f[0, i] = 1 if c else 0
        f[1, i] = 0.5 * (1 if c else -1) + (2 if c else 0)
        v[i] = 1 if c else 0.5
        marks[i] = Mark(1 if c else 2, weight=gp.select(c, 3, 4))
        gp.atomic_add(total, 0, 1 if c else 0)


def test_the_type_that_is_wanted(device: gp.Device) -> None:
    x = np.random.default_rng(3).choice([-2.5, -1.5, -0.5, 0.5, 1.25, 1.75, 2.5], 45).astype(np.float32)
    u, b = gp.zeros((9, 45), gp.u32, device=device), gp.zeros(45, gp.u8, device=device)
    f, v = gp.zeros((2, 45), device=device), gp.zeros(45, gp.f32x2, device=device)
    marks, total = gp.zeros(45, Mark, device=device), gp.zeros(1, gp.u32, device=device)
    choices(gp.asarray(x, device=device), u, b, f, v, marks, total, invocations=45)
    c = x > 0
    one = c.astype(np.uint32)
    nested = np.where(x < -1, 2, np.where(x > 1, 3, 4))
    words = [one, np.where(c, 0xFFFFFFFF, 0x80000000), 5 + one, np.where(c, 3, 4), nested, one, 1 + one]
    words += [np.where(c, 2 + 2 + 3, 4 + 4 + 4), np.select([x > 2, x > 1.5, x > 1], [7, 8, 9], (x * x).astype(int))]
    np.testing.assert_array_equal(u.numpy(), np.stack(words))
    np.testing.assert_array_equal(b.numpy(), np.where(c, 255, np.where(x > -1, 1, 2)))
    np.testing.assert_array_equal(f.numpy(), np.stack([one, np.where(c, 2.5, -0.5)]))
    np.testing.assert_array_equal(v.numpy(), np.repeat(np.where(c, 1, 0.5)[:, None], 2, axis=1))
    np.testing.assert_array_equal(marks.numpy()["level"], np.where(c, 1, 2))
    np.testing.assert_array_equal(marks.numpy()["weight"], np.where(c, 3, 4))
    assert total.numpy()[0] == c.sum()


@gp.kernel(workgroup_size=32)
def of_choices(x: gp.In[gp.i32], f: gp.Out[gp.f32, 2], b: gp.Out[gp.u8]):
    """Choices of which a side is a choice that has statements of its own."""
    i = gp.global_id(0)
    if i < x.size:
        c = x[i] > 2
        f[0, i] = gp.select(c, 1 if x[i] > 3 else (2 if x[i] > 4 else 3), 0.5)
        first = 4 if x[i] > 1 else (5 if x[i] > 0 else 6)
        second = first if c else 7
        f[1, i] = gp.select(x[i] == 0, 8, second)
        b[i] = gp.select(c, 9, (10 if x[i] > 1 else (11 if x[i] > 0 else 12))) if x[i] != 1 else 13


def test_of_choices_with_statements(device: gp.Device) -> None:
    x = np.arange(6, dtype="i4")
    f, b = gp.zeros((2, 6), device=device), gp.zeros(6, gp.u8, device=device)
    of_choices(gp.asarray(x, device=device), f, b, invocations=6)
    np.testing.assert_array_equal(f.numpy(), [[0.5, 0.5, 0.5, 3, 1, 1], [8, 7, 7, 4, 4, 4]])
    np.testing.assert_array_equal(b.numpy(), [12, 13, 10, 9, 9, 9])


@gp.kernel(workgroup_size=32)
def of_doubles(x: gp.In[gp.f64], y: gp.Out[gp.f64, 2]):
    i = gp.global_id(0)
    if i < x.size:
        y[0, i] = 0.1 if x[i] > 0 else 1e300
        y[1, i] = gp.f64(0.1 if x[i] > 0 else 0.7)


def test_doubles_are_not_rounded_to_f32(device: gp.Device) -> None:
    x = np.random.default_rng(4).normal(size=33)

    def call() -> None:
        y = gp.zeros((2, 33), gp.f64, device=device)
        of_doubles(gp.asarray(x, device=device), y, invocations=33)
        np.testing.assert_array_equal(y.numpy(), [np.where(x > 0, 0.1, 1e300), np.where(x > 0, 0.1, 0.7)])

    if not is_refused(device, "f64", call):
        call()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("u[0] = -1 if i > 0 else 0", "the literal -1 does not fit u32"),
        ("u[0] = 1 if i > 0 else (x[0] if i < 9 else 2)", "u holds u32, and f32 is stored"),
        ("u[0] = 1.5 if i > 0 else 2", "the literal 1.5 does not fit u32"),
        ("u[0] = gp.i32(1) if i > 0 else 0", "u holds u32, and i32 is stored"),
        ("u[0] = True if i > 0 else False", "u holds u32, and bool is stored"),
        ("x[0] = i + (1 if i > 0 else 0)", "x holds f32, and i32 is stored"),
    ],
)
def test_what_does_not_fit_is_refused(statement: str, message: str) -> None:
    text = f"def k(x: gp.InOut[gp.f32], u: gp.InOut[gp.u32]):\n    i = gp.global_id(0)\n    {statement}\n    u[0] += 1"
    with pytest.raises(gp.KernelTypeError) as caught:
        gp.kernel_from_text(text).ir()
    assert caught.value.message == message
