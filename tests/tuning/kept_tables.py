"""Tables of shapes that are not gpucore's own, and what is right with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import gpucore as gp
from gpucore.algorithms.kept_shapes import from_json
from gpucore.algorithms.shapes import SHIPPED, Shapes, Tile, shapes_of
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


__all__ = ["check_results", "from_json", "shapes_of", "table_for"]
