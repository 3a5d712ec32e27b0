"""Kernels under debug that do something wrong, or print, and a way to run them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import gpucore as gp

Host = npt.NDArray[np.generic]


@gp.kernel(workgroup_size=8, debug=True)
def read_at(x: gp.In[gp.f32], out: gp.Out[gp.f32], offset: gp.i32):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = x[i + offset]


@gp.kernel(workgroup_size=8, debug=True)
def write_unsigned(out: gp.InOut[gp.i32], index: gp.u32):
    out[index] = 7


@gp.kernel(workgroup_size=8, debug=True)
def count_at(counts: gp.InOut[gp.u32], old: gp.InOut[gp.u32], index: gp.i32):
    i = gp.global_id(0)
    old[i] = gp.atomic_add(counts, index, gp.u32(1))


@gp.kernel(workgroup_size=8, debug=True)
def turn(x: gp.InOut[gp.i32x3], place: gp.i32):
    v = x[gp.global_id(0)]
    v[place] = -v[0]
    x[gp.global_id(0)] = v


@gp.kernel(workgroup_size=8, debug=True)
def move_pairs(x: gp.In[gp.f32], out: gp.InOut[gp.f32], shift: gp.i32):
    i = 2 * gp.global_id(0)
    gp.vstore(out, i, gp.vload(x, i + shift, 2))


@gp.kernel(workgroup_size=8, debug=True)
def step_by(out: gp.InOut[gp.i32], step: gp.i32):
    i = gp.global_id(0)
    for k in range(i, out.size, step + i // 4):
        out[k] += 1


@gp.kernel(workgroup_size=(4, 4), debug=True)
def write_plane(out: gp.InOut[gp.i32, 2], down: gp.i32, right: gp.i32):
    i, j = gp.global_id(1), gp.global_id(0)
    out[i + down, j + right] = 1


@gp.kernel(workgroup_size=8, debug=True)
def read_shared(out: gp.Out[gp.i32], shift: gp.i32):
    tile = gp.workgroup_array(gp.i32, 8)
    mine = gp.private_array(gp.i32, 4)
    i = gp.local_id(0)
    tile[i] = i
    gp.barrier()
    mine[i % 4] = tile[i + shift]
    gp.barrier()
    out[gp.global_id(0)] = mine[i % 4]


def taken(x, index):
    """Called by a kernel."""
    return x[index * 2]


@gp.kernel(workgroup_size=8, debug=True)
def read_in_helper(x: gp.In[gp.i32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i % 2 == 1:
        out[i] = taken(x, i)
    else:
        out[i] = -1


@gp.kernel(workgroup_size=8, debug=True)
def read_in_loop(x: gp.In[gp.i32], sums: gp.Out[gp.i32], count: gp.i32):
    i = gp.global_id(0)
    total = 0
    for k in range(count):
        total += x[i + k]
    sums[i] = total


@gp.kernel(workgroup_size=8, debug=True)
def uniform_read(x: gp.In[gp.i32], out: gp.Out[gp.i32]):
    """A barrier behind a value read at a uniform index: legal with debug as without."""
    tile = gp.workgroup_array(gp.i32, 8)
    i = gp.local_id(0)
    tile[i] = i
    if x[gp.workgroup_id(0)] > 0:
        gp.barrier()
    out[gp.global_id(0)] = tile[7 - i]


@gp.kernel(workgroup_size=8, debug=True)
def assert_below(out: gp.Out[gp.i32], limit: gp.i32):
    i = gp.global_id(0)
    assert i < limit, "an id beyond the limit"
    out[i] = i


@gp.kernel(workgroup_size=8, debug=True)
def assert_bare(out: gp.Out[gp.i32], limit: gp.i32):
    i = gp.global_id(0)
    out[i] = i
    if i % 2 == 1:
        assert i < limit


@gp.kernel(workgroup_size=4, debug="ordered")
def print_all(out: gp.Out[gp.i32], a: gp.u32, b: gp.bool, c: gp.f32):
    i = gp.global_id(0)
    v = gp.f32x4(gp.f32(i), 0.5, 0.1, c)
    print("first", i, a, b, c, v, gp.i32x2(i, -i))
    out[i] = i
    if i % 2 == 0:
        print("even", i % 4 == 0)


@gp.kernel(workgroup_size=4, debug="ordered")
def print_wide(x: gp.In[gp.f64], y: gp.In[gp.i64], z: gp.In[gp.u64], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    out[i] = i
    print(x[i], y[i], z[i])


@gp.kernel(workgroup_size=4, debug="ordered")
def print_half(x: gp.In[gp.f16], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    out[i] = i
    print("half", x[i])


@gp.kernel(workgroup_size=64, debug=True)
def print_many(out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    out[i] = i
    print(i)


@gp.kernel(workgroup_size=64, debug=True)
def print_and_fail(out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    out[i] = i
    print(i)
    assert i != 100, "one hundred"


def moved(device: gp.Device, *values: object) -> list[object]:
    """The arrays among the arguments, on the device."""
    return [gp.asarray(value, device=device) if isinstance(value, np.ndarray) else value for value in values]


def line_of(function: gp.Kernel, snippet: str) -> int:
    """The line of this file that is `snippet`, in a kernel or helper."""
    first = function.__wrapped__.__code__.co_firstlineno if isinstance(function, gp.Kernel) else 0
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return next(number for number in range(max(1, first), len(lines) + 1) if lines[number - 1].strip() == snippet)


@gp.kernel(workgroup_size=1, debug="ordered")
def print_formatted(y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    print(f"y[{i}]={y[i]}, twice {2 * y[i]}!", "end")


@gp.kernel(workgroup_size=4, debug=True)
def first_negative(x: gp.In[gp.f32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        j = i
        while x[j] >= 0.0:
            j += 1
        out[i] = j


def place_below_zero(x, j):
    while True:
        here = x[j]
        if here < 0.0:
            return j
        j += 1


@gp.kernel(workgroup_size=4, debug=True)
def place_from_each(x: gp.In[gp.f32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    out[i] = place_below_zero(x, i)
