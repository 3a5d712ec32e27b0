"""What the page runs: gpucore's sorts and products as sequences, and the kernels of the examples, from their own files.

    gpucore export web examples/web/site.py:record -o FOLDER

writes the kernels, and the runtime. `make web` does it, and serves the page.
"""

import sys
from functools import partial
from pathlib import Path

import gpucore as gp

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import life
import mandelbrot
import nbody

SORTS = [
    ("u32", 8, False), ("i32", 8, False), ("f32", 12, False), ("u32", 8, True), ("f32", 1000, False), ("i32", 8, True),
    ("f32", 12, True), ("u32", 100_000, False), ("u32", 1000, False), ("u32", 1_000_000, False),
    ("u32", 10_000_000, False),
]  # fmt: skip
"""Dtype, size, and whether the largest come first: those of `gpucore demo`, and two larger ones."""

VARIANTS = ("naive", "workgroup_256", "workgroup_2d", "tiling_1d", "tiling_2d", "shared_tile", "auto")
SIDES = (256, 512, 1024)


def record(bundle):
    for dtype, size, descending in SORTS:
        keys = gp.empty(size, getattr(gp, dtype))
        bundle.sequence(
            f"sort_{dtype}_{size}_{'down' if descending else 'up'}",
            lambda keys, descending=descending: gp.sort(keys, descending=descending),
            keys,
        )
    for side in SIDES:
        for variant in VARIANTS:
            product = partial(gp.matmul, variant=variant)
            bundle.sequence(f"matmul_{variant}_{side}", product, gp.empty((side, side)), gp.empty((side, side)))
    for kernel in (life.generation, mandelbrot.draw, nbody.step):
        bundle.add(kernel)
