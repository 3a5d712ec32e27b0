"""Composition of kernels: helpers, type variables, captured values, enums, compile-time expressions."""

from __future__ import annotations

from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.checks import check, check_bits, check_values, poisoned, upload
from gpucore.testing.kernels import composition as kernels

_PYTHON: Any = kernels  # the helpers, called as plain Python functions
_VALUES = np.array([-5, 0, 1, 3, 4, 50, 99, 100, 1234, 987654], np.int32)


class CompositionTests:
    """Helpers, generics, captured values."""

    def test_helpers(self, gpu: gp.Device) -> None:
        """C550 [Kernel language: helpers]: Plain functions with several returns, also out of loops; tuples, defaults
        and keywords; helpers in helpers, in loops, and on arrays."""
        out = upload(gpu, np.zeros((5, _VALUES.size), np.int32))
        kernels.helpers(upload(gpu, _VALUES), out, invocations=_VALUES.size)
        values = [int(value) for value in _VALUES]
        last = len(values) - 1
        sums = [tuple(_PYTHON.digits(value)) for value in values]
        rows = [
            [_PYTHON.classify(v) for v in values],
            [total * 100 + count for total, count in sums],
            [4 * v + 1 + 5 * v for v in values],
            [values[max(k - 2, 0)] + values[min(k + 2, last)] for k in range(len(values))],
            [sum(_PYTHON.classify(v + k) for k in range(3)) for v in values],
        ]
        check_bits(out.numpy(), np.array(rows, np.int32), "helpers", a=_VALUES)

    def test_helpers_without_result(self, gpu: gp.Device) -> None:
        """C551 [Kernel language: helpers]: An early return in a helper that stores leaves only the helper."""
        out = upload(gpu, np.full(_VALUES.size, -9, np.int32))
        kernels.early_helpers(upload(gpu, _VALUES), out, invocations=_VALUES.size)
        check_bits(out.numpy(), np.where(_VALUES % 2 == 0, _VALUES, -9).astype(np.int32), "stores of a helper")

    def test_generics(self, gpu: gp.Device) -> None:
        """C552 [Kernel language: TypeVar]: One kernel for i32, u32 and f32; T(0), max_value and min_value."""
        for dtype in (np.int32, np.uint32, np.float32):
            x = np.arange(40).astype(dtype)
            out, ends = poisoned(gpu, 40, dtype), poisoned(gpu, 3, dtype)
            kernels.generic(upload(gpu, x), dtype(5), out, ends, invocations=40)
            check_bits(out.numpy(), (x * dtype(15) + dtype(3)).astype(dtype), f"generic over {np.dtype(dtype)}")
            info: Any = np.finfo(dtype) if dtype is np.float32 else np.iinfo(dtype)
            check_bits(ends.numpy(), np.array([info.max, info.min, 3], dtype), "ends of the type")

    def test_captured_globals(self, gpu: gp.Device) -> None:
        """C553 [Kernel language: captured values]: Globals are captured by value; a change takes effect at the next
        call."""
        before = kernels.FACTOR, kernels.LIMITS, kernels.IS_SHIFTED
        usual = (10, 20, 40)
        settings: Any = ((3, usual, True), (4, usual, True), (4, (5,), False), (3, usual, True))
        try:
            for factor, limits, shifted in settings:
                kernels.FACTOR, kernels.LIMITS, kernels.IS_SHIFTED = factor, limits, shifted
                out = poisoned(gpu, 40, np.int32)
                kernels.captured(out, invocations=40)
                wanted = []
                for i in range(40):
                    value = i * factor
                    for limit in limits:
                        value += value > limit
                    wanted.append(value << 1 if shifted else value)
                check_bits(out.numpy(), np.array(wanted, np.int32), f"captured {factor}, {limits}, {shifted}")
        finally:
            kernels.FACTOR, kernels.LIMITS, kernels.IS_SHIFTED = before

    def test_closures(self, gpu: gp.Device) -> None:
        """C554 [Kernel language: captured values]: Two kernels of one closure keep their own numbers and functions."""
        x = upload(gpu, np.arange(30, dtype=np.int32))
        i = np.arange(30, dtype=np.int32)
        for amount, function, exact in ((100, kernels.twice, 4 * i + 1), (-7, kernels.scaled, 2 * i)):
            out = poisoned(gpu, 30, np.int32)
            _PYTHON.make_adder(amount, function)(x, out, invocations=30)
            check_bits(out.numpy(), exact + amount, f"closure with {amount}")

    def test_enums(self, gpu: gp.Device) -> None:
        """C555 [Kernel language: enums]: Members of an IntEnum as constants, as Const, and in operations with run-time
        numbers."""
        x = np.arange(20, dtype=np.int32)
        for mode in kernels.Mode:
            for run_mode in (1, 2, 7):
                out = poisoned(gpu, 20, np.int32)
                kernels.by_mode(upload(gpu, x), out, mode, run_mode, invocations=20)
                value = {1: x + 5, 2: x * 5, 7: x}[int(mode)] + {1: 100, 2: 0, 7: 7}[run_mode]
                check_bits(out.numpy(), value.astype(np.int32), f"{mode!r}, {run_mode}")

    def test_tables(self, gpu: gp.Device) -> None:
        """C560 [Kernel language: tables]: Captured tuples, lists and arrays of numbers, indexed at run time."""
        at, i = np.arange(77, dtype=np.int32) * 5 % 71, np.arange(77)
        out = poisoned(gpu, (3, 77), np.float32), poisoned(gpu, (2, 77), np.int32), poisoned(gpu, (2, 77), np.uint32)
        kernels.tables(upload(gpu, at), *out, invocations=77)
        weights, primes = np.array(kernels.WEIGHTS, np.float32), np.array(kernels.PRIMES, np.int32)
        floats = [weights[at % 5], kernels.SPECIAL[at % 4], np.array([1.5, 2.5], np.float32)[at % 2] + weights[4]]
        check_bits(out[0].numpy(), np.array(floats, np.float32), "floats", at=at)
        check_bits(out[1].numpy(), np.array([primes[at % 7] + primes[2], primes[i // 32] * 7]), "integers", at=at)
        words = [kernels.PLANE[at % 3, i % 4], np.full(77, kernels.PLANE[2, 3])]
        check_bits(out[2].numpy(), np.array(words, np.uint32), "an array of rank 2", at=at)

    def test_static(self, gpu: gp.Device) -> None:
        """C556 [Kernel language: static]: gp.static evaluates Python when the kernel is compiled, for each Const."""
        for n in (2, 16):
            out = poisoned(gpu, 20, np.int32)
            kernels.static_values(out, n, invocations=20)
            wanted = sum(k * k for k in range(n)) + (np.arange(20) << int(np.log2(n)))
            check_bits(out.numpy(), wanted.astype(np.int32), f"static values for {n}")

    def test_imported_helper(self, gpu: gp.Device) -> None:
        """C557 [Kernel language: helpers]: A helper of another module, reached through the module."""
        hits, out = upload(gpu, np.zeros(1, np.int32)), poisoned(gpu, _VALUES.size, np.int32)
        kernels.imported(upload(gpu, _VALUES), out, hits, invocations=_VALUES.size)
        check_bits(out.numpy(), _VALUES + 1, "results")
        check_bits(hits.numpy(), np.array([_VALUES.size], np.int32), "calls")

    def test_functions_of_python(self, gpu: gp.Device) -> None:
        """C558 [Kernel language: math]: math.floor, math.fabs, abs, max of three, min, ** and math.pi."""
        x = np.arange(-16, 16, dtype=np.float32) / np.float32(4)
        out = poisoned(gpu, (3, x.size), np.float32)
        kernels.mathematics(upload(gpu, x), out, invocations=x.size)
        rows = [np.floor(x) + np.abs(x), np.abs(x) * 2 + np.maximum(x, 2) - np.minimum(x, 3)]
        check_values(out.numpy()[:2], np.stack(rows).astype(np.float32), "functions of Python", x=x)
        near = np.abs(out.numpy()[2] - (x.astype(np.float64) ** 3 + np.pi)) <= 2e-5
        check_bits(near, np.ones_like(near), "x ** 3 + pi within 2e-5", x=x)

    def test_same_text(self, gpu: gp.Device) -> None:
        """C559 [Backend interface: Backend.emit]: The source for the device's language is the same each time, and
        differs between types."""
        language = gpu.backend.language
        first, second = (kernels.generic.source(language, T=gp.i32) for _ in range(2))
        check(first == second, f"two texts of one kernel differ:\n{first}\n{second}")
        other = kernels.generic.source(language, T=gp.f32)
        check(first != other, "the text for i32 is that for f32")
