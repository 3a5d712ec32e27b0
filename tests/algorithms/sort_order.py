"""The order that gp.sort promises, told with NumPy in another way than the kernels do it; and values that try it.

The kernels compare integer keys. Here numbers are compared as numbers, zeros by their sign, and NaNs are set apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp

Values = npt.NDArray[Any]

DTYPES = ("u32", "i32", "f32", "f16", "u64", "i64", "f64", "u8", "i8", "u16", "i16")
NEEDS = {
    "f16": gp.Capability.F16, "f64": gp.Capability.F64, "i64": gp.Capability.INT64, "u64": gp.Capability.INT64,
}  # fmt: skip
"""The capability that a dtype needs; those not named run everywhere."""


def numpy_dtype(name: str) -> np.dtype[Any]:
    """The NumPy dtype of gpucore's name."""
    dtype: np.dtype[Any] = getattr(gp, name).dtype
    return dtype


def is_supported(device: gp.Device, dtype: str) -> bool:
    """Whether a device has a dtype."""
    return dtype not in NEEDS or device.supports(NEEDS[dtype])


def bits_of(values: Values) -> Values:
    """The values' bits as unsigned integers."""
    return np.ascontiguousarray(values).view(f"u{values.dtype.itemsize}")


def in_order(values: Values, descending: bool) -> Values:
    """-inf ... -0.0 < 0.0 ... inf, positive NaNs by payload, negative ones by falling payload; or the reverse."""
    found = np.sort(values) if values.dtype.kind in "iu" else _floats_in_order(values)
    return found[::-1] if descending else found


def _floats_in_order(values: Values) -> Values:
    is_nan, is_negative = np.isnan(values), np.signbit(values)
    numbers = values[~is_nan]
    numbers = numbers[np.lexsort((~np.signbit(numbers), numbers))]
    positive = np.sort(bits_of(values[is_nan & ~is_negative]))
    negative = np.sort(bits_of(values[is_nan & is_negative]))[::-1]
    return np.concatenate([bits_of(numbers), positive, negative]).view(values.dtype)


def assert_sorted(got: Values, values: Values, descending: bool) -> None:
    """The whole result, bit for bit."""
    want = in_order(values, descending)
    assert got.dtype == values.dtype and got.shape == values.shape
    differ = np.flatnonzero(bits_of(got) != bits_of(want))
    assert not differ.size, (
        f"{differ.size} of {got.size} differ, first at {differ[0]}: {got[differ[0]]} for {want[differ[0]]}"
    )


def extremes(dtype: np.dtype[Any]) -> Values:
    """Values on the edges: limits of integers; zeros, infinities, subnormals and NaNs of both signs of floats."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.array([limits.min, limits.min + 1, limits.max - 1, limits.max, 0, 1, limits.max // 2], dtype)
    limit = np.finfo(dtype)
    mantissa = limit.nmant
    infinity = int(bits_of(np.array([np.inf], dtype))[0])
    quiet = 1 << (mantissa - 1)
    payloads = [1, 2, quiet - 1, quiet, quiet + 1, (1 << mantissa) - 1]
    numbers = [
        0,
        1,
        2,
        (1 << mantissa) - 1,
        1 << mantissa,
        infinity - 1,
        infinity,
    ]  # zero, subnormals, least normal, most
    positive = [*numbers, *(infinity | payload for payload in payloads)]
    sign = 1 << (8 * dtype.itemsize - 1)
    ones = bits_of(np.array([1.0, -1.0], dtype))
    return np.array([*positive, *(sign | bits for bits in positive), *ones], f"u{dtype.itemsize}").view(dtype)


def any_bits(dtype: np.dtype[Any], n: int, seed: int = 0) -> Values:
    """Every bit pattern alike, a third of them replaced by extremes: many values are equal, many are NaN."""
    random = np.random.default_rng([seed, n, dtype.num])
    values = random.integers(0, 256, n * dtype.itemsize, dtype=np.uint8).view(dtype)
    edges = extremes(dtype)
    return np.where(random.random(n) < 1 / 3, bits_of(edges)[random.integers(0, edges.size, n)], bits_of(values)).view(
        dtype
    )
