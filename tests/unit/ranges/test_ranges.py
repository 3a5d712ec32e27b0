"""Intervals: single facts, and that no value ever lies outside (every operator, by search through small boxes)."""

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.ir import (
    BOOL,
    F32,
    I32,
    I64,
    U32,
    ArgumentOrigin,
    Assign,
    Binary,
    BinaryOp,
    Bitcast,
    Buffer,
    Builtin,
    BuiltinKind,
    Call,
    Constant,
    Construct,
    Convert,
    Declare,
    Extract,
    ForRange,
    Let,
    Load,
    Local,
    MathOp,
    Module,
    Param,
    Place,
    Select,
    ShapeOrigin,
    Splat,
    Unary,
    UnaryOp,
    Value,
    VectorType,
)
from gpucore.ir.ranges import Interval, Ranges, type_interval
from gpucore.passes import arithmetic

MOST = 2**31 - 1
SIZE, ANY = Param(0, "x.shape[0]", I32), Param(1, "a", I32)
LID, WID, NUM = (
    Builtin(kind, 0) for kind in (BuiltinKind.LOCAL_ID, BuiltinKind.WORKGROUP_ID, BuiltinKind.NUM_WORKGROUPS)
)


def c(value, type_=I32):
    return Constant(value, type_)


def op(kind, left, right, type_=None):
    return Binary(kind, left, right, type_ or left.type)


def module(*body):
    buffer = Buffer(0, "x", I32, True, False)
    origins = (ShapeOrigin("x", 0), ArgumentOrigin("a"))
    return Module("k", (256, 4, 1), (buffer,), (SIZE, ANY), origins, (), tuple(body))


def of(expr, *body):
    return Ranges(module(*body)).interval(expr)


def test_leaves():
    assert of(c(7)) == Interval(7, 7)
    assert of(Constant(True, BOOL)) == Interval(1, 1)
    assert of(LID) == Interval(0, 255)
    assert of(Builtin(BuiltinKind.LOCAL_ID, 2)) == Interval(0, 0)
    assert of(WID) == Interval(0, (MOST + 1) // 256 - 1)
    assert of(Builtin(BuiltinKind.NUM_WORKGROUPS, 1)) == Interval(1, (MOST + 1) // 4)
    assert of(SIZE) == Interval(0, MOST)
    assert of(ANY) == type_interval(I32) == Interval(-(2**31), MOST)


def test_a_global_id_does_not_overflow():
    ranges = Ranges(module())
    scaled = op(BinaryOp.MUL, WID, c(256))
    global_id = op(BinaryOp.ADD, scaled, LID)
    assert not ranges.may_overflow(scaled)
    assert not ranges.may_overflow(global_id)
    assert ranges.interval(global_id) == Interval(0, MOST)
    assert ranges.may_overflow(op(BinaryOp.MUL, global_id, c(2)))
    assert ranges.interval(op(BinaryOp.MUL, global_id, c(2))) == type_interval(I32)


def test_values_loads_locals_and_counters():
    row, loaded, counter = Value(0, "row", I32), Value(1, "e", I32), Value(2, "k", I32)
    variable, inner = Local(3, "v", I32), Value(4, "inner", I32)
    ranges = Ranges(
        module(
            Let(row, op(BinaryOp.FLOOR_DIV, LID, c(16))),
            Load(loaded, Place(Buffer(0, "x", I32, True, False), row)),
            Declare(variable),
            Assign(variable, row),
            ForRange(counter, row, SIZE, (Let(inner, op(BinaryOp.FLOOR_MOD, counter, c(8))),)),
        )
    )
    assert ranges.interval(row) == Interval(0, 15)
    assert ranges.interval(loaded) == ranges.interval(variable) == type_interval(I32)
    assert ranges.interval(counter) == Interval(0, MOST - 1)
    assert ranges.interval(inner) == Interval(0, 7)
    assert not ranges.may_overflow(op(BinaryOp.ADD, counter, c(1)))


def test_a_loop_that_never_runs():
    counter = Value(0, "k", I32)
    assert of(counter, ForRange(counter, c(9), c(3), ())) == Interval(9, 9)


def test_conversions_and_vectors():
    pair = VectorType(I32, 2)
    assert of(Convert(LID, U32)) == Interval(0, 255)
    assert of(Convert(c(-1), U32)) == type_interval(U32)
    assert of(Convert(ANY, I64)) == type_interval(I32)
    assert of(Convert(op(BinaryOp.LT, LID, ANY, BOOL), I32)) == Interval(0, 1)
    assert of(Convert(c(1.5, F32), I32)) == type_interval(I32)
    assert of(Bitcast(LID, U32)) == Interval(0, 255)
    assert of(Bitcast(c(1.5, F32), U32)) == type_interval(U32)
    assert of(Construct((LID, c(-3)), pair)) == Interval(-3, 255)
    assert of(Extract(Splat(LID, pair), 1, I32)) == Interval(0, 255)
    assert of(Select(op(BinaryOp.LT, LID, ANY, BOOL), LID, c(-1), I32)) == Interval(-1, 255)


def test_functions():
    assert of(Call(MathOp.MIN, (ANY, c(9)), I32)) == Interval(-(2**31), 9)
    assert of(Call(MathOp.CLAMP, (ANY, c(0), c(9)), I32)) == Interval(0, 9)
    assert of(Call(MathOp.ABS, (op(BinaryOp.SUB, LID, c(300)),), I32)) == Interval(45, 300)
    assert of(Call(MathOp.ABS, (ANY,), I32)) == type_interval(I32)  # abs(INT_MIN) = INT_MIN
    assert of(Call(MathOp.CLZ, (ANY,), I32)) == Interval(0, 32)


def test_overflow_of_single_operators():
    ranges = Ranges(module())
    assert ranges.may_overflow(Unary(UnaryOp.NEG, ANY, I32))
    assert not ranges.may_overflow(Unary(UnaryOp.NEG, LID, I32))
    assert ranges.may_overflow(Unary(UnaryOp.NEG, c(1, U32), U32))
    assert not ranges.may_overflow(Unary(UnaryOp.INVERT, c(1, U32), U32))
    assert ranges.may_overflow(op(BinaryOp.FLOOR_DIV, ANY, ANY))  # INT_MIN // -1
    assert not ranges.may_overflow(op(BinaryOp.FLOOR_DIV, ANY, c(2)))
    assert not ranges.may_overflow(op(BinaryOp.FLOOR_MOD, ANY, ANY))
    assert not ranges.may_overflow(op(BinaryOp.SHL, LID, c(8)))
    assert ranges.may_overflow(op(BinaryOp.SHL, LID, c(24)))
    assert not ranges.may_overflow(op(BinaryOp.ADD, c(1.0, F32), c(2.0, F32)))


def test_long_chains_of_values_do_not_recurse():
    body, previous = [], LID
    for number in range(5000):
        value = Value(number, "v", I32)
        body.append(Let(value, op(BinaryOp.ADD, previous, c(1))))
        previous = value
    assert of(previous, *body) == Interval(5000, 5255)


OPS = [
    BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD, BinaryOp.TRUNC_DIV,
    BinaryOp.TRUNC_REM, BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR, BinaryOp.SHL, BinaryOp.SHR,
]  # fmt: skip


def boxes(type_):
    low = [-9, -2, -1, 0, 1, 3, 30, type_.min_value, type_.max_value - 7]
    starts = st.sampled_from([value for value in low if value >= type_.min_value])
    return st.tuples(starts, st.integers(0, 7)).map(lambda box: (box[0], min(box[0] + box[1], type_.max_value)))


WIDE = dataclasses.replace(I32, name="i256", bits=256)


def exact(kind, a, b, type_):
    """The result in a type so wide that nothing wraps, with shift counts of the narrow type."""
    if kind in (BinaryOp.SHL, BinaryOp.SHR):
        b %= type_.bits
    return arithmetic.binary(kind, a, b, WIDE)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(OPS), st.sampled_from([I32, U32]).flatmap(lambda t: st.tuples(st.just(t), boxes(t), boxes(t))))
def test_every_result_lies_in_the_interval(kind, case):
    type_, first, second = case
    a, b = Value(0, "a", type_), Value(1, "b", type_)
    body = [
        ForRange(counter, c(low, type_), c(min(high + 1, type_.max_value), type_), ())
        for counter, (low, high) in ((a, first), (b, second))
    ]
    ranges = Ranges(module(*body))
    expr = op(kind, a, b)
    found = ranges.interval(expr)
    overflows = False
    for x in range(ranges.interval(a).lo, ranges.interval(a).hi + 1):
        for y in range(ranges.interval(b).lo, ranges.interval(b).hi + 1):
            assert arithmetic.binary(kind, x, y, type_) in found
            overflows |= exact(kind, x, y, type_) not in type_interval(type_)
    assert ranges.may_overflow(expr) or not overflows
