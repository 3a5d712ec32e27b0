"""delay_waits: what moves to before a wait for products of matrices, and what does not."""

import dataclasses

from gpucore.ir import (
    F16,
    F32,
    I32,
    Assign,
    Barrier,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    CopyWait,
    Debug,
    DebugKind,
    Declare,
    DeclareArray,
    DeviceFence,
    ForRange,
    GroupMultiply,
    GroupWait,
    If,
    Let,
    Load,
    Local,
    Loop,
    MatrixInputs,
    Module,
    Place,
    PrivateArray,
    Store,
    Subgroup,
    SubgroupOp,
    Value,
    WorkgroupArray,
)
from gpucore.ir.build import add, eq
from gpucore.passes.waits import delay_waits

LID = Builtin(BuiltinKind.LOCAL_ID, 0)
ZERO = Constant(0, I32)
TILE = WorkgroupArray(1, "tile", F16, 1 << 14)
SUMS = PrivateArray(2, "sums", F32, 128)
Y = Buffer(0, "y", F32, True, True)
TOTAL, OTHER = Local(3, "total", F32), Local(4, "other", F32)
SUM, TWICE, READ = Value(5, "sum", F32), Value(6, "twice", F32), Value(7, "read", F32)
START = (
    DeclareArray(SUMS),
    Declare(TOTAL),
    Declare(OTHER),
    GroupMultiply(SUMS, 0, MatrixInputs.F16, Place(TILE, ZERO), Place(TILE, ZERO), 256, 64, 8192, 8192, False, False),
)
WAIT = (GroupWait(SUMS), Load(SUM, Place(SUMS, ZERO)), Let(TWICE, add(SUM, SUM)), Assign(TOTAL, add(TWICE, OTHER)))
COPY = (Load(READ, Place(Y, LID)), If(eq(LID, 0), (Store(Place(Y, LID), READ),), ()))
USE = Store(Place(Y, LID), TOTAL)


def delayed(*statements):
    """What follows the product."""
    module = Module("waits", (128, 1, 1), (Y,), (), (), (TILE,), (*START, *statements))
    made = delay_waits(module).body
    assert made[: len(START)] == START
    return made[len(START) :]


def test_other_work_comes_first() -> None:
    assert delayed(*WAIT, *COPY, USE) == (*COPY, *WAIT, USE)
    assert delayed(*WAIT, *COPY) == (*COPY, *WAIT)


def test_in_branches_and_after_another_wait() -> None:
    inside = If(eq(LID, 0), (*WAIT, *COPY, USE), ())
    assert delayed(inside) == (If(eq(LID, 0), (*COPY, *WAIT, USE), ()),)
    assert delayed(*WAIT, *COPY, GroupWait(SUMS), *COPY) == (*COPY, *WAIT, *COPY, GroupWait(SUMS))


def test_nothing_passes_a_barrier_or_another_wait_or_product() -> None:
    other = PrivateArray(9, "other", F32, 128)
    ends = (
        Barrier(),
        DeviceFence(),
        CopyWait(0),
        Subgroup(None, SubgroupOp.BARRIER),
        Debug(DebugKind.BREAKPOINT),
        START[-1],
    )
    for end in (*ends, If(eq(LID, 0), (Barrier(),), ()), Loop((Break(),))):
        assert delayed(*WAIT, end, *COPY) == (*WAIT, end, *COPY)
    assert delayed(*WAIT, GroupWait(other), *COPY) == (*WAIT, *COPY, GroupWait(other))


def test_in_loops() -> None:
    loop = ForRange(Value(8, "step", I32), ZERO, Constant(4, I32), (*WAIT, *COPY))
    assert delayed(loop) == (dataclasses.replace(loop, body=(*COPY, *WAIT)),)
    at = Local(10, "at", I32)
    read = Load(SUM, Place(SUMS, at))
    for change in (Assign(at, ZERO), If(eq(LID, 0), (Assign(at, ZERO),), ())):
        assert delayed(WAIT[0], read, change) == (WAIT[0], read, change)


def test_what_uses_or_changes_variables_of_the_sums_stays_behind() -> None:
    one, again = Constant(1.0, F32), Store(Place(SUMS, ZERO), Constant(1.0, F32))
    uses = USE, Store(Place(Y, LID), TWICE), If(eq(LID, 0), (USE,), ())
    for statement in (*uses, Assign(OTHER, one), Assign(TOTAL, one), Declare(OTHER), again, DeclareArray(SUMS)):
        assert delayed(*WAIT, statement, *COPY) == (*WAIT, statement, *COPY)
