"""What a reduction does to each element, with two values, and to the last value.

The minimum and the maximum of floats are those of integer keys, in which every NaN is the smallest, or the largest,
because NumPy's minimum and maximum of an array with a NaN are NaN; -0.0 is below 0.0.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore.lang as gp
from gpucore.algorithms.operators import multiply
from gpucore.blocks import reductions
from gpucore.blocks.keys import KEY_TYPES, ascending_key, ascending_value
from gpucore.immutable import Immutable
from gpucore.types import DType, ElementDType, f16, f32, f64, i32, u32


class Steps(Immutable):
    """The steps of a reduction: functions in the kernel language."""

    load: Callable[[Any], Any]  # an element -> a value
    op: Callable[[Any, Any], Any]  # two values -> a value
    finish: Callable[[Any, Any], Any]  # the last value, and the number of elements -> the result
    type: ElementDType  # of a value
    start: Any = None  # a value that changes no other one; None: there is none

    @property
    def first(self) -> Steps:
        """The steps of the first of several passes: it gives values."""
        return Steps(self.load, self.op, first_of_two, self.type, self.start)

    @property
    def later(self) -> Steps:
        """The steps after the first pass: the elements are values."""
        return Steps(same, self.op, self.finish, self.type, self.start)

    def beginning_with(self, initial: Any) -> Steps:
        """The steps with a value ahead of the last one."""
        op, vector = self.op, self.type if isinstance(initial, tuple) else None

        def finish(x, count):
            ahead = x  # a variable takes a struct with its fields as those of its type
            ahead = initial if vector is None else spread(vector, initial)
            return op(ahead, x)

        return Steps(self.load, op, finish, self.type, self.start)


def spread(vector, parts):
    """A vector of compile-time components."""
    made = vector(0)
    for k in gp.unroll(range(len(parts))):
        made[k] = parts[k]
    return made


def same(x):
    """A value as it is."""
    return x


def first_of_two(x, count):
    """A value as it is, whatever the number of elements."""
    return x


@functools.cache
def converted(dtype):
    """A function that converts to a dtype."""

    def convert(x):
        return dtype(x)

    return convert


@functools.cache
def finished(dtype):
    """A function that converts the last value to a dtype."""

    def finish(x, count):
        return dtype(x)

    return finish


@functools.cache
def divided(dtype):
    """A function that divides the last value by the number of elements, and converts it."""

    def finish(x, count):
        return dtype(x / x.dtype(count))

    return finish


def is_set(x):
    """1 for an element that is not 0, else 0."""
    return u32(1) if x != x.dtype(0) else u32(0)


def counted(x):
    """As `is_set`, as an i32."""
    return i32(1) if x != x.dtype(0) else i32(0)


# ---------------------------------------------------------------- keys

_NANS = {f16: 2 * (2**10 - 1), f32: 2 * (2**23 - 1), f64: 2 * (2**52 - 1)}
"""How many NaN a dtype has. Their keys, as those of sorting, are the last; moved up by this number, they are first."""


@functools.cache
def to_key(dtype, is_min):
    """A function from a float to its key: NaN is below all numbers for the minimum, above them for the maximum."""
    nans = _NANS[dtype] if is_min else 0

    def load(x):
        key = ascending_key(x, dtype) + nans
        return key & 0xFFFF if dtype is f16 else key

    return load


@functools.cache
def from_key(dtype, is_min):
    """The inverse of `to_key`."""
    nans = _NANS[dtype] if is_min else 0

    def finish(key, count):
        return ascending_value(key - nans, dtype)

    return finish


# ---------------------------------------------------------------- by name


@functools.cache
def steps_of(name: str, element: DType, result: DType) -> Steps:
    """The steps of a reduction of elements of a scalar dtype to a result of another one."""
    if name in ("any", "all", "count_nonzero"):
        if name == "count_nonzero":
            return Steps(counted, reductions.add, finished(result), i32, 0)
        op, start = (gp.max, 0) if name == "any" else (gp.min, 1)
        return Steps(is_set, op, finished(result), u32, start)
    if name in ("min", "max"):
        op, is_min = (gp.min, True) if name == "min" else (gp.max, False)
        if element in KEY_TYPES and element.dtype.kind == "f":
            key = KEY_TYPES[element]
            return Steps(to_key(element, is_min), op, from_key(element, is_min), key, _end(key, is_min))
        value = reductions.accumulator(element)
        return Steps(converted(value), op, finished(element), value, _end(value, is_min))
    value = f32 if result is f16 else reductions.accumulator(result)
    if name == "prod":
        return Steps(converted(value), multiply, finished(result), value, 1)
    return Steps(converted(value), reductions.add, (divided if name == "mean" else finished)(result), value, 0)


def _end(dtype: DType, is_greatest: bool) -> int:
    """The greatest or the least number of an integer dtype."""
    info = np.iinfo(dtype.dtype)
    return int(info.max if is_greatest else info.min)


@functools.lru_cache(maxsize=256)
def steps_of_helper(op: Callable[[Any, Any], Any], dtype: ElementDType) -> Steps:
    """The steps of a reduction by a helper of the user's. Small integers are converted first."""
    value = reductions.accumulator(dtype)
    return Steps(same if value is dtype else converted(value), op, first_of_two, value)


__all__ = ["Steps", "steps_of", "steps_of_helper"]
