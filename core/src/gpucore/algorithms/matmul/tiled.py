"""The fast matrix multiplication: register tiles, and tiles in workgroup memory.

A workgroup computes `tile_m` x `tile_n` entries of c, in steps of `tile_k` along the inner dimension; an invocation
computes `own_m` x `own_n` of them in registers. The tile of a is stored by rows and read by broadcast.

On GPUs elements are read in vectors of four. Workgroup memory has two buffers: the next tile is loaded into registers
before a step and stored to the other buffer after it, so a step has one barrier. The rows and column vectors of an
invocation are interleaved with those of others, which avoids bank conflicts.

On CPUs a gang of invocations, which run in the lanes of a vector, computes neighbouring columns and copies neighbouring
elements. The columns of a gang are contiguous in workgroup memory, so that a core's cache holds them. A gang computes
`own_m` x `own_n` vectors. There is one buffer, for nothing else runs on a core while it waits for a load.

Sources: S. Boehm, "How to optimize a CUDA matmul kernel for cuBLAS-like performance" (2022); K. Goto and R. van de
Geijn, "Anatomy of high-performance matrix multiplication" (2008).
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.matmul.finish import Finish, finish_vector
from gpucore.algorithms.matmul.versions import range_of_part
from gpucore.algorithms.shapes import Tile
from gpucore.blocks.matrices.products import sum_type
from gpucore.calls import Kernel, kernel
from gpucore.hints import Const, In, InOut, Out
from gpucore.types import DType, ElementDType, bf16, f16, f32, f32x4, f64, i32, i32x4, i64, u32, u32x4, u64

T = TypeVar("T", f32, i32, u32, f16, bf16, f64, i64, u64)
V = TypeVar("V", f32x4, i32x4, u32x4)
S = TypeVar("S", f32, i32, u32, f64, i64, u64)
INSIDE = 2
"""Elements that are in a matrix, and so need no guards: in the place of `guarded`, which is a bool."""
VECTORS: dict[ElementDType, DType] = {f32: f32x4, i32: i32x4, u32: u32x4}


def tile_of_workgroup(rows, columns, group):
    """The row and column of this workgroup's tile."""
    return tile_of_number(gp.workgroup_id(0), rows, columns, group)


def tile_of_number(number, rows, columns, group):
    """The row and column of a tile: within `group` rows of tiles, the order is column by column."""
    band = number // (group * columns)
    inside = number - band * group * columns
    height = gp.min(rows - band * group, group)
    return band * group + inside % height, inside // height


def load_vector(matrix, row, column, rows, columns, vector, tile, guarded):
    """The vector at a row and a column, counted in vectors. Guarded: by elements, with zeros beyond the edges; INSIDE:
    by elements, all of which are in the matrix."""
    if not guarded or (guarded == INSIDE and tile.width == 1):
        return matrix[row, column]
    if guarded == INSIDE:
        first = 4 * column
        return vector(matrix[row, first], matrix[row, first + 1], matrix[row, first + 2], matrix[row, first + 3])
    if tile.width == 1:
        return load_element(matrix, row, column, rows, columns)
    return vector(
        load_element(matrix, row, 4 * column, rows, columns),
        load_element(matrix, row, 4 * column + 1, rows, columns),
        load_element(matrix, row, 4 * column + 2, rows, columns),
        load_element(matrix, row, 4 * column + 3, rows, columns),
    )


def load_element(matrix, row, column, rows, columns):
    """One element, zero beyond the edges."""
    return matrix[row, column] if row < rows and column < columns else matrix.dtype(0)


def store_vector(matrix, row, column, value, tile, guarded):
    """Store a vector; guarded: only the elements inside the matrix."""
    if not guarded:
        matrix[row, column] = value
    elif tile.width == 1:
        if row < matrix.shape[0] and column < matrix.shape[1]:
            matrix[row, column] = value
    else:
        for part in gp.unroll(range(4)):
            if row < matrix.shape[0] and 4 * column + part < matrix.shape[1]:
                matrix[row, 4 * column + part] = value[part]


def place_in_tile(t, q, count, tile):
    """Where the vector number q of the `count` that this invocation copies is in a tile, row by row."""
    gang = gp.static(tile.gang or tile.invocations)
    if gang == tile.invocations:
        return t + q * gang
    return t // gang * (gang * count) + q * gang + t % gang


def load_left(a, place, row, k, last, vector, tile, guarded):
    """The vector of a for a place in its tile, which begins at a row and at k."""
    length = gp.static(tile.tile_k // tile.width)
    row, column = row + place // length, k // gp.static(tile.width) + place % length
    return load_vector(a, row, column, a.shape[0], last, vector, tile, guarded)


def load_right(b, place, column, k, last, vector, tile, guarded):
    """The vector of b for a place in its tile, which begins at a column and at k."""
    length = gp.static(tile.tile_n // tile.width)
    return load_vector(b, k + place // length, column + place % length, last, b.shape[1], vector, tile, guarded)


def left_index(place, tile):
    """Where the vector for a place in the tile of a is in workgroup memory."""
    length, padding = gp.static((tile.tile_k // tile.width, tile.padding))
    return place if padding == 0 else place + place // length * padding


def right_index(place, tile):
    """Where the vector for a place in the tile of b is in workgroup memory: strip by strip."""
    length, strip = gp.static((tile.tile_n // tile.width, tile.strip_width))
    if strip == length:
        return place
    inside = place % length
    return inside // strip * gp.static(tile.tile_k * strip) + place // length * strip + inside % strip


def are_whole(a, b, row, column, k, last, tile):
    """Whether the tiles of a and b, which begin at a row, at a column counted in vectors and at k, have no edges."""
    tile_m, tile_n, tile_k = gp.static((tile.tile_m, tile.tile_n, tile.tile_k))
    return row + tile_m <= a.shape[0] and tile.width * column + tile_n <= b.shape[1] and k + tile_k <= last


def load_tiles(a, b, next_a, next_b, t, row, column, k, last, vector, tile, guarded):
    """Load this invocation's part of the next tiles of a and b into registers; without guards if they have no edges."""
    if guarded:
        if are_whole(a, b, row, column, k, last, tile):
            load_vectors(a, b, next_a, next_b, t, row, column, k, last, vector, tile, INSIDE)
        else:
            load_vectors(a, b, next_a, next_b, t, row, column, k, last, vector, tile, True)
    else:
        load_vectors(a, b, next_a, next_b, t, row, column, k, last, vector, tile, False)


def load_vectors(a, b, next_a, next_b, t, row, column, k, last, vector, tile, guarded):
    """Load this invocation's part, vector by vector."""
    for q in gp.unroll(range(len(next_a))):
        next_a[q] = load_left(a, place_in_tile(t, q, len(next_a), tile), row, k, last, vector, tile, guarded)
    for q in gp.unroll(range(len(next_b))):
        next_b[q] = load_right(b, place_in_tile(t, q, len(next_b), tile), column, k, last, vector, tile, guarded)


def store_tiles(left, right, next_a, next_b, t, stage, tile):
    """Store the loaded part to one of the two buffers in workgroup memory, `stage`."""
    start_a, start_b = stage * gp.static(tile.left_length), stage * gp.static(tile.right_length)
    for q in gp.unroll(range(len(next_a))):
        left[start_a + t + q * tile.invocations] = next_a[q]
    for q in gp.unroll(range(len(next_b))):
        right[start_b + t + q * tile.invocations] = next_b[q]


def copy_tiles(a, b, left, right, t, row, column, k, last, vector, tile, guarded):
    """Copy this invocation's part of tiles of a and b to workgroup memory; without guards if they have no edges."""
    if guarded:
        if are_whole(a, b, row, column, k, last, tile):
            copy_vectors(a, b, left, right, t, row, column, k, last, vector, tile, False)
        else:
            copy_vectors(a, b, left, right, t, row, column, k, last, vector, tile, True)
    else:
        copy_vectors(a, b, left, right, t, row, column, k, last, vector, tile, False)


def copy_vectors(a, b, left, right, t, row, column, k, last, vector, tile, guarded):
    """Copy this invocation's part, vector by vector."""
    count_a, count_b = gp.static((tile.loads_a, tile.loads_b))
    for q in range(count_a):
        place = place_in_tile(t, q, count_a, tile)
        left[left_index(place, tile)] = left.dtype(load_left(a, place, row, k, last, vector, tile, guarded))
    for q in range(count_b):
        place = place_in_tile(t, q, count_b, tile)
        right[right_index(place, tile)] = right.dtype(load_right(b, place, column, k, last, vector, tile, guarded))


def prefetch_tiles(a, b, t, row, column, k, part, tile):
    """Prefetch a part of what this invocation copies of the next tiles of a and b."""
    length_a, length_b, parts = gp.static((tile.tile_k // tile.width, tile.tile_n // tile.width, tile.parts))
    count_a, count_b = gp.static((tile.loads_a, tile.loads_b))
    for first in gp.unroll(range(0, gp.static(max(tile.loads_a, tile.loads_b)), parts)):
        q = first + part
        place_a, place_b = place_in_tile(t, q, count_a, tile), place_in_tile(t, q, count_b, tile)
        if q < count_a:
            gp.prefetch(a, (row + place_a // length_a, k // tile.width + place_a % length_a))
        if q < count_b:
            gp.prefetch(b, (k + place_b // length_b, column + place_b % length_b))


def num_parts(rest, has_entries, tile, guarded):
    """The parts of the tiles that an invocation multiplies: those with some of the `rest` of the inner dimension."""
    parts, length = gp.static((tile.parts, tile.tile_k // tile.parts))
    if not guarded:
        return parts
    return gp.min(parts, (rest + (length - 1)) // length) if has_entries else 0


def component(value, k, width):
    """Component number k of a vector; with a width of 1, the value itself."""
    return value if width == 1 else value[k]


def multiply_tiles(left, right, sums, x, y, z, stage, tile, part):
    """Add the product of a part of the tiles in buffer `stage`, as long as `unrolled`, to the sums."""
    width, own_m, vectors = gp.static((tile.width, tile.own_m, tile.own_n // tile.width))
    row_a, row_b, strip = gp.static((tile.left_row, tile.strip_width, tile.strip))
    steps = gp.static(tile.tile_k // tile.parts // tile.width)
    start_a = stage * gp.static(tile.left_length) + y * (tile.row_factor * row_a) + part * steps
    start_b = stage * gp.static(tile.right_length) + (z * tile.tile_k + part * (steps * width)) * row_b + x
    for outer in gp.unroll(range(steps)):
        rows = gp.private_array(left.dtype, own_m)
        for i in gp.unroll(range(own_m)):
            rows[i] = left[start_a + (i * tile.row_step * row_a + outer)]
        for k in gp.unroll(range(width)):
            for j in gp.unroll(range(vectors)):
                columns = right[start_b + ((width * outer + k) * row_b + j * strip)]
                for i in gp.unroll(range(own_m)):
                    if left.dtype in (f32, f32x4, f64):
                        sums[i, j] = gp.fma(left.dtype(component(rows[i], k, width)), columns, sums[i, j])
                    else:
                        sums[i, j] += component(rows[i], k, width) * columns


def place_of_invocation(t, tile):
    """The place of an invocation in its strip of columns, that of its rows, and that of the strip."""
    strip, size_y = gp.static((tile.strip, tile.tile_m // tile.own_m))
    if tile.gang == 0:
        return t % strip, t // strip, 0
    return t % strip, t // strip % size_y, t // (strip * size_y)


def place_of_entry(row, column, x, y, z, i, j, tile):
    """The row and column of entry i, j of an invocation. Computed where it is used: kept, it would cost a register."""
    return (
        row + y * tile.row_factor + i * tile.row_step,
        column + z * tile.strip_width + x + j * tile.strip,
    )


def load_sums(c, sums, row, column, x, y, z, vector, tile, guarded):
    """Begin with the contents of c."""
    for i in gp.unroll(range(tile.own_m)):
        for j in gp.unroll(range(gp.static(tile.own_n // tile.width))):
            own_row, own_column = place_of_entry(row, column, x, y, z, i, j, tile)
            before = load_vector(c, own_row, own_column, c.shape[0], c.shape[1], vector, tile, guarded)
            sums[i, j] = sums.dtype(before)


def store_sums(c, sums, row, column, x, y, z, vector, tile, guarded):
    """Store the entries that an invocation has computed."""
    for i in gp.unroll(range(tile.own_m)):
        for j in gp.unroll(range(gp.static(tile.own_n // tile.width))):
            own_row, own_column = place_of_entry(row, column, x, y, z, i, j, tile)
            store_vector(c, own_row, own_column, vector(sums[i, j]), tile, guarded)


def finish_sums(c, sums, row, column, x, y, z, vector, tile, guarded, finish, bias, alpha, beta):
    """Make the sums of an invocation what is stored."""
    width, total = gp.static((tile.width, sum_type(vector)))
    for i in gp.unroll(range(tile.own_m)):
        for j in gp.unroll(range(gp.static(tile.own_n // tile.width))):
            own_row, own_column = place_of_entry(row, column, x, y, z, i, j, tile)
            before, added = total(0), total(0)
            if finish.has_before:
                before = total(load_vector(c, own_row, own_column, c.shape[0], c.shape[1], vector, tile, guarded))
            if finish.has_bias:
                added = total(load_vector(bias, 0, own_column, 1, bias.shape[1], vector, tile, guarded))
            sums[i, j] = finish_vector(sums[i, j], before, added, alpha, beta, finish, width)


def product(a, b, c, first, last, vector, tile, guarded, finish, bias, alpha, beta, adds):
    """One tile of c = a @ b over the inner range [first, last); with `adds`, if first > 0, added to what c holds."""
    tile_m, tile_k, width, total = gp.static((tile.tile_m, tile.tile_k, tile.tile_n // tile.width, sum_type(vector)))
    left = gp.workgroup_array(total, gp.static(tile.buffers * tile.left_length))
    right = gp.workgroup_array(total, gp.static(tile.buffers * tile.right_length))
    sums = gp.private_array(total, gp.static((tile.own_m, tile.own_n // tile.width)))
    if tile.gang > 0:
        first = gp.max(first, 0)  # so that the cpu backend sees that no index is negative
    t = gp.local_id(0)
    x, y, z = place_of_invocation(t, tile)
    columns = (c.shape[1] + tile.width - 1) // tile.width if guarded else c.shape[1]
    tile_row, tile_column = tile_of_workgroup(
        (c.shape[0] + tile_m - 1) // tile_m, (columns + width - 1) // width, gp.static(tile.group)
    )
    row, column = tile_row * tile_m, tile_column * width
    if adds and first > 0:
        load_sums(c, sums, row, column, x, y, z, vector, tile, guarded)
    if tile.buffers == 1:
        for step in range((last - first + tile_k - 1) // tile_k):
            k = first + step * tile_k
            copy_tiles(a, b, left, right, t, row, column, k, last, vector, tile, guarded)
            gp.barrier()
            own_row, strip_column = row + y * tile.row_factor, column + z * tile.strip_width
            parts = num_parts(last - k, own_row < c.shape[0] and strip_column < c.shape[1], tile, guarded)
            for part in range(parts):
                prefetch_tiles(a, b, t, row, column, k + tile_k, part, tile)
                multiply_tiles(left, right, sums, x, y, z, 0, tile, part)
            gp.barrier()
    else:
        next_a = gp.private_array(vector, tile.loads_a)
        next_b = gp.private_array(vector, tile.loads_b)
        load_tiles(a, b, next_a, next_b, t, row, column, first, last, vector, tile, guarded)
        store_tiles(left, right, next_a, next_b, t, 0, tile)
        gp.barrier()
        steps = (last - first + tile_k - 1) // tile_k
        for step in range(steps):
            if step + 1 < steps:
                k = first + (step + 1) * tile_k
                load_tiles(a, b, next_a, next_b, t, row, column, k, last, vector, tile, guarded)
            multiply_tiles(left, right, sums, x, y, z, step & 1, tile, 0)
            if step + 1 < steps:
                store_tiles(left, right, next_a, next_b, t, (step + 1) & 1, tile)
            gp.barrier()
    if finish is not None:
        finish_sums(c, sums, row, column, x, y, z, vector, tile, guarded, finish, bias, alpha, beta)
    store_sums(c, sums, row, column, x, y, z, vector, tile, guarded)


def make_kernels(tile: Tile) -> tuple[Kernel, Kernel]:
    """The kernel for shapes of whole tiles, in vectors of four; and the one for elements, with guarded accesses."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_vectors(
        a: In[V, 2], b: In[V, 2], c: InOut[V, 2], first: i32, last: i32, vector: Const[type], tile: Const[Tile]
    ):
        product(a, b, c, first, last, vector, tile, False, None, None, None, None, True)

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_elements(
        a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32, vector: Const[type], tile: Const[Tile],
        guarded: Const[bool],
    ):  # fmt: skip
        product(a, b, c, first, last, vector, tile, guarded, None, None, None, None, True)

    return matmul_vectors, matmul_elements


def make_finishing_kernels(tile: Tile) -> tuple[Kernel, Kernel]:
    """As `make_kernels`, with the finish of all sums. `bias` has one row, of any length if there is no bias."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_vectors(
        a: In[V, 2], b: In[V, 2], c: InOut[V, 2], bias: In[V, 2], alpha: S, beta: S, last: i32, vector: Const[type],
        tile: Const[Tile], finish: Const[Finish],
    ):  # fmt: skip
        product(a, b, c, 0, last, vector, tile, False, finish, bias, alpha, beta, False)

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_elements(
        a: In[T, 2], b: In[T, 2], c: InOut[T, 2], bias: In[T, 2], alpha: S, beta: S, last: i32, vector: Const[type],
        tile: Const[Tile], guarded: Const[bool], finish: Const[Finish],
    ):  # fmt: skip
        product(a, b, c, 0, last, vector, tile, guarded, finish, bias, alpha, beta, False)

    return matmul_vectors, matmul_elements


def make_parts_kernel(tile: Tile) -> Kernel:
    """The kernel for parts of the inner dimension, each of `length`: sums[p] is the product over part p."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_parts(
        a: In[T, 2], b: In[T, 2], sums: Out[T, 3], length: i32, vector: Const[type], tile: Const[Tile],
    ):  # fmt: skip
        part = gp.workgroup_id(1)
        first, last = range_of_part(part, length, a.shape[1])
        product(a, b, sums[part], first, last, vector, tile, True, None, None, None, None, False)

    return matmul_parts
