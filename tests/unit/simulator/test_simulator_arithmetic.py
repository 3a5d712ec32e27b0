"""Arithmetic of the IR on the simulator: edges by value, the rest against exact references."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from simulator_kernels import Draft

from gpucore import ir
from gpucore.errors import EmitError
from gpucore.ir import BinaryOp, MathOp, UnaryOp
from gpucore.ir.build import binary

LOW, HIGH = -(2**31), 2**31 - 1
DTYPES = {ir.I32: "i4", ir.U32: "u4", ir.I64: "i8", ir.U64: "u8", ir.F16: "f2", ir.F32: "f4", ir.F64: "f8"}
NAN, INF = math.nan, math.inf


def evaluate(
    make: Callable[..., ir.Expr], types: tuple[ir.ScalarType, ...], columns: tuple[list[Any], ...]
) -> np.ndarray[Any, Any]:
    """make(a, b, ...) for each row of the columns; a bool result comes back as i32."""
    draft = Draft(workgroup_size=(len(columns[0]), 1, 1))
    buffers = [draft.buffer(f"in_{k}", type) for k, type in enumerate(types)]
    values = [draft.value(letter, type) for letter, type in zip("abc", types, strict=False)]
    result = make(*values)
    if result.type == ir.BOOL:
        result = ir.Convert(result, ir.I32)
    assert isinstance(result.type, ir.ScalarType)
    out = draft.buffer("out", result.type)
    lane = ir.Builtin(ir.BuiltinKind.LOCAL_ID, 0)
    body: list[ir.Stmt] = [
        ir.Load(value, ir.Place(buffer, lane)) for value, buffer in zip(values, buffers, strict=True)
    ]
    body.append(ir.Store(ir.Place(out, lane), result))
    arrays = [np.array(column, DTYPES[type]) for column, type in zip(columns, types, strict=True)]
    return draft.run(body, *arrays, np.zeros(len(columns[0]), DTYPES[result.type]))[-1]


def of_binary(op: BinaryOp, type: ir.ScalarType, pairs: list[tuple[Any, Any]]) -> list[Any]:
    columns = tuple(map(list, zip(*pairs, strict=True)))
    result: list[Any] = evaluate(lambda a, b: binary(op, a, b), (type, type), columns).tolist()
    return result


def of_call(op: MathOp, type: ir.ScalarType, *columns: list[Any], result: ir.ScalarType | None = None) -> Any:
    return evaluate(lambda *args: ir.Call(op, args, result or type), (type,) * len(columns), columns)


def convert(source: ir.ScalarType, target: ir.ScalarType, values: list[Any]) -> list[Any]:
    result: list[Any] = evaluate(lambda a: ir.Convert(a, target), (source,), (values,)).tolist()
    return result


@pytest.mark.parametrize(
    ("op", "pairs", "expected"),
    [
        (BinaryOp.ADD, [(HIGH, 1), (LOW, -1), (LOW, LOW)], [LOW, HIGH, 0]),
        (BinaryOp.SUB, [(LOW, 1), (0, LOW)], [HIGH, LOW]),
        (BinaryOp.MUL, [(65536, 65536), (HIGH, HIGH), (LOW, -1)], [0, 1, LOW]),
        (BinaryOp.FLOOR_DIV, [(7, 2), (-7, 2), (7, -2), (-7, -2), (5, 0), (LOW, -1)], [3, -4, -4, 3, 5, LOW]),
        (BinaryOp.FLOOR_MOD, [(7, 3), (-7, 3), (7, -3), (-7, -3), (5, 0), (LOW, -1)], [1, 2, -2, -1, 0, 0]),
        (BinaryOp.TRUNC_DIV, [(7, 2), (-7, 2), (7, -2), (-7, -2), (5, 0), (LOW, -1)], [3, -3, -3, 3, 5, LOW]),
        (BinaryOp.TRUNC_REM, [(7, 3), (-7, 3), (7, -3), (-7, -3), (5, 0), (LOW, -1)], [1, -1, 1, -1, 0, 0]),
        (BinaryOp.SHL, [(1, 31), (1, 32), (3, 33), (1, -1), (-1, 4)], [LOW, 1, 6, LOW, -16]),
        (BinaryOp.SHR, [(-8, 1), (-1, 31), (-8, 33), (LOW, -1)], [-4, -1, -4, -1]),
        (BinaryOp.BIT_AND, [(-1, 5), (LOW, HIGH)], [5, 0]),
        (BinaryOp.BIT_OR, [(LOW, HIGH)], [-1]),
        (BinaryOp.BIT_XOR, [(-1, HIGH)], [LOW]),
    ],
)
def test_edges_of_signed_integers(op: BinaryOp, pairs: list[tuple[int, int]], expected: list[int]) -> None:
    assert of_binary(op, ir.I32, pairs) == expected


@pytest.mark.parametrize(
    ("op", "pairs", "expected"),
    [
        (BinaryOp.ADD, [(2**32 - 1, 1)], [0]),
        (BinaryOp.SUB, [(0, 1)], [2**32 - 1]),
        (BinaryOp.MUL, [(2**31, 3)], [2**31]),
        (BinaryOp.FLOOR_DIV, [(2**32 - 1, 2), (9, 0)], [2**31 - 1, 9]),
        (BinaryOp.FLOOR_MOD, [(2**32 - 1, 10), (9, 0)], [5, 0]),
        (BinaryOp.TRUNC_DIV, [(2**32 - 1, 2), (9, 0)], [2**31 - 1, 9]),
        (BinaryOp.TRUNC_REM, [(2**32 - 1, 10), (9, 0)], [5, 0]),
        (BinaryOp.SHL, [(2**32 - 1, 4), (1, 32)], [2**32 - 16, 1]),
        (BinaryOp.SHR, [(2**32 - 1, 31), (8, 33)], [1, 4]),
    ],
)
def test_edges_of_unsigned_integers(op: BinaryOp, pairs: list[tuple[int, int]], expected: list[int]) -> None:
    assert of_binary(op, ir.U32, pairs) == expected


@pytest.mark.parametrize("type", [ir.I32, ir.U32, ir.I64, ir.U64], ids=str)
def test_ring_operations_agree_with_exact_integers_modulo_the_width(type: ir.ScalarType) -> None:
    generator = np.random.default_rng(3)
    a, b = (generator.integers(type.min_value, type.max_value, 500, DTYPES[type], endpoint=True) for _ in "ab")
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    exact: dict[BinaryOp, Callable[[int, int], int]] = {
        BinaryOp.ADD: lambda x, y: x + y,
        BinaryOp.SUB: lambda x, y: x - y,
        BinaryOp.MUL: lambda x, y: x * y,
        BinaryOp.SHL: lambda x, y: x << (y % type.bits),
        BinaryOp.FLOOR_DIV: lambda x, y: math.floor(Fraction(x, y)),
        BinaryOp.TRUNC_DIV: lambda x, y: math.trunc(Fraction(x, y)),
    }
    for op, function in exact.items():
        results = of_binary(op, type, pairs)
        for pair, result in zip(pairs, results, strict=True):
            assert type.min_value <= result <= type.max_value
            assert (result - function(*pair)) % (1 << type.bits) == 0, (op, pair)


def test_bits_of_integers() -> None:
    given = [0, 1, 12, -1, LOW]
    assert of_call(MathOp.POPCOUNT, ir.I32, given).tolist() == [0, 1, 2, 32, 1]
    assert of_call(MathOp.CLZ, ir.I32, given).tolist() == [32, 31, 28, 0, 0]
    assert of_call(MathOp.CTZ, ir.I32, given).tolist() == [32, 0, 2, 0, 31]
    assert of_call(MathOp.REVERSE_BITS, ir.I32, given).tolist() == [0, LOW, 0x30000000, -1, 1]
    assert of_call(MathOp.CLZ, ir.U64, [1, 2**63]).tolist() == [63, 0]
    assert of_call(MathOp.REVERSE_BITS, ir.U32, [1, 6]).tolist() == [2**31, 0x60000000]


def test_functions_of_integers() -> None:
    assert of_call(MathOp.ABS, ir.I32, [LOW, -3, 3]).tolist() == [LOW, 3, 3]
    assert of_call(MathOp.ABS, ir.U32, [2**32 - 1]).tolist() == [2**32 - 1]
    assert of_call(MathOp.SIGN, ir.I32, [LOW, 0, 9]).tolist() == [-1, 0, 1]
    assert of_call(MathOp.MIN, ir.I32, [LOW, 4], [HIGH, 3]).tolist() == [LOW, 3]
    assert of_call(MathOp.MAX, ir.U32, [2**32 - 1, 4], [0, 5]).tolist() == [2**32 - 1, 5]
    assert of_call(MathOp.CLAMP, ir.I32, [-9, 5, 99], [0, 0, 0], [10, 10, 10]).tolist() == [0, 5, 10]


def test_unary_operators() -> None:
    assert evaluate(lambda a: ir.Unary(UnaryOp.NEG, a, ir.I32), (ir.I32,), ([LOW, 5],)).tolist() == [LOW, -5]
    assert evaluate(lambda a: ir.Unary(UnaryOp.NEG, a, ir.U32), (ir.U32,), ([1, 0],)).tolist() == [2**32 - 1, 0]
    assert evaluate(lambda a: ir.Unary(UnaryOp.INVERT, a, ir.I32), (ir.I32,), ([0, HIGH],)).tolist() == [-1, LOW]
    assert evaluate(lambda a: ir.Unary(UnaryOp.INVERT, a, ir.U32), (ir.U32,), ([0, 1],)).tolist() == [
        2**32 - 1,
        2**32 - 2,
    ]
    negated = evaluate(lambda a: ir.Unary(UnaryOp.NEG, a, ir.F32), (ir.F32,), ([0.0, -INF, 2.5],))
    assert negated.tobytes() == np.array([-0.0, INF, -2.5], "f4").tobytes()


def test_division_of_floats_follows_ieee() -> None:
    pairs = [(1.0, 0.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 3.0)]
    results = of_binary(BinaryOp.DIV, ir.F32, pairs)
    assert results[:2] == [INF, -INF] and math.isnan(results[2]) and results[3] == float(np.float32(1) / np.float32(3))


def test_comparisons_with_nan_are_false_save_unequal() -> None:
    pairs = [(NAN, 1.0), (1.0, NAN), (NAN, NAN)]
    for op in ir.COMPARISONS:
        assert of_binary(op, ir.F32, pairs) == [int(op is BinaryOp.NE)] * 3


def test_each_float_operation_rounds_to_its_type() -> None:
    assert of_binary(BinaryOp.ADD, ir.F32, [(16777216.0, 1.0)]) == [16777216.0]
    assert of_binary(BinaryOp.ADD, ir.F64, [(16777216.0, 1.0)]) == [16777217.0]
    assert of_binary(BinaryOp.MUL, ir.F16, [(300.0, 300.0), (0.1, 0.1)]) == [
        INF,
        float(np.float16(np.float64(np.float16(0.1)) ** 2)),
    ]


def test_min_and_max_prefer_numbers_to_nan() -> None:
    a, b = [NAN, 1.0, NAN, 2.0, -INF], [1.0, NAN, NAN, 3.0, NAN]
    assert np.array_equal(of_call(MathOp.MIN, ir.F32, a, b), [1, 1, NAN, 2, -INF], equal_nan=True)
    assert np.array_equal(of_call(MathOp.MAX, ir.F32, a, b), [1, 1, NAN, 3, -INF], equal_nan=True)


def test_rounding_functions_keep_ties_zeros_and_infinities() -> None:
    given = [0.5, 1.5, 2.5, -0.5, -1.5, -0.0, INF]
    expected = {
        MathOp.ROUND: [0.0, 2.0, 2.0, -0.0, -2.0, -0.0, INF],
        MathOp.FLOOR: [0.0, 1.0, 2.0, -1.0, -2.0, -0.0, INF],
        MathOp.CEIL: [1.0, 2.0, 3.0, -0.0, -1.0, -0.0, INF],
        MathOp.TRUNC: [0.0, 1.0, 2.0, -0.0, -1.0, -0.0, INF],
    }
    for op, values in expected.items():
        assert of_call(op, ir.F32, given).tobytes() == np.array(values, "f4").tobytes(), op
    assert of_call(MathOp.FRACT, ir.F32, [-0.25, 2.75]).tolist() == [0.75, 0.75]


def test_small_float_functions() -> None:
    assert of_call(MathOp.SIGN, ir.F32, [-2.0, 0.0, INF, NAN]).tolist() == [-1, 0, 1, 0]
    assert of_call(MathOp.STEP, ir.F32, [1.0, 1.0, 1.0], [0.5, 1.0, 2.0]).tolist() == [0, 1, 1]
    assert of_call(MathOp.MIX, ir.F32, [10.0], [20.0], [0.25]).tolist() == [12.5]
    assert of_call(MathOp.CLAMP, ir.F32, [-1.0, NAN, 0.5], [0.0] * 3, [1.0] * 3).tolist() == [0, 0, 0.5]
    assert of_call(MathOp.ABS, ir.F16, [-1.5, -INF]).tolist() == [1.5, INF]
    assert of_call(MathOp.ISNAN, ir.F32, [NAN, INF, 0.0], result=ir.BOOL).tolist() == [1, 0, 0]
    assert of_call(MathOp.ISINF, ir.F32, [NAN, -INF, 0.0], result=ir.BOOL).tolist() == [0, 1, 0]


TRANSCENDENTAL: dict[MathOp, Callable[..., float]] = {
    MathOp.SQRT: math.sqrt, MathOp.RSQRT: lambda x: 1 / math.sqrt(x), MathOp.EXP: math.exp, MathOp.EXP2: math.exp2,
    MathOp.LOG: math.log, MathOp.LOG2: math.log2, MathOp.SIN: math.sin, MathOp.COS: math.cos, MathOp.TAN: math.tan,
    MathOp.ATAN: math.atan, MathOp.SINH: math.sinh, MathOp.COSH: math.cosh, MathOp.TANH: math.tanh,
    MathOp.ASIN: math.asin, MathOp.ACOS: math.acos, MathOp.POW: math.pow, MathOp.ATAN2: math.atan2,
}  # fmt: skip


@pytest.mark.parametrize("op", TRANSCENDENTAL, ids=lambda op: op.value)
def test_functions_are_nearly_correctly_rounded(op: MathOp) -> None:
    """Within half an ulp and a little of the double-precision value; RSQRT rounds twice."""
    a, b = (np.random.default_rng(4).uniform(0.01, 0.99, (2, 200))).astype("f4")
    columns = (a, b) if op in (MathOp.POW, MathOp.ATAN2) else (a,)
    results = of_call(op, ir.F32, *(column.tolist() for column in columns))
    exact = np.array([TRANSCENDENTAL[op](*row) for row in zip(*(c.tolist() for c in columns), strict=True)])
    errors = np.abs(results.astype("f8") - exact) / np.spacing(np.abs(exact).astype("f4")).astype("f8")
    assert errors.max() <= (1.5 if op is MathOp.RSQRT else 0.5001)


def test_functions_outside_their_domain_give_nan_or_infinity() -> None:
    assert np.isnan(of_call(MathOp.SQRT, ir.F32, [-1.0])).all()
    assert np.isnan(of_call(MathOp.ASIN, ir.F32, [2.0])).all()
    assert of_call(MathOp.LOG, ir.F32, [0.0]).tolist() == [-INF]
    assert of_call(MathOp.EXP, ir.F32, [200.0]).tolist() == [INF]
    assert of_call(MathOp.EXP, ir.F16, [12.0]).tolist() == [INF]


def exact_fma(a: float, b: float, c: float, dtype: str) -> float:
    """Nearest even by comparing exact distances to the neighbours of a first guess."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    guess = np.array(float(exact), dtype)
    candidates = [np.nextafter(guess, np.array(-INF, dtype)), guess, np.nextafter(guess, np.array(INF, dtype))]
    bits = f"u{guess.itemsize}"
    best = min(candidates, key=lambda x: (abs(Fraction(float(x)) - exact), int(x.view(bits)) & 1))
    return float(best)


@pytest.mark.parametrize("type", [ir.F16, ir.F32, ir.F64], ids=str)
def test_fma_rounds_once(type: ir.ScalarType) -> None:
    generator = np.random.default_rng(5)
    a, b = generator.uniform(-2, 2, (2, 400)).astype(DTYPES[type])
    scale = np.exp2(generator.integers(-12, 3, 400).astype("f8"))
    c = (-a.astype("f8") * b.astype("f8") * (1 + generator.uniform(-1, 1, 400) * scale)).astype(DTYPES[type])
    results = of_call(MathOp.FMA, type, a.tolist(), b.tolist(), c.tolist()).tolist()
    rows = zip(a.tolist(), b.tolist(), c.tolist(), strict=True)
    assert results == [exact_fma(*row, DTYPES[type]) for row in rows]


def test_fma_does_not_round_twice_where_double_would() -> None:
    """Sums so near the midpoint of two f32 that double cannot tell them from it; ties would go the other way."""
    above = (1 + 2.0**-12, 2.0**-24 * (1 - 2.0**-12 + 2.0**-24), 1.0)  # 1 + 2**-24 + 2**-60
    below = (1 + 2.0**-23, 2.0**-24 * (1 - 2.0**-23), 1 + 2.0**-23)  # 1 + 2**-23 + 2**-24 - 2**-70
    rows = [(sign * a, b, sign * c) for a, b, c in (above, below) for sign in (1, -1)]
    columns = (list(column) for column in zip(*rows, strict=True))
    nearest = 1 + 2.0**-23
    assert of_call(MathOp.FMA, ir.F32, *columns).tolist() == [nearest, -nearest, nearest, -nearest]


@pytest.mark.parametrize("type", [ir.F32, ir.F64], ids=str)
def test_fma_of_infinities_and_zeros(type: ir.ScalarType) -> None:
    results = of_call(
        MathOp.FMA, type, [INF, INF, 0.0, -0.0, 3.0], [1.0, 0.0, 1.0, 1.0, 2.0], [1.0, 1.0, -0.0, -0.0, -6.0]
    )
    expected = np.array([INF, NAN, 0.0, -0.0, 0.0], DTYPES[type])
    assert np.array_equal(results, expected, equal_nan=True)
    assert np.array_equal(np.signbit(results[2:]), np.signbit(expected[2:]))


@pytest.mark.parametrize(
    ("source", "target", "values", "expected"),
    [
        (ir.F32, ir.I32, [1.9, -1.9, 3e9, -3e9, INF, -INF, NAN], [1, -1, HIGH, LOW, HIGH, LOW, 0]),
        (ir.F32, ir.U32, [1.9, -0.9, -5.0, 4e9, 5e9, INF, NAN], [1, 0, 0, 4000000000, 2**32 - 1, 2**32 - 1, 0]),
        (ir.F64, ir.I32, [2147483647.5, -2147483648.5], [HIGH, LOW]),
        (ir.F64, ir.I64, [1e19, -1e19], [2**63 - 1, -(2**63)]),
        (ir.F16, ir.U64, [65504.0, -1.0], [65504, 0]),
        (ir.I32, ir.F32, [16777217, 16777219, -5], [16777216.0, 16777220.0, -5.0]),
        (ir.I64, ir.F32, [2**54 + 2**30 + 1, -(2**54 + 2**30 + 1)], [float(2**54 + 2**31), -float(2**54 + 2**31)]),
        (ir.U64, ir.F32, [2**64 - 1, 2**63 + 2**39 + 1], [2.0**64, 2.0**63 + 2.0**40]),
        (ir.I64, ir.F64, [2**53 + 1, 2**63 - 1], [2.0**53, 2.0**63]),
        (ir.I32, ir.F16, [2049, 2051, 70000], [2048.0, 2052.0, INF]),
        (ir.F64, ir.F32, [1 + 2.0**-24, 1e300, 1e-50], [1.0, INF, 0.0]),
        (ir.F64, ir.F16, [1 + 2.0**-11 + 2.0**-40], [1 + 2.0**-10]),
        (ir.I32, ir.U32, [-1], [2**32 - 1]),
        (ir.U32, ir.I32, [2**32 - 1], [-1]),
        (ir.I64, ir.I32, [2**33 + 7, -(2**31) - 1], [7, HIGH]),
        (ir.I32, ir.U64, [-1], [2**64 - 1]),
        (ir.U32, ir.I64, [2**32 - 1], [2**32 - 1]),
        (ir.F32, ir.BOOL, [0.0, -0.0, NAN, 0.5], [0, 0, 1, 1]),
        (ir.I32, ir.BOOL, [0, -1], [0, 1]),
    ],
)  # fmt: skip
def test_conversions(source: ir.ScalarType, target: ir.ScalarType, values: list[Any], expected: list[Any]) -> None:
    assert convert(source, target, values) == expected


def test_bool_to_numbers() -> None:
    def through_bool(target: ir.ScalarType) -> list[Any]:
        make = lambda a: ir.Convert(binary(BinaryOp.LT, a, ir.Constant(0.0, ir.F32)), target)  # noqa: E731
        result: list[Any] = evaluate(make, (ir.F32,), ([-1.0, 1.0],)).tolist()
        return result

    assert through_bool(ir.U32) == [1, 0]
    assert through_bool(ir.F32) == [1.0, 0.0]


def test_bitcast_keeps_every_bit() -> None:
    patterns = [
        0x00000001,
        0x7FA00001,
        0xFFC00123,
        0x80000000,
        0x3F800000,
    ]  # subnormal, signalling and quiet NaN, -0, 1

    def there_and_back(a: ir.Expr) -> ir.Expr:
        as_float = ir.Bitcast(a, ir.F32)
        as_signed = ir.Bitcast(as_float, ir.I32)
        return ir.Bitcast(ir.Bitcast(ir.Bitcast(as_signed, ir.U32), ir.F32), ir.U32)

    assert evaluate(there_and_back, (ir.U32,), (patterns,)).tolist() == patterns
    assert evaluate(lambda a: ir.Bitcast(a, ir.F32), (ir.U32,), (patterns,)).view("u4").tolist() == patterns
    assert evaluate(lambda a: ir.Bitcast(a, ir.I64), (ir.F64,), ([-0.0],)).tolist() == [-(2**63)]


def test_bitcast_between_shapes() -> None:
    pair = ir.VectorType(ir.F16, 2)
    packed = evaluate(lambda a, b: ir.Bitcast(ir.Construct((a, b), pair), ir.U32), (ir.F16, ir.F16), ([1.0], [-2.0]))
    assert packed.tolist() == [0xC0003C00]
    high = evaluate(lambda a: ir.Extract(ir.Bitcast(a, pair), 1, ir.F16), (ir.U32,), ([0xC0003C00],))
    assert high.tolist() == [-2.0]


def test_subnormals_survive_arithmetic() -> None:
    smallest = 2.0**-149
    assert of_binary(BinaryOp.ADD, ir.F32, [(smallest, smallest)]) == [2.0**-148]


def test_select_takes_either_side() -> None:
    zero = ir.Constant(0.0, ir.F32)
    result = evaluate(
        lambda a, b: ir.Select(binary(BinaryOp.LT, a, zero), b, a, ir.F32), (ir.F32, ir.F32), ([-1.0, 2.0], [7.0, 8.0])
    )
    assert result.tolist() == [7.0, 2.0]


def test_an_operator_without_meaning_is_refused() -> None:
    with pytest.raises(EmitError, match=r"GP601\]: the simulator has no sqrt on i32"):
        of_call(MathOp.SQRT, ir.I32, [4])
