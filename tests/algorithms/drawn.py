"""What the property tests of the algorithms draw: arrays of difficult values, and shapes that reach every path with
small arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from sort_order import Values, any_bits, bits_of, extremes, in_order, numpy_dtype

import gpucore as gp
from gpucore.algorithms.shapes import (
    SHAPES,
    ColumnTile,
    CountingShape,
    DigitShape,
    MergeShape,
    ReduceShape,
    ScanShape,
    SelectShape,
    SortShape,
)  # fmt: skip

KINDS = ("any bits", "few values", "edges", "all alike", "rising", "falling", "rising but for one")
TILE = 64  # invocations of a tile of a sweep

SORT = SortShape(
    count_up_to=64, merge_block=16, merge_up_to=140, network_up_to=200, columns=(ColumnTile(64, 2),),
    rows_in_place_up_to=5, segments_in_place_up_to=6, rows_counted_up_to=32, row_by_row_from=45, rows_one_by_one=2,
    whole_bits=6, chunks_from=40, chunk_bits=5, chunk=25, chunks=3, ahead_from=120,
    sweeps=(DigitShape(200, TILE, 2, 1), DigitShape(150, TILE, 1, 1)),
    splits=(DigitShape(300, 256, 1, 1), DigitShape(150, 128, 1, 1)), digit_chunks=3, split_chunks=3,
)  # fmt: skip
CAPACITIES = (32, 64)
"""Of a row that is counted in workgroup memory, in the place of `queue_few.CAPACITIES`."""
SELECT = SelectShape(topk_from=20, topk_part=2, bits=4, invocations=32, moved=(32, 2), chunk=32, groups=3)
MERGE = MergeShape(tiles_from=50, tile=(32, 2))
REDUCE = ReduceShape(
    invocations=8, loads=2, rows_from=20, single=150, least=60, most=200, groups=4, columns=64, ordered=16, run=3
)
SCAN = ScanShape(
    look_back_from=None, patience=3, tile=(32, 3), tiles_from=20, single=200, groups=5, columns=64, least=16
)
COUNTING = CountingShape(invocations=32, chosen=(32, 3), chunk=100, groups=4)


@contextmanager
def changed(device: gp.Device, **fields: Any) -> Iterator[None]:
    """The table has other shapes for a device."""
    before = SHAPES[device.kind]
    SHAPES[device.kind] = dataclasses.replace(before, **fields)
    try:
        yield
    finally:
        SHAPES[device.kind] = before


def few(examples: int) -> Any:
    """The settings of a test, the same in every run. Fixtures set what all examples have."""
    suppressed = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=suppressed
    )


def values_of(dtype: str, n: int, kind: str, seed: int) -> Values:
    """n values of a dtype with a name, of a kind."""
    element = numpy_dtype(dtype)
    random = np.random.default_rng([seed, n])
    edges = bits_of(extremes(element))
    if kind == "few values":
        return edges[random.integers(0, 4, n) * (edges.size // 4)].view(element)
    if kind == "edges":
        return edges[random.integers(0, edges.size, n)].view(element)
    if kind == "all alike":
        return np.full(n, edges[seed % edges.size]).view(element)
    values = any_bits(element, n, seed)
    if kind == "any bits" or n == 0:
        return values
    rising = in_order(values, kind == "falling")
    return np.roll(bits_of(rising), 1).view(element) if kind == "rising but for one" else rising


def numbers_of(dtype: str, shape: Any, seed: int) -> Values:
    """Numbers of which few hundred have a finite sum: of floats from -1000 to 1000, of both zeros and subnormals."""
    element, random = numpy_dtype(dtype), np.random.default_rng([seed, 7])
    if element.kind in "iu":
        return values_of(dtype, int(np.prod(shape)), "any bits", seed).reshape(shape)
    numbers = random.uniform(-1000, 1000, shape) * 2.0 ** -random.integers(0, 20, shape)
    small = np.array([0.0, -0.0, np.finfo(element).smallest_subnormal, np.finfo(element).tiny])
    return np.where(random.random(shape) < 0.2, random.choice(small, shape), numbers).astype(element)


def without_subnormals(values: Values) -> Values:
    """Zeros in the place of numbers that arithmetic may take for zeros."""
    if values.dtype.kind != "f":
        return values
    return np.where(np.abs(values) < np.finfo(values.dtype).tiny, values.dtype.type(0), values)


def ranks(*arrays: Values) -> list[Values]:
    """For each array the places of its elements in the order of `gp.sort` among the different ones of all."""
    together = np.concatenate(arrays)
    order = {bits: rank for rank, bits in enumerate(dict.fromkeys(bits_of(in_order(together, False)).tolist()))}
    return [np.array([order[bits] for bits in bits_of(array).tolist()], np.int64) for array in arrays]


kinds = st.sampled_from(KINDS)
seeds = st.integers(0, 1000)
