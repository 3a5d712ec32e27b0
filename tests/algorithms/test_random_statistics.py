"""Distributions of gp.random at fixed seeds. The bits are the same everywhere, so one device is enough.

The bounds are five standard deviations of each statistic for independent numbers, and the 0.1 % points of chi-square
and of Kolmogorov's distribution.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

import gpucore as gp
from gpucore.testing import require_device

N = 2**20
SEEDS = (0, 1, 12345)
KOLMOGOROV = 1.95 / math.sqrt(N)
CHI_SQUARE_255 = 330.52
"""Of 255 degrees of freedom."""

Numbers = npt.NDArray[np.float64]
each_seed = pytest.mark.parametrize("seed", SEEDS)


@pytest.fixture(scope="module")
def cpu() -> gp.Device:
    return require_device("cpu")


def distance(ordered: Numbers) -> float:
    """Of Kolmogorov and Smirnov: of the probabilities of ordered numbers from those of an equal distribution."""
    places = np.arange(N + 1) / N
    return float(max(np.max(ordered - places[:-1]), np.max(places[1:] - ordered)))


def correlation(x: Numbers, y: Numbers) -> float:
    return float(np.corrcoef(x, y)[0, 1])


@each_seed
def test_uniform(cpu: gp.Device, seed: int) -> None:
    for dtype in (gp.f32, gp.f64):
        x = gp.random.uniform(N, seed, dtype=dtype, device=cpu).numpy().astype(np.float64)
        assert abs(x.mean() - 0.5) < 5 / math.sqrt(12 * N)
        assert abs(np.mean((x - 0.5) ** 2) - 1 / 12) < 5 / math.sqrt(180 * N)
        assert distance(np.sort(x)) < KOLMOGOROV
        for lag in (1, 2, 3, 4, 256):
            assert abs(correlation(x[:-lag], x[lag:])) < 5 / math.sqrt(N)


@each_seed
def test_integers(cpu: gp.Device, seed: int) -> None:
    for low in (0, -(2**31)):
        high = low + (256 if low == 0 else 2**32)
        x = gp.random.integers(N, seed, low, high, device=cpu).numpy().astype(np.int64) - low
        counts = np.bincount(x if low == 0 else x >> 24, minlength=256)
        assert np.sum((counts - N / 256) ** 2) / (N / 256) < CHI_SQUARE_255


@each_seed
def test_normal(cpu: gp.Device, seed: int) -> None:
    x = gp.random.normal(N, seed, device=cpu).numpy().astype(np.float64)
    for power, wanted, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96), (6, 15, 10170)):
        assert abs(np.mean(x**power) - wanted) < 5 * math.sqrt(variance / N), power
    ordered = np.sort(x)
    assert distance(np.array([math.erfc(-value / math.sqrt(2)) / 2 for value in ordered])) < KOLMOGOROV
    for bound in (1, 2, 3, 4):
        tail = math.erfc(bound / math.sqrt(2))
        for count, share in ((np.sum(np.abs(x) > bound), tail), (np.sum(x > bound), tail / 2)):
            assert abs(count - N * share) < 5 * math.sqrt(N * share * (1 - share)), bound
    assert abs(correlation(x[::2], x[1::2])) < 5 / math.sqrt(N / 2)
    assert abs(correlation(x[::2] ** 2, x[1::2] ** 2)) < 5 / math.sqrt(N / 2)
    assert abs(correlation(x[:-2], x[2:])) < 5 / math.sqrt(N)
