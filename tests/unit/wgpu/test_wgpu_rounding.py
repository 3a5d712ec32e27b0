"""floor, ceil, round, trunc, what is made of them, and conversions: f32 and f64, at the edges.

`test_wgpu_processors` runs these again as on older processors.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from wgpu_builder import map_kernel

from gpucore import ir
from gpucore.ir import F32, F64, I32, I64, U32, U64, MathOp
from gpucore.ir.arithmetic import int_from_float
from gpucore.ir.build import call

DTYPES = {F32: np.float32, F64: np.float64, I32: np.int32, U32: np.uint32, I64: np.int64, U64: np.uint64}
TIES = [0.5, 1.5, 2.5, 3.5, 0.4, 0.6, 7.999999999999999, 0.49999999999999994, 5e-324, 1e-20]
# around 2**23, 2**24, 2**31, 2**32, 2**52, 2**53, 2**63 and 2**64: where integers end and fractions do
BORDERS = [
    2.0**power + step for power in (23, 24, 31, 32, 52, 53, 63, 64) for step in (-1.5, -1, -0.5, 0, 0.25, 0.5, 1)
]
POSITIVE = [0.0, 1.0, *TIES, *BORDERS, 1e10 + 0.5, 1e10 + 1.5, 1e300, math.inf]
NUMBERS = [*POSITIVE, *(-number for number in POSITIVE), math.nan]
FUNCTIONS = {
    MathOp.FLOOR: np.floor,
    MathOp.CEIL: np.ceil,
    MathOp.ROUND: np.rint,
    MathOp.TRUNC: np.trunc,
    MathOp.FRACT: lambda x: x - np.floor(x),
}


def numbers_of(type):
    with np.errstate(over="ignore"):
        return np.array(NUMBERS, DTYPES[type])


@pytest.mark.parametrize("op", FUNCTIONS)
@pytest.mark.parametrize("type", [F32, F64], ids=str)
def test_rounding(run, type, op):
    numbers = numbers_of(type)
    module = map_kernel(type, type, lambda x: call(op, x))
    result = run(module, [numbers, np.zeros_like(numbers)], workgroups=len(numbers))[1]
    with np.errstate(invalid="ignore"):
        expected = FUNCTIONS[op](numbers)
    np.testing.assert_array_equal(result, expected)
    told = ~np.isnan(expected) & (expected != 0 if op is MathOp.FRACT else True)
    np.testing.assert_array_equal(np.signbit(result[told]), np.signbit(expected[told]))


@pytest.mark.parametrize("op", [MathOp.ROUND, MathOp.TRUNC])
def test_rounding_of_vectors(run, op):
    vector = ir.VectorType(F64, 2)
    numbers = numbers_of(F64)
    numbers = np.append(numbers, numbers[: len(numbers) % 2])
    module = map_kernel(vector, vector, lambda x: call(op, x))
    result = run(module, [numbers, np.zeros_like(numbers)], workgroups=len(numbers) // 2)[1]
    expected = FUNCTIONS[op](numbers)
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(np.signbit(result[expected == 0]), np.signbit(expected[expected == 0]))


@pytest.mark.parametrize("target", [I32, U32, I64, U64], ids=str)
@pytest.mark.parametrize("source", [F32, F64], ids=str)
def test_conversions_to_integers(run, source, target):
    numbers = numbers_of(source)
    module = map_kernel(source, target, lambda x: ir.Convert(x, target))
    result = run(module, [numbers, np.zeros(len(numbers), DTYPES[target])], workgroups=len(numbers))[1]
    assert result.tolist() == [int_from_float(number, target.min_value, target.max_value) for number in numbers]


@pytest.mark.parametrize("source", [I64, U64], ids=str)
def test_conversions_of_64_bits_to_f64(run, source):
    top = source.max_value
    numbers = [
        0,
        1,
        2**31 - 1,
        2**31,
        2**32 - 1,
        2**32,
        2**53 - 1,
        2**53,
        2**53 + 1,
        2**53 + 3,
        2**62 + 1,
        top - 1,
        top,
    ]
    numbers += [-number for number in numbers] + [source.min_value] if source.is_signed else []
    array = np.array(numbers, DTYPES[source])
    module = map_kernel(source, F64, lambda x: ir.Convert(x, F64))
    result = run(module, [array, np.zeros(len(array))], workgroups=len(array))[1]
    assert result.tolist() == [float(number) for number in numbers]
