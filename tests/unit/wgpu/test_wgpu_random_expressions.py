"""Expressions drawn at random, evaluated by the device and by Python: parentheses and precedence."""

from __future__ import annotations

import random

import numpy as np
from wgpu_builder import Kernel, builtin, constant

from gpucore import ir
from gpucore.ir import BOOL, I32, U32, BinaryOp, MathOp, UnaryOp
from gpucore.ir.build import binary, call

MASK = 0xFFFFFFFF
ARITHMETIC = ["ADD", "SUB", "MUL", "BIT_AND", "BIT_OR", "BIT_XOR", "SHL", "SHR", "FLOOR_DIV", "FLOOR_MOD", "TRUNC_DIV"]
COUNT, POINTS = 150, 9


def signed(value):
    value &= MASK
    return value - (1 << 32) if value >> 31 else value


def divide(name, a, b):
    if b == 0:
        return 0 if name == "FLOOR_MOD" else a
    if name == "TRUNC_DIV":
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return a // b if name == "FLOOR_DIV" else a % b


def compute(name, a, b):
    simple = {"ADD": a + b, "SUB": a - b, "MUL": a * b, "BIT_AND": a & b, "BIT_OR": a | b, "BIT_XOR": a ^ b}
    if name in simple:
        return simple[name]
    if name in ("SHL", "SHR"):
        return a << (b & 31) if name == "SHL" else a >> (b & 31)
    return divide(name, a, b)


class Draw:
    """Draws an expression and, with it, a Python function of x with the same meaning."""

    def __init__(self, x, seed):
        self.x, self.random = x, random.Random(seed)

    def number(self, depth):
        kind = self.random.choice(["binary"] * 5 + ["neg", "invert", "select", "min", "unsigned", "leaf"])
        if depth == 0 or kind == "leaf":
            if self.random.random() < 0.6:
                return self.x, lambda x: x
            value = self.random.choice([0, 1, 2, 7, 31, -1, -8, 2**31 - 1, -(2**31)])
            return constant(value, I32), lambda x: value
        a, of_a = self.number(depth - 1)
        if kind in ("neg", "invert"):
            op = UnaryOp.NEG if kind == "neg" else UnaryOp.INVERT
            return ir.Unary(op, a, I32), lambda x: signed(-of_a(x) if kind == "neg" else ~of_a(x))
        b, of_b = self.number(depth - 1)
        if kind == "min":
            return call(MathOp.MIN, a, b), lambda x: min(of_a(x), of_b(x))
        if kind == "select":
            c, of_c = self.truth(depth - 1)
            return ir.Select(c, a, b, I32), lambda x: of_a(x) if of_c(x) else of_b(x)
        name = self.random.choice(ARITHMETIC)
        op = getattr(BinaryOp, name)
        if kind == "unsigned":
            left, right = ir.Convert(a, U32), ir.Convert(b, U32)
            whole = ir.Convert(binary(op, left, right), I32)
            return whole, lambda x: signed(compute(name, of_a(x) & MASK, of_b(x) & MASK))
        return binary(op, a, b), lambda x: signed(compute(name, of_a(x), of_b(x)))

    def truth(self, depth):
        if depth > 0 and self.random.random() < 0.5:
            a, of_a = self.truth(depth - 1)
            b, of_b = self.truth(depth - 1)
            name = self.random.choice(["AND", "OR", "BIT_XOR", "EQ", "NOT"])
            if name == "NOT":
                return ir.Unary(UnaryOp.NOT, a, BOOL), lambda x: not of_a(x)
            meaning = {"AND": lambda p, q: p and q, "OR": lambda p, q: p or q, "BIT_XOR": lambda p, q: p != q}
            function = meaning.get(name, lambda p, q: p == q)
            return binary(getattr(BinaryOp, name), a, b), lambda x: function(of_a(x), of_b(x))
        a, of_a = self.number(depth)
        b, of_b = self.number(depth)
        if self.random.random() < 0.5:
            return binary(BinaryOp.LT, a, b), lambda x: of_a(x) < of_b(x)
        return binary(BinaryOp.NE, a, b), lambda x: of_a(x) != of_b(x)


def test_random_expressions(run):
    kernel = Kernel("drawn")
    inputs, out = kernel.buffer("inputs", I32), kernel.buffer("out", I32, writable=True)
    i = kernel.let("i", builtin(ir.BuiltinKind.WORKGROUP_ID))
    x = kernel.load("x", inputs, i)
    functions = []
    for number in range(COUNT):
        expr, function = Draw(x, number).number(5)
        place = binary(BinaryOp.ADD, binary(BinaryOp.MUL, i, constant(COUNT, I32)), constant(number, I32))
        kernel.store(out, place, expr)
        functions.append(function)
    values = [0, 1, -1, 5, -37, 1000003, 2**31 - 1, -(2**31), -(2**31) + 1]
    assert len(values) == POINTS
    arrays = [np.array(values, np.int32), np.zeros(COUNT * POINTS, np.int32)]
    _, result = run(kernel.module(), arrays, workgroups=POINTS)
    expected = [function(value) for value in values for function in functions]
    assert result.tolist() == expected
