"""Integer arithmetic: wrapping, flooring, shifts, bits, comparisons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing import expected
from gpucore.testing.behaviours import Case, cases
from gpucore.testing.bounds import DIVISION_ULP
from gpucore.testing.checks import Host, check_bits, check_ulp, check_values, poisoned, skip_without, upload
from gpucore.testing.kernels import integers as kernels

_NUMBERS = "Numeric contract: integers"
_DIVISION = "Numeric contract: // and %"
_SHIFTS = "Numeric contract: shifts"
_BITS = "Kernel language: bit functions"


@dataclass(frozen=True)
class IntegerCase(Case):
    """Row `row` of what `kernel` writes is `exact` of the operands. `exact` takes and gives Python ints."""

    kernel: gp.Kernel
    row: int
    exact: Callable[..., int]  # of (x, y, bits, is_signed)


def _reverse(x: int, bits: int) -> int:
    return int(f"{x & ((1 << bits) - 1):0{bits}b}"[::-1], 2)


def _ones(x: int, bits: int) -> int:
    return (x & ((1 << bits) - 1)).bit_count()


def _clz(x: int, bits: int) -> int:
    return bits - (x & ((1 << bits) - 1)).bit_length()


def _ctz(x: int, bits: int) -> int:
    return next((k for k in range(bits) if x >> k & 1), bits)


def _rotate(x: int, count: int, bits: int) -> int:
    """Up by `count` places, or down by -count."""
    x, count = x & ((1 << bits) - 1), count % bits
    return x << count | x >> (bits - count)


_R = kernels.rotations
_A, _D, _B = kernels.arithmetic, kernels.division, kernels.bitwise
CASES = (
    IntegerCase("C200", "add", "x + y wraps, signed and unsigned.", _NUMBERS, _A, 0, lambda x, y, n, s: x + y),
    IntegerCase("C201", "subtract", "x - y wraps.", _NUMBERS, _A, 1, lambda x, y, n, s: x - y),
    IntegerCase("C202", "multiply", "x * y wraps.", _NUMBERS, _A, 2, lambda x, y, n, s: x * y),
    IntegerCase("C203", "negate", "-x wraps: -INT_MIN is INT_MIN.", _NUMBERS, _A, 3, lambda x, y, n, s: -x),
    IntegerCase(
        "C204", "chain", "A chain of products and differences wraps as a whole.", _NUMBERS, _A, 4,
        lambda x, y, n, s: x * x * x - 3 * y,
    ),
    IntegerCase("C205", "abs", "abs(INT_MIN) is INT_MIN.", "Kernel language: math", _A, 5, lambda x, y, n, s: abs(x)),
    IntegerCase("C206", "min", "min of integers.", "Kernel language: math", _A, 6, lambda x, y, n, s: min(x, y)),
    IntegerCase("C207", "max", "max of integers.", "Kernel language: math", _A, 7, lambda x, y, n, s: max(x, y)),
    IntegerCase(
        "C208", "clamp", "clamp(x, low, high) is min(max(x, low), high).", "Kernel language: math", _A, 8,
        lambda x, y, n, s: min(max(x, min(y, 5)), max(y, 5)),
    ),
    IntegerCase(
        "C210", "floor_div", "x // y floors for every combination of signs; x // 0 is x, INT_MIN // -1 is INT_MIN.",
        _DIVISION, _D, 0, lambda x, y, n, s: expected.floor_div(x, y),
    ),
    IntegerCase(
        "C211", "floor_mod", "x % y has the sign of y; x % 0 is 0.",
        _DIVISION, _D, 1, lambda x, y, n, s: expected.floor_mod(x, y),
    ),
    IntegerCase(
        "C212", "div_trunc", "div_trunc(x, y) rounds toward zero; div_trunc(x, 0) is x.",
        _DIVISION, _D, 2, lambda x, y, n, s: expected.trunc_div(x, y),
    ),
    IntegerCase(
        "C213", "rem", "rem(x, y) has the sign of x; rem(x, 0) is 0, rem(INT_MIN, -1) is 0.",
        _DIVISION, _D, 3, lambda x, y, n, s: expected.trunc_rem(x, y),
    ),
    IntegerCase("C220", "and", "x & y.", _NUMBERS, _B, 0, lambda x, y, n, s: x & y),
    IntegerCase("C221", "or", "x | y.", _NUMBERS, _B, 1, lambda x, y, n, s: x | y),
    IntegerCase("C222", "xor", "x ^ y.", _NUMBERS, _B, 2, lambda x, y, n, s: x ^ y),
    IntegerCase("C223", "invert", "~x.", _NUMBERS, _B, 3, lambda x, y, n, s: ~x),
    IntegerCase(
        "C224", "shift_left", "x << y takes a count of run time modulo the width, negative ones too.",
        _SHIFTS, _B, 4, lambda x, y, n, s: x << (y % n),
    ),
    IntegerCase(
        "C225", "shift_right", "x >> y likewise; arithmetic where x is signed, logical where it is not.",
        _SHIFTS, _B, 5, lambda x, y, n, s: x >> (y % n),
    ),
    IntegerCase("C226", "popcount", "popcount(x).", _BITS, _B, 6, lambda x, y, n, s: _ones(x, n)),
    IntegerCase("C227", "clz", "clz(x); the width for 0.", _BITS, _B, 7, lambda x, y, n, s: _clz(x, n)),
    IntegerCase("C228", "ctz", "ctz(x); the width for 0.", _BITS, _B, 8, lambda x, y, n, s: _ctz(x, n)),
    IntegerCase("C229", "reverse_bits", "reverse_bits(x).", _BITS, _B, 9, lambda x, y, n, s: _reverse(x, n)),
    IntegerCase(
        "C240", "mul_hi", "mul_hi(x, y) is the upper half of the product, signed and unsigned.",
        "Kernel language: math", kernels.products, 0, lambda x, y, n, s: x * y >> n,
    ),
    IntegerCase(
        "C241", "rotate_left", "rotate_left(x, n) takes the count modulo the width, negative ones too.",
        _BITS, _R, 0, lambda x, y, n, s: _rotate(x, y, n),
    ),
    IntegerCase("C242", "rotate_right", "rotate_right(x, n).", _BITS, _R, 1, lambda x, y, n, s: _rotate(x, -y, n)),
    IntegerCase(
        "C245", "rotate_by_a_literal", "rotate_left(x, 37): a literal may be beyond the width.",
        _BITS, _R, 2, lambda x, y, n, s: _rotate(x, 37, n),
    ),
)  # fmt: skip
ROWS = {kernels.arithmetic: 9, kernels.division: 4, kernels.bitwise: 10, kernels.products: 1, _R: 3}

WIDE_CASES = tuple(
    replace(case, number=f"C9{case.number[2:]}", text=f"i64 and u64: {case.text}", contract="Capability INT64")
    for case in CASES
)


def check_case(gpu: gp.Device, case: IntegerCase, dtypes: tuple[Any, ...]) -> None:
    """Run the case's kernel on corner values and random ones of each dtype and compare its row."""
    for dtype in dtypes:
        a, b = expected.pairs(dtype)
        out = poisoned(gpu, (ROWS[case.kernel], a.size), dtype)
        case.kernel(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        bits, is_signed = np.iinfo(dtype).bits, np.iinfo(dtype).min < 0
        wanted = expected.apply(lambda x, y: case.exact(x, y, bits, is_signed), dtype, a, b)  # noqa: B023 (called at once)
        check_bits(out.numpy()[case.row], wanted, f"{case.name} of {np.dtype(dtype)}", x=a, y=b)


def _divide(values: Host, divisors: tuple[int, ...], dtype: Any) -> Host:
    functions = (expected.floor_div, expected.floor_mod, expected.trunc_div, expected.trunc_rem)
    rows = [expected.apply(lambda x: f(x, d), dtype, values) for d in divisors for f in functions]  # noqa: B023 (called at once)
    return np.stack(rows)


class IntegerTests:
    """Integers of 32 bits, and of 64 where the device has them."""

    @cases(CASES)
    def test_operations_of_32_bits(self, gpu: gp.Device, case: IntegerCase) -> None:
        check_case(gpu, case, (np.int32, np.uint32))

    @cases(WIDE_CASES)
    def test_operations_of_64_bits(self, gpu: gp.Device, case: IntegerCase) -> None:
        skip_without(gpu, gp.Capability.INT64)
        check_case(gpu, case, (np.int64, np.uint64))

    def test_division_by_literals(self, gpu: gp.Device) -> None:
        """C230 [Numeric contract: // and %]: Quotients and remainders by literals equal those by run-time values."""
        for dtype in (np.int32, np.uint32):
            divisors = kernels.DIVISORS + (kernels.NEGATIVE_DIVISORS if dtype is np.int32 else ())
            values = np.unique(expected.pairs(dtype)[0])
            out = poisoned(gpu, (4 * len(divisors), values.size), dtype)
            kernels.division_by_literals(upload(gpu, values), out, divisors, invocations=values.size)
            check_bits(out.numpy(), _divide(values, divisors, dtype), f"division by {divisors}", x=values)

    def test_division_of_literals(self, gpu: gp.Device) -> None:
        """C231 [Numeric contract: // and %]: A literal divided by a run-time value, including zero and -1."""
        values = np.unique(expected.pairs(np.int32)[0])
        out = poisoned(gpu, (2 * len(kernels.CORNERS), values.size), np.int32)
        kernels.division_of_literals(upload(gpu, values), out, invocations=values.size)
        functions = (expected.floor_div, expected.floor_mod)
        rows = [expected.apply(lambda y: f(c, y), np.int32, values) for c in kernels.CORNERS for f in functions]  # noqa: B023 (called at once)
        check_bits(out.numpy(), np.stack(rows), "division of literals", y=values)

    def test_shifts_by_literals(self, gpu: gp.Device) -> None:
        """C232 [Numeric contract: shifts]: A literal count is taken modulo the width too."""
        for dtype in (np.int32, np.uint32):
            values = np.unique(expected.pairs(dtype)[0])
            out = poisoned(gpu, (2 * len(kernels.COUNTS), values.size), dtype)
            kernels.shifts_by_literals(upload(gpu, values), out, invocations=values.size)
            rows = []
            for count in kernels.COUNTS:
                rows.append(expected.apply(lambda x: x << count % 32, dtype, values))  # noqa: B023 (called at once)
                rows.append(expected.apply(lambda x: x >> count % 32, dtype, values))  # noqa: B023 (called at once)
            check_bits(out.numpy(), np.stack(rows), f"shifts by {kernels.COUNTS}", x=values)

    def test_shift_count_of_another_type(self, gpu: gp.Device) -> None:
        """C233 [Numeric contract: shifts]: The count may be signed where the operand is not, and the other way
        round."""
        a, b = expected.pairs(np.int32)[0], expected.pairs(np.uint32, seed=2)[1]
        n = min(a.size, b.size)
        a, b = a[:n], b[:n]
        out, wide = poisoned(gpu, n, np.int32), poisoned(gpu, n, np.uint32)
        kernels.shift_by_other_types(upload(gpu, a), upload(gpu, b), out, wide, invocations=n)
        check_bits(out.numpy(), expected.apply(lambda x, y: x >> y % 32, np.int32, a, b), "i32 >> u32", x=a, y=b)
        check_bits(wide.numpy(), expected.apply(lambda x, y: y << x % 32, np.uint32, a, b), "u32 << i32", x=b, y=a)

    def test_folding(self, gpu: gp.Device) -> None:
        """C234 [Numeric contract: constant folding]: Operations on constants give the same result as at run time."""
        grid = [(a, b) for a in kernels.CORNERS for b in kernels.CORNERS]
        a, b = (np.array(side, np.int32) for side in zip(*grid, strict=True))
        outs = [poisoned(gpu, a.size, np.int32) for _ in range(4)]
        kernels.folded(*outs, workgroups=1)
        exact: tuple[Callable[[int, int], int], ...] = (
            lambda x, y: x + 3 * y,
            expected.floor_div,
            expected.floor_mod,
            lambda x, y: expected.wrap(x << y % 32, np.int32) ^ (x >> y % 32),
        )
        for name, out, function in zip(("+ and *", "//", "%", "<< and >>"), outs, exact, strict=True):
            check_bits(out.numpy(), expected.apply(function, np.int32, a, b), f"folded {name}", x=a, y=b)

    def test_known_ranges(self, gpu: gp.Device) -> None:
        """C235 [Numeric contract: // and %]: // and % of ids and masked numbers, whose range a compiler can derive."""
        n, first = 96, 13
        out = poisoned(gpu, (10, n), np.int32)
        kernels.derived_from_ids(out, first, invocations=n)
        i = np.arange(n)
        low = i & 15
        wanted = [
            (i - 40) // 3, (i - 40) % 3, (low - 8) // -3, (low - 8) % -3, low // 4, low % 4,
            [expected.floor_div(first - int(k), int(m) - 7) for k, m in zip(i, low, strict=True)],
            [expected.floor_mod(first - int(k), int(m) - 7) for k, m in zip(i, low, strict=True)],
            (first + i) // (low + 1), np.clip(first + i, -5, 5) // 2,
        ]  # fmt: skip
        check_bits(out.numpy(), np.array(wanted, np.int32), "// and % of ids", i=i)

    def test_true_division(self, gpu: gp.Device) -> None:
        """C236 [Numeric contract: /]: / of two integers is a division of f32, within its bound; x / 0 is infinite or
        NaN."""
        for dtype in (np.int32, np.uint32):
            a, b = expected.pairs(dtype)
            out = poisoned(gpu, a.size, np.float32)
            kernels.quotients_as_floats(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
            with np.errstate(all="ignore"):
                exact = a.astype(np.float32).astype(np.float64) / b.astype(np.float32).astype(np.float64)
            check_quotients(out.numpy(), exact, a, b)

    def test_comparisons(self, gpu: gp.Device) -> None:
        """C237 [Kernel language: comparisons]: == != < <= > >= of signed and unsigned integers."""
        for dtype in (np.int32, np.uint32):
            a, b = expected.pairs(dtype)
            out = poisoned(gpu, (6, a.size), np.uint32)
            kernels.comparisons(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
            wanted = np.stack([a == b, a != b, a < b, a <= b, a > b, a >= b]).astype(np.uint32)
            check_bits(out.numpy(), wanted, f"comparisons of {np.dtype(dtype)}", x=a, y=b)

    def test_augmented_assignment(self, gpu: gp.Device) -> None:
        """C238 [Kernel language: augmented assignment]: += -= *= //= %= <<= >>= &= |= ^= on variables and elements."""
        for dtype in (np.int32, np.uint32):
            a, b = expected.pairs(dtype)
            start = b[::-1].copy()
            out = upload(gpu, start)
            kernels.augmented(upload(gpu, a), upload(gpu, b), out, invocations=a.size)

            def exact(x: int, y: int, before: int) -> int:
                x = expected.wrap((x + y) * 3 - 7, dtype) ^ y  # noqa: B023 (called at once)
                x = expected.wrap(x // 5 % 1001 << 3, dtype) >> 1  # noqa: B023 (called at once)
                return before + ((x | 8) & 4095)

            check_bits(out.numpy(), expected.apply(exact, dtype, a, b, start), "augmented", x=a, y=b)

    def test_dots_of_bytes(self, gpu: gp.Device) -> None:
        """C243 [Kernel language: math]: dot4_i8_packed and dot4_u8_packed sum the products of four bytes."""
        a, b = expected.pairs(np.uint32)
        signed, unsigned = poisoned(gpu, a.size, np.int32), poisoned(gpu, a.size, np.uint32)
        kernels.dots_of_bytes(upload(gpu, a), upload(gpu, b), signed, unsigned, invocations=a.size)
        for out, dtype in ((signed, np.int8), (unsigned, np.uint8)):
            left, right = (side.astype("<u4").view(dtype).reshape(-1, 4).astype(np.int64) for side in (a, b))
            check_bits(out.numpy(), (left * right).sum(axis=1).astype(out.numpy().dtype), "dot of bytes", x=a, y=b)

    def test_products_of_vectors(self, gpu: gp.Device) -> None:
        """C244 [Kernel language: math]: mul_hi works on each component of a vector."""
        a, b = expected.pairs(np.int32)
        out = poisoned(gpu, (2, a.size), np.int32)
        kernels.products_of_vectors(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        wide_a, wide_b = a.astype(np.int64), b.astype(np.int64)
        wanted = np.stack([wide_a * wide_b >> 32, wide_b * wide_b >> 32]).astype(np.int32)
        check_bits(out.numpy(), wanted, "mul_hi", x=a, y=b)


def check_quotients(actual: Host, exact: Host, a: Host, b: Host) -> None:
    """f32 quotients of integer operands: finite ones within the bound, the others as in IEEE 754."""
    special = ~np.isfinite(exact)
    check_values(actual[special], exact[special].astype(np.float32), "quotients by zero", x=a[special], y=b[special])
    rest = ~special
    check_ulp(actual[rest], exact[rest], DIVISION_ULP, 0.0, "/ of integers", x=a[rest], y=b[rest])
