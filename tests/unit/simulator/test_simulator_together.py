"""Subgroups of every size, and promises that a value is uniform, on the simulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from simulator_kernels import Draft, number

from gpucore import ir
from gpucore.errors import BackendUnavailableError, DispatchError
from gpucore.ir import BuiltinKind, SubgroupOp
from gpucore.simulator.device import SUBGROUP_SIZE_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend

COUNT = 40
LANE = ir.Builtin(BuiltinKind.LOCAL_ID, 0)
SIZES = (1, 5, 8, 32, 40, 64)


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The size of a subgroup, set as a user sets it. Of 40 invocations the last subgroup may have fewer."""
    monkeypatch.setenv(SUBGROUP_SIZE_VARIABLE, str(request.param))
    return int(request.param)


def applied(
    draft: Draft,
    op: SubgroupOp,
    values: np.ndarray[Any, Any],
    result: ir.Type,
    argument: ir.Expr | None = None,
    bits: int = 0,
) -> np.ndarray[Any, Any]:
    """One operation of 40 invocations; a bool result is stored as 0 or 1."""
    draft.workgroup_size = (COUNT, 1, 1)
    element = {"i": ir.I32, "u": ir.U32, "f": ir.F32}[values.dtype.kind]
    stored = ir.U32 if result == ir.BOOL else result
    x, out = draft.buffer("x", element), draft.buffer("out", stored)
    v, got = draft.value("v", element), draft.value("got", result)
    votes = op in (SubgroupOp.BALLOT, SubgroupOp.ANY, SubgroupOp.ALL)
    operand: ir.Expr | None = ir.Binary(ir.BinaryOp.NE, v, number(0, element), ir.BOOL) if votes else v
    if op is SubgroupOp.ELECT:
        operand = None
    body: list[ir.Stmt] = [
        ir.Load(v, ir.Place(x, LANE)),
        ir.Subgroup(got, op, operand, argument, bits=bits),
        ir.Store(ir.Place(out, LANE), ir.Convert(got, ir.U32) if result == ir.BOOL else got),
    ]
    width = ir.num_components(stored)
    shape = (COUNT, width) if width > 1 else (COUNT,)
    dtype = values.dtype if not isinstance(result, ir.VectorType) and result != ir.BOOL else np.dtype("u4")
    return draft.run(body, values, np.zeros(shape, dtype))[1]


def parts(values: np.ndarray[Any, Any], size: int) -> list[np.ndarray[Any, Any]]:
    return [values[first : first + size] for first in range(0, COUNT, size)]


INTEGERS = np.random.default_rng(3).integers(-(2**31), 2**31, COUNT).astype("i4")

REDUCTIONS: dict[SubgroupOp, Callable[[Any], Any]] = {
    SubgroupOp.ADD: lambda a: np.full(len(a), a.sum(dtype="i4")),
    SubgroupOp.MIN: lambda a: np.full(len(a), a.min()),
    SubgroupOp.MAX: lambda a: np.full(len(a), a.max()),
    SubgroupOp.INCLUSIVE_ADD: lambda a: np.cumsum(a, dtype="i4"),
    SubgroupOp.EXCLUSIVE_ADD: lambda a: np.cumsum(a, dtype="i4") - a,
}


@pytest.mark.parametrize("op", REDUCTIONS)
def test_sums_and_extremes_of_integers_wrap(draft: Draft, size: int, op: SubgroupOp) -> None:
    with np.errstate(over="ignore"):
        expected = np.concatenate([REDUCTIONS[op](part) for part in parts(INTEGERS, size)])
    assert applied(draft, op, INTEGERS, ir.I32).tolist() == expected.tolist()


def test_sums_of_unsigned_integers_wrap(draft: Draft, size: int) -> None:
    values = np.full(COUNT, 0xFFFFFFFF, "u4")
    expected = [(-len(part)) % 2**32 for part in parts(values, size) for _ in part]
    assert applied(draft, SubgroupOp.ADD, values, ir.U32).tolist() == expected


@pytest.mark.parametrize("op", [SubgroupOp.ADD, SubgroupOp.MIN, SubgroupOp.MAX, SubgroupOp.EXCLUSIVE_ADD])
def test_floats(draft: Draft, size: int, op: SubgroupOp) -> None:
    values = np.arange(COUNT, dtype="f4") - 7
    function = {SubgroupOp.ADD: np.sum, SubgroupOp.MIN: np.min, SubgroupOp.MAX: np.max}.get(op)
    for part, got in zip(parts(values, size), parts(applied(draft, op, values, ir.F32), size), strict=True):
        expected = np.full(len(part), function(part)) if function else np.cumsum(part) - part
        assert got.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("op", "argument", "source"),
    [
        (SubgroupOp.BROADCAST, 0, lambda lane: 0),
        (SubgroupOp.SHUFFLE_XOR, 1, lambda lane: lane ^ 1),
        (SubgroupOp.SHUFFLE_UP, 2, lambda lane: lane - 2),
        (SubgroupOp.SHUFFLE_DOWN, 3, lambda lane: lane + 3),
    ],
)
def test_shuffles(draft: Draft, size: int, op: SubgroupOp, argument: int, source: Callable[[int], int]) -> None:
    """A lane that takes from one that does not exist keeps its own value."""
    got = applied(draft, op, INTEGERS, ir.I32, number(argument, ir.U32))
    expected = [
        part[source(lane)] if 0 <= source(lane) < len(part) else part[lane]
        for part in parts(INTEGERS, size)
        for lane in range(len(part))
    ]
    assert got.tolist() == [int(value) for value in expected]


def test_votes(draft: Draft, size: int) -> None:
    values = np.arange(COUNT, dtype="i4") % 3
    got = applied(draft, SubgroupOp.BALLOT, values, ir.VectorType(ir.U32, 4))
    expected = []
    for part in parts(values, size):
        bits = sum(1 << lane for lane, value in enumerate(part) if value)
        expected += [[bits >> 32 * word & 0xFFFFFFFF for word in range(4)]] * len(part)
    assert got.tolist() == expected
    for op, function in ((SubgroupOp.ANY, any), (SubgroupOp.ALL, all)):
        votes = applied(Draft(), op, values, ir.BOOL)
        assert votes.tolist() == [int(function(part)) for part in parts(values, size) for _ in part]


@pytest.mark.parametrize("bits", [1, 2, 32])
def test_matches(draft: Draft, size: int, bits: int) -> None:
    values = np.arange(COUNT, dtype="i4") % 5 - 2
    got = applied(draft, SubgroupOp.MATCH, values, ir.VectorType(ir.U32, 4), bits=bits)
    expected = []
    for part in parts(values.view("u4") & np.uint32(2**bits - 1), size):
        masks = [sum(1 << lane for lane, value in enumerate(part) if value == own) for own in part]
        expected += [[mask >> 32 * word & 0xFFFFFFFF for word in range(4)] for mask in masks]
    assert got.tolist() == expected


def test_one_lane_of_each_subgroup_is_elected(draft: Draft, size: int) -> None:
    got = applied(draft, SubgroupOp.ELECT, INTEGERS, ir.BOOL)
    assert np.flatnonzero(got).tolist() == list(range(0, COUNT, size))


def test_ids(draft: Draft, size: int) -> None:
    draft.workgroup_size = (COUNT // 2, 2, 1)  # invocations are counted x first
    out = draft.buffer("out", ir.I32)
    flat = ir.Binary(
        ir.BinaryOp.ADD,
        ir.Binary(ir.BinaryOp.MUL, ir.Builtin(BuiltinKind.LOCAL_ID, 1), number(COUNT // 2), ir.I32),
        LANE,
        ir.I32,
    )
    kinds = (
        BuiltinKind.SUBGROUP_SIZE,
        BuiltinKind.SUBGROUP_ID,
        BuiltinKind.SUBGROUP_INVOCATION_ID,
        BuiltinKind.NUM_SUBGROUPS,
    )
    body = [
        ir.Store(ir.Place(out, ir.Binary(ir.BinaryOp.ADD, flat, number(COUNT * row), ir.I32)), ir.Builtin(kind, 0))
        for row, kind in enumerate(kinds)
    ]
    (got,) = draft.run(body, np.zeros(4 * COUNT, "i4"))
    numbers = np.arange(COUNT)
    expected = [np.full(COUNT, size), numbers // size, numbers % size, np.full(COUNT, -(-COUNT // size))]
    assert got.reshape(4, COUNT).tolist() == [list(row) for row in expected]


def test_the_device_tells_its_size(size: int) -> None:
    limits = SimulatorBackend().open(0).info.limits
    assert (limits.min_subgroup_size, limits.max_subgroup_size) == (size, size)


@pytest.mark.parametrize("text", ["0", "65", "many", "-1", "3.5"])
def test_other_sizes_are_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(SUBGROUP_SIZE_VARIABLE, text)
    with pytest.raises(BackendUnavailableError, match="whole number from 1 to 64"):
        SimulatorBackend().open(0)


def uniform(draft: Draft, expr: ir.Expr) -> list[ir.Stmt]:
    draft.workgroup_size = (4, 1, 1)
    out, value = draft.buffer("out", ir.I32), draft.value("value", ir.I32)
    return [ir.Uniform(value, expr), ir.Store(ir.Place(out, LANE), value)]


def test_a_kept_promise_gives_the_value(draft: Draft) -> None:
    body = uniform(draft, number(6))
    assert draft.run(body, np.zeros(4, "i4"))[0].tolist() == [6] * 4


def test_a_broken_promise_is_told(draft: Draft) -> None:
    body = uniform(draft, LANE)
    with pytest.raises(
        DispatchError, match=r"gp.assume_uniform differs .* it is 0 for local_id \(0, 0, 0\), 1 for local_id \(1"
    ):
        draft.run(body, np.zeros(4, "i4"))
