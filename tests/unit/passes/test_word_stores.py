"""word_stores: which stores of small integers are made together, and that it changes no result."""

from __future__ import annotations

import random

import numpy as np
import pytest
from emulated import run_plainly

from gpucore.ir import (
    F16,
    F32,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    Assign,
    Atomic,
    AtomicOp,
    Barrier,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    Convert,
    Declare,
    Element,
    Expr,
    If,
    Let,
    Limits,
    Load,
    Local,
    Module,
    Param,
    Place,
    ScalarType,
    ShapeOrigin,
    Stmt,
    Store,
    StructType,
    Value,
    VectorType,
    build,
    lay_out,
    walk,
)
from gpucore.passes.small_integers import emulate_small_integers
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.valid import validate

LID = Builtin(BuiltinKind.LOCAL_ID, 0)
GID = build.add(build.mul(Builtin(BuiltinKind.WORKGROUP_ID, 0), 64), LID)
Y, X, COUNTS = Buffer(0, "y", U8, True, True), Buffer(1, "x", U8, True, False), Buffer(2, "counts", U32, True, True)
OFFSET = Param(0, "offset", I32)
K = Local(1, "k", I32)
PIXEL = lay_out("Pixel", (("r", U8), ("g", U8), ("b", U8), ("a", U8)))
RGB = lay_out("Rgb", (("r", U8), ("g", U8), ("b", U8)))
PAIR = lay_out("Pair", (("a", I16), ("b", U8)))
MIXED = lay_out("Mixed", (("real", F32), ("low", I8), ("high", I8), ("both", I16), ("halves", VectorType(F16, 2))))


def module(*body: Stmt, element: Element = U8) -> Module:
    buffers = (Buffer(0, "y", element, True, True), X, COUNTS)
    return Module("k", (8, 1, 1), buffers, (OFFSET,), (ShapeOrigin("y", 0),), (), body)


def value(number: int, type: ScalarType = U8) -> Expr:
    return Convert(build.add(LID, number), type)


def to(index: Expr, number: int = 7) -> Store:
    return Store(Place(Y, index), value(number))


def accesses(*body: Stmt, element: Element = U8) -> list[str]:
    """What is done to y: plain stores to words, and pairs of atomics."""
    made = emulate_small_integers(module(*body, element=element), frozenset())
    found = [s for s in walk.statements(made.body) if isinstance(s, (Store, Atomic)) and s.place.memory.name == "y"]
    words = ["store" if isinstance(s, Store) else s.op.value for s in found]
    return " ".join(words).replace("or and", "pair").split()


def at(factor: int, *added: int | Expr) -> Expr:
    index: Expr = build.mul(GID, factor)
    for term in added:
        index = build.add(index, term)
    return index


def test_four_bytes_of_a_word() -> None:
    assert accesses(*[to(at(4, k)) for k in (0, 1, 2, 3)]) == ["store"]
    assert accesses(*[to(at(4, k)) for k in (7, 4, 6, 5)]) == ["store"]
    assert accesses(*[to(at(8, k)) for k in range(8)]) == ["store"] * 2
    assert accesses(*[to(Constant(k, I32)) for k in range(5)]) == ["store", "pair"]


def test_a_part_of_a_word() -> None:
    assert accesses(to(at(4, 1)), to(at(4, 3))) == ["pair"]
    assert accesses(*[to(at(4, k)) for k in (1, 2, 3, 4)]) == ["pair", "pair"]
    assert accesses(to(at(2)), to(at(2, 1))) == ["pair"]
    assert accesses(to(at(2, 1)), to(at(2, 2))) == ["pair"] * 2
    assert accesses(to(at(2)), to(at(2, 1)), to(at(2, 2)), to(at(2, 3))) == ["pair"] * 2


def test_what_is_not_known_to_be_in_one_word() -> None:
    assert accesses(*[to(build.add(GID, k)) for k in range(4)]) == ["pair"] * 4
    assert accesses(*[to(at(4, OFFSET, k)) for k in range(4)]) == ["pair"] * 4
    assert accesses(*[to(at(3, k)) for k in range(4)]) == ["pair"] * 4
    assert accesses(*[to(at(4 * (k + 1), k)) for k in range(4)]) == ["pair"] * 4


@pytest.mark.parametrize(
    "base",
    [
        build.shl(GID, 2),
        build.mul(build.mul(GID, 2), 2),
        build.add(build.mul(GID, 4), build.mul(OFFSET, 8)),
        build.bit_and(GID, -4),
        build.mul(build.add(GID, 1), 4),
        Convert(build.mul(GID, 4), U32),
        Value(9, "first", I32),
    ],
    ids=["shift", "products", "sum", "mask", "product of a sum", "unsigned", "value"],
)
def test_multiples_of_four(base: Expr) -> None:
    define = Let(Value(9, "first", I32), build.mul(GID, 4))
    assert accesses(define, *[to(build.add(base, k)) for k in range(4)]) == ["store"]


TOGETHER, APART = ["store"], ["pair", "pair"]
BETWEEN: dict[str, tuple[list[Stmt], list[str]]] = {
    "nothing": ([], TOGETHER),
    "a load of another byte": ([Load(Value(5, "v", U8), Place(Y, at(4, 9)))], TOGETHER),
    "a load of this byte": ([Load(Value(5, "v", U8), Place(Y, at(4)))], APART),
    "a load of any byte": ([Load(Value(5, "v", U8), Place(Y, GID))], APART),
    "a load of another byte, for all that is known": ([Load(Value(5, "v", U8), Place(Y, build.add(GID, 9)))], APART),
    "a load of another array": ([Load(Value(5, "v", U8), Place(X, GID))], TOGETHER),
    "a store to any byte": ([to(OFFSET)], ["pair", *APART]),
    "another store to this byte": ([to(at(4))], ["pair", "store"]),
    "a store to another array": ([Store(Place(COUNTS, GID), Constant(1, U32))], TOGETHER),
    "an atomic": ([Atomic(None, AtomicOp.ADD, Place(COUNTS, GID), Constant(1, U32))], APART),
    "a barrier": ([Barrier()], APART),
    "a branch": ([If(build.lt(OFFSET, 3), (Assign(K, Constant(3, I32)),))], APART),
    "an assignment": ([Assign(K, Constant(3, I32))], TOGETHER),
}


@pytest.mark.parametrize("between", BETWEEN)
def test_what_may_be_between(between: str) -> None:
    """What cannot tell when the first store is made. Otherwise it is made before that."""
    statements, expected = BETWEEN[between]
    body = [Declare(K, Constant(0, I32)), to(at(4)), *statements, *[to(at(4, k)) for k in (1, 2, 3)]]
    assert accesses(*body) == expected


def test_an_index_in_a_variable_that_changes() -> None:
    index = build.mul(K, 4)
    stores = [to(build.add(index, k)) for k in range(4)]
    assert accesses(Declare(K, GID), *stores) == ["store"]
    step = Assign(K, build.add(K, 1))
    assert accesses(Declare(K, GID), *stores[:2], step, *stores[2:]) == ["pair", "pair"]


def test_fields_of_structs() -> None:
    def fields(element: StructType, index: Expr, *numbers: int) -> list[Stmt]:
        y = Buffer(0, "y", element, True, True)
        places = [Place(y, index, (number,)) for number in numbers]
        return [Store(place, build.zero(place.type)) for place in places]

    assert accesses(*fields(PIXEL, OFFSET, 0, 1, 2, 3), element=PIXEL) == ["store"]
    assert accesses(*fields(PIXEL, OFFSET, 0, 1, 3), element=PIXEL) == ["pair"]
    assert accesses(*fields(RGB, OFFSET, 0, 1, 2), element=RGB) == ["pair"] * 3
    four = [s for k in range(4) for s in fields(RGB, at(4, k), 0, 1, 2)]
    assert accesses(*four, element=RGB) == ["store"] * 3
    # a float, a word of two bytes and 16 bits, a word of two halves
    assert accesses(*fields(MIXED, OFFSET, 0, 1, 2, 3, 4), element=MIXED) == ["store"] * 3
    assert accesses(*fields(MIXED, OFFSET, 4), element=MIXED) == ["store"]


# ---------------------------------------------------------------- results

_LANES, _BYTES = 8, 16
"""Each lane has bytes of its own."""


def _base(rng: random.Random, each: int) -> tuple[Expr, int]:
    """The index of one of a lane's `each` elements, and its number."""
    products = build.mul(build.mul(LID, each // 2), 2)
    middle = Value(4, "middle", I32), each // 2
    return rng.choice([(build.mul(LID, each), 0), (products, 0), (Value(2, "first", I32), 0), (build.mul(K, each), 0),
                       middle, middle])  # fmt: skip


def _places(rng: random.Random, y: Buffer) -> list[Place]:
    """Some places of the lane, often neighbours: for structs all fields of an element, in any order."""
    each = _BYTES // y.element.nbytes
    (base, number), first = _base(rng, each), rng.randrange(each)
    if isinstance(y.element, StructType):
        paths = [(part,) for part in range(len(y.element.fields))]
        chosen = rng.sample(paths, rng.randint(1, len(paths)))
        return [Place(y, build.add(base, first - number), path) for path in chosen]
    return [Place(y, build.add(base, (first + k) % each - number)) for k in range(rng.choice([1, 1, 2, 4, 7]))]


def _program(rng: random.Random, element: Element) -> Module:
    y, out, now = Buffer(0, "y", element, True, True), Buffer(1, "out", I32, True, True), Local(3, "now", I32)
    each, lane = _BYTES // element.nbytes, Value(2, "first", I32)
    body: list[Stmt] = [Let(lane, build.mul(LID, each)), Let(Value(4, "middle", I32), build.add(lane, each // 2))]
    body += [Declare(K, LID), Declare(now, Constant(5, I32))]
    for _ in range(rng.randrange(2, 8)):
        for place in _places(rng, y):
            if rng.random() < 0.15:
                found = Value(10 + len(body), "found", place.type)
                body.append(Load(found, place))
                body.append(Store(Place(out, build.add(build.mul(LID, 40), len(body) % 40)), Convert(found, I32)))
            if rng.random() < 0.2:
                body.append(Assign(now, build.add(build.mul(now, 3), LID)))
            store = Store(place, Convert(build.add(now, rng.randrange(-300, 300)), place.type))
            body.append(If(build.gt(now, 20), (store,)) if rng.random() < 0.05 else store)
    return Module("k", (_LANES, 1, 1), (y, out), (), (), (), tuple(body))


def _run_directly(module: Module, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """On the simulator, which has small integers."""
    backend = SimulatorBackend()
    device = backend.open(0)
    capabilities = frozenset({Capability.INT8, Capability.INT16})
    pipeline = device.compile(backend.emit(validate(module, capabilities, Limits())))
    buffers = [device.allocate(array.nbytes) for array in arrays]
    for buffer, array in zip(buffers, arrays, strict=True):
        buffer.write(memoryview(array.view(np.uint8)))
    device.dispatch(pipeline, buffers, b"", (1, 1, 1))
    results = [np.empty_like(array) for array in arrays]
    for buffer, result in zip(buffers, results, strict=True):
        buffer.read(memoryview(result.view(np.uint8)))
    return results


@pytest.mark.parametrize("element", [U8, I8, U16, I16, PIXEL, PAIR], ids=str)
def test_random_stores_and_loads(element: Element) -> None:
    """Each lane works on bytes of its own, so the result is that of small integers, in any order of the lanes."""
    together = 0
    for seed in range(25):
        rng = random.Random(f"{element} {seed}")
        program = _program(rng, element)
        before = np.random.default_rng(seed).integers(0, 256, _LANES * _BYTES, np.uint8)
        given = [before, np.zeros(40 * _LANES, np.int32)]
        made = emulate_small_integers(program, frozenset())
        together += sum(isinstance(s, Store) and s.place.memory.name == "y" for s in walk.statements(made.body))
        wanted, found = _run_directly(program, given), run_plainly(made, given)
        for one, other in zip(wanted, found, strict=True):
            np.testing.assert_array_equal(other, one, err_msg=f"seed {seed}")
    assert together > 5 or element == PAIR, "hardly any word is filled"


def test_a_sum_that_wraps_is_the_element_that_it_is() -> None:
    """2**31 - 1 twice, and 2, are nothing modulo 2**32."""
    again = to(at(4, 2**31 - 1, 2**31 - 1, 2))
    assert accesses(to(at(4)), to(at(4, 1)), again, to(at(4, 2))) == ["pair", "pair"]
