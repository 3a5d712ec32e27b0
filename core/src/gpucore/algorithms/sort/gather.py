"""Kernels that follow indices: elements gathered by a permutation, and the numbers of rows and segments."""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.calls import kernel
from gpucore.hints import In, Out, i32, u8, u16, u32, u32x2, u32x4

W = TypeVar("W", u8, u16, u32, u32x2, u32x4)
N = TypeVar("N", u8, u16, u32)


@kernel(unchecked=True)
def gather_words(source: In[W], indices: In[u32], target: Out[W], width: i32):
    """Copy rows of `width` words from their places in the source."""
    i = gp.global_id(0)
    if i < target.size:
        row = gp.div_trunc(i, width)
        target[i] = source[i32(indices[row]) * width + i - row * width]


@kernel(unchecked=True)
def number_rows(indices: In[u32], numbers: Out[N], length: i32):
    """The number of the row of each index."""
    i = gp.global_id(0)
    if i < numbers.size:
        numbers[i] = N(gp.div_trunc(i32(indices[i]), length))


@kernel(unchecked=True)
def number_segments(indices: In[u32], offsets: In[i32], numbers: Out[N]):
    """The number of the segment of each index: of the offsets up to it."""
    i = gp.global_id(0)
    if i < numbers.size:
        numbers[i] = N(segment_of(offsets, i32(indices[i])))


@kernel(unchecked=True)
def subtract_starts(indices: In[u32], places: Out[u32], length: i32):
    """Indices in an array as indices in its rows."""
    i = gp.global_id(0)
    if i < places.size:
        places[i] = indices[i] % u32(length)


def segment_of(offsets, i):
    """How many of the rising offsets are at most i."""
    low, high = 0, offsets.size
    while low < high:
        middle = low + ((high - low) >> 1)
        if offsets[middle] <= i:
            low = middle + 1
        else:
            high = middle
    return low
