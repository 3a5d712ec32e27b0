"""share_workgroup_memory: which arrays of a small kernel share, and that no two do that are in use together."""

import random

import pytest

from gpucore.ir import (
    F16,
    F32,
    F64,
    I32,
    I64,
    U32,
    Atomic,
    AtomicOp,
    Barrier,
    Bounds,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    ForRange,
    If,
    Limits,
    Load,
    Loop,
    Module,
    Place,
    Store,
    Value,
    VectorType,
    WorkgroupArray,
    print_module,
    walk,
)
from gpucore.ir.build import add, convert, lt
from gpucore.ir.capabilities import Capability
from gpucore.passes.sharing import share_workgroup_memory
from gpucore.valid import validate

LID = Builtin(BuiltinKind.LOCAL_ID, 0)
Y = Buffer(0, "y", I32, True, True)
B = Barrier()


def c(value, type_=I32):
    return Constant(value, type_)


def array(id_, element=I32, length=64):
    return WorkgroupArray(id_, "abcdef"[id_], element, length)


def put(memory):
    return Store(Place(memory, LID), convert(LID, memory.element) if memory.element != I32 else LID)


def module(*body, arrays):
    return Module("k", (64, 1, 1), (Y,), (), (), arrays, body)


A, SAME, LONG, U, F, WIDE = array(0), array(1), array(2, length=100), array(3, U32), array(4, F32), array(5, I64)
CASES = {
    "of one type": ((put(A), B, put(SAME)), (A, SAME), [("a_or_b", I32, 64)]),
    "without a barrier": ((put(A), put(SAME)), (A, SAME), [("a", I32, 64), ("b", I32, 64)]),
    "in use together": ((put(A), B, put(SAME), B, put(A)), (A, SAME), [("a", I32, 64), ("b", I32, 64)]),
    "of two lengths": ((put(A), B, put(LONG)), (A, LONG), [("a_or_c", I32, 100)]),
    "the one of the nearest length": (
        (put(A), put(LONG), B, put(SAME)), (A, SAME, LONG), [("a_or_b", I32, 64), ("c", I32, 100)],
    ),
    "three in turn": ((put(A), B, put(SAME), B, put(LONG)), (A, SAME, LONG), [("a_or_b_or_c", I32, 100)]),
    "of two types": ((put(F), B, put(U)), (U, F), [("e_or_d", U32, 64)]),
    "of two sizes": ((put(A), B, put(WIDE)), (A, WIDE), [("a", I32, 64), ("f", I64, 64)]),
    "a barrier that may not run": (
        (put(A), If(lt(LID, c(3)), (B,)), put(SAME)), (A, SAME), [("a", I32, 64), ("b", I32, 64)],
    ),
    "a barrier before all that use one": (
        (put(A), If(lt(LID, c(3)), (B, put(SAME)))), (A, SAME), [("a_or_b", I32, 64)],
    ),
    "two branches": ((If(lt(LID, c(3)), (put(A),), (B, put(SAME))),), (A, SAME), [("a_or_b", I32, 64)]),
    "two branches of which any may run": (
        (If(lt(LID, c(3)), (put(A),), (put(SAME),)),), (A, SAME), [("a", I32, 64), ("b", I32, 64)],
    ),
    "one loop": ((Loop((put(A), B, put(SAME), B)),), (A, SAME), [("a", I32, 64), ("b", I32, 64)]),
    "a loop and what follows": ((Loop((put(A), B)), B, put(SAME)), (A, SAME), [("a_or_b", I32, 64)]),
    "only a barrier in the loop": ((Loop((put(A), B)), put(SAME)), (A, SAME), [("a", I32, 64), ("b", I32, 64)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_arrays_share_where_they_are_in_use_in_turn(name):
    body, arrays, wanted = CASES[name]
    before = module(*body, arrays=arrays)
    after = share_workgroup_memory(before)
    assert [(each.name, each.element, each.length) for each in after.workgroup_arrays] == wanted
    assert share_workgroup_memory(after) is after
    assert (after is before) == (len(wanted) == len(arrays))
    for statement in walk.statements(after.body):
        place = walk.place_of(statement)
        assert place is None or place.memory in after.workgroup_arrays


def test_an_array_with_atomics_shares_with_such_only():
    count = Atomic(None, AtomicOp.ADD, Place(A, LID), c(1))
    for other, wanted in ((put(SAME), 2), (Atomic(None, AtomicOp.ADD, Place(SAME, c(0)), c(1)), 1)):
        assert len(share_workgroup_memory(module(count, B, other, arrays=(A, SAME))).workgroup_arrays) == wanted
    counts, others = array(1, U32), Atomic(None, AtomicOp.ADD, Place(array(1, U32), LID), c(1, U32))
    assert len(share_workgroup_memory(module(count, B, others, arrays=(A, counts))).workgroup_arrays) == 2


@pytest.mark.parametrize(("one", "two", "kept"), [(F32, I32, I32), (F64, I64, I64), (F16, F32, None),
                                                  (VectorType(F32, 2), I64, None)])  # fmt: skip
def test_floats_are_kept_as_the_integers_that_they_share_with(one, two, kept):
    first, second = array(0, one), array(1, two)
    value, known = Value(9, "v", one), Value(10, "w", two)
    body = (Load(value, Place(first, LID)), B, Load(known, Place(second, LID)), Store(Place(second, c(1)), known))
    after = share_workgroup_memory(module(*body, arrays=(first, second)))
    validate(after, frozenset(Capability), Limits())
    assert {each.element for each in after.workgroup_arrays} == ({one, two} if kept is None else {kept})


def test_the_text_of_a_kernel_with_checks():
    value = Value(9, "v", F32)
    check = Bounds(F, (LID,), (c(64),))
    body = (put(A), B, check, Store(Place(F, LID), c(1.5, F32)), B, check, Load(value, Place(F, LID)))
    after = share_workgroup_memory(module(*body, arrays=(A, F)))
    validate(after, frozenset(Capability), Limits())
    assert print_module(after).partition("body\n")[2] == (
        "  store a_or_e.0[local_id(0)] = local_id(0)\n"
        "  barrier\n"
        "  bounds a_or_e: (local_id(0)) below (64:i32)\n"
        "  store a_or_e.0[local_id(0)] = bitcast[i32](1.5:f32)\n"
        "  barrier\n"
        "  bounds a_or_e: (local_id(0)) below (64:i32)\n"
        "  load v.10: i32 = a_or_e.0[local_id(0)]\n"
        "  let v.9: f32 = bitcast[f32](v.10)\n"
    )


def test_loads_of_a_vector_stay_together():
    values = [Value(9 + k, "v", F32) for k in range(2)]
    loads = [Load(value, Place(F, c(k)), width=2) for k, value in enumerate(values)]
    stores = [Store(Place(F, c(k)), value, width=2) for k, value in enumerate(values)]
    after = share_workgroup_memory(module(put(A), B, *loads, *stores, arrays=(A, F)))
    validate(after, frozenset(Capability), Limits())
    made = [(type(s).__name__, getattr(s, "width", 0)) for s in after.body[2:]]
    assert made == [("Load", 2), ("Load", 2), ("Let", 0), ("Let", 0), ("Store", 2), ("Store", 2)]


def test_the_index_of_a_vector_may_be_loaded_just_before():
    values, more = ([Value(at + k, "v", U32) for k in range(2)] for at in (9, 11))
    loads = [Load(value, Place(U, c(k)), width=2) for k, value in enumerate(values)]
    places = (Place(U, values[0]), Place(U, add(values[0], Constant(1, U32))))
    loads += [Load(value, place, width=2) for value, place in zip(more, places, strict=True)]
    after = share_workgroup_memory(module(put(A), B, *loads, arrays=(A, U)))
    validate(after, frozenset(Capability), Limits())
    made = [type(s).__name__ for s in after.body[2:]]
    assert made == ["Load", "Load", "Let", "Let", "Load", "Load", "Let", "Let"]


# ---------------------------------------------------------------- whatever happens


def drawn(source, arrays, depth):
    """A block of accesses, barriers, branches and loops."""
    block = []
    for _ in range(source.randrange(1, 5)):
        form = source.randrange(9)
        if form < 4:
            block.append(put(source.choice(arrays)))
        elif form < 7:
            block.append(B)
        elif depth and form == 7:
            block.append(If(lt(LID, c(3)), drawn(source, arrays, depth - 1), drawn(source, arrays, depth - 1)))
        elif depth:
            counter = Value(source.randrange(10**9), "k", I32)
            block.append(ForRange(counter, c(0), c(3), drawn(source, arrays, depth - 1)))
    return tuple(block)


def run(block, source):
    """One way through a block: the arrays in order, and None for a barrier."""
    for statement in block:
        if isinstance(statement, Store):
            yield statement.place.memory
        elif isinstance(statement, Barrier):
            yield None
        elif isinstance(statement, If):
            yield from run(source.choice((statement.then, statement.orelse)), source)
        else:
            for _ in range(source.randrange(3)):
                yield from run(statement.body, source)


def test_no_array_is_in_use_while_another_has_its_memory():
    shared = 0
    for seed in range(1500):
        source = random.Random(seed)
        arrays = tuple(array(k) for k in range(3))
        before = module(*drawn(source, arrays, 2), arrays=arrays)
        after = share_workgroup_memory(before)
        if after is before:
            continue
        shared += 1
        pairs = zip(walk.statements(before.body), walk.statements(after.body), strict=True)
        memory = {a.place.memory.id: b.place.memory.id for a, b in pairs if isinstance(a, Store)}
        for way in range(8):
            owner, has_waited, gone = {}, {}, set()
            for found in run(before.body, random.Random(way)):
                if found is None:
                    has_waited = dict.fromkeys(owner, True)
                    continue
                where = memory[found.id]
                assert found.id not in gone, "used again after another took its memory"
                if owner.get(where, found.id) != found.id:
                    assert has_waited[where], "no barrier between the two"
                    gone.add(owner[where])
                owner[where], has_waited[where] = found.id, False
    assert shared > 100
