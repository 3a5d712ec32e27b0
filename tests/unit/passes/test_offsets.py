"""separate_offsets: the same indices, as a common part and constants, also where arithmetic wraps."""

import random

import pytest

from gpucore.ir import (
    F16,
    I32,
    U32,
    ArgumentOrigin,
    BinaryOp,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    Extract,
    Let,
    MatrixLoad,
    Module,
    Param,
    Place,
    Store,
    Value,
    VectorType,
    WorkgroupArray,
    walk,
)
from gpucore.ir.build import add, bit_and, bit_xor, convert, mul, shl, shr, sub
from gpucore.ir.expressions import Binary
from gpucore.passes.offsets import separate_offsets

LID = Builtin(BuiltinKind.LOCAL_ID, 0)
TILES = WorkgroupArray(1, "tiles", F16, 1 << 16)
Y = Buffer(0, "y", U32, False, True)
N, STAGE = Param(0, "n", I32), Value(90, "stage", I32)
C = Constant


def module(lets, index):
    """A kernel that reads a matrix at an index and stores it."""
    read = Value(99, "read", VectorType(U32, 4))
    made = (
        Let(STAGE, N),
        *lets,
        MatrixLoad(read, Place(TILES, index), False),
        Store(Place(Y, LID), Extract(read, 0, U32)),
    )
    return Module("reads", (32, 1, 1), (Y,), (N,), (ArgumentOrigin("n"),), (TILES,), made)


def read_index(made):
    return next(s.place.index for s in walk.statements(made.body) if isinstance(s, MatrixLoad))


def value_of(expr, known):
    """An i32 or u32 as a number modulo 2**32."""
    match expr:
        case Constant(value):
            return value % 2**32
        case Binary(op, left, right):
            a, b = value_of(left, known), value_of(right, known)
            made = {"ADD": a + b, "SUB": a - b, "MUL": a * b, "SHL": a << b % 32, "BIT_AND": a & b, "BIT_XOR": a ^ b}[
                op.name
            ]
            return made % 2**32
        case _ if hasattr(expr, "operand"):
            return value_of(expr.operand, known)
    found = known[expr]
    return found if isinstance(found, int) else value_of(found, known)


def test_the_constant_comes_last_and_the_rest_is_shared() -> None:
    row = Value(91, "row", I32)
    index = add(mul(add(mul(STAGE, 128), row), 72), add(LID, 8))
    found = [read_index(separate_offsets(module((Let(row, add(LID, down)),), index))) for down in (16, 48)]
    assert [each.right for each in found] == [C(16 * 72 + 8, I32), C(48 * 72 + 8, I32)]
    assert found[0].left == found[1].left == add(mul(LID, 73), mul(STAGE, 9216))


def test_what_does_not_change_the_lowest_bits_is_left_out() -> None:
    moved = [bit_and(bit_xor(LID, add(mul(STAGE, 16), add(LID, down))), 7) for down in (3, 35, 43)]
    found = {read_index(separate_offsets(module((), index))) for index in moved}
    assert found == {bit_xor(bit_and(LID, 7), bit_and(add(LID, 3), 7))}


def test_bits_that_are_shifted_are_the_same() -> None:
    moved = [shr(bit_and(add(LID, down), 7), 1) for down in (3, 35, 43)]
    found = {read_index(separate_offsets(module((), index))) for index in moved}
    assert found == {shr(bit_and(add(LID, 3), 7), 1)}


@pytest.mark.parametrize("seed", range(400))
def test_indices_stay_the_same(seed: int) -> None:
    rng = random.Random(seed)
    known = {LID: 31, STAGE: rng.randrange(2**32), N: 5}
    lets = []

    def drawn(depth, type_):
        if depth == 0:
            leaf = rng.choice([LID, STAGE, C(rng.choice([-7, 0, 1, 72, 2**30]), I32)])
            return leaf if type_ is I32 else convert(leaf, U32)
        op = rng.choice([add, sub, mul, shl, bit_xor, bit_and, "convert", "let"])
        if op == "convert":
            other = U32 if type_ is I32 else I32
            return convert(drawn(depth - 1, other), type_)
        if op == "let":
            expr = drawn(depth - 1, type_)
            value = Value(100 + len(lets), "v", type_)
            lets.append(Let(value, expr))
            known[value] = expr
            return value
        few = {shl: [0, 1, 3, 31], bit_and: [1, 7, 255, 2**31 - 1, 6, 0] + [2**32 - 1] * (type_ is U32)}.get(op)
        right = C(rng.choice(few), type_) if few else drawn(depth - 1, type_)
        return op(drawn(depth - 1, type_), right)

    index = drawn(5, I32)
    lets.sort(key=lambda let: let.value.id)
    found = read_index(separate_offsets(module(tuple(lets), index)))
    assert found.type == I32 and value_of(found, known) == value_of(index, known)


def test_long_and_branching_definitions_take_no_time() -> None:
    """Of Fibonacci's numbers, of which each is the sum of two values, and of a thousand sums in each other."""
    lets, a, b = [], LID, STAGE
    for number in range(60):
        value = Value(100 + number, "v", I32)
        lets.append(Let(value, add(a, b)))
        a, b = b, value
    assert read_index(separate_offsets(module(tuple(lets), a))).op is BinaryOp.ADD
    lets, last = [], STAGE
    for number in range(1000):
        value = Value(100 + number, "v", I32)
        lets.append(Let(value, add(last, Value(5000 + number, "w", I32))))
        last = value
    separate_offsets(module(tuple(lets), last))
