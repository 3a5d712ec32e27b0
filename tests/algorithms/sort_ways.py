"""The methods of gp.sort, called by name with shapes of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.algorithms.shapes import SHAPES, SortShape
from gpucore.algorithms.sort import methods


@contextmanager
def reshaped(device: gp.Device, part: str, **changes: Any) -> Iterator[Any]:
    """The table has another shape for one part of the algorithms on a device, for all threads. With no changes it is
    not touched: threads may sort at a time, and what was recorded for the shape itself is replayed."""
    before = SHAPES[device.kind]
    if not changes:
        yield getattr(before, part)
        return
    shape = dataclasses.replace(getattr(before, part), **changes)
    SHAPES[device.kind] = dataclasses.replace(before, **{part: shape})
    try:
        yield shape
    finally:
        SHAPES[device.kind] = before


@contextmanager
def shaped(device: gp.Device, **changes: Any) -> Iterator[SortShape]:
    """The table has another shape for sorts on a device."""
    with reshaped(device, "sort", **changes) as shape:
        yield shape


def sort_by(method: str, x: gp.Array, descending: bool = False, **changes: Any) -> gp.Array:
    """The array sorted by one method, with changes of the shape."""
    target = gp.empty_like(x)
    with shaped(x.device, **changes):
        methods.METHODS[method].sort(x, target, descending)
    return target


def argsort_by(method: str, x: gp.Array, descending: bool = False, **changes: Any) -> gp.Array:
    """The permutation found by one method."""
    target, moved = gp.empty_like(x), gp.empty(x.size, gp.u32, device=x.device)
    with shaped(x.device, **changes):
        methods.METHODS[method].sort(x, target, descending, moved=moved, index=True)
    return moved


def stable_order(values: np.ndarray[Any, Any], in_order: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The permutation of a stable sort: of equal elements, in the order of their places, to those of `in_order`."""
    bits, sorted_bits = (array.view(f"u{array.dtype.itemsize}") for array in (values, in_order))
    ranks = {int(bit): rank for rank, bit in enumerate(dict.fromkeys(sorted_bits.tolist()))}
    return np.argsort([ranks[int(bit)] for bit in bits], kind="stable")
