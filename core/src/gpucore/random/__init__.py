"""Random numbers that are equal, bit by bit, on every device: `gp.random`.

In kernels, `philox` makes random words from a key and a counter, without state, and `uniform`, `normal` and `integers`
make numbers from words. On the host, `uniform`, `normal` and `integers` make arrays: element i depends on the seed and
i alone, so an array begins as a longer one of the same seed does, and another shape has the same elements in row-major
order. Calls with the same seed use the same random words: give each array a seed of its own. Not for cryptography.

Words 4 * j to 4 * j + 3 of a seed are philox(key, counter) of key = (seed % 2**32, seed // 2**32) and
counter = (j, 0, 0, 0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from gpucore.array import Array, DeviceLike, Shape, empty
from gpucore.conversion import convert_value
from gpucore.device import device as get_device
from gpucore.elementwise.capability import check_dtype
from gpucore.errors import ArgumentError
from gpucore.host import in_kernels
from gpucore.host_words import words_of_module
from gpucore.kernel import Kernel
from gpucore.random import distributions, fill
from gpucore.random.generator import philox
from gpucore.types import ElementDType, as_dtype, f32, f64, i32, i64, u32, u64

_RADIUS = 6.8
"""All numbers of the standard normal distribution that are made here are smaller."""


@overload
def uniform(bits: int, /) -> Any: ...


@overload
def uniform(
    shape: Shape, seed: int, *, low: float = 0.0, high: float = 1.0, dtype: object = f32, device: DeviceLike = None
) -> Array: ...


@in_kernels(distributions.uniform)  # type: ignore[misc]  # for kernels it is the helper
def uniform(
    shape: Any, seed: int, *, low: float = 0.0, high: float = 1.0, dtype: object = f32, device: DeviceLike = None
) -> Any:
    """An array of numbers from `low` up to, not including, `high`, all equally likely. In kernels: of one word.

    The dtype is f32 (24 random bits: element i is low + (high - low) * uniform(word i)), or f64 (53 bits, of words
    2 * i and 2 * i + 1). The product and the sum are rounded; where the sum becomes `high`, the greatest number below
    it is taken. The bits are the same on every device, but for subnormal numbers, which some treat as 0.

    In a kernel, `uniform(bits)` of a u32 is an f32 in [0, 1): (bits >> 8) / 2**24. Of a vector of u32 it is a vector.

    Raises ArgumentError for a seed outside 0 to 2**64 - 1, `low` not below `high`, a width that is infinite in the
    dtype, another dtype or shape; CapabilityError if the device lacks the dtype.
    """
    element, key = _check_dtype("uniform", dtype, f32, f64), _key(seed)
    first: Any = convert_value(low, element)
    end: Any = convert_value(high, element)
    with np.errstate(over="ignore", invalid="ignore"):
        width = end - first
    if not (first < end and np.isfinite(width)):
        raise ArgumentError(
            f"uniform makes numbers from low up to high, so low must be below high, and high - low finite in "
            f"{element.ir_type}; low is {low!r}, high is {high!r}"
        )
    kernel, each = (fill.uniform_f32, 4) if element is f32 else (fill.uniform_f64, 2)
    made = _empty("uniform", shape, element, device)
    return _fill(made, kernel, each, key, first, width, np.nextafter(end, first), 0)


@overload
def normal(bits_a: int, bits_b: int, /) -> Any: ...


@overload
def normal(
    shape: Shape, seed: int, *, mean: float = 0.0, std: float = 1.0, dtype: object = f32, device: DeviceLike = None
) -> Array: ...


@in_kernels(distributions.normal)
def normal(
    shape: Any, seed: int, *, mean: float = 0.0, std: float = 1.0, dtype: object = f32, device: DeviceLike = None
) -> Any:
    """An array of normally distributed f32 with a mean and a standard deviation. In kernels: two numbers of two words.

    Elements 2 * i and 2 * i + 1 are mean + std * x of the two numbers that a kernel gets from words 2 * i and
    2 * i + 1. The product and the sum are rounded. The bits are the same on every device, but for subnormal numbers,
    which some treat as 0.

    In a kernel, `normal(bits_a, bits_b)` of two u32 is an f32x2 of independent numbers with mean 0 and standard
    deviation 1, by the method of G. E. P. Box and M. E. Muller, "A note on the generation of random normal deviates"
    (1958). They are at most 6.77 in magnitude, and differ from the exact numbers by at most 2**-24 and half an ulp: the
    method is computed in integers, because the functions of devices differ in the last bits.

    Raises ArgumentError for a seed outside 0 to 2**64 - 1, a negative `std`, numbers that could be infinite, another
    dtype or shape.
    """
    element, key = _check_dtype("normal", dtype, f32), _key(seed)
    middle, scale = float(convert_value(mean, element)), float(convert_value(std, element))
    greatest = abs(middle) + _RADIUS * scale
    if not (scale >= 0 and greatest <= float(np.finfo(np.float32).max)):
        raise ArgumentError(
            f"normal takes a finite mean, and a finite std of at least 0, with numbers that fit f32; mean is {mean!r}, "
            f"std is {std!r}"
        )
    return _fill(_empty("normal", shape, element, device), fill.normal_f32, 4, key, middle, scale, 0)


@overload
def integers(bits: int, low: int, high: int, /) -> Any: ...


@overload
def integers(
    shape: Shape, seed: int, low: int, high: int, *, dtype: object = i32, device: DeviceLike = None
) -> Array: ...


@in_kernels(distributions.integers)  # type: ignore[misc]  # for kernels it is the helper
def integers(shape: Any, seed: int, low: int, high: int, *, dtype: object = i32, device: DeviceLike = None) -> Any:
    """An array of whole numbers from `low` up to, not including, `high`. In kernels: of one word.

    The dtype is i32, u32, i64 or u64. With n = high - low, element i is low + floor(n * r / 2**64) of the 64 bits r of
    word 2 * i (the lower half) and 2 * i + 1. The probability of each number differs from 1 / n by less than 2**-64.

    In a kernel, `integers(bits, low, high)` of a u32 and two i32 is an i32 from `low` up to, not including, `high`:
    low + floor((high - low) * bits / 2**32). `low` must be below `high`. The probability of each number differs from
    1 / (high - low) by less than 2**-32; D. Lemire, "Fast random integer generation in an interval" (2019).

    Raises ArgumentError for a seed outside 0 to 2**64 - 1, `low` not below `high`, numbers that the dtype cannot hold,
    another dtype or shape; CapabilityError if the device lacks the dtype.
    """
    element, key = _check_dtype("integers", dtype, i32, u32, i64, u64), _key(seed)
    first, end = _whole("low", low), _whole("high", high)
    info = np.iinfo(element.dtype)
    if not info.min <= first < end <= info.max + 1:
        raise ArgumentError(
            f"integers makes numbers from low up to, not including, high, so low must be below high, and both low and "
            f"high - 1 in {info.min} to {info.max} ({element.ir_type}); low is {first}, high is {end}"
        )
    kernel, modulus = fill.integers_32 if info.bits == 32 else fill.integers_64, 2**info.bits
    made = _empty("integers", shape, element, device)
    return _fill(made, kernel, 2, key, first % modulus, (end - first) % modulus)


def _check_dtype(name: str, dtype: object, *known: ElementDType) -> ElementDType:
    element = as_dtype(dtype)
    if element not in known:
        raise ArgumentError(f"{name} makes {', '.join(str(t.ir_type) for t in known)}, not {element!r}")
    return element


def _key(seed: object) -> tuple[int, int]:
    checked = _whole("seed", seed)
    if not 0 <= checked < 2**64:
        raise ArgumentError(f"a seed is a whole number from 0 to 2**64 - 1, not {checked}")
    return checked % 2**32, checked >> 32


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ArgumentError(f"{name} must be a whole number, not {value!r}")
    return int(value)


def _empty(name: str, shape: Shape, element: ElementDType, device: DeviceLike) -> Array:
    target = get_device(device)
    check_dtype(name, target, element)
    return empty(shape, element, device=target)


def _fill(made: Array, kernel: Kernel, each: int, *values: Any) -> Array:
    """The array, filled by a kernel of which each invocation makes `each` elements."""
    kernel(made.reshape(-1), *values, invocations=-(-made.size // each))
    return made


if not TYPE_CHECKING:
    __getattr__ = words_of_module(__name__)


__all__ = ["integers", "normal", "philox", "uniform"]
