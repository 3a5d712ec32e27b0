"""f32 arithmetic is computed as written, even if another formula is equal for real numbers."""

from __future__ import annotations

import numpy as np

import gpucore as gp
from gpucore.testing.checks import check_values, poisoned, upload
from gpucore.testing.kernels import exactness as kernels


class ExactnessTests:
    """Arithmetic that a compiler must not simplify."""

    def test_sums_that_cancel(self, gpu: gp.Device) -> None:
        """C337 [Numeric contract: + - * of floats]: each is rounded: errors of sums, x + 1.5 * 2**23 - 1.5 * 2**23."""
        rng = np.random.default_rng(3)
        a = (rng.uniform(-1, 1, 200) * np.exp2(rng.integers(0, 12, 200))).astype(np.float32)
        b = rng.uniform(-1, 1, 200).astype(np.float32)
        out = poisoned(gpu, (7, a.size), np.float32)
        kernels.errors(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
        total, magic = a + b, np.float32(12582912)
        part = total - a
        wanted = [part - b, (a - (total - part)) + (b - part), (a + magic) - magic, part, total - b, a * b * a,
                  (a + np.float32(1)) + b]  # fmt: skip
        assert np.count_nonzero(wanted[0]) > 50
        check_values(out.numpy(), np.stack(wanted), "sums", x=a, y=b)

    def test_compensated_sum(self, gpu: gp.Device) -> None:
        """C338 [Numeric contract: + - * of floats]: Kahan's sum keeps what a plain one loses; 2**24 + 1 is 2**24."""
        a = np.full(101, 1.0, np.float32)
        a[0] = 2.0**24
        out = poisoned(gpu, 3, np.float32)
        kernels.kahan(upload(gpu, a), out, workgroups=1)
        check_values(out.numpy(), np.array([2**24 + 100, 2**24 + 4, 2**24], np.float32), "sums")

    def test_no_identities(self, gpu: gp.Device) -> None:
        """C339 [Numeric contract: + - * of floats]: x - x, x * 0, 0 - x, sqrt(x) * sqrt(x), exp2(log2(x)) of any x."""
        a = np.array([1.0, -1.0, 4.0, 0.0, -0.0, np.inf, -np.inf, np.nan, 0.25, -4.0], np.float32)
        out = poisoned(gpu, (9, a.size), np.float32)
        kernels.identities(upload(gpu, a), out, invocations=a.size)
        result, one = out.numpy(), np.float32(1)
        with np.errstate(all="ignore"):
            exact = [a - a, a * np.float32(0), np.float32(0) - a, (a - one) + (one - a), a - a]
            root = np.sqrt(a)
            near = np.stack([root * root, np.exp2(np.log2(a)), np.log2(np.exp2(a)), a / a])
        check_values(result[:5], np.stack(exact), "identities", x=a)
        # functions and divisions are not exact
        is_near = np.isclose(result[5:], near, rtol=1e-5, atol=1e-6, equal_nan=True)
        check_values(np.where(is_near, near, result[5:]), near, "inverse functions", x=a)
