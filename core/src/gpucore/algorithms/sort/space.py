"""What `gpucore tune` tries of `SortShape`: values of its fields, and shapes of digits."""

from __future__ import annotations

from itertools import product

from gpucore.algorithms.shapes import DigitShape

SIZES = {
    "whole": (12, 14), "chunks": (18, 20), "chunks_from": (14, 18), "radix_from": (6, 11), "tiles": (16, 24),
    "smallest": (12, 17), "blocks": (13, 14), "merge_up_to": (8, 13), "network_up_to": (14, 18),
}  # fmt: skip
"""The keys that are sorted, as powers of two, in each step: from the first to the second one."""
DIGITS = tuple(DigitShape(0, n, own, own) for n, own in product((256, 512), (4, 8, 12, 15, 16, 18, 20, 22)))
"""The tiles of a digit, for devices with subgroups."""
WHOLE = {"whole_bits": (8, 9, 10, 11)}
CHUNKS = {"chunk_bits": (8, 11), "chunk": (1 << 14, 1 << 15, 1 << 16, 1 << 17), "chunks": (8, 64)}
BLOCKS = {"merge_block": (1024, 2048, 4096, 8192)}
"""Fields that are tried together."""
