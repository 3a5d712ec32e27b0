"""Reductions against NumPy: whole arrays and axes, each method on each device, whichever is chosen there."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turns import Turns

import gpucore as gp
from gpucore.algorithms.shapes import SHAPES, ReduceShape, shapes_of
from gpucore.testing.checked_calls import checked_calls

GPU = ReduceShape(
    invocations=16, loads=2, rows_from=20, single=150, least=60, most=200, groups=4, columns=64, ordered=16, run=3
)
"""As the shape of GPUs, with small sizes."""
INTEGERS, FLOATS = ("i32", "u32", "u8", "i16"), ("f32",)
NAMES = ("sum", "prod", "min", "max", "mean", "any", "all", "count_nonzero", "argmin", "argmax")


def is_slow(device: gp.Device) -> bool:
    """Whether the device is PoCL, which compiles a kernel for seconds."""
    return device.backend.name == "opencl" and device.kind is gp.DeviceKind.SOFTWARE


@pytest.fixture(params=["own", "gpu"])
def method(request: pytest.FixtureRequest, device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> str:
    """The device's own shape, or that of GPUs, which on PoCL takes minutes to compile."""
    if request.param == "gpu":
        if is_slow(device):
            pytest.skip("PoCL compiles each of these for seconds")
        monkeypatch.setitem(SHAPES, device.kind, dataclasses.replace(shapes_of(device), reduce=GPU))
    return str(request.param)


def sample(dtype: str, shape: Any, seed: int = 0) -> Any:
    """Small numbers, of both signs where the dtype has them, with zeros."""
    element = getattr(gp, dtype).dtype
    low = 0 if element.kind == "u" else -20
    return np.random.default_rng(seed).integers(low, 20, shape).astype(element)


def expected(name: str, values: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """NumPy's result in the dtype of gpucore's."""
    options = {"axis": axis, "keepdims": keepdims}
    kind, wide = values.dtype.kind, values.dtype.itemsize >= 4
    own = values.dtype if wide else np.dtype(np.int32 if kind == "i" else np.uint32)
    if name in ("sum", "prod"):
        with np.errstate(over="ignore"):
            return np.asarray(getattr(np, name)(values, dtype=own, **options))
    if name == "mean":
        return np.asarray(np.mean(values, dtype=np.float64, **options)).astype(values.dtype if kind == "f" else "f4")
    found = np.asarray(getattr(np, name)(values, **options))
    of = {"any": np.uint32, "all": np.uint32, "count_nonzero": np.int32, "argmin": np.int32, "argmax": np.int32}
    return found.astype(of.get(name, found.dtype))


def assert_same(name: str, got: Any, wanted: Any) -> None:
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    if name == "mean" or (name == "prod" and wanted.dtype.kind == "f"):
        assert np.allclose(got, wanted, rtol=1e-5)
    else:
        assert np.array_equal(got, wanted, equal_nan=wanted.dtype.kind == "f"), name


def sizes_around(device: gp.Device) -> Iterator[int]:
    """Around where the method changes, with remainders of vectors and rounds."""
    shape = shapes_of(device).reduce
    largest = 700 if device.backend.name == "simulator" else 70_000
    turns = shape.groups * shape.invocations * shape.loads * shape.width  # from here on workgroups take turns
    ends = (shape.rows_from, shape.single, 2 * shape.most, turns)
    yield from (n for end in ends for n in (end - 1, end, end + 2, end + 97) if 0 < n < largest)
    yield from (n for n in (8 * shape.least + 1,) if n < largest)  # the last chunk has less than a vector
    yield 1


OF_DTYPE = {"i32": NAMES, "f32": ("sum", "min", "mean", "argmax"), "u8": ("sum", "max")}


@pytest.mark.parametrize("dtype", OF_DTYPE)
def test_whole_arrays(device: gp.Device, turns: Turns, method: str, dtype: str) -> None:
    """A software device has half of the names in i32: test_any_reductions has all in f32, on every device."""
    if dtype != "i32" and is_slow(device):
        pytest.skip("PoCL compiles each of these for seconds")
    names = OF_DTYPE[dtype] if method == "own" else tuple({"sum", "min", "argmax"} & set(OF_DTYPE[dtype]))
    if method == "own" and dtype == "i32":
        names = tuple(name for number, name in enumerate(names) if turns.has(number, 2))
    for n in sizes_around(device):
        values = sample(dtype, n, n)
        x = gp.asarray(values, device=device)
        for name in names:
            assert_same(name, getattr(gp, name)(x).numpy(), expected(name, values))


@pytest.mark.parametrize("shape", [(7, 130), (130, 7), (3, 50, 4), (2, 1, 170, 1), (1, 1)])
def test_axes(device: gp.Device, method: str, shape: tuple[int, ...]) -> None:
    values = sample("i32", shape)
    x = gp.asarray(values, device=device)
    rank = len(shape)
    for axis in (*range(-1, rank), (0, rank - 1), tuple(range(rank)), ()):
        if axis == (0, 0):
            continue
        for keepdims in (False, True):
            for name in ("sum", "max"):
                got = getattr(gp, name)(x, axis=axis, keepdims=keepdims).numpy()
                assert_same(name, got, expected(name, values, axis, keepdims))
            if not isinstance(axis, tuple):
                got = gp.argmin(x, axis, keepdims=keepdims).numpy()
                assert_same("argmin", got, expected("argmin", values, axis, keepdims))


SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan, 3e38, -3e38, 1e-45]


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.sampled_from(SPECIAL) | st.floats(width=32), min_size=1, max_size=90),
    name=st.sampled_from(["min", "max", "argmin", "argmax", "any", "all", "count_nonzero"]),
    backend=st.sampled_from(["cpu", "simulator"]),
)
def test_floats_of_any_kind(values: list[float], name: str, backend: str) -> None:
    host = np.array(values, np.float32)
    got = getattr(gp, name)(gp.asarray(host, device=backend)).numpy()
    assert_same(name, got, expected(name, host))


def test_the_first_nan_and_the_first_of_equal_elements_are_found(device: gp.Device, method: str) -> None:
    values = np.array([3.0, -0.0, 0.0, 5.0, 5.0, 1.0] * 40, np.float32)
    for place in (None, 201, 70):
        if place is not None:
            values[place] = np.nan if place == 201 else -np.nan
        x = gp.asarray(values, device=device)
        for name in ("argmin", "argmax", "min", "max"):
            assert_same(name, getattr(gp, name)(x).numpy(), expected(name, values))
    greatest = np.full(170, -1, np.int32)  # all keys are the last one
    assert gp.argmax(gp.asarray(greatest.view(np.uint32), device=device)).item() == 0


@pytest.mark.parametrize("dtype", ["f64", "i64", "u64", "f16"])
def test_dtypes_that_not_every_device_has(device: gp.Device, dtype: str) -> None:
    element = getattr(gp, dtype)
    values = (np.random.default_rng(3).integers(0, 90, (3, 50)) - (0 if dtype == "u64" else 40)).astype(element.dtype)
    x = gp.asarray(values, device=device)
    if not device.supports({"f64": "f64", "f16": "f16"}.get(dtype, "int64")):
        with pytest.raises(gp.CapabilityError, match=f"sum was given elements of type {dtype}"):
            gp.sum(x)
        return
    for name in ("sum", "argmin") if is_slow(device) else ("sum", "min", "argmax"):
        for axis in (None, 1):
            wanted = expected(name, values.astype("f8") if dtype == "f16" else values, axis)
            wanted = wanted.astype(values.dtype) if name in ("sum", "min", "max") else wanted
            assert_same(name, getattr(gp, name)(x, axis=axis).numpy(), wanted)


def test_a_sum_is_as_exact_as_it_says(device: gp.Device) -> None:
    if device.kind is gp.DeviceKind.SOFTWARE:
        pytest.skip("emulated")
    assert gp.sum(gp.ones(1 << 25, device=device)).item() == 1 << 25
    values = np.random.default_rng(2).random(1 << 20, np.float32)
    x, exact = gp.asarray(values, device=device), values.astype("f8").sum()
    assert abs(gp.sum(x).item() - exact) <= 2**-17 * exact
    assert abs(gp.sum(x, dtype=gp.f64).item() - exact) <= 1e-12 * exact
    assert len({gp.sum(x).numpy().tobytes() for _ in range(3)}) == 1


def test_dtype_is_what_is_added(device: gp.Device) -> None:
    values = np.array([200, 100, 255], np.uint8)
    x = gp.asarray(values, device=device)
    assert gp.sum(x, dtype=gp.f32).numpy() == np.float32(555) and gp.sum(x, dtype=gp.u8).item() == 555 % 256
    assert gp.mean(x, dtype=gp.f32).numpy() == np.float32(185) and gp.prod(x, dtype="i4").numpy() == np.int32(5_100_000)
    for call in (lambda: gp.mean(x, dtype=gp.i32), lambda: gp.sum(x, dtype=gp.f32x2), lambda: gp.sum(x, dtype=bool)):
        with pytest.raises(gp.ArgumentError, match="the dtype of a"):
            call()


def test_vectors_are_reduced_by_component(device: gp.Device) -> None:
    values = sample("f32", (2, 40, 3))
    x = gp.asarray(values, gp.f32x3, device=device)
    assert x.shape == (2, 40)
    assert np.array_equal(gp.sum(x).numpy(), values.sum((0, 1)))
    assert np.array_equal(gp.min(x, axis=1).numpy(), values.min(1))
    assert gp.sum(x, axis=0).dtype is gp.f32x3
    with pytest.raises(gp.ArgumentError, match="argmin compares numbers"):
        gp.argmin(x)
    with pytest.raises(gp.ArgumentError, match="which there are not"):
        gp.sum(x, dtype=gp.f64)


def test_arrays_without_elements() -> None:
    x = gp.empty((0, 3), device="cpu")
    for name in ("sum", "prod", "any", "all", "count_nonzero"):
        for axis in (None, 0, 1):
            assert_same(name, getattr(gp, name)(x, axis=axis).numpy(), expected(name, x.numpy(), axis))
    assert np.isnan(gp.mean(x, 0).numpy()).all() and gp.mean(x, 1).shape == (0,)
    assert gp.min(x, axis=1).shape == gp.argmax(x, 1).shape == (0,)
    for name in ("min", "max", "argmin", "argmax"):
        with pytest.raises(gp.ArgumentError, match=f"{name} of no elements has no value"):
            getattr(gp, name)(x)


def test_slices_and_transposes(device: gp.Device) -> None:
    values = sample("i32", 500)
    x = gp.asarray(values, device=device)
    for start in (1, 3, 4):
        assert gp.sum(x[start:]).item() == values[start:].sum()
        assert gp.argmax(x[start:491]).item() == values[start:491].argmax()


def last_odd(a, b):
    """b, unless only a is odd. Associative, not commutative, and without an identity among all numbers."""
    return a if a % 2 == 1 and b % 2 == 0 else b


def test_a_helper_gets_the_elements_in_order(device: gp.Device, method: str) -> None:
    for n in sizes_around(device):
        values = np.random.default_rng(n).integers(0, 100, n).astype("i4")
        values[n // 3 :] &= ~1
        odd = values[values % 2 == 1]
        wanted = odd[-1] if odd.size else values[-1]
        x = gp.asarray(values, device=device)
        assert gp.reduce(last_odd, x).item() == wanted
        assert gp.reduce(last_odd, x, 101).item() == (wanted if odd.size else 101)
    matrix = gp.asarray(sample("i32", (60, 4)) + 20, device=device)
    for axis in (0, 1):
        steps = np.moveaxis(matrix.numpy(), axis, 0)
        wanted = steps[0]
        for row in steps[1:]:
            wanted = np.where((wanted % 2 == 1) & (row % 2 == 0), wanted, row)
        assert np.array_equal(gp.reduce(last_odd, matrix, axis=axis).numpy(), wanted)


@gp.struct
class Affine:
    """The function x -> a * x + b, of numbers modulo 2**32."""

    a: gp.u32
    b: gp.u32


def then(first, second):
    """Associative, and not commutative."""
    return Affine(first.a * second.a, first.b * second.a + second.b)


@gp.struct
class Weighted:
    """A struct with a vector."""

    place: gp.f32x2
    weight: gp.f32


def heaviest(a, b):
    return Weighted(b.place * 1.0, b.weight) if b.weight > a.weight else Weighted(a.place * 1.0, a.weight)


def test_a_struct_with_a_vector_comes_first(device: gp.Device, method: str) -> None:
    values = np.zeros(70, Weighted.dtype)
    values["place"] = np.arange(140).reshape(70, 2)
    values["weight"] = np.arange(70) % 50
    x = gp.asarray(values, Weighted, device=device)
    for weight in (0.5, 100.0):
        first = Weighted((1.0, 2.0), weight)
        wanted = ([98.0, 99.0], 49.0) if weight < 49 else ([1.0, 2.0], weight)
        for got in (gp.reduce(heaviest, x, first).numpy()[()], gp.scan(heaviest, x, initial=first).numpy()[-1]):
            assert (got["place"].tolist(), got["weight"]) == wanted


def test_helpers_of_other_kinds(device: gp.Device) -> None:
    values = np.arange(1, 71, dtype=np.uint8)
    x = gp.asarray(values, device=device)
    assert gp.reduce(operator.add, x).numpy() == np.uint32(values.sum())
    assert gp.reduce(gp.max, x).item() == gp.reduce(max, x).item() == 70 and gp.reduce(operator.xor, x).item() == 71
    functions = gp.asarray([Affine(2 * k + 1, k) for k in range(70)], device=device)
    a, b = 1, 5
    for k in range(70):
        a, b = a * (2 * k + 1) % 2**32, (b * (2 * k + 1) + k) % 2**32
    assert gp.reduce(then, functions, Affine(1, 5)).numpy()[()].tolist() == (a, b)
    pairs = gp.asarray(np.arange(60, dtype="f4").reshape(30, 2), gp.f32x2, device=device)
    assert gp.reduce(operator.add, pairs, (1.0, 2.0)).numpy().tolist() == [871.0, 902.0]


def test_initials_that_are_printed_alike() -> None:
    """The launches of an earlier call are not taken for another value to begin with."""
    pairs, x = gp.zeros(40_000, gp.f32x2, device="cpu"), gp.zeros(40_000, device="cpu")
    with np.printoptions(precision=2):
        for initial in np.array([0.001, 0.001, 0.002, 0.003], np.float32):
            both = np.array([initial, 1], np.float32)
            assert np.array_equal(gp.reduce(operator.add, pairs, both).numpy(), both)
            assert np.array_equal(gp.scan(operator.add, pairs, initial=both).numpy()[-1], both)
            assert gp.reduce(operator.add, x, initial).numpy() == initial
            assert gp.scan(operator.add, x, initial=initial).numpy()[-1] == initial


def test_methods_and_numpys_functions(device: gp.Device) -> None:
    values = sample("f32", (4, 30))
    x = gp.asarray(values, device=device)
    for name in ("sum", "mean", "min", "max", "any", "all", "argmin", "argmax"):
        for axis in (None, 1) if device.backend.name == "cpu" else (1,):
            wanted = expected(name, values, axis)
            assert_same(name, getattr(x, name)(axis=axis).numpy(), wanted)
            assert_same(name, getattr(np, name)(x, axis=axis).numpy(), wanted)
    assert x.sum(axis=1, keepdims=True).shape == (4, 1) and x.sum().shape == ()
    with pytest.raises(gp.ArgumentError, match="makes a new array"):
        x.sum(out=np.empty(()))  # type: ignore[arg-type]


def test_numpy_arrays_give_numpys(device: gp.Device) -> None:
    values = sample("i32", (4, 30))
    total, rows = gp.sum(values, device=device), gp.max(values, axis=0, device=device)
    assert isinstance(total, np.int32) and total == values.sum()
    assert isinstance(rows, np.ndarray) and np.array_equal(rows, values.max(0))
    assert gp.count_nonzero(values > 3, device=device) == (values > 3).sum()
    assert gp.reduce(operator.add, values, device=device) == values.sum()


def test_min_and_max_of_pairs_are_still_those_of_pairs() -> None:
    x, y = gp.asarray([1.0, 5.0], gp.f32, device="cpu"), gp.asarray([4.0, 2.0], gp.f32, device="cpu")
    assert gp.min(x, y).numpy().tolist() == [1.0, 2.0] and gp.max(x, 3.0).numpy().tolist() == [3.0, 5.0]
    for call in (lambda: gp.min(1.0), lambda: gp.max(1.0, 2.0), lambda: gp.any(True), lambda: gp.all([1])):
        with pytest.raises(gp.KernelOnlyError, match="can only be used inside a kernel"):
            call()
    with pytest.raises(gp.ArgumentError, match=r"with axis=, gp.min takes one array, and 2 were given"):
        gp.min(x, y, axis=0)


class Unhashable:
    """A function in all but its hash."""

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, a: Any, b: Any) -> Any:
        return a


def test_errors() -> None:
    x = gp.ones((2, 3), device="cpu")
    for axis in (2, -3, 1.0, True, (0, 2)):
        with pytest.raises(gp.ArgumentError, match="an axis of this array is a whole number from -2 to 1"):
            gp.sum(x, axis)
    with pytest.raises(gp.ArgumentError, match="takes each axis once"):
        gp.sum(x, (0, 0, 1))
    with pytest.raises(gp.ArgumentError, match="sum takes NumPy arrays or device arrays, and x is list"):
        gp.sum([1, 2])
    with pytest.raises(gp.ArgumentError, match="takes arrays of numbers, and this one holds"):
        gp.sum(gp.zeros(3, Affine, device="cpu"))
    with pytest.raises(gp.ArgumentError, match="this is a lambda; define it with def"):
        gp.reduce(lambda a, b: a, x)
    for call in (gp.reduce, gp.scan):
        with pytest.raises(gp.ArgumentError, match=rf"{call.__name__} keeps what it compiles .* has none; define it"):
            call(Unhashable(), x)
    assert gp.sum(x, keepdims=[]).item() == 6.0  # type: ignore[arg-type]
    with pytest.raises(gp.ArgumentError, match="reduce of no elements needs initial"):
        gp.reduce(max, gp.empty(0, device="cpu"))
    with pytest.raises(gp.ArgumentError, match="it takes neighbouring axes"):
        gp.reduce(max, gp.ones((2, 3, 4), device="cpu"), axis=(0, 2))
    x.close()
    with pytest.raises(gp.ClosedError):
        gp.sum(x)


@pytest.mark.parametrize("shape", [ReduceShape(), GPU])
def test_the_checker_finds_nothing(monkeypatch: pytest.MonkeyPatch, shape: ReduceShape) -> None:
    device = gp.device("simulator")
    monkeypatch.setitem(SHAPES, device.kind, dataclasses.replace(shapes_of(device), reduce=shape))
    x = gp.asarray(sample("f32", (3, 205)), device=device)
    with checked_calls(schedules=2) as calls:
        for result in (gp.sum(x), gp.min(x, axis=1), gp.argmax(x), gp.sum(x, 0), gp.argmin(x, 1)):
            result.numpy()
        gp.reduce(last_odd, x.astype(gp.i32)).numpy()
    assert calls.checked >= 7 and not calls.reports, str(calls)
