"""Kernels on sorted arrays: the places of values among them, by binary search."""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.blocks.keys import to_key
from gpucore.calls import kernel
from gpucore.hints import Const, In, Out, i32

T = TypeVar("T")


def count_before(keys, key, or_same):
    """How many elements of a sorted array are less than a key, or the same."""
    low, high = 0, keys.size
    while low < high:
        middle = low + ((high - low) >> 1)
        other = to_key(keys[middle], keys.dtype, False)
        is_before = other <= key if or_same else other < key
        if is_before:
            low = middle + 1
        else:
            high = middle
    return low


@kernel(unchecked=True)
def find_places(keys: In[T], values: In[T], places: Out[i32], or_same: Const[bool]):
    """The place of each value among sorted keys: before those that are the same, or after them."""
    i = gp.global_id(0)
    if i < values.size:
        places[i] = count_before(keys, to_key(values[i], values.dtype, False), or_same)


@kernel(unchecked=True)
def merge_arrays(a: In[T], b: In[T], target: Out[T]):
    """Merge two sorted arrays: an element's place is its own plus the number of the other's elements before it."""
    i = gp.global_id(0)
    if i < a.size:
        target[i + count_before(b, to_key(a[i], a.dtype, False), False)] = a[i]
    elif i < target.size:
        j = i - a.size
        target[j + count_before(a, to_key(b[j], b.dtype, False), True)] = b[j]
