"""What gp.sort does besides sorting: transfers, dispatches, kinds of arrays, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from driver_traffic import Traffic
from sort_order import any_bits, assert_sorted, bits_of, in_order

import gpucore as gp
from gpucore.algorithms.sort import methods

Watch = Callable[[gp.Device], Traffic]
F32 = np.dtype(np.float32)
MOST_DISPATCHES = {"bitonic": 28, "radix": 6, "columns": 16, "onesweep": 6, "reduce_then_scan": 12}
"""For 2**20 keys. The network: one for the tiles; for each of nine merges, one for three levels beyond a tile, and one
within. Radix: two for each digit of 11 bits. Columns: four for each of 8 bits. Onesweep: one
for each, after two that count all; reduce, then scan: three for each."""


def test_a_numpy_array_is_uploaded_once_and_downloaded_once(device: gp.Device, watch: Watch) -> None:
    for n in (1, 100, 5000) if device.backend.name != "simulator" else (1, 100):
        values = any_bits(F32, n)
        traffic = watch(device)
        got = gp.sort(values, device=device)
        assert (traffic.uploads, traffic.downloads) == (1, 1)
        assert_sorted(got, values, False)


def test_a_device_array_stays_on_its_device(device: gp.Device, watch: Watch) -> None:
    values = any_bits(F32, 3000)
    array = gp.asarray(values, device=device)
    traffic = watch(device)
    got = gp.sort(array)
    assert (traffic.uploads, traffic.downloads) == (0, 0)
    assert isinstance(got, gp.Array)
    assert got.device is device and got.dtype is gp.f32 and got.shape == (3000,)
    assert got.storage is not array.storage
    assert_sorted(got.numpy(), values, False)


@pytest.mark.parametrize("n", [0, 1, 2, 100, 2048, 2049])
def test_the_input_is_untouched(device: gp.Device, n: int) -> None:
    values = any_bits(F32, n)
    before = values.copy()
    array = gp.asarray(values, device=device)
    results = [gp.sort(values, device=device), gp.sort(array, True).numpy()]
    assert np.array_equal(bits_of(values), bits_of(before))
    assert np.array_equal(bits_of(array.numpy()), bits_of(before))
    assert not np.shares_memory(results[0], values)


def test_the_result_of_a_sort_can_be_changed_without_the_input(device: gp.Device) -> None:
    """Arrays of no and one element are copies too."""
    for n in (0, 1):
        array = gp.asarray(any_bits(F32, n), device=device)
        assert gp.sort(array).storage is not array.storage


def test_dispatches_for_a_million_keys(device: gp.Device, watch: Watch) -> None:
    """A network that runs one level in a dispatch takes 210, and digits that are counted and moved apart eight."""
    if device.backend.name == "simulator":
        pytest.skip("the simulator takes minutes for a million keys")
    values = any_bits(F32, 2**20)
    array = gp.asarray(values, device=device)
    traffic = watch(device)
    got = gp.sort(array)
    method = methods.choose(array, pairs=False)
    assert (
        0
        < traffic.dispatches
        <= next(MOST_DISPATCHES[name] for name, each in methods.METHODS.items() if each is method)
    )
    assert_sorted(got.numpy(), values, False)


@pytest.mark.parametrize("n", [2, 2048])
def test_one_dispatch_for_an_array_of_one_tile(device: gp.Device, watch: Watch, n: int) -> None:
    array = gp.asarray(any_bits(F32, n), device=device)
    traffic = watch(device)
    gp.sort(array)
    assert traffic.dispatches == 1


def test_numpy_arrays_of_any_layout(device: gp.Device) -> None:
    values = any_bits(F32, 600)
    values = values[
        ~np.isnan(values)
    ]  # conversion of byte order may quiet a NaN; the order of bits is tested elsewhere
    read_only = values.copy()
    read_only.flags.writeable = False
    unaligned = np.frombuffer(b"x" + values.tobytes(), np.float32, offset=1)
    layouts = {
        "every other": values[::2], "backwards": values[::-1], "big-endian": values.astype(">f4"),
        "column": np.stack([values, values], 1)[:, 1], "read-only": read_only, "unaligned": unaligned,
    }  # fmt: skip
    for name, layout in layouts.items():
        want = in_order(layout.astype(np.float32), False)
        got = gp.sort(layout, device=device)
        assert got.dtype == np.float32 and got.dtype.isnative, name
        assert np.array_equal(bits_of(got), bits_of(want)), name


@pytest.mark.parametrize(("order", "descending"), [
    (False, False), (True, True), (np.False_, False), (np.True_, True),
    (gp.SortOrder.ASCENDING, False), (gp.SortOrder.DESCENDING, True),
])  # fmt: skip
def test_ways_to_name_the_order(order: Any, descending: bool) -> None:
    values = any_bits(F32, 100)
    assert_sorted(gp.sort(values, order, device="simulator"), values, descending)
    assert_sorted(gp.sort(values, descending=order, device="simulator"), values, descending)


@pytest.mark.parametrize("order", [2, 0, 1, 1.0, "asc", "descending", None, [True], np.int64(1)])
def test_other_words_for_the_order_are_refused(order: Any, watch: Watch) -> None:
    device = gp.device("simulator")
    array = gp.asarray(np.arange(3), np.int32, device=device)
    traffic = watch(device)
    with pytest.raises(gp.ArgumentError, match="descending must be True, False or a SortOrder"):
        gp.sort(array, order)
    assert not traffic.counts


@pytest.mark.parametrize("word", [2, "asc", None, True])
def test_the_enumeration_is_strict(word: Any) -> None:
    if word is True:
        assert gp.SortOrder(1) is gp.SortOrder.DESCENDING  # the value of a member, as Python's enum defines it
        return
    with pytest.raises(ValueError, match="is not a valid SortOrder"):
        gp.SortOrder(word)


@pytest.mark.parametrize(("values", "message"), [
    (np.ones((), np.float32), "rank 0 has none"), (np.zeros(4, bool), "bool"),
    (np.zeros(4, np.complex64), "complex64"), (np.zeros(4, "M8[s]"), "M8"), (np.array(["b", "a"]), "<U1|str"),
    ([3, 1, 2], "list"), (range(3), "range"), (None, "NoneType"),
])  # fmt: skip
def test_what_cannot_be_sorted_is_refused(values: Any, message: str, watch: Watch) -> None:
    device = gp.device("simulator")
    traffic = watch(device)
    with pytest.raises(gp.ArgumentError, match=message):
        gp.sort(values, device=device)
    assert not traffic.counts


def test_device_arrays_that_cannot_be_sorted_are_refused() -> None:
    vectors = gp.empty(8, gp.f32x4, device="simulator")
    with pytest.raises(gp.ArgumentError, match="f32x4"):
        gp.sort(vectors)
    with pytest.raises(gp.ArgumentError, match="an axis of this array is a whole number from -2 to 1, not 2"):
        gp.sort(gp.empty((2, 2), device="simulator"), axis=2)


def test_a_closed_array_is_refused() -> None:
    array, matrix = gp.zeros(10, device="simulator"), gp.zeros((2, 2), device="simulator")
    array.close()
    with pytest.raises(gp.ClosedError):
        gp.sort(array)
    closed = matrix.copy()
    closed.close()
    for left, right in ((closed, matrix), (matrix, closed)):
        with pytest.raises(gp.ClosedError):
            gp.matmul(left, right)
