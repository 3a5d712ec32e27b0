"""10^8 elements on GPUs, each whole result verified: `pytest tests/algorithms/test_hundred_million.py --run-large -rP`.

Two minutes for each GPU on a fast machine; 4 GB of the host's memory and 3 GB of the device's. Results are verified by
what makes them right, of which most is one pass over an array of the host. At the end are arrays of 2**31 - 1 bytes,
the longest ones, on GPUs and CPUs: with -k longest. Their sorts take 6 GB of the device.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from sort_order import Values

import gpucore as gp

pytestmark = pytest.mark.large

COUNT = 100_000_000
BLOCK = 1 << 22  # elements that the host compares at a time
LONGEST = 2**31 - 1


@pytest.fixture
def gpu(device: gp.Device) -> gp.Device:
    """A GPU with room for an array, what sorts it, and the results."""
    if device.kind is not gp.DeviceKind.GPU:
        pytest.skip(f"{device.id} is no GPU but {device.kind.value}")
    limits, nbytes = device.limits, 4 * COUNT
    if min(limits.max_buffer_size, limits.max_binding_size) < nbytes:
        pytest.skip(f"{device.id} has no memory for {nbytes} bytes in one array")
    held: list[gp.Array] = []
    try:
        held.extend(gp.empty(COUNT, gp.u32, device=device) for _ in range(7))
    except gp.OutOfMemoryError as error:
        pytest.skip(f"{device.id} has too little memory: {error}")
    finally:
        for array in held:
            array.close()
    return device


@contextmanager
def timed(device: gp.Device, what: str) -> Iterator[None]:
    device.synchronize()
    start = time.perf_counter()
    yield
    device.synchronize()
    print(f"{what} of {COUNT} on {device.id}: {time.perf_counter() - start:.4f} s, the first call")


def random_words(seed: int) -> Values:
    return np.random.default_rng(seed).integers(0, 1 << 32, COUNT, np.uint32)


def random_floats(seed: int) -> Values:
    """Any bits, and many NaN of both signs, infinities, zeros and subnormals."""
    words = random_words(seed)
    words[::1001] = np.resize(
        np.array([0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC00000, 1], "u4"), words[::1001].size
    )
    return words.view(np.float32)


def place_of(floats: Values) -> Values:
    """Where each float is in the order of gp.sort: negative ones by falling bits, positive ones, NaN of either sign."""
    bits = floats.view(np.uint32)
    return np.where(bits >> 31 == 1, ~bits, bits | np.uint32(1 << 31)) - np.uint32(0x007FFFFF)


def blocks() -> Iterator[slice]:
    return (slice(first, min(first + BLOCK, COUNT)) for first in range(0, COUNT, BLOCK))


def assert_equal(got: Values, want: Values) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    for part in (slice(first, first + BLOCK) for first in range(0, got.size, BLOCK)):
        assert np.array_equal(got[part].view(f"u{got.itemsize}"), want[part].view(f"u{want.itemsize}")), part


def assert_stable_order(order: Values, ranks: Values) -> None:
    """`order` is a permutation; the ranks at its places do not fall, and places rise where ranks are the same."""
    seen = np.zeros(COUNT, np.bool_)
    seen[order] = True
    assert seen.all()
    found = ranks[order]
    for part in blocks():
        own, places = (array[part.start : part.stop + 1] for array in (found, order))
        assert (own[1:] >= own[:-1]).all()
        assert (places[1:] > places[:-1])[own[1:] == own[:-1]].all()


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ["u32", "f32"])
def test_sort(gpu: gp.Device, dtype: str, descending: bool) -> None:
    values = random_words(1) if dtype == "u32" else random_floats(2)
    x = gp.asarray(values, device=gpu)
    with timed(gpu, f"sort {dtype}"):
        made = gp.sort(x, descending)
    want = values if dtype == "u32" else place_of(values)
    want.sort()
    if dtype == "f32":
        ordered = want + np.uint32(0x007FFFFF)
        want = np.where(ordered >> 31 == 1, ordered ^ np.uint32(1 << 31), ~ordered).view(np.float32)
    assert_equal(made.numpy(), want[::-1] if descending else want)


def test_argsort(gpu: gp.Device) -> None:
    values = random_floats(3)
    values[::3] = 1.0  # so that a stable order differs from others
    x = gp.asarray(values, device=gpu)
    with timed(gpu, "argsort f32"):
        made = gp.argsort(x)
    assert_stable_order(made.numpy(), place_of(values))


def test_sort_by_key(gpu: gp.Device) -> None:
    keys = random_words(4) >> 8  # each is there six times
    x, numbers = gp.asarray(keys, device=gpu), gp.arange(COUNT, dtype=gp.u32, device=gpu)
    with timed(gpu, "sort_by_key u32, u32"):
        made, moved = gp.sort_by_key(x, numbers)
    order = moved.numpy()
    assert_stable_order(order, keys)
    assert_equal(made.numpy(), keys[order])


def test_cumsum_and_sum(gpu: gp.Device) -> None:
    values = random_words(5)
    x = gp.asarray(values, device=gpu)
    with timed(gpu, "cumsum u32"):
        made = gp.cumsum(x)
    with timed(gpu, "sum u32"):
        total = gp.sum(x)
    want = values.cumsum(dtype=np.uint32)
    assert_equal(made.numpy(), want)
    assert total.numpy() == want[-1]
    floats = np.random.default_rng(6).random(COUNT, np.float32)
    y = gp.asarray(floats, device=gpu)
    with timed(gpu, "sum f32"):
        found = gp.sum(y)
    exact = floats.sum(dtype=np.float64)
    assert abs(float(found) - exact) <= 2**-15 * exact
    assert found.numpy() == gp.sum(y).numpy()


def test_the_least_and_its_place(gpu: gp.Device) -> None:
    values = np.random.default_rng(7).standard_normal(COUNT, np.float32)
    values[[COUNT - 3, 70_000_001]] = -100.0
    x = gp.asarray(values, device=gpu)
    with timed(gpu, "min f32"):
        least = gp.min(x)
    with timed(gpu, "argmin f32"):
        place = gp.argmin(x)
    assert least.numpy() == np.float32(-100.0) and place.item() == 70_000_001
    x[50_000_000] = float("nan")
    assert np.isnan(gp.min(x).numpy()) and gp.argmin(x).item() == 50_000_000


def test_histogram(gpu: gp.Device) -> None:
    values = np.random.default_rng(8).standard_normal(COUNT, np.float32)
    x = gp.asarray(values, device=gpu)
    with timed(gpu, "histogram f32"):
        counts, edges = gp.histogram(x, 1000, (-3, 4))
    values.sort()
    ends: Any = np.searchsorted(values, edges)
    ends[-1] = np.searchsorted(values, edges[-1], "right")
    assert_equal(counts.numpy(), np.diff(ends).astype(np.int32))


def test_compact(gpu: gp.Device) -> None:
    values = random_words(9)
    x = gp.asarray(values, device=gpu)
    with timed(gpu, "compact u32"):
        made = gp.compact(x, x > 1 << 30)
    assert_equal(made.numpy(), values[values > 1 << 30])


@pytest.fixture
def longest(device: gp.Device) -> Iterator[gp.Array]:
    """The longest array: bytes of 7, with 1000 nines at the beginning and 5 ones at the end."""
    if device.kind not in (gp.DeviceKind.GPU, gp.DeviceKind.CPU):
        pytest.skip(f"{device.id} takes hours")
    if min(device.limits.max_buffer_size, device.limits.max_binding_size) < LONGEST:
        pytest.skip(f"{device.id} has no memory for {LONGEST} bytes in one array")
    with gp.full(LONGEST, 7, gp.u8, device=device) as x:
        x[:1000].fill(9)
        x[LONGEST - 5 :].fill(1)
        yield x


def test_reductions_of_the_longest_array(longest: gp.Array) -> None:
    assert gp.min(longest).item() == 1 and gp.reduce(gp.min, longest).item() == 1
    assert gp.argmin(longest).item() == LONGEST - 5
    assert gp.sum(longest).item() == (7 * LONGEST + 2 * 1000 - 6 * 5) % 2**32
    assert gp.count_nonzero(longest).item() == LONGEST
    longest[LONGEST - 1] = 10
    assert gp.max(longest).item() == 10 and gp.reduce(gp.max, longest).item() == 10
    assert gp.argmax(longest).item() == LONGEST - 1
    assert gp.bincount(longest).tolist() == [0, 4, 0, 0, 0, 0, 0, LONGEST - 1005, 0, 1000, 1]
    values, places = gp.topk(longest, 3)
    assert values.tolist() == [10, 9, 9] and places.tolist() == [LONGEST - 1, 0, 1]


@pytest.mark.parametrize("variant", [None, "reduce_then_scan", "columns", "bitonic"])
def test_sorts_of_the_longest_array(longest: gp.Array, variant: str | None) -> None:
    if variant == "bitonic" and longest.device.kind is gp.DeviceKind.CPU:
        pytest.skip("the network takes an hour on CPUs")
    try:
        made = gp.sort(longest, variant=variant)
    except gp.OutOfMemoryError as error:
        pytest.skip(f"{longest.device.id} has too little memory: {error}")
    assert made[:5].tolist() == [1] * 5 and made[LONGEST - 1000 :].tolist() == [9] * 1000
    for first in range(5, LONGEST - 1000, 16 * BLOCK):
        assert (made[first : min(first + 16 * BLOCK, LONGEST - 1000)].numpy() == 7).all()
