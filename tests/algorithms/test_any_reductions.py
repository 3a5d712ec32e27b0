"""Reductions, scans, segments, counts and choices of any values, on every device, around each size where a path begins.

Whole outputs against NumPy: integers and what is promised of NaN and zeros exactly, sums of floats within the bounds of
their docstrings; and the same bits in every run.
"""

from __future__ import annotations

import operator
from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np
import pytest
from drawn import COUNTING, REDUCE, SCAN, changed, few, kinds, numbers_of, seeds, values_of, without_subnormals
from hypothesis import given
from hypothesis import strategies as st
from sort_order import DTYPES, Values, bits_of, in_order, is_supported, numpy_dtype

import gpucore as gp
from gpucore.algorithms.shapes import ReduceShape, ScanShape, shapes_of

SIZES = (1, 19, 20, 21, 80, 81, 149, 150, 151, 199, 203, 400, 401, 403)
"""Around rows, workgroups with a chunk each, and chunks with a rest of a vector."""
AXES = (None, 0, 1, 2, -1, (0, 2), (1, 2), ())


@pytest.fixture(params=["own", "gpu"], autouse=True)
def shape(request: pytest.FixtureRequest, device: gp.Device) -> Any:
    """The device's own shapes, or small ones as those of GPUs, which software drivers take minutes to compile."""
    own = shapes_of(device)
    if request.param == "own":
        with np.errstate(all="ignore"):  # NumPy's own arithmetic on NaN
            yield request.param
        return
    if device.backend.name in ("opencl", "wgpu") and device.kind is gp.DeviceKind.SOFTWARE:
        pytest.skip(f"{device.id} takes minutes to compile these; test_reductions and test_scans have a part of them")
    with changed(device, sort=own.sort, reduce=REDUCE, scan=SCAN, counting=COUNTING), np.errstate(all="ignore"):
        yield request.param


def chosen(device: gp.Device, shape: str) -> list[str]:
    """The dtypes that are tried: all on the simulator, few where a compiler takes long."""
    if device.backend.name == "simulator":
        names = DTYPES if shape == "gpu" else ("i32", "f64")
    else:
        names = ("f32",)
    return [name for name in names if is_supported(device, name)]


def repeated(call: Any, *args: Any, **options: Any) -> Any:
    """The result, which has the same bits in every run: in three, as several launches are recorded at the second."""
    array = next(arg for arg in args if isinstance(arg, gp.Array))
    is_one_launch = array.device.backend.name == "simulator" and array.size < 150
    results = [call(*args, **options).numpy() for _ in range(1 if is_one_launch else 3)]
    assert len({result.tobytes() for result in results}) == 1
    return results[0]


def accumulator(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype if dtype.itemsize >= 4 or dtype.kind == "f" else np.dtype(f"{dtype.kind}4")


def assert_close(got: Values, exact: Values, error: Values, dtype: np.dtype[Any]) -> None:
    """Within an error, which is that of f32 for f16 and relative to f64's for f64, and that of one rounding."""
    wanted = exact.astype(dtype)
    info = np.finfo(dtype)
    bound = error * (2.0**-29 if dtype == np.float64 else 1.0) + np.abs(exact) * float(info.eps) + 2 * float(info.tiny)
    is_same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    assert (is_same | (np.abs(got.astype("f8") - exact) <= bound)).all()


def check_extremes(x: gp.Array, values: Values, axis: Any) -> None:
    """Of every kind of values: the number itself, of zeros the right one, and NaN if there is one."""
    is_float = values.dtype.kind == "f"
    for name in ("min", "max"):
        wanted = getattr(np, name)(values, axis=axis)
        got = repeated(getattr(gp, name), x, axis=axis)
        assert got.shape == wanted.shape and got.dtype == values.dtype
        assert np.array_equal(got, wanted, equal_nan=is_float)
        if axis is None and not (is_float and np.isnan(wanted)):
            assert bits_of(got) == bits_of(in_order(values.ravel(), False)[:: 1 if name == "min" else -1])[0]
    plain = without_subnormals(values)
    y = gp.asarray(plain, device=x.device)
    for name in (("any", "all", "count_nonzero")[values.size % 3],):  # in turn
        got = repeated(getattr(gp, name), y, axis=axis)
        assert np.array_equal(got, getattr(np, name)(plain, axis=axis)) and got.dtype.itemsize == 4


def check_places(x: gp.Array, values: Values, axis: Any) -> None:
    for name in ("argmin", "argmax"):
        got = repeated(getattr(gp, name), x, axis=axis)
        assert np.array_equal(got, getattr(np, name)(values, axis=axis)) and got.dtype == np.int32


def check_sums(x: gp.Array, values: Values, axis: Any) -> None:
    wide, is_float = accumulator(values.dtype), values.dtype.kind == "f"
    total, product = repeated(gp.sum, x, axis=axis), repeated(gp.prod, x, axis=axis)
    mean = repeated(gp.mean, x, axis=axis)
    assert mean.dtype == (values.dtype if is_float else np.float32) and total.dtype == product.dtype == wide
    if not is_float:
        assert np.array_equal(total, values.sum(axis=axis, dtype=wide))
        assert np.array_equal(product, values.prod(axis=axis, dtype=wide))
    parts = values.astype("f8")
    exact, spread = np.asarray(parts.sum(axis=axis)), np.asarray(np.abs(parts).sum(axis=axis))
    count = max(1, values.size // max(1, exact.size))
    if is_float:
        assert_close(total, exact, spread * 2.0**-17, values.dtype)
        factors = np.asarray(parts.prod(axis=axis))
        assert_close(product, factors, np.abs(factors) * count * 2.0**-23, values.dtype)
    assert_close(mean, exact / count, spread / count * 2.0**-17, mean.dtype)


@pytest.mark.parametrize("name", ["extremes", "places", "sums"])
def test_reductions(device: gp.Device, shape: str, name: str) -> None:
    """Every dtype, of which an example has one size in five: the next dtype has others."""

    @few(1 if len(chosen(device, shape)) > 5 else 2)
    @given(kind=kinds, seed=seeds)
    def run(kind: str, seed: int) -> None:
        for number, dtype in enumerate(chosen(device, shape)):
            for n in SIZES[(seed + number) % 5 :: 5]:
                if name == "sums":
                    values = numbers_of(dtype, n, seed)
                    if numpy_dtype(dtype).kind == "f" and seed % 2:  # products that stay in range
                        values = np.clip(np.abs(values), 0.75, 1.25).astype(values.dtype)
                else:
                    values = values_of(dtype, n, kind, seed)
                x = gp.asarray(values, device=device)
                {"extremes": check_extremes, "places": check_places, "sums": check_sums}[name](x, values, None)

    run()


@few(12)
@given(axis=st.sampled_from(AXES), of=st.sampled_from([(3, 4, 5), (2, 90, 3), (1, 3, 170), (70, 1, 2), (2, 3, 25)]),
       kind=kinds, seed=seeds, keepdims=st.booleans(), dtype=st.sampled_from(["f32", "i64", "u8"]))  # fmt: skip
def test_axes(
    device: gp.Device, shape: str, axis: Any, of: tuple[int, ...], kind: str, seed: int, keepdims: bool, dtype: str
) -> None:
    if device.backend.name in ("opencl", "wgpu"):
        return  # test_reductions.py has axes there
    dtype = dtype if device.backend.name == "simulator" else "f32"
    values = values_of(dtype, int(np.prod(of)), kind, seed).reshape(of)
    numbers = numbers_of(dtype, of, seed)
    x, y = gp.asarray(values, device=device), gp.asarray(numbers, device=device)
    check_sums(y, numbers, axis)
    got = repeated(gp.max, x, axis=axis, keepdims=keepdims)
    wanted = np.max(values, axis=axis, keepdims=keepdims)
    assert got.shape == wanted.shape and np.array_equal(got, wanted, equal_nan=dtype == "f32")
    if not isinstance(axis, tuple):
        check_places(x, values, axis)
        line = axis if axis is not None else 0
        check_scans(y, numbers, axis, line)


def check_scans(x: gp.Array, values: Values, axis: Any, line: int) -> None:
    """Sums and products up to each element; and the greatest up to it, which is exact for all."""
    wide, is_float = accumulator(values.dtype), values.dtype.kind == "f"
    lines = values.ravel() if axis is None else values
    sums, greatest = repeated(gp.cumsum, x, axis=axis), repeated(gp.scan, gp.max, x, axis=axis)
    assert sums.dtype == wide and sums.shape == lines.shape
    assert np.array_equal(greatest, np.maximum.accumulate(lines, axis=line))
    if is_float:
        parts = lines.astype("f8")
        spread = np.abs(parts).cumsum(axis=line)
        assert_close(sums, parts.cumsum(axis=line), spread * lines.shape[line] * 2.0**-24, values.dtype)
    else:
        ahead = lines.cumsum(axis=line, dtype=wide)
        assert np.array_equal(sums, ahead)
        got = repeated(gp.scan, operator.add, x, axis=axis, exclusive=True, initial=5)
        assert np.array_equal(got, ahead - lines.astype(wide) + wide.type(5))
        assert np.array_equal(repeated(gp.cumprod, x, axis=axis), lines.cumprod(axis=line, dtype=wide))


@few(2)
@given(seed=seeds)
def test_scans(device: gp.Device, shape: str, seed: int) -> None:
    """Of whole arrays: rows of one tile, of several, and in chunks."""
    for dtype in chosen(device, shape)[seed % 2 :: 2]:
        for n in (1, 19, 20, 95, 96, 97, 199, 200, 201, 288, 289)[seed % 5 :: 5]:
            values = numbers_of(dtype, n, seed)
            check_scans(gp.asarray(values, device=device), values, None, 0)


@few(12)
@given(n=st.sampled_from([4, 5, 7, 255, 256, 257, 511, 514, 1027, 3001]), seed=seeds, exclusive=st.booleans(),
       progress=st.booleans())  # fmt: skip
def test_sums_in_one_pass(device: gp.Device, shape: str, n: int, seed: int, exclusive: bool, progress: bool) -> None:
    """By look-back, around tiles and vectors."""
    if shape == "own" or not device.supports(gp.Capability.SUBGROUP):
        pytest.skip(f"{device.id} has no subgroups, or this is test_scans")
    look_back = ScanShape(
        look_back_from=4, look_back=(64, 1), look_back_with_fallback=(64, 1), patience=3 if progress else 1
    )
    values = values_of("u32" if seed % 2 else "i32", n, "any bits", seed)
    with changed(device, scan=look_back):
        got = repeated(gp.scan, operator.add, gp.asarray(values, device=device), exclusive=exclusive, initial=0)
    sums = values.cumsum(dtype=values.dtype)
    assert np.array_equal(got, sums - values if exclusive else sums)


@few(15)
@given(lengths=st.lists(st.sampled_from([0, 1, 2, 7, 33, 97, 200]), max_size=7), seed=seeds, initial=st.booleans())
def test_segments(device: gp.Device, shape: str, lengths: list[int], seed: int, initial: bool) -> None:
    if device.backend.name in ("opencl", "wgpu") and seed % 3:
        return
    offsets = np.cumsum([0, *lengths]).astype(np.int32 if seed % 2 or device.backend.name != "simulator" else np.uint32)
    values = values_of("i32", int(offsets[-1]), "any bits", seed)
    x, edges = gp.asarray(values, device=device), gp.asarray(offsets, device=device)
    first = 7 if initial else 0
    parts = np.split(values, offsets[1:-1].astype(int)) if lengths else []
    got = repeated(gp.segmented_reduce, operator.add, x, edges, first if initial else None)
    sums = [part.sum(dtype=np.int32) + np.int32(first) for part in parts]
    assert got.dtype == np.int32 and np.array_equal(got, np.array(sums, np.int32))
    scanned = [part.cumsum(dtype=np.int32) + np.int32(first) for part in parts]
    got = repeated(gp.segmented_scan, operator.add, x, edges, initial=first if initial else None)
    assert np.array_equal(got, np.concatenate([np.empty(0, np.int32), *scanned]))


def counted(values: Values, edges: Values) -> list[int]:
    """How many values are in each bin, by comparisons of Python's numbers, which are exact."""
    ends = edges.tolist()
    ordered = sorted(value for value in values.tolist() if value == value)
    places = [bisect_left(ordered, end) for end in ends[:-1]]
    return np.diff([*places, bisect_right(ordered, ends[-1])]).tolist()


@few(6)
@given(bins=st.sampled_from([1, 2, 10, 255, 256, 257, 1025, 4097]), kind=kinds, seed=seeds,
       ends=st.sampled_from([(0, 1), (-3, 200), (0.5, 255.5), (-1e10, 1e10), (100, 100)]))  # fmt: skip
def test_counts(device: gp.Device, shape: str, bins: int, kind: str, seed: int, ends: tuple[float, float]) -> None:
    """gp.histogram and gp.bincount, in workgroup memory and beyond."""
    names = (
        ("f32", "i32", "u8", "u64", "f64") if device.backend.name == "simulator" and shape == "gpu" else ("f32", "u8")
    )
    for dtype in names[: 1 if device.backend.name in ("opencl", "wgpu") else None]:
        for n in (1, 101, 401)[seed % 2 :]:
            values = without_subnormals(values_of(dtype, n, kind, seed))
            counts, edges = gp.histogram(gp.asarray(values, device=device), bins, ends)
            assert counts.numpy().tolist() == counted(values, edges)
    values = values_of("u8", 300, kind, seed)
    x = gp.asarray(values, device=device)
    assert np.array_equal(repeated(gp.bincount, x, bins), np.bincount(values, minlength=bins))


@few(10)
@given(n=st.sampled_from([1, 95, 96, 97, 99, 101, 401]), kind=kinds, of=kinds, seed=seeds,
       chosen_by=st.sampled_from(DTYPES))  # fmt: skip
def test_choices(device: gp.Device, shape: str, n: int, kind: str, of: str, seed: int, chosen_by: str) -> None:
    """gp.compact and gp.nonzero, by masks of any dtype."""
    chosen_by = chosen_by if device.backend.name == "simulator" else "f32"
    values, mask = values_of("f32", n, kind, seed), values_of(chosen_by, n, of, seed + 1)
    mask = without_subnormals(mask)
    x, y = gp.asarray(values, device=device), gp.asarray(mask, device=device)
    assert np.array_equal(bits_of(repeated(gp.compact, x, y)), bits_of(values[mask != 0]))
    (places,) = gp.nonzero(y)
    assert np.array_equal(places.numpy(), np.flatnonzero(mask))
    if n % 3 == 0:
        found = gp.nonzero(y.reshape(3, n // 3))
        assert all(np.array_equal(a.numpy(), b) for a, b in zip(found, np.nonzero(mask.reshape(3, -1)), strict=True))


def test_small_arrays_have_one_reduction(device: gp.Device, shape: str) -> None:
    """Of a workgroup of one row, whatever its length: the table begins rows with one element."""
    if device.backend.name != "simulator":
        pytest.skip("the simulator has it")
    with changed(device, reduce=ReduceShape(invocations=32, loads=2, rows_from=1, single=8, least=4, most=8, groups=3)):
        for n in range(1, 14):
            values = values_of("f32", n, "edges", n)
            x = gp.asarray(values, device=device)
            check_extremes(x, values, None)
            check_places(x, values, None)
