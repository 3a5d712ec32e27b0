"""Folding computes what the numeric contract says: checked against NumPy's types and the contract's table."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gpucore.ir import BOOL, F16, F32, F64, I32, I64, U32, U64, BinaryOp, MathOp, UnaryOp
from gpucore.passes import arithmetic

INTEGERS = {I32: np.int32, U32: np.uint32, I64: np.int64, U64: np.uint64}
FLOATS = {F16: np.float16, F32: np.float32, F64: np.float64}
EDGES = (0, 1, 2, 3, 7, 31, 32, 33, 63, 64)


def integers_of(type_):
    near = [type_.min_value, type_.min_value + 1, type_.max_value, type_.max_value - 1, -1, -2, *EDGES]
    inside = [value for value in near if type_.min_value <= value <= type_.max_value]
    return st.sampled_from(inside) | st.integers(type_.min_value, type_.max_value)


def floats_of(type_):
    return st.floats(width=type_.bits, allow_subnormal=True)


def same_float(a, b):
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


typed_pairs = st.sampled_from(list(INTEGERS)).flatmap(lambda t: st.tuples(st.just(t), integers_of(t), integers_of(t)))


@given(typed_pairs)
def test_integer_operators_wrap_as_numpy_does(case):
    type_, a, b = case
    scalar = INTEGERS[type_]
    x, y = np.array([a], dtype=scalar), np.array([b], dtype=scalar)
    count = np.array([b % type_.bits], dtype=scalar)
    expected = {
        BinaryOp.ADD: x + y, BinaryOp.SUB: x - y, BinaryOp.MUL: x * y, BinaryOp.BIT_AND: x & y, BinaryOp.BIT_OR: x | y,
        BinaryOp.BIT_XOR: x ^ y, BinaryOp.SHL: x << count, BinaryOp.SHR: x >> count,
    }  # fmt: skip
    for op, result in expected.items():
        assert arithmetic.binary(op, a, b, type_) == int(result[0]), op
    for op, result in {BinaryOp.EQ: x == y, BinaryOp.NE: x != y, BinaryOp.LT: x < y, BinaryOp.GE: x >= y}.items():
        assert arithmetic.binary(op, a, b, type_) is bool(result[0]), op
    assert arithmetic.unary(UnaryOp.NEG, a, type_) == int((-x)[0])
    assert arithmetic.unary(UnaryOp.INVERT, a, type_) == int((~x)[0])


@given(typed_pairs)
@example((I32, I32.min_value, -1))
@example((I32, -7, 2))
@example((I32, 7, -2))
@example((U32, 5, 0))
def test_division_follows_the_contract(case):
    type_, a, b = case
    quotient = arithmetic.binary(BinaryOp.FLOOR_DIV, a, b, type_)
    modulus = arithmetic.binary(BinaryOp.FLOOR_MOD, a, b, type_)
    truncated = arithmetic.binary(BinaryOp.TRUNC_DIV, a, b, type_)
    remainder = arithmetic.binary(BinaryOp.TRUNC_REM, a, b, type_)
    if b == 0 or (b == -1 and a == type_.min_value):
        assert (quotient, modulus, truncated, remainder) == (a, 0, a, 0)
    else:
        x, y = np.array([a], INTEGERS[type_]), np.array([b], INTEGERS[type_])
        assert (quotient, modulus) == (int((x // y)[0]), int((x % y)[0]))
        assert remainder == int(np.fmod(x, y)[0])
        assert truncated == (a - remainder) // b


@given(st.sampled_from(list(FLOATS)).flatmap(lambda t: st.tuples(st.just(t), floats_of(t), floats_of(t))))
@example((F32, 1.0, 0.0))
@example((F32, -0.0, 0.0))
@example((F32, math.nan, 1.0))
@example((F32, 3.0e38, 3.0e38))
def test_float_operators_round_in_their_own_type(case):
    type_, a, b = case
    scalar = FLOATS[type_]
    with np.errstate(all="ignore"):
        x, y = scalar(a), scalar(b)
        expected = {BinaryOp.ADD: x + y, BinaryOp.SUB: x - y, BinaryOp.MUL: x * y, BinaryOp.DIV: x / y}
    for op, result in expected.items():
        assert result.dtype == scalar
        assert same_float(arithmetic.binary(op, a, b, type_), float(result)), op
    for op, result in {BinaryOp.EQ: x == y, BinaryOp.NE: x != y, BinaryOp.LE: x <= y, BinaryOp.GT: x > y}.items():
        assert arithmetic.binary(op, a, b, type_) is bool(result), op


@given(st.floats(width=32), st.sampled_from([I32, U32, I64, U64]))
def test_float_to_integer_truncates_and_saturates(value, type_):
    result = arithmetic.convert(value, F32, type_)
    if math.isnan(value):
        assert result == 0
    elif value >= type_.max_value:
        assert result == type_.max_value
    elif value <= type_.min_value:
        assert result == type_.min_value
    else:
        assert result == math.trunc(value)


@given(integers_of(I64))
@example((1 << 60) + (1 << 36) + 1)  # rounding through f64 first would lose the last bit and break the tie wrongly
def test_integer_to_f32_rounds_once(value):
    assert arithmetic.convert(value, I64, F32) == float(np.array([value], np.int64).astype(np.float32)[0])


@pytest.mark.parametrize(
    ("value", "expected"), [(2049, 2048.0), (2051, 2052.0), (65519, 65504.0), (65520, math.inf), (-70000, -math.inf)]
)
def test_integer_to_f16(value, expected):
    assert arithmetic.convert(value, I32, F16) == expected


@given(integers_of(I32), integers_of(U32))
def test_integers_convert_by_wrapping(signed, unsigned):
    assert arithmetic.convert(signed, I32, U32) == int(np.array([signed], np.int32).view(np.uint32)[0])
    assert arithmetic.convert(unsigned, U32, I32) == int(np.array([unsigned], np.uint32).view(np.int32)[0])
    assert arithmetic.convert(signed, I32, BOOL) is (signed != 0)


def test_conversions_of_bool_and_nan():
    assert arithmetic.convert(True, BOOL, F32) == 1.0
    assert arithmetic.convert(True, BOOL, I32) == 1
    assert arithmetic.convert(math.nan, F32, BOOL) is True
    assert arithmetic.convert(1e300, F64, F32) == math.inf


@given(integers_of(U32))
def test_bitcast_keeps_the_bits_or_declines(bits):
    value = float(np.array([bits], np.uint32).view(np.float32)[0])
    result = arithmetic.bitcast(bits, U32, F32)
    if math.isnan(value):
        assert result is None  # a Python float does not keep the bits of a NaN
    else:
        assert same_float(result, value)
        assert arithmetic.bitcast(result, F32, U32) == bits


@given(integers_of(U32))
def test_bit_functions(value):
    text = f"{value:032b}"
    assert arithmetic.call(MathOp.POPCOUNT, [value], U32) == text.count("1")
    assert arithmetic.call(MathOp.CLZ, [value], U32) == 32 - len(text.lstrip("0"))
    assert arithmetic.call(MathOp.CTZ, [value], U32) == 32 - len(text.rstrip("0"))
    assert arithmetic.call(MathOp.REVERSE_BITS, [value], U32) == int(text[::-1], 2)


@pytest.mark.parametrize(
    ("op", "args", "type_", "expected"),
    [
        (MathOp.ABS, [I32.min_value], I32, I32.min_value),
        (MathOp.MIN, [math.nan, 2.0], F32, 2.0),
        (MathOp.MAX, [2.0, math.nan], F32, 2.0),
        (MathOp.CLAMP, [9, 1, 5], I32, 5),
        (MathOp.ROUND, [2.5], F32, 2.0),
        (MathOp.ROUND, [-3.5], F32, -4.0),
        (MathOp.TRUNC, [-1.5], F32, -1.0),
        (MathOp.SIGN, [math.nan], F32, 0.0),
        (MathOp.SIGN, [-3], I32, -1),
        (MathOp.STEP, [1.0, 1.0], F32, 1.0),
        (MathOp.SQRT, [2.0], F32, float(np.sqrt(np.float32(2)))),
        (MathOp.EXP, [1.0], F32, float(np.float32(math.e))),
        (MathOp.ISNAN, [math.nan], F32, True),
        (MathOp.ISINF, [-math.inf], F32, True),
        (MathOp.FMA, [1.0, 2.0, 3.0], F32, None),  # fused or not: the device decides
        (MathOp.LOG, [0.0], F32, None),
        (MathOp.COPYSIGN, [2.0, -0.0], F32, -2.0),
        (MathOp.COPYSIGN, [2.0, -math.nan], F32, None),  # a Python float does not keep the bits of a NaN
    ],
)
def test_functions(op, args, type_, expected):
    assert arithmetic.call(op, args, type_) == expected
