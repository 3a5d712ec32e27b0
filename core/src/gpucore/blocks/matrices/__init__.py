"""Products of matrices in kernels: tiles in workgroup memory, copies to them, and matrices that a workgroup holds.

They are helpers in the kernel language. All invocations of the workgroup must reach a call.
"""

from __future__ import annotations

from gpucore.blocks.matrices.copies import copy_group, copy_tile, copy_wait
from gpucore.blocks.matrices.elements import load_matrix, map, matrix, reduce_rows, store_matrix
from gpucore.blocks.matrices.products import multiply_add

__all__ = [
    "copy_group", "copy_tile", "copy_wait", "load_matrix", "map", "matrix", "multiply_add", "reduce_rows",
    "store_matrix",
]  # fmt: skip
