"""Integers of 8 and 16 bits in memory: elements share words on devices that emulate them, and nothing may show it."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import pytest
from lacking import is_refused

import gpucore as gp

T = TypeVar("T", gp.i8, gp.u8, gp.i16, gp.u16)
SMALL = (np.int8, np.uint8, np.int16, np.uint16)
SIZES = (1, 2, 3, 5, 7, 130)


def drawn(dtype: type, shape: int | tuple[int, ...], seed: int = 1) -> Any:
    """Numbers over the whole range, its ends among them."""
    ends = np.iinfo(dtype)
    made = np.random.default_rng(seed).integers(ends.min, ends.max, shape, dtype=dtype, endpoint=True)
    flat = made.reshape(-1)
    flat[:2] = (ends.min, ends.max)[: flat.size]
    return made


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("size", SIZES)
def test_arrays_of_odd_lengths_go_to_the_device_and_back(device: gp.Device, dtype: type, size: int) -> None:
    x = drawn(dtype, size)
    array = gp.asarray(x, device=device)
    np.testing.assert_array_equal(array.numpy(), x)
    np.testing.assert_array_equal(array.copy().numpy(), x)
    np.testing.assert_array_equal(gp.full(size, 3, x.dtype, device=device).numpy(), np.full(size, 3, dtype))


@gp.kernel(workgroup_size=32)
def widen(x: gp.In[T], y: gp.Out[gp.i32], real: gp.Out[gp.f32], negative: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = gp.i32(x[i])
        real[i] = gp.f32(x[i])
        negative[i] = gp.u32(x[i] < 0)


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("size", SIZES)
def test_signs_are_extended(device: gp.Device, dtype: type, size: int) -> None:
    x = drawn(dtype, size)
    y, real, negative = (gp.zeros(size, kind, device=device) for kind in (gp.i32, gp.f32, gp.u32))
    widen(gp.asarray(x, device=device), y, real, negative, invocations=size)
    np.testing.assert_array_equal(y.numpy(), x.astype(np.int32))
    np.testing.assert_array_equal(real.numpy(), x.astype(np.float32))
    np.testing.assert_array_equal(negative.numpy(), x < 0)


@gp.kernel(workgroup_size=1)
def every_second(x: gp.In[T], y: gp.InOut[T], first: gp.i32):
    i = gp.global_id(0) * 2 + first
    if i < x.size:
        y[i] = x[i]


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("first", [0, 1])
def test_stores_leave_neighbours_alone(device: gp.Device, dtype: type, first: int) -> None:
    """Neighbours are stored to by invocations of other workgroups, or by none."""
    x, before = drawn(dtype, 131), drawn(dtype, 131, 2)
    y = gp.asarray(before, device=device)
    every_second(gp.asarray(x, device=device), y, first, workgroups=66)
    expected = before.copy()
    expected[first::2] = x[first::2]
    np.testing.assert_array_equal(y.numpy(), expected)


def test_a_folded_grid(device: gp.Device) -> None:
    """More workgroups than one axis of WebGPU's has."""
    x = drawn(np.uint8, 2 * 65536 + 7)
    y = gp.zeros(x.size, gp.u8, device=device)
    every_second(gp.asarray(x, device=device), y, 1, workgroups=x.size // 2)
    expected = np.zeros_like(x)
    expected[1::2] = x[1::2]
    np.testing.assert_array_equal(y.numpy(), expected)


@gp.kernel(workgroup_size=64)
def count_up(x: gp.InOut[T], rounds: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        for _ in range(rounds):
            x[i] = T(x[i] + 1)


@pytest.mark.parametrize("dtype", SMALL)
def test_increments_in_place(device: gp.Device, dtype: type) -> None:
    """Each sees its own last store, while its neighbours in the word change."""
    x = drawn(dtype, 1003)
    array = gp.asarray(x, device=device)
    for _ in range(3):
        count_up(array, 100, invocations=x.size)
    np.testing.assert_array_equal(array.numpy(), (x.astype(np.int64) + 300).astype(dtype))


@gp.kernel(workgroup_size=(8, 4))
def transpose(x: gp.In[T, 2], y: gp.Out[T, 2]):
    tile = gp.workgroup_array(T, (4, 8))
    i, j = gp.global_id(1), gp.global_id(0)
    rows, columns = x.shape
    if i < rows and j < columns:
        tile[gp.local_id(1), gp.local_id(0)] = x[i, j]
    gp.barrier()
    k = gp.local_index()
    i, j = gp.workgroup_id(1) * 4 + k % 4, gp.workgroup_id(0) * 8 + k // 4
    if i < rows and j < columns:
        y[j, i] = tile[k % 4, k // 4]


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (5, 3), (7, 33), (33, 7)])
def test_rows_of_odd_lengths(device: gp.Device, dtype: type, shape: tuple[int, int]) -> None:
    x = drawn(dtype, shape)
    y = gp.zeros(shape[::-1], x.dtype, device=device)
    transpose(gp.asarray(x, device=device), y, invocations=shape[::-1])
    np.testing.assert_array_equal(y.numpy(), x.T)


@gp.kernel(workgroup_size=(8, 8))
def blur(image: gp.In[gp.u8, 2], out: gp.Out[gp.u8, 2]):
    """The mean of nine, rounded, with borders repeated."""
    row, column = gp.global_id(1), gp.global_id(0)
    rows, columns = image.shape
    if row < rows and column < columns:
        total = gp.u32(4)
        for down in gp.unroll(range(-1, 2)):
            for right in gp.unroll(range(-1, 2)):
                total += image[gp.clamp(row + down, 0, rows - 1), gp.clamp(column + right, 0, columns - 1)]
        out[row, column] = gp.u8(total // 9)


def test_a_filter_of_an_image(device: gp.Device) -> None:
    image = drawn(np.uint8, (37, 53))
    out = gp.zeros(image.shape, gp.u8, device=device)
    blur(gp.asarray(image, device=device), out, invocations=image.shape[::-1])
    padded = np.pad(image.astype(np.uint32), 1, mode="edge")
    total = sum(padded[i : i + 37, j : j + 53] for i in range(3) for j in range(3))
    np.testing.assert_array_equal(out.numpy(), (total + 4) // 9)


@gp.kernel(workgroup_size=64)
def histogram(data: gp.In[gp.u8], counts: gp.InOut[gp.u32]):
    """In workgroup memory first, which one invocation of each byte adds to the whole."""
    mine = gp.workgroup_array(gp.u32, 256)
    for bin in range(gp.local_id(0), 256, 64):
        gp.atomic_store(mine, bin, 0)
    gp.barrier()
    i = gp.global_id(0)
    if i < data.size:
        gp.atomic_add(mine, gp.i32(data[i]), 1)
    gp.barrier()
    for bin in range(gp.local_id(0), 256, 64):
        gp.atomic_add(counts, bin, gp.atomic_load(mine, bin))


def test_a_histogram_of_bytes(device: gp.Device) -> None:
    data = drawn(np.uint8, 5003)
    counts = gp.zeros(256, gp.u32, device=device)
    histogram(gp.asarray(data, device=device), counts, invocations=data.size)
    np.testing.assert_array_equal(counts.numpy(), np.bincount(data, minlength=256))


@gp.kernel(workgroup_size=32)
def convert(x: gp.In[gp.f32], whole: gp.In[gp.i32], out: gp.Out[T, 2], bits: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < x.size:
        out[0, i] = T(x[i])
        out[1, i] = T(whole[i])
        out[2, i] = T(gp.i32(T(whole[i])) > 3)
        chosen = T(whole[i]) if x[i] > 1.0 else T(7)
        out[3, i] = chosen
        bits[i] = gp.u32(gp.bitcast(gp.u8, gp.i8(whole[i]))) | gp.u32(gp.bitcast(gp.u16, gp.i16(whole[i]))) << 16


@pytest.mark.parametrize("dtype", SMALL)
def test_conversions_saturate_and_wrap(device: gp.Device, dtype: type) -> None:
    x = np.float32([0.0, -0.75, 1.5, 126.9, 127.5, 255.9, 256.0, -128.5, -129.0, 32768.0, 65536.5, -4e9, 3e9, np.inf])
    x = np.append(x, np.float32([-np.inf, np.nan]))
    whole = np.int32([0, 1, 4, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, 65535, 65536, -(2**31), 2**31 - 1])
    out, bits = gp.zeros((4, 16), dtype, device=device), gp.zeros(16, gp.u32, device=device)
    convert(gp.asarray(x, device=device), gp.asarray(whole, device=device), out, bits, invocations=16)
    ends = np.iinfo(dtype)
    wrapped = whole.astype(dtype)
    saturated = np.trunc(np.clip(np.where(np.isnan(x), 0, x).astype(np.float64), ends.min, ends.max)).astype(dtype)
    np.testing.assert_array_equal(out.numpy(), [saturated, wrapped, wrapped > 3, np.where(x > 1, wrapped, 7)])
    expected = whole.astype(np.uint8).astype(np.uint32) | whole.astype(np.uint16).astype(np.uint32) << 16
    np.testing.assert_array_equal(bits.numpy(), expected)


@gp.kernel(workgroup_size=32)
def halves(x: gp.In[gp.f16], bits: gp.Out[gp.u16], y: gp.Out[gp.f16]):
    i = gp.global_id(0)
    if i < x.size:
        bits[i] = gp.bitcast(gp.u16, x[i])
        y[i] = gp.bitcast(gp.f16, gp.i16(bits_of_next(i)))


def bits_of_next(i):  # type: ignore[no-untyped-def]
    return 0x3C00 + i  # 1.0 and the numbers after it


def test_bits_of_halves(device: gp.Device) -> None:
    x = np.float16([0.0, -1.5, 65504.0, 0.333, -0.0])
    bits, y = gp.zeros(5, gp.u16, device=device), gp.zeros(5, gp.f16, device=device)

    def call() -> None:
        halves(gp.asarray(x, device=device), bits, y, invocations=5)

    if is_refused(device, "f16", call):
        return
    call()
    np.testing.assert_array_equal(bits.numpy(), x.view(np.uint16))
    np.testing.assert_array_equal(y.numpy(), (np.arange(5, dtype=np.uint16) + 0x3C00).view(np.float16))


@gp.struct
class Narrow:
    near: gp.i8
    far: gp.u16


@gp.struct
class Fields:
    first: gp.u8
    plain: gp.f32x4
    both: Narrow
    whole: gp.i32
    last: gp.i8


@gp.struct
class WideFields:
    first: gp.i8
    number: gp.i64
    real: gp.f64
    count: gp.u64
    last: gp.i16


@gp.struct
class HalfFields:
    half: gp.f16
    first: gp.i8
    pair: gp.f16x2
    last: gp.u8


@gp.kernel(workgroup_size=16)
def turn_fields(x: gp.In[Fields], y: gp.InOut[Fields]):
    i = gp.global_id(0)
    if i < x.size:
        one = x[x.size - 1 - i]
        y[i] = Fields(one.first, one.plain.wzyx, Narrow(one.last, one.both.far), -one.whole, one.both.near)
        y[i].both.far = gp.u16(y[i].both.far * 3)


@gp.kernel(workgroup_size=16)
def turn_wide(x: gp.In[WideFields], y: gp.InOut[WideFields]):
    i = gp.global_id(0)
    if i < x.size:
        one = x[x.size - 1 - i]
        y[i] = WideFields(
            gp.i8(one.last), one.number * gp.i64(-3), one.real * gp.f64(0.5), ~one.count, gp.i16(one.first)
        )


@gp.kernel(workgroup_size=16)
def turn_halves(x: gp.In[HalfFields], y: gp.InOut[HalfFields]):
    i = gp.global_id(0)
    if i < x.size:
        one = x[x.size - 1 - i]
        y[i].half = one.half + gp.f16(1.0)
        y[i].pair = one.pair.yx
        y[i].last = gp.u8(one.first)


def records(cls: Any, size: int, seed: int) -> Any:
    """Integers over their whole ranges, floats that are whole numbers."""
    random = np.random.default_rng(seed)
    made = random.integers(0, 256, (size, cls.dtype.itemsize), np.uint8).view(cls.dtype)[:, 0]
    for name in cls.dtype.names:
        if made[name].dtype.kind == "f":
            made[name] = random.integers(-99, 99, made[name].shape)
    return made


def same_records(found: Any, expected: Any) -> None:
    """Field by field: what is between them is undefined."""
    for name in expected.dtype.names:
        np.testing.assert_array_equal(found[name], expected[name])


@pytest.mark.parametrize("size", [1, 2, 35])
def test_every_kind_of_field_beside_small_ones(device: gp.Device, size: int) -> None:
    x, before = records(Fields, size, 1), records(Fields, size, 2)
    y = gp.asarray(before, Fields, device=device)
    turn_fields(gp.asarray(x, Fields, device=device), y, invocations=size)
    one = x[::-1]
    expected = before.copy()
    expected["first"], expected["plain"], expected["whole"] = one["first"], one["plain"][:, ::-1], -one["whole"]
    expected["both"]["near"], expected["last"] = one["last"], one["both"]["near"]
    expected["both"]["far"] = one["both"]["far"] * 3
    same_records(y.numpy(), expected)


@pytest.mark.parametrize("size", [1, 35])
def test_wide_fields_beside_small_ones(device: gp.Device, size: int) -> None:
    x = records(WideFields, size, 3)
    y = gp.zeros(size, WideFields, device=device)

    def call() -> None:
        turn_wide(gp.asarray(x, WideFields, device=device), y, invocations=size)

    if is_refused(device, "int64" if not device.supports("int64") else "f64", call):
        return
    call()
    one = x[::-1]
    expected = np.zeros(size, WideFields.dtype)  # type: ignore[attr-defined]
    expected["first"], expected["last"] = one["last"].astype(np.int8), one["first"]
    expected["number"], expected["real"], expected["count"] = one["number"] * -3, one["real"] / 2, ~one["count"]
    same_records(y.numpy(), expected)


@pytest.mark.parametrize("size", [1, 35])
def test_halves_beside_small_fields(device: gp.Device, size: int) -> None:
    x, before = records(HalfFields, size, 4), records(HalfFields, size, 5)
    y = gp.asarray(before, HalfFields, device=device)

    def call() -> None:
        turn_halves(gp.asarray(x, HalfFields, device=device), y, invocations=size)

    if is_refused(device, "f16", call):
        return
    call()
    one, expected = x[::-1], before.copy()
    expected["half"], expected["pair"] = one["half"] + 1, one["pair"][:, ::-1]
    expected["last"] = one["first"].astype(np.uint8)
    same_records(y.numpy(), expected)


@gp.kernel(workgroup_size=1)
def gather(x: gp.In[gp.u8], at: gp.In[gp.i32], y: gp.Out[gp.u8]):
    i = gp.global_id(0)
    y[i] = x[at[i]]


def wait_for(device: gp.Device, kernel: gp.Kernel, *arguments: object, **grid: object) -> None:
    kernel(*arguments, **grid)
    device.synchronize()


def test_debug_checks_indices_in_elements(device: gp.Device) -> None:
    checked = gp.kernel(workgroup_size=1, debug=True)(gather.function)
    host = drawn(np.uint8, 6)
    x, y = gp.asarray(host, device=device), gp.zeros(6, gp.u8, device=device)
    backwards = gp.asarray(np.arange(6, dtype=np.int32)[::-1], device=device)
    wait_for(device, checked, x, backwards, y, workgroups=6)
    np.testing.assert_array_equal(y.numpy(), host[::-1])
    with pytest.raises(gp.OutOfRangeError, match="index 6 is out of range for 'x' of length 6"):
        wait_for(device, checked, x, gp.full(1, 6, gp.i32, device=device), y, workgroups=1)
    with pytest.raises(gp.OutOfRangeError, match="index 6 is out of range for 'y' of length 6"):
        wait_for(device, checked, x, gp.zeros(7, gp.i32, device=device), y, workgroups=7)


def test_an_index_out_of_range_harms_nothing(device: gp.Device) -> None:
    """Indices are clamped in elements where the memory is this process's; WebGPU bounds the others."""
    if device.backend.name in ("cuda", "opencl") and not device.info.kernels_share_memory:
        pytest.skip(f"{device.id} does not check indices")
    at = np.int32([0, 5, 6, 7, 100, -1, 2**31 - 1, -(2**31), 1 << 20, 1 << 29, 1 << 30, 1, 2, 3, 4, 5])
    x, y = drawn(np.uint8, 6), gp.zeros(16, gp.u8, device=device)
    arguments = (gp.asarray(x, device=device), gp.asarray(at, device=device), y)
    if device.backend.name == "simulator":
        with pytest.raises(gp.OutOfRangeError):
            wait_for(device, gather, *arguments, invocations=16)
        return
    gather(*arguments, invocations=16)
    found, in_range = y.numpy(), (at >= 0) & (at < 6)
    np.testing.assert_array_equal(found[in_range], x[at[in_range]])
    if device.info.kernels_share_memory:
        np.testing.assert_array_equal(found[~in_range], x[5])  # the last element


@gp.kernel(workgroup_size=1)
def by_value(y: gp.Out[gp.i32], like: Narrow, offset: T):
    y[0] = gp.i32(like.near) + gp.i32(like.far) * 1000 + gp.i32(offset)


def test_numbers_by_value_are_checked_at_every_call(device: gp.Device) -> None:
    y = gp.zeros(1, gp.i32, device=device)
    for _ in range(2):  # the second call goes the short way
        by_value(y, Narrow(-128, 65535), np.int8(-7), invocations=1)
        np.testing.assert_array_equal(y.numpy(), [-128 + 65535000 - 7])
        with pytest.raises(gp.ArgumentError, match="u16 holds 0 to 65535"):
            by_value(y, Narrow(0, 65536), np.int8(1), invocations=1)
        with pytest.raises(gp.ArgumentError, match="i8 holds -128 to 127"):
            by_value(y, Narrow(128, 0), np.int8(1), invocations=1)
