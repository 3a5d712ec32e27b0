"""Stages of sorts and products, and numbers by which they are divided into tasks."""

from __future__ import annotations

MAX_CHUNKS = 2000
"""Of a sort: its samples are five to ten times the square of the number, and are put in order by one task."""

MAX_CHUNKS_BY_TASKS = 64
"""Up to which the exchange is by tasks: one for each pair of chunks costs more than p2p's own work above."""

PAIRS = 4
"""Blocks of A and B that a panel of a product multiplies."""

BLOCK_ON_GPUS, BLOCK_ON_CPUS = 8192, 1024
"""Sides of a product's blocks."""

PANEL = 1024
"""Columns of a panel of A in a product of files. Fixed, as sums are in the order of panels."""

PROCESS = 300 << 20
"""Bytes of a worker's process, which no spilling frees."""

STAGES = (
    "sort-run", "sample", "splitters", "cuts", "bounds", "part", "parted", "ready", "frame", "merge", "tail",
    "realign", "column", "panel", "tile", "map-blocks",
)  # fmt: skip
"""In the order of their work: the keys of tasks begin with gpucore- and a stage, by which Dask's dashboard groups
them."""
