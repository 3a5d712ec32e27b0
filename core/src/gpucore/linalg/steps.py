"""What a norm does to each element, with two values, and to the last value."""

from __future__ import annotations

import functools

import gpucore.lang as gp
from gpucore.algorithms.reduce.steps import Steps, steps_of
from gpucore.blocks import reductions
from gpucore.types import f16, f32


@functools.cache
def squared(dtype):
    """A function from an element to its square in a dtype."""

    def load(x):
        value = dtype(x)
        return value * value

    return load


@functools.cache
def magnitude(dtype):
    """A function from an element to its absolute value in a dtype."""

    def load(x):
        return gp.abs(dtype(x))

    return load


@functools.cache
def root(dtype):
    """A function that takes the square root of the last value, and converts it."""

    def finish(x, count):
        return dtype(gp.sqrt(x))

    return finish


@functools.cache
def of_magnitude(load, dtype):
    """`load` of the absolute value of an element."""

    def loaded(x):
        return load(gp.abs(dtype(x)))

    return loaded


@functools.cache
def steps_of_norm(kind, element):
    """The steps of a norm of floats of a dtype: "1", "2", "inf" or "-inf"."""
    if kind in ("inf", "-inf"):
        found = steps_of("max" if kind == "inf" else "min", element, element)
        return Steps(of_magnitude(found.load, element), found.op, found.finish, found.type, found.start)
    value = f32 if element is f16 else element
    if kind == "1":
        return Steps(magnitude(value), reductions.add, steps_of("sum", element, element).finish, value, 0)
    return Steps(squared(value), reductions.add, root(element), value, 0)
