"""Whole kernels on a device of the C family: memory, control flow, workgroups, atomics, scalars."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from device_run import BACKENDS, require, run
from ir_build import KernelBuilder, binary, builtin, constant, saxpy, workgroup_sum

from gpucore.ir import (
    BOOL,
    F16,
    F32,
    F64,
    I32,
    I64,
    U32,
    AtomicOp,
    BuiltinKind,
    Capability,
    Convert,
    ScalarType,
    Select,
    VectorType,
)


def test_saxpy_writes_its_elements_and_no_others(device: Any) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal(1024).astype(np.float32), rng.standard_normal(1024).astype(np.float32)
    before = y.copy()
    run(device, saxpy(), [x, y], struct.pack("<fi8x", 2.5, 1000), 4)
    exact = 2.5 * x[:1000].astype(np.float64) + before[:1000]
    np.testing.assert_allclose(y[:1000], exact, rtol=1e-5, atol=1e-6)
    assert y[1000:].tolist() == before[1000:].tolist()


def test_a_workgroup_sums_through_its_memory(device: Any) -> None:
    x = np.random.default_rng(2).integers(-1000, 1000, 64 * 37).astype(np.float32)
    y = np.zeros(37, np.float32)
    run(device, workgroup_sum(), [x, y], workgroups=37)
    assert y.tolist() == x.reshape(37, 64).sum(axis=1).tolist()


@pytest.mark.parametrize("element", [I32, U32], ids=str)
def test_atomics_on_a_buffer(device: Any, element: ScalarType) -> None:
    operations = [AtomicOp.ADD, AtomicOp.SUB, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.AND, AtomicOp.OR, AtomicOp.XOR]
    kernel = KernelBuilder("count")
    cells, olds = kernel.buffer("cells", element), kernel.buffer("olds", element)
    i = kernel.global_id()
    value = kernel.let("operand", Convert(i, element))
    for index, op in enumerate(operations):
        old = kernel.atomic(op, cells, constant(index), value)
        if op is AtomicOp.ADD:
            kernel.store(olds, i, old)
    start = [7, 10_000_000, 500, 500, 0x7FFFFFFF, 0, 0]
    dtype = np.int32 if element is I32 else np.uint32
    memory, before = np.array(start, dtype), np.zeros(256, dtype)
    run(device, kernel.valid(), [memory, before], workgroups=4)
    total = sum(range(256))
    assert memory.tolist() == [7 + total, 10_000_000 - total, 0, 500, 0, 255, 0]
    steps = np.diff(np.append(np.sort(before), 7 + total))
    assert sorted(steps.tolist()) == list(range(256))  # every addition saw a total of its own


def test_atomic_exchange_load_and_store(device: Any) -> None:
    kernel = KernelBuilder("exchange", (1, 1, 1))
    cells, olds = kernel.buffer("cells", I32), kernel.buffer("olds", I32)
    kernel.store(olds, constant(0), kernel.atomic(AtomicOp.EXCHANGE, cells, constant(0), constant(5)))
    first = kernel.atomic(AtomicOp.COMPARE_EXCHANGE, cells, constant(0), constant(9), constant(4))
    kernel.store(olds, constant(1), first)
    second = kernel.atomic(AtomicOp.COMPARE_EXCHANGE, cells, constant(0), constant(-9), constant(5))
    kernel.store(olds, constant(2), second)
    kernel.store(olds, constant(3), kernel.atomic(AtomicOp.LOAD, cells, constant(0)))
    kernel.atomic(AtomicOp.STORE, cells, constant(1), constant(77))
    kernel.store(olds, constant(4), kernel.load(cells, constant(1)))
    cells_now, olds_now = np.array([3, 0], np.int32), np.zeros(5, np.int32)
    run(device, kernel.valid(), [cells_now, olds_now])
    assert cells_now.tolist() == [-9, 77]
    assert olds_now.tolist() == [3, 5, 5, -9, 77]


def test_atomics_in_workgroup_memory(device: Any) -> None:
    kernel = KernelBuilder("histogram")
    x, bins = kernel.buffer("x", U32, "in"), kernel.buffer("bins", U32, "out")
    tile = kernel.workgroup_array("tile", U32, 64)
    lane = kernel.let("lane", builtin(BuiltinKind.LOCAL_ID))
    kernel.store(tile, lane, constant(0, U32))
    kernel.barrier()
    i = kernel.global_id()
    kernel.atomic(AtomicOp.ADD, tile, binary(kernel.load(x, i), "%", 64), constant(1, U32))
    kernel.barrier()
    kernel.store(bins, i, kernel.load(tile, lane))
    data = np.random.default_rng(3).integers(0, 2**32, 320, dtype=np.uint32)
    counts = np.zeros(320, np.uint32)
    run(device, kernel.valid(), [data, counts], workgroups=5)
    expected = [np.bincount(row % 64, minlength=64) for row in data.reshape(5, 64)]
    np.testing.assert_array_equal(counts.reshape(5, 64), expected)


def test_loops_with_break_and_continue(device: Any) -> None:
    """Sums the odd numbers from i up to, not including, the first multiple of 17 (or i + 40)."""
    kernel = KernelBuilder("odd_sum")
    out = kernel.buffer("out", I32, "out")
    i = kernel.global_id()
    total = kernel.declare("total", constant(0))
    last = kernel.declare("last", binary(i, "+", 40))
    with kernel.repeat("k", binary(i, "+", 1), last) as k:
        kernel.assign(last, constant(0))  # the stop is evaluated once
        with kernel.when(binary(binary(k, "%", 17), "==", 0)):
            kernel.leave()
        with kernel.when(binary(binary(k, "%", 2), "==", 0)):
            kernel.skip()
        kernel.assign(total, binary(total, "+", k))
    kernel.store(out, i, total)
    result = np.zeros(128, np.int32)
    run(device, kernel.valid(), [result], workgroups=2)

    def expected(i: int) -> int:
        found = 0
        for k in range(i + 1, i + 40):
            if k % 17 == 0:
                break
            found += k if k % 2 else 0
        return found

    assert result.tolist() == [expected(i) for i in range(128)]


def test_a_while_loop_as_a_loop_with_break(device: Any) -> None:
    kernel = KernelBuilder("collatz")
    out = kernel.buffer("out", I32, "out")
    i = kernel.global_id()
    x, steps = kernel.declare("x", binary(i, "+", 1)), kernel.declare("steps", constant(0))
    with kernel.loop():
        with kernel.when(binary(x, "==", 1)):
            kernel.leave()
        odd = binary(binary(x, "%", 2), "==", 1)
        kernel.assign(x, Select(odd, binary(binary(x, "*", 3), "+", 1), binary(x, "//", 2), I32))
        kernel.assign(steps, binary(steps, "+", 1))
    kernel.store(out, i, steps)
    result = np.zeros(64, np.int32)
    run(device, kernel.valid(), [result])

    def expected(x: int) -> int:
        return 0 if x == 1 else 1 + expected(3 * x + 1 if x % 2 else x // 2)

    assert result.tolist() == [expected(i + 1) for i in range(64)]


@pytest.mark.parametrize("element", [I32, F32, VectorType(F32, 4)], ids=str)
def test_a_private_array_is_zero_each_time_it_is_declared(device: Any, element: Any) -> None:
    kernel = KernelBuilder("private")
    x, out = kernel.buffer("x", element, "in"), kernel.buffer("out", element, "out")
    i = kernel.global_id()
    with kernel.repeat("round", constant(0), constant(3)):
        array = kernel.private_array("scratch", element, 5)
        before = kernel.load(array, binary(i, "%", 5), "before")
        kernel.store(array, binary(i, "%", 5), binary(before, "+", kernel.load(x, i)))
        kernel.store(out, i, kernel.load(array, binary(i, "%", 5), "after"))
    width = 4 if isinstance(element, VectorType) else 1
    data = np.arange(1, 64 * width + 1).astype(np.int32 if element == I32 else np.float32)
    result = np.zeros_like(data)
    run(device, kernel.valid(), [data, result])
    assert result.tolist() == data.tolist()


def test_scalars_of_every_type_keep_their_places(device: Any) -> None:
    kernel = KernelBuilder("scalars", (1, 1, 1))
    flag, short = kernel.param("flag", BOOL), kernel.param("short_one", F32)
    count, long, real = kernel.param("count", U32), kernel.param("long_one", I64), kernel.param("real", F64)
    other = kernel.param("other", BOOL)
    out = kernel.buffer("out", F64, "out")
    for index, param in enumerate((flag, short, count, long, real, other)):
        kernel.store(out, constant(index), Convert(param, F64))
    valid = kernel.valid()
    assert [slot.offset for slot in valid.slots] == [0, 4, 8, 16, 24, 32]
    packed = struct.pack("<IfI4xqdI12x", 1, 1.5, 4_000_000_000, -(2**40), 1e300, 0)
    result = np.zeros(6)
    run(device, valid, [result], packed)
    assert result.tolist() == [1.0, 1.5, 4e9, -(2.0**40), 1e300, 0.0]


def test_half_floats(device: Any) -> None:
    kernel = KernelBuilder("halves")
    x, out, scale = kernel.buffer("x", F16, "in"), kernel.buffer("out", F16, "out"), kernel.param("scale", F16)
    i = kernel.global_id()
    kernel.store(out, i, binary(binary(kernel.load(x, i), "*", scale), "+", 1.5))
    valid = kernel.valid()
    assert "cl_khr_fp16" in BACKENDS["opencl"].emit(valid).text
    require(device, Capability.F16)
    data = np.linspace(-8, 8, 64).astype(np.float16)
    result = np.zeros_like(data)
    run(device, valid, [data, result], struct.pack("<e14x", 0.5))
    np.testing.assert_allclose(result, data * np.float16(0.5) + np.float16(1.5), rtol=1e-3)


def test_names_of_the_language_are_free_for_kernels(device: Any) -> None:
    kernel = KernelBuilder("dot")
    names = [
        "int",
        "float4",
        "barrier",
        "get_group_id",
        "half",
        "__x",
        "M_PI",
        "scalars",
        "gpucore_f32_to_i32",
        "größe",
    ]
    buffers = [kernel.buffer(name, I32) for name in names]
    scale = kernel.param("global")
    i = kernel.global_id()
    for index, buffer in enumerate(buffers):
        element = kernel.load(buffer, i, name="uint")
        kernel.store(buffer, i, binary(binary(element, "*", scale), "+", index))
    arrays = [np.full(64, 10 + index, np.int32) for index in range(len(names))]
    run(device, kernel.valid(), arrays, struct.pack("<i12x", 3))
    for index, array in enumerate(arrays):
        assert array.tolist() == [(10 + index) * 3 + index] * 64


@pytest.mark.parametrize("nbytes", [40 * 1024, 49 * 1024, 200 * 1024])
def test_much_workgroup_memory(device: Any, nbytes: int) -> None:
    """Two arrays that share all of it, written and read back in the opposite order."""
    if nbytes > device.info.limits.max_workgroup_memory:
        pytest.skip(f"{device.info.id} has less than {nbytes} bytes of workgroup memory")
    kernel = KernelBuilder("much_memory")
    out = kernel.buffer("out", I32, "out")
    length = nbytes // 8
    first, second = kernel.workgroup_array("first", I32, length), kernel.workgroup_array("second", I32, length)
    lane = kernel.let("lane", builtin(BuiltinKind.LOCAL_ID))
    steps = constant(length // 64)
    with kernel.repeat("step", constant(0), steps) as step:
        index = kernel.let("index", binary(binary(step, "*", 64), "+", lane))
        kernel.store(first, index, binary(index, "*", 3))
        kernel.store(second, index, binary(index, "*", 5))
    kernel.barrier()
    with kernel.repeat("step", constant(0), steps) as step:
        index = kernel.let("index", binary(binary(step, "*", 64), "+", lane))
        mirrored = binary(constant(length - 1), "-", index)
        both = binary(kernel.load(first, mirrored), "+", kernel.load(second, index))
        kernel.store(out, index, both)
    result = np.zeros(length, np.int32)
    run(device, kernel.valid(), [result])
    expected = 3 * np.arange(length)[::-1] + 5 * np.arange(length)
    assert result.tolist() == expected.tolist()
