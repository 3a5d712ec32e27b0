"""After `insert_clamps` no index is ever out of range, and where none was, nothing changes: random kernels.

Numbers are drawn near 0, near lengths and at the ends of the types, so that sums wrap.
"""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from ir_interpreter import Interpreter, OutOfFuel

from gpucore.ir import (
    BOOL,
    I32,
    U32,
    ArgumentOrigin,
    Assign,
    BinaryOp,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Call,
    Constant,
    Continue,
    Declare,
    DeclareArray,
    ForRange,
    GridOrigin,
    If,
    LastIndexOrigin,
    Let,
    Load,
    Local,
    Loop,
    MathOp,
    Module,
    Param,
    Place,
    PrivateArray,
    ShapeOrigin,
    Store,
    Value,
    build,
    print_module,
    walk,
)
from gpucore.passes import clamp_indices, run
from gpucore.passes.index_bounds.clamp_indices import insert_clamps

X = Buffer(0, "x", I32, True, False)
Y = Buffer(1, "y", I32, True, True, 2)
PARAMS = (
    Param(0, "n", I32), Param(1, "x.shape[0]", I32), Param(2, "y.shape[0]", I32), Param(3, "y.shape[1]", I32),
)  # fmt: skip
ORIGINS = (ArgumentOrigin("n"), ShapeOrigin("x", 0), ShapeOrigin("y", 0), ShapeOrigin("y", 1))
SIZE = (4, 1, 1)
SUMS = (BinaryOp.ADD, BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL)
OTHERS = (
    BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD, BinaryOp.TRUNC_DIV, BinaryOp.TRUNC_REM, BinaryOp.BIT_AND, BinaryOp.BIT_OR,
    BinaryOp.BIT_XOR, BinaryOp.SHL, BinaryOp.SHR,
)  # fmt: skip
TESTS = (BinaryOp.LT, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE, BinaryOp.EQ, BinaryOp.NE)
ENDS = (0, 1, 2, 3, 4, 7, -1, -2, 2**31 - 1, 2**31 - 2, -(2**31), 2**30)


class _OutOfRange(Exception):  # noqa: N818 (what is looked for)
    pass


class Machine(Interpreter):
    """Memory that was never written is drawn from the place; an index out of range raises."""

    def __init__(self, dispatch, ids):
        super().__init__(fuel=400)
        self.dispatch, self.ids, self.memory = dispatch, ids, {}

    def parameter(self, param):
        return self.dispatch.value(param)

    def builtin(self, builtin):
        return self.dispatch.groups if builtin.kind is BuiltinKind.NUM_WORKGROUPS else self.ids[builtin.kind]

    def declare_array(self, array):
        pass

    def load(self, place):
        key = self.key(place)
        return self.memory.get(key, random.Random(str(key)).choice(ENDS))

    def store(self, place, value):
        self.memory[self.key(place)] = value
        self.trace.append((self.key(place), value))

    def key(self, place):
        index, memory = self.of(place.index), place.memory
        length = self.dispatch.lengths[memory.name] if isinstance(memory, Buffer) else memory.length
        if not 0 <= index < max(length, 1):
            raise _OutOfRange(f"{memory.name}[{index}] of {length}")
        return memory.name, index


class Dispatch:
    """What the host knows of a call."""

    def __init__(self, module, draw):
        self.module = module
        self.n = draw.choice(ENDS)
        x = draw.choice((0, 1, 2, 3, 5, 8, 2**31 - 1, 2**30))
        rows = draw.choice((0, 1, 2, 3, 8, 2**16 - 1))
        columns = draw.choice((0, 1, 2, 4, 5, 2**15))
        self.shapes = {("x", 0): x, ("y", 0): rows, ("y", 1): columns}
        self.lengths = {"x": x, "y": rows * columns}
        self.groups = draw.choice((1, 2, 3, 2**29))

    def value(self, param):
        return self.of(self.module.origins[param.index])

    def of(self, origin):
        match origin:
            case ShapeOrigin():
                return self.shapes[origin.name, origin.axis]
            case LastIndexOrigin():
                return max(self.lengths[origin.name], 1) - 1
            case GridOrigin("x" | "called"):
                return self.groups
            case GridOrigin():
                return 1
            case _:
                return self.n

    def holds(self, assumption):
        total = 0
        for factor, origins in assumption.terms:
            for origin in origins:
                factor *= self.of(origin)
            total += factor
        return total >= 0


class Writer:
    """A random kernel with indices that are tested in many ways, rightly and wrongly."""

    def __init__(self, draw):
        self.draw, self.count = draw, 0
        self.array = PrivateArray(self.number(), "a", I32, 5)
        self.locals = [Local(self.number(), f"v{i}", I32) for i in range(3)]
        self.flag = Local(self.number(), "flag", BOOL)
        starts = [Declare(v, self.sum(1, [])) for v in self.locals]
        flag = Declare(self.flag, Constant(False, BOOL))
        body = self.block(3, list(self.locals), False, 5)
        self.module = Module("k", SIZE, (X, Y), PARAMS, ORIGINS, (), (DeclareArray(self.array), flag, *starts, *body))

    def number(self):
        self.count += 1
        return self.count

    def leaf(self, names):
        draw = self.draw.random()
        if names and draw < 0.55:
            return self.draw.choice(names)
        if draw < 0.75:
            return self.draw.choice(PARAMS)
        if draw < 0.9:
            kind = self.draw.choice((BuiltinKind.WORKGROUP_ID, BuiltinKind.LOCAL_ID, BuiltinKind.NUM_WORKGROUPS))
            return Builtin(kind, 0)
        return Constant(self.draw.choice(ENDS), I32)

    def sum(self, depth, names):
        draw = self.draw.random()
        if depth == 0 or draw < 0.25:
            return self.leaf(names)
        left, right = self.sum(depth - 1, names), self.sum(depth - 1, names)
        if draw < 0.65:
            return build.binary(self.draw.choice(SUMS), left, right)
        if draw < 0.78:
            if self.draw.random() < 0.5:
                right = Constant(self.draw.choice((1, 2, 3, 4, 7)), I32)
            return build.binary(self.draw.choice(OTHERS), left, right)
        if draw < 0.86:
            return build.call(self.draw.choice((MathOp.MIN, MathOp.MAX)), left, right)
        if draw < 0.93:
            return build.select(self.test(1, names), left, right)
        op = self.draw.choice((BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD))
        return build.convert(build.binary(op, build.convert(left, U32), build.convert(right, U32)), I32)

    def test(self, depth, names):
        draw = self.draw.random()
        if depth and draw < 0.4:
            op = self.draw.choice((BinaryOp.AND, BinaryOp.AND, BinaryOp.OR))
            return build.binary(op, self.test(depth - 1, names), self.test(depth - 1, names))
        if depth and draw < 0.5:
            return build.logical_not(self.test(depth - 1, names))
        if draw < 0.56:
            return self.flag
        left, right = self.sum(1, names), self.draw.choice((*PARAMS, *PARAMS, self.leaf(names)))
        if self.draw.random() < 0.2:
            left, right = build.convert(left, U32), build.convert(right, U32)
        if self.draw.random() < 0.3:
            left, right = right, left
        return build.binary(self.draw.choice(TESTS), left, right)

    def index(self, names):
        draw = self.draw.random()
        if draw < 0.6:
            return self.leaf(names)
        if draw < 0.75:
            return build.add(build.mul(self.leaf(names), PARAMS[3]), self.leaf(names))
        found = self.sum(2, names)
        return build.convert(found, U32) if draw < 0.85 else found

    def block(self, depth, names, in_loop, length):
        names, out = list(names), []
        for _ in range(self.draw.randint(1, length)):
            out += self.statement(depth, names, in_loop)
        return tuple(out)

    def statement(self, depth, names, in_loop):
        draw = self.draw.random()
        if draw < 0.15:
            value = Value(self.number(), "t", I32)
            found = [Let(value, self.sum(2, names))]
            names.append(value)
            return found
        if draw < 0.25:
            return [Assign(self.draw.choice(self.locals), self.sum(2, names))]
        if draw < 0.29:
            return [Assign(self.flag, self.test(1, names))]
        if draw < 0.42:
            value = Value(self.number(), "loaded", I32)
            found = [Load(value, Place(self.draw.choice((X, X, Y, self.array)), self.index(names)))]
            names.append(value)
            return found
        if draw < 0.6 or depth == 0:
            return [Store(Place(self.draw.choice((Y, Y, self.array)), self.index(names)), self.leaf(names))]
        if draw < 0.82:
            orelse = self.block(depth - 1, names, in_loop, 2) if self.draw.random() < 0.3 else ()
            then = self.block(depth - 1, names, in_loop, 3)
            if in_loop and self.draw.random() < 0.25:
                then = (*then, Break() if self.draw.random() < 0.6 else Continue())
            return [If(self.test(2, names), then, orelse)]
        if draw < 0.93:
            counter = Value(self.number(), "k", I32)
            start = self.draw.choice((Constant(0, I32), self.leaf(names)))
            return [ForRange(counter, start, self.sum(1, names), self.block(depth - 1, [*names, counter], True, 3))]
        leave = If(self.test(1, names), (Break(),))
        step = Assign(self.locals[0], build.add(self.locals[0], self.leaf(names)))
        return [Loop((leave, *self.block(depth - 1, names, True, 2), step))]


def traced(module, dispatch, ids):
    """What is stored, in order; None where an index was out of range."""
    machine = Machine(dispatch, ids)
    dispatch.module = module
    try:
        machine.run(module.body)
    except OutOfFuel:
        pass
    except _OutOfRange:
        return None, machine.fuel
    return machine.trace, machine.fuel


def _check(seed):
    draw = random.Random(seed)
    module = Writer(draw).module
    simplified = run(module)
    variants = {
        "plain": insert_clamps(module, assume=False), "assuming": insert_clamps(module),
        "simplified": clamp_indices(simplified),
    }  # fmt: skip
    for _ in range(12):
        dispatch = Dispatch(module, draw)
        groups = dispatch.groups
        ids = {BuiltinKind.WORKGROUP_ID: draw.choice((0, groups - 1)), BuiltinKind.LOCAL_ID: draw.choice((0, 1, 3))}
        before, _ = traced(module, dispatch, ids)
        for name, variant in variants.items():
            if not all(map(dispatch.holds, variant.assumptions)):
                continue
            after, fuel = traced(variant, dispatch, ids)
            shown = f"seed {seed}, {name}, {dispatch.__dict__}, {ids}\n"
            assert after is not None, shown + print_module(module) + print_module(variant)
            if before is not None and name != "simplified" and fuel >= 0:
                assert after == before, shown + print_module(module) + print_module(variant)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_no_index_is_out_of_range(seed):
    _check(seed)


def test_random_kernels_have_indices_of_both_kinds():
    found = {True: 0, False: 0}
    for seed in range(60):
        module = insert_clamps(Writer(random.Random(seed)).module, assume=False)
        for statement in walk.statements(module.body):
            place = walk.place_of(statement)
            if place is not None:
                found[isinstance(place.index, Call) and place.index.type == U32] += 1
    assert min(found.values()) > 50
