"""Vectors of every element type: components, swizzles, arithmetic, dot, length; and math.* of Python."""

from __future__ import annotations

import math

import numpy as np
from lacking import is_refused

import gpucore as gp
from gpucore.testing.bounds import FUNCTION_CASES

BOUNDS = {case.name: (case.ulp * 2.0**-23, case.absolute) for case in FUNCTION_CASES}


@gp.kernel(workgroup_size=32)
def mix_vectors(
    a: gp.In[gp.f32x4], b: gp.In[gp.i32x2], c: gp.In[gp.u32x4], x: gp.Out[gp.f32x2], y: gp.Out[gp.i32x4],
    z: gp.Out[gp.u32x2], lengths: gp.Out[gp.f32x4],
):  # fmt: skip
    i = gp.global_id(0)
    if i < a.size:
        v, w, u = a[i], b[i], c[i]
        x[i] = v.wx * 2.0 - v.yz
        y[i] = gp.i32x4(w.yx, w * w)
        u.z = 7
        z[i] = gp.u32x2(u.z, gp.dot(u.xy, u.wz))
        lengths[i] = gp.f32x4(gp.length(v), gp.length(v.xy), gp.length(v.x), gp.dot(v, v))


def test_components_of_all_types(device: gp.Device) -> None:
    random, size = np.random.default_rng(10), 43
    a = random.integers(-9, 10, (size, 4)).astype(np.float32)
    b, c = random.integers(-9, 10, (size, 2)).astype(np.int32), random.integers(0, 2**32, (size, 4), dtype=np.uint32)
    kinds = [gp.f32x2, gp.i32x4, gp.u32x2, gp.f32x4]
    x, y, z, lengths = (gp.zeros(size, kind, device=device) for kind in kinds)
    sources = zip((a, b, c), (gp.f32x4, gp.i32x2, gp.u32x4), strict=True)
    mix_vectors(*(gp.asarray(v, kind, device=device) for v, kind in sources), x, y, z, lengths, invocations=size)
    np.testing.assert_array_equal(x.numpy(), a[:, [3, 0]] * 2 - a[:, [1, 2]])
    np.testing.assert_array_equal(y.numpy(), np.stack([b[:, 1], b[:, 0], b[:, 0] ** 2, b[:, 1] ** 2], axis=1))
    np.testing.assert_array_equal(
        z.numpy(), np.stack([np.full(size, 7), c[:, 0] * c[:, 3] + c[:, 1] * np.uint32(7)], 1)
    )
    squares = np.stack([(a**2).sum(axis=1), (a[:, :2] ** 2).sum(axis=1), a[:, 0] ** 2], axis=1)
    np.testing.assert_allclose(lengths.numpy()[:, :3], np.sqrt(squares), rtol=BOUNDS["sqrt"][0])
    np.testing.assert_array_equal(lengths.numpy()[:, 3], squares[:, 0])


@gp.kernel(workgroup_size=32)
def compared(x: gp.In[gp.f32x4], u: gp.In[gp.u32x2], y: gp.Out[gp.i32, 2]):
    i = gp.global_id(0)
    if i < x.size:
        v, w = x[i], u[i]
        y[0, i] = (
            gp.select(gp.any(v < 0.0), 1, 0) + gp.select(gp.all(v <= v.x), 2, 0) + gp.select(gp.any(v > v.yxwz), 4, 0)
        )
        y[1, i] = gp.dot(gp.select(v >= 1.0, 1, 2).xz, gp.i32x2(3, 5)) + gp.select(
            gp.all(w == gp.u32x2(1, w.y)), 100, 0
        )
        y[2, i] = 7 if gp.all((v != 0.0) | gp.isnan(v)) else gp.i32(gp.any(w >= gp.u32(2**31)))


def test_comparisons(device: gp.Device) -> None:
    """Each operator, on floats with NaN and on unsigned integers, with a scalar and a vector beside it."""
    random, size = np.random.default_rng(12), 91
    x = random.integers(-1, 3, (size, 4)).astype(np.float32)
    x[random.random(x.shape) < 0.1] = np.nan
    u = random.integers(0, 3, (size, 2)).astype(np.uint32) << np.uint32(30) | np.uint32(1)
    y = gp.zeros((3, size), gp.i32, device=device)
    compared(gp.asarray(x, gp.f32x4, device=device), gp.asarray(u, gp.u32x2, device=device), y, invocations=size)
    first = (x < 0).any(1) + (x <= x[:, :1]).all(1) * 2 + (x > x[:, [1, 0, 3, 2]]).any(1) * 4
    second = np.where(x >= 1, 1, 2)[:, [0, 2]] @ [3, 5] + (u[:, 0] == 1) * 100
    third = np.where(((x != 0) | np.isnan(x)).all(1), 7, (u >= 2**31).any(1))
    np.testing.assert_array_equal(y.numpy(), np.stack([first, second, third]))


@gp.kernel(workgroup_size=32)
def halves(x: gp.In[gp.f16x4], y: gp.Out[gp.f16x2]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = x[i].xy * x[i].zw + gp.f16(1.0)


def test_vectors_of_halves(device: gp.Device) -> None:
    host = np.random.default_rng(11).integers(-9, 10, (37, 4)).astype(np.float16)
    x, y = gp.asarray(host, gp.f16x4, device=device), gp.zeros(37, gp.f16x2, device=device)

    def call() -> None:
        halves(x, y, invocations=37)

    if is_refused(device, "f16", call):
        return
    call()
    np.testing.assert_array_equal(y.numpy(), host[:, :2] * host[:, 2:] + np.float16(1))


@gp.kernel(workgroup_size=32)
def functions_of_python(x: gp.In[gp.f32], y: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < x.size:
        v = x[i]
        y[i, 0], y[i, 1] = math.sqrt(v), math.exp(-v)
        y[i, 2], y[i, 3] = math.log(v), math.sin(v)
        y[i, 4], y[i, 5] = math.atan2(v, math.e), math.pow(v, 1.5)
        y[i, 6], y[i, 7] = math.erf(v), math.tanh(v)
        y[i, 8], y[i, 9] = abs(1.0 - v), max(min(v, 2.0), 1.0, 0.5)
        y[i, 10], y[i, 11] = round(v * 2.0), v**3


def test_functions_of_python(device: gp.Device) -> None:
    x = np.random.default_rng(12).uniform(0.1, 3, 40).astype(np.float32)
    y = gp.zeros((40, 12), device=device)
    functions_of_python(gp.asarray(x, device=device), y, invocations=40)
    v = x.astype(float)
    exact = {
        "sqrt": np.sqrt(v), "exp": np.exp(-v), "log": np.log(v), "sin": np.sin(v), "atan2": np.arctan2(v, math.e),
        "pow": v**1.5, "erf": [math.erf(t) for t in v], "tanh": np.tanh(v), "abs": np.abs(1 - v),
        "min, max": np.clip(v, 1, 2), "round": np.round(v * 2), "**": v**3,
    }  # fmt: skip
    for column, (name, values) in enumerate(exact.items()):
        relative, absolute = BOUNDS.get(name, (2.0**-22, 2.0**-24))  # two roundings; 1 - v is rounded once
        np.testing.assert_allclose(y.numpy()[:, column], values, rtol=relative, atol=absolute, err_msg=name)


@gp.kernel(workgroup_size=32)
def powers(x: gp.In[gp.f32], y: gp.In[gp.f32], z: gp.Out[gp.f32], folded: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        z[i] = gp.pow(x[i], y[i])
    if i == 0:
        folded[0], folded[1] = gp.pow(gp.f32(-math.inf), 0.5), gp.pow(gp.f32(-0.0), 0.5)


def test_powers_of_infinities_and_zeros(device: gp.Device) -> None:
    """As IEEE has it: a power of one half is no root."""
    inf = np.inf
    x = np.array([-inf, -inf, -inf, -inf, -0.0, -0.0, -1, -1, -2, 0], np.float32)
    y = np.array([0.5, -0.5, 3, -3, 0.5, -0.5, inf, -inf, inf, 0], np.float32)
    z, folded = gp.zeros(10, device=device), gp.zeros(2, device=device)
    powers(gp.asarray(x, device=device), gp.asarray(y, device=device), z, folded, invocations=10)
    np.testing.assert_array_equal(z.numpy(), [inf, 0, -inf, 0, 0, inf, 1, 1, inf, 1])
    np.testing.assert_array_equal(folded.numpy(), [inf, 0])


@gp.kernel(workgroup_size=32)
def moved(x: gp.In[gp.f32x3], offset: gp.f32x3, y: gp.Out[gp.f32x3]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = gp.f32x3(x[i].zy, x[i].x) + offset


def test_triples_are_rows_of_numpy(device: gp.Device) -> None:
    """Their memory is that of NumPy's (n, 3): as slices at any offset, and as arrays of scalars taken for them."""
    host = np.random.default_rng(13).integers(-9, 10, (203, 3)).astype(np.float32)
    rows, scalars = gp.asarray(host, gp.f32x3, device=device), gp.asarray(host.reshape(-1), device=device)
    assert (rows.nbytes, rows.shape, rows.numpy().dtype) == (host.nbytes, (203,), np.float32)
    np.testing.assert_array_equal(rows.numpy(), host)
    for first, last in ((0, 203), (1, 8), (25, 26), (64, 201), (128, 203)):
        y = gp.zeros(last - first, gp.f32x3, device=device)
        expected = host[first:last, [2, 1, 0]] + np.array([1, 2, 3], np.float32)
        for x in (rows[first:last], scalars[3 * first : 3 * last]):
            moved(x, (1, 2, 3), y, invocations=y)
            np.testing.assert_array_equal(y.numpy(), expected)
            y.fill(0.0)


@gp.struct
class Body:
    place: gp.f32x3
    mass: gp.f32 = 2.0


def pushed(v, by):
    """A parameter whose components are assigned by index."""
    v[0] += by
    v[2] = v[1]
    return v


@gp.kernel(workgroup_size=32)
def by_index(x: gp.InOut[gp.f32x3], bodies: gp.InOut[Body], w: gp.f32x2, sums: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        x[i][1] = 5
        x[i][0] *= 2.0
        bodies[i].place[2] += bodies[i].mass
        v = x[i]
        kept = v
        if v[2] > 0.0:
            v[-1] = -v[2]
        for _ in range(3):
            v[0] += 1.0
        for c in gp.unroll(range(3)):
            v[c] = v[c] * 10.0 + c
        w[1] = v[0]
        x[i] = pushed(v, 0.5)
        sums[i] = kept[0] + w[0] + w[1]


def test_components_are_assigned_by_index(device: gp.Device) -> None:
    host = np.random.default_rng(14).integers(-9, 10, (39, 3)).astype(np.float32)
    places = np.zeros(39, Body)
    places["place"], places["mass"] = host[::-1], np.arange(39)
    x, sums = gp.asarray(host, gp.f32x3, device=device), gp.zeros(39, device=device)
    bodies = gp.asarray(places, Body, device=device)
    by_index(x, bodies, (0.25, 1.0), sums, invocations=39)
    first = (host[:, 0] * 2 + 3) * 10
    np.testing.assert_array_equal(x.numpy(), np.stack([first + 0.5, np.full(39, 51), np.full(39, 51)], 1))
    np.testing.assert_array_equal(sums.numpy(), host[:, 0] * 2 + 0.25 + first)
    moved_places = host[::-1] + np.arange(39)[:, None] * np.array([0, 0, 1])
    np.testing.assert_array_equal(bodies.numpy()["place"], moved_places)
