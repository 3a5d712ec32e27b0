"""Debugging kernels: tracebacks, pdb, coverage.py and prints speak of the user's own lines."""

from __future__ import annotations

import io
import pdb
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest
from simulator_kernels import LISTING, Draft, block_sum, number, place_of, saxpy

from gpucore import ir
from gpucore.errors import DispatchError
from gpucore.ir import BinaryOp, BuiltinKind, DebugKind
from gpucore.ir.build import binary
from gpucore.span import Span

LANE = ir.Builtin(BuiltinKind.LOCAL_ID, 0)


def line_of(snippet: str) -> int:
    return place_of(snippet).line


def inspected(draft: Draft) -> list[ir.Stmt]:
    """The listing's `inspected`, with a breakpoint in its middle."""
    draft.name, draft.workgroup_size, draft.span = "inspected", (2, 1, 1), place_of("def inspected(x):")
    x, i, v = draft.buffer("x", ir.F32), draft.value("i", ir.I32), draft.value("v", ir.F32)
    return [
        ir.Let(i, LANE, place_of("i = gp.local_id(0)")),
        ir.Load(v, ir.Place(x, i), place_of("v = x[i]")),
        ir.Debug(DebugKind.BREAKPOINT, (), place_of("breakpoint()")),
        ir.Store(ir.Place(x, i), binary(BinaryOp.ADD, v, v), place_of("x[i] = v + v")),
    ]


def test_a_bad_index_is_told_in_full(draft: Draft) -> None:
    body = saxpy(draft)
    with pytest.raises(DispatchError) as caught:
        draft.run(
            body, np.zeros(10, "f4"), np.zeros(24, "f4"), params=(np.float32(1), np.int32(24)), workgroups=(3, 1, 1)
        )
    line = line_of("y[i] = a * x[i] + y[i]")
    assert str(caught.value) == (
        f"{LISTING}:{line}:9: saxpy: index 10 is out of range for 'x' of length 10, in invocation (10, 0, 0) "
        f"(local_id (2, 0, 0) of workgroup (1, 0, 0))\n"
        f" {line} |         y[i] = a * x[i] + y[i]\n"
        f"   |         ^^^^^^^^^^^^^^^^^^^^^^"
    )


def test_the_traceback_ends_at_the_users_line(draft: Draft) -> None:
    body = saxpy(draft)
    with pytest.raises(DispatchError) as caught:
        draft.run(body, np.zeros(3, "f4"), np.zeros(8, "f4"), params=(np.float32(1), np.int32(8)))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    line = line_of("y[i] = a * x[i] + y[i]")
    assert (last.filename, last.lineno, last.name) == (LISTING, line, "saxpy")
    assert last.line == "y[i] = a * x[i] + y[i]"


def test_the_traceback_of_a_kernel_with_barriers(draft: Draft) -> None:
    body = block_sum(draft)
    with pytest.raises(DispatchError, match="index 5 is out of range for 'x' of length 5") as caught:
        draft.run(body, np.zeros(5, "f4"), np.zeros(1, "f4"))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno, last.name) == (LISTING, line_of("tile[l] = x[gp.global_id(0)]"), "block_sum")


@pytest.mark.parametrize("kind", ["buffer", "workgroup", "private"])
@pytest.mark.parametrize("index", [-1, 4])
@pytest.mark.parametrize("is_store", [False, True])
def test_every_memory_refuses_both_ends(draft: Draft, kind: str, index: int, is_store: bool) -> None:
    """A negative index must not count from the end, as NumPy's and Python's would."""
    out, given = draft.buffer("out", ir.I32), draft.param("given", ir.I32)
    body: list[ir.Stmt] = []
    memory: ir.Memory = out
    if kind == "workgroup":
        memory = draft.workgroup_array("array", ir.I32, 4)
    elif kind == "private":
        memory = draft.private_array("array", ir.I32, 4)
        body.append(ir.DeclareArray(memory))
    place = ir.Place(memory, given)
    body.append(ir.Store(place, number(1)) if is_store else ir.Load(draft.value("v", ir.I32), place))
    with pytest.raises(DispatchError, match=f"kernel: index {index} is out of range for '{memory.name}' of length 4"):
        draft.run(body, np.zeros(4, "i4"), params=(np.int32(index),))


def test_an_unsigned_index_beyond_the_end(draft: Draft) -> None:
    out, given = draft.buffer("out", ir.VectorType(ir.F32, 2)), draft.param("given", ir.U32)
    body = [ir.Load(draft.value("v", ir.VectorType(ir.F32, 2)), ir.Place(out, given))]
    with pytest.raises(DispatchError, match="index 4294967295 is out of range for 'out' of length 2"):
        draft.run(body, np.zeros((2, 2), "f4"), params=(np.uint32(2**32 - 1),))


def test_an_index_that_may_be_negative_is_checked_though_it_is_never_too_large(draft: Draft) -> None:
    draft.workgroup_size = (2, 1, 1)
    tile = draft.workgroup_array("tile", ir.I32, 4)
    body = [ir.Store(ir.Place(tile, binary(BinaryOp.SUB, LANE, number(1))), number(5))]
    with pytest.raises(DispatchError, match="index -1 is out of range for 'tile' of length 4"):
        draft.run(body)


def test_a_check_in_a_branch_does_not_serve_code_behind_it(draft: Draft) -> None:
    out, flag, given = draft.buffer("out", ir.I32), draft.param("flag", ir.BOOL), draft.param("given", ir.I32)
    i = draft.value("i", ir.I32)
    body: list[ir.Stmt] = [
        ir.Let(i, given),
        ir.If(flag, (ir.Store(ir.Place(out, i), number(1)),)),
        ir.Store(ir.Place(out, i), number(2)),
    ]
    with pytest.raises(DispatchError, match="index -3"):
        draft.run(body, np.zeros(2, "i4"), params=(np.uint32(0), np.int32(-3)))


def test_code_of_a_helper_in_another_file_stands_at_the_call(draft: Draft, tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text("def load(x, i):\n    return x[i + 100]\n")
    call = place_of("v = x[i]")
    inside = Span(str(helper), 2, 11, 2, 21, "load", called_from=call)
    draft.name, draft.span = "inspected", place_of("def inspected(x):")
    x, v = draft.buffer("x", ir.F32), draft.value("v", ir.F32)
    body = [ir.Load(v, ir.Place(x, number(100)), inside)]
    with pytest.raises(DispatchError) as caught:
        draft.run(body, np.zeros(2, "f4"))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno) == (LISTING, call.line)
    assert str(caught.value).startswith(f"{helper}:2:12: inspected: index 100 is out of range for 'x' of length 2")
    assert "2 |     return x[i + 100]" in str(caught.value)


def test_coverage_counts_the_lines_that_ran(draft: Draft) -> None:
    coverage = pytest.importorskip("coverage")
    body, first = block_sum(draft), line_of("def block_sum(x, total):")
    measured = coverage.Coverage(data_file=None, include=[LISTING], config_file=False)
    measured.start()
    try:
        draft.run(body, np.ones(8, "f4"), np.zeros(1, "f4"))
    finally:
        measured.stop()
    lines = set(measured.get_data().lines(LISTING))
    assert lines == {first, *range(first + 2, first + 13)}  # line first + 1 declares the workgroup array


def test_coverage_does_not_count_a_branch_not_taken(draft: Draft) -> None:
    coverage = pytest.importorskip("coverage")
    body = saxpy(draft)
    measured = coverage.Coverage(data_file=None, include=[LISTING], config_file=False)
    measured.start()
    try:
        draft.run(body, np.ones(8, "f4"), np.ones(8, "f4"), params=(np.float32(1), np.int32(0)))
    finally:
        measured.stop()
    lines = set(measured.get_data().lines(LISTING))
    assert line_of("if i < y.size:") in lines
    assert line_of("y[i] = a * x[i] + y[i]") not in lines


def drive_pdb(monkeypatch: pytest.MonkeyPatch, *commands: str) -> io.StringIO:
    """Make breakpoint() open a pdb that reads `commands`; returns what it will print."""
    given, printed = io.StringIO("\n".join(commands) + "\n"), io.StringIO()

    def hook() -> None:
        debugger = pdb.Pdb(stdin=given, stdout=printed, nosigint=True, readrc=False)
        debugger.prompt = ""
        debugger.set_trace(sys._getframe(1))

    monkeypatch.setattr(sys, "breakpointhook", hook)
    return printed


def test_pdb_stops_in_the_kernel_and_reads_its_variables(draft: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = sys.gettrace()
    printed = drive_pdb(
        monkeypatch, "p float(v), i, local_id", "p x.tolist()", "!v = x[1] * 4", "continue", "p i", "next", "continue"
    )
    try:
        (result,) = draft.run(inspected(draft), np.array([1.5, 2.5], "f4"))
    finally:
        sys.settrace(trace)
    stop, store = f"> {LISTING}({{}})inspected()", line_of("x[i] = v + v")
    lines = [line for line in printed.getvalue().splitlines() if line]
    assert lines[0].startswith(f"> {LISTING}(") and lines[0].endswith(")inspected()")
    assert "(1.5, 0, (0, 0, 0))" in lines
    assert "[1.5, 2.5]" in lines
    assert stop.format(store) in lines and "-> x[i] = v + v" in lines
    assert "1" in lines  # i of the second invocation
    assert result[1] == 5.0


def test_pdb_breakpoint_by_file_and_line(draft: Draft) -> None:
    """`break listing.py:9` of a debugger that knows nothing of gpucore stops in the kernel."""
    body, line, printed = saxpy(draft), line_of("y[i] = a * x[i] + y[i]"), io.StringIO()
    commands = io.StringIO(f"break {LISTING}:{line}\ncontinue\np i, float(a)\nclear 1\ncontinue\n")
    debugger = pdb.Pdb(stdin=commands, stdout=printed, nosigint=True, readrc=False)
    x, y, trace = np.arange(8, dtype="f4"), np.ones(8, "f4"), sys.gettrace()
    try:
        debugger.runcall(draft.run, body, x, y, params=(np.float32(2), np.int32(8)))
    finally:
        sys.settrace(trace)
    assert f"> {LISTING}({line})saxpy()" in printed.getvalue()
    assert "(0, 2.0)" in printed.getvalue()


def test_print_shows_texts_and_values(draft: Draft, capsys: pytest.CaptureFixture[str]) -> None:
    draft.workgroup_size = (2, 1, 1)
    out = draft.buffer("out", ir.I32)
    pair = ir.Construct((number(0.5, ir.F32), number(-1.0, ir.F32)), ir.VectorType(ir.F32, 2))
    is_first = binary(BinaryOp.EQ, LANE, number(0))
    body: list[ir.Stmt] = [
        ir.Debug(DebugKind.PRINT, ("lane ", LANE, " ", pair, " ", number(0.1, ir.F32), " ", is_first)),
        ir.Store(ir.Place(out, LANE), LANE),
    ]
    draft.run(body, np.zeros(2, "i4"))
    assert capsys.readouterr().out == "lane 0 (0.5, -1.0) 0.1 True\nlane 1 (0.5, -1.0) 0.1 False\n"
