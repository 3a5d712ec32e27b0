"""Integers of 8 and 16 bits on a device of the C family: memory, conversions and bits, whole outputs against Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from device_run import require, run
from ir_build import KernelBuilder, binary, builtin, call, constant

from gpucore.ir import (
    BOOL,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Bitcast,
    BuiltinKind,
    Capability,
    Constant,
    Convert,
    MathOp,
    ScalarType,
    Select,
)

STORAGE = (I8, U8, I16, U16)
OTHERS = (I32, U32, I64, U64, F32, F64)
DTYPES: dict[ScalarType, Any] = {
    I8: np.int8, U8: np.uint8, I16: np.int16, U16: np.uint16, I32: np.int32, U32: np.uint32, I64: np.int64,
    U64: np.uint64, F16: np.float16, F32: np.float32, F64: np.float64,
}  # fmt: skip
FLOATS = [
    0.0, -0.0, 0.9, -0.9, 1.5, 127.9, 128.0, -128.9, -129.0, 255.5, 256.0, 32767.5, 32768.0, -32769.0, 65535.9, 1e9,
    -1e9, 3e38, -3e38, math.inf, -math.inf, math.nan,
]  # fmt: skip


def edges(type: ScalarType) -> list[int]:
    values = {type.min_value, type.min_value + 1, 0, 1, 7, type.max_value - 1, type.max_value, type.max_value // 2 + 1}
    values |= {value for value in (-1, 127, 128, 255, 256, 40000, -40000) if type.min_value <= value <= type.max_value}
    return sorted(values)


def wrapped(value: int, type: ScalarType) -> int:
    return (value - type.min_value) % (1 << type.bits) + type.min_value


def converted(device: Any, source: ScalarType, target: ScalarType, values: Sequence[Any]) -> list[Any]:
    """The values through a conversion on the device."""
    kernel = KernelBuilder("convert", (1, 1, 1))
    x, out = kernel.buffer("x", source, "in"), kernel.buffer("out", target, "out")
    i = kernel.global_id()
    kernel.store(out, i, Convert(kernel.load(x, i), target))
    result = np.zeros(len(values), DTYPES[target])
    run(device, kernel.valid(), [np.array(values, DTYPES[source]), result], workgroups=len(values))
    return list(result.tolist())


@pytest.mark.parametrize("target", [*STORAGE, *OTHERS], ids=str)
@pytest.mark.parametrize("source", STORAGE, ids=str)
def test_small_integers_become_every_other_type(device: Any, source: ScalarType, target: ScalarType) -> None:
    expected = [value if target.is_float else wrapped(value, target) for value in edges(source)]
    assert converted(device, source, target, edges(source)) == expected


@pytest.mark.parametrize("target", STORAGE, ids=str)
@pytest.mark.parametrize("source", [I32, U32, I64, U64], ids=str)
def test_wide_integers_wrap(device: Any, source: ScalarType, target: ScalarType) -> None:
    expected = [wrapped(value, target) for value in edges(source)]
    assert converted(device, source, target, edges(source)) == expected


@pytest.mark.parametrize("target", STORAGE, ids=str)
@pytest.mark.parametrize("source", [F32, F64], ids=str)
def test_floats_truncate_and_saturate(device: Any, source: ScalarType, target: ScalarType) -> None:
    def expected(value: float) -> int:
        if math.isnan(value):
            return 0
        bounded = min(max(value, float(target.min_value)), float(target.max_value))
        return int(bounded)

    values = [float(DTYPES[source](value)) for value in FLOATS]
    assert converted(device, source, target, values) == [expected(value) for value in values]


def test_halves_to_small_integers_and_back(device: Any) -> None:
    require(device, Capability.F16)
    assert converted(device, F16, U8, [-1.0, 1.75, 255.0, 300.0, math.nan, math.inf]) == [0, 1, 255, 255, 0, 255]
    assert converted(device, I8, F16, [-128, 0, 127]) == [-128.0, 0.0, 127.0]
    kernel = KernelBuilder("bits", (1, 1, 1))
    x, out = kernel.buffer("x", F16, "in"), kernel.buffer("out", U16, "out")
    back = kernel.buffer("back", F16, "out")
    i = kernel.global_id()
    bits = Select(binary(i, "<", 3), Bitcast(kernel.load(x, i), U16), Constant(0x7E00, U16), U16)
    kernel.store(out, i, bits)
    kernel.store(back, i, Bitcast(bits, F16))
    data = np.array([1.0, -0.0, 6e-8, 2.0], np.float16)
    found, again = np.zeros(4, np.uint16), np.zeros(4, np.float16)
    run(device, kernel.valid(), [data, found, again], workgroups=4)
    assert found.tolist() == [0x3C00, 0x8000, 1, 0x7E00]
    assert again[:3].tolist() == data[:3].tolist() and math.isnan(again[3])


@pytest.mark.parametrize("type", STORAGE, ids=str)
def test_neighbours_are_stored_by_different_invocations(device: Any, type: ScalarType) -> None:
    """Through a workgroup array and a private one, chosen, reversed within the workgroup; no byte is lost."""
    kernel = KernelBuilder("reverse")
    x, out = kernel.buffer("x", type, "in"), kernel.buffer("out", type, "out")
    tile = kernel.workgroup_array("tile", type, 64)
    lane, i = kernel.let("lane", builtin(BuiltinKind.LOCAL_ID)), kernel.global_id()
    mine = kernel.private_array("mine", type, 3)
    kernel.store(mine, binary(lane, "%", 3), kernel.load(x, i))
    kernel.store(tile, lane, kernel.load(mine, binary(lane, "%", 3)))
    kernel.barrier()
    other = kernel.load(tile, binary(constant(63), "-", lane))
    kept = kernel.declare("kept", Constant(type.min_value, type))
    with kernel.when(binary(binary(lane, "%", 5), "!=", 0)):
        kernel.assign(kept, other)
    kernel.store(out, i, Select(binary(lane, "==", 1), Constant(7, type), kept, type))
    data = np.random.default_rng(5).integers(type.min_value, type.max_value + 1, 192).astype(DTYPES[type])
    result = np.zeros_like(data)
    run(device, kernel.valid(), [data, result], workgroups=3)
    expected = data.reshape(3, 64)[:, ::-1].copy()
    expected[:, ::5] = type.min_value
    expected[:, 1] = 7
    np.testing.assert_array_equal(result.reshape(3, 64), expected)


@pytest.mark.parametrize(("source", "target"), [(I8, U8), (U8, I8), (I16, U16), (U16, I16)], ids=str)
def test_bits_of_one_size(device: Any, source: ScalarType, target: ScalarType) -> None:
    kernel = KernelBuilder("bits", (1, 1, 1))
    x, out = kernel.buffer("x", source, "in"), kernel.buffer("out", target, "out")
    truth = kernel.buffer("truth", source, "out")
    i = kernel.global_id()
    value = kernel.load(x, i)
    kernel.store(out, i, Bitcast(value, target))
    kernel.store(truth, i, Convert(Convert(value, BOOL), source))
    data = np.array(edges(source), DTYPES[source])
    result, truths = np.zeros(len(data), DTYPES[target]), np.zeros_like(data)
    run(device, kernel.valid(), [data, result, truths], workgroups=len(data))
    assert result.tolist() == data.view(DTYPES[target]).tolist()
    assert truths.tolist() == (data != 0).astype(int).tolist()


@pytest.mark.parametrize("type", [F32, F64], ids=str)
def test_the_error_function(device: Any, type: ScalarType) -> None:
    kernel = KernelBuilder("erf", (1, 1, 1))
    x, out = kernel.buffer("x", type, "in"), kernel.buffer("out", type, "out")
    i = kernel.global_id()
    kernel.store(out, i, call(MathOp.ERF, kernel.uniform("value", kernel.load(x, i))))
    data = np.array(
        [0.0, -0.0, 1e-30, 0.1, -0.5, 1.0, 2.5, 3.9, -6.0, 20.0, math.inf, -math.inf, math.nan], DTYPES[type]
    )
    result = np.zeros_like(data)
    run(device, kernel.valid(), [data, result], workgroups=len(data))
    expected = [math.erf(value) for value in data.tolist()]
    np.testing.assert_allclose(result, expected, rtol=16 * float(np.finfo(DTYPES[type]).eps))
