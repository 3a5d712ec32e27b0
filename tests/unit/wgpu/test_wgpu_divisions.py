"""Division of 64-bit integers in words of 32, which NVIDIA's Vulkan gets: on any device that has such integers."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest
from wgpu_builder import Kernel, builtin, wgsl, wgsl_for

from gpucore import ir
from gpucore.ir import F64, I32, I64, U64, BinaryOp, BuiltinKind, MathOp
from gpucore.ir.build import binary, call

GROUP = 64
OPERATORS = ("TRUNC_DIV", "TRUNC_REM", "FLOOR_DIV", "FLOOR_MOD")


def divide(name, a, b):
    """By Python's integers; what is beyond 64 bits wraps."""
    if b == 0:
        return a if name.endswith("DIV") else 0
    if name.startswith("FLOOR"):
        return a // b if name == "FLOOR_DIV" else a % b
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if name == "TRUNC_DIV" else a - quotient * b


def operands(type):
    """Every pair of edges, and numbers of all lengths."""
    source = random.Random(7)
    top = type.max_value
    edges = [0, 1, 2, 3, 7, 10, 65535, 65536, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**48 - 1, 2**63 - 1, top, top - 1]
    if type.is_signed:
        edges += [-edge for edge in edges if edge] + [type.min_value]
    pairs = [(a, b) for a in edges for b in edges]
    while len(pairs) % GROUP or len(pairs) < 8000:
        numbers = [source.getrandbits(source.randrange(1, type.bits - type.is_signed + 1)) for _ in range(2)]
        pairs.append(tuple(-n if type.is_signed and source.random() < 0.5 else n for n in numbers))
    return pairs


def kernel_of(type, name):
    kernel = Kernel(workgroup_size=GROUP)
    a, b, out = kernel.buffer("a", type), kernel.buffer("b", type), kernel.buffer("out", type, writable=True)
    group = binary(BinaryOp.MUL, builtin(BuiltinKind.WORKGROUP_ID), ir.Constant(GROUP, I32))
    i = kernel.let("i", binary(BinaryOp.ADD, group, builtin(BuiltinKind.LOCAL_ID)))
    x, y = kernel.load("x", a, i), kernel.load("y", b, i)
    kernel.body.append(ir.Store(ir.Place(out, i), binary(BinaryOp[name], x, y)))
    return kernel.module()


@pytest.fixture
def nvidia(device, monkeypatch):
    """The device, taken for one of NVIDIA's Vulkan."""
    monkeypatch.setattr(device, "info", as_nvidia(device.info))


def as_nvidia(info):
    return dataclasses.replace(info, api="Vulkan", driver="NVIDIA 580.159")


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("type", [I64, U64], ids=str)
def test_quotients_and_remainders(run, nvidia, type, name):
    pairs = operands(type)
    dtype = np.int64 if type.is_signed else np.uint64
    a, b = (np.array([pair[which] for pair in pairs], dtype) for which in (0, 1))
    result = run(kernel_of(type, name), [a, b, np.zeros_like(a)], workgroups=len(pairs) // GROUP)[2]
    expected = np.array([divide(name, *pair) % 2**64 for pair in pairs], np.uint64)
    wrong = np.flatnonzero(result.view(np.uint64) != expected)
    assert not wrong.size, [(pairs[k], result[k]) for k in wrong[:5]]


def test_the_remainder_of_f64(run, nvidia):
    """It is made of remainders of 64-bit integers: in words it is the same, and exact."""
    kernel = Kernel(workgroup_size=GROUP)
    a, b, out = kernel.buffer("a", F64), kernel.buffer("b", F64), kernel.buffer("out", F64, writable=True)
    group = binary(BinaryOp.MUL, builtin(BuiltinKind.WORKGROUP_ID), ir.Constant(GROUP, I32))
    i = kernel.let("i", binary(BinaryOp.ADD, group, builtin(BuiltinKind.LOCAL_ID)))
    x, y = kernel.load("x", a, i), kernel.load("y", b, i)
    kernel.body.append(ir.Store(ir.Place(out, i), call(MathOp.FMOD, x, y)))
    numbers = np.random.default_rng(3)
    x, y = (numbers.normal(size=20 * GROUP) * np.exp2(numbers.integers(-40, 200, 20 * GROUP)) for _ in range(2))
    result = run(kernel.module(), [x, y, np.zeros_like(x)], workgroups=20)[2]
    np.testing.assert_array_equal(result, np.fmod(x, y))


def test_only_divisions_of_64_bits_are_written_so(device):
    info = as_nvidia(device.info)
    wide, narrow = kernel_of(I64, "FLOOR_DIV"), kernel_of(I32, "FLOOR_DIV")
    assert "a / b" in wgsl(wide).text
    text = wgsl_for(wide, info).text
    assert "a / b" not in text and "gpucore_divide_two_words_u32" in text
    assert wgsl_for(narrow, info).text == wgsl(narrow).text
