"""Kernels for segments: a workgroup for each, or an invocation where they are short."""

from __future__ import annotations

import functools

import gpucore.lang as gp
from gpucore.algorithms.reduce import kernels as reductions
from gpucore.algorithms.scan import kernels as scans
from gpucore.calls import kernel
from gpucore.hints import In, Out, i32, u32

SHORT = 256  # invocations of a workgroup whose invocations have a segment each


def bounds(offsets, number, size):
    """The first element of a segment and the one behind its last: in range, whatever the offsets are."""
    first = in_range(offsets[number], 0, size)
    return first, in_range(offsets[number + 1], first, size)


def in_range(offset, least, size):
    """The nearest number from `least` to `size`. An offset of u32 may be above all i32."""
    if offset.dtype is u32:
        return gp.max(i32(gp.min(offset, u32(size))), least)
    return gp.clamp(offset, least, size)


@functools.lru_cache(maxsize=128)
def make_reduce(steps, element, offset, has_initial, invocations, run):
    """A kernel that combines the elements of each segment in order. With `run` 0, an invocation combines them."""
    load, op, value = steps.load, steps.op, steps.type
    combine_range = reductions.make_range(steps, invocations, max(run, 1))

    @kernel(workgroup_size=invocations, unchecked=True)
    def reduce_segments(
        x: In[element], offsets: In[offset], out: Out[value],
        initial: value,  # type: ignore[valid-type]  # a type of the kernel
    ):  # fmt: skip
        if run > 0:
            number = gp.workgroup_id(0)
            first, stop = bounds(offsets, number, x.size)
            total = initial
            if first < stop:
                total = scans.after(op, has_initial, initial, combine_range(x, first, stop))
            if gp.local_id(0) == 0:
                out[number] = total
        else:
            number = gp.global_id(0)
            if number < out.size:
                first, stop = bounds(offsets, number, x.size)
                total = initial
                if first < stop:
                    total = scans.after(op, has_initial, initial, load(x[first]))
                for k in range(first + 1, stop):
                    total = op(total, load(x[k]))
                out[number] = total

    return reduce_segments


@functools.lru_cache(maxsize=128)
def make_scan(steps, element, offset, exclusive, has_initial, invocations, run):
    """A kernel that scans each segment. With `run` 0, an invocation does."""
    load, op, value = steps.load, steps.op, steps.type
    scan_range = scans.make_range(steps, exclusive, invocations, max(run, 1))

    @kernel(workgroup_size=invocations, unchecked=True)
    def scan_segments(
        x: In[element], offsets: In[offset], out: Out[value],
        initial: value,  # type: ignore[valid-type]  # a type of the kernel
    ):  # fmt: skip
        if run > 0:
            first, stop = bounds(offsets, gp.workgroup_id(0), x.size)
            scan_range(x, out, first, stop, initial, has_initial)
        else:
            number = gp.global_id(0)
            if number < offsets.size - 1:
                first, stop = bounds(offsets, number, x.size)
                total = initial
                for k in range(first, stop):
                    own = load(x[k])
                    if exclusive:
                        out[k] = total
                    total = scans.after(op, has_initial or k > first, total, own)
                    if not exclusive:
                        out[k] = total

    return scan_segments
