"""Comparisons with 0 that the interval of an operand decides, and the loops over ranges that become plain by them."""

import itertools

import pytest

import gpucore as gp
from gpucore.ir import I32, ArgumentOrigin, BinaryOp, Buffer, Constant, Module, Param, Place, Store, build
from gpucore.passes.folding import fold

N = Param(0, "n", I32)
OPERATORS = {
    BinaryOp.EQ: int.__eq__, BinaryOp.NE: int.__ne__, BinaryOp.LT: int.__lt__, BinaryOp.LE: int.__le__,
    BinaryOp.GT: int.__gt__, BinaryOp.GE: int.__ge__,
}  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.name)
def test_a_comparison_is_decided_exactly_where_all_numbers_agree(op):
    """n & 3 is from 0 to 3, so (n & 3) + low is from low to low + 3; a mask of 0 leaves one number."""
    for low, mask in itertools.product(range(-5, 3), (0, 1, 3)):
        left = build.add(build.bit_and(N, mask), low)
        values = {OPERATORS[op](low + x, 0) for x in range(mask + 1)}
        condition = build.binary(op, left, 0)
        out = Store(Place(Buffer(0, "y", I32, True, True), Constant(0, I32)), build.select(condition, 7, N))
        folded = fold(Module("k", (64, 1, 1), (out.place.memory,), (N,), (ArgumentOrigin("n"),), (), (out,)))
        expr = folded.body[0].expr
        found = {True} if expr == Constant(7, I32) else {False} if expr == N else {True, False}
        assert found == values, (low, mask)


@gp.kernel
def by_workgroups(x: gp.InOut[gp.i32]):
    for k in range(gp.global_id(0), x.size, gp.num_workgroups(0)):
        x[k] += 1


@gp.kernel
def by_a_parameter(x: gp.InOut[gp.i32], step: gp.i32):
    for k in range(gp.global_id(0), x.size, step):
        x[k] += 1


def test_a_step_of_known_sign_has_no_tests_of_it():
    assert "gridDim.x > 0" not in by_workgroups.source("cuda")
    assert "step > 0" in by_a_parameter.source("cuda")
