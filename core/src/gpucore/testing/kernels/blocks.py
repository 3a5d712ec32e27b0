"""Blocks of a workgroup: combined values, ranks and sorts."""

from __future__ import annotations

import gpucore as gp

SIZE = 48
OWN = 3  # digits, or keys of f32, of an invocation
BYTES = 6  # keys of u8 of an invocation: of so many, subgroups count the digits
BITS = 6
BINS = 1 << BITS
ROUNDS = 2


def last_odd(a, b):
    """b, unless only a is odd. Associative, not commutative."""
    return a if a % 2 == 1 and b % 2 == 0 else b


@gp.kernel(workgroup_size=SIZE)
def combined(x: gp.In[gp.i32], out: gp.Out[gp.i32, 2]):
    """A sum and a scan in a loop, and a reduction of some."""
    i = gp.global_id(0)
    before, total = 0, 0
    for k in range(ROUNDS):
        before += gp.workgroup_exclusive_add(x[i] + k)
        total += gp.workgroup_sum(x[i] * k)
    out[0, i], out[1, i] = before, total
    out[2, i] = gp.workgroup_scan(last_odd, x[i], initial=7)
    out[3, i] = gp.workgroup_reduce(last_odd, x[i], count=SIZE // 2 + 1)


@gp.kernel(workgroup_size=SIZE)
def ranks(x: gp.In[gp.u32], out: gp.Out[gp.i32, 2], starts: gp.Out[gp.i32, 2], alone: gp.Out[gp.i32]):
    """The ranks of several digits, in a loop, and of one."""
    t, group, i = gp.local_id(0), gp.workgroup_id(0), gp.global_id(0)
    digits = gp.private_array(gp.u32, OWN)
    for number in range(ROUNDS):
        for k in gp.unroll(range(OWN)):
            digits[k] = x[i * OWN + k] >> number
        own, of_digits = gp.workgroup_radix_rank(digits, BITS, with_starts=True)
        for k in gp.unroll(range(OWN)):
            out[number, i * OWN + k] = own[k]
        for d in range(t, BINS + 1, SIZE):
            starts[number, group * (BINS + 1) + d] = of_digits[d]
    alone[i] = gp.workgroup_radix_rank(x[i], 2)


@gp.kernel(workgroup_size=SIZE)
def sorts(x: gp.In[gp.f32], keys: gp.Out[gp.f32], places: gp.Out[gp.i32], count: gp.i32):
    """Keys of f32 in descending order, with their places."""
    first = gp.global_id(0) * OWN
    own, moved = gp.private_array(gp.f32, OWN), gp.private_array(gp.i32, OWN)
    for k in gp.unroll(range(OWN)):
        own[k], moved[k] = x[first + k], gp.local_id(0) * OWN + k
    gp.workgroup_sort(own, moved, descending=True, count=count)
    for k in gp.unroll(range(OWN)):
        keys[first + k], places[first + k] = own[k], moved[k]


@gp.kernel(workgroup_size=SIZE)
def sorts_bytes(x: gp.In[gp.u8], keys: gp.Out[gp.u8]):
    """Keys of u8 in ascending order."""
    first = gp.global_id(0) * BYTES
    own = gp.private_array(gp.u8, BYTES)
    for k in gp.unroll(range(BYTES)):
        own[k] = x[first + k]
    gp.workgroup_sort(own)
    for k in gp.unroll(range(BYTES)):
        keys[first + k] = own[k]
