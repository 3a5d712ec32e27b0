"""Numbers at their edges: the IR's meaning of each operator, conversion and function, on whole arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cpu_kernels import ELEMENTS, Draft, apply, call, const, op, run

from gpucore import ir
from gpucore.ir import BOOL, F16, F32, F64, I32, I64, U32, U64, MathOp, UnaryOp, VectorType
from gpucore.runtime import Device
from gpucore.valid.types import is_well_typed
from gpucore_cpu.plugin import CpuBackend

INTEGERS = {
    np.int32: [0, 1, -1, 2, -2, 3, -3, 7, -7, 10, 12345, -99999, 2**31 - 1, -(2**31), 2**30, -(2**31) + 1],
    np.uint32: [0, 1, 2, 3, 7, 10, 31, 32, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32 - 2, 12345],
    np.int64: [0, 1, -1, 2, -3, 7, 2**40, -(2**40), 2**63 - 1, -(2**63), 5, -5],
    np.uint64: [0, 1, 2, 3, 63, 64, 2**33, 2**63, 2**64 - 1, 10],
}  # fmt: skip


def pairs(kind: Any) -> tuple[Any, Any]:
    values = np.array(INTEGERS[kind], kind)
    left, right = np.meshgrid(values, values)
    return left.ravel().copy(), right.ravel().copy()


def wrap(value: int, kind: Any) -> int:
    info = np.iinfo(kind)
    return (value - info.min) % 2**info.bits + info.min


def _truncated(a: int, b: int) -> int:
    return a if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


MEANING: dict[str, Callable[[int, int, int], int]] = {
    "+": lambda a, b, bits: a + b,
    "-": lambda a, b, bits: a - b,
    "*": lambda a, b, bits: a * b,
    "//": lambda a, b, bits: a // b if b else a,
    "%": lambda a, b, bits: a % b if b else 0,
    "trunc_div": lambda a, b, bits: _truncated(a, b),
    "trunc_rem": lambda a, b, bits: a - b * _truncated(a, b) if b else 0,
    "&": lambda a, b, bits: a & b,
    "|": lambda a, b, bits: a | b,
    "^": lambda a, b, bits: a ^ b,
    "<<": lambda a, b, bits: a << (b % bits),
    ">>": lambda a, b, bits: a >> (b % bits),
}


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("symbol", MEANING)
def test_integer_operators(device: Device, symbol: str, kind: Any) -> None:
    left, right = pairs(kind)
    bits = np.iinfo(kind).bits
    result = apply(device, kind, ELEMENTS[np.dtype(kind).name], lambda a, b: op(a, symbol, b), left, right)
    expected = [wrap(MEANING[symbol](int(a), int(b), bits), kind) for a, b in zip(left, right, strict=True)]
    np.testing.assert_array_equal(result, np.array(expected, kind))


@pytest.mark.parametrize("divisor", [3, -3, 8, -1, 1, -(2**31)])
@pytest.mark.parametrize("symbol", ["//", "%", "trunc_div", "trunc_rem"])
def test_division_by_constants(device: Device, symbol: str, divisor: int) -> None:
    values = np.array(INTEGERS[np.int32], np.int32)
    result = apply(device, np.int32, I32, lambda a: op(a, symbol, divisor), values)
    expected = [wrap(MEANING[symbol](int(a), divisor, 32), np.int32) for a in values]
    np.testing.assert_array_equal(result, np.array(expected, np.int32))


@pytest.mark.parametrize("symbol", ["//", "%"])
def test_division_of_vectors(device: Device, symbol: str) -> None:
    left, right = pairs(np.int32)
    draft = Draft(8)
    kind = VectorType(I32, 4)
    a, b, out = (draft.buffer(name, kind) for name in ("a", "b", "out"))
    i = draft.global_id()
    draft.store(out, i, op(draft.load(a, i), symbol, draft.load(b, i)))
    result = run(device, draft, [left, right, np.zeros_like(left)], [left.size // 32])[2]
    expected = [wrap(MEANING[symbol](int(x), int(y), 32), np.int32) for x, y in zip(left, right, strict=True)]
    np.testing.assert_array_equal(result, np.array(expected, np.int32))


COMPARE = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.float32])
@pytest.mark.parametrize("symbol", COMPARE)
def test_comparisons(device: Device, symbol: str, kind: Any) -> None:
    floats = np.array([0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan], np.float32)
    values = floats if kind is np.float32 else np.array(INTEGERS[kind], kind)
    left, right = (grid.ravel().copy() for grid in np.meshgrid(values, values))
    result = apply(device, np.int32, I32, lambda a, b: ir.Convert(op(a, symbol, b), I32), left, right)
    np.testing.assert_array_equal(result, COMPARE[symbol](left, right))


@pytest.mark.parametrize(
    ("source", "target"),
    [(f, i) for f in (np.float16, np.float32, np.float64) for i in (np.int32, np.uint32, np.int64, np.uint64)],
)
def test_float_to_integer_saturates(device: Device, source: Any, target: Any) -> None:
    numbers = [0.0, -0.0, 0.99, -0.99, 1.5, -1.5, 2.0**31, -(2.0**31), 2.0**32, 2.0**63, 2.0**64, -(2.0**63), 1e30,
               -1e30, 65504.0, math.inf, -math.inf, math.nan]  # fmt: skip
    with np.errstate(over="ignore"):
        values = np.array(numbers, source)
    result = apply(device, target, ELEMENTS[np.dtype(target).name],
                   lambda x: ir.Convert(x, ELEMENTS[np.dtype(target).name]), values)  # fmt: skip
    info = np.iinfo(target)

    def meaning(x: float) -> int:
        if math.isnan(x):
            return 0
        return min(max(math.trunc(x), info.min), info.max) if math.isfinite(x) else (info.max if x > 0 else info.min)

    np.testing.assert_array_equal(result, np.array([meaning(float(x)) for x in values], target))


@pytest.mark.parametrize("target", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("source", [np.int32, np.uint32, np.int64, np.uint64])
def test_integer_to_float_rounds_to_nearest_even(device: Device, source: Any, target: Any) -> None:
    extra = [16777217, 16777219, 2049, 2051, 65519, 65520]
    values = np.array(INTEGERS[source] + extra, source)
    kind = ELEMENTS[np.dtype(target).name]
    result = apply(device, target, kind, lambda x: ir.Convert(x, kind), values)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(result, values.astype(target))


def test_float_to_float(device: Device) -> None:
    random = np.random.default_rng(4)
    exponents = random.uniform(-26, 17, 4000)
    halfway = [65519.999, 65520.0, 65519.99999999999, 2**-25, 2**-25 * (1 + 2**-50), 1 + 2**-11, 1 + 2**-11 + 2**-40,
               1 + 3 * 2**-11 - 2**-45]  # fmt: skip
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-300, 1e300]
    values = np.concatenate([random.choice([-1, 1], 4000) * 2**exponents, halfway, special])
    with np.errstate(over="ignore", under="ignore"):
        for target, kind in ((np.float16, F16), (np.float32, F32)):
            result = apply(device, target, kind, lambda x, kind=kind: ir.Convert(x, kind), values)
            np.testing.assert_array_equal(result.view(np.uint8), values.astype(target).view(np.uint8))
        halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
        singles = apply(device, np.float32, F32, lambda x: ir.Convert(x, F32), halves)
        np.testing.assert_array_equal(singles, halves.astype(np.float32))
        back = apply(device, np.float16, F16, lambda x: ir.Convert(x, F16), values.astype(np.float32))
        np.testing.assert_array_equal(back, values.astype(np.float32).astype(np.float16))


def test_integer_widths_and_bools(device: Device) -> None:
    wide = np.array(INTEGERS[np.int64] + [2**32 + 5, -(2**32) - 5], np.int64)
    cut = apply(device, np.int32, I32, lambda x: ir.Convert(x, I32), wide)
    np.testing.assert_array_equal(cut, wide.astype(np.int32))
    narrow = np.array(INTEGERS[np.int32], np.int32)
    np.testing.assert_array_equal(apply(device, np.int64, I64, lambda x: ir.Convert(x, I64), narrow), narrow)
    unsigned = narrow.view(np.uint32)
    np.testing.assert_array_equal(apply(device, np.uint64, U64, lambda x: ir.Convert(x, U64), unsigned), unsigned)
    floats = np.array([0.0, -0.0, 0.5, np.nan, np.inf], np.float32)
    result = apply(device, np.float32, F32, lambda x: ir.Convert(ir.Convert(x, BOOL), F32), floats)
    np.testing.assert_array_equal(result, [0, 0, 1, 1, 1])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("function", [MathOp.MIN, MathOp.MAX])
def test_float_min_and_max_ignore_nan(device: Device, function: MathOp, kind: Any) -> None:
    values = np.array([1.0, -2.5, np.inf, -np.inf, np.nan, 100.0], kind)
    left, right = (grid.ravel().copy() for grid in np.meshgrid(values, values))
    result = apply(device, kind, ELEMENTS[np.dtype(kind).name], lambda a, b: call(function, a, b), left, right)
    np.testing.assert_array_equal(result, (np.fmin if function is MathOp.MIN else np.fmax)(left, right))


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64])
def test_integer_functions(device: Device, kind: Any) -> None:
    values = np.array(INTEGERS[kind], kind)
    element, bits = ELEMENTS[np.dtype(kind).name], np.iinfo(kind).bits
    patterns = [int(v) % 2**bits for v in values]

    def check(function: MathOp, expected: list[int]) -> None:
        result = apply(device, kind, element, lambda x: call(function, x), values)
        np.testing.assert_array_equal(result, np.array([wrap(e, kind) for e in expected], kind))

    check(MathOp.ABS, [abs(int(v)) for v in values])
    check(MathOp.SIGN, [(v > 0) - (v < 0) for v in values.tolist()])
    check(MathOp.POPCOUNT, [p.bit_count() for p in patterns])
    check(MathOp.CLZ, [bits - p.bit_length() for p in patterns])
    check(MathOp.CTZ, [(p & -p).bit_length() - 1 if p else bits for p in patterns])
    check(MathOp.REVERSE_BITS, [int(f"{p:0{bits}b}"[::-1], 2) for p in patterns])
    low, high = const(2, element), const(100, element)
    clamped = apply(device, kind, element, lambda x: call(MathOp.CLAMP, x, low, high), values)
    np.testing.assert_array_equal(clamped, np.clip(values, 2, 100))
    negated = apply(device, kind, element, lambda x: ir.Unary(UnaryOp.NEG, x, element), values)
    np.testing.assert_array_equal(negated, np.array([wrap(-int(v), kind) for v in values], kind))
    inverted = apply(device, kind, element, lambda x: ir.Unary(UnaryOp.INVERT, x, element), values)
    np.testing.assert_array_equal(inverted, ~values)


EXACT: dict[MathOp, Callable[[Any], Any]] = {
    MathOp.ABS: np.abs, MathOp.FLOOR: np.floor, MathOp.CEIL: np.ceil, MathOp.ROUND: np.rint, MathOp.TRUNC: np.trunc,
    MathOp.SQRT: np.sqrt, MathOp.FRACT: lambda x: x - np.floor(x),
    MathOp.SIGN: lambda x: np.where(np.isnan(x), 0, np.sign(x)),
}  # fmt: skip


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("function", EXACT)
def test_exact_float_functions(device: Device, function: MathOp, kind: Any) -> None:
    numbers = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49, 3.7, -3.7, 1000.25, np.inf, np.nan, 2048.0]
    values = np.array(numbers, kind)
    result = apply(device, kind, ELEMENTS[np.dtype(kind).name], lambda x: call(function, x), values)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(result, EXACT[function](values).astype(kind))


TRANSCENDENTAL: dict[MathOp, tuple[Callable[[Any], Any], float, float]] = {
    MathOp.EXP: (np.exp, -10, 10), MathOp.EXP2: (np.exp2, -10, 10), MathOp.LOG: (np.log, 0.01, 100),
    MathOp.LOG2: (np.log2, 0.01, 100), MathOp.SIN: (np.sin, -10, 10), MathOp.COS: (np.cos, -10, 10),
    MathOp.TAN: (np.tan, -1.5, 1.5), MathOp.ASIN: (np.arcsin, -1, 1), MathOp.ACOS: (np.arccos, -1, 1),
    MathOp.ATAN: (np.arctan, -10, 10), MathOp.SINH: (np.sinh, -5, 5), MathOp.COSH: (np.cosh, -5, 5),
    MathOp.TANH: (np.tanh, -5, 5), MathOp.RSQRT: (lambda x: 1 / np.sqrt(x), 0.01, 100),
}  # fmt: skip


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("function", TRANSCENDENTAL)
def test_transcendental_functions_within_two_ulp(device: Device, function: MathOp, kind: Any) -> None:
    meaning, low, high = TRANSCENDENTAL[function]
    values = np.random.default_rng(5).uniform(low, high, 500).astype(kind)
    result = apply(device, kind, ELEMENTS[np.dtype(kind).name], lambda x: call(function, x), values)
    expected = meaning(values.astype(np.longdouble))
    error = np.abs(result.astype(np.longdouble) - expected) / np.spacing(np.abs(expected).astype(kind))
    assert float(error.max()) <= 2


def test_functions_of_two_and_three_arguments(device: Device) -> None:
    random = np.random.default_rng(6)
    a, b, c = (random.uniform(0.1, 4, 300).astype(np.float32) for _ in range(3))
    exact = [x.astype(np.float64) for x in (a, b, c)]

    def check(function: MathOp, expected: Any, *inputs: Any, ulp: float) -> None:
        result = apply(device, np.float32, F32, lambda *x: call(function, *x), *inputs)
        error = np.abs(result - expected) / np.spacing(np.abs(expected).astype(np.float32))
        assert error.max() <= ulp, function

    check(MathOp.POW, exact[0] ** exact[1], a, b, ulp=2)
    check(MathOp.ATAN2, np.arctan2(exact[0], exact[1]), a, b, ulp=2)
    check(MathOp.FMA, exact[0] * exact[1] + exact[2], a, b, c, ulp=0.5)
    mixed = apply(device, np.float32, F32, lambda *x: call(MathOp.MIX, *x), a, b, c)
    # the sum may cancel, so its error scales with the terms
    terms = np.abs(exact[0] * (1 - exact[2])) + np.abs(exact[1] * exact[2])
    error = np.abs(mixed - (exact[0] * (1 - exact[2]) + exact[1] * exact[2]))
    assert (error <= 2 * np.finfo(np.float32).eps * terms).all()
    np.testing.assert_array_equal(
        apply(device, np.float32, F32, lambda e, x: call(MathOp.STEP, e, x), a, b), np.where(b >= a, 1, 0)
    )
    odd = np.array([0, 1, np.nan, np.inf, -np.inf, 3e38], np.float32)
    for function, meaning in ((MathOp.ISNAN, np.isnan), (MathOp.ISINF, np.isinf)):
        result = apply(device, np.int32, I32, lambda x, f=function: ir.Convert(call(f, x, type=BOOL), I32), odd)
        np.testing.assert_array_equal(result, meaning(odd))


@pytest.mark.parametrize("width", [1, 2, 4])
def test_fused_halves_round_once(device: Device, width: int) -> None:
    values = np.random.default_rng(12).uniform(-4, 4, (3, 4096)).astype(np.float16)
    values[:, :5] = [[60000, 6e-8, 1.0009765625, np.inf, 2048], [1, 6e-8, 1.0009765625, 0, 1], [16, 1, 6e-8, 1, 1]]
    kind: ir.Type = F16 if width == 1 else VectorType(F16, width)
    draft = Draft(16)
    buffers = [draft.buffer(name, kind) for name in ("a", "b", "c", "out")]
    i = draft.global_id()
    draft.store(buffers[3], i, call(MathOp.FMA, *(draft.load(buffer, i) for buffer in buffers[:3])))
    result = run(device, draft, [*values, np.zeros(4096, np.float16)], [4096 // width // 16])[3]
    a, b, c = values.astype(np.longdouble)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(result, (a * b + c).astype(np.float16))


@pytest.mark.parametrize("type", [I32, U64, F16, F32, F64, VectorType(U32, 2), VectorType(F16, 4), VectorType(F32, 4)])
def test_every_function_finds_what_it_calls(device: Device, type: ir.Type) -> None:
    """Some of LLVM's operations become calls of functions that not every machine has."""
    draft = Draft(1)
    x = draft.buffer("x", type)
    loaded = draft.load(x, const(0))
    for function in sorted(CpuBackend.operations & set(MathOp), key=lambda op: op.value):
        for count in (1, 2, 3):
            made = call(function, *[loaded] * count)
            if is_well_typed(made):
                draft.store(x, const(0), made)
    device.compile(CpuBackend().emit(draft.valid())).release()


def test_sums_and_products_round_correctly(device: Device) -> None:
    random = np.random.default_rng(7)
    for kind in (np.float16, np.float32, np.float64):
        a, b = random.standard_normal((2, 1000)).astype(kind)
        element = ELEMENTS[np.dtype(kind).name]
        for symbol, meaning in (("+", np.add), ("-", np.subtract), ("*", np.multiply), ("/", np.divide)):
            result = apply(device, kind, element, lambda x, y, s=symbol: op(x, s, y), a, b)
            np.testing.assert_array_equal(result, meaning(a, b))


def test_subnormals_and_nan_payloads_keep_their_bits(device: Device) -> None:
    bits = np.array([1, 0x7FFFFF, 0x80000001, 0x7FC12345, 0xFFC00001, 0x7F800001, 0x80000000, 0xDEADBEEF], np.uint32)
    draft = Draft(8)
    x, out, pattern = draft.buffer("x", F32), draft.buffer("out", F32), draft.buffer("pattern", U32)
    i = draft.global_id()
    value = draft.load(x, i)
    draft.store(out, i, ir.Select(op(i, ">=", 0), value, const(0.0, F32), F32))
    draft.store(pattern, i, ir.Bitcast(value, U32))
    _, copied, seen = run(device, draft, [bits.view(np.float32), np.zeros(8, np.float32), np.zeros(8, np.uint32)])
    np.testing.assert_array_equal(copied.view(np.uint32), bits)
    np.testing.assert_array_equal(seen, bits)


def test_vectors(device: Device) -> None:
    draft = Draft(4)
    kind = VectorType(F32, 4)
    a, b, out = (draft.buffer(name, kind) for name in ("a", "b", "out"))
    dots = draft.buffer("dots", F32)
    scale = draft.param("scale", F32)
    i = draft.global_id()
    left, right = draft.load(a, i), draft.load(b, i)
    total = op(op(left, "*", ir.Splat(scale, kind)), "+", right)
    swapped = ir.Construct(tuple(ir.Extract(total, place, F32) for place in (3, 2, 1, 0)), kind)
    draft.store(out, i, call(MathOp.MAX, swapped, ir.Splat(const(0.0, F32), kind)))
    draft.store(dots, i, call(MathOp.DOT, left, right, type=F32))
    x = np.random.default_rng(8).integers(-9, 9, (12, 4)).astype(np.float32)
    y = np.random.default_rng(9).integers(-9, 9, (12, 4)).astype(np.float32)
    result = run(device, draft, [x, y, np.zeros_like(x), np.zeros(12, np.float32)], [3], scale=2.0)
    np.testing.assert_array_equal(result[2], np.maximum((x * 2 + y)[:, ::-1], 0))
    np.testing.assert_array_equal(result[3], (x * y).sum(1))


def test_vectors_of_two_halves_and_their_functions(device: Device) -> None:
    draft = Draft(8)
    kind = VectorType(F16, 2)
    x, out, bits = draft.buffer("x", kind), draft.buffer("out", kind), draft.buffer("bits", U32)
    i = draft.global_id()
    value = draft.load(x, i)
    draft.store(out, i, call(MathOp.TANH, op(value, "+", value)))
    draft.store(bits, i, ir.Bitcast(value, U32))
    values = np.linspace(-2, 2, 16, dtype=np.float16)
    _, result, pattern = run(device, draft, [values, np.zeros_like(values), np.zeros(8, np.uint32)])
    np.testing.assert_array_equal(result, np.tanh((values + values).astype(np.float32)).astype(np.float16))
    np.testing.assert_array_equal(pattern, values.view(np.uint32))


def test_scalars_of_every_type_arrive(device: Device) -> None:
    draft = Draft(1)
    out = draft.buffer("out", F64)
    params = [draft.param(f"p{n}", type) for n, type in enumerate((BOOL, I32, U32, F16, I64, U64, F32, F64, BOOL))]
    for place, param in enumerate(params):
        draft.store(out, const(place), param if param.type == F64 else ir.Convert(param, F64))
    values = [1, -5, 2**32 - 1, 0.333251953125, -(2**40), 2**63, 0.5, 1e-300, 0]
    result = run(device, draft, [np.zeros(9)], **{f"p{n}": value for n, value in enumerate(values)})[0]
    np.testing.assert_array_equal(result, values)
