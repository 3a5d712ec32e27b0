"""Shapes of device arrays; indices and slices of them on the host: which elements they choose, with NumPy's meaning."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.structs import Part, StructDType, find_part

_MAX_ELEMENTS = 2**31 - 1  # of an array and of an axis, as kernels count in i32
_MEANING = "whole numbers, slices and ... are supported; for others, write a kernel or index the .numpy()"


def fit_shape(shape: tuple[Any, ...], size: int) -> tuple[int, ...]:
    """The shape with the length that fits `size` elements in the place of -1. Raises ArgumentError."""
    free = [axis for axis, length in enumerate(shape) if isinstance(length, (int, np.integer)) and length == -1]
    if len(free) != 1:
        checked = check_shape(shape)
        if math.prod(checked) != size:
            raise ArgumentError(
                f"an array of {size} elements cannot have the shape {checked}, which has {math.prod(checked)}"
            )
        return checked
    before, after = check_shape(shape[: free[0]]), check_shape(shape[free[0] + 1 :])
    rest = math.prod(before) * math.prod(after)
    if rest == 0 or size % rest:
        raise ArgumentError(f"an array of {size} elements cannot have the shape {shape}: no length fits in place of -1")
    return (*before, size // rest, *after)


def check_shape(shape: Any) -> tuple[int, ...]:
    """A shape, or the length of one axis, as a tuple. Raises ArgumentError."""
    if type(shape) is int and 0 <= shape <= _MAX_ELEMENTS:
        return (shape,)
    lengths: tuple[Any, ...] = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    for length in lengths:
        if isinstance(length, bool) or not isinstance(length, (int, np.integer)) or length < 0:
            raise ArgumentError(f"a shape consists of whole numbers from 0, not {length!r}")
    checked = tuple(int(length) for length in lengths)
    if max(checked, default=0) > _MAX_ELEMENTS:
        raise ArgumentError(f"an axis of an array has at most 2**31 - 1 elements; the shape is {checked}")
    if math.prod(checked) > _MAX_ELEMENTS:
        raise ArgumentError(f"an array has at most 2**31 - 1 elements; the shape {checked} has {math.prod(checked)}")
    return checked


class Region(Immutable):
    """Elements of a row-major array: `shape`, and for each axis the distance of neighbours. Counted in elements."""

    first: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements follow each other in memory, in order."""
        return self.size == 0 or all(
            length == 1 or stride == dense
            for length, stride, dense in zip(self.shape, self.strides, dense_strides(self.shape), strict=True)
        )

    def broadcast(self, shape: tuple[int, ...]) -> Region:
        """The region repeated to a shape, as NumPy broadcasts. Raises ArgumentError."""
        missing = len(shape) - len(self.shape)
        own = (*(1,) * missing, *self.shape)
        if missing < 0 or any(have not in (1, want) for have, want in zip(own, shape, strict=True)):
            raise ArgumentError(f"values of shape {self.shape} cannot be broadcast to the shape {shape}")
        strides = (*(0,) * missing, *self.strides)
        return Region(
            self.first,
            shape,
            tuple(0 if have == 1 else stride for have, stride in zip(own, strides, strict=True)),
        )


def fit(values: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """The shape of values for a region of a rank: without the axes of length 1 in front that are too many."""
    while len(values) > rank and values[0] == 1:
        values = values[1:]
    return values


def dense_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a row-major array, in elements."""
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def whole(shape: tuple[int, ...]) -> Region:
    """All elements of an array."""
    return Region(0, shape, dense_strides(shape))


def choose(shape: tuple[int, ...], key: Any) -> Region:
    """The elements that `x[key]` chooses from an array. An int removes its axis.

    Raises IndexError for an index out of range or too many of them, and TypeError for a key of another kind.
    """
    first, lengths, steps = 0, [], []
    for length, stride, part in zip(shape, dense_strides(shape), _expand(key, len(shape)), strict=True):
        if isinstance(part, slice):
            chosen = range(*part.indices(length))
            first += chosen.start * stride if len(chosen) else 0
            lengths.append(len(chosen))
            steps.append(chosen.step * stride)
            continue
        index = part + length if part < 0 else part
        if not 0 <= index < length:
            raise IndexError(f"the index {part} is out of range for an axis of {length} elements; the shape is {shape}")
        first += index * stride
    return Region(first, tuple(lengths), tuple(steps))


def _expand(key: Any, rank: int) -> list[Any]:
    """An int or a slice for each axis."""
    parts: list[Any] = list(key) if isinstance(key, tuple) else [key]
    found: list[Any] = []
    dots = sum(part is Ellipsis for part in parts)
    if dots > 1:
        raise IndexError("an index has at most one ...")
    if len(parts) - dots > rank:
        raise IndexError(f"{len(parts) - dots} indices for an array of rank {rank}")
    if not dots:
        parts.append(Ellipsis)
    for part in parts:
        if part is Ellipsis:
            found += [slice(None)] * (rank - (len(parts) - 1))
        elif isinstance(part, slice):
            found.append(part)
        elif isinstance(part, bool):
            raise TypeError(f"a device array cannot be indexed with {part!r}: {_MEANING}")
        else:
            found.append(_as_index(part))
    return found


def _as_index(part: Any) -> int:
    try:
        return operator.index(part)
    except TypeError:
        raise TypeError(f"a device array cannot be indexed with {type(part).__name__}: {_MEANING}") from None


def shown(key: Any) -> str:
    """An index as it is typed in brackets."""
    parts = key if isinstance(key, tuple) else (key,)
    return ", ".join(_shown(part) for part in parts)


def _shown(part: Any) -> str:
    if isinstance(part, slice):
        ends = ("" if end is None else str(end) for end in (part.start, part.stop))
        return ":".join((*ends, *([] if part.step is None else [str(part.step)])))
    return "..." if part is Ellipsis else str(part)


def view_shape(shape: tuple[int, ...], have: Any, want: Any) -> tuple[int, ...]:
    """The shape of an array of dtype `have` seen as one of `want`: the last axis is longer or shorter. ArgumentError
    if its bytes are no whole number of elements."""
    *outer, last = shape or (1,)
    nbytes = last * have.itemsize
    if nbytes % want.itemsize or (not shape and have.itemsize != want.itemsize):
        raise ArgumentError(
            f"an array of shape {shape} of {have!r} cannot be viewed as {want!r}: its last axis has {nbytes} bytes, "
            f"and an element {want.itemsize}"
        )
    return check_shape((*outer, nbytes // want.itemsize)) if shape else ()


def choose_part(shape: tuple[int, ...], dtype: Any, key: Any) -> tuple[Region, Part | None]:
    """The elements that a key chooses, and the field of structs that it names, which is one of all elements."""
    if isinstance(key, str) and isinstance(dtype, StructDType):
        return whole(shape), find_part(dtype, key)
    return choose(shape, key), None
