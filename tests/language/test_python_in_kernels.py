"""Python's own words in kernels: unpacking, `in`, divmod, ord; enumerate, zip, reversed of compile-time sequences."""

from __future__ import annotations

import enum

import numpy as np

import gpucore as gp

WEIGHTS = (3, 5, 7)


class Kind(enum.IntEnum):
    LOW = 1
    MIDDLE = 2
    HIGH = 4


@gp.kernel(workgroup_size=32)
def words_of_python(v: gp.In[gp.f32x3], n: gp.In[gp.i32], kinds: gp.In[Kind], y: gp.Out[gp.i32, 2], f: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < n.size:
        a, b, c = v[i]
        a, (b, scale) = b, (a, 0.5)
        y[0, i], y[1, i] = divmod(n[i], 7)
        quotient, rest = divmod(a, scale)
        f[i] = quotient * 100.0 + rest + b * c
        y[2, i] = 1 if n[i] in (3, -3, i) else 0
        y[3, i] = 1 if n[i] not in WEIGHTS else 0
        y[4, i] = 1 if kinds[i] in (Kind.LOW, Kind.HIGH) else 0
        y[5, i] = 1 if 5 in (n[i], 6) else ord("a")
        total = 0
        for place, weight in gp.unroll(enumerate(WEIGHTS)):
            total += n[(i + place) % n.size] * weight
        for k, (weight, kind) in gp.unroll(enumerate(zip(reversed(WEIGHTS), Kind, strict=True), start=1)):
            total = total * 3 + k * weight * kind
        for k in gp.unroll(reversed(range(2, 5))):
            total = total * 3 + k
        for k, weight in gp.unroll(zip(range(2), WEIGHTS, strict=False)):
            total = total * 3 + k * weight
        y[6, i] = total


def test_what_python_has(device: gp.Device) -> None:
    random, size = np.random.default_rng(8), 45
    v = random.integers(-9, 10, (size, 3)).astype(np.float32) / np.float32(4)
    n, kinds = random.integers(-9, 10, size).astype(np.int32), random.choice([1, 2, 4], size).astype(np.int32)
    y, f = gp.zeros((7, size), gp.i32, device=device), gp.zeros(size, device=device)
    given = gp.asarray(v, gp.f32x3, device=device), gp.asarray(n, device=device), gp.asarray(kinds, device=device)
    words_of_python(*given, y, f, invocations=size)
    a, b, c = v.T
    np.testing.assert_array_equal(f.numpy(), b // 0.5 * 100 + b % 0.5 + a * c)
    total = sum(np.roll(n, -place) * weight for place, weight in enumerate(WEIGHTS))
    for k, (weight, kind) in enumerate(zip(reversed(WEIGHTS), Kind, strict=True), 1):
        total = total * 3 + k * weight * kind
    for k in (4, 3, 2):
        total = total * 3 + k
    for k, weight in zip(range(2), WEIGHTS, strict=False):
        total = total * 3 + k * weight
    among = (n == 3) | (n == -3) | (n == np.arange(size))
    rows = [n // 7, n % 7, among, ~np.isin(n, WEIGHTS), kinds != Kind.MIDDLE, np.where(n == 5, 1, ord("a")), total]
    np.testing.assert_array_equal(y.numpy(), np.stack(rows))
