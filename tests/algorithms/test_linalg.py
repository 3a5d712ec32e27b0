"""gp.linalg against NumPy in float64: each layout of the kernels, dtypes, special values, refusals."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from turns import Turns

import gpucore as gp
from gpucore.algorithms.shapes import SHAPES, MatvecShape, shapes_of
from gpucore.linalg import warm_up
from gpucore.testing.checked_calls import checked_calls

GPU = MatvecShape(
    invocations=16, short=16, lanes=8, own=2, loads=2, fills=8, least=8, across=4, least_rows=5, run=16,
)  # fmt: skip
"""As the shape of GPUs, with small sizes."""
DTYPES = ("f32", "i32", "u32", "f16", "f64", "i64", "u64")
FLOATS = ("f32", "f16", "f64")
LENGTHS = (1, 2, 3, 31, 1000, 1025, 4097)
SHAPES_OF_MATRICES = (
    (1, 1), (1, 2), (2, 1), (3, 31), (31, 3), (1, 1025), (1025, 1), (2, 4097), (4097, 2), (5, 1000), (1000, 4),
    (64, 64), (33, 129), (600, 12),
)  # fmt: skip
SAME_AS_SIGNED = ("u32", "u64")
"""Products of these wrap as those of i32 and i64 do: a few of the shapes show that their types are right."""
ROUNDING = {np.dtype(np.float16): 2.0**-24, np.dtype(np.float32): 2.0**-24, np.dtype(np.float64): 2.0**-53}
"""The largest relative error of an operation on sums of a dtype: those of f16 are f32."""
ON = "simulator"


@pytest.fixture(params=["own", "gpu"])
def method(request: pytest.FixtureRequest, device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> str:
    """The device's own shape, or that of GPUs, which on PoCL takes minutes to compile."""
    if request.param == "gpu":
        if device.backend.name == "opencl" and device.kind is gp.DeviceKind.SOFTWARE:
            pytest.skip("PoCL compiles each of these for seconds")
        if (
            device.backend.name == "cpu"
            and "dtype" in request.fixturenames
            and request.getfixturevalue("dtype") != "f64"
        ):
            pytest.skip("the shape of GPUs is that of wgpu; here f64 has it, which wgpu may lack")
        monkeypatch.setitem(SHAPES, device.kind, dataclasses.replace(shapes_of(device), matvec=GPU))
    return str(request.param)


def shapes_for(dtype: str) -> tuple[tuple[int, int], ...]:
    """The shapes of matrices that are tried."""
    return SHAPES_OF_MATRICES[::4] if dtype in SAME_AS_SIGNED else SHAPES_OF_MATRICES


def element_of(device: gp.Device, name: str) -> Any:
    """The dtype, or a skip if the device lacks it."""
    element = getattr(gp, name)
    try:
        gp.sum(gp.zeros(1, element, device=device))
    except gp.CapabilityError as error:
        pytest.skip(error.message)
    return element


def skip_others(turns: Turns, function: int, method: str, dtype: str) -> None:
    """Software devices have each dtype in one of the functions, which are numbered; of the shape of GPUs, which not all
    of them have, in every second."""
    turns.skip_others(DTYPES.index(dtype) + function, 2 if method == "gpu" else 3)


def sample(element: Any, shape: Any, seed: int) -> Any:
    """Any bits of integers, so that sums wrap; normal numbers of floats."""
    random = np.random.default_rng([seed, *np.atleast_1d(shape)])
    dtype = element.dtype
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return random.standard_normal(shape).astype(dtype)


def assert_is_product(got: Any, a: Any, x: Any) -> None:
    """The whole of a @ x: integers exactly; floats within the bound of a sum in any order.

    The bound: n roundings, each of at most u of the sum of the absolute products (Higham, Accuracy and Stability of
    Numerical Algorithms, section 3.1), with the factor 1 / (1 - n * u), at most 1.01 here. An f16 is rounded once more.
    """
    want = np.asarray(a.astype(np.longdouble) @ x.astype(np.longdouble) if a.dtype.kind == "f" else a @ x)
    assert got.dtype == a.dtype and np.shape(got) == want.shape
    if a.dtype.kind in "iu":
        assert np.array_equal(got, want)
        return
    sizes = np.abs(a.astype(np.longdouble)) @ np.abs(x.astype(np.longdouble))
    bound = 1.01 * x.size * ROUNDING[a.dtype] * sizes
    if a.dtype == np.float16:
        bound = bound + 2.0**-11 * (np.abs(want) + bound) + 2.0**-25
    assert (np.abs(got - want) <= bound).all()


# ---------------------------------------------------------------- values


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_with_vectors(device: gp.Device, turns: Turns, method: str, dtype: str) -> None:
    element = element_of(device, dtype)
    skip_others(turns, 0, method, dtype)
    for m, n in shapes_for(dtype):
        a, x, y = sample(element, (m, n), 1), sample(element, n, 2), sample(element, m, 3)
        left, right, other = (gp.asarray(each, device=device) for each in (a, x, y))
        got = gp.linalg.matvec(left, right)
        assert got.dtype is element and got.device is device
        assert_is_product(got.numpy(), a, x)
        assert_is_product(gp.linalg.matvec(left, other, transpose_a=True).numpy(), a.T, y)
        assert np.array_equal(left.numpy(), a) and np.array_equal(right.numpy(), x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dots(device: gp.Device, turns: Turns, method: str, dtype: str) -> None:
    element = element_of(device, dtype)
    skip_others(turns, 1, method, dtype)
    for n in LENGTHS:
        x, y = sample(element, n, 1), sample(element, n, 2)
        if dtype == "f16":
            x = x / element.dtype.type(16)  # the sum stays finite
        left, right = gp.asarray(x, device=device), gp.asarray(y, device=device)
        got = gp.linalg.dot(left, right)
        assert got.shape == () and got.dtype is element
        assert_is_product(got.numpy(), x, y)
        assert_is_product(gp.linalg.dot(left, left).numpy(), x, x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_outer_products(device: gp.Device, turns: Turns, method: str, dtype: str) -> None:
    element = element_of(device, dtype)
    skip_others(turns, 2, method, dtype)
    for m, n in shapes_for(dtype):
        x, y = sample(element, m, 1), sample(element, n, 2)
        got = gp.linalg.outer(gp.asarray(x, device=device), gp.asarray(y, device=device))
        assert got.dtype is element
        assert np.array_equal(got.numpy(), np.multiply.outer(x, y))  # floats are rounded correctly


@pytest.mark.parametrize("dtype", FLOATS)
def test_norms(device: gp.Device, turns: Turns, dtype: str) -> None:
    """Sums of n positive numbers have a relative error of n * u, and so have their square roots; gp.sqrt and the
    squares, one or two u more. An f16 is rounded once more."""
    element = element_of(device, dtype)
    turns.skip_others(FLOATS.index(dtype), 2)
    for n in LENGTHS:
        host = sample(element, n, 1)
        x, exact = gp.asarray(host, device=device), host.astype(np.longdouble)
        relative = 1.01 * (n + 4) * ROUNDING[host.dtype] + (2.0**-11 if dtype == "f16" else 0)
        for ord in (None, 2, 2.0, 1, np.int64(1)):
            got, want = gp.linalg.norm(x, ord), (exact**2).sum() ** 0.5 if ord in (None, 2) else np.abs(exact).sum()
            assert got.shape == () and got.dtype is element
            assert abs(got.item() - want) <= relative * want
        for ord in (math.inf, -math.inf):
            assert gp.linalg.norm(x, ord).item() == np.linalg.norm(host, ord)
    host = sample(element, (31, 33), 2)
    want, relative = (host.astype(np.longdouble) ** 2).sum() ** 0.5, 1024 * ROUNDING[host.dtype] + 2.0**-11
    for ord in (None, "fro"):
        assert abs(gp.linalg.norm(gp.asarray(host, device=device), ord).item() - want) <= relative * want
    assert gp.linalg.norm(gp.asarray(host.reshape(3, 11, 31), device=device)).shape == ()


def test_norms_are_those_of_numpy_for_special_values(device: gp.Device) -> None:
    for values in ([1, math.nan, 3], [math.inf, 1], [-math.inf, 2], [math.inf, math.nan], [-0.0, 0.0], [-3.0]):
        host = np.array(values, np.float32)
        x = gp.asarray(host, device=device)
        for ord in (None, 2, 1, math.inf, -math.inf):
            assert np.array_equal(gp.linalg.norm(x, ord).numpy(), np.linalg.norm(host, ord), equal_nan=True), (
                host,
                ord,
            )
    x = gp.full(5, 1e20, device=device)  # the squares overflow, as the documentation says
    assert gp.linalg.norm(x).item() == math.inf
    assert gp.linalg.norm(x, 1).item() == pytest.approx(5e20, rel=1e-6)
    scale = gp.linalg.norm(x, math.inf).item()
    assert gp.linalg.norm(x / scale).item() * scale == pytest.approx(5**0.5 * 1e20, rel=1e-6)


def test_products_have_nan_and_infinity_where_numpy_has(device: gp.Device, method: str) -> None:
    """In no other row or column, although kernels read the last one for those beyond it."""
    a, x = np.ones((37, 43), np.float32), np.ones(43, np.float32)
    a[36, 5], a[0, 42], a[7, 7] = math.nan, math.inf, -math.inf
    with np.errstate(invalid="ignore"):
        for host, swaps in ((a, False), (np.ascontiguousarray(a.T), True)):
            got = gp.linalg.matvec(gp.asarray(host, device=device), gp.asarray(x, device=device), transpose_a=swaps)
            assert np.array_equal(got.numpy(), a @ x, equal_nan=True)
        row = gp.asarray(a[0], device=device)
        assert gp.linalg.dot(row, row).item() == math.inf
        assert math.isnan(gp.linalg.dot(row, row * 0).item())
        got = gp.linalg.outer(row, row * 0).numpy()
        assert np.array_equal(got, np.outer(a[0], a[0] * 0), equal_nan=True)


def test_empty_arrays(device: gp.Device) -> None:
    nothing, some = gp.zeros(0, device=device), gp.ones(3, device=device)
    for _ in range(3):
        assert gp.linalg.dot(nothing, nothing).item() == 0
        for m, n in ((0, 3), (3, 0), (0, 0)):
            a, x, y = (gp.ones(shape, device=device) for shape in ((m, n), n, m))
            assert gp.linalg.matvec(a, x).tolist() == [0.0] * m
            assert gp.linalg.matvec(a, y, transpose_a=True).tolist() == [0.0] * n
            assert gp.linalg.outer(y, x).shape == (m, n)
    out = gp.full(3, 7.0, device=device)
    assert gp.linalg.matvec(gp.ones((3, 0), device=device), nothing, out=out) is out and out.tolist() == [0.0] * 3
    for ord in (None, 1, 2):
        assert gp.linalg.norm(nothing, ord).item() == 0
    for ord in (math.inf, -math.inf):
        with pytest.raises(gp.ArgumentError, match=r"linalg.norm of no elements has no value for ord=-?inf"):
            gp.linalg.norm(nothing, ord)
    assert gp.linalg.norm(some[0:1]).item() == 1


# ---------------------------------------------------------------- arrays


@pytest.mark.parametrize("n", [12, 13])
def test_parts_of_arrays(device: gp.Device, method: str, n: int) -> None:
    """From any element on, where vectors are aligned and where they are not; and what is stored beside `out`."""
    m = 9
    memory, values = gp.asarray(sample(gp.i32, 400, 1), device=device), sample(gp.i32, 400, 1)
    for at, start in ((0, 4), (1, 0), (4, 3), (3, 8)):
        a, x = memory[at : at + m * n].reshape(m, n), memory[200 + start : 200 + start + n]
        y = memory[300 + start : 300 + start + m]
        host_a, host_x = values[at : at + m * n].reshape(m, n), values[200 + start : 200 + start + n]
        host_y = values[300 + start : 300 + start + m]
        for call, given, options, want in (
            (gp.linalg.matvec, (a, x), {}, host_a @ host_x),
            (gp.linalg.matvec, (a, y), {"transpose_a": True}, host_y @ host_a),
            (gp.linalg.outer, (x, y), {}, np.multiply.outer(host_x, host_y)),
        ):
            for first in (0, 1, 4):
                whole = gp.full(want.size + 9, 77, gp.i32, device=device)
                out = whole[first : first + want.size].reshape(want.shape)
                assert call(*given, out=out, **options) is out
                assert np.array_equal(out.numpy(), want)
                assert set(whole[:first].tolist() + whole[first + want.size :].tolist()) == {77}
        assert gp.linalg.dot(x, memory[at : at + n]).item() == (host_x * values[at : at + n]).sum(dtype=np.int32)
    part = gp.asarray(np.arange(9, dtype=np.float32), device=device)[3:7]
    assert gp.linalg.norm(part, 1).item() == 18


def test_calls_are_repeated_and_recorded(device: gp.Device) -> None:
    """Three calls: the first is planned, the second recorded, the third replayed; and a graph of the user's."""
    for seed in range(3):
        a, x, y = sample(gp.i32, (70, 33), seed), sample(gp.i32, 33, seed), sample(gp.i32, 70, seed)
        left, right, other = (gp.asarray(each, device=device) for each in (a, x, y))
        assert np.array_equal(gp.linalg.matvec(left, right).numpy(), a @ x)
        assert np.array_equal(gp.linalg.matvec(left, other, transpose_a=True).numpy(), y @ a)
        assert np.array_equal(gp.linalg.outer(right, other).numpy(), np.multiply.outer(x, y))
        assert gp.linalg.dot(right, right.copy()).item() == (x * x).sum(dtype=np.int32)
    floats = right.astype(gp.f32)
    products, total = gp.empty(70, gp.i32, device=device), gp.empty((), device=device)
    with device.record() as graph:
        gp.linalg.matvec(left, right, out=products)
        total[...] = gp.linalg.norm(floats, math.inf)
    right.fill(3)
    floats.fill(-4)
    graph.replay()
    assert np.array_equal(products.numpy(), a @ np.full(33, 3, np.int32)) and total.item() == 4


def test_numpy_arrays_give_numpy_arrays(device: gp.Device) -> None:
    a, x = sample(gp.f32, (20, 30), 1), sample(gp.f32, 30, 2)
    out, pairs = np.empty(20, np.float32), np.empty((30, 30), np.float32)
    got = gp.linalg.matvec(a, x, device=device)
    assert type(got) is np.ndarray
    assert_is_product(got, a, x)
    assert gp.linalg.matvec(a, x, out=out, device=device) is out and np.array_equal(out, got)
    assert_is_product(gp.linalg.matvec(a[::2].T, x[:10][::-1], device=device), a[::2].T, x[:10][::-1])
    assert_is_product(gp.linalg.matvec(a.T, x, transpose_a=True, device=device), a, x)
    assert gp.linalg.outer(x, x, out=pairs, device=device) is pairs and np.array_equal(pairs, np.outer(x, x))
    dot, norm = gp.linalg.dot(x, x, device=device), gp.linalg.norm(a.astype(">f4"), device=device)
    assert type(dot) is np.float32 and type(norm) is np.float32
    assert_is_product(dot, x, x)
    assert norm == pytest.approx(np.linalg.norm(a.astype(np.float64)), rel=1e-5)


@pytest.mark.parametrize("swaps", [False, True])
def test_long_rows_and_columns_are_split(device: gp.Device, swaps: bool) -> None:
    """Sizes at which the device's own shape makes chunks, in vectors and with elements behind the last one."""
    large = 9000 if device.backend.name == ON else 150_001
    for m, n in ((1, large), (3, large // 3), (large, 3), (large // 8, 8)):
        a = sample(gp.i32, (m, n), 1)
        x = sample(gp.i32, m if swaps else n, 2)
        got = gp.linalg.matvec(gp.asarray(a, device=device), gp.asarray(x, device=device), transpose_a=swaps)
        assert np.array_equal(got.numpy(), x @ a if swaps else a @ x)
    x = np.random.default_rng(1).standard_normal(large).astype(np.float32)
    vector = gp.asarray(x, device=device)
    for first in (0, 1):
        part = x[first:].astype(np.float64)
        bound = 2.0**-13 * (part * part).sum()
        assert abs(gp.linalg.dot(vector[first:], vector[first:]).item() - (part * part).sum()) <= bound


def test_kernels_stay_in_their_arrays(method: str, device: gp.Device) -> None:
    """The simulator checks each access."""
    if device.backend.name != ON:
        pytest.skip("the simulator checks")
    with checked_calls():
        for m, n in ((5, 12), (7, 13), (40, 4), (3, 100), (1, 103), (103, 1)):
            a, x, y = (gp.ones(shape, device=device) for shape in ((m, n), n, m))
            assert gp.linalg.matvec(a, x).tolist() == [float(n)] * m
            assert gp.linalg.matvec(a, y, transpose_a=True).tolist() == [float(m)] * n
            assert gp.linalg.outer(y, x).numpy().sum() == m * n


# ---------------------------------------------------------------- refusals


def ones(*shape: int, dtype: Any = np.float32) -> Any:
    return np.ones(shape, dtype)


@pytest.mark.parametrize(("call", "arguments", "message"), [
    ("dot", (ones(3), ones(4)), r"linalg.dot takes two arrays of one shape \(n,\), not \(3,\) and \(4,\)"),
    ("dot", (ones(3, 3), ones(3, 3)), r"not \(3, 3\) and \(3, 3\)"),
    ("dot", (ones(3), ones(3, dtype=np.float64)), "one dtype, not gpucore.f32 and gpucore.f64; convert one"),
    ("dot", (ones(3, dtype=np.int8), ones(3, dtype=np.int8)), "32 bits, .* not gpucore.i8; convert them with astype"),
    ("dot", (ones(3, dtype=bool), ones(3, dtype=bool)), "not gpucore.u8"),
    ("dot", (ones(3, dtype=complex), ones(3, dtype=complex)), "complex128"),
    ("dot", ([1.0], ones(1)), "linalg.dot takes NumPy arrays or device arrays, and x is list"),
    ("dot", (ones(1), None), "NoneType"),
    ("matvec", (ones(2, 3), ones(2)), r"linalg.matvec takes shapes \(m, n\) and \(n,\), not \(2, 3\) and \(2,\)"),
    ("matvec", (ones(3), ones(3)), r"not \(3,\) and \(3,\)"),
    ("matvec", (ones(2, 2, 2), ones(2)), r"not \(2, 2, 2\)"),
    ("matvec", (ones(2, 3), ones(3, 1)), r"\(3, 1\); gp.matmul multiplies matrices"),
    ("matvec", (ones(2, 3), ones(3, dtype=np.int32)), "one dtype"),
    ("outer", (ones(2, 3), ones(3)), r"linalg.outer takes shapes \(m,\) and \(n,\), not .*x.ravel\(\)"),
    ("outer", (ones(2, dtype=np.int16), ones(3, dtype=np.int16)), "not gpucore.i16"),
    ("norm", (ones(3, dtype=np.int32),), r"linalg.norm takes floats, .* gpucore.i32; .* x.astype\(gp.f32\)"),
    ("norm", (ones(3, dtype=bool),), "takes floats"),
    ("norm", (ones(2, 2), 2), r"ord=2 is for vectors, and this array has shape \(2, 2\); None is the Frobenius norm"),
    ("norm", (ones(2, 2), math.inf), "ord=inf is for vectors"),
    ("norm", (ones(3), "fro"), r"'fro' is for matrices, and this array has shape \(3,\); leave out ord"),
    ("norm", (ones(3), 3), "ord is None, 1, 2, inf or -inf for vectors, .* not 3"),
    ("norm", (ones(3), math.nan), "not nan"), ("norm", (ones(3), True), "not True"),
    ("norm", (ones(3), "nuc"), "'nuc'"),
    ("norm", ([1.0],), "list"),
])  # fmt: skip
def test_what_is_refused(call: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(gp.ArgumentError, match=message):
        getattr(gp.linalg, call)(*arguments, device=ON)


def test_transposed_shapes_and_flags_are_checked() -> None:
    with pytest.raises(gp.ArgumentError, match=r"\(m, n\) transposed and \(m,\), not \(2, 3\) and \(3,\)"):
        gp.linalg.matvec(ones(2, 3), ones(3), transpose_a=True, device=ON)
    with pytest.raises(gp.ArgumentError, match="transpose_a is True or False, not 'no'"):
        gp.linalg.matvec(ones(2, 2), ones(2), transpose_a="no", device=ON)  # type: ignore[call-overload]  # that is it


def test_arrays_of_vectors_and_mixtures_are_refused() -> None:
    vectors, host = gp.empty(3, gp.f32x4, device=ON), ones(3)
    with pytest.raises(gp.ArgumentError, match=r"not gpucore\.f32x4"):
        gp.linalg.dot(vectors, vectors)
    with pytest.raises(gp.ArgumentError, match=r"f32x4; x.view\(dtype\) is an array of their components"):
        gp.linalg.norm(vectors)
    with pytest.raises(gp.ArgumentError, match=r"y is ndarray; gp\.asarray makes a device array of one"):
        gp.linalg.dot(gp.ones(3, device=ON), host)  # type: ignore[call-overload]  # that is it


def test_arrays_that_cannot_take_the_result_are_refused() -> None:
    a, x, right = gp.ones((2, 3), device=ON), gp.ones(3, device=ON), gp.empty(2, device=ON)
    for _ in range(2):  # planned, then known
        for out, message in (
            (
                gp.empty(3, device=ON),
                r"out is gpucore.f32 of shape \(3,\), and the product is gpucore.f32 of shape \(2,\)",
            ),
            (gp.empty(2, gp.i32, device=ON), "out is gpucore.i32"),
            (ones(2), "linalg.matvec stores a product of device arrays in another one, not in ndarray"),
            (x[:2], "out is in the memory of an array that is read; give it memory of its own"),
        ):
            with pytest.raises(gp.ArgumentError, match=message):
                gp.linalg.matvec(a, x, out=out)
        assert gp.linalg.matvec(a, x, out=right) is right
    for given in (np.empty(2), np.empty(3, np.float32), right):
        with pytest.raises(gp.ArgumentError, match=r"out is|not in Array"):
            gp.linalg.matvec(ones(2, 3), ones(3), out=given, device=ON)  # type: ignore[call-overload]  # that is it
    fixed = np.empty((3, 3), np.float32)
    fixed.flags.writeable = False
    with pytest.raises(gp.ArgumentError, match="out is read-only"):
        gp.linalg.outer(ones(3), ones(3), out=fixed, device=ON)


def test_arrays_on_two_devices_are_refused(device: gp.Device) -> None:
    if device.backend.name == ON:
        pytest.skip("takes another device than the simulator")
    here, there = gp.ones(2, device=device), gp.ones(2, device=ON)
    with pytest.raises(gp.ArgumentError, match=r"move one with \.to"):
        gp.linalg.dot(here, there)
    with pytest.raises(gp.ArgumentError, match=r"move it with \.to"):
        gp.linalg.norm(there, device=device)
    with pytest.raises(gp.ArgumentError, match=r"and out is on simulator:0; move it with \.to"):
        gp.linalg.outer(here, here, out=gp.empty((2, 2), device=ON))


def test_warm_up_records_what_calls_replay(device: gp.Device) -> None:
    if device.backend.name == "opencl":
        pytest.skip("PoCL compiles for seconds")
    device.sequences.clear()
    warm_up(device)
    assert sum(bool(graph) for graph in device.sequences.values()) >= 4
