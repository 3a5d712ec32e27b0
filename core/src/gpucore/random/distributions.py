"""Numbers from random words, in kernels. All arithmetic is exact: on integers, conversions, and powers of two."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.hints import f32, f32x2, f64, i32, u32
from gpucore.host import by_component
from gpucore.random.fixed_point import cosine_and_sine, radius


@by_component
@gp.func
def uniform(bits: u32) -> f32:
    """A number in [0, 1) from the upper 24 bits of a word: each multiple of 2**-24 is as likely as the others."""
    return f32(bits >> 8) * 2.0**-24


@gp.func
def uniform_f64(high: u32, low: u32) -> f64:
    """A number in [0, 1) from 27 bits of one word and 26 of another: a multiple of 2**-53."""
    return (f64(high >> 5) * 2.0**26 + f64(low >> 6)) * 2.0**-53


@gp.func
def normal(bits_a: u32, bits_b: u32) -> f32x2:
    """Two independent numbers of the standard normal distribution, by the method of Box and Muller (1958).

    They are r * cos(t) and r * sin(t), with r = sqrt(-2 * log((bits_a + 0.5) / 2**32)) and
    t = 2 * pi * (bits_b + 0.5) / 2**32, in fixed point with an error below 2**-24, rounded once to f32.
    """
    r = radius(bits_a)
    axis = (bits_b + 0x20000000) >> 30  # the nearest: 0 to 3
    offset = 2 * gp.bitcast(i32, bits_b - (axis << 30)) + 1  # from it, in units of 2**-30 of an eighth of a turn
    cosine, sine = cosine_and_sine(gp.bitcast(u32, gp.abs(offset)) << 2)
    along = i32((gp.mul_hi(r, cosine) + 1) >> 1)  # in units of 2**-28
    across = i32((gp.mul_hi(r, sine) + 1) >> 1)
    if offset < 0:
        across = -across
    x, y = along, across
    if (axis & 1) != 0:
        x, y = -across, along
    if (axis & 2) != 0:
        x, y = -x, -y
    return f32x2(f32(x) * 2.0**-28, f32(y) * 2.0**-28)


@gp.func
def integers(bits: u32, low: i32, high: i32) -> i32:
    """An i32 from `low` up to, not including, `high`, by the upper half of a product."""
    above: i32 = gp.bitcast(i32, gp.mul_hi(bits, gp.bitcast(u32, high - low)))
    return low + above


def scaled(low, high, size):
    """floor(size * (high * 2**32 + low) / 2**64) of u32; a size of 0 means 2**32."""
    part = high * size
    carry = u32(part + gp.mul_hi(low, size) < part)
    return high if size == 0 else gp.mul_hi(high, size) + carry
