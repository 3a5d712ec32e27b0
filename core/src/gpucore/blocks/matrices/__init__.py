"""Products of matrices in kernels: tiles in workgroup memory, copies to them, and matrices that a workgroup holds.

They are helpers in the kernel language, of `elements`, `copies` and `products`. All invocations of the workgroup must
reach a call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.blocks.matrices import copies, elements, products
from gpucore.blocks.public import public


@public(elements.matrix)
def matrix(dtype: Any, shape: tuple[int, int], value: Any = 0) -> Any:
    """A matrix of the workgroup, with `value` in each element. The invocations hold its elements, in registers.

    `dtype` is f32, f16, f64, i32, u32, i64 or u64, and `shape` the rows and columns, known at compile time. `+`, `-`
    and `*` with a matrix of its type or a number work element by element; `c += x @ y` adds the product of two tiles,
    as `gp.multiply_add` does. It is assigned, passed to helpers and returned by them as a number is. All invocations of
    the workgroup must reach what is done with it.
    """


@public(products.multiply_add)
def multiply_add(x: Any, y: Any, c: Any) -> Any:
    """`x @ y + c` for tiles x of (m, k) and y of (k, n), or transposes of tiles, and a matrix c of (m, n).

    The tiles have one dtype, and c that of the sums: f32 for f16, i32 for i8, u32 for u8, otherwise theirs. The error
    of a sum of floats is at most 2 k 2**-24 (|x| @ |y|) for f32; the order of the additions is open. All invocations of
    the workgroup must reach it, after the tiles were copied (`gp.copy_wait`) or written and ordered by `gp.barrier`.
    """


@public(elements.map_matrix)
def map(f: Callable[..., Any], c: Any, other: Any = None, indices: bool = False) -> Any:
    """The matrix of `f(value)` for each element of c; with `other`, a matrix of its shape or a number, of
    `f(value, its value)`. With `indices`, f gets the row and the column in the matrix too, i32. f is a helper."""


@public(elements.load_matrix)
def load_matrix(array: Any, row: Any, column: Any, shape: tuple[int, int]) -> Any:
    """The matrix of the elements of an array of rank 2, or of a tile, from a row and a column on.

    Beyond the edges it is zero.
    """


@public(elements.store_matrix)
def store_matrix(c: Any, array: Any, row: Any, column: Any) -> None:
    """Store a matrix to an array of rank 2, or to a tile, from a row and a column on, converted to its dtype.

    What lies beyond the edges is not stored.
    """


@public(copies.copy_tile)
def copy_tile(tile: Any, array: Any, row: Any, column: Any) -> None:
    """Begin to copy the part of an array of rank 2 that begins at a row and a column to a tile; zeros beyond the edges.

    The workgroup copies. The tile may be read after `gp.copy_wait`, and the part must not be written until then.
    """


@public(copies.copy_group)
def copy_group() -> None:
    """End a group of copies: those since the group before."""


@public(copies.copy_wait)
def copy_wait(pending: int = 0) -> None:
    """Wait until at most `pending` groups of copies are under way, and for all invocations of the workgroup.

    The tiles of the others may then be read by all. `pending` is known at compile time; with 0, all copies have ended,
    also those that are in no group.
    """
