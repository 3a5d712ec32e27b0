"""relax_barriers: which barriers of a small kernel still order buffers."""

import pytest

from gpucore.ir import (
    I32,
    Atomic,
    AtomicOp,
    Barrier,
    Binary,
    BinaryOp,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    DeviceFence,
    ForRange,
    If,
    Let,
    Load,
    Module,
    Param,
    Place,
    Store,
    Value,
    walk,
)
from gpucore.ir.build import add, lt, mul
from gpucore.passes.barriers import relax_barriers

X, Y = Buffer(0, "x", I32, True, False), Buffer(1, "y", I32, True, True)
N = Param(0, "n", I32)
LID, COLUMN, WID = (
    Builtin(BuiltinKind.LOCAL_ID, 0),
    Builtin(BuiltinKind.LOCAL_ID, 1),
    Builtin(BuiltinKind.WORKGROUP_ID, 0),
)
K = Value(90, "k", I32)
B = Barrier()


def c(value):
    return Constant(value, I32)


def load(index, id_=1, buffer=Y):
    return Load(Value(id_, "e", I32), Place(buffer, index))


def store(index):
    return Store(Place(Y, index), c(1))


def loop(*body):
    return ForRange(K, c(0), N, body)


def times(factor, index=K):
    return mul(index, factor)


OTHER = add(LID, c(1))  # of another invocation
OWN = add(times(64, WID), LID)
TURNED = Binary(BinaryOp.BIT_XOR, LID, c(1), I32)  # not a sum

CASES = {
    "nothing is written": ((load(LID), B, load(OTHER, 2)), [0]),
    "two buffers": ((load(LID, buffer=X), B, store(OTHER)), [0]),
    "a read after a write": ((store(LID), B, load(OTHER)), [1]),
    "a write after a read": ((load(LID), B, store(OTHER)), [1]),
    "a write after a write": ((store(LID), B, store(OTHER)), [1]),
    "two atomics": ((Atomic(None, AtomicOp.ADD, Place(Y, c(0)), c(1)), B, load(c(0))), [1]),
    "a read before, a write before": ((load(LID), store(OTHER), B), [0]),
    "one's own element": ((load(LID), B, store(LID), B, load(LID, 2)), [0, 0]),
    "one's own, through a name": ((Let(Value(5, "i", I32), OWN), load(OWN), B, store(Value(5, "i", I32))), [0]),
    "a stride that leaves no gap": ((store(add(times(64, N), LID)), B, load(add(LID, c(64)))), [0]),
    "a stride that is too short": ((store(add(times(32, N), LID)), B, load(LID)), [1]),
    "an element of all": ((store(c(0)), B, load(c(0))), [1]),
    "no sum": ((store(TURNED), B, load(TURNED)), [1]),
    "one of several barriers": ((load(LID), B, B, B, store(OTHER), B), [0, 0, 1, 0]),
    "two pairs and one barrier": ((load(LID), B, load(c(3), 2), B, store(OTHER), store(c(5)), B), [0, 1, 0]),
    "a barrier that may not run": ((load(LID), B, If(lt(N, c(3)), (B,)), store(OTHER)), [1, 0]),
    "only ones that may not run": ((load(LID), If(lt(N, c(3)), (B,), (B,)), store(OTHER)), [1, 1]),
    "all in one branch": ((If(lt(N, c(3)), (load(LID), B, loop(B), store(OTHER))),), [1, 0]),
    "in a loop, one's own": ((loop(store(add(times(64), LID)), B),), [0]),
    "in a loop, of a later round": ((loop(store(add(K, LID)), B),), [1]),
    "in a loop, backwards": ((loop(store(OTHER), B, load(LID)), B), [1, 0]),
    "before and after a loop": ((store(LID), loop(B), load(OTHER)), [1]),
    "the user's own": ((store(LID), Barrier(buffers=False), load(OTHER), B), [0, 0]),
    "with a fence, all": ((load(LID), B, DeviceFence(), B, load(OTHER, 2)), [1, 1]),
    "with a fence, but the user's own": ((Barrier(buffers=False), B, If(lt(N, c(3)), (DeviceFence(),))), [0, 1]),
    "the user's own beside another": ((store(LID), Barrier(buffers=False), B, load(OTHER)), [0, 1]),
}


@pytest.mark.parametrize("name", CASES)
def test_barriers_order_buffers_where_it_shows(name):
    body, wanted = CASES[name]
    module = Module("k", (64, 1, 1), (X, Y), (N,), (), (), body)
    relaxed = relax_barriers(module)
    assert [int(s.buffers) for s in walk.statements(relaxed.body) if isinstance(s, Barrier)] == wanted
    assert [type(s) for s in walk.statements(relaxed.body)] == [type(s) for s in walk.statements(body)]
    assert relax_barriers(relaxed) is relaxed


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        (add(times(8, COLUMN), LID), [0]),
        (add(COLUMN, times(4, LID)), [0]),
        (add(times(9, COLUMN), LID), [0]),  # rows with a gap
        (add(times(7, COLUMN), LID), [1]),  # rows overlap
        (LID, [1]),  # a row's first
    ],
)
def test_workgroups_of_two_axes(index, wanted):
    module = Module("k", (8, 4, 1), (X, Y), (), (), (), (store(index), B, load(index)))
    relaxed = relax_barriers(module)
    assert [int(s.buffers) for s in relaxed.body if isinstance(s, Barrier)] == wanted
