"""Sorting, searching and merging any values, by every method on every device, around each size where a path begins.

Whole outputs, bit for bit; permutations are those of a stable sort; every call is made several times, as launches are
recorded at the second and replayed from then on. The table of shapes is overwritten, so that small arrays reach all
paths.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drawn import CAPACITIES, KINDS, MERGE, SELECT, SORT, changed, few, kinds, ranks, seeds, values_of
from hypothesis import given
from hypothesis import strategies as st
from sort_order import DTYPES, Values, assert_sorted, bits_of, in_order, is_supported

import gpucore as gp
from gpucore.algorithms.sort import methods, queue_few

EDGES = {
    "count": (32, 64, 16 * 5),  # the capacities, and blocks that are merged
    "radix": (40, 2 * 25, 3 * 25, 120),  # by chunks, of which there are two and three; with prefetches
    "bitonic": (8, 64),
    "columns": (128, 256),  # tiles
    "onesweep": (64, 150, 2 * 128),  # tiles; larger ones for more keys
    "reduce_then_scan": (128, 150, 300, 3 * 256),  # likewise; chunks of several tiles
}
SLOW = ("columns", "reduce_then_scan")
"""For PoCL's compiler, and the first on the simulator, where 256 workgroups sum up counts."""
COMPILED = {
    ("cpu", "columns"): (True, "p"), ("cpu", "onesweep"): (False, "v"), ("cpu", "reduce_then_scan"): (True, "k"),
    ("opencl", "radix"): (False, "p"),
}  # fmt: skip
"""Where compilers take seconds for each: the order and the calls that are tried; other tests have the rest."""


@pytest.fixture(autouse=True)
def small(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Rows that are counted in workgroup memory are short."""
    monkeypatch.setattr(queue_few, "CAPACITIES", CAPACITIES)
    is_quick = device.backend.name in ("cpu", "simulator")
    with changed(device, sort=SORT, **({"select": SELECT, "merge": MERGE} if is_quick else {})):
        yield


def around(variant: str) -> list[int]:
    """Each size where a path begins, and its neighbours."""
    return sorted({1, 2, *(edge + beside for edge in EDGES[variant] for beside in (-1, 0, 1))})


def dtypes(device: gp.Device, variant: str) -> tuple[str, ...]:
    """The simulator has all; a compiler has few, where the kernels are large."""
    if device.backend.name == "simulator":
        of = {"count": DTYPES, "radix": DTYPES[2::2], "bitonic": ("f32", "f16", "u8", "i64"), "onesweep": ("f32", "u8")}
        of["reduce_then_scan"] = ("u8",)
        return of.get(variant, ("f32",))
    return ("f32",)


def refuse(device: gp.Device, variant: str) -> None:
    if variant in SLOW and device.backend.name in ("opencl", "wgpu"):
        pytest.skip(f"{device.id} takes many seconds to compile them; test_sort_digits and the golden texts have them")
    if device.backend.name == "opencl" and variant in ("count", "bitonic"):
        pytest.skip("PoCL takes seconds to compile each of these; test_sort_values has them")
    x = gp.empty(200, device=device)
    if not methods.METHODS[variant].fits(x, SORT, False):
        pytest.skip(f"{device.id} cannot run {variant}")


def in_stable_order(values: Values, descending: bool) -> Values:
    places = ranks(values)[0]
    return np.argsort(-places if descending else places, kind="stable")


def check(device: gp.Device, values: Values, descending: bool, variant: str | None, calls: str) -> None:
    """Keys alone, the permutation, and values that are the keys themselves: `calls` names them by their letters."""
    x = gp.asarray(values, device=device)
    if "k" in calls:
        assert_sorted(gp.sort(x, descending, variant=variant).numpy(), values, descending)
    if "p" in calls:
        order = in_stable_order(values, descending)
        assert np.array_equal(gp.argsort(x, descending, variant=variant).numpy(), order)
    if "v" in calls:
        order = in_stable_order(values, descending)
        keys, moved = gp.sort_by_key(x, x, descending=descending, variant=variant)
        assert_sorted(keys.numpy(), values, descending)
        assert np.array_equal(bits_of(moved.numpy()), bits_of(values[order]))


@pytest.mark.parametrize("variant", EDGES)
def test_each_method(device: gp.Device, variant: str) -> None:
    refuse(device, variant)
    is_simulator, only = device.backend.name == "simulator", COMPILED.get((device.backend.name, variant))
    edges = around(variant)

    @few(1 if only or (is_simulator and variant == "columns") else 2 if is_simulator else 8)
    @given(kind=kinds, seed=seeds, descending=st.booleans())
    def run(kind: str, seed: int, descending: bool) -> None:
        for number, dtype in enumerate(filter(partial(is_supported, device), dtypes(device, variant))):
            sizes, calls = edges, "k" if variant == "bitonic" else "kpv"
            if is_simulator:  # in turn
                sizes, calls = edges[(number + seed) % 3 :: 3], calls[(number + seed) % len(calls)]
            if is_simulator and variant == "columns":
                sizes, calls = edges[-1:], "p"
            elif not only:
                calls = calls[:1] if descending else calls[1:] or calls  # few kernels
            if only:
                sizes, (descending, calls) = [n for n in edges if n < 200], only
            for n in sizes:
                check(device, values_of(dtype, n, kind, seed), descending, variant, calls)

    run()


def test_the_chosen_method(device: gp.Device) -> None:
    """Around the sizes of the table: counted, the network, by digits; as on GPUs."""
    if device.backend.name in ("opencl", "wgpu"):
        pytest.skip("test_each_method has the kernels")
    for n in (139, 140, 141, 149, 150, 151):
        if device.backend.name == "cpu" or n < 150:
            for kind in KINDS:
                check(device, values_of("f32", n, kind, n), True, None, "k")


@few(25)
@given(
    shape=st.sampled_from([(3, 5), (4, 6), (2, 31), (3, 32), (3, 33), (2, 44), (2, 45), (3, 46), (1, 40), (2, 4, 3)]),
    dtype=st.sampled_from(["f32", "u16", "i64"]),
    kind=kinds,
    seed=seeds,
    descending=st.booleans(),
    axis=st.sampled_from([None, -1, 0, 1]),
)
def test_rows(
    device: gp.Device, shape: tuple[int, ...], dtype: str, kind: str, seed: int, descending: bool, axis: int | None
) -> None:
    """Rows counted in place and in workgroup memory, one by one, and by two sorts; other axes; `out`, the array too."""
    if device.backend.name in ("opencl", "wgpu"):
        return  # test_sort_rows_and_values has the kernels
    if device.backend.name == "simulator" and (seed % 3 or max(shape) > 33):
        return
    if device.backend.name == "cpu":
        dtype = "f32"
    values = values_of(dtype, int(np.prod(shape)), kind, seed).reshape(shape)
    x = gp.asarray(values, device=device)
    lines = values.ravel() if axis is None else values
    at = 0 if axis is None else axis
    want = np.apply_along_axis(in_order, at, lines, descending)
    got = gp.sort(x, descending, axis=axis)
    assert got.shape == want.shape and np.array_equal(bits_of(got.numpy()), bits_of(want))
    order = np.apply_along_axis(in_stable_order, at, lines, descending)
    assert np.array_equal(gp.argsort(x, descending, axis=axis).numpy(), order)
    if axis is not None:
        assert gp.sort(x, descending, axis=axis, out=x) is x
        assert np.array_equal(bits_of(x.numpy()), bits_of(want))


@few(25)
@given(lengths=st.lists(st.sampled_from([0, 1, 2, 5, 6, 7, 30]), max_size=8), kind=kinds, seed=seeds,
       ends=st.tuples(st.integers(0, 3), st.integers(0, 3)), descending=st.booleans())  # fmt: skip
def test_segments(
    device: gp.Device, lengths: list[int], kind: str, seed: int, ends: tuple[int, int], descending: bool
) -> None:
    """In place and by two sorts; elements before the first and behind the last segment stay."""
    if device.backend.name in ("opencl", "wgpu") or (device.backend.name == "simulator" and seed % 3):
        return  # test_sort_rows_and_values has the kernels
    offsets = ends[0] + np.cumsum([0, *lengths])
    values = values_of("f32", int(offsets[-1]) + ends[1], kind, seed)
    want = values.copy()
    for first, stop in pairwise(offsets):
        want[first:stop] = in_order(values[first:stop], descending)
    got = gp.segmented_sort(gp.asarray(values, device=device), offsets, descending)
    assert np.array_equal(bits_of(got.numpy()), bits_of(want))


@pytest.mark.parametrize("dtype", DTYPES)
def test_sorted_arrays(device: gp.Device, dtype: str) -> None:
    """gp.searchsorted, gp.merge and gp.topk."""
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} lacks {dtype}; test_sort_values checks the refusal")
    if dtype != "f32" and device.backend.name in ("opencl", "wgpu"):
        pytest.skip("compiled for other dtypes on other devices")
    if dtype not in ("f32", "i64") and device.backend.name == "cpu":
        pytest.skip("the simulator has all dtypes")

    @few(12 if device.backend.name in ("simulator", "cpu") else 5)
    @given(n=st.integers(0, 90), m=st.integers(0, 60), kind=kinds, seed=seeds, flag=st.booleans())
    def run(n: int, m: int, kind: str, seed: int, flag: bool) -> None:
        a, b = in_order(values_of(dtype, n, kind, seed), False), values_of(dtype, m, "edges", seed)
        x, y = gp.asarray(a, device=device), gp.asarray(b, device=device)
        left, right = ranks(a, b)
        side = "right" if flag else "left"
        assert np.array_equal(gp.searchsorted(x, y, side).numpy(), np.searchsorted(left, right, side))
        merged = gp.merge(x, gp.sort(y))
        assert_sorted(merged.numpy(), np.concatenate([a, b]), False)
        k = min(m, seed % 7)
        greatest, indices = gp.topk(y, k, largest=flag)
        order = np.argsort(-right if flag else right, kind="stable")[:k]
        assert np.array_equal(indices.numpy(), order) and np.array_equal(bits_of(greatest.numpy()), bits_of(b[order]))

    run()


@few(10)
@given(n=st.integers(1, 130), at=st.integers(0, 5), shift=st.integers(-140, 140), seed=seeds, by=st.booleans())
def test_parts_of_one_array(device: gp.Device, n: int, at: int, shift: int, seed: int, by: bool) -> None:
    """A slice is sorted into another slice of its array, which it may overlap, at any offset."""
    if device.backend.name == "opencl" or (device.backend.name != "cpu" and seed % 4):
        return  # one compiler and the simulator are enough for what is decided on the host
    first = at + max(0, -shift)
    values = values_of("u8", first + n + abs(shift) + 3, "any bits", seed)
    x = gp.asarray(values, device=device)
    source, goal = slice(first, first + n), slice(first + shift, first + shift + n)
    want = values.copy()
    want[goal] = np.sort(values[source])
    if by:
        gp.sort_by_key(x[source], x[source], out=(x[source].copy(), x[goal]))
    else:
        gp.sort(x[source], out=x[goal])
    assert np.array_equal(x.numpy(), want)
