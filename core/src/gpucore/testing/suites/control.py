"""Branches and loops. What each kernel must write is computed by the same Python function, or given in plain Python."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.checks import Host, check, check_bits, poisoned, upload
from gpucore.testing.kernels import control as kernels

_TOP = 2**31 - 1
STEPS = (1, 2, 3, -1, -2, -7, 1000, _TOP, -_TOP, -(2**31))
_ROWS = np.arange(-12, 40, dtype=np.int32)


def _mapped(function: Callable[[int], int], values: Host, dtype: Any = np.int32) -> Host:
    return np.array([function(int(value)) for value in values], dtype)


def _unary(gpu: gp.Device, kernel: gp.Kernel, values: Host, function: Callable[[int], int]) -> None:
    out = poisoned(gpu, values.size, np.int32)
    kernel(upload(gpu, values), out, invocations=values.size)
    check_bits(out.numpy(), _mapped(function, values), kernel.name, a=values)


class ControlFlowTests:
    """Control flow."""

    def test_branches(self, gpu: gp.Device) -> None:
        """C500 [Kernel language: if]: if, elif, else, nested; a variable assigned on every path."""

        def exact(x: int) -> int:
            if x < 0:
                return -2 if x < -10 else -1
            if x == 0 or x >= 10:
                return 0 if x == 0 else 3
            return 2 if x % 2 == 0 else 11

        _unary(gpu, kernels.branches, _ROWS, exact)

    def test_while(self, gpu: gp.Device) -> None:
        """C501 [Kernel language: while]: A while loop runs as often as each invocation needs, possibly never."""

        def exact(n: int) -> int:
            steps = 0
            while n > 1:
                n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
            return steps

        _unary(gpu, kernels.collatz, np.arange(70, dtype=np.uint32), exact)

    def test_while_exits(self, gpu: gp.Device) -> None:
        """C502 [Kernel language: break, continue]: `while True` with continue and two breaks."""

        def exact(limit: int) -> int:
            k = total = 0
            while True:
                k += 1
                if k % 3 == 0:
                    continue
                if k > limit:
                    return total * 1000 + k
                total += k
                if total > 100:
                    return -total * 1000 + k

        _unary(gpu, kernels.while_exits, _ROWS, exact)

    def test_for_exits(self, gpu: gp.Device) -> None:
        """C503 [Kernel language: break, continue]: break and continue in a for loop over a range."""

        def exact(n: int) -> int:
            total = 0
            for k in range(n):
                if k == 2:
                    continue
                if k * k > 50:
                    break
                total = total * 7 + k
            return total + 1

        _unary(gpu, kernels.for_exits, _ROWS, exact)

    def test_ranges(self, gpu: gp.Device) -> None:
        """C504 [Kernel language: range]: Positive, negative and huge steps, empty ranges."""
        _check_ranges(gpu, [0, 5, -5, 10, 3, 40, -30], [0, 1, 10, -10, 3, 37, 100], STEPS)

    def test_ranges_at_the_ends(self, gpu: gp.Device) -> None:
        """C505 [Kernel language: range]: Bounds next to INT_MAX and INT_MIN: the loop ends, nothing wraps."""
        low, high = -(2**31), _TOP
        ends = [low, low + 1, low + 5, -1, 0, high - 5, high - 1, high]
        _check_ranges(gpu, ends, ends, (1, 3, 2**30, _TOP, -1, -3, -(2**30), -(2**31)))

    def test_unsigned_ranges(self, gpu: gp.Device) -> None:
        """C506 [Kernel language: range]: Ranges of u32 up to its greatest value."""
        ends = [0, 1, 7, 2**31 - 1, 2**31, 2**31 + 3, 2**32 - 6, 2**32 - 1]
        start, stop = (np.array(side, np.uint32) for side in zip(*((a, b) for a in ends for b in ends), strict=True))
        steps = (1, 5, 2**31 - 1, -1, -5)
        out = poisoned(gpu, (2 * len(steps), start.size), np.uint32)
        kernels.unsigned_ranges(upload(gpu, start), upload(gpu, stop), out, steps, invocations=start.size)
        rows = []
        for step in steps:
            walked = [list(range(int(a), int(b), step)[:51]) for a, b in zip(start, stop, strict=True)]
            rows += [[len(w) for w in walked], [w[-1] if w else 0 for w in walked]]
        check_bits(out.numpy(), np.array(rows, np.uint32), f"ranges of u32, steps {steps}", start=start, stop=stop)

    def test_ranges_with_steps_of_run_time(self, gpu: gp.Device) -> None:
        """C519 [Kernel language: range]: Steps of run time, of both signs, up to the ends."""
        low, high = -(2**31), _TOP
        _check_steps(gpu, np.int32, [low, low + 5, -7, 0, 3, high - 5, high], [1, 2, 7, 2**30, high, -1, -3, low])
        _check_steps(gpu, np.uint32, [0, 1, 70, 2**31, 2**32 - 6, 2**32 - 1], [1, 2, 7, 2**31, 2**32 - 1])

    def test_steps_of_zero(self, gpu: gp.Device) -> None:
        """C521 [Kernel language: range]: A step of 0 of run time gives no iterations, or a KernelAssertionError."""
        with contextlib.suppress(gp.KernelAssertionError):  # the simulator checks it always
            _check_steps(gpu, np.int32, [-5, 0, 70], [0])
            _check_steps(gpu, np.uint32, [0, 1, 70], [0])

    def test_grid_stride(self, gpu: gp.Device) -> None:
        """C520 [Kernel language: range]: Loops whose step is the number of invocations, forwards and backwards."""
        for size in (0, 1, 95, 96, 97, 1003):
            a = np.arange(size, dtype=np.int32) * 3 - 50
            out, visits = upload(gpu, np.zeros(size, np.int32)), upload(gpu, np.zeros(size, np.int32))
            kernels.grid_stride(upload(gpu, a), out, visits, -1, workgroups=3)
            check_bits(out.numpy(), a * 2 + 1, f"{size} elements forwards")
            check_bits(visits.numpy(), np.ones(size, np.int32), f"{size} elements backwards")

    def test_early_return(self, gpu: gp.Device) -> None:
        """C507 [Kernel language: return]: return out of nested loops keeps earlier stores and skips the rest."""
        values = np.concatenate([_ROWS, np.array([59, 60, 99, 100], np.int32)])
        out = upload(gpu, np.full(values.size, -5, np.int32))
        kernels.early_return(upload(gpu, values), out, invocations=values.size + 40)
        wanted = _mapped(lambda x: 7 if x < 0 else 100 + x // 10 if x < 100 else 2, values)
        check_bits(out.numpy(), wanted, "early return", a=values)

    def test_nested_loops(self, gpu: gp.Device) -> None:
        """C508 [Kernel language: loops]: for in while in for; break and continue act on the innermost."""

        def exact(i: int) -> int:
            total = 0
            for a in range(9):
                b = 0
                while b < a:
                    for c in range(b, a):
                        if c == 3:
                            continue
                        if c > i:
                            break
                        total += c * (b + 1)
                    b += 2
                    if b > i + 5:
                        break
                total ^= a
            return total

        out = poisoned(gpu, 40, np.int32)
        kernels.nested(9, out, invocations=40)
        check_bits(out.numpy(), _mapped(exact, np.arange(40)), "nested loops")

    def test_unrolled(self, gpu: gp.Device) -> None:
        """C509 [Kernel language: unroll]: An unrolled loop with break and continue behaves like the loop."""

        def exact(x: int) -> tuple[int, int, int]:
            total = 0
            for k in range(8):
                if k == x:
                    continue
                if total > 12:
                    break
                total += k
            product = 1
            for k in (5, 3, 9):
                for j in range(x):
                    if j == k:
                        break
                    product = product * 3 + k
                if product > 5000:
                    break
            return total, product, {1: 10, 2: 20, 3: 30}.get(x, -1)

        values = np.arange(-2, 10, dtype=np.int32)
        out = poisoned(gpu, (3, values.size), np.int32)
        kernels.unrolled(upload(gpu, values), out, invocations=values.size)
        wanted = np.array([exact(int(x)) for x in values], np.int32).T
        check_bits(out.numpy(), wanted, "unroll", a=values)

    def test_bounds_are_read_once(self, gpu: gp.Device) -> None:
        """C510 [Kernel language: range]: range reads its bounds once, and the body may change the loop variable."""
        out = poisoned(gpu, (3, 20), np.int32)
        kernels.bounds_once(out, invocations=20)
        i = np.arange(20)
        total = sum((k + 3) * 2 for k in range(6))
        check_bits(out.numpy(), np.stack([i, 11 * i, np.full(20, total)]).astype(np.int32), "bounds")

    def test_short_circuit(self, gpu: gp.Device) -> None:
        """C511 [Kernel language: and, or]: The right operand is evaluated only if the left one does not decide."""
        a = np.array([1, -1, 5, 0, 7], np.int32)
        hits = upload(gpu, np.zeros(1, np.int32))
        out = poisoned(gpu, (5, 20), np.uint32)
        kernels.short_circuit(upload(gpu, a), out, hits, invocations=20)
        i = np.arange(20)
        positive = np.concatenate([a > 0, np.zeros(15, bool)])
        wanted = [positive, positive | (i >= 5), (i % 2 == 0) & (i > 3), (i % 4 == 0) & (i <= 7), i == 6]
        check_bits(out.numpy(), np.stack(wanted).astype(np.uint32), "and, or, chains")
        check_bits(hits.numpy(), np.array([15], np.int32), "how often right sides ran")

    def test_conditional_expression(self, gpu: gp.Device) -> None:
        """C512 [Kernel language: conditional expression]: Only the selected operand is evaluated."""
        a = np.array([4, 5, 6], np.int32)
        hits = upload(gpu, np.zeros(1, np.int32))
        out = poisoned(gpu, 8, np.int32)
        kernels.conditional(upload(gpu, a), out, hits, invocations=8)
        check_bits(out.numpy(), np.array([46, 56, 66, -5, -4, -4, -4, -4], np.int32), "conditional expressions")
        check_bits(hits.numpy(), np.array([1], np.int32), "how often the guarded side ran")

    def test_conditional_tuples(self, gpu: gp.Device) -> None:
        """C522 [Kernel language: conditional expression]: Of two tuples each item is chosen; only the selected tuple is
        evaluated."""
        a = np.array([4, -5, 2], np.int32)
        hits = upload(gpu, np.zeros(1, np.int32))
        out = poisoned(gpu, (3, 8), np.int32)
        kernels.conditional_tuples(upload(gpu, a), out, hits, invocations=8)
        wanted = [[0, -5, 2, -1, -1, -1, -1, -1], [4, 1, 2, 3, 4, 5, 6, 7], [1, 1, 1, 0, 0, 0, 0, 0]]
        check_bits(out.numpy(), np.array(wanted, np.int32), "conditional expressions of tuples")
        check_bits(hits.numpy(), np.array([5], np.int32), "how often the guarded side ran")

    def test_long_loops(self, gpu: gp.Device) -> None:
        """C513 [Backend interface: Limits.max_loop_iterations]: A for loop beyond 65,535 iterations is correct, or the
        device raises DispatchError or LimitError; the next kernel runs."""
        _check_long(gpu, kernels.long_loop, lambda x, k: (x * 1664525 + 1013904223) & 0xFFFFFFFF)

    def test_long_while(self, gpu: gp.Device) -> None:
        """C514 [Backend interface: Limits.max_loop_iterations]: The same for a while loop."""
        _check_long(gpu, kernels.long_while, lambda x, k: ((x << 1) ^ (x >> 3) ^ k) & 0xFFFFFFFF)

    def test_tuple_assignment(self, gpu: gp.Device) -> None:
        """C515 [Kernel language: tuple assignment]: All right sides are read before a name is bound, also in loops."""
        out, swapped = poisoned(gpu, 48, np.uint32), poisoned(gpu, 48, np.int32)
        kernels.fibonacci(out, swapped, invocations=48)
        numbers = [0, 1]
        while len(numbers) < 48:
            numbers.append((numbers[-1] + numbers[-2]) & 0xFFFFFFFF)
        check_bits(out.numpy(), np.array(numbers, np.uint32), "Fibonacci numbers")
        check_bits(swapped.numpy(), np.array([(123, 231, 312)[k % 3] for k in range(48)], np.int32), "rotations")

    def test_pruned_branches(self, gpu: gp.Device) -> None:
        """C516 [Kernel language: compile time]: An if on a compile-time value keeps one branch; the other is not
        compiled."""
        for mode in (3, 4):
            out = poisoned(gpu, 10, np.int32)
            kernels.pruned(out, True, mode, invocations=10)
            check_bits(out.numpy(), (np.arange(10) * 2 + (100 if mode == 3 else 0)).astype(np.int32), f"mode {mode}")

    def test_deep_nesting(self, gpu: gp.Device) -> None:
        """C517 [Kernel language: loops]: Many nested branches and loops."""

        def exact(x: int) -> int:
            depth = 0
            for k in range(12):
                for j in range(2) if x >= k else ():
                    if x + j > k * 2:
                        depth += j + 1
                    elif depth > 20:
                        depth -= 20
            return depth

        _unary(gpu, kernels.deep, _ROWS, exact)

    def test_carried_variables(self, gpu: gp.Device) -> None:
        """C518 [Kernel language: loops]: Variables keep their values from the last iteration, complete or cut short."""

        def exact(x: int) -> int:
            first, second = x, 0
            for k in range(5):
                before, first = first, first + k
                if first % 2 == 0:
                    continue
                second = before
                if second > 20:
                    break
            return first * 1000 + second

        _unary(gpu, kernels.rotated, _ROWS, exact)


def _check_ranges(gpu: gp.Device, starts: Sequence[int], stops: Sequence[int], steps: tuple[int, ...]) -> None:
    start, stop = (np.array(side, np.int32) for side in zip(*((a, b) for a in starts for b in stops), strict=True))
    out = poisoned(gpu, (3 * len(steps), start.size), np.int32)
    kernels.ranges(upload(gpu, start), upload(gpu, stop), out, steps, invocations=start.size)
    rows = []
    for step in steps:
        walked = [list(range(int(a), int(b), step)[:51]) for a, b in zip(start, stop, strict=True)]
        rows += [[len(w) for w in walked], [w[0] if w else 0 for w in walked], [w[-1] if w else 0 for w in walked]]
    check_bits(
        out.numpy(), np.array(rows, np.int32), f"count, first and last for steps {steps}", start=start, stop=stop
    )


def _check_steps(gpu: gp.Device, dtype: Any, ends: list[int], steps: list[int]) -> None:
    """Every start with every stop and every step."""
    every = [(a, b, step) for a in ends for b in ends for step in steps]
    start, stop, step = np.array(every, np.int64).astype(dtype).T.copy()
    out = poisoned(gpu, (3, start.size), dtype)
    kernels.stepped_ranges(upload(gpu, start), upload(gpu, stop), upload(gpu, step), out, invocations=start.size)
    walked = [list(range(*three)[:51]) if three[2] else [] for three in every]
    rows = [[len(w), w[0] if w else 0, w[-1] if w else 0] for w in walked]
    check_bits(out.numpy(), np.array(rows, dtype).T, "count, first and last", start=start, stop=stop, step=step)


def _check_long(gpu: gp.Device, kernel: gp.Kernel, step: Callable[[int, int], int]) -> None:
    for n in (65000, 70001):
        out = poisoned(gpu, 2, np.uint32)
        try:
            kernel(n, out, invocations=2)
            result = out.numpy()
        except (gp.DispatchError, gp.LimitError):
            limit = gpu.limits.max_loop_iterations
            check(limit is not None and n > limit, f"{n} iterations were refused, and the limit is {limit}")
            continue
        wanted = []
        for x in range(2):
            for k in range(n):
                x = step(x, k)
            wanted.append(x)
        check_bits(result, np.array(wanted, np.uint32), f"{kernel.name} of {n} iterations")
    out = poisoned(gpu, 5, np.uint32)
    kernel(3, out, invocations=5)
    wanted = [step(step(step(x, 0), 1), 2) for x in range(5)]
    check_bits(out.numpy(), np.array(wanted, np.uint32), "the kernel after it")
