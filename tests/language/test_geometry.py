"""gp.dot, length, distance, normalize, reflect and cross: of vectors of two, three and four, within derived bounds."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pytest
from lacking import is_refused

import gpucore as gp
from gpucore.testing.bounds import DIVISION_ULP, FUNCTION_CASES

HALF_ULP = 2.0**-24
SQRT = next(case.ulp for case in FUNCTION_CASES if case.name == "sqrt") * 2.0**-23
DIVISION = DIVISION_ULP * 2.0**-23

V = TypeVar("V", gp.f32x2, gp.f32x3, gp.f32x4)


@gp.kernel(workgroup_size=32)
def functions(x: gp.In[V], y: gp.In[V], scalars: gp.Out[gp.f32, 2], unit: gp.Out[V], reflected: gp.Out[V]):
    i = gp.global_id(0)
    if i < x.size:
        v, w = x[i], y[i]
        scalars[0, i], scalars[1, i], scalars[2, i] = gp.dot(v, w), gp.length(v), gp.distance(v, w)
        scalars[3, i], scalars[4, i] = gp.distance(v.x, w.x), gp.distance(v, 1.0)
        unit[i] = gp.normalize(v)
        reflected[i] = gp.reflect(v, w)


def row_norm(v: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.sqrt((v * v).sum(axis=1))


@pytest.mark.parametrize("width", [2, 3, 4])
def test_functions_of_vectors(device: gp.Device, width: int) -> None:
    """Every product and sum is off by half an ulp of its result at most, and a dot product has `width` of each."""
    random, size, kind = np.random.default_rng(width), 77, {2: gp.f32x2, 3: gp.f32x3, 4: gp.f32x4}[width]
    v, w = (random.normal(size=(size, width)).astype(np.float32) for _ in range(2))
    w /= np.sqrt((w * w).sum(axis=1, keepdims=True))
    scalars, unit = gp.zeros((5, size), device=device), gp.zeros(size, kind, device=device)
    reflected = gp.zeros(size, kind, device=device)
    given = (gp.asarray(side, kind, device=device) for side in (v, w))
    functions(*given, scalars, unit, reflected, invocations=size)
    v, w = v.astype(np.float64), w.astype(np.float64)
    dot, dot_error = (v * w).sum(axis=1), width * HALF_ULP * 1.01 * np.abs(v * w).sum(axis=1)
    norm_error = SQRT + width * HALF_ULP  # half of the relative error of a sum of squares, and more
    assert np.all(np.abs(scalars.numpy()[0] - dot) <= dot_error)
    np.testing.assert_allclose(scalars.numpy()[1], row_norm(v), rtol=norm_error)
    np.testing.assert_allclose(scalars.numpy()[2], row_norm(v - w), rtol=norm_error + HALF_ULP)
    np.testing.assert_allclose(scalars.numpy()[3], np.abs(v[:, 0] - w[:, 0]), rtol=HALF_ULP)
    np.testing.assert_allclose(scalars.numpy()[4], row_norm(v - 1), rtol=norm_error + HALF_ULP)
    np.testing.assert_allclose(unit.numpy(), v / row_norm(v)[:, None], rtol=norm_error + DIVISION)
    along = 2 * dot[:, None] * w
    error = 2 * dot_error[:, None] * np.abs(w) + 2.01 * HALF_ULP * (np.abs(v) + np.abs(along))
    assert np.all(np.abs(reflected.numpy() - (v - along)) <= error)


@gp.kernel(workgroup_size=32)
def crossed(
    x: gp.In[gp.f32x3], y: gp.In[gp.f32x3], n: gp.In[gp.i32x3], z: gp.Out[gp.f32x3], whole: gp.Out[gp.i32x3],
    nothing: gp.Out[gp.f32x3],
):  # fmt: skip
    i = gp.global_id(0)
    if i < x.size:
        z[i] = gp.cross(x[i], y[i])
        whole[i] = gp.cross(n[i], n[i].zyx + 1)
        nothing[i] = gp.normalize(x[i] * 0.0)


def test_cross(device: gp.Device) -> None:
    random, size = np.random.default_rng(9), 45
    v, w = (random.normal(size=(size, 3)).astype(np.float32) for _ in range(2))
    n = random.integers(-99, 100, (size, 3)).astype(np.int32)
    z, nothing = (gp.zeros(size, gp.f32x3, device=device) for _ in range(2))
    whole = gp.zeros(size, gp.i32x3, device=device)
    given = (gp.asarray(side, gp.f32x3, device=device) for side in (v, w))
    crossed(*given, gp.asarray(n, gp.i32x3, device=device), z, whole, nothing, invocations=size)
    v, w = v.astype(np.float64), w.astype(np.float64)
    parts = np.abs(np.roll(v, -1, 1) * np.roll(w, -2, 1)) + np.abs(np.roll(v, -2, 1) * np.roll(w, -1, 1))
    assert np.all(np.abs(z.numpy() - np.cross(v, w)) <= 2.01 * HALF_ULP * parts)
    np.testing.assert_array_equal(whole.numpy(), np.cross(n, n[:, ::-1] + 1))
    assert np.isnan(nothing.numpy()).all()


@gp.kernel(workgroup_size=32)
def of_halves(x: gp.In[gp.f16x3], y: gp.Out[gp.f16x3], lengths: gp.Out[gp.f16]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = gp.cross(x[i], gp.reflect(x[i], gp.f16x3(0, 1, 0)))
        lengths[i] = gp.length(x[i].xz * 0.0 + gp.f16x2(3, 4))


def test_halves(device: gp.Device) -> None:
    host = np.random.default_rng(2).integers(-9, 10, (37, 3)).astype(np.float16)

    def call() -> None:
        y, lengths = gp.zeros(37, gp.f16x3, device=device), gp.zeros(37, gp.f16, device=device)
        of_halves(gp.asarray(host, gp.f16x3, device=device), y, lengths, invocations=37)
        mirrored = host * np.array([1, -1, 1], np.float16)
        np.testing.assert_array_equal(y.numpy(), np.cross(host.astype(int), mirrored.astype(int)))
        np.testing.assert_allclose(lengths.numpy().astype(float), 5, rtol=2.0**-9)

    if not is_refused(device, "f16", call):
        call()


def test_arrays_of_vectors_on_the_host(device: gp.Device) -> None:
    v = np.random.default_rng(4).normal(size=(19, 3)).astype(np.float32)
    array = gp.asarray(v, gp.f32x3, device=device)
    np.testing.assert_allclose(gp.length(gp.normalize(array)).numpy(), 1, rtol=2 * SQRT + DIVISION + 8 * HALF_ULP)
    turned = gp.asarray(v[:, [1, 2, 0]], gp.f32x3, device=device)
    np.testing.assert_allclose(gp.cross(array, turned).numpy(), np.cross(v, v[:, [1, 2, 0]]), atol=2.0**-20)


@pytest.mark.parametrize(
    ("call", "message", "fix"),
    [
        ("gp.cross(v, v)", "cross works on vectors of three, not on f32x2", "write v.x * v.y - v.y * v.x"),
        ("gp.cross(u, u)", "cross works on vectors of three, not on f32x4", "write gp.cross(u.xyz, u.xyz)"),
        ("gp.cross(v.x, 2.0)", "cross works on vectors of three, not on f32", "give two vectors of three"),
        ("gp.normalize(v.x)", "normalize works on vectors, not on f32", "write gp.sign(v.x)"),
        ("gp.reflect(v.x, v.y)", "reflect works on vectors, not on f32", "give two vectors"),
        ("gp.length(n)", "length works on floats, not on i32x2", "convert, as in gp.length(gp.f32x2(n))"),
        ("gp.distance(v)", "gp.distance takes 2 arguments, not 1", "write gp.distance(v, w)"),
        ("gp.distance(v, u)", "distance mixes f32x2 and f32x4",
         "take the same number of components from both, as in u.xy"),
    ],
)  # fmt: skip
def test_what_they_refuse(call: str, message: str, fix: str) -> None:
    text = f"""
    def k(x: gp.In[gp.f32x2], y: gp.In[gp.f32x4], z: gp.In[gp.i32x2], out: gp.Out[gp.f32]):
        v, u, n = x[0], y[0], z[0]
        out[0] = {call}
    """
    with pytest.raises(gp.KernelTypeError) as caught:
        gp.kernel_from_text(text).ir()
    assert (caught.value.message, caught.value.fix) == (message, fix)
