"""Arrays of rank 3 and 4, small integers, subgroups, atomics beyond i32 and u32, promises, the target."""

from __future__ import annotations

from typing import TypeVar

import gpucore as gp

S = TypeVar("S", gp.i8, gp.u8, gp.i16, gp.u16)
B = TypeVar("B", gp.i32, gp.u32, gp.f32)
L = TypeVar("L", gp.i64, gp.u64)
SIZE = 72  # not a multiple of any subgroup size above 8
MATCHED = 1, 3, 32  # bits


@gp.kernel(workgroup_size=(4, 2, 2))
def rank_3(x: gp.In[gp.i32, 3], out: gp.Out[gp.i32, 3], sizes: gp.Out[gp.i32]):
    """The axes in another order."""
    i, j, k = gp.global_id(0), gp.global_id(1), gp.global_id(2)
    if i < x.shape[2] and j < x.shape[1] and k < x.shape[0]:
        out[i, k, j] = x[k, j, i]
    if i == 0 and j == 0 and k == 0:
        sizes[0] = x.size
        sizes[1] = x.ndim


@gp.kernel(workgroup_size=16)
def rank_4(x: gp.InOut[gp.f32, 4]):
    """Goes through a private and a workgroup array of rank 3."""
    a = gp.global_id(0)
    own = gp.private_array(gp.f32, (2, 3, 2))
    shared = gp.workgroup_array(gp.f32, (16, 2, 3, 2))
    t = gp.local_id(0)
    if a < x.shape[0]:
        for b, c, d in gp.unroll(((0, 0, 0), (0, 0, 1), (0, 2, 1), (1, 1, 0))):
            own[b, c, d] = x[a, b, c, d]
            shared[t, b, c, d] = own[b, c, d] * 2.0
        x[a, 1, 2, 1] = own[0, 2, 1] + shared[t, 1, 1, 0]


@gp.kernel(workgroup_size=64)
def small(x: gp.In[S], out: gp.InOut[S], wide: gp.Out[gp.i32], delta: S):
    """Small integers: widened in arithmetic, wrapped when they are stored."""
    i = gp.global_id(0)
    if i >= x.size:
        return
    shared = gp.private_array(S, 2)
    shared[i % 2] = x[i]
    v = shared[i % 2]
    wide[i] = gp.i32(v) * 3 - gp.i32(delta)
    out[i] = S(v + v) if v > 3 else x[i]
    if i % 5 == 0:
        out[i] = S(300.75) if False else S(gp.f32(v) * 0.5)  # type: ignore[redundant-expr]  # known, on purpose
    if i % 7 == 0:
        out[i] = delta


@gp.kernel(workgroup_size=SIZE)
def scatter_small(x: gp.In[S], at: gp.In[gp.u32], out: gp.InOut[S]):
    """Adds to elements in an order of their own: neighbours are stored to from different workgroups at one time."""
    i = gp.global_id(0)
    if i < x.size and i % 3 != 1:
        out[at[i]] = S(out[at[i]] + x[i])


@gp.struct
class Pixel:
    red: gp.u8
    green: gp.u8
    blue: gp.u8


@gp.struct
class Sample:
    flag: gp.u8
    place: gp.f32x2
    level: gp.i16
    pixel: Pixel
    count: gp.i32


@gp.kernel(workgroup_size=SIZE)
def samples(x: gp.In[Sample], out: gp.InOut[Sample], pixels: gp.InOut[Pixel]):
    """Structs of 3 and 24 bytes with small fields: whole ones and fields alone are loaded and stored."""
    i = gp.global_id(0)
    if i < x.size:
        one, pixel = x[i], pixels[i]
        out[i].level = gp.i16(one.level - out[i].level)
        out[i].place.y = one.place.x
        out[i].count = one.count + gp.i32(one.flag)
        if i % 2 == 0:
            out[i].pixel = pixel
        pixels[i].green = gp.u8(pixel.green + one.pixel.blue)
        if i % 3 == 0:
            pixels[i] = one.pixel


@gp.kernel(workgroup_size=SIZE)
def subgroup_sums(x: gp.In[B], ids: gp.Out[gp.i32, 2], out: gp.Out[B, 2]):
    """Reductions and scans; `ids` records how the workgroup is divided."""
    i = gp.global_id(0)
    ids[i, 0] = gp.subgroup_size()
    ids[i, 1] = gp.subgroup_id()
    ids[i, 2] = gp.subgroup_invocation_id()
    ids[i, 3] = gp.num_subgroups()
    out[i, 0] = gp.subgroup_add(x[i])
    out[i, 1] = gp.subgroup_min(x[i])
    out[i, 2] = gp.subgroup_max(x[i])
    out[i, 3] = gp.subgroup_inclusive_add(x[i])
    out[i, 4] = gp.subgroup_exclusive_add(x[i])


@gp.kernel(workgroup_size=SIZE)
def subgroup_moves(
    x: gp.In[gp.i32],
    ids: gp.Out[gp.i32, 2],
    out: gp.Out[gp.i32, 2],
    votes: gp.Out[gp.u32, 2],
    masks: gp.Out[gp.u32x4, 2],
):
    """Shuffles from lanes that exist, votes, and masks of lanes."""
    i = gp.global_id(0)
    size, lane = gp.subgroup_size(), gp.subgroup_invocation_id()
    ids[i, 0] = size
    ids[i, 1] = gp.subgroup_id()
    ids[i, 2] = lane
    ids[i, 3] = gp.num_subgroups()
    out[i, 0] = gp.subgroup_broadcast(x[i], 0)
    out[i, 1] = gp.subgroup_shuffle(x[i], lane ^ lane)
    swapped = gp.subgroup_shuffle_xor(x[i], 1)
    out[i, 2] = swapped
    below = gp.subgroup_shuffle_up(x[i], 1)
    out[i, 3] = below if lane > 0 else 0
    above = gp.subgroup_shuffle_down(x[i], 1)
    out[i, 4] = above
    votes[i, 0] = gp.u32(gp.subgroup_any(x[i] > 40))
    votes[i, 1] = gp.u32(gp.subgroup_all(x[i] > -45))
    votes[i, 2] = gp.u32(gp.subgroup_elect())
    masks[i, 0] = gp.subgroup_ballot(x[i] > 0)
    for column, bits in gp.unroll(enumerate(MATCHED)):
        masks[i, column + 1] = gp.subgroup_match(x[i], bits)


DIGITS = 3  # of two bits each


def count(mask: gp.u32x4):
    """How many lanes a mask has."""
    return gp.popcount(mask.x) + gp.popcount(mask.y) + gp.popcount(mask.z) + gp.popcount(mask.w)


def first(mask: gp.u32x4):
    """The first lane of a mask that has one."""
    word, lane = (mask.x, 0) if mask.x else (mask.y, 32) if mask.y else (mask.z, 64) if mask.z else (mask.w, 96)
    return gp.i32(gp.ctz(word)) + lane


@gp.kernel(workgroup_size=SIZE)
def subgroup_counts(keys: gp.In[gp.u32], ids: gp.Out[gp.i32, 2], out: gp.Out[gp.u32, 2], weights: gp.Out[gp.f32]):
    """Each subgroup counts digits in a row of its own, by plain loads and stores between its barriers."""
    counts = gp.workgroup_array(gp.u32, (SIZE, 4))
    seen = gp.workgroup_array(gp.f32, SIZE)
    i, t = gp.global_id(0), gp.local_id(0)
    lane, row = gp.subgroup_invocation_id(), gp.subgroup_id()
    ids[i, 0], ids[i, 1], ids[i, 2], ids[i, 3] = gp.subgroup_size(), row, lane, gp.num_subgroups()
    for digit in gp.unroll(range(4)):
        counts[t, digit] = 0
    gp.barrier()
    for k in gp.unroll(range(DIGITS)):
        digit = gp.i32(keys[i] >> (2 * k) & 3)
        same = gp.subgroup_match(digit, 2)
        before = counts[row, digit]
        gp.subgroup_barrier(buffers=False)
        if first(same) == lane:
            counts[row, digit] = before + count(same)
        gp.subgroup_barrier()
        out[i, k] = counts[row, digit]
    seen[t] = gp.f32(keys[i] & 1023)
    gp.subgroup_barrier()
    weights[i] = seen[gp.subgroup_broadcast(t, 0)]


@gp.kernel(workgroup_size=SIZE)
def subgroups_apart(x: gp.In[gp.i32], ids: gp.Out[gp.i32, 2], out: gp.Out[gp.i32]):
    """Each subgroup takes its own way: a branch by its id, and as many steps as its values want."""
    i, lane, own = gp.global_id(0), gp.subgroup_invocation_id(), gp.subgroup_id()
    ids[i, 0], ids[i, 1], ids[i, 2], ids[i, 3] = gp.subgroup_size(), own, lane, gp.num_subgroups()
    value = x[i]
    if own % 2 == 1:
        value += gp.subgroup_broadcast(value, 0)
    steps = 0
    while gp.subgroup_max(value) > steps * 10:
        if gp.subgroup_any(value == steps):
            value += gp.subgroup_add(gp.i32(value > 0))
        steps += 1
    gp.barrier()
    out[i] = value + 1000 * steps


@gp.kernel(workgroup_size=SIZE)
def subgroup_sums_in_place(x: gp.In[gp.i32], sizes: gp.Out[gp.i32, 2], out: gp.Out[gp.i32]):
    """The sum of a workgroup from as many sums as it has subgroups, which is known when the kernel is compiled."""
    sums = gp.workgroup_array(gp.i32, gp.num_subgroups())
    i = gp.global_id(0)
    own = gp.subgroup_add(x[i])
    if gp.subgroup_elect():
        sums[gp.subgroup_id()] = own
    gp.barrier()
    total = 0
    for k in gp.unroll(range(gp.num_subgroups())):
        total += sums[k]
    out[i] = total
    lanes = gp.subgroup_size()
    sizes[i, 0], sizes[i, 1] = gp.static(SIZE // lanes), gp.num_subgroups()


@gp.kernel(workgroup_size=64)
def float_atomics(x: gp.In[gp.f32], total: gp.InOut[gp.f32], last: gp.InOut[gp.f32]):
    """Sums that are exact in any order, in a buffer and in workgroup memory."""
    shared = gp.workgroup_array(gp.f32, 2)
    t, i = gp.local_id(0), gp.global_id(0)
    if t < 2:
        gp.atomic_store(shared, t, 0.0)
    gp.barrier()
    if i < x.size:
        gp.atomic_add(shared, t % 2, x[i])
        gp.atomic_sub(total, 1, x[i])
    gp.barrier()
    if t == 0:
        gp.atomic_add(total, 0, gp.atomic_load(shared, 0) + shared[1])
        before = gp.atomic_exchange(last, gp.workgroup_id(0), 7.0)
        last[gp.workgroup_id(0) + gp.num_workgroups()] = before


@gp.kernel(workgroup_size=64)
def long_atomics(x: gp.In[L], out: gp.InOut[L]):
    """Every atomic of 64 bits whose result does not depend on the order."""
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_add(out, 0, x[i])
        gp.atomic_sub(out, 1, x[i])
        gp.atomic_min(out, 2, x[i])
        gp.atomic_max(out, 3, x[i])
        gp.atomic_and(out, 4, x[i])
        gp.atomic_or(out, 5, x[i])
        gp.atomic_xor(out, 6, x[i])
        if gp.atomic_compare_exchange(out, 7, L(5), x[i] | L(8)) == L(5):
            gp.atomic_exchange(out, 8, L(3))


@gp.kernel(workgroup_size=64)
def promised(flags: gp.InOut[gp.i32], out: gp.Out[gp.i32]):
    """A barrier under a condition that only the user knows to be uniform."""
    shared = gp.workgroup_array(gp.i32, 64)
    t = gp.local_id(0)
    shared[t] = t
    gp.barrier()
    if gp.assume_uniform(flags[gp.workgroup_id(0)]) > 0:
        mine = shared[63 - t]
        gp.barrier()
        shared[t] = mine * 10
        gp.barrier()
    out[gp.global_id(0)] = shared[(t + 1) % 64]


@gp.kernel(workgroup_size=64)
def target(out: gp.Out[gp.i32]):
    """The compiler's facts about the device; a branch that cannot be taken is removed."""
    i = gp.global_id(0)
    number = 0
    if gp.target.has(gp.Capability.F64):
        number = gp.i32(gp.f64(0.5) * 4.0)
    if gp.target.has("int64"):
        number += 10 * gp.i32(gp.i64(7) >> 1)
    if gp.target.kind == "gpu":
        number += 100
    out[i] = number
