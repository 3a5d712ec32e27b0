"""The nine inputs of the tests of sorting over chunks, as f32 or another dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Make = Callable[[np.random.Generator, int], npt.NDArray[Any]]


def _special(random: np.random.Generator, size: int) -> npt.NDArray[Any]:
    """NaN of both signs with several payloads, infinities and both zeros among normal values."""
    bits = np.array(
        [0x7FC00000, 0xFFC00000, 0x7FC00001, 0xFFC12345, 0x7F800000, 0xFF800000, 0, 0x80000000, 1, 0x80000001],
        np.uint32,
    )
    values = random.standard_normal(size).astype(np.float32)
    chosen = random.random(size) < 0.5
    values[chosen] = random.choice(bits, int(chosen.sum())).view(np.float32)
    return values


def _organ_pipe(_: np.random.Generator, size: int) -> npt.NDArray[Any]:
    half = np.arange(size // 2)
    return np.concatenate([half, np.arange(size - size // 2)[::-1]])


INPUTS: dict[str, Make] = {
    "normal": lambda random, size: random.standard_normal(size),
    "pareto": lambda random, size: random.pareto(1.2, size),
    "special": _special,
    "zipf": lambda random, size: random.zipf(1.3, size) % 100_000,
    "four values": lambda random, size: random.integers(0, 4, size),
    "organ pipe": _organ_pipe,
    "reversed": lambda _, size: np.arange(size)[::-1],
    "sorted": lambda _, size: np.arange(size),
    "equal": lambda _, size: np.full(size, 7),
}


def make(name: str, size: int, dtype: str = "f4", seed: int = 15) -> npt.NDArray[Any]:
    """An input. Every bit of NaNs in f32 stays; floats that become integers are scaled first."""
    values = INPUTS[name](np.random.default_rng(seed), size)
    wanted = np.dtype(dtype)
    if values.dtype == wanted:
        return values
    if wanted.kind in "iu" and values.dtype.kind == "f":
        bits = np.nan_to_num(values, nan=0.0, posinf=9.0, neginf=-9.0) * 1000
        return bits.astype(np.int64).astype(wanted)
    return values.astype(wanted)
