"""Checks of the shapes that a plugin has for a device: that they fit, and that whole results with them are right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gpucore as gp
from gpucore.algorithms.kept_shapes import from_json
from gpucore.algorithms.matmul.batches import PARTS
from gpucore.algorithms.shapes import MatmulShape, set_shapes
from gpucore.elementwise.capability import has_dtype
from gpucore.immutable import Immutable
from gpucore.testing.checks import check
from gpucore.tuning.workloads import Keys, Product
from gpucore.types import ElementDType, bf16, f16, f32, f64

_KEYS = 7, 2049  # of the sorts


class _Use(Immutable, eq=False):
    """A table with one tile, and a product that is made in it."""

    tile: Any
    shape: MatmulShape
    dtype: ElementDType
    precision: str = "highest"
    variant: str = "auto"


def check_shapes(gpu: gp.Device, text: str) -> None:
    """Raise an error if the shapes do not fit, or a whole result is wrong: of products in each tile that the table
    has, in whole tiles and beside them, and of sorts."""
    data = json.loads(text)
    shapes = from_json(data, gpu)
    try:
        for use in _uses(gpu, shapes.matmul, data.get("matmul", {})):
            set_shapes(gpu, replace(shapes, matmul=use.shape))
            m, k, n = use.tile.tile_m, use.tile.tile_k, use.tile.tile_n
            for lengths in ((m, 2 * k, n), (m + 1, 2 * k + 3, n + 1)):
                product = Product(gpu, lengths, use.dtype, use.precision)
                found = gp.matmul(*product.arrays, precision=use.precision, variant=use.variant)
                problem = product.check(found)
                check(not problem, f"a product of {lengths} of {use.dtype!r} in {use.tile}: {problem}")
        set_shapes(gpu, shapes)
        for size in _KEYS:
            keys = Keys(gpu, size)
            problem = keys.check(keys.run(*keys.arrays))
            check(not problem, f"a sort of {size} keys: {problem}")
    finally:
        set_shapes(gpu, None)


def _uses(gpu: gp.Device, shape: MatmulShape, named: dict[str, Any]) -> Iterator[_Use]:
    """A use of each tile in the fields that are named."""
    for tile in shape.tiles if "tiles" in named else ():
        dtype: ElementDType = f32 if tile.nbytes == f32.itemsize else f64
        if has_dtype(gpu, dtype):
            yield _Use(tile, replace(shape, tiles=(replace(tile, min_tiles=0),)), dtype, variant="register_tile")
    for unit in shape.units if "units" in named else ():
        dtype = bf16 if gpu.matrix(bf16) is not None else f16
        yield _Use(unit, replace(shape, units=(replace(unit, min_tiles=0),)), dtype)
    for unit in shape.doubles if "doubles" in named else ():
        if has_dtype(gpu, f64):
            yield _Use(unit, replace(shape, doubles=(replace(unit, min_tiles=0),)), f64)
    precisions = {count: name for name, count in PARTS.items()}
    for count, unit in shape.split if "split" in named else ():
        split = ((count, replace(unit, min_tiles=0)),)
        yield _Use(unit, replace(shape, split=split, split_from=1, large=1), f32, precisions[count])
    for unit in shape.rounded if "rounded" in named else ():
        rounded = replace(shape, rounded=(replace(unit, min_tiles=0),), split=(), split_from=1, large=1)
        for precision in ("highest", "fast"):
            yield _Use(unit, rounded, f32, precision)


__all__ = ["check_shapes"]
