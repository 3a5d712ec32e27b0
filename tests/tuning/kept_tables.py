"""Tables of shapes that are not gpucore's own, and what is right with them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.algorithms.kept_shapes import from_json
from gpucore.algorithms.shapes import SHIPPED, Shapes, Tile, set_shapes, shapes_of
from gpucore.algorithms.sort import methods
from gpucore.tuning.steps import LOWER, UPPER, steps_for
from gpucore.tuning.workloads import Keys, Product

SIZES = (7, 129, 300, 2049, 40_001)


def table_for(device: gp.Device) -> Shapes:
    """A table that fits: other tiles for large and small products, and other switch points."""
    before, lanes = SHIPPED[device.kind], device.limits.max_subgroup_size
    large, small = Tile(64, 64, 32, 8, 8, min_tiles=4), Tile(32, 32, 16, 4, 4)
    if device.kind is gp.DeviceKind.CPU:
        form = {"width": 1, "gang": lanes, "padding": 16}
        large = Tile(64, 64, 32, 4, 64 // lanes, **form, parts=8, min_tiles=4)
        small = Tile(32, 64, 32, 8, 32 // lanes, **form, parts=4)
    sort = replace(before.sort, merge_up_to=200, network_up_to=4000, merge_block=1024, chunk_bits=8, chunks_from=2000)
    if before.sort.radix_from is not None:
        sort = replace(sort, radix_from=100)
    return replace(before, sort=sort, matmul=replace(before.matmul, tiles=(large, small), fills=0))


def check_results(device: gp.Device) -> None:
    """Whole sorts and products at odd sizes are right, with the table that the device has now."""
    for size in SIZES:
        keys = Keys(device, size)
        assert keys.check(keys.run(*keys.arrays)) == "", size
        pairs = gp.sort_by_key(keys.arrays[0], gp.arange(size, dtype=gp.u32, device=device))
        host = keys.arrays[0].numpy()
        np.testing.assert_array_equal(pairs[1].numpy(), np.argsort(host, kind="stable"))
    for shape in ((1, 1, 1), (33, 65, 129), (127, 40, 131), (128, 128, 128)):
        product = Product(device, shape)
        for _ in range(3):  # the second is recorded, the third replayed
            assert product.check(product.run(*product.arrays)) == "", shape
        a, b = (np.arange(n * m, dtype=np.int32).reshape(n, m) for n, m in (shape[:2], shape[1:]))
        np.testing.assert_array_equal(gp.matmul(a, b, device=device), a @ b)


def check_switches(device: gp.Device) -> None:
    """Where a switch point is tuned, arrays on both sides of it, and between two sizes, are sorted by a method that was
    measured there, and not by a third one."""
    before = SHIPPED[device.kind]

    def method(table: Shapes, size: int) -> Any:
        set_shapes(device, table)
        return methods.choose(gp.empty(size, gp.u32, device=device), False)

    checked = 0
    for step in steps_for(device, "sort", False):
        if {*step.values(before, step.sizes[0])} != {LOWER, UPPER}:
            continue
        for lower, upper in itertools.pairwise(step.sizes):
            table = step.conclude(before, {size: UPPER if size >= upper else LOWER for size in step.sizes})
            for size, side in ((lower, LOWER), (upper, UPPER)):
                assert method(table, size) is method(step.put(before, size, side), size), (step.what, size)
            between = {method(table, size) for size in (lower + 1, (lower + upper) // 2, upper - 1)}
            assert between <= {method(table, lower), method(table, upper)}, (step.what, lower, upper)
            checked += 1
    assert checked


__all__ = ["check_results", "check_switches", "from_json", "shapes_of", "table_for"]
