"""The passes keep what a program does: random programs run before and after them in a small, strict interpreter."""

from __future__ import annotations

import random

import pytest
from ir_interpreter import Interpreter, OutOfFuel

from gpucore.ir import (
    BOOL,
    I32,
    TRUE,
    Assign,
    BinaryOp,
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
    build,
    print_module,
)
from gpucore.passes import SIMPLIFYING, TIDYING, run
from gpucore.valid import validate

X = Buffer(0, "x", I32, True, False)
Y = Buffer(1, "y", I32, True, True)
N = Param(0, "n", I32)
SIZE = 8
ARITHMETIC = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.FLOOR_DIV, BinaryOp.BIT_XOR, BinaryOp.BIT_AND)
TESTS = (BinaryOp.LT, BinaryOp.GE, BinaryOp.EQ)


class Machine(Interpreter):
    """Indices are taken modulo the length, so that every program runs."""

    def __init__(self, x, n):
        super().__init__(fuel=1500)
        self.memory, self.n = {"x": list(x), "y": [0] * SIZE}, n

    def parameter(self, param):
        return self.n

    def builtin(self, builtin):
        return 3

    def declare_array(self, array):
        self.memory[array.id] = [0] * array.length

    def load(self, place):
        values, index = self.element(place)
        return values[index]

    def store(self, place, value):
        values, index = self.element(place)
        values[index] = value
        if isinstance(place.memory, Buffer):
            self.trace.append((index, value))

    def element(self, place):
        values = self.memory[place.memory.name if isinstance(place.memory, Buffer) else place.memory.id]
        return values, self.of(place.index) % len(values)


# ---------------------------------------------------------------- random programs


class Writer:
    """Writes a random module in the manner of the front end: declarations first, every assigned variable a Local."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.locals = [self.fresh(Local, f"v{i}", I32) for i in range(4)] + [self.fresh(Local, "flag", BOOL)]
        self.array = self.fresh(PrivateArray, "a", I32, 3)
        self.dynamic = self.random.random() < 0.3
        assigned = set()
        start = self.fresh(Value, "start", I32)
        body = self.block(3, [start], assigned, False, self.random.randint(8, 20))
        tail = tuple(Store(Place(Y, Constant(i, I32)), v) for i, v in enumerate(self.locals[:4]) if v.id in assigned)
        declares = tuple(Declare(v) for v in self.locals)
        self.module = Module(
            "k", (64, 1, 1), (X, Y), (N,), (ShapeOrigin("x", 0),), (),
            (*declares, DeclareArray(self.array), Load(start, Place(X, N)), *body, *tail),
        )  # fmt: skip

    def fresh(self, kind, *rest):
        self.count += 1
        return kind(self.count, *rest)

    def block(self, depth, values, assigned, in_loop, length):
        """`values` and `assigned` say what may be read; `assigned` is extended by what the block surely assigns."""
        values, out = list(values), []
        for _ in range(length):
            out.extend(self.statement(depth, values, assigned, in_loop))
            if isinstance(out[-1], (Break, Continue)):
                break
        return tuple(out)

    def statement(self, depth, values, assigned, in_loop):
        choice = self.random.random()
        if choice < 0.32:
            target = self.random.choice(self.locals)
            expr = self.test(values, assigned) if target.type == BOOL else self.expr(2, values, assigned)
            assigned.add(target.id)
            return [Assign(target, expr)]
        if choice < 0.44:
            value = self.fresh(Value, "t", I32)
            readable = [v for v in self.locals[:4] if v.id in assigned]
            depth = self.random.randint(0, 2)
            expr = self.random.choice(readable) if readable and depth == 0 else self.expr(depth, values, assigned)
            found = [Let(value, expr)]
            values.append(value)
            return found
        if choice < 0.53:
            value = self.fresh(Value, "e", I32)
            found = [Load(value, self.place(values, assigned, X))]
            values.append(value)
            return found
        if choice < 0.65 or depth == 0:
            return [Store(self.place(values, assigned, Y), self.expr(2, values, assigned))]
        if choice < 0.70 and in_loop:
            return [self.random.choice((Break(), Continue()))]
        if choice < 0.88:
            return [self.branch(depth, values, assigned, in_loop)]
        return [self.repeat(depth, values, assigned)]

    def branch(self, depth, values, assigned, in_loop):
        yes, no = set(assigned), set(assigned)
        condition = self.test(values, assigned)
        then = self.block(depth - 1, values, yes, in_loop, self.random.randint(1, 4))
        orelse = self.block(depth - 1, values, no, in_loop, self.random.randint(0, 3))
        if then and isinstance(then[-1], (Break, Continue)):
            assigned |= no
        elif orelse and isinstance(orelse[-1], (Break, Continue)):
            assigned |= yes
        else:
            assigned |= yes & no
        return If(condition, then, orelse)

    def repeat(self, depth, values, assigned):
        inner = set(assigned)
        if self.random.random() < 0.5:
            counter = self.fresh(Value, "i", I32)
            stop = self.random.choice((N, Constant(2, I32), Constant(3, I32)))
            body = self.block(depth - 1, [*values, counter], inner, True, self.random.randint(2, 6))
            return ForRange(counter, Constant(0, I32), stop, body)
        leave = If(self.test(values, inner), (Break(),))
        return Loop((leave, *self.block(depth - 1, values, inner, True, self.random.randint(2, 6))))

    def place(self, values, assigned, buffer):
        if self.random.random() < 0.5:
            return Place(buffer, self.expr(1, values, assigned))
        if self.dynamic:
            return Place(self.array, build.floor_mod(self.expr(1, values, assigned), 3))
        return Place(self.array, Constant(self.random.randint(0, 2), I32))

    def expr(self, depth, values, assigned):
        choice = self.random.random()
        if depth > 0 and choice < 0.5:
            left, right = self.expr(depth - 1, values, assigned), self.expr(depth - 1, values, assigned)
            return build.binary(self.random.choice(ARITHMETIC), left, right)
        if depth > 0 and choice < 0.55:
            arms = [self.expr(depth - 1, values, assigned) for _ in range(2)]
            return build.select(self.test(values, assigned), *arms)
        readable = 3 * [v for v in self.locals[:4] if v.id in assigned] + values
        if readable and choice < 0.93:
            return self.random.choice(readable)
        constant = Constant(self.random.choice((0, 1, 2, -1, 2**31 - 1)), I32)
        return self.random.choice((N, Builtin(BuiltinKind.LOCAL_ID, 0), constant))

    def test(self, values, assigned):
        flag = self.locals[-1]
        choice = self.random.random()
        if choice < 0.3 and flag.id in assigned:
            return build.logical_not(flag)
        if choice < 0.32:
            return TRUE
        left, right = self.expr(1, values, assigned), self.expr(1, values, assigned)
        return build.binary(self.random.choice(TESTS), left, right)


def outcome(module, x, n):
    """The stores to the buffer, in order, and whether the program came to its end in the time it had."""
    interpreter = Machine(x, n)
    try:
        interpreter.run(module.body)
    except OutOfFuel:
        return interpreter.trace, False
    return interpreter.trace, True


def agree(first, second):
    """Equal, or equal as far as the shorter one came where a program did not end."""
    (a, a_ended), (b, b_ended) = first, second
    if a_ended and b_ended:
        return a == b
    length = min(len(a), len(b))
    return a[:length] == b[:length]


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_passes_keep_the_result(first):
    for seed in range(first, first + 50):
        compare(seed)


def compare(seed):
    module, numbers = Writer(seed).module, random.Random(seed)
    x, n = [numbers.randint(-3, 9) for _ in range(SIZE)], numbers.randint(0, 4)
    expected = outcome(module, x, n)
    current = module
    for apply in (*SIMPLIFYING, *SIMPLIFYING, *TIDYING):
        current = apply(current)
        validate(current, frozenset(), Limits())
        if not agree(outcome(current, x, n), expected):
            pytest.fail(f"seed {seed}, after {apply.__name__}:\n{print_module(module)}\n{print_module(current)}")
    assert agree(outcome(run(module), x, n), expected)


def test_random_programs_do_something():
    """Guards the test above against testing nothing."""
    results = [outcome(Writer(seed).module, range(SIZE), 2) for seed in range(100)]
    assert sum(ended for _, ended in results) > 40
    assert len({tuple(trace) for trace, _ in results if len(trace) > 3}) > 60
