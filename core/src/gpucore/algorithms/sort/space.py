"""What `gpucore tune` tries of `SortShape`: values of its fields, and shapes of digits."""

from __future__ import annotations

from itertools import product

from gpucore.algorithms.shapes import DigitShape

DIGITS = tuple(DigitShape(0, n, own, own) for n, own in product((256, 512), (4, 8, 12, 15, 16, 18, 20, 22)))
"""The tiles of a digit, for devices with subgroups."""
WHOLE = {"whole_bits": (8, 9, 10, 11)}
CHUNKS = {"chunk_bits": (8, 11), "chunk": (1 << 14, 1 << 15, 1 << 16, 1 << 17), "chunks": (8, 64)}
BLOCKS = {"merge_block": (1024, 2048, 4096, 8192)}
"""Fields that are tried together."""
