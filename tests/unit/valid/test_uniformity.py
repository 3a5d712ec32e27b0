"""Barriers that not all invocations reach: the whole text of the error, over a small source file."""

import pytest

from gpucore.errors import UniformityError
from gpucore.ir import (
    BOOL,
    FALSE,
    I32,
    TRUE,
    Assign,
    Barrier,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    Continue,
    Declare,
    DeclareArray,
    ForRange,
    If,
    Let,
    Limits,
    Load,
    Local,
    Loop,
    Module,
    Param,
    Place,
    PrivateArray,
    ShapeOrigin,
    Store,
    Value,
    WorkgroupArray,
)
from gpucore.ir.build import add, logical_not, lt, mul
from gpucore.span import Span
from gpucore.valid import validate

SOURCE = """\
def k(x, y):
    i = gp.local_id(0)
    j = i * 2
    done = False
    if j < x.size:
        done = True
        gp.barrier()
    while not done:
        gp.barrier()
    for n in range(y[0]):
        gp.barrier()
    while True:
        if j > 3:
            break
        gp.barrier()
    s = tile[0]
    m = mine[1]
    i = gp.global_id(0)
    if i < n:
"""

X, Y = Buffer(0, "x", I32, True, False), Buffer(1, "y", I32, True, True)
SIZE = Param(0, "x.shape[0]", I32)
TILE = WorkgroupArray(90, "tile", I32, 64)
LID = Builtin(BuiltinKind.LOCAL_ID, 0)
MINE, TWICE = Value(0, "i", I32), Value(1, "j", I32)
DONE = Local(2, "done", BOOL)
MOVE = (
    "move the barrier to where all invocations pass it, and guard only the loads and stores with the condition; "
    "where you know that the condition is the same for all, say so with gp.assume_uniform"
)


@pytest.fixture
def at(tmp_path, monkeypatch):
    """Spans into the file k.py of the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.py").write_text(SOURCE)
    lines = SOURCE.splitlines()

    def span(line, text=None):
        whole = lines[line - 1]
        text = text or whole.strip()
        start = whole.index(text)
        return Span("k.py", line, start, line, start + len(text))

    return span


def c(value):
    return Constant(value, I32)


def ids(at):
    return (
        Let(MINE, LID, at(2)),
        Let(TWICE, mul(MINE, 2), at(3)),
        Declare(DONE, None, at(4)),
        Assign(DONE, FALSE, at(4)),
    )


def module(*body, size=(64, 1, 1)):
    return Module("k", size, (X, Y), (SIZE,), (ShapeOrigin("x", 0),), (TILE,), tuple(body))


def check(*body, **parts):
    return validate(module(*body, **parts), frozenset(), Limits())


def why(*body):
    with pytest.raises(UniformityError) as caught:
        check(*body)
    assert caught.value.code == "GP301"
    return caught.value.why


def test_the_whole_text(at):
    with pytest.raises(UniformityError) as caught:
        check(*ids(at), If(lt(TWICE, SIZE), (Barrier(at(7)),), (), at(5)))
    assert str(caught.value) == (
        "k.py:7:9: error[GP301]: not every invocation of the workgroup reaches this barrier\n"
        " 7 |         gp.barrier()\n"
        "   |         ^^^^^^^^^^^^\n"
        "  why: the `if` at k.py:5 depends on `j`, which comes from `i`, which comes from gp.local_id(0) at k.py:2\n"
        f"  fix: {MOVE}"
    )


def test_a_condition_that_names_the_id_itself(at):
    assert why(If(lt(LID, SIZE), (Barrier(),), (), at(5))) == "the `if` at k.py:5 depends on gp.local_id(0)"


def test_a_variable_set_under_a_divergent_condition(at):
    """The word is taken from the source: the branch came from a `while`."""
    assert why(
        *ids(at),
        If(lt(TWICE, SIZE), (Assign(DONE, TRUE, at(6)),), (), at(5)),
        Loop((If(DONE, (Break(),), (), at(8, "not done")), Barrier(at(9))), at(8)),
    ) == (
        "the `while` at k.py:8 depends on `done`, which is set in code that some invocations skip: the `if` at k.py:5 "
        "depends on `j`, which comes from `i`, which comes from gp.local_id(0) at k.py:2"
    )


def test_a_loop_whose_bounds_differ(at):
    stop = Value(5, "y", I32)
    assert why(
        Load(stop, Place(Y, c(0)), at(10)),
        Store(Place(Y, c(0)), c(1), at(12)),
        ForRange(Value(6, "n", I32), c(0), stop, (Barrier(at(11)),), at(10)),
    ) == ("the `for` at k.py:10 depends on an element of `y`, read at k.py:10, which the kernel also writes at k.py:12")


def test_the_global_id_has_its_own_name(at):
    group = mul(Builtin(BuiltinKind.WORKGROUP_ID, 0), 64)
    position = Let(MINE, add(group, LID), at(18))
    assert why(position, If(lt(MINE, SIZE), (Barrier(),), (), at(19))) == (
        "the `if` at k.py:19 depends on `i`, which comes from gp.global_id(0) at k.py:18"
    )
    written_out = Let(MINE, add(group, LID), at(2))
    assert why(written_out, If(lt(MINE, SIZE), (Barrier(),), (), at(19))).endswith("gp.local_id(0) at k.py:2")


def test_names_that_the_compiler_gave_are_passed_over(at):
    stop = Value(6, "stop", I32)
    body = [*ids(at), Let(stop, add(MINE, 1), at(3))]
    assert why(*body, ForRange(Value(7, "n", I32), c(0), stop, (Barrier(),), at(10))) == (
        "the `for` at k.py:10 depends on `i`, which comes from gp.local_id(0) at k.py:2"
    )


def test_a_break_parts_the_invocations_for_all_later_iterations(at):
    """The barrier stands before the break, but the next iteration comes to it with fewer invocations."""
    assert why(
        *ids(at), Loop((Barrier(at(15)), If(lt(c(3), TWICE), (Break(at(14)),), (), at(13))), at(12))
    ) == (
        "the `while` at k.py:12 is left early by some invocations only: the `if` at k.py:13 depends on `j`, "
        "which comes from `i`, which comes from gp.local_id(0) at k.py:2"
    )  # fmt: skip


def test_a_continue_parts_them_for_the_rest_of_the_iteration(at):
    skip = If(lt(c(3), TWICE), (Continue(),), (), at(13))
    loop = ForRange(Value(6, "n", I32), c(0), SIZE, (skip, Barrier(at(15))), at(10))
    assert why(*ids(at), loop) == (
        "some invocations have left by an early exit: the `if` at k.py:13 depends on `j`, "
        "which comes from `i`, which comes from gp.local_id(0) at k.py:2"
    )
    check(*ids(at), ForRange(Value(6, "n", I32), c(0), SIZE, (Barrier(), skip)))  # they meet again at the top
    check(*ids(at), ForRange(Value(6, "n", I32), c(0), SIZE, (skip,)), Barrier())  # and after the loop


def test_a_guard_of_the_front_end_is_not_blamed(at):
    """A `return` in a branch sets a flag, and what follows stands under a test of it that the user never wrote."""
    returned = If(lt(TWICE, SIZE), (Assign(DONE, TRUE, at(6)),), (), at(5))
    assert why(*ids(at), returned, If(logical_not(DONE), (Barrier(),))) == (
        "some invocations have left by an early exit: the `if` at k.py:5 depends on `j`, "
        "which comes from `i`, which comes from gp.local_id(0) at k.py:2"
    )


def test_workgroup_memory_differs(at):
    element = Value(5, "s", I32)
    body = [Load(element, Place(TILE, c(0)), at(16)), If(lt(element, c(1)), (Barrier(),), (), at(5))]
    assert why(*body) == (
        "the `if` at k.py:5 depends on `s`, which comes from an element of the workgroup array `tile` at k.py:16"
    )


def test_a_private_array_that_holds_something_divergent(at):
    array, element = PrivateArray(5, "mine", I32, 4), Value(6, "m", I32)
    body = [DeclareArray(array), Store(Place(array, c(0)), LID, at(3)), Load(element, Place(array, c(1)), at(17))]
    assert why(*body, If(lt(element, c(1)), (Barrier(),), (), at(5))) == (
        "the `if` at k.py:5 depends on `m`, which comes from `mine`, which comes from gp.local_id(0) at k.py:3"
    )


def test_what_goes_around_a_loop_is_found(at):
    """v is uniform in the first iteration only."""
    v, w = Local(5, "v", I32), Local(6, "w", I32)
    body = [
        Declare(v), Declare(w), Assign(v, c(0)), Assign(w, c(0)),
        ForRange(Value(7, "n", I32), c(0), SIZE, (If(lt(v, c(1)), (Barrier(),)), Assign(v, w), Assign(w, LID))),
    ]  # fmt: skip
    assert why(*body) == "the `if` depends on `v`, which comes from `w`, which comes from gp.local_id(0)"


@pytest.mark.parametrize(
    "body",
    [
        [If(lt(Builtin(BuiltinKind.WORKGROUP_ID, 0), SIZE), (Barrier(),))],
        [If(lt(Builtin(BuiltinKind.LOCAL_ID, 1), SIZE), (Barrier(),))],  # the workgroup is flat along axis 1
        [Load(MINE, Place(X, c(0))), If(lt(MINE, SIZE), (Barrier(),))],
        [ForRange(MINE, c(0), SIZE, (Barrier(), If(lt(c(3), MINE), (Break(),)), Barrier()))],
        [If(lt(LID, SIZE), (Store(Place(Y, LID), c(1)),)), Barrier()],
        [Loop((If(lt(LID, SIZE), (Break(),)),)), Barrier()],  # all leave, sooner or later
        [Declare(DONE), Assign(DONE, FALSE), If(logical_not(DONE), (Barrier(),))],
    ],
)
def test_uniform_control_flow_is_accepted(body):
    check(*body)


def test_a_single_invocation_is_never_divergent():
    check(If(lt(LID, SIZE), (Barrier(),)), size=(1, 1, 1))
