"""Checked runs of kernels built by hand: what invocations do together, bounds of each axis, assertions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from simulator_kernels import Draft, number, place_of

from gpucore import ir
from gpucore.findings import Finding
from gpucore.ir import BinaryOp, BuiltinKind, DebugKind, SubgroupOp
from gpucore.ir.build import binary
from gpucore.simulator.checking import Dispatch, Options, Watch, emit_checked, run_checked, try_missing_lanes

LANE = ir.Builtin(BuiltinKind.LOCAL_ID, 0)
HERE, THERE = place_of("v = x[i]"), place_of("x[i] = v + v")


def checked(draft: Draft, body: list[ir.Stmt], *arrays: np.ndarray[Any, Any], **options: Any) -> tuple[Finding, ...]:
    """The findings of one run of one workgroup, ascending ids."""
    watch = Watch()
    program = emit_checked(draft.valid(body), Options(**options))
    contents = tuple(array.view(np.uint8).reshape(-1) for array in arrays)
    dispatch = Dispatch(contents, (None,) * len(arrays), b"", (1, 1, 1))
    result = run_checked(program, dispatch, watch, list)
    if result.missing:
        try_missing_lanes(program, dispatch, watch, result)
    return watch.findings


def codes(findings: tuple[Finding, ...]) -> list[tuple[str, tuple[int, ...]]]:
    return [(finding.code, finding.lines) for finding in findings]


def branch_on_lane(*then: ir.Stmt, orelse: tuple[ir.Stmt, ...] = ()) -> ir.If:
    return ir.If(ir.Binary(BinaryOp.LT, LANE, number(2), ir.BOOL), then, orelse, HERE)


def test_a_barrier_that_some_never_reach(draft: Draft) -> None:
    draft.workgroup_size = (4, 1, 1)
    (finding,) = checked(draft, [branch_on_lane(ir.Barrier(HERE))])
    assert codes((finding,)) == [("GP702", (HERE.line,))]
    assert finding.message.startswith(
        "gp.barrier not reached by all invocations of workgroup (0, 0, 0): 2 of 4 are there"
    )
    assert [invocation.local_id for invocation in finding.invocations] == [(0, 0, 0), (2, 0, 0)]


def test_two_barriers_for_two_halves(draft: Draft) -> None:
    draft.workgroup_size = (4, 1, 1)
    (finding,) = checked(draft, [branch_on_lane(ir.Barrier(HERE), orelse=(ir.Barrier(THERE),))])
    assert codes((finding,)) == [("GP702", (HERE.line, THERE.line))]


def test_a_subgroup_operation_that_some_never_reach(draft: Draft) -> None:
    draft.workgroup_size = (4, 1, 1)
    operation = ir.Subgroup(draft.value("v", ir.I32), SubgroupOp.ADD, LANE, None, HERE)
    (finding,) = checked(draft, [branch_on_lane(operation)])
    assert codes((finding,)) == [("GP702", (HERE.line,))]
    assert finding.message.startswith("gp.subgroup_add not reached by all")


@pytest.mark.parametrize(("expr", "is_kept"), [(number(3), True), (LANE, False)])
def test_promises_are_tested(draft: Draft, expr: ir.Expr, is_kept: bool) -> None:
    draft.workgroup_size = (4, 1, 1)
    findings = checked(draft, [ir.Uniform(draft.value("v", ir.I32), expr, HERE)])
    assert codes(findings) == ([] if is_kept else [("GP709", (HERE.line,))])


def shuffled(
    draft: Draft, op: SubgroupOp, argument: int, count: int = 16, least: int = 0, most: int = 1 << 30
) -> list[ir.Stmt]:
    """x[lane] + what another lane has; stored by the lanes from `least` up to, not including, `most`."""
    draft.workgroup_size = (count, 1, 1)
    x, v, other = draft.buffer("x", ir.I32), draft.value("v", ir.I32), draft.value("other", ir.I32)
    is_stored = binary(
        BinaryOp.AND,
        ir.Binary(BinaryOp.GE, LANE, number(least), ir.BOOL),
        ir.Binary(BinaryOp.LT, LANE, number(most), ir.BOOL),
    )
    store = ir.Store(ir.Place(x, LANE), binary(BinaryOp.ADD, v, other), THERE)
    return [
        ir.Load(v, ir.Place(x, LANE), HERE),
        ir.Subgroup(other, op, v, number(argument, ir.U32), HERE),
        ir.If(is_stored, (store,), (), THERE),
    ]


X = np.arange(1, 17, dtype="i4")


@pytest.mark.parametrize(("size", "is_there"), [(16, True), (32, True), (8, False), (12, False)])
def test_a_butterfly_presumes_a_size(draft: Draft, size: int, is_there: bool) -> None:
    """Lane ^ 8 of 16 invocations: in subgroups of 8 or 12 there is no such lane for some."""
    findings = checked(draft, shuffled(draft, SubgroupOp.SHUFFLE_XOR, 8), X, subgroup_size=size)
    assert codes(findings) == ([] if is_there else [("GP705", (HERE.line,))])
    if not is_there:
        assert findings[0].message.startswith("gp.subgroup_shuffle_xor: lane 0 reads from lane 8") == (size == 8)


@pytest.mark.parametrize("op", [SubgroupOp.SHUFFLE, SubgroupOp.BROADCAST])
def test_a_fixed_lane_that_is_not_there(draft: Draft, op: SubgroupOp) -> None:
    findings = checked(draft, shuffled(draft, op, 20), X)
    assert codes(findings) == [("GP705", (HERE.line,))]
    assert "lane 0 reads from lane 20, and the subgroup has 16 lanes" in findings[0].message


def test_the_edge_of_a_shuffle_counts_only_where_the_result_has_it(draft: Draft) -> None:
    used = checked(draft, shuffled(draft, SubgroupOp.SHUFFLE_DOWN, 4), X, subgroup_size=16)
    assert codes(used) == [("GP705", (HERE.line,))]
    other = Draft()
    assert checked(other, shuffled(other, SubgroupOp.SHUFFLE_DOWN, 4, most=12), X, subgroup_size=16) == ()
    up = Draft()
    assert checked(up, shuffled(up, SubgroupOp.SHUFFLE_UP, 4, least=4), X, subgroup_size=16) == ()


@pytest.mark.parametrize("access", ["load", "store", "atomic"])
def test_bounds_of_each_axis(draft: Draft, access: str) -> None:
    """y[1, lane] of shape (2, 3) by four lanes: the flat index of the last is within a longer buffer."""
    draft.workgroup_size = (4, 1, 1)
    y = draft.buffer("y", ir.I32)
    place = ir.Place(y, binary(BinaryOp.ADD, number(3), LANE))
    statements: dict[str, ir.Stmt] = {
        "load": ir.Load(draft.value("v", ir.I32), place, HERE),
        "store": ir.Store(place, number(1), HERE),
        "atomic": ir.Atomic(None, ir.AtomicOp.ADD, place, number(1), span=HERE),
    }
    body: list[ir.Stmt] = [ir.Bounds(y, (number(1), LANE), (number(2), number(3)), HERE), statements[access]]
    (finding,) = checked(draft, body, np.zeros(8, "i4"))
    assert codes((finding,)) == [("GP703", (HERE.line,))]
    assert finding.message.startswith("index (1, 3) is out of range for 'y' of shape (2, 3), in axis 1, ")


def test_assertions_are_findings(draft: Draft) -> None:
    draft.workgroup_size = (4, 1, 1)
    condition = ir.Binary(BinaryOp.LT, LANE, number(2), ir.BOOL)
    (finding,) = checked(draft, [ir.Debug(DebugKind.ASSERT, ("lane ", LANE), HERE, condition)])
    assert (finding.code, finding.count) == ("GP710", 2)
    assert finding.message.startswith("assertion failed in invocation (2, 0, 0)") and finding.message.endswith(
        ": lane 2"
    )


def test_prints_and_breakpoints_are_left_out(draft: Draft, capsys: pytest.CaptureFixture[str]) -> None:
    body: list[ir.Stmt] = [ir.Debug(DebugKind.PRINT, ("text",), HERE), ir.Debug(DebugKind.BREAKPOINT, (), HERE)]
    assert checked(draft, body) == () and capsys.readouterr().out == ""
