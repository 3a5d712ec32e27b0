"""The logarithm, square root, sine and cosine of Box and Muller's method, in integers: equal bits on every device.

An integer n stands for n / 2**32 unless its unit is given. The polynomials interpolate at Chebyshev points in [0, 1).
Their coefficients have alternating signs and become smaller, so that no step is negative. In units of 2**-32, the
interpolation is wrong by at most 2, and each step adds at most 1: 0.5 by the rounding of its coefficient, and 0.5 by
that of the product, which is rounded down, for which the coefficients but the highest are 0.5 lower.

The error of r * cos and r * sin, with r below 6.8, is in these units that of the logarithm (20 times its value, or 9
and 0.5 for each of up to 32 halvings: 12 of r), of its mantissa (r), of the root (10 * r), of its shift (2 * r + 8), of
sine and cosine (6.5 * r), and of two roundings (16). Together it is below 169, which is less than 2**-24.
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.hints import u32

LOG = (
    0x0040A41A, 0x01ACF42B, 0x05351588, 0x0A635A57, 0x0FAD6CC5, 0x145094C4, 0x18FA65D4, 0x1F15848F, 0x28AC4A18,
    0x3A379E6A, 0x62E42FED,
)  # fmt: skip
"""(-log(1 - w) / w - 1) / (2 * w), of x = 1 - 2 * w. Coefficients of all: the highest power first."""

ROOT = (
    0x00119F64, 0x006E50CC, 0x01474BA2, 0x02815A13, 0x03E974CE, 0x05A50185, 0x086BC191, 0x0E32339D, 0x1F0ED832,
    0x95F61996,
)  # fmt: skip
"""(1 - sqrt(t)) / (1 - t), of x = 2 * t - 1."""

COSINE = (0x00000068, 0x00003C3D, 0x00155D3C, 0x040F07C1, 0x4EF4F326)
"""(1 - cos(pi / 4 * sqrt(x))) / x."""

SINE = (0x0000052F, 0x00026595, 0x00A335DD, 0x14ABBCE5, 0xC90FDAA2)
"""sin(pi / 4 * sqrt(x)) / sqrt(x)."""

LOG_OF_2 = 0xB17217F8
ROOT_OF_HALF = 0xB504F334


def alternating(x, coefficients):
    """The polynomial of x whose coefficients have these magnitudes, and alternating signs."""
    total = u32(coefficients[0])
    for power in gp.unroll(range(1, len(coefficients))):
        total = coefficients[power] - gp.mul_hi(x, total)
    return total


def radius(bits):
    """sqrt(-2 * log(u)) of u = (bits + 0.5) / 2**32, in units of 2**-29. It is below 6.8.

    u is (1 - w) / 2**halvings with w in (0, 0.5], so -log(u) is halvings * log(2) - log(1 - w), and the latter is w
    times a polynomial. If u is near 1, w is small: its bits are moved up, so that the product keeps its precision.
    """
    halvings = gp.clz(bits)
    x = ((bits << 1) | 1) << halvings  # 1 - 2 * w. For bits = 0 the count is 32, taken as 0: w is less by 2**-33
    rest = 0 - x  # 2 * w
    moved = gp.clz(rest) if halvings == 0 else u32(0)
    ratio = 0x80000000 + (gp.mul_hi(rest, alternating(x, LOG)) >> 1)  # -log(1 - w) / w, in units of 2**-31
    part = gp.mul_hi(rest << moved, ratio)
    low = halvings * LOG_OF_2 + part
    high = gp.mul_hi(halvings, LOG_OF_2) + u32(low < part)  # -log(u) is (high * 2**32 + low) / 2**(32 + moved)
    first = gp.clz(high)  # 27 to 32, where high is 0
    mantissa = (high << first) | (low >> (32 - first))
    second = gp.clz(mantissa)
    t = mantissa << second  # -2 * log(u) is t / 2**32 * 2**(33 - first - moved - second)
    root = ~gp.mul_hi(0 - t, alternating(t << 1, ROOT))
    halves = first + moved + second - 27
    return (gp.mul_hi(root, ROOT_OF_HALF) if (halves & 1) != 0 else root) >> (halves >> 1)


def cosine_and_sine(x):
    """The cosine and the sine of pi / 4 * x."""
    square = gp.mul_hi(x, x)
    return ~gp.mul_hi(square, alternating(square, COSINE)), gp.mul_hi(x, alternating(square, SINE))
