"""Copies between regions of arrays: slices of any step, axes in any order, values repeated by broadcasting.

A kernel copies words of 1, 2 or 4 bytes, whatever the elements are: it needs no f64, for example.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TypeVar

import gpucore.lang as gp
from gpucore.array import Array, empty
from gpucore.calls import kernel
from gpucore.errors import ArgumentError
from gpucore.hints import In, InOut, Out, i32
from gpucore.immutable import Immutable
from gpucore.indexing import Region, fit, whole
from gpucore.ir import Capability
from gpucore.structs import Part
from gpucore.types import DType, ElementDType, f16, u8, u16, u32

W = TypeVar("W", u8, u16, f16, u32)

_AXES = 4  # of a kernel's region
_LONG = 1 << 16  # words from which a kernel without computed indices is worth its compilation


@kernel
def copy_words(
    source: In[W], target: InOut[W], size: i32, n1: i32, n2: i32, n3: i32, from_first: i32, from_0: i32, from_1: i32,
    from_2: i32, from_3: i32, to_first: i32, to_0: i32, to_1: i32, to_2: i32, to_3: i32,
):  # fmt: skip
    """Copy words of a region of `n1`, `n2` and `n3` along the inner axes. The strides begin with the outer axis."""
    i = gp.global_id(0)
    if i < size:
        rest = gp.div_trunc(i, n3)
        c = i - rest * n3
        rest_2 = gp.div_trunc(rest, n2)
        b = rest - rest_2 * n2
        outer = gp.div_trunc(rest_2, n1)
        a = rest_2 - outer * n1
        at = from_first + outer * from_0 + a * from_1 + b * from_2 + c * from_3
        target[to_first + outer * to_0 + a * to_1 + b * to_2 + c * to_3] = source[at]


@kernel
def copy_run(source: In[W], target: Out[W]):
    """Copy words that lie one after another in both arrays."""
    i = gp.global_id(0)
    if i < target.size:
        target[i] = source[i]


class _Pair(Immutable):
    """Two regions of one shape, and the axes from the outermost: its length, and the two strides."""

    source: int
    target: int
    axes: tuple[tuple[int, int, int], ...]


class _Side(Immutable):
    """What is copied from or to: the bytes from `offset` on of each element of a region."""

    array: Array
    region: Region
    offset: int = 0

    def words(self, word: DType) -> Array:
        """The memory of the array as words."""
        array = self.array
        return Array(array.storage, (array.nbytes // word.itemsize,), word, array.offset)


def assign(target: Array, region: Region, values: Array, part: Part | None = None) -> None:
    """Copy an array to a region of another array on the same device, or of another device through the host.

    With `part` it is copied to this field of the elements.
    """
    wanted = target.dtype if part is None else part.dtype
    if values.dtype is not wanted:
        where = "an array" if part is None else "a field"
        raise ArgumentError(
            f"values of {values.dtype!r} cannot be stored in {where} of {wanted!r}; {_conversion(values.dtype, wanted)}"
        )
    repeated = whole(fit(values.shape, len(region.shape))).broadcast(region.shape)
    if values.device is not target.device:
        values = values.to(target.device)
    if values.overlaps(target):
        values = values.copy()
    _copy(_Side(values, repeated), _Side(target, region, 0 if part is None else part.offset))


def _conversion(have: ElementDType, wanted: ElementDType) -> str:
    """What makes values of one dtype fit another, for messages."""
    if have.width == 1 == wanted.width and isinstance(have, DType) and isinstance(wanted, DType):
        return "convert them with astype"
    if isinstance(wanted, DType) and have.dtype == wanted.dtype:
        return f"values.view(gp.{wanted.ir_type}) is the same memory with that dtype, and another last axis"
    return "make them of that dtype"


def copied(source: Array, region: Region, part: Part | None = None) -> Array:
    """A new array of the elements of a region; with `part`, of this field of them."""
    dtype, offset = (source.dtype, 0) if part is None else (part.dtype, part.offset)
    made = empty(region.shape, dtype, device=source.device)
    _copy(_Side(source, region, offset), _Side(made, whole(region.shape)))
    return made


def _copy(source: _Side, target: _Side) -> None:
    if target.region.size == 0:
        return
    nbytes = min(source.array.dtype.itemsize, target.array.dtype.itemsize)  # a field is not larger than its struct
    word = _word_of(source, target)
    left, right = source.words(word), target.words(word)
    for pair in _within_limits(_merged(_pair(source, target, word.itemsize, nbytes))):
        (_, a0, b0), (n1, a1, b1), (n2, a2, b2), (n3, a3, b3) = pair.axes
        size = pair.axes[0][0] * n1 * n2 * n3
        if size == n3 >= _LONG and a3 == b3 == 1:
            copy_run(left[pair.source : pair.source + size], right[pair.target : pair.target + size])
            continue
        copy_words(
            left, right, size, n1, n2, n3, pair.source, a0, a1, a2, a3, pair.target, b0, b1, b2, b3, invocations=size
        )


def _word_of(source: _Side, target: _Side) -> DType:
    """The widest word of which all distances are multiples. For f16 it is f16 if the device has it: it may lack u16."""
    if f16 in (source.array.dtype, target.array.dtype) and source.array.device.supports(Capability.F16):
        return f16
    distances = [number for side in (source, target) for number in (side.array.dtype.itemsize, side.offset)]
    return next(word for word in (u32, u16, u8) if not any(number % word.itemsize for number in distances))


def _pair(source: _Side, target: _Side, word: int, nbytes: int) -> _Pair:
    """Two regions in words of `word` bytes. Of each element `nbytes` are copied."""
    one, other = source.array.dtype.itemsize // word, target.array.dtype.itemsize // word
    axes = [
        (length, a * one, b * other)
        for length, a, b in zip(target.region.shape, source.region.strides, target.region.strides, strict=True)
        if length != 1
    ]
    first = source.region.first * one + source.offset // word
    return _Pair(first, target.region.first * other + target.offset // word, (*axes, (nbytes // word, 1, 1)))


def _merged(pair: _Pair) -> _Pair:
    """The same words with as few axes as possible."""
    axes: list[tuple[int, int, int]] = []
    for length, a, b in pair.axes:
        if axes and axes[-1][1] == length * a and axes[-1][2] == length * b:
            axes[-1] = (axes[-1][0] * length, a, b)
        else:
            axes.append((length, a, b))
    return _Pair(pair.source, pair.target, tuple(axes))


def _within_limits(pair: _Pair) -> Iterator[_Pair]:
    """Copies of at most four axes: one for each index of those before."""
    outer, inner = pair.axes[:-_AXES], pair.axes[-_AXES:]
    filled = (*(((1, 0, 0),) * (_AXES - len(inner))), *inner)
    for indices in product(*(range(length) for length, _, _ in outer)):
        source = pair.source + sum(index * a for index, (_, a, _) in zip(indices, outer, strict=True))
        target = pair.target + sum(index * b for index, (_, _, b) in zip(indices, outer, strict=True))
        yield _Pair(source, target, filled)


__all__ = ["assign", "copied"]
