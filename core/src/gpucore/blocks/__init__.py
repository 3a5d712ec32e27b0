"""Workgroup-level building blocks for kernels: reductions, prefix sums, ranks of digits, and sorts.

They are helpers in the kernel language, of `reductions`, `ranks` and `sorting`. All invocations of the workgroup must
reach a call. It ends with a barrier, so it may stand in a loop, and its arrays in workgroup memory are its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.blocks import ranks, reductions, sorting
from gpucore.blocks.public import public


@public(reductions.workgroup_sum)
def workgroup_sum(x: Any, /) -> Any:
    """The sum of x over the workgroup, the same in all its invocations.

    x is a number or a vector; of i8 and i16 the sum is i32, of u8 and u16 u32. Integers wrap. Floats are added in an
    order that is the same in every run on a device. All invocations of the workgroup must reach it.
    """


@public(reductions.workgroup_min)
def workgroup_min(x: Any, /) -> Any:
    """The minimum of x over the workgroup, as `gp.min` finds it, in all invocations. All must reach it."""


@public(reductions.workgroup_max)
def workgroup_max(x: Any, /) -> Any:
    """The maximum of x over the workgroup, as `gp.max` finds it, in all invocations. All must reach it."""


@public(reductions.workgroup_reduce)
def workgroup_reduce(op: Callable[[Any, Any], Any], x: Any, count: int | None = None) -> Any:
    """The values x of a workgroup combined by a helper: `op(op(x0, x1), x2)` and so on, in all invocations.

    x is a number, a vector or a struct, and `op` gives one of its type; of small integers, i32 or u32. `op` must be
    associative: how the values are grouped depends on the device. It need not be commutative: their order is that of
    `gp.local_index()`. With `count`, from 1 on and the same in all invocations, only the first `count` have values. All
    invocations of the workgroup must reach it.
    """


@public(reductions.workgroup_scan)
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


@public(reductions.workgroup_inclusive_add)
def workgroup_inclusive_add(x: Any, with_total: bool = False) -> Any:
    """The sum of x over the invocations up to this one, in the order of `gp.local_index()`, as `gp.workgroup_sum` adds.

    With `with_total`, which is known at compile time, a tuple of it and of the sum over the workgroup. All invocations
    of the workgroup must reach it.
    """


@public(reductions.workgroup_exclusive_add)
def workgroup_exclusive_add(x: Any, with_total: bool = False) -> Any:
    """The sum of x over the invocations before this one: 0 in the first. Else as `gp.workgroup_inclusive_add`."""


@public(ranks.workgroup_radix_rank)
def workgroup_radix_rank(digits: Any, bits: int, with_starts: bool = False) -> Any:
    """The place of each digit of the workgroup, i32, when all are sorted stably: by the lowest `bits` bits alone.

    Each invocation gives an i32, u32, bool or small integer, and gets its place; or a private array of K of them, and
    gets a private array. In the order of the workgroup the K digits of an invocation follow each other, those of
    `gp.local_index()` 0 first (a blocked arrangement). Equal digits keep this order. `bits` is from 1 to 8.

    With `with_starts`, the result is a tuple of the places and of a workgroup array of 2**bits + 1 i32: element d is
    the number of digits below d, the last one that of all. `bits` and `with_starts` are known at compile time. All
    invocations of the workgroup must reach it.

    Sources: D. Merrill and A. Grimshaw, "High performance and scalable radix sorting" (2011); A. Adinets and D.
    Merrill, "Onesweep: a faster least significant digit radix sort for GPUs" (2022); N. Satish, M. Harris and M.
    Garland, "Designing efficient sorting algorithms for manycore GPUs" (2009).
    """


@public(sorting.workgroup_sort)
def workgroup_sort(keys: Any, values: Any = None, descending: bool = False, count: int | None = None) -> Any:
    """Sort what the invocations of a workgroup hold, stably, in the order of `gp.sort`.

    Each invocation gives one key, and gets the key whose place is its `gp.local_index()`. With a value, the result is
    a tuple of the key and of its value. Or it gives a private array of K keys, which are sorted in place, and the
    private array `values` with them: nothing is returned. Key k of an invocation has the place
    `gp.local_index() * K + k`, before and after (a blocked arrangement).

    Keys are of any dtype that `gp.sort` takes; floats are sorted totally, NaN last. Values are numbers, vectors or
    structs. `descending`, known at compile time, gives the reverse order, in which equal keys keep theirs, too. With
    `count`, the same in all invocations, only the keys of the first `count` places are sorted; what the others hold
    afterwards is undefined. All invocations of the workgroup must reach it.

    Sources: those of `gp.workgroup_radix_rank`; O. Green, R. McColl and D. Bader, "GPU merge path: a GPU merging
    algorithm" (2012).
    """
