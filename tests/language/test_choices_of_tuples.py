"""`(a, b) if c else (d, e)`: each item is chosen, and only the chosen side is evaluated."""

from __future__ import annotations

import math

import numpy as np

import gpucore as gp

PAIR = (10, 20)


@gp.struct
class Mark:
    level: gp.u32
    weight: gp.f32


def counted(hits, place, value):
    gp.atomic_add(hits, place, 1)
    return value


def total(n, hits):
    """The sum of the numbers below n, and n."""
    s = 0
    for k in range(n):
        s += k
    gp.atomic_add(hits, 1, 1)
    return s, n


@gp.kernel(workgroup_size=32)
def without_statements(x: gp.In[gp.f32], f: gp.Out[gp.f32, 2], u: gp.Out[gp.u32, 2], marks: gp.Out[Mark]):
    i = gp.global_id(0)
    if i < x.size:
        a = x[i]
        c = a > 0
        f[0, i], f[1, i] = (a, 2.0) if c else (2.0, a)
        bit, f[2, i] = (1, 0.5) if c else (0, 1)
        u[0, i] = bit
        first, (second, third) = (i, (1, a)) if c else (7, (2, -a)) if a > -1 else (i + 1, (3, 0.0))
        u[1, i], u[2, i], f[3, i] = gp.u32(first), second, third
        both = PAIR if c else (i, 30)
        u[3, i] = gp.u32(both[0] + both[1])
        mark, v = (Mark(1, a), gp.f32x2(a, 1.0)) if c else (Mark(2, 0.5), gp.f32x2(3.0))
        marks[i] = mark
        f[4, i] = v.x + v.y
        u[4, i] = 1 if i in ((3, 4) if c else (5, 6)) else 0
        p, q = (a, v.x) if c else (v.y, a)
        p, q = (q, p) if i % 2 == 0 else (p, q)
        f[5, i], f[6, i] = p, q


@gp.kernel(workgroup_size=32)
def with_statements(x: gp.In[gp.f32], f: gp.Out[gp.f32, 2], u: gp.Out[gp.u32, 2], hits: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        s, n = total(i, hits) if counted(hits, 0, x[i]) > 0.0 else (7, 8)
        u[0, i], u[1, i] = gp.u32(s), gp.u32(n)
        bit, (f[0, i], small) = (3, (x[i], 0.5)) if i % 3 == 0 else (4, (x[x.size - 1 - i], 1)) if i % 3 == 1 else (
            5, (x[0], 2)
        )  # fmt: skip
        u[2, i] = bit
        f[1, i] = small
        inside, _ = (x[i + 1], 1) if i + 1 < x.size else (-1.0, 1)
        f[2, i] = inside
        a, b = i, 12
        while b != 0:
            a, b = (b, a) if a < b else (total(a - b, hits)[1], b) if a > b else (a, 0)
        u[3, i] = gp.u32(a)


def test_without_statements(device: gp.Device) -> None:
    x = np.random.default_rng(5).choice([-2.5, -0.5, 0.0, 0.5, 1.5], 45).astype(np.float32)
    f, u = gp.empty((7, 45), device=device), gp.empty((5, 45), gp.u32, device=device)
    marks = gp.empty(45, Mark, device=device)
    without_statements(gp.asarray(x, device=device), f, u, marks, invocations=45)
    floats, words = np.empty((7, 45), np.float32), np.empty((5, 45), np.uint32)
    for i, a in enumerate(x):
        c = a > 0
        first, (second, third) = (i, (1, a)) if c else (7, (2, -a)) if a > -1 else (i + 1, (3, 0.0))
        both = PAIR if c else (i, 30)
        words[:, i] = c, first, second, sum(both), i in ((3, 4) if c else (5, 6))
        p, q = (a, a) if c else (3.0, a)
        p, q = (q, p) if i % 2 == 0 else (p, q)
        floats[:, i] = *((a, 2.0) if c else (2.0, a)), 0.5 if c else 1, third, a + 1 if c else 6, p, q
    np.testing.assert_array_equal(f.numpy(), floats)
    np.testing.assert_array_equal(u.numpy(), words)
    np.testing.assert_array_equal(marks.numpy()["level"], np.where(x > 0, 1, 2))
    np.testing.assert_array_equal(marks.numpy()["weight"], np.where(x > 0, x, 0.5))


def test_only_the_chosen_side_is_executed(device: gp.Device) -> None:
    x = np.random.default_rng(6).choice([-2.5, -0.5, 0.5, 1.5], 45).astype(np.float32)
    f, u = gp.empty((3, 45), device=device), gp.empty((4, 45), gp.u32, device=device)
    hits = gp.zeros(2, gp.i32, device=device)
    with_statements(gp.asarray(x, device=device), f, u, hits, invocations=45)
    floats, words, subtractions = np.empty((3, 45), np.float32), np.empty((4, 45), np.uint32), 0
    for i in range(45):
        bit = 3 + i % 3
        words[:, i] = *((i * (i - 1) // 2, i) if x[i] > 0 else (7, 8)), bit, math.gcd(i, 12)
        floats[:, i] = (x[i], x[44 - i], x[0])[i % 3], (0.5, 1, 2)[i % 3], x[i + 1] if i < 44 else -1.0
        a, b = i, 12
        while a != b and b != 0:
            subtractions += a > b
            a, b = (b, a) if a < b else (a - b, b)
    np.testing.assert_array_equal(f.numpy(), floats)
    np.testing.assert_array_equal(u.numpy(), words)
    np.testing.assert_array_equal(hits.numpy(), [45, (x > 0).sum() + subtractions])
