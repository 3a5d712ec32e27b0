"""Reductions and prefix sums over the invocations of a workgroup.

On a device with native subgroups, values of i32, u32 and f32 are combined by shuffles in each subgroup, and the
subgroups' values in workgroup memory. On other devices, and for other types, the invocations' values are combined in
workgroup memory, in rows: an invocation for each row, then all for the rows.

Both keep the order of the invocations, so operators need not be commutative, and both combine in an order that depends
on the size of the workgroup and of the device's subgroups alone, so floats are bit-equal from run to run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gpucore.lang as gp
from gpucore.ir import Capability
from gpucore.lang.outside import in_kernels_only
from gpucore.types import DType, f32, i8, i16, i32, u8, u16, u32

_DISTANCES = (1, 2, 4, 8, 16, 32, 64)  # between the invocations of a subgroup, which has at most 128


def add(a, b):
    """The sum."""
    return a + b


def accumulator(dtype: Any) -> Any:
    """The type in which values of a type are combined: that of `x + x`."""
    if dtype in (i8, i16):
        return i32
    if dtype in (u8, u16):
        return u32
    return dtype


def _is_shuffled(dtype):
    """Whether subgroups of the device pass values of this type."""
    return gp.target.has(Capability.SUBGROUP) and dtype in (i32, u32, f32)


def count_invocations():
    """The invocations of a workgroup."""
    return gp.workgroup_size(0) * gp.workgroup_size(1) * gp.workgroup_size(2)


def _row_width(invocations):
    """The invocations of a row: the power of two next to the square root."""
    return 1 << ((invocations - 1).bit_length() + 1) // 2


def _counted(count):
    """The number of invocations whose values count: the first ones."""
    return count_invocations() if count is None else count


def _lanes(count):
    """The number of invocations in the own subgroup whose values count."""
    size = gp.subgroup_size()
    return gp.min(size, _counted(count) - gp.subgroup_id() * size)


def _parts(count):
    """The number of subgroups with values that count."""
    return gp.num_subgroups() if count is None else gp.div_trunc(count + gp.subgroup_size() - 1, gp.subgroup_size())


def _reduce_subgroup(op, x, count):
    """The values of a subgroup combined, in its first invocation."""
    if x.dtype is not f32 and count is None:
        if op is add:
            return gp.subgroup_add(x)
        if op is gp.min:
            return gp.subgroup_min(x)
        if op is gp.max:
            return gp.subgroup_max(x)
    lane, lanes = gp.subgroup_invocation_id(), _lanes(count)
    for distance in gp.unroll(_DISTANCES):
        if distance < gp.subgroup_size():
            other = gp.subgroup_shuffle_down(x, distance)
            if lane + distance < lanes:
                x = op(x, other)
    return x


def _scan_subgroup(op, x):
    """The values of a subgroup up to the own one, combined."""
    if op is add and x.dtype is not f32:
        return gp.subgroup_inclusive_add(x)
    lane = gp.subgroup_invocation_id()
    for distance in gp.unroll(_DISTANCES):
        if distance < gp.subgroup_size():
            other = gp.subgroup_shuffle_up(x, distance)
            if lane >= distance:
                x = op(other, x)
    return x


def _fold(op, parts, count):
    """The first `count` elements, at least one, combined."""
    total = parts[0]
    for k in range(1, count):
        total = op(total, parts[k])
    return total


def _fold_before(op, parts, count, place):
    """The elements before `place`, combined (the first one for 0), and all."""
    total = parts[0]
    before = total
    for k in range(1, count):
        if k == place:
            before = total
        total = op(total, parts[k])
    return before, total


def _store_rows(op, values, parts, count, keeps):
    """The values of each row combined, in `parts`; with `keeps`, each value becomes that of its row up to it. Returns
    the number of rows with values that count."""
    invocations = values.size
    width = gp.static(_row_width(invocations))
    t = gp.local_index()
    if t * width < _counted(count):
        start = t * width
        total = values[start]
        for k in range(start + 1, gp.min(start + width, _counted(count))):
            total = op(total, values[k])
            if keeps:
                values[k] = total
        parts[t] = total
    gp.barrier()
    return parts.size if count is None else gp.div_trunc(count + width - 1, width)


def reduce(op, x, count):
    """The values of the first `count` invocations (None: of all) combined, in all of them."""
    dtype, invocations = accumulator(x.dtype), count_invocations()
    value = _as(dtype, x)
    if invocations == 1:
        return value
    if _is_shuffled(dtype):
        parts = gp.workgroup_array(dtype, invocations)
        own = _reduce_subgroup(op, value, count)
        if gp.subgroup_invocation_id() == 0:
            parts[gp.subgroup_id()] = own
        gp.barrier()
        total = _fold(op, parts, _parts(count))
    else:
        values = gp.workgroup_array(dtype, invocations)
        sums = gp.workgroup_array(dtype, gp.static(-(-invocations // _row_width(invocations))))
        values[gp.local_index()] = value
        gp.barrier()
        rows = _store_rows(op, values, sums, count, False)
        total = _fold(op, sums, rows)
    gp.barrier()
    return _uniform(total)


def _after(op, ahead, is_ahead, own, is_first, initial, exclusive):
    """What a part of the workgroup, a subgroup or a row, has up to an invocation, after what is ahead of the part.

    `ahead` counts if `is_ahead`; in an exclusive scan `own` counts unless the invocation is the first of its part.
    """
    if initial is not None:
        ahead = op(initial, ahead) if is_ahead else initial
    after = op(ahead, own) if initial is not None or is_ahead else own
    return (ahead if is_first else after) if exclusive else after


def _scan_in_subgroups(op, value, initial, exclusive, count):
    """As `scan`, by shuffles."""
    sums = gp.workgroup_array(value.dtype, count_invocations())
    lane, group = gp.subgroup_invocation_id(), gp.subgroup_id()
    own = _scan_subgroup(op, value)
    if lane == _lanes(count) - 1:
        sums[group] = own
    if exclusive:
        own = gp.subgroup_shuffle_up(own, 1)
    gp.barrier()
    ahead, total = _fold_before(op, sums, _parts(count), group)
    return _after(op, ahead, group > 0, own, lane == 0, initial, exclusive), total


def _scan_in_memory(op, value, initial, exclusive, count):
    """As `scan`, in workgroup memory."""
    invocations = count_invocations()
    width = gp.static(_row_width(invocations))
    values = gp.workgroup_array(value.dtype, invocations)
    sums = gp.workgroup_array(value.dtype, gp.static(-(-invocations // width)))
    t = gp.local_index()
    values[t] = value
    gp.barrier()
    rows = _store_rows(op, values, sums, count, True)
    row = gp.div_trunc(t, width)
    ahead, total = _fold_before(op, sums, rows, row)
    own = values[gp.max(t - 1, 0)] if exclusive else values[t]
    return _after(op, ahead, row > 0, own, t == row * width, initial, exclusive), total


def scan(op, x, initial, exclusive, count):
    """The values of the invocations up to the own one combined, or before it, after `initial`; and those of all.

    Only the first `count` invocations (None: all) have values, and results. Without `initial`, the first invocation of
    an exclusive scan gets some value.
    """
    value = _as(accumulator(x.dtype), x)
    if count_invocations() == 1:
        own = value if initial is None else op(initial, value)
        return (value if initial is None else initial) if exclusive else own, value
    result, total = (
        _scan_in_subgroups(op, value, initial, exclusive, count)
        if _is_shuffled(value.dtype)
        else _scan_in_memory(op, value, initial, exclusive, count)
    )
    gp.barrier()
    return result, _uniform(total)


def _is_struct(dtype):
    return gp.static(not isinstance(dtype, DType))


def _as(dtype, x):
    """A number as one of a type; a struct as it is."""
    return x if _is_struct(dtype) else dtype(x)


def _uniform(x):
    """A value that is the same in all invocations: a barrier may depend on it, unless it is a struct."""
    return x if _is_struct(x.dtype) else gp.assume_uniform(x)


def _public_scan(op, x, initial, exclusive, with_total, count):
    assert initial is not None or not exclusive, "an exclusive scan needs initial=..., which the first invocation gets"
    result, total = scan(op, x, initial, exclusive, count)
    return (result, total) if with_total else result


@in_kernels_only
def workgroup_reduce(op: Callable[[Any, Any], Any], x: Any, count: int | None = None) -> Any:
    """The values x of a workgroup combined by a helper: `op(op(x0, x1), x2)` and so on, in all invocations.

    x is a number, a vector or a struct, and `op` gives one of its type; of small integers, i32 or u32. `op` must be
    associative: how the values are grouped depends on the device. It need not be commutative: their order is that of
    `gp.local_index()`. With `count`, from 1 on and the same in all invocations, only the first `count` have values. All
    invocations of the workgroup must reach it.
    """
    return reduce(op, x, count)


@in_kernels_only
def workgroup_scan(
    op: Callable[[Any, Any], Any],
    x: Any,
    exclusive: bool = False,
    initial: Any = None,
    with_total: bool = False,
    count: int | None = None,
) -> Any:
    """The values x of the invocations up to this one combined by a helper, in the order of `gp.local_index()`.

    `op` and x are as for `gp.workgroup_reduce`. With `exclusive`, the own value is left out, and the first invocation
    gets `initial`, which must be given. `initial` comes before all values. With `with_total`, the result is a tuple of
    it and of all values combined, without `initial`. `exclusive` and `with_total` are known at compile time. With
    `count`, only the first invocations have values and results. All invocations of the workgroup must reach it.
    """
    return _public_scan(op, x, initial, exclusive, with_total, count)


@in_kernels_only
def workgroup_sum(x: Any, /) -> Any:
    """The sum of x over the workgroup, the same in all its invocations.

    x is a number or a vector; of i8 and i16 the sum is i32, of u8 and u16 u32. Integers wrap. Floats are added in an
    order that is the same in every run on a device. All invocations of the workgroup must reach it.
    """
    return reduce(add, x, None)


@in_kernels_only
def workgroup_min(x: Any, /) -> Any:
    """The minimum of x over the workgroup, as `gp.min` finds it, in all invocations. All must reach it."""
    return reduce(gp.min, x, None)


@in_kernels_only
def workgroup_max(x: Any, /) -> Any:
    """The maximum of x over the workgroup, as `gp.max` finds it, in all invocations. All must reach it."""
    return reduce(gp.max, x, None)


@in_kernels_only
def workgroup_inclusive_add(x: Any, with_total: bool = False) -> Any:
    """The sum of x over the invocations up to this one, in the order of `gp.local_index()`, as `gp.workgroup_sum` adds.

    With `with_total`, which is known at compile time, a tuple of it and of the sum over the workgroup. All invocations
    of the workgroup must reach it.
    """
    return _public_scan(add, x, None, False, with_total, None)


@in_kernels_only
def workgroup_exclusive_add(x: Any, with_total: bool = False) -> Any:
    """The sum of x over the invocations before this one: 0 in the first. Else as `gp.workgroup_inclusive_add`."""
    return _public_scan(add, x, 0, True, with_total, None)
