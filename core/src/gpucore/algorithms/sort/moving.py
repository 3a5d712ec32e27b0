"""Elements of any dtype, gathered by a permutation."""

from __future__ import annotations

from gpucore.algorithms.sort import gather
from gpucore.array import Array, empty
from gpucore.types import DType, u8, u16, u32, u32x2, u32x4

_WORDS: tuple[DType, ...] = (u32x4, u32x2, u32, u16, u8)


def take_rows(source: Array, indices: Array, target: Array) -> None:
    """Copy the rows of `source`, its elements if it is of rank 1, at the indices (u32, of rank 1) to `target`."""
    if target.nbytes == 0:
        return
    nbytes = target.nbytes // target.shape[0]
    distances = nbytes, source.offset, target.offset
    word = next(word for word in _WORDS if not any(number % word.itemsize for number in distances))
    there = seen_as(target, word)
    gather.gather_words(seen_as(source, word), indices, there, nbytes // word.itemsize, invocations=there.size)


def taken(source: Array, indices: Array) -> Array:
    """As `take_rows`, in a new array."""
    made = empty((indices.size, *source.shape[1:]), source.dtype, device=source.device)
    take_rows(source, indices, made)
    return made


def seen_as(array: Array, word: DType) -> Array:
    """The memory of an array, which is not empty, as words."""
    return Array(array.storage, (array.nbytes // word.itemsize,), word, array.offset)
