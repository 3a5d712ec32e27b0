"""Integer operations: each kernel computes a family of them, one row of the output each."""

from __future__ import annotations

from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.i32, gp.u32, gp.i64, gp.u64)
DIVISORS = (1, 2, 3, 7, 8, 10, 64, 2147483647)
NEGATIVE_DIVISORS = (-1, -2, -3, -7, -8, -64, -2147483647)
COUNTS = (0, 1, 5, 31, 32, 33, 40, 63)
CORNERS = (-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 7, 2147483646, 2147483647)


@gp.kernel(workgroup_size=32)
def arithmetic(a: gp.In[T], b: gp.In[T], out: gp.Out[T, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = x + y
        out[1, i] = x - y
        out[2, i] = x * y
        out[3, i] = -x
        out[4, i] = x * x * x - y * T(3)
        out[5, i] = abs(x)
        out[6, i] = min(x, y)
        out[7, i] = max(x, y)
        out[8, i] = gp.clamp(x, min(y, T(5)), max(y, T(5)))


@gp.kernel(workgroup_size=32)
def division(a: gp.In[T], b: gp.In[T], out: gp.Out[T, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = x // y
        out[1, i] = x % y
        out[2, i] = gp.div_trunc(x, y)
        out[3, i] = gp.rem(x, y)


@gp.kernel(workgroup_size=32)
def bitwise(a: gp.In[T], b: gp.In[T], out: gp.Out[T, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = x & y
        out[1, i] = x | y
        out[2, i] = x ^ y
        out[3, i] = ~x
        out[4, i] = x << y
        out[5, i] = x >> y
        out[6, i] = gp.popcount(x)
        out[7, i] = gp.clz(x)
        out[8, i] = gp.ctz(x)
        out[9, i] = gp.reverse_bits(x)


@gp.kernel(workgroup_size=32)
def products(a: gp.In[T], b: gp.In[T], out: gp.Out[T, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = gp.mul_hi(a[i], b[i])


@gp.kernel(workgroup_size=32)
def rotations(a: gp.In[T], b: gp.In[T], out: gp.Out[T, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = gp.rotate_left(a[i], b[i])
        out[1, i] = gp.rotate_right(a[i], b[i])
        out[2, i] = gp.rotate_left(a[i], 37)


@gp.kernel(workgroup_size=32)
def dots_of_bytes(a: gp.In[gp.u32], b: gp.In[gp.u32], signed: gp.Out[gp.i32], unsigned: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < a.size:
        signed[i] = gp.dot4_i8_packed(a[i], b[i])
        unsigned[i] = gp.dot4_u8_packed(a[i], b[i])


@gp.kernel(workgroup_size=32)
def products_of_vectors(a: gp.In[gp.i32], b: gp.In[gp.i32], out: gp.Out[gp.i32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        high = gp.mul_hi(gp.i32x2(a[i], b[i]), b[i])
        out[0, i] = high.x
        out[1, i] = high.y


@gp.kernel(workgroup_size=32)
def shifts_by_literals(a: gp.In[T], out: gp.Out[T, 2]):
    i = gp.global_id(0)
    if i < a.size:
        row = 0
        for count in gp.unroll(COUNTS):
            out[row, i] = a[i] << count
            out[row + 1, i] = a[i] >> count
            row = row + 2


@gp.kernel(workgroup_size=32)
def shift_by_other_types(a: gp.In[gp.i32], b: gp.In[gp.u32], out: gp.Out[gp.i32], wide: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < a.size:
        out[i] = a[i] >> b[i]
        wide[i] = b[i] << a[i]


@gp.kernel(workgroup_size=32)
def division_by_literals(a: gp.In[T], out: gp.Out[T, 2], divisors: gp.Const[tuple]):
    i = gp.global_id(0)
    if i < a.size:
        row = 0
        for divisor in gp.unroll(divisors):
            out[row, i] = a[i] // divisor
            out[row + 1, i] = a[i] % divisor
            out[row + 2, i] = gp.div_trunc(a[i], divisor)
            out[row + 3, i] = gp.rem(a[i], divisor)
            row = row + 4


@gp.kernel(workgroup_size=32)
def division_of_literals(b: gp.In[gp.i32], out: gp.Out[gp.i32, 2]):
    i = gp.global_id(0)
    if i < b.size:
        row = 0
        for dividend in gp.unroll(CORNERS):
            out[row, i] = dividend // b[i]
            out[row + 1, i] = dividend % b[i]
            row = row + 2


@gp.kernel(workgroup_size=1)
def folded(sums: gp.Out[gp.i32], quotients: gp.Out[gp.i32], remainders: gp.Out[gp.i32], shifted: gp.Out[gp.i32]):
    k = 0
    for a in gp.unroll(CORNERS):
        for b in gp.unroll(CORNERS):
            sums[k] = gp.i32(a) + gp.i32(b) * gp.i32(3)
            quotients[k] = gp.i32(a) // gp.i32(b)
            remainders[k] = gp.i32(a) % gp.i32(b)
            shifted[k] = (gp.i32(a) << gp.i32(b)) ^ (gp.i32(a) >> gp.i32(b))
            k = k + 1


@gp.kernel(workgroup_size=32)
def derived_from_ids(out: gp.Out[gp.i32, 2], first: gp.i32):
    """Quotients of numbers whose range a compiler can derive."""
    i = gp.global_id(0)
    if i < out.shape[1]:
        low = i & 15
        out[0, i] = (i - 40) // 3
        out[1, i] = (i - 40) % 3
        out[2, i] = (low - 8) // -3
        out[3, i] = (low - 8) % -3
        out[4, i] = low // 4
        out[5, i] = low % 4
        out[6, i] = (first - i) // (low - 7)
        out[7, i] = (first - i) % (low - 7)
        out[8, i] = (first + i) // (low + 1)
        out[9, i] = min(max(first + i, -5), 5) // 2


@gp.kernel(workgroup_size=32)
def quotients_as_floats(a: gp.In[T], b: gp.In[T], out: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < a.size:
        out[i] = a[i] / b[i]


@gp.kernel(workgroup_size=32)
def comparisons(a: gp.In[T], b: gp.In[T], out: gp.Out[gp.u32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = gp.u32(x == y)
        out[1, i] = gp.u32(x != y)
        out[2, i] = gp.u32(x < y)
        out[3, i] = gp.u32(x <= y)
        out[4, i] = gp.u32(x > y)
        out[5, i] = gp.u32(x >= y)


@gp.kernel(workgroup_size=32)
def augmented(a: gp.In[T], b: gp.In[T], out: gp.InOut[T]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        x += b[i]
        x *= T(3)
        x -= T(7)
        x ^= b[i]
        x //= T(5)
        x %= T(1001)
        x <<= T(3)
        x >>= T(1)
        x |= T(8)
        x &= T(4095)
        out[i] += x
