"""The builder of expressions: types of results, and numbers that take the type of the other operand."""

from __future__ import annotations

import math
import struct

import pytest

from gpucore.ir import (
    BOOL,
    F16,
    F32,
    I32,
    I64,
    U8,
    U32,
    BinaryOp,
    Constant,
    Convert,
    Extract,
    MathOp,
    Splat,
    Value,
    VectorType,
    build,
)

_X, _V = Value(0, "x", F32), Value(1, "v", VectorType(F32, 4))


def test_a_number_takes_the_type_of_the_other_operand() -> None:
    assert build.add(_X, 1).right == Constant(1.0, F32)
    assert build.sub(2, _X).left == Constant(2.0, F32)
    assert build.mul(_V, 0.5).right == Splat(Constant(0.5, F32), _V.type)
    assert build.shr(Value(2, "n", I64), 32).right == Constant(32, I64)


def test_the_type_of_the_result_follows() -> None:
    assert build.add(_V, _V).type == _V.type
    assert build.lt(_X, 1).type == BOOL
    assert build.lt(_V, _V).type == VectorType(BOOL, 4)
    assert build.call(MathOp.DOT, _V, _V).type == F32
    assert build.call(MathOp.ISNAN, _X).type == BOOL
    assert build.select(build.eq(_X, 0), 1, _X).type == F32


@pytest.mark.parametrize("value", [0.1, 65504.0, -0.0, math.inf, 2.0**-24])
def test_floats_are_rounded_to_their_type(value: float) -> None:
    rounded = build.constant(value, F16)
    assert rounded == Constant(struct.unpack("e", struct.pack("e", value))[0], F16)


def test_what_no_constant_can_be_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit u32"):
        build.add(Value(0, "n", U32), -1)
    with pytest.raises(TypeError, match="not a constant of type i32"):
        build.add(Value(0, "n", I32), 0.5)
    with pytest.raises(TypeError, match="not a constant of type i32"):
        build.add(Value(0, "n", I32), True)
    with pytest.raises(TypeError, match="must be an expression"):
        build.binary(BinaryOp.ADD, 1, 2)


def test_constants_of_storage_types_are_converted() -> None:
    assert build.constant(200, U8) == Convert(Constant(200, I32), U8)


def test_conversions_to_the_same_type_are_the_operand() -> None:
    assert build.convert(_X, F32) is _X
    assert build.bitcast(_X, F32) is _X


def test_components_of_vectors_and_scalars() -> None:
    assert build.components(_X) == [_X]
    assert build.components(_V) == [Extract(_V, index, F32) for index in range(4)]
    assert build.construct(*build.components(_V)).type == _V.type
