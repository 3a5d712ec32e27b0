"""The kernels that compute quantiles from the elements next to them."""

from __future__ import annotations

import functools

import gpucore.lang as gp
from gpucore.algorithms.counting.kernels import distance
from gpucore.blocks.rounding import rounded
from gpucore.calls import kernel
from gpucore.hints import In, Out, f16, f32, f64, i32, u32

FLOATS = f16, f32, f64


def between(base, low, high, weight, zero):
    """`base` + (`high` - `low`) * `weight`. Each step is rounded to the type of the result."""
    if low.dtype is f64:
        return base + rounded((high - low) * weight, zero)
    if low.dtype is f16:
        step = f16(f32(f16(f32(high) - f32(low))) * f32(weight))
        return f16(f32(base) + f32(step))
    return f32(base) + rounded(distance(high, low) * weight, zero)


def middle(low, high):
    """The mean of two elements."""
    if low.dtype is f64:
        return (low + high) * 0.5
    if low.dtype is f16:
        return f16((f32(low) + f32(high)) * 0.5)
    return (f32(low) + f32(high)) * 0.5


@functools.cache
def make_interpolate(element, result, is_mean):
    """A kernel that computes quantiles; with `is_mean`, those in the middle of two elements. `zero` is that of
    `rounded`."""
    is_float = element in FLOATS

    @kernel(unchecked=True)
    def interpolate(
        values: In[element], greatest: In[element], places: In[i32], weights: In[result], out: Out[result], zero: u32
    ):  # fmt: skip
        """`places` has three places in `values` for each quantile: of the elements next to it, and where it begins. If
        the greatest element is NaN, so are the quantiles."""
        i = gp.global_id(0)
        if i < out.size:
            low, high = values[places[3 * i]], values[places[3 * i + 1]]
            if is_float and gp.isnan(greatest[0]):
                out[i] = greatest[0]
            elif low == high:  # infinities, too
                out[i] = result(low)
            elif is_mean:
                out[i] = middle(low, high)
            else:
                out[i] = between(values[places[3 * i + 2]], low, high, weights[i], zero)

    return interpolate


@functools.cache
def make_pick(element):
    """A kernel that picks elements; NaN if the greatest element is."""

    @kernel(unchecked=True)
    def pick(values: In[element], greatest: In[element], places: In[i32], out: Out[element]):
        i = gp.global_id(0)
        if i < out.size:
            out[i] = values[places[3 * i]]
            if element in FLOATS and gp.isnan(greatest[0]):
                out[i] = greatest[0]

    return pick
