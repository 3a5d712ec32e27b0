"""`gp.unique`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.algorithms.counting import nonzero
from gpucore.algorithms.scan import cumsum
from gpucore.algorithms.select import distinct_kernels as kernels
from gpucore.algorithms.sort import methods
from gpucore.algorithms.sort.given import Given, check_device, check_keys
from gpucore.algorithms.sort.moving import taken
from gpucore.array import Array, DeviceLike, empty
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.types import i32, u32


@host_only
def unique(
    x: Any, *, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    device: DeviceLike = None,
) -> Any:  # fmt: skip
    """The distinct elements of an array of any shape in ascending order, in rank 1; with options a tuple of arrays.

    As NumPy's, in the order of its results: with `return_index` the index of the first element of each value in
    `x.ravel()`; with `return_inverse` for each element the place of its value, in the shape of x; with `return_counts`
    how often each value occurs. All three are i32. -0.0 and 0.0 are one value, which is returned as 0.0, and all NaN
    are one, the last. NumPy arrays are uploaded to `device`, and the results are NumPy arrays. It waits for the number
    of values.

    Raises ArgumentError for other dtypes than `gp.sort` takes; CapabilityError if the device lacks the dtype.
    """
    wanted = return_index, return_inverse, return_counts
    for option in wanted:
        if not isinstance(option, (bool, np.bool_)):
            raise ArgumentError(f"return_index, return_inverse and return_counts are True or False, not {option!r}")
    given = Given("unique", {"x": x}, lambda name, shape, dtype: check_keys("unique", dtype), device)
    source = given.arrays["x"]
    check_device("unique", source)
    made = _unique(source, *map(bool, wanted))
    given.end()
    results = tuple(given.result(array) for array in made)
    return results if any(wanted) else results[0]


def _unique(x: Array, index: bool, inverse: bool, count: bool) -> list[Array]:
    device, n = x.device, x.size
    keys = x.reshape(-1)
    if n == 0:
        others = (each for each, wanted in ((0, index), (x.shape, inverse), (0, count)) if wanted)
        return [empty(0, x.dtype, device=device), *(empty(shape, i32, device=device) for shape in others)]
    if x.dtype in kernels.FLOATS:
        keys = empty(n, x.dtype, device=device)
        kernels.make_unify(x.dtype)(x.reshape(-1), keys, invocations=n)
    ordered = empty(n, x.dtype, device=device)
    moved = empty(n if index or inverse else 0, u32, device=device)
    if moved.size:
        methods.sort_pairs(keys, ordered, None, moved, False)
    else:
        methods.sort(keys, ordered, False)
    marks = empty(n, i32, device=device)
    kernels.make_mark(x.dtype)(ordered, marks, invocations=n)
    (starts,) = nonzero(marks)
    firsts = starts.view(u32)
    made = [taken(ordered, firsts)]
    if index:
        made.append(taken(moved, firsts).view(i32))
    if inverse:
        places = empty(n, i32, device=device)
        kernels.place_numbers(cumsum(marks), moved, places, invocations=n)
        made.append(places.reshape(x.shape))
    if count:
        counts = empty(starts.size, i32, device=device)
        kernels.count_runs(starts, counts, n, invocations=counts.size)
        made.append(counts)
    return made


__all__ = ["unique"]
