"""What arithmetic means on a device of the C family, on edge values, whole outputs against Python."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from device_run import require, run
from ir_build import KernelBuilder, binary, call, splat, unary

from gpucore.ir import (
    BOOL,
    F16,
    F32,
    F64,
    I32,
    I64,
    U32,
    U64,
    Bitcast,
    Capability,
    Constant,
    Construct,
    Convert,
    Expr,
    Extract,
    MathOp,
    ScalarType,
    Select,
    Type,
    UnaryOp,
    VectorType,
    num_components,
    scalar_of,
)
from gpucore.ir.arithmetic import int_from_float, wrap

DTYPES = {
    F16: np.float16,
    I32: np.int32,
    U32: np.uint32,
    I64: np.int64,
    U64: np.uint64,
    F32: np.float32,
    F64: np.float64,
}
ONE, ZERO = Constant(1, I32), Constant(0, I32)


def evaluate(device: Any, columns: Sequence[tuple[Type, Sequence[Any]]], result: Callable[..., Expr]) -> np.ndarray:
    """The expression `result` of one element of each column, for all rows."""
    return evaluate_all(device, columns, [result])[0]


def evaluate_all(
    device: Any, columns: Sequence[tuple[Type, Sequence[Any]]], results: Sequence[Callable[..., Expr]]
) -> list[np.ndarray]:
    """Several expressions of one type, in one kernel."""
    kernel = KernelBuilder("evaluate")
    buffers = [kernel.buffer(f"column_{index}", type, "in") for index, (type, _) in enumerate(columns)]
    n = kernel.param("n")
    i = kernel.global_id()
    with kernel.when(binary(i, "<", n)):
        values = [kernel.load(buffer, i) for buffer in buffers]
        exprs = [result(*values) for result in results]
        type = exprs[0].type
        target = kernel.buffer("target", type, "out")
        for index, expr in enumerate(exprs):
            kernel.store(target, binary(i, "+", binary(n, "*", index)), expr)
    rows = len(columns[0][1])
    arrays = [np.array(values, DTYPES[scalar_of(type)]) for type, values in columns]
    width = num_components(type)
    out = np.zeros(len(results) * rows * width, DTYPES[scalar_of(type)])
    run(device, kernel.valid(), [*arrays, out], struct.pack("<i12x", rows), -(-rows // 64))
    return list(out.reshape(len(results), rows, width) if width > 1 else out.reshape(len(results), rows))


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INTEGER_MEANING: dict[str, Callable[[int, int, ScalarType], int]] = {
    "+": lambda a, b, type: a + b,
    "-": lambda a, b, type: a - b,
    "*": lambda a, b, type: a * b,
    "//": lambda a, b, type: a // b if b else a,
    "%": lambda a, b, type: a % b if b else 0,
    "div_trunc": lambda a, b, type: truncated(a, b) if b else a,
    "rem": lambda a, b, type: a - b * truncated(a, b) if b else 0,
    "&": lambda a, b, type: a & b,
    "|": lambda a, b, type: a | b,
    "^": lambda a, b, type: a ^ b,
    "<<": lambda a, b, type: a << (b % type.bits),
    ">>": lambda a, b, type: a >> (b % type.bits),
}


def edges(type: ScalarType) -> list[int]:
    near = [0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 1000, 65535, 65536, 123456789]
    far = [type.min_value, type.min_value + 1, type.max_value - 1, type.max_value, type.max_value // 2 + 1]
    return sorted({*near, *far, *((-x for x in near) if type.is_signed else ())})


@pytest.mark.parametrize("type", [I32, U32, I64, U64], ids=str)
def test_integer_operators_on_edge_values(device: Any, type: ScalarType) -> None:
    pairs = list(product(edges(type), repeat=2))
    columns = [(type, [pair[index] for pair in pairs]) for index in range(2)]
    results = [lambda a, b, symbol=symbol: binary(a, symbol, b) for symbol in INTEGER_MEANING]
    for symbol, got in zip(INTEGER_MEANING, evaluate_all(device, columns, results), strict=True):
        expected = [wrap(INTEGER_MEANING[symbol](a, b, type), type) for a, b in pairs]
        assert got.tolist() == expected, symbol


@pytest.mark.parametrize("type", [I32, U32, I64], ids=str)
def test_integer_operators_with_a_constant(device: Any, type: ScalarType) -> None:
    constants = [0, 1, 2, 3, 8, 31, 33, 1 << 20, -1, -2, -7, type.min_value, type.max_value]
    cases = list(product(["//", "%", "div_trunc", "rem", "<<", ">>", "+", "*", "-"], constants))
    cases = [(symbol, right) for symbol, right in cases if right >= type.min_value]
    results = [lambda a, case=case: binary(a, *case) for case in cases]
    for (symbol, right), got in zip(cases, evaluate_all(device, [(type, edges(type))], results), strict=True):
        expected = [wrap(INTEGER_MEANING[symbol](a, right, type), type) for a in edges(type)]
        assert got.tolist() == expected, (symbol, right)


@pytest.mark.parametrize("type", [I32, U32, I64], ids=str)
def test_a_chain_of_integer_operators_wraps(device: Any, type: ScalarType) -> None:
    triples = [(a, b, c) for a, b in product(edges(type), repeat=2) for c in (type.max_value, 5)]
    columns = [(type, [row[index] for row in triples]) for index in range(3)]
    got = evaluate(
        device, columns, lambda a, b, c: unary(UnaryOp.NEG, binary(binary(binary(a, "*", b), "+", c), "-", 9))
    )
    assert got.tolist() == [wrap(-(a * b + c - 9), type) for a, b, c in triples]


INTEGER_FUNCTIONS: dict[MathOp, Callable[[int, ScalarType], int]] = {
    MathOp.ABS: lambda x, type: abs(x),
    MathOp.SIGN: lambda x, type: (x > 0) - (x < 0),
    MathOp.POPCOUNT: lambda x, type: (x % (1 << type.bits)).bit_count(),
    MathOp.CLZ: lambda x, type: type.bits - (x % (1 << type.bits)).bit_length(),
    MathOp.CTZ: lambda x, type: (x & -x).bit_length() - 1 if x else type.bits,
    MathOp.REVERSE_BITS: lambda x, type: int(f"{x % (1 << type.bits):0{type.bits}b}"[::-1], 2),
}


@pytest.mark.parametrize("type", [I32, U32, I64, U64], ids=str)
def test_integer_functions(device: Any, type: ScalarType) -> None:
    results = [lambda x, op=op: call(op, x) for op in INTEGER_FUNCTIONS]
    for op, got in zip(INTEGER_FUNCTIONS, evaluate_all(device, [(type, edges(type))], results), strict=True):
        assert got.tolist() == [wrap(INTEGER_FUNCTIONS[op](x, type), type) for x in edges(type)], op


FLOATS = [
    0.0, -0.0, 0.4, 0.5, -0.5, 1.0, 1.5, 2.5, -2.5, -1.75, 100.25, 2147483520.0, 2147483648.0, -2147483648.0,
    -2147483904.0, 4294967040.0, 4294967296.0, 9.3e18, -9.3e18, 1.9e19, 3.0e38, -3.0e38, math.inf, -math.inf, math.nan,
]  # fmt: skip


@pytest.mark.parametrize("source", [F32, F64], ids=str)
@pytest.mark.parametrize("target", [I32, U32, I64, U64], ids=str)
def test_float_to_integer_saturates(device: Any, source: ScalarType, target: ScalarType) -> None:
    values = [float(DTYPES[source](x)) for x in FLOATS]
    got = evaluate(device, [(source, values)], lambda x: Convert(x, target))
    expected = [int_from_float(x, target.min_value, target.max_value) for x in values]
    assert got.tolist() == expected


@pytest.mark.parametrize("source", [I32, U32, I64, U64], ids=str)
@pytest.mark.parametrize("target", [F32, F64], ids=str)
def test_integer_to_float_rounds_to_nearest(device: Any, source: ScalarType, target: ScalarType) -> None:
    values = [*edges(source), 16777217, 16777219, 16777221]
    got = evaluate(device, [(source, values)], lambda x: Convert(x, target))
    assert got.tolist() == np.array(values, DTYPES[source]).astype(DTYPES[target]).tolist()


@pytest.mark.parametrize("type", [F32, F64], ids=str)
@pytest.mark.parametrize("op", [MathOp.MIN, MathOp.MAX])
def test_min_and_max_give_the_other_argument_for_nan(device: Any, type: ScalarType, op: MathOp) -> None:
    pairs = list(product([x for x in FLOATS if x != 0.0 or math.copysign(1, x) > 0], repeat=2))
    columns = [(type, [pair[index] for pair in pairs]) for index in range(2)]
    got = evaluate(device, columns, lambda a, b: call(op, a, b))
    meaning = np.fmin if op is MathOp.MIN else np.fmax
    with np.errstate(invalid="ignore"):
        expected = meaning(*(np.array(values, DTYPES[type]) for _, values in columns))
    np.testing.assert_array_equal(got, expected)


EXACT_FUNCTIONS: dict[MathOp, Callable[[Any], Any]] = {
    MathOp.ABS: np.abs,
    MathOp.FLOOR: np.floor,
    MathOp.CEIL: np.ceil,
    MathOp.ROUND: np.rint,
    MathOp.TRUNC: np.trunc,
    MathOp.FRACT: lambda x: x - np.floor(x),
    MathOp.SIGN: lambda x: np.where(np.isnan(x), 0, np.sign(x)),
}


@pytest.mark.parametrize("type", [F32, F64], ids=str)
def test_float_functions_that_are_exact(device: Any, type: ScalarType) -> None:
    results = [lambda x, op=op: call(op, x) for op in EXACT_FUNCTIONS]
    for op, got in zip(EXACT_FUNCTIONS, evaluate_all(device, [(type, FLOATS)], results), strict=True):
        with np.errstate(invalid="ignore"):
            expected = EXACT_FUNCTIONS[op](np.array(FLOATS, DTYPES[type]))
        np.testing.assert_array_equal(got, expected, err_msg=op.value)


ROUNDED_FUNCTIONS: dict[MathOp, tuple[Callable[[Any], Any], float, float]] = {
    MathOp.SQRT: (np.sqrt, 0.01, 100),
    MathOp.RSQRT: (lambda x: 1 / np.sqrt(x), 0.01, 100),
    MathOp.EXP: (np.exp, -20, 20),
    MathOp.EXP2: (np.exp2, -20, 20),
    MathOp.LOG: (np.log, 0.01, 100),
    MathOp.LOG2: (np.log2, 0.01, 100),
    MathOp.SIN: (np.sin, -6, 6),
    MathOp.COS: (np.cos, -6, 6),
    MathOp.TAN: (np.tan, -1.5, 1.5),
    MathOp.ASIN: (np.arcsin, -1, 1),
    MathOp.ACOS: (np.arccos, -1, 1),
    MathOp.ATAN: (np.arctan, -10, 10),
    MathOp.SINH: (np.sinh, -5, 5),
    MathOp.COSH: (np.cosh, -5, 5),
    MathOp.TANH: (np.tanh, -5, 5),
}


def test_float_functions_within_few_ulp(device: Any) -> None:
    columns = [(F32, np.linspace(low, high, 1001, dtype=np.float32)) for _, low, high in ROUNDED_FUNCTIONS.values()]
    results = [lambda *x, op=op, index=index: call(op, x[index]) for index, op in enumerate(ROUNDED_FUNCTIONS)]
    for (op, (meaning, _, _)), (_, x), got in zip(
        ROUNDED_FUNCTIONS.items(), columns, evaluate_all(device, columns, results), strict=True
    ):
        exact = meaning(x.astype(np.float64))
        ulp = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
        assert np.max(np.abs(got - exact) / ulp) <= 6, op  # OpenCL and CUDA promise 5 or better


def test_isnan_isinf_step_mix_clamp_pow_atan2_fma(device: Any) -> None:
    x = np.array(FLOATS, np.float32)
    for op, expected in ((MathOp.ISNAN, np.isnan(x)), (MathOp.ISINF, np.isinf(x))):
        got = evaluate(device, [(F32, x)], lambda v, op=op: Select(call(op, v, type=BOOL), ONE, ZERO, I32))
        assert got.astype(bool).tolist() == expected.tolist()
    got = evaluate(device, [(F32, x), (F32, x[::-1])], lambda a, b: call(MathOp.STEP, a, b))
    assert got.tolist() == np.where(x[::-1] >= x, 1.0, 0.0).tolist()
    a, b, t = (np.linspace(low, 3, 64, dtype=np.float32) for low in (-2, 1, 0.25))
    columns = [(F32, a), (F32, b), (F32, t)]
    np.testing.assert_allclose(
        evaluate(device, columns, lambda *v: call(MathOp.MIX, *v)), a * (1 - t) + b * t, rtol=1e-6
    )
    got = evaluate(device, columns, lambda *v: call(MathOp.CLAMP, *v))
    assert got.tolist() == np.minimum(np.maximum(a, b), t).tolist()
    np.testing.assert_allclose(evaluate(device, columns[1:], lambda *v: call(MathOp.POW, *v)), b**t, rtol=2e-6)
    np.testing.assert_allclose(
        evaluate(device, columns[:2], lambda *v: call(MathOp.ATAN2, *v)), np.arctan2(a, b), rtol=1e-6
    )
    fused = (a.astype(np.float64) * b + t).astype(np.float32)
    assert evaluate(device, columns, lambda *v: call(MathOp.FMA, *v)).tolist() == fused.tolist()


def test_constants_keep_every_bit(device: Any) -> None:
    floats = [
        0.0,
        -0.0,
        1.0,
        0.1,
        16777216.0,
        1e-45,
        3.4028234663852886e38,
        1.1754943508222875e-38,
        math.inf,
        -math.inf,
    ]
    cases: list[tuple[ScalarType, list[Any]]] = [
        (type, [float(DTYPES[type](x)) for x in floats]) for type in (F32, F64)
    ]
    cases += [(type, [type.min_value, type.max_value, 0, 1]) for type in (I32, U32, I64, U64)]
    for type, values in cases:
        results = [lambda _, value=value, type=type: Constant(value, type) for value in values]
        got = np.concatenate(evaluate_all(device, [(I32, [0])], results))
        assert got.tobytes() == np.array(values, DTYPES[type]).tobytes()
        if type.is_float:
            assert np.isnan(evaluate(device, [(I32, [0])], lambda _, type=type: Constant(math.nan, type)))[0]


def test_bitcasts_keep_every_bit(device: Any) -> None:
    words = [0, 1, 0x7F800001, 0x7FC01234, 0x80000000, 0xFFFFFFFF, 0x00000001, 0x3F800000]
    there_and_back = lambda x: Bitcast(Bitcast(x, F32), U32)  # noqa: E731
    assert evaluate(device, [(U32, words)], there_and_back).tolist() == words
    longs = [word << 32 | word for word in words]
    assert evaluate(device, [(U64, longs)], lambda x: Bitcast(Bitcast(x, F64), U64)).tolist() == longs


ALIKE = [pytest.param(2, U32, marks=pytest.mark.large), pytest.param(4, I32, marks=pytest.mark.large)]
"""The other integers have these widths; either width has floats."""


@pytest.mark.parametrize(("width", "element"), [(2, F32), (4, F32), (2, I32), (4, U32), *ALIKE], ids=str)
def test_vectors(device: Any, element: ScalarType, width: int) -> None:
    vector = VectorType(element, width)
    rng = np.random.default_rng(7)
    shape = (50, width)
    if element.is_float:
        a, b = rng.uniform(-9, 9, shape), rng.uniform(1, 9, shape)
    else:
        a, b = rng.integers(element.min_value, element.max_value, shape), rng.integers(1, element.max_value, shape)
    a, b = a.astype(DTYPES[element]), b.astype(DTYPES[element])
    pairs = [(vector, a), (vector, b)]
    results = [lambda x, y, symbol=symbol: binary(x, symbol, y) for symbol in ("+", "-", "*")]
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(evaluate_all(device, pairs, results), [a + b, a - b, a * b])
    if element.is_integer:
        assert_rows = evaluate(device, pairs, lambda x, y: binary(binary(x, "//", y), "+", binary(x, "%", y)))
        np.testing.assert_array_equal(assert_rows, a // b + a % b)
        shifted = evaluate(device, pairs, lambda x, y: binary(x, ">>", y))
        np.testing.assert_array_equal(shifted, a >> (b % 32))
    np.testing.assert_array_equal(evaluate(device, pairs, lambda x, y: call(MathOp.MIN, x, y)), np.minimum(a, b))
    np.testing.assert_array_equal(
        evaluate(device, pairs, lambda x, y: call(MathOp.CLAMP, x, splat(Extract(y, 0, element), width), y)),
        np.minimum(np.maximum(a, b[:, :1]), b),
    )
    reverse = lambda x: Construct(tuple(Extract(x, i, element) for i in reversed(range(width))), vector)  # noqa: E731
    np.testing.assert_array_equal(evaluate(device, pairs[:1], reverse), a[:, ::-1])
    negative = evaluate(device, pairs, lambda x, y: Select(binary(Extract(x, 0, element), "<", Extract(y, 0, element)),
                                                           unary(UnaryOp.NEG, x), y, vector))  # fmt: skip
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(negative, np.where(a[:, :1] < b[:, :1], -a, b))
    less = lambda x, y: Select(Extract(binary(x, "<", y), width - 1, BOOL), ONE, ZERO, I32)  # noqa: E731
    assert evaluate(device, pairs, less).tolist() == (a[:, -1] < b[:, -1]).astype(int).tolist()
    both = lambda x, y: Select(  # noqa: E731
        Extract(binary(binary(x, "<", y), "and", unary(UnaryOp.NOT, binary(x, "==", y))), 0, BOOL), ONE, ZERO, I32
    )
    assert evaluate(device, pairs, both).tolist() == (a[:, 0] < b[:, 0]).astype(int).tolist()
    got = evaluate(device, pairs, lambda x, y: call(MathOp.DOT, x, y, type=element))
    if element.is_float:
        np.testing.assert_allclose(got, (a * b).sum(axis=1), rtol=1e-4, atol=1e-4)
    else:
        assert got.tolist() == [wrap(sum(int(p) * int(q) for p, q in zip(r, s, strict=True)), element)
                                for r, s in zip(a, b, strict=True)]  # fmt: skip


def test_vector_conversions_and_bitcasts(device: Any) -> None:
    values = np.array([1.5, -1.5, math.nan, 1e30, -1e30, 7.0, 0.0, 2.0], np.float32)
    f4, i4, u4 = (VectorType(element, 4) for element in (F32, I32, U32))
    got = evaluate(device, [(f4, values.reshape(2, 4))], lambda x: Convert(x, i4))
    assert got.ravel().tolist() == [1, -1, 0, 2**31 - 1, -(2**31), 7, 0, 2]
    got = evaluate(device, [(f4, values.reshape(2, 4))], lambda x: Bitcast(x, u4))
    assert got.ravel().tolist() == values.view(np.uint32).tolist()
    integers = np.arange(-4, 4, dtype=np.int32).reshape(2, 4)
    got = evaluate(device, [(i4, integers)], lambda x: Convert(x, f4))
    assert got.ravel().tolist() == [-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
    got = evaluate(device, [(i4, integers)], lambda x: Convert(x, u4))
    assert got.ravel().tolist() == integers.astype(np.uint32).ravel().tolist()


def halves(rows: int, seed: int) -> np.ndarray:
    """Random f16 bit patterns that are numbers."""
    bits = np.random.default_rng(seed).integers(0, 1 << 16, rows * 2, dtype=np.uint16)
    values = bits.view(np.float16)
    return values[np.isfinite(values) & ((values == 0) | (np.abs(values) >= np.finfo(np.float16).tiny))][:rows]


@pytest.mark.parametrize("width", [1, 4])
def test_half_floats_round_each_operation(device: Any, width: int) -> None:
    require(device, Capability.F16)
    type = VectorType(F16, 4) if width == 4 else F16
    a, b = (halves(400, seed).reshape(-1, width) if width == 4 else halves(400, seed) for seed in (1, 2))
    results = [lambda x, y, symbol=symbol: binary(x, symbol, y) for symbol in ("+", "-", "*", "/")]
    got = evaluate_all(device, [(type, a), (type, b)], results)
    with np.errstate(all="ignore"):
        for found, expected in zip(got, (a + b, a - b, a * b, a / b), strict=True):
            subnormal = (expected != 0) & (np.abs(expected) < np.finfo(np.float16).tiny)  # may be flushed
            np.testing.assert_array_equal(found[~subnormal], expected[~subnormal])
    results = [lambda x, y, op=op: call(op, x, y) for op in (MathOp.MIN, MathOp.MAX)]
    np.testing.assert_array_equal(evaluate_all(device, [(type, a), (type, b)], results), [np.fmin(a, b), np.fmax(a, b)])
    negative, floor = evaluate_all(
        device, [(type, a)], [lambda x: unary(UnaryOp.NEG, x), lambda x: call(MathOp.FLOOR, x)]
    )
    np.testing.assert_array_equal(negative, -a)
    np.testing.assert_array_equal(floor, np.floor(a))


def test_half_floats_convert(device: Any) -> None:
    require(device, Capability.F16)
    values = np.array([0.0, -0.0, 1.5, -2.5, 65504.0, -65504.0, math.inf, -math.inf, math.nan, 0.1, 2049.0], np.float16)
    for target in (F32, F64):
        got = evaluate(device, [(F16, values)], lambda x, target=target: Convert(x, target))
        np.testing.assert_array_equal(got, values.astype(DTYPES[target]))
    for target in (I32, U32, I64, U64):
        got = evaluate(device, [(F16, values)], lambda x, target=target: Convert(x, target))
        assert got.tolist() == [int_from_float(x, target.min_value, target.max_value) for x in values]
    for source in (I32, U32, I64, U64):
        integers = [0, 1, 2047, 2048, 2049, 2051, 65503, 65504, 123456, (1 << 24) + 1, source.max_value]
        got = evaluate(device, [(source, integers)], lambda x: Convert(x, F16))
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(got, np.array(integers, np.float64).astype(np.float16))
    doubles = np.array([1 + 2**-11, 1 + 2**-11 + 2**-40, 1e-3, 1e300, -1.0, math.nan], np.float64)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(
            evaluate(device, [(F64, doubles)], lambda x: Convert(x, F16)), doubles.astype(np.float16)
        )
