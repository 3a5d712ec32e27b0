"""emulate_subgroups: every operation against a plain model, for whole, partial and single-invocation subgroups."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from emulated import run_plainly

from gpucore.ir import (
    BOOL,
    F32,
    I32,
    MASKS,
    U32,
    Assign,
    Barrier,
    Binary,
    BinaryOp,
    Bitcast,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    Convert,
    Declare,
    Expr,
    Extract,
    ForRange,
    Let,
    Limits,
    Load,
    Local,
    Module,
    Place,
    ScalarType,
    Select,
    Stmt,
    Store,
    Subgroup,
    SubgroupOp,
    Type,
    Value,
    VectorType,
    print_module,
)
from gpucore.passes import emulate, run
from gpucore.passes.subgroups import emulate_subgroups
from gpucore.span import Span
from gpucore.valid import validate

X = Buffer(0, "x", U32, True, False)
Y = Buffer(1, "y", U32, False, True)
SHAPES = [((8, 1, 1), 8), ((20, 1, 1), 8), ((3, 1, 1), 8), ((1, 1, 1), 8), ((6, 1, 1), 1), ((5, 3, 2), 4),
          ((2, 2, 1), 16), ((40, 1, 1), 33)]  # fmt: skip
SPAN = Span("kernel.py", 7, 4, 7, 9)


def position(size: tuple[int, int, int]) -> Expr:
    x, y, z = (Builtin(BuiltinKind.LOCAL_ID, axis) for axis in range(3))
    rows = Binary(BinaryOp.ADD, Binary(BinaryOp.MUL, z, Constant(size[1], I32), I32), y, I32)
    return Binary(BinaryOp.ADD, Binary(BinaryOp.MUL, rows, Constant(size[0], I32), I32), x, I32)


def kernel(size: tuple[int, int, int], body: Callable[[Expr], list[Stmt]]) -> Module:
    return Module("k", size, (X, Y), (), (), (), tuple(body(position(size))))


def one_operation(
    size: tuple[int, int, int], op: SubgroupOp, type: ScalarType, argument: Expr | None, bits: int = 0
) -> Module:
    """y[i] = op(x[i]), as bits; of a ballot or a match of `bits` bits, four words each."""

    def body(i: Expr) -> list[Stmt]:
        word, operand = Value(1, "word", U32), Value(2, "operand", type)
        result: Type = VectorType(U32, 4) if op in MASKS else BOOL if op is SubgroupOp.ELECT else type
        value = Value(3, "result", result)
        odd = Binary(BinaryOp.NE, Binary(BinaryOp.BIT_AND, word, Constant(1, U32), U32), Constant(0, U32), BOOL)
        given = odd if type == BOOL else word if type == U32 else Bitcast(word, type)
        statements: list[Stmt] = [
            Load(word, Place(X, i)),
            Let(operand, given),
            Subgroup(value, op, None if op is SubgroupOp.ELECT else operand, argument, SPAN, bits),
        ]
        if op in MASKS:
            first = Binary(BinaryOp.MUL, i, Constant(4, I32), I32)
            for part in range(4):
                at = Binary(BinaryOp.ADD, first, Constant(part, I32), I32)
                statements.append(Store(Place(Y, at), Extract(value, part, U32)))
            return statements
        if result == BOOL:
            return [*statements, Store(Place(Y, i), Select(value, Constant(1, U32), Constant(0, U32), U32))]
        return [*statements, Store(Place(Y, i), value if type == U32 else Bitcast(value, U32))]

    return kernel(size, body)


def groups(count: int, size: int) -> list[range]:
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def emulated_result(module: Module, size: int, operands: np.ndarray, words: int = 1) -> np.ndarray:
    out = np.zeros(words * operands.size, np.uint32)
    return run_plainly(emulate_subgroups(module, size), [operands.view(np.uint32), out])[1]


@pytest.mark.parametrize(("shape", "size"), SHAPES)
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.float32])
def test_reductions_and_scans(shape: tuple[int, int, int], size: int, dtype: type) -> None:
    count = int(np.prod(shape))
    random = np.random.default_rng(count)
    if dtype is np.float32:
        operands = random.normal(0, 1e3, count).astype(np.float32)
    else:
        operands = random.integers(0, 2**32, count, dtype=np.uint64).astype(np.uint32).view(dtype)
    type = {np.int32: I32, np.uint32: U32, np.float32: F32}[dtype]
    expected = {op: np.zeros(count, dtype) for op in REDUCTIONS}
    for group in groups(count, size):
        inclusive = np.add.accumulate(operands[list(group)], dtype=dtype)  # in order of invocation, rounded each time
        expected[SubgroupOp.ADD][list(group)] = inclusive[-1]
        expected[SubgroupOp.MIN][list(group)] = operands[list(group)].min()
        expected[SubgroupOp.MAX][list(group)] = operands[list(group)].max()
        expected[SubgroupOp.INCLUSIVE_ADD][list(group)] = inclusive
        expected[SubgroupOp.EXCLUSIVE_ADD][list(group)] = [dtype(0), *inclusive[:-1]]
    for op in REDUCTIONS:
        found = emulated_result(one_operation(shape, op, type, None), size, operands)
        np.testing.assert_array_equal(found.view(dtype), expected[op], err_msg=op.value)


REDUCTIONS = (
    SubgroupOp.ADD, SubgroupOp.MIN, SubgroupOp.MAX, SubgroupOp.INCLUSIVE_ADD, SubgroupOp.EXCLUSIVE_ADD,
)  # fmt: skip
SOURCES: dict[SubgroupOp, Callable[[int, int], int]] = {
    SubgroupOp.BROADCAST: lambda lane, given: given,
    SubgroupOp.SHUFFLE: lambda lane, given: given,
    SubgroupOp.SHUFFLE_XOR: lambda lane, given: lane ^ given,
    SubgroupOp.SHUFFLE_UP: lambda lane, given: lane - given,
    SubgroupOp.SHUFFLE_DOWN: lambda lane, given: lane + given,
}


@pytest.mark.parametrize(("shape", "size"), SHAPES)
@pytest.mark.parametrize("op", SOURCES)
@pytest.mark.parametrize("given", [0, 1, 3, 7, 100, 2**32 - 1])
def test_shuffles_give_the_own_operand_for_invocations_that_do_not_exist(
    shape: tuple[int, int, int], size: int, op: SubgroupOp, given: int
) -> None:
    count = int(np.prod(shape))
    operands = np.arange(count, dtype=np.float32) + np.float32(0.5)
    expected = operands.copy()
    for group in groups(count, size):
        for lane, invocation in enumerate(group):
            source = SOURCES[op](lane, given)
            if 0 <= source < len(group):
                expected[invocation] = operands[group[source]]
    found = emulated_result(one_operation(shape, op, F32, Constant(given, U32)), size, operands)
    np.testing.assert_array_equal(found.view(np.float32), expected)


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_votes_and_ballots_count_existing_invocations_only(shape: tuple[int, int, int], size: int) -> None:
    count = int(np.prod(shape))
    for operands in (np.arange(count) % 3, np.zeros(count), np.ones(count)):
        bits = operands.astype(np.uint32) & 1
        votes = {op: np.zeros(count, np.uint32) for op in (SubgroupOp.ANY, SubgroupOp.ALL)}
        ballot = np.zeros((count, 4), np.uint32)
        elected = np.zeros(count, np.uint32)
        for group in groups(count, size):
            mask = sum(int(bits[invocation]) << lane for lane, invocation in enumerate(group))
            votes[SubgroupOp.ANY][list(group)] = mask != 0
            votes[SubgroupOp.ALL][list(group)] = mask == (1 << len(group)) - 1
            ballot[list(group)] = [mask >> 32 * word & 0xFFFFFFFF for word in range(4)]
            elected[group[0]] = 1
        for op, expected in votes.items():
            found = emulated_result(one_operation(shape, op, BOOL, None), size, bits)
            np.testing.assert_array_equal(found, expected, err_msg=op.value)
        found = emulated_result(one_operation(shape, SubgroupOp.BALLOT, BOOL, None), size, bits, words=4)
        np.testing.assert_array_equal(found.reshape(count, 4), ballot)
        found = emulated_result(one_operation(shape, SubgroupOp.ELECT, U32, None), size, bits)
        np.testing.assert_array_equal(found, elected)


@pytest.mark.parametrize(("shape", "size"), SHAPES)
@pytest.mark.parametrize(("bits", "type"), [(1, U32), (3, I32), (32, I32)])
def test_matches_have_the_existing_invocations_with_the_same_lowest_bits(
    shape: tuple[int, int, int], size: int, bits: int, type: ScalarType
) -> None:
    count = int(np.prod(shape))
    operands = np.random.default_rng(count).integers(-5, 5, count).astype(np.int32)
    low = operands.view(np.uint32) & np.uint32(2**bits - 1)
    expected = np.zeros((count, 4), np.uint32)
    for group in groups(count, size):
        for invocation in group:
            mask = sum(1 << lane for lane, other in enumerate(group) if low[other] == low[invocation])
            expected[invocation] = [mask >> 32 * word & 0xFFFFFFFF for word in range(4)]
    found = emulated_result(one_operation(shape, SubgroupOp.MATCH, type, None, bits), size, operands, words=4)
    np.testing.assert_array_equal(found.reshape(count, 4), expected)


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_builtins(shape: tuple[int, int, int], size: int) -> None:
    kinds = (
        BuiltinKind.SUBGROUP_SIZE, BuiltinKind.NUM_SUBGROUPS, BuiltinKind.SUBGROUP_ID,
        BuiltinKind.SUBGROUP_INVOCATION_ID,
    )  # fmt: skip

    def body(i: Expr) -> list[Stmt]:
        first = Binary(BinaryOp.MUL, i, Constant(4, I32), I32)
        at = [Binary(BinaryOp.ADD, first, Constant(number, I32), I32) for number in range(4)]
        return [Store(Place(Y, at[n]), Convert(Builtin(kind, 0), U32)) for n, kind in enumerate(kinds)]

    count = int(np.prod(shape))
    found = emulated_result(kernel(shape, body), size, np.zeros(count, np.uint32), words=4)
    numbers = np.arange(count)
    expected = np.stack([numbers * 0 + size, numbers * 0, numbers // size, numbers % size], axis=1)
    expected[:, 1] = -(-count // size)
    np.testing.assert_array_equal(found.reshape(count, 4), expected)


def test_operations_in_a_loop_and_a_branch_do_not_disturb_each_other() -> None:
    """Each round sums what the round before gave; the array is used again before all could be ahead."""

    def body(i: Expr) -> list[Stmt]:
        total, total_of = Local(1, "total", U32), Value(3, "total_of", U32)
        bits, counter, up = Value(2, "bits", U32), Value(4, "k", I32), Value(5, "up", U32)
        step = (
            Subgroup(total_of, SubgroupOp.ADD, total),
            Subgroup(up, SubgroupOp.SHUFFLE_UP, total_of, Constant(1, U32)),
            Assign(total, Binary(BinaryOp.ADD, up, total, U32)),
        )
        return [
            Load(bits, Place(X, i)),
            Declare(total, bits),
            ForRange(counter, Constant(0, I32), Constant(3, I32), step),
            Store(Place(Y, i), total),
        ]

    operands = np.arange(20, dtype=np.uint32)
    expected = operands.astype(np.uint64)
    for _ in range(3):
        sums = np.concatenate([np.full(len(group), expected[list(group)].sum()) for group in groups(20, 8)])
        expected = expected + sums
    np.testing.assert_array_equal(emulated_result(kernel((20, 1, 1), body), 8, operands), expected)


def test_spans_are_kept_and_other_kernels_are_left_alone() -> None:
    module = one_operation((8, 1, 1), SubgroupOp.ADD, U32, None)
    made = emulate_subgroups(module)
    assert "barrier of workgroup memory\n" in print_module(made)
    assert all(s.span == SPAN for s in made.body[6:-1])
    plain = kernel((8, 1, 1), lambda i: [Store(Place(Y, i), Constant(1, U32))])
    assert emulate_subgroups(plain) is plain
    assert emulate(module, frozenset({Capability.SUBGROUP})) is module


def test_a_barrier_of_a_subgroup_becomes_one_of_the_workgroup() -> None:
    """On a device without subgroups, and on one that cannot order memory within them; inside of loops too."""
    loop = ForRange(
        Value(1, "k", I32), Constant(0, I32), Constant(3, I32), (Subgroup(None, SubgroupOp.BARRIER, span=SPAN),)
    )
    module = kernel((8, 1, 1), lambda i: [loop, Store(Place(Y, i), Constant(1, U32))])
    for capabilities in (frozenset[Capability](), frozenset({Capability.SUBGROUP})):
        made = emulate(module, capabilities)
        assert isinstance(made.body[-2], ForRange)
        assert made.body[-2].body == (Barrier(SPAN),)
    assert emulate(module, frozenset({Capability.SUBGROUP, Capability.SUBGROUP_BARRIER})) is module


def test_nothing_is_left_of_an_operation_that_needs_no_memory() -> None:
    made = run(emulate(one_operation((20, 1, 1), SubgroupOp.ELECT, U32, None), frozenset()))
    assert made.workgroup_arrays == ()
    assert "barrier" not in print_module(made)
    validate(made, frozenset(), Limits())
