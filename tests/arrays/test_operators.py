"""Operators and functions of whole arrays, against NumPy."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gpucore as gp

FLOATS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
INTEGERS = [
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.and_, operator.or_,
    operator.xor, operator.lshift, operator.rshift,
]  # fmt: skip
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


def arrays(dtype: Any, device: gp.Device) -> tuple[Any, Any, gp.Array, gp.Array]:
    rng = np.random.default_rng(7)
    a = rng.integers(1, 9, (5, 1, 7)).astype(dtype)
    b = rng.integers(1, 5, (3, 1)).astype(dtype)
    return a, b, gp.asarray(a, device=device), gp.asarray(b, device=device)


@pytest.mark.parametrize("function", FLOATS)
def test_floats(device: gp.Device, function: Callable[..., Any]) -> None:
    a, b, x, y = arrays(np.float32, device)
    for have, want in (
        (function(x, y), function(a, b)),
        (function(x, x), function(a, a)),
        (function(x, 2), function(a, np.float32(2))),
        (function(2.0, x), function(np.float32(2), a)),
        (function(np.float32(3), y), function(np.float32(3), b)),
    ):
        assert have.dtype is gp.f32
        np.testing.assert_allclose(have.numpy(), want, rtol=1e-5, strict=True)


@pytest.mark.parametrize("function", INTEGERS)
@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_integers(device: gp.Device, function: Callable[..., Any], dtype: Any) -> None:
    a, b, x, y = arrays(dtype, device)
    np.testing.assert_array_equal(function(x, y).numpy(), function(a, b), strict=True)
    np.testing.assert_array_equal(function(x, 3).numpy(), function(a, dtype(3)), strict=True)
    np.testing.assert_array_equal(function(3, y).numpy(), function(dtype(3), b), strict=True)


@pytest.mark.parametrize("function", COMPARISONS)
def test_comparisons_give_ones_and_zeros(device: gp.Device, function: Callable[..., Any]) -> None:
    a, b, x, y = arrays(np.int32, device)
    np.testing.assert_array_equal(function(x, y).numpy(), function(a, b).astype(np.uint32), strict=True)
    np.testing.assert_array_equal(function(x, 4).numpy(), function(a, 4).astype(np.uint32), strict=True)
    np.testing.assert_array_equal(function(4, x).numpy(), function(4, a).astype(np.uint32), strict=True)


def test_one_operand(device: gp.Device) -> None:
    a, _, x, _ = arrays(np.float32, device)
    np.testing.assert_array_equal((-x).numpy(), -a)
    np.testing.assert_array_equal(abs(-x).numpy(), a)
    with pytest.raises(TypeError, match="~ of a whole array could mean its bits or a mask"):
        operator.invert(x)


def test_in_place_operators_write_to_the_same_memory(device: gp.Device) -> None:
    x = gp.arange(10, device=device)
    same, host = x, np.arange(10, dtype=np.int32)
    x += 5
    x[2:4] *= 10
    x[1:9] -= x[2:10]
    host += 5
    host[2:4] *= 10
    host[1:9] -= host[2:10].copy()
    assert same is x
    np.testing.assert_array_equal(same.numpy(), host)


def test_a_product_in_place_keeps_the_shape(device: gp.Device) -> None:
    x, host = gp.asarray([[1, 2], [3, 4]], gp.f32, device=device), np.array([[1, 2], [3, 4]], np.float32)
    same = x
    x @= x
    assert same is x
    np.testing.assert_array_equal(x.numpy(), host @ host)
    with pytest.raises(gp.ArgumentError, match=r"x @ y has the shape \(2, 1\), and x has \(2, 2\); write x = x @ y"):
        operator.imatmul(x, gp.ones((2, 1), device=device))
    np.testing.assert_array_equal(x.numpy(), host @ host)


def test_functions_of_the_language(device: gp.Device) -> None:
    a, _, x, _ = arrays(np.float32, device)
    np.testing.assert_allclose(gp.exp(-x).numpy(), np.exp(-a), rtol=1e-5)
    np.testing.assert_array_equal(gp.clamp(x, 3, 5.0).numpy(), np.clip(a, 3, 5))
    np.testing.assert_array_equal(gp.isnan(x).numpy(), np.zeros_like(a, np.uint32))
    with pytest.raises(gp.KernelOnlyError, match=r"gp\.exp can only be used inside a kernel"):
        gp.exp(1.0)


def test_where(device: gp.Device) -> None:
    a, b, x, y = arrays(np.float32, device)
    np.testing.assert_array_equal(gp.where(x > 4, x, y).numpy(), np.where(a > 4, a, b))
    np.testing.assert_array_equal(gp.where(x > 4, x, -1).numpy(), np.where(a > 4, a, np.float32(-1)))
    both = gp.where(x > 4, 1, 0.5)
    assert both.dtype is gp.f32
    np.testing.assert_array_equal(both.numpy(), np.where(a > 4, np.float32(1), np.float32(0.5)))
    assert gp.where(x > 4, 1, 0).dtype is gp.i32


def test_expressions(device: gp.Device) -> None:
    a, b, x, y = arrays(np.float32, device)
    axpy = gp.elementwise("k*x + sqrt(y)")
    want = 2 * a + np.sqrt(b)
    np.testing.assert_allclose(axpy(2.0, x, y).numpy(), want, rtol=1e-6)
    np.testing.assert_allclose(axpy(k=2.0, y=y, x=x).numpy(), want, rtol=1e-6)
    assert repr(axpy) == "<gpucore elementwise k*x + sqrt(y): (k, x, y)>"

    @gp.elementwise
    def smooth(t: Any) -> Any:
        """A smooth step."""
        return t * t * (3.0 - 2.0 * t)

    np.testing.assert_allclose(smooth(y).numpy(), b * b * (3 - 2 * b), rtol=1e-6)
    assert smooth.__doc__ == "A smooth step."

    def with_default(t: Any, k: int = 1) -> Any:
        return t * k

    for call, message in (
        (lambda: axpy(2.0, x), "lacks the arguments y"),
        (lambda: axpy(2.0, x, y, x), "takes 3 arguments, not 4"),
        (lambda: axpy(2.0, x, y, z=1), "'z' is not one of"),
        (lambda: axpy(1.0, 2.0, 3.0), "needs a device array among its arguments"),
        (lambda: gp.elementwise("1 + 2"), "has no names"),
        (lambda: gp.elementwise("x +"), "is not an expression"),
        (lambda: gp.elementwise(3), "takes an expression or a function"),  # type: ignore[arg-type]
        (lambda: gp.elementwise(with_default), "without defaults"),
        (lambda: gp.elementwise(lambda t: t + 1), "not a lambda"),
    ):
        with pytest.raises(gp.ArgumentError, match=message):
            call()


def test_vectors_empty_arrays_and_rank_zero(device: gp.Device) -> None:
    host = np.arange(20, dtype=np.float32).reshape(5, 4)
    v = gp.asarray(host, gp.f32x4, device=device)
    np.testing.assert_array_equal((v * 2.0 + v).numpy(), 3 * host)
    assert (gp.zeros((0, 3), device=device) + 1).shape == (0, 3)
    point = gp.full((), 2.0, device=device)
    assert (point + gp.ones(3, device=device)).tolist() == [3.0, 3.0, 3.0]
    assert (point * point).item() == 4.0


def test_what_does_not_combine(device: gp.Device) -> None:
    x, n = gp.ones(5, device=device), gp.arange(5, device=device)
    with pytest.raises(gp.KernelTypeError, match=r"`[+]` mixes f32 and i32"):
        operator.add(x, n)
    for call, message in (
        (lambda: n + 1.5, "1.5 is a float beside arrays of gpucore.i32"),
        (lambda: n + 2**40, "does not fit"),
        (lambda: x + np.ones(5, np.float32), "not ndarray; gp.asarray makes a device array of one"),
        (lambda: np.ones(5, np.float32) + x, "not ndarray; gp.asarray makes a device array of one"),
        (lambda: operator.add(x, [1, 2]), "not list; gp.asarray"),
        (lambda: x + True, "not bool"),
        (lambda: x + gp.ones(4, device=device), "cannot be broadcast together"),
        (lambda: gp.ones((1, 2, 1, 2, 1), device=device) + gp.ones((2, 1, 2, 1, 2), device=device), "rank of 4"),
    ):
        with pytest.raises(gp.ArgumentError, match=message):
            call()
    with pytest.raises(TypeError, match="unsupported operand"):
        operator.add(x, "a")
    if device.id != "simulator:0":
        with pytest.raises(gp.ArgumentError, match="the arrays are on"):
            operator.add(x, gp.ones(5, device="simulator"))


def test_an_expression_is_compiled_once_for_each_combination_of_types(device: gp.Device) -> None:
    from gpucore.elementwise.expressions import _made  # noqa: PLC0415 (its cache is what is tested)

    x = gp.ones(5, device=device)
    x + x
    before = _made.cache_info().misses
    for k in range(3):
        (x + x[k : k + 1]) if k > 5 else x + x
    assert _made.cache_info().misses == before


def test_an_expression_may_use_any_names(device: gp.Device) -> None:
    n = gp.asarray(np.array([3, 1, 2, 0], np.int32), device=device)
    assert gp.elementwise("i*10")(n).tolist() == [30, 10, 20, 0]
    assert gp.elementwise("out + in_out + at0")(n, n, n).tolist() == [9, 3, 6, 0]
    column = gp.asarray(np.array([[10], [20]], np.int32), device=device)
    assert gp.elementwise("at0 + stride0_at0")(n, column).tolist() == [[13, 11, 12, 10], [23, 21, 22, 20]]
    np.testing.assert_allclose(
        gp.elementwise("math.pi * r")(n.astype(gp.f32)).numpy(), np.pi * np.array([3, 1, 2, 0]), rtol=1e-6
    )

    @gp.elementwise
    def add(x: Any, i: Any) -> Any:
        return x + i

    assert add(n, n).tolist() == [6, 2, 4, 0]


def test_powers_and_none(device: gp.Device) -> None:
    n = gp.asarray(np.array([5, -6, 7], np.int32), device=device)
    assert (n**2).tolist() == [25, 36, 49]
    assert (n.astype(gp.f32) ** 2).tolist() == [25.0, 36.0, 49.0]
    assert (operator.eq(n, None), operator.ne(n, None)) == (False, True)
    with pytest.raises(TypeError, match="unsupported operand"):
        operator.add(n, None)


def test_vectors_are_not_compared(device: gp.Device) -> None:
    v = gp.zeros(3, gp.f32x4, device=device)
    with pytest.raises(gp.ArgumentError, match="compares vectors; write a kernel"):
        operator.eq(v, v)
