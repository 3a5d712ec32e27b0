"""Debug builds on the device, and gp.check with its arrays."""

from __future__ import annotations

import contextlib
import inspect
import io
from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.checks import check, check_bits, upload
from gpucore.testing.kernels import debugging as kernels
from gpucore.testing.tiers import in_tier


@in_tier("debugging")
class DebuggingTests:
    """`debug=True`: indices, outputs, assert and print; gp.check."""

    def test_reads_are_checked(self, gpu: gp.Device) -> None:
        """C680 [Debugging: indices]: A read out of range raises OutOfRangeError with the line, the index, the array and
        the invocation; the device is usable, and the error is raised once."""
        x, out = upload(gpu, np.arange(16, dtype=np.int32)), gp.zeros(16, gp.i32, device=gpu)
        error = _failure(gpu, gp.OutOfRangeError, lambda: kernels.read_at(x, out, 6, invocations=16))
        _check_text(
            error, kernels.read_at, "x[i + offset]", "index 16 is out of range for 'x' of length 16", "(10, 0, 0)"
        )
        gpu.synchronize()
        check_bits(out.numpy()[:10], np.arange(6, 16, dtype=np.int32), "what invocations in range stored")

    def test_writes_are_checked(self, gpu: gp.Device) -> None:
        """C681 [Debugging: indices]: A store out of range raises OutOfRangeError, and changes nothing; indices below 0
        too."""
        for offset in (12, -3):
            out = upload(gpu, np.full(16, -7, np.int32))
            error = _failure(gpu, gp.OutOfRangeError, lambda: kernels.write_at(out, offset, invocations=16))  # noqa: B023
            first = 16 if offset > 0 else offset
            _check_text(
                error, kernels.write_at, "out[i + offset]", f"index {first} is out of range for 'out' of length 16"
            )
            found = out.numpy()
            kept = found[:12] if offset > 0 else found[13:]
            check_bits(kept, np.full(kept.size, -7, np.int32), "elements that no invocation in range stored")

    def test_asserts(self, gpu: gp.Device) -> None:
        """C682 [Debugging: assert]: An assert that fails raises KernelAssertionError with its text and line; one that
        holds does not."""
        out = gp.zeros(24, gp.i32, device=gpu)
        error = _failure(gpu, gp.KernelAssertionError, lambda: kernels.below(out, 9, invocations=24))
        _check_text(error, kernels.below, "assert i < limit", "an id beyond the limit", "(9, 0, 0)")
        kernels.below(out, 24, invocations=24)
        check_bits(out.numpy(), np.arange(24, dtype=np.int32), "a kernel whose assert holds")

    def test_outputs(self, gpu: gp.Device) -> None:
        """C683 [Debugging: outputs]: Elements of a gp.Out that no invocation wrote raise IncompleteOutputError; where
        all are written nothing is raised."""
        out = gp.zeros(20, gp.i32, device=gpu)
        error = _failure(gpu, gp.IncompleteOutputError, lambda: kernels.ramp(out, 13, invocations=20))
        check("out" in str(error), f"the error does not name the array: {error}")
        kernels.ramp(out, 20, invocations=20)
        check_bits(out.numpy(), np.arange(20, dtype=np.int32), "a kernel that writes all of its output")

    def test_prints(self, gpu: gp.Device) -> None:
        """C684 [Debugging: print]: print writes numbers, bools, vectors and f-strings to standard output, in the order
        of the invocations."""
        x, out = upload(gpu, np.array([0.5, -2, 1e-3, 7], np.float32)), gp.zeros(4, gp.i32, device=gpu)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            kernels.tell(x, out, 2**32 - 1, True, workgroups=1)
            gpu.synchronize()
        wanted = [
            "at 0 0.5 4294967295 True (0, 0)", "even 0!",
            "at 1 -2.0 4294967295 True (1, -1)", "at 2 0.001 4294967295 True (2, -2)", "even 2!",
            "at 3 7.0 4294967295 True (3, -3)",
        ]  # fmt: skip
        check(printed.getvalue().splitlines() == wanted, f"printed: {printed.getvalue()!r}")

    def test_debug_changes_nothing(self, gpu: gp.Device) -> None:
        """C685 [Debugging]: A kernel without defects computes under debug what it does without, barriers and asserts
        too."""
        for n in (1, 8, 13, 257):
            x = np.random.default_rng(n).integers(-99, 99, n).astype(np.int32)
            whole = -(-n // 8) * 8
            padded, out = np.zeros(whole, np.int32), gp.zeros(whole, gp.i32, device=gpu)
            padded[:n] = x
            kernels.reversed_in_workgroups(upload(gpu, padded), out, invocations=whole)
            check_bits(out.numpy(), padded.reshape(-1, 8)[:, ::-1].reshape(-1), f"{n} elements, reversed by workgroup")

    def test_checks(self, gpu: gp.Device) -> None:
        """C686 [Checking: gp.check]: A race is found in a call with the device's arrays, which stay as they are; a call
        without defects has no findings."""
        x, out = upload(gpu, np.arange(16, dtype=np.int32)), upload(gpu, np.full(2, 5, np.int32))
        report = gp.check(kernels.racing, x, out, invocations=16)
        check("GP701" in [finding.code for finding in report.findings], f"the report of a race: {report}")
        check_bits(out.numpy(), np.full(2, 5, np.int32), "an array of a checked call")
        fine = gp.check(kernels.reversed_in_workgroups, x, gp.zeros(16, gp.i32, device=gpu), invocations=16)
        check(fine.ok, f"the report of a call without defects: {fine}")


def _failure(gpu: gp.Device, error: type[gp.KernelError], call: Callable[[], Any]) -> gp.KernelError:
    """What a call raises by the time that the device was waited for."""
    try:
        call()
        gpu.synchronize()
    except error as raised:
        return raised
    raise AssertionError(f"nothing was raised, and it must be {error.__name__}")


def _check_text(error: gp.KernelError, kernel: gp.Kernel, code: str, *parts: str) -> None:
    """The error has the parts in its text, and the line of the kernel that has the code."""
    lines, first = inspect.getsourcelines(kernel.function)
    wanted = next(first + k for k, line in enumerate(lines) if code in line)
    check(error.span is not None and error.span.line == wanted, f"the place is {error.span}, not line {wanted}")
    missing = [part for part in parts if part not in str(error)]
    check(missing == [], f"the error lacks {missing}: {error}")
