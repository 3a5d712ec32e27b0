"""What operators and conversions give on a device, at the edges of their types. References are NumPy and Python."""

from __future__ import annotations

import math
import operator

import numpy as np
import pytest
from wgpu_builder import Kernel, builtin, constant, map_kernel

from gpucore import ir
from gpucore.ir import BOOL, F16, F32, F64, I32, I64, U32, U64, BinaryOp, MathOp, UnaryOp, VectorType
from gpucore.ir.arithmetic import int_from_float, wrap
from gpucore.ir.build import binary, call

DTYPES = {
    I32: np.int32, U32: np.uint32, I64: np.int64, U64: np.uint64, F16: np.float16, F32: np.float32, F64: np.float64,
}  # fmt: skip
INTEGERS = [I32, U32, I64, U64]
FLOATS = [F16, F32, F64]
NAN, INF = math.nan, math.inf


def edges(type):
    """Pairs of integers at the edges of a type, every one with every other."""
    some = {0, 1, 2, 3, 7, 8, type.max_value, type.max_value - 1, type.max_value // 2}
    some |= {type.min_value, type.min_value + 1}
    if type.is_signed:
        some |= {-1, -2, -3, -7, -8}
    values = sorted(some)
    return [a for a in values for _ in values], values * len(values)


def trunc_div(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


REFERENCES = {
    BinaryOp.ADD: lambda a, b, bits: a + b,
    BinaryOp.SUB: lambda a, b, bits: a - b,
    BinaryOp.MUL: lambda a, b, bits: a * b,
    BinaryOp.FLOOR_DIV: lambda a, b, bits: a // b if b else a,
    BinaryOp.FLOOR_MOD: lambda a, b, bits: a % b if b else 0,
    BinaryOp.TRUNC_DIV: lambda a, b, bits: trunc_div(a, b) if b else a,
    BinaryOp.TRUNC_REM: lambda a, b, bits: a - b * trunc_div(a, b) if b else 0,
    BinaryOp.BIT_AND: lambda a, b, bits: a & b,
    BinaryOp.BIT_OR: lambda a, b, bits: a | b,
    BinaryOp.BIT_XOR: lambda a, b, bits: a ^ b,
    BinaryOp.SHL: lambda a, b, bits: a << (b % bits),
    BinaryOp.SHR: lambda a, b, bits: a >> (b % bits),
}


@pytest.mark.parametrize("type", INTEGERS, ids=str)
@pytest.mark.parametrize("op", REFERENCES, ids=lambda op: op.value)
def test_integer_operators(run, type, op):
    left, right = edges(type)
    module = map_kernel(type, type, lambda a, b: binary(op, a, b), 2)
    arrays = [np.array(values, DTYPES[type]) for values in (left, right, [0] * len(left))]
    *_, result = run(module, arrays, workgroups=len(left))
    expected = [wrap(REFERENCES[op](a, b, type.bits), type) for a, b in zip(left, right, strict=True)]
    assert result.tolist() == expected


@pytest.mark.parametrize("divisor", [0, 1, 2, 3, 8, -1, -2, -8, -(2**31), 2**31 - 1])
@pytest.mark.parametrize("type", [I32, U32], ids=str)
def test_division_by_constants(run, type, divisor):
    if not type.is_signed and divisor < 0:
        divisor &= 2**32 - 1
    left = sorted(set(edges(type)[0]))
    for op in (BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD, BinaryOp.TRUNC_DIV, BinaryOp.TRUNC_REM):
        module = map_kernel(type, type, lambda a, op=op: binary(op, a, constant(divisor, type)))
        _, result = run(module, [np.array(left, DTYPES[type]), np.zeros(len(left), DTYPES[type])], workgroups=len(left))
        assert result.tolist() == [wrap(REFERENCES[op](a, divisor, 32), type) for a in left], op


@pytest.mark.parametrize("op", REFERENCES, ids=lambda op: op.value)
def test_vectors_of_integers(run, op):
    left, right = edges(I32)
    left, right = left[: len(left) // 4 * 4], right[: len(left) // 4 * 4]
    type = VectorType(I32, 4)
    module = map_kernel(type, type, lambda a, b: binary(op, a, b), 2)
    arrays = [np.array(values, np.int32) for values in (left, right, [0] * len(left))]
    *_, result = run(module, arrays, workgroups=len(left) // 4)
    assert result.tolist() == [wrap(REFERENCES[op](a, b, 32), I32) for a, b in zip(left, right, strict=True)]


def test_constants_compute_as_at_run_time(run):
    kernel = Kernel("folded")
    out = kernel.buffer("out", I32, writable=True)
    big, least = constant(2**31 - 1, I32), constant(-(2**31), I32)
    cases = [
        (binary(BinaryOp.ADD, big, constant(1, I32)), -(2**31)),
        (binary(BinaryOp.SHL, constant(1, I32), constant(33, I32)), 2),
        (binary(BinaryOp.FLOOR_DIV, least, constant(-1, I32)), -(2**31)),
        (binary(BinaryOp.TRUNC_DIV, constant(5, I32), constant(0, I32)), 5),
        (ir.Unary(UnaryOp.NEG, least, I32), -(2**31)),
        (ir.Unary(UnaryOp.NEG, ir.Unary(UnaryOp.NEG, constant(-3, I32), I32), I32), -3),
        (call(MathOp.ABS, least), -(2**31)),
        (ir.Convert(constant(-1.5, F32), I32), -1),
        (ir.Convert(constant(1e30, F32), I32), 2**31 - 1),
        (ir.Convert(binary(BinaryOp.MUL, constant(3e38, F32), constant(10.0, F32)), I32), 2**31 - 1),
        (ir.Bitcast(constant(-0.0, F32), I32), -(2**31)),
        (ir.Bitcast(constant(NAN, F32), I32), 0x7FC00000),
        (ir.Bitcast(constant(-INF, F32), I32), 0xFF800000 - 2**32),
        (ir.Bitcast(constant(1.401298464324817e-45, F32), I32), 1),
        (ir.Bitcast(constant(3.4028234663852886e38, F32), I32), 0x7F7FFFFF),
        (ir.Bitcast(constant(0.10000000149011612, F32), I32), 0x3DCCCCCD),
    ]
    for index, (expr, _) in enumerate(cases):
        kernel.store(out, constant(index, I32), expr)
    (result,) = run(kernel.module(), [np.zeros(len(cases), np.int32)])
    assert result.tolist() == [expected for _, expected in cases]


@pytest.mark.parametrize("type", [F64, I64, U64], ids=str)
def test_wide_constants(run, type):
    values = {
        F64: [0.1, -0.0, NAN, INF, -INF, 1.7976931348623157e308, 5e-324, 1e-300, 2.0],
        I64: [2**63 - 1, -(2**63), -1, 0],
        U64: [2**64 - 1, 2**63, 0],
    }[type]
    kernel = Kernel("constants")
    out = kernel.buffer("out", type, writable=True)
    for index, value in enumerate(values):
        kernel.store(out, constant(index, I32), constant(value, type))
    (result,) = run(kernel.module(), [np.ones(len(values), DTYPES[type])])
    assert result.view(np.uint64).tolist() == np.array(values, DTYPES[type]).view(np.uint64).tolist()


@pytest.mark.parametrize("source", FLOATS, ids=str)
@pytest.mark.parametrize("target", INTEGERS, ids=str)
def test_float_to_integer(run, source, target):
    values = [0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 100.0, 65504.0, -65504.0, NAN, -NAN, INF, -INF]
    if source is not F16:
        for power in (31, 32, 63, 64, 100):
            limit = np.float32(2.0**power)
            values += [limit, -limit, limit * 0.75, np.nextafter(limit, np.float32(0))]
    if source is F64:
        values += [2147483647.5, -2147483648.5, 2147483648.5, 4294967295.5, 4294967296.5, 9007199254740993.0]
    array = np.array(values, DTYPES[source])
    module = map_kernel(source, target, lambda x: ir.Convert(x, target))
    _, result = run(module, [array, np.full(len(values), 77, DTYPES[target])], workgroups=len(values))
    assert result.tolist() == [int_from_float(float(x), target.min_value, target.max_value) for x in array]


@pytest.mark.parametrize("source", INTEGERS, ids=str)
@pytest.mark.parametrize("target", [*INTEGERS, F32, F64], ids=str)
def test_conversion_of_integers(run, source, target):
    values = sorted({*edges(source)[0], 2**24 + 1, 2**24 + 3, 2**31 - 65})
    module = map_kernel(source, target, lambda x: ir.Convert(x, target))
    arrays = [np.array(values, DTYPES[source]), np.zeros(len(values), DTYPES[target])]
    _, result = run(module, arrays, workgroups=len(values))
    with np.errstate(over="ignore"):
        expected = [wrap(v, target) if target.is_integer else DTYPES[target](DTYPES[source](v)) for v in values]
    assert result.tolist() == [e if target.is_integer else float(e) for e in expected]


@pytest.mark.parametrize(("source", "target"), [(F64, F32), (F32, F16), (F16, F32), (F32, F64), (F64, F16)], ids=str)
def test_float_to_float_rounds_to_nearest_even(run, source, target):
    values = [0.1, -0.3, 1 + 2**-24, 1 + 3 * 2**-24, 2049.0, 2051.0, 65519.0, 65520.0, INF, -INF, 1 / 3]
    module = map_kernel(source, target, lambda x: ir.Convert(x, target))
    with np.errstate(over="ignore"):
        array = np.array(values, DTYPES[source])
        expected = array.astype(np.float32).astype(DTYPES[target]) if target is F16 else array.astype(DTYPES[target])
    _, result = run(module, [array, np.zeros(len(values), DTYPES[target])], workgroups=len(values))
    np.testing.assert_array_equal(result, expected)


def test_bools(run):
    values = np.array([0.0, -0.0, 1.0, NAN, INF, 1e-30], np.float32)
    to_number = lambda x: ir.Convert(ir.Convert(x, BOOL), U32)  # noqa: E731
    _, result = run(map_kernel(F32, U32, to_number), [values, np.zeros(6, np.uint32)], workgroups=6)
    assert result.tolist() == [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("type", FLOATS, ids=str)
@pytest.mark.parametrize("op", sorted(ir.COMPARISONS, key=lambda op: op.value), ids=lambda op: op.value)
def test_comparisons_are_ieee(run, type, op):
    some = [0.0, -0.0, 1.0, -1.0, NAN, INF, -INF]
    left, right = [a for a in some for _ in some], some * len(some)
    module = map_kernel(type, I32, lambda a, b: ir.Convert(binary(op, a, b), I32), 2)
    arrays = [np.array(left, DTYPES[type]), np.array(right, DTYPES[type]), np.zeros(len(left), np.int32)]
    *_, result = run(module, arrays, workgroups=len(left))
    assert result.tolist() == [int(getattr(operator, op.value)(a, b)) for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize("type", [*FLOATS, VectorType(F32, 4), VectorType(F16, 2)], ids=str)
@pytest.mark.parametrize("op", [MathOp.MIN, MathOp.MAX], ids=lambda op: op.value)
def test_min_and_max_with_nan_give_the_other(run, type, op):
    some = [1.0, -2.0, NAN, INF, -INF, 3.5, NAN, 0.25]
    left, right = [a for a in some for _ in some], some * len(some)
    dtype = DTYPES[ir.scalar_of(type)]
    arrays = [np.array(left, dtype), np.array(right, dtype), np.zeros(len(left), dtype)]
    width = ir.num_components(type)
    *_, result = run(map_kernel(type, type, lambda a, b: call(op, a, b), 2), arrays, workgroups=len(left) // width)
    reference = np.fmin if op is MathOp.MIN else np.fmax
    np.testing.assert_array_equal(result, reference(*arrays[:2]))


def test_min_max_and_clamp_with_constants(run):
    values = np.array([NAN, -1.0, 0.5, 2.0, INF, -INF], np.float32)
    zero, one = constant(0.0, F32), constant(1.0, F32)
    cases = {
        lambda x: call(MathOp.MAX, x, zero): np.fmax(values, 0),
        lambda x: call(MathOp.MAX, zero, x): np.fmax(values, 0),
        lambda x: call(MathOp.MIN, x, one): np.fmin(values, 1),
        lambda x: call(MathOp.CLAMP, x, zero, one): np.fmin(np.fmax(values, 0), 1),
        lambda x: call(MathOp.CLAMP, one, zero, x): np.fmin(1, values),
    }
    for function, expected in cases.items():
        _, result = run(map_kernel(F32, F32, function), [values, np.zeros(6, np.float32)], workgroups=6)
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("type", [*FLOATS, VectorType(F32, 2)], ids=str)
def test_functions_of_odd_floats(run, type):
    dtype = DTYPES[ir.scalar_of(type)]
    values = np.array([NAN, -NAN, INF, -INF, 0.0, -0.0, 0.5, 1.5, 2.5, -2.5, -7.25, 1000.0], dtype)
    width = ir.num_components(type)
    one = constant(1.0, ir.scalar_of(type))
    number = ir.Splat(one, type) if isinstance(type, VectorType) else one
    with np.errstate(invalid="ignore"):
        cases = {
            MathOp.SIGN: np.where(np.isnan(values), 0, np.sign(values)), MathOp.ROUND: np.rint(values),
            MathOp.FLOOR: np.floor(values), MathOp.CEIL: np.ceil(values), MathOp.TRUNC: np.trunc(values),
            MathOp.ABS: np.abs(values), MathOp.STEP: (values >= 1).astype(dtype),
        }  # fmt: skip
    for op, expected in cases.items():
        arguments = (lambda x: (number, x)) if op is MathOp.STEP else (lambda x: (x,))
        module = map_kernel(type, type, lambda x, op=op, arguments=arguments: call(op, *arguments(x)))
        _, result = run(module, [values, np.zeros_like(values)], workgroups=len(values) // width)
        np.testing.assert_array_equal(result, expected, err_msg=op.value)


@pytest.mark.parametrize("type", FLOATS, ids=str)
def test_isnan_and_isinf(run, type):
    values = np.array([NAN, -NAN, INF, -INF, 0.0, 1.0, -65504.0, 6e-8], DTYPES[type])
    for op, expected in ((MathOp.ISNAN, np.isnan(values)), (MathOp.ISINF, np.isinf(values))):
        module = map_kernel(type, I32, lambda x, op=op: ir.Convert(call(op, x), I32))
        _, result = run(module, [values, np.zeros(8, np.int32)], workgroups=8)
        assert result.tolist() == expected.astype(int).tolist()


@pytest.mark.parametrize("type", INTEGERS, ids=str)
def test_functions_of_integers(run, type):
    values = sorted(set(edges(type)[0]))
    mask = (1 << type.bits) - 1
    cases = {
        MathOp.POPCOUNT: lambda v: (v & mask).bit_count(),
        MathOp.CLZ: lambda v: type.bits - (v & mask).bit_length(),
        MathOp.CTZ: lambda v: ((v & mask) & -(v & mask)).bit_length() - 1 if v else type.bits,
        MathOp.REVERSE_BITS: lambda v: int(f"{v & mask:0{type.bits}b}"[::-1], 2),
        MathOp.ABS: abs,
        MathOp.SIGN: lambda v: (v > 0) - (v < 0),
    }
    arrays = [np.array(values, DTYPES[type]), np.zeros(len(values), DTYPES[type])]
    for op, reference in cases.items():
        module = map_kernel(type, type, lambda x, op=op: call(op, x))
        _, result = run(module, arrays, workgroups=len(values))
        assert result.tolist() == [wrap(reference(v), type) for v in values], op
    for op in (UnaryOp.NEG, UnaryOp.INVERT):
        module = map_kernel(type, type, lambda x, op=op: ir.Unary(op, x, type))
        _, result = run(module, arrays, workgroups=len(values))
        assert result.tolist() == [wrap(-v if op is UnaryOp.NEG else ~v, type) for v in values], op


@pytest.mark.parametrize("type", [F32, F16], ids=str)
def test_pow_follows_c(run, type):
    pairs = [
        (2.0, 3.0), (-2.0, 3.0), (-2.0, 2.0), (-2.0, 0.5), (0.0, 0.0), (0.0, 2.0), (0.0, -1.0), (5.0, 0.0),
        (1.0, NAN), (NAN, 0.0), (NAN, 1.0), (2.0, NAN), (-2.0, NAN), (NAN, NAN), (0.0, NAN), (-INF, 3.0),
        (-1.0, INF), (-3.0, -1.0), (4.0, 0.5), (INF, 2.0), (INF, -1.0),
    ]  # fmt: skip
    left, right = (np.array(column, DTYPES[type]) for column in zip(*pairs, strict=True))
    module = map_kernel(type, type, lambda a, b: call(MathOp.POW, a, b), 2)
    *_, result = run(module, [left, right, np.zeros_like(left)], workgroups=len(pairs))
    with np.errstate(all="ignore"):
        expected = np.power(left.astype(float), right.astype(float))
    np.testing.assert_allclose(result.astype(float), expected, rtol=2e-3 if type is F16 else 1e-5)


@pytest.mark.parametrize(
    ("op", "reference"),
    [
        (MathOp.SQRT, np.sqrt), (MathOp.EXP, np.exp), (MathOp.EXP2, np.exp2), (MathOp.LOG, np.log),
        (MathOp.LOG2, np.log2), (MathOp.SIN, np.sin), (MathOp.COS, np.cos), (MathOp.TAN, np.tan),
        (MathOp.ATAN, np.arctan), (MathOp.SINH, np.sinh), (MathOp.COSH, np.cosh), (MathOp.TANH, np.tanh),
        (MathOp.RSQRT, lambda x: 1 / np.sqrt(x)),
        (MathOp.FRACT, lambda x: x - np.floor(x)),
    ],
    ids=lambda p: getattr(p, "value", ""),
)  # fmt: skip
def test_functions_of_floats(run, op, reference):
    values = np.linspace(0.1, 3, 50, dtype=np.float32)
    _, result = run(map_kernel(F32, F32, lambda x: call(op, x)), [values, np.zeros_like(values)], workgroups=50)
    np.testing.assert_allclose(result, reference(values.astype(float)), rtol=3e-5, atol=1e-5)


def test_functions_of_several_floats(run):
    a = np.linspace(-0.9, 0.9, 20, dtype=np.float32)
    b, c = a[::-1].copy() + 2, np.linspace(0, 1, 20, dtype=np.float32)
    cases = {
        MathOp.FMA: a.astype(float) * b + c, MathOp.MIX: a.astype(float) * (1 - c) + b * c.astype(float),
    }  # fmt: skip
    for op, expected in cases.items():
        module = map_kernel(F32, F32, lambda *x, op=op: call(op, *x), 3)
        *_, result = run(module, [a, b, c, np.zeros_like(a)], workgroups=20)
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    *_, angle = run(map_kernel(F32, F32, lambda *x: call(MathOp.ATAN2, *x), 2), [a, b, np.zeros_like(a)], workgroups=20)
    np.testing.assert_allclose(angle, np.arctan2(a, b), rtol=1e-4, atol=1e-5)


def test_f64_functions(run):
    values = np.linspace(0.1, 9, 30)
    for op, reference in ((MathOp.SQRT, np.sqrt), (MathOp.FLOOR, np.floor), (MathOp.ABS, np.abs)):
        _, result = run(map_kernel(F64, F64, lambda x, op=op: call(op, x)), [values, np.zeros(30)], workgroups=30)
        np.testing.assert_array_equal(result, reference(values))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (F32, I32), (U32, F32), (F64, I64), (U64, F64), (VectorType(F32, 4), VectorType(U32, 4)),
        (VectorType(U32, 2), F64), (F64, VectorType(F32, 2)), (I64, VectorType(I32, 2)), (VectorType(F32, 2), U64),
        (VectorType(F16, 2), U32), (F32, VectorType(F16, 2)), (VectorType(F16, 4), U64),
        (VectorType(I32, 2), VectorType(F16, 4)),
    ],
    ids=str,
)  # fmt: skip
def test_bitcasts_keep_the_bits(run, source, target):
    halves = np.array([1.0, -2.5, 0.0, 65504.0, -0.0, INF, 0.1, 3.0], np.float16)
    array = halves.view(np.uint32)
    module = map_kernel(source, target, lambda x: ir.Bitcast(x, target))
    _, result = run(module, [array, np.zeros_like(array)], workgroups=array.nbytes // source.nbytes)
    np.testing.assert_array_equal(result, array)


def test_vectors_are_built_and_taken_apart(run):
    type = VectorType(F32, 4)

    def reverse_and_compare(v):
        parts = [ir.Extract(v, index, F32) for index in (3, 2, 1, 0)]
        reverse = ir.Construct(tuple(parts), type)
        swap = binary(BinaryOp.LT, ir.Extract(v, 0, F32), constant(0.0, F32))
        return binary(BinaryOp.ADD, ir.Select(swap, reverse, v, type), ir.Splat(call(MathOp.DOT, v, v), type))

    values = np.arange(-8, 8, dtype=np.float32).reshape(4, 4)
    _, result = run(map_kernel(type, type, reverse_and_compare), [values, np.zeros_like(values)], workgroups=4)
    picked = np.where(values[:, :1] < 0, values[:, ::-1], values)
    np.testing.assert_array_equal(result, picked + (values * values).sum(1, keepdims=True))


def test_logic_of_bools_and_nesting(run):
    a, b = constant(3, I32), constant(-5, I32)

    def expression(x):
        low, high = binary(BinaryOp.LT, b, x), binary(BinaryOp.LT, x, a)
        inside = binary(BinaryOp.AND, low, high)
        odd = binary(BinaryOp.EQ, binary(BinaryOp.BIT_AND, x, constant(1, I32)), constant(1, I32))
        either = binary(BinaryOp.OR, binary(BinaryOp.BIT_XOR, inside, odd), ir.Unary(UnaryOp.NOT, inside, BOOL))
        product = binary(BinaryOp.MUL, binary(BinaryOp.SUB, x, a), binary(BinaryOp.SUB, x, binary(BinaryOp.SUB, b, x)))
        shifted = binary(BinaryOp.SHR, binary(BinaryOp.ADD, product, x), constant(1, I32))
        return ir.Select(either, shifted, ir.Unary(UnaryOp.NEG, ir.Unary(UnaryOp.NEG, product, I32), I32), I32)

    values = np.arange(-9, 9, dtype=np.int32)
    _, result = run(map_kernel(I32, I32, expression), [values, np.zeros_like(values)], workgroups=18)
    expected = []
    for x in values.tolist():
        inside, odd = -5 < x < 3, x & 1 == 1
        product = (x - 3) * (x - (-5 - x))
        expected.append((product + x) >> 1 if (inside != odd) or not inside else product)
    assert result.tolist() == expected


def test_params_of_every_type(run):
    kernel = Kernel("params")
    types = [BOOL, F64, F16, I32, I64, U32, F32, U64, BOOL]
    values = [True, 0.1, 2.5, -7, -(2**60), 2**32 - 1, -1.5, 2**64 - 1, False]
    out = kernel.buffer("out", F64, writable=True)
    for index, type in enumerate(types):
        param = kernel.param(f"p{index}", type)
        kernel.store(out, constant(index, I32), ir.Convert(param, F64))
    (result,) = run(kernel.module(), [np.zeros(len(types))], values)
    assert result.tolist() == [float(value) for value in values]


def test_atomics(run):
    """A histogram, and every operation on one cell each, by 64 invocations of 8 workgroups."""
    kernel = Kernel("histogram", 64)
    x, bins, cells = kernel.buffer("x", U32), kernel.buffer("bins", U32, True), kernel.buffer("cells", I32, True)
    local = kernel.workgroup_array("counts", I32, 1)
    i = kernel.global_id()
    value = kernel.load("value", x, i)
    place = ir.Place(bins, binary(BinaryOp.FLOOR_MOD, value, constant(10, U32)))
    kernel.body.append(ir.Atomic(None, ir.AtomicOp.ADD, place, constant(1, U32)))
    ops = [getattr(ir.AtomicOp, name) for name in ("ADD", "SUB", "MIN", "MAX", "OR", "XOR")]
    for cell, op in enumerate(ops):
        kernel.body.append(ir.Atomic(None, op, ir.Place(cells, constant(cell, I32)), i))
    first = binary(BinaryOp.EQ, builtin(ir.BuiltinKind.LOCAL_ID), constant(0, I32))
    zero, one = constant(0, I32), constant(1, I32)
    kernel.body.append(ir.If(first, (ir.Store(ir.Place(local, zero), zero),)))
    kernel.body.append(ir.Barrier())
    kernel.body.append(ir.Atomic(None, ir.AtomicOp.ADD, ir.Place(local, zero), one))
    kernel.body.append(ir.Barrier())
    count, old = kernel.value("count", I32), kernel.value("old", I32)
    kernel.body.append(ir.Atomic(count, ir.AtomicOp.LOAD, ir.Place(local, zero)))
    kernel.body.append(ir.If(first, (ir.Atomic(None, ir.AtomicOp.ADD, ir.Place(cells, constant(6, I32)), count),)))
    claimed = ir.Place(cells, constant(7, I32))
    kernel.body.append(ir.Atomic(old, ir.AtomicOp.COMPARE_EXCHANGE, claimed, i, constant(-1, I32)))
    won = binary(BinaryOp.EQ, old, constant(-1, I32))
    kernel.body.append(ir.If(won, (ir.Atomic(None, ir.AtomicOp.ADD, ir.Place(cells, constant(8, I32)), one),)))
    values = np.random.default_rng(5).integers(0, 2**32, 512, dtype=np.uint32)
    start = np.array([0, 0, 9999, -9999, 0, 0, 0, -1, 0], np.int32)
    _, counts, result = run(kernel.module(), [values, np.zeros(10, np.uint32), start], workgroups=8)
    np.testing.assert_array_equal(counts, np.bincount(values % 10, minlength=10))
    total = 512 * 511 // 2
    assert result[:7].tolist() == [total, -total, 0, 511, 511, 0, 512]
    assert 0 <= result[7] < 512 and result[8] == 1
