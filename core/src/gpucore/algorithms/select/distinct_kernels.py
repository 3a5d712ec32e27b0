"""The kernels that find the distinct elements of a sorted array."""

from __future__ import annotations

import functools
import math

import gpucore.lang as gp
from gpucore.blocks.keys import to_key
from gpucore.calls import kernel
from gpucore.hints import In, Out, i32, u32
from gpucore.types import f16, f32, f64

NAN = math.nan
FLOATS = {f16: 0x7C00, f32: 0x7F800000, f64: 0x7FF0000000000000}
"""The keys of -0.0: the numbers of floats from -inf on that are below it, which are the bits of infinity."""


@functools.cache
def make_unify(element):
    """A kernel that makes equal floats the same: -0.0 becomes 0.0, and each NaN the same one."""
    negative_zero = FLOATS[element]

    @kernel(unchecked=True)
    def unify(x: In[element], out: Out[element]):
        i = gp.global_id(0)
        if i < out.size:
            value = x[i]
            if gp.isnan(value):
                value = element(NAN)
            elif to_key(value, element, False) == negative_zero:  # subnormal numbers may be equal to 0
                value = element(0)
            out[i] = value

    return unify


@functools.cache
def make_mark(element):
    """A kernel that marks the elements of a sorted array that are not the same as the one before."""

    @kernel(unchecked=True)
    def mark(x: In[element], marks: Out[i32]):
        i = gp.global_id(0)
        if i < marks.size:
            is_new = i == 0
            if i > 0:
                is_new = to_key(x[i], element, False) != to_key(x[i - 1], element, False)
            marks[i] = gp.select(is_new, 1, 0)

    return mark


@kernel(unchecked=True)
def count_runs(starts: In[i32], counts: Out[i32], size: i32):
    """The lengths of runs, of which the last one ends at `size`."""
    i = gp.global_id(0)
    if i < counts.size:
        stop = size
        if i + 1 < starts.size:
            stop = starts[i + 1]
        counts[i] = stop - starts[i]


@kernel(unchecked=True)
def place_numbers(numbers: In[i32], indices: In[u32], out: Out[i32]):
    """The number of each element's run, from 1 on in the order of a sort, less 1 and at its index."""
    i = gp.global_id(0)
    if i < numbers.size:
        out[i32(indices[i])] = numbers[i] - 1
