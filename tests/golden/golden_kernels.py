"""The kernels whose generated text is kept in `expected`: each is there for one part of the language."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np

import gpucore as gp
from gpucore.compiler import UNLIMITED, Target, emit_for
from gpucore.kernel import specialise_by_name
from gpucore_wgpu.plugin import WgpuBackend

T = TypeVar("T", gp.f32, gp.i32, gp.u32)
TILE = 16


@gp.kernel(workgroup_size=256)
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    """The first kernel that one writes."""
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel(workgroup_size=(TILE, TILE))
def transpose(source: gp.In[gp.f32, 2], target: gp.Out[gp.f32, 2]):
    """Two axes, and a tile in workgroup memory."""
    tile = gp.workgroup_array(gp.f32, (TILE, TILE + 1))
    column, row = gp.global_id(0), gp.global_id(1)
    if row < source.shape[0] and column < source.shape[1]:
        tile[gp.local_id(1), gp.local_id(0)] = source[row, column]
    gp.barrier()
    column = gp.workgroup_id(1) * TILE + gp.local_id(0)
    row = gp.workgroup_id(0) * TILE + gp.local_id(1)
    if row < target.shape[0] and column < target.shape[1]:
        target[row, column] = tile[gp.local_id(0), gp.local_id(1)]


@gp.kernel(workgroup_size=128)
def reduce_sum(x: gp.In[gp.f32], sums: gp.Out[gp.f32]):
    """A loop with barriers in it."""
    shared = gp.workgroup_array(gp.f32, 128)
    t, i = gp.local_id(0), gp.global_id(0)
    shared[t] = x[i] if i < x.size else gp.f32(0)
    gp.barrier()
    half = 64
    while half > 0:
        if t < half:
            shared[t] += shared[t + half]
        gp.barrier()
        half //= 2
    if t == 0:
        sums[gp.workgroup_id(0)] = shared[0]


@gp.kernel(workgroup_size=64)
def integers(a: gp.In[gp.i32], b: gp.In[gp.i32], c: gp.In[gp.u32], signed: gp.Out[gp.i32], unsigned: gp.Out[gp.u32]):
    """Every integer operator: wrapping, floor and truncating division, shifts by any count, bits."""
    i = gp.global_id(0)
    if i >= signed.size:
        return
    x, y, z = a[i], b[i], c[i]
    quotient, remainder = x // y, x % y
    truncated = gp.div_trunc(x, y) + gp.rem(x, y)
    shifted = (x << y) ^ (x >> (y & 7))
    signed[i] = quotient * remainder - truncated + (shifted | ~x) + x // 8 + y % 8 - abs(y)
    unsigned[i] = (z // 10 + z % 10) * 2654435761 ^ (z >> 16) & gp.popcount(z) + gp.clz(z) - gp.ctz(
        z
    ) | gp.reverse_bits(z)


@gp.kernel(workgroup_size=64)
def collatz(starts: gp.In[gp.u32], steps: gp.Out[gp.i32], limit: gp.i32):
    """while, for with a step, break, continue and a conditional expression."""
    i = gp.global_id(0)
    if i < starts.size:
        value = starts[i]
        count = 0
        while True:
            if value <= 1 or count >= limit:
                break
            count += 1
            if value % 2 == 0:
                value //= 2
                continue
            value = 3 * value + 1
        bonus = 0
        for k in range(10, -1, -3):
            bonus += k if k % 2 == 0 else -1
        steps[i] = count + bonus


def classify(value, low, high):
    """A helper with several exits."""
    if value < low:
        return -1
    for k in range(3):
        if value > high * gp.f32(k + 1):
            return k
    return 7


@gp.kernel(workgroup_size=64)
def early_returns(x: gp.In[gp.f32], classes: gp.Out[gp.i32], low: gp.f32, high: gp.f32):
    """Early returns of a kernel and of a helper that it calls."""
    i = gp.global_id(0)
    if i >= x.size:
        return
    if gp.isnan(x[i]):
        classes[i] = -2
        return
    classes[i] = classify(x[i], low, high)


@gp.kernel(workgroup_size=64)
def polynomial(x: gp.In[gp.f32], y: gp.Out[gp.f32], picks: gp.In[gp.u32]):
    """A private array that becomes variables, and one that is indexed at run time and cannot."""
    i = gp.global_id(0)
    if i < x.size:
        powers = gp.private_array(gp.f32, 4)
        powers[0] = gp.f32(1)
        for k in gp.unroll(range(1, 4)):
            powers[k] = powers[k - 1] * x[i]
        total = gp.f32(0)
        for power in gp.unroll(range(4)):
            total += powers[power] * gp.static(0.5**power)
        table = gp.private_array(gp.f32, 8)
        for k in range(8):
            table[k] = total + gp.f32(k)
        y[i] = table[gp.i32(picks[i] & 7)]


@gp.kernel(workgroup_size=256)
def histogram(values: gp.In[gp.u32], bins: gp.InOut[gp.u32], extremes: gp.InOut[gp.i32]):
    """Atomics on buffers and on workgroup memory."""
    counts = gp.workgroup_array(gp.u32, 256)
    t, i = gp.local_id(0), gp.global_id(0)
    gp.atomic_store(counts, t, 0)
    gp.barrier()
    if i < values.size:
        value = gp.i32(values[i] & 255)
        gp.atomic_add(counts, value, 1)
        gp.atomic_min(extremes, 0, value)
        gp.atomic_max(extremes, 1, value)
        if gp.atomic_compare_exchange(extremes, 2, 0, value + 1) == 0:
            gp.atomic_exchange(extremes, 3, i)
    gp.barrier()
    count = gp.atomic_load(counts, t)
    if count > 0:
        gp.atomic_add(bins, t, count)


@gp.kernel(workgroup_size=64)
def particles(places: gp.InOut[gp.f32x4], speeds: gp.In[gp.f32x4], energies: gp.Out[gp.f32], seconds: gp.f32):
    """Vectors: components, swizzles, arithmetic with scalars, products."""
    i = gp.global_id(0)
    if i < places.size:
        place, speed = places[i], speeds[i]
        place = place + speed * seconds
        if place.w < gp.f32(0):
            place = gp.f32x4(place.x, place.y, place.z, 0.0)
        places[i] = gp.max(place, gp.f32x4(-1.0))
        energies[i] = gp.dot(speed, speed) * 0.5 + speed[0]


@gp.struct
class Blend:
    """Scalars that travel together."""

    weight: gp.f32
    offset: gp.i32
    invert: bool


@gp.kernel(workgroup_size=64)
def blend(x: gp.In[gp.f32], y: gp.Out[gp.f32], how: Blend, clamp: bool, order: gp.Const[int]):
    """A struct, a bool and a compile-time value by value; `if` on the last is pruned."""
    i = gp.global_id(0)
    if i < y.size:
        value = x[gp.min(i + how.offset, x.size - 1)]
        if order == 2:
            value = value * value
        elif order > 2:
            value = gp.pow(value, gp.f32(order))
        value = gp.mix(value, 1.0 - value, how.weight) if how.invert else value * how.weight
        y[i] = gp.clamp(value, 0.0, 1.0) if clamp else value


@gp.kernel(workgroup_size=64)
def convert(x: gp.In[T], bits: gp.Out[gp.u32], back: gp.Out[T], wide: gp.InOut[gp.f64], counts: gp.InOut[gp.i64]):
    """One kernel for several types; conversions that saturate; the bits of a value."""
    i = gp.global_id(0)
    if i < x.size:
        value = gp.max(x[i], T(1))
        word = gp.bitcast(gp.u32, value) ^ 0x80000000
        bits[i] = word + gp.u32(gp.f32(value) * 1.5)
        back[i] = gp.min(T(gp.i32(gp.f32(value))), gp.max_value(T))
        wide[i] += gp.f64(value)
        counts[i] += gp.i64(wide[i]) << 33


@gp.kernel(workgroup_size=64)
def mathematics(x: gp.In[gp.f32], y: gp.In[gp.f32], out: gp.Out[gp.f32], half: gp.Out[gp.f16]):
    """The functions of numbers."""
    i = gp.global_id(0)
    if i >= out.size:
        return
    a, b = x[i], y[i]
    total = (
        gp.sqrt(abs(a)) + gp.rsqrt(gp.abs(b) + 1.0) + gp.floor(a) - gp.ceil(b) + round(a) + gp.trunc(b) + gp.fract(a)
    )
    total += gp.sin(a) * gp.cos(b) + gp.tan(a) + gp.asin(gp.clamp(a, -1.0, 1.0)) + gp.acos(gp.clamp(b, -1.0, 1.0))
    total += gp.atan(a) + gp.atan2(a, b) + gp.sinh(a) + gp.cosh(b) + gp.tanh(a)
    total += gp.exp(a) + gp.exp2(b) + gp.log(abs(a) + 1.0) + gp.log2(abs(b) + 1.0) + gp.pow(abs(a), b)
    total += gp.fma(a, b, total) + gp.sign(a) + gp.step(a, b) + gp.min(a, b) * gp.max(a, b) / (b + 3.0)
    total = gp.select(gp.isnan(total) or gp.isinf(total), 0.0, total)
    out[i] = total
    half[i] = gp.f16(total)


@gp.kernel(workgroup_size=64)
def expanded(x: gp.In[gp.f32], words: gp.In[gp.u32], out: gp.Out[gp.f32, 2], bits: gp.Out[gp.u32, 2]):
    """Functions that core writes in older operations where a backend does not list them."""
    i = gp.global_id(0)
    if i < x.size:
        out[0, i] = gp.hypot(x[i], 1.0)
        out[1, i] = gp.copysign(gp.ldexp(x[i], i), gp.cbrt(x[i]))
        out[2, i] = gp.log1p(x[i]) + gp.expm1(x[i])
        bits[0, i] = gp.mul_hi(words[i], 10)
        bits[1, i] = gp.rotate_left(words[i], i)
        bits[2, i] = gp.dot4_u8_packed(words[i], words[0])
        bits[3, i] = gp.u32(gp.dot4_i8_packed(words[i], words[0]))


WEIGHTS = (0.25, 0.5, -1.5)
PLANE = np.arange(6, dtype=np.int64).reshape(2, 3)
MARKS = [True, False, True]


@gp.kernel(workgroup_size=64)
def tables(x: gp.In[gp.i32], out: gp.Out[gp.f32], wide: gp.Out[gp.i64]):
    """Constants that are indexed at run time."""
    i = gp.global_id(0)
    if i < x.size:
        out[i] = WEIGHTS[x[i] % 3] if MARKS[i % 3] else WEIGHTS[1]
        wide[i] = PLANE[i % 2, x[i] % 3]


@gp.struct
class Pixel:
    """A word."""

    r: gp.u8
    g: gp.u8
    b: gp.u8
    a: gp.i8


@gp.kernel(workgroup_size=64)
def pixels(gray: gp.In[gp.u8], image: gp.InOut[Pixel], edges: gp.Out[gp.i16]):
    """Small integers: a word that is filled, a pair of 16 bits that is, and stores to parts of words."""
    i = gp.global_id(0)
    if i < image.size:
        image[i] = Pixel(gray[i], gray[i], gp.u8(255 - gray[i]), gp.i8(-1))
        image[i].g = gp.u8(gray[i] // 2)
    if 2 * i + 1 < edges.size:
        edges[2 * i] = gp.i16(i)
        edges[2 * i + 1] = gp.i16(-i)


CASES: dict[str, tuple[gp.Kernel, dict[str, Any]]] = {
    "saxpy": (saxpy, {}),
    "transpose": (transpose, {}),
    "reduce_sum": (reduce_sum, {}),
    "integers": (integers, {}),
    "collatz": (collatz, {}),
    "early_returns": (early_returns, {}),
    "polynomial": (polynomial, {}),
    "histogram": (histogram, {}),
    "particles": (particles, {}),
    "blend_2": (blend, {"order": 2}),
    "blend_3": (blend, {"order": 3}),
    "convert_f32": (convert, {"T": gp.f32}),
    "convert_u32": (convert, {"T": gp.u32}),
    "mathematics": (mathematics, {}),
    "expanded": (expanded, {}),
    "tables": (tables, {}),
    "pixels": (pixels, {}),
}
"""File name -> the kernel and what its signature leaves open."""


def text(name: str, language: str) -> str:
    """The text of a case; of its IR for "ir"."""
    kernel, bindings = CASES[name]
    return kernel.ir(**bindings) if language == "ir" else kernel.source(language, **bindings)


@gp.kernel(workgroup_size=32)
def cooperative_product(a: gp.In[gp.f16, 2], b: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2]):
    """Cooperative matrices, which only devices have: a sum that a loop carries, scaled and stored."""
    left, right = gp.tiles(gp.f16, 1, (TILE, TILE)), gp.tiles(gp.f16, 1, (TILE, TILE))
    total = gp.matrix(gp.f32, (TILE, TILE))
    for step in range((a.shape[1] + TILE - 1) // TILE):
        gp.copy_tile(left[0], a, gp.workgroup_id(1) * TILE, step * TILE)
        gp.copy_tile(right[0], b, gp.workgroup_id(0) * TILE, step * TILE)
        gp.copy_wait()
        total += left[0] @ right[0].T
        gp.barrier(buffers=False)
    gp.store_matrix(total * 0.5, c, gp.workgroup_id(1) * TILE, gp.workgroup_id(0) * TILE)


def text_with_matrices() -> str:
    """The WGSL of `cooperative_product` for a device with cooperative matrices, which need not exist."""
    capabilities = frozenset({gp.Capability.F16, gp.Capability.SUBGROUP, gp.Capability.COOPERATIVE_MATRICES})
    limits = dataclasses.replace(UNLIMITED, min_subgroup_size=32, max_subgroup_size=32)
    target = Target(WgpuBackend(), None, capabilities, limits, "a device with cooperative matrices")
    specialisation = specialise_by_name(cooperative_product.name, cooperative_product.signature, {})
    return emit_for(target, cooperative_product.lower_for(specialisation, target)).text
