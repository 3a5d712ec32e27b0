"""The kernels of scans along the middle axis of an array of shape (outer, length, inner), which may be in chunks.

`before` has what is ahead of the end of each chunk, from the start of its row or column, `initial` included; a scan in
one chunk does not read it. In `serial` an invocation scans a chunk of a column; in `tiles` a workgroup scans a chunk of
a row, inner = 1: each invocation a run of consecutive elements, which pass through workgroup memory so that loads and
stores of neighbours are neighbours. In `sums`, for CPUs, a subgroup adds up a chunk of a row.
"""

from __future__ import annotations

import functools

import gpucore.lang as gp
from gpucore.blocks import reductions
from gpucore.blocks.columns import pad, padded
from gpucore.calls import kernel
from gpucore.hints import In, Out, i32


def after(op, has, ahead, x):
    """x, after what is ahead of it if there is something."""
    return op(ahead, x) if has else x


@functools.lru_cache(maxsize=256)
def make_serial(steps, element, result, exclusive, has_initial, invocations):
    """A kernel of which each invocation scans a chunk of a column."""
    load, op, finish, value = steps.load, steps.op, steps.finish, steps.type

    @kernel(workgroup_size=invocations, unchecked=True)
    def serial(
        x: In[element], before: In[value], out: Out[result], length: i32, inner: i32, chunk: i32, chunks: i32,
        count: i32, initial: value,  # type: ignore[valid-type]  # a type of the kernel
    ):  # fmt: skip
        """`count` columns or parts of them; the length of the arrays is that of all."""
        i = gp.global_id(0)
        if i < count:
            rest = gp.div_trunc(i, inner)
            row = gp.div_trunc(rest, chunks)
            number, column = rest - row * chunks, i - rest * inner
            first = number * chunk
            stop = row * length + first + gp.min(chunk, length - first)
            at = (row * length + first) * inner + column
            total = load(x[at])
            ahead = initial
            if number > 0:
                ahead = before[(rest - 1) * inner + column]
            if exclusive:
                out[at] = finish(ahead, 1)
            if has_initial or number > 0:
                total = op(ahead, total)
            if not exclusive:
                out[at] = finish(total, 1)
            for k in range(row * length + first + 1, stop):
                at = k * inner + column
                if exclusive:
                    own = load(x[at])
                    out[at] = finish(total, 1)
                    total = op(total, own)
                else:
                    total = op(total, load(x[at]))
                    out[at] = finish(total, 1)

    return serial


@functools.lru_cache(maxsize=256)
def make_sums(steps, element, result, exclusive, has_initial, lanes, count):
    """A kernel of which each workgroup, one subgroup, adds up a chunk of a row, `count` vectors at a time."""
    load, finish, value = steps.load, steps.finish, steps.type
    step = lanes * count
    nothing = -0.0 if value.dtype.kind == "f" else 0  # changes no sum, not even -0.0

    def scanned(x):
        """The sums up to each lane, and that of all."""
        if exclusive:
            before = gp.subgroup_exclusive_add(x)
            return before, gp.subgroup_broadcast(before + x, lanes - 1)
        sums = gp.subgroup_inclusive_add(x)
        return sums, gp.subgroup_broadcast(sums, lanes - 1)

    @kernel(workgroup_size=lanes, unchecked=True)
    def sums(
        x: In[element], before: In[value], out: Out[result], length: i32, chunk: i32, chunks: i32,
        initial: value,  # type: ignore[valid-type]  # a type of the kernel
    ):  # fmt: skip
        g, lane = gp.workgroup_id(0), gp.subgroup_invocation_id()
        row = gp.div_trunc(g, chunks)
        number = g - row * chunks
        first = row * length + number * chunk
        stop = first + gp.min(chunk, length - number * chunk)
        carry = initial if has_initial else value(nothing)
        if number > 0:
            carry = before[g - 1]
        own, totals = gp.private_array(value, count), gp.private_array(value, count)
        whole = stop - (stop - first) % step
        for base in range(first, whole, step):
            for k in gp.unroll(range(count)):
                own[k], totals[k] = scanned(load(x[base + lane + k * lanes]))
            for k in gp.unroll(range(count)):
                out[base + lane + k * lanes] = finish(carry + own[k], 1)
                carry += totals[k]
        for base in range(whole, stop, lanes):
            last = value(nothing)
            if stop - base > lane:
                last = load(x[base + lane])
            last, total = scanned(last)
            if stop - base > lane:
                out[base + lane] = finish(carry + last, 1)
            carry += total

    return sums


@functools.lru_cache(maxsize=256)
def make_tiles(steps, element, result, exclusive, has_initial, invocations, run):
    """A kernel of which each workgroup scans a chunk of a row."""
    value = steps.type
    scan_range = make_range(steps, exclusive, invocations, run)

    @kernel(workgroup_size=invocations, unchecked=True)
    def tiles(
        x: In[element], before: In[value], out: Out[result], length: i32, chunk: i32, chunks: i32,
        initial: value,  # type: ignore[valid-type]  # a type of the kernel
    ):  # fmt: skip
        g = gp.workgroup_id(0)
        row = gp.div_trunc(g, chunks)
        number = g - row * chunks
        first = row * length + number * chunk
        carry = initial
        if number > 0:
            carry = before[g - 1]
        has = has_initial or number > 0
        scan_range(x, out, first, first + gp.min(chunk, length - number * chunk), carry, has)

    return tiles


@functools.lru_cache(maxsize=256)
def make_range(steps, exclusive, invocations, run):
    """A helper with which a workgroup scans a range of elements, after a value if there is one."""
    load, op, finish, value = steps.load, steps.op, steps.finish, steps.type
    whole = invocations * run

    def scan_range(x, out, first, stop, carry, has_carry):
        tile = gp.workgroup_array(value, padded(whole))
        values = gp.private_array(value, run)
        t = gp.local_id(0)
        for base in range(first, stop, whole):
            size = gp.min(whole, stop - base)
            for k in gp.unroll(range(run)):
                if t + k * invocations < size:
                    tile[pad(t + k * invocations)] = load(x[base + t + k * invocations])
            gp.barrier()
            begin = t * run
            own = tile[pad(gp.min(begin, size - 1))]
            values[0] = own
            for k in gp.unroll(range(1, run)):
                if begin + k < size:
                    own = op(own, tile[pad(begin + k)])
                values[k] = own
            previous, total = reductions.scan(op, own, None, True, gp.div_trunc(size + run - 1, run))
            has = has_carry or base > first
            ahead = carry if t == 0 else after(op, has, carry, previous)
            carry = after(op, has, carry, total)
            for k in gp.unroll(range(run)):
                if begin + k < size:
                    if exclusive:
                        own = ahead if k == 0 else op(ahead, values[k - 1 if k > 0 else 0])
                    else:
                        own = after(op, has or t > 0, ahead, values[k])
                    tile[pad(begin + k)] = own
            gp.barrier()
            for k in gp.unroll(range(run)):
                if t + k * invocations < size:
                    out[base + t + k * invocations] = finish(tile[pad(t + k * invocations)], 1)
            gp.barrier()

    return scan_range
