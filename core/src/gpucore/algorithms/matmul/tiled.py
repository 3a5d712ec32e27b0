"""The fast matrix multiplication: register tiles, double-buffered tiles in workgroup memory, vectors of four.

A workgroup computes `tile_m` x `tile_n` entries of c, in steps of `tile_k` along the inner dimension; an invocation
computes `own_m` x `own_n` of them in registers. Workgroup memory has two buffers: the next tile is loaded into
registers before a step and stored to the other buffer after it, so a step has one barrier. a is stored in vectors along
k, read by broadcast; b in vectors along n. The rows and column vectors of an invocation are interleaved with those of
others, which avoids bank conflicts. Source: S. Boehm, "How to optimize a CUDA matmul kernel for cuBLAS-like
performance" (2022).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import gpucore.lang as gp
from gpucore.kernel import Kernel, kernel
from gpucore.types import Const, DType, ElementDType, In, InOut, f32, f32x4, i32, i32x4, u32, u32x4

T = TypeVar("T", f32, i32, u32)
V = TypeVar("V", f32x4, i32x4, u32x4)
VECTORS: dict[ElementDType, DType] = {f32: f32x4, i32: i32x4, u32: u32x4}


@dataclass(frozen=True, slots=True)
class Tile:
    """The shape of a tile: multiples of 4. `group` rows of tiles run together, to share columns of b in the cache."""

    tile_m: int
    tile_n: int
    tile_k: int
    own_m: int
    own_n: int
    group: int = 8

    @property
    def invocations(self) -> int:
        """Invocations of a workgroup."""
        return (self.tile_m // self.own_m) * (self.tile_n // self.own_n)

    @property
    def workgroup_memory(self) -> int:
        """Bytes of workgroup memory, of 32-bit elements."""
        return 2 * 4 * self.tile_k * (self.tile_m + self.tile_n)


def tile_of_workgroup(rows, columns, group):
    """The row and column of this workgroup's tile: within `group` rows of tiles, the order is column by column."""
    number = gp.workgroup_id(0)
    band = number // (group * columns)
    inside = number - band * group * columns
    height = gp.min(rows - band * group, group)
    return band * group + inside % height, inside // height


def load_vector(matrix, row, column, rows, columns, vector, guarded):
    """The vector at a row and a column, counted in vectors. Guarded: by elements, with zeros beyond the edges."""
    if not guarded:
        return matrix[row, column]
    return vector(
        load_element(matrix, row, 4 * column, rows, columns),
        load_element(matrix, row, 4 * column + 1, rows, columns),
        load_element(matrix, row, 4 * column + 2, rows, columns),
        load_element(matrix, row, 4 * column + 3, rows, columns),
    )


def load_element(matrix, row, column, rows, columns):
    """One element, zero beyond the edges."""
    return matrix[row, column] if row < rows and column < columns else matrix.dtype(0)


def store_vector(matrix, row, column, value, guarded):
    """Store a vector; guarded: only the elements inside the matrix."""
    if guarded:
        for part in gp.unroll(range(4)):
            if row < matrix.shape[0] and 4 * column + part < matrix.shape[1]:
                matrix[row, 4 * column + part] = value[part]
    else:
        matrix[row, column] = value


def load_tiles(a, b, next_a, next_b, t, row, column, k, last, vector, tile, guarded):
    """Load this invocation's part of the next tiles of a and b into registers."""
    size, width_a, width_b = gp.static((tile.invocations, tile.tile_k // 4, tile.tile_n // 4))
    for q in gp.unroll(range(len(next_a))):
        place = t + q * size
        next_a[q] = load_vector(a, row + place // width_a, k // 4 + place % width_a, a.shape[0], last, vector, guarded)
    for q in gp.unroll(range(len(next_b))):
        place = t + q * size
        next_b[q] = load_vector(b, k + place // width_b, column + place % width_b, last, b.shape[1], vector, guarded)


def store_tiles(left, right, next_a, next_b, t, stage, tile):
    """Store the loaded part to one of the two buffers in workgroup memory, `stage`."""
    size, vectors_a, vectors_b = gp.static(
        (tile.invocations, tile.tile_m * tile.tile_k // 4, tile.tile_k * tile.tile_n // 4)
    )
    for q in gp.unroll(range(len(next_a))):
        left[stage * vectors_a + t + q * size] = next_a[q]
    for q in gp.unroll(range(len(next_b))):
        right[stage * vectors_b + t + q * size] = next_b[q]


def multiply_tiles(left, right, sums, x, y, stage, vector, tile):
    """Add the product of the tiles in buffer `stage` to the sums."""
    tile_m, tile_n, tile_k, own_m, own_n = gp.static((tile.tile_m, tile.tile_n, tile.tile_k, tile.own_m, tile.own_n))
    start_a = stage * (tile_m * tile_k // 4) + y * (tile_k // 4)
    start_b = stage * (tile_k * tile_n // 4) + x
    for k4 in gp.unroll(range(tile_k // 4)):
        rows = gp.private_array(vector, own_m)
        for i in gp.unroll(range(own_m)):
            rows[i] = left[start_a + (i * (tile_m // own_m) * (tile_k // 4) + k4)]
        for k in gp.unroll(range(4)):
            for j in gp.unroll(range(own_n // 4)):
                columns = right[start_b + ((4 * k4 + k) * (tile_n // 4) + j * (tile_n // own_n))]
                for i in gp.unroll(range(own_m)):
                    if vector is f32x4:
                        sums[i, j] = gp.fma(vector(rows[i][k]), columns, sums[i, j])
                    else:
                        sums[i, j] += rows[i][k] * columns


def product(a, b, c, first, last, vector, tile, guarded):
    """One tile of c = a @ b over the inner range [first, last); if first > 0, added to the contents of c."""
    tile_m, tile_n, tile_k, own_m, own_n = gp.static((tile.tile_m, tile.tile_n, tile.tile_k, tile.own_m, tile.own_n))
    size_x, size_y, width = gp.static((tile_n // own_n, tile_m // own_m, tile_n // 4))
    left = gp.workgroup_array(vector, 2 * tile_m * tile_k // 4)
    right = gp.workgroup_array(vector, 2 * tile_k * tile_n // 4)
    sums = gp.private_array(vector, (own_m, own_n // 4))
    next_a = gp.private_array(vector, tile_m * tile_k // 4 // (size_x * size_y))
    next_b = gp.private_array(vector, tile_k * tile_n // 4 // (size_x * size_y))
    t = gp.local_id(0)
    x, y = t % size_x, t // size_x
    vectors = (c.shape[1] + 3) // 4 if guarded else c.shape[1]
    tile_row, tile_column = tile_of_workgroup(
        (c.shape[0] + tile_m - 1) // tile_m, (vectors + width - 1) // width, gp.static(tile.group)
    )
    row, column = tile_row * tile_m, tile_column * width
    if first > 0:
        for i in gp.unroll(range(own_m)):
            for j in gp.unroll(range(own_n // 4)):
                sums[i, j] = load_vector(
                    c, row + y + i * size_y, column + x + j * size_x, c.shape[0], c.shape[1], vector, guarded
                )
    load_tiles(a, b, next_a, next_b, t, row, column, first, last, vector, tile, guarded)
    store_tiles(left, right, next_a, next_b, t, 0, tile)
    gp.barrier()
    steps = (last - first + tile_k - 1) // tile_k
    for step in range(steps):
        if step + 1 < steps:
            k = first + (step + 1) * tile_k
            load_tiles(a, b, next_a, next_b, t, row, column, k, last, vector, tile, guarded)
        multiply_tiles(left, right, sums, x, y, step & 1, vector, tile)
        if step + 1 < steps:
            store_tiles(left, right, next_a, next_b, t, (step + 1) & 1, tile)
        gp.barrier()
    for i in gp.unroll(range(own_m)):
        for j in gp.unroll(range(own_n // 4)):
            store_vector(c, row + y + i * size_y, column + x + j * size_x, sums[i, j], guarded)


def make_kernels(tile: Tile) -> tuple[Kernel, Kernel]:
    """The kernels for shapes of whole tiles, and for other shapes, with guarded accesses."""

    @kernel(workgroup_size=tile.invocations)
    def matmul_full(
        a: In[V, 2], b: In[V, 2], c: InOut[V, 2], first: i32, last: i32, vector: Const[type], tile: Const[Tile]
    ):
        product(a, b, c, first, last, vector, tile, False)

    @kernel(workgroup_size=tile.invocations)
    def matmul_guarded(
        a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32, vector: Const[type], tile: Const[Tile]
    ):
        product(a, b, c, first, last, vector, tile, True)

    return matmul_full, matmul_guarded
