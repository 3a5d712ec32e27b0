"""Expected results of integer operations, in Python's exact arithmetic, and test values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore.testing.checks import Host


def wrap(value: int, dtype: Any) -> int:
    """An exact integer in two's complement of the dtype's width."""
    info = np.iinfo(dtype)
    value &= (1 << info.bits) - 1
    return value - (1 << info.bits) if info.min < 0 and value >> (info.bits - 1) else value


def apply(function: Callable[..., int], dtype: Any, *arrays: Host) -> Host:
    """`function` of exact Python ints element by element, wrapped into the dtype."""
    values = [wrap(function(*map(int, items)), dtype) for items in zip(*arrays, strict=True)]
    return np.array(values, dtype)


def floor_div(x: int, y: int) -> int:
    return x // y if y else x


def floor_mod(x: int, y: int) -> int:
    return x % y if y else 0


def trunc_div(x: int, y: int) -> int:
    if not y:
        return x
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def trunc_rem(x: int, y: int) -> int:
    return x - y * trunc_div(x, y) if y else 0


def corners(dtype: Any) -> list[int]:
    """Edge values of integer operations."""
    info = np.iinfo(dtype)
    near = [0, 1, 2, 3, 5, 7, 8, 16, 31, 33, 100, 255, 65535, 65536]
    top = [int(info.max), int(info.max) - 1, int(info.max) // 2 + 1]
    if info.min == 0:
        return [*near, *top]
    return [*near, *(-value for value in near if value), *top, *(-value for value in top), int(info.min)]


def pairs(dtype: Any, random: int = 64, seed: int = 1) -> tuple[Host, Host]:
    """Important pairs of edge values, then random pairs of all magnitudes."""
    values = corners(dtype)
    # All pairs would be a thousand. A fixed stride uses each value on both sides, and pairs the hard ones.
    hard = [v for v in values if abs(v) <= 3 or abs(v) >= np.iinfo(dtype).max - 1]
    chosen = [(a, b) for a in hard for b in hard]
    chosen += [(a, b) for k, a in enumerate(values) for b in values[k % 3 :: 3]]
    a, b = np.array(chosen, dtype=object).T
    rng = np.random.default_rng(seed)
    return (
        np.concatenate([a.astype(dtype), random_integers(rng, dtype, random)]),
        np.concatenate([b.astype(dtype), random_integers(rng, dtype, random)]),
    )


def random_integers(rng: np.random.Generator, dtype: Any, count: int) -> Host:
    """Integers of every magnitude."""
    info = np.iinfo(dtype)
    raw = rng.integers(info.min, info.max, count, dtype, endpoint=True)
    return np.asarray(raw >> rng.integers(0, info.bits, count).astype(dtype), dtype)
