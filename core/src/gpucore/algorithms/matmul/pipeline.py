"""Products of tiles by the device's units for matrices: tiles in workgroup memory, copied ahead (docs/language.md).

Copies run ahead of products. With `UnitTile.is_persistent` a workgroup computes one tile of the product after the
other, and copies run ahead across the ends of tiles, so that a tile is stored while parts of the next one are copied.
The order of the tiles is that of `tiled`.
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.algorithms.matmul.finish import finished
from gpucore.algorithms.matmul.parts import is_last_part, sum_of_parts
from gpucore.algorithms.matmul.straight import is_straight, is_whole, multiply_whole
from gpucore.algorithms.matmul.tiled import tile_of_number
from gpucore.blocks.matrices import copy_group, copy_tile, copy_wait, matrix, multiply_add, store_matrix
from gpucore.blocks.matrices.elements import is_inside, sums_for
from gpucore.blocks.matrices.opaque import made, values_of
from gpucore.blocks.matrices.places import column_offset, first_column, first_row, place_of, row_offset
from gpucore.blocks.reductions import count_invocations
from gpucore.ir import PRECISIONS
from gpucore.types import bf16, f16, f16x2, f32, i32, u32

PAIRS = ((), ((0, 0),), ((0, 1), (1, 0), (0, 0)), ((0, 2), (2, 0), (1, 1), (0, 1), (1, 0), (0, 0)))
"""By the number of parts of which numbers are sums: the parts of a and b that are multiplied, the smallest products
first."""


def count_columns(c):
    """The columns of c or of its matrices, which may be words of two elements."""
    return (2 if c.dtype is u32 else 1) * c.shape[c.ndim - 1]


def count_tiles(c, tile):
    """The rows and the columns of tiles of a matrix of c."""
    return (c.shape[1] + tile.tile_m - 1) // tile.tile_m, (count_columns(c) + tile.tile_n - 1) // tile.tile_n


def place_of_tile(c, number, tile):
    """The matrix of c, and the row and the column of it, at which a tile begins."""
    rows, columns = count_tiles(c, tile)
    batch = number // (rows * columns) if c.shape[0] > 1 else 0
    row, column = tile_of_number(number - batch * rows * columns, rows, columns, tile.group)
    return batch, row * tile.tile_m, column * tile.tile_n


def matrix_of(x, batch, count):
    """The first matrix of x, or of all of its parts, for a matrix of the product: there may be one for all."""
    return gp.min(batch, x.shape[0] // gp.static(max(count, 1)) - 1)


def matrices_of(x, y, batch, count):
    """The matrices of x and y for a matrix of the product; with no count these are none."""
    if count == 0:
        return None, None
    return x[matrix_of(x, batch, 0)], y[matrix_of(y, batch, 0)]


def fetch(left, right, stage, a, b, batch, row, column, k, tile, count):
    """Begin to copy tiles of a and b, from k on; with a count those of all parts, which follow each other. Beyond the
    edges they are zero."""
    parts = gp.static(max(count, 1))
    for p in gp.unroll(range(parts)):
        x, y = a[matrix_of(a, batch, count) * parts + p], b[matrix_of(b, batch, count) * parts + p]
        if tile.turns_a:
            copy_tile(left[stage * parts + p], x, k, row)
        else:
            copy_tile(left[stage * parts + p], x, row, k)
        if tile.turns_b:
            copy_tile(right[stage * parts + p], y, column, k)
        else:
            copy_tile(right[stage * parts + p], y, k, column)


def fetch_next(left, right, stage, a, b, c, number, batch, row, column, k, first, last, tile, count):
    """Begin to copy the tiles of a and b from k on for tile `number` of c, if it has so many; what is copied next."""
    rows, columns = count_tiles(c, tile)
    if number < rows * columns * c.shape[0]:
        fetch(left, right, stage, a, b, batch, row, column, k, tile, count)
    copy_group()
    k += tile.tile_k
    if k >= last:
        k = first
        number += gp.num_workgroups(0)
        batch, row, column = place_of_tile(c, number, tile)
    return number, batch, row, column, k


def product_of(total, x, y, tile):
    """The sums with the product of two tiles, which may be stored by columns."""
    if tile.turns_a and tile.turns_b:
        return multiply_add(x.T, y.T, total, tile.precision)
    if tile.turns_a:
        return multiply_add(x.T, y, total, tile.precision)
    if tile.turns_b:
        return multiply_add(x, y.T, total, tile.precision)
    return multiply_add(x, y, total, tile.precision)


def add_step(total, left, right, stage, tile, count):
    """Add the products of the tiles in a stage. Of several parts they are added up apart, and then in f32."""
    if gp.static(count == 0 or tile.precision != PRECISIONS[0]):
        total = product_of(total, left[stage], right[stage], tile)
    else:
        pairs = gp.static(PAIRS[count])
        part = matrix(f32, (tile.tile_m, tile.tile_n))
        for number in gp.unroll(range(len(pairs))):
            x, y = left[stage * count + pairs[number][0]], right[stage * count + pairs[number][1]]
            part = product_of(part, x, y, tile)
        total = total + part
    return total


def dot(x, y, row, column, first, last, tile):
    """One element of x @ y over the inner range [first, last)."""
    total = f32(0)
    for k in range(first, last):
        left = x[k, row] if tile.turns_a else x[row, k]
        right = y[column, k] if tile.turns_b else y[k, column]
        total = gp.fma(left, right, total)
    return total


def repaired(total, x, y, c, row, column, first, last, tile):
    """The matrix with its NaNs and infinities computed again. Each element is found by its number, so that there is one
    loop."""
    layout, sums = gp.layout_of(total), gp.struct_values(total)
    values, is_finite = gp.private_array(f32, len(sums)), True
    for e in gp.unroll(range(len(sums))):
        values[e] = sums[e]
        is_finite = is_finite and gp.abs(sums[e]) <= gp.max_value(f32)
    if not is_finite:
        for number in range(len(sums)):
            value, i, j = f32(0), 0, 0
            for e in gp.unroll(range(len(sums))):
                if number == e:
                    value = values[e]
                    i, j = place_of(layout, e)
            is_own = not gp.abs(value) <= gp.max_value(f32)
            if is_own and row + i < c.shape[0] and column + j < c.shape[1]:
                value = dot(x, y, row + i, column + j, first, last, tile)
                for e in gp.unroll(range(len(sums))):
                    if number == e:
                        values[e] = value
    return made(layout, values)


def finish_all(c, total, row, column, finish, bias, alpha, beta):
    """The matrix of what is stored, from a row and a column on."""
    layout, sums = gp.layout_of(total), values_of(total)
    values = gp.private_array(layout.dtype, len(sums))
    for e in gp.unroll(range(len(sums))):
        i, j = place_of(layout, e)
        before, added = layout.dtype(0), layout.dtype(0)
        if row + i < c.shape[0] and column + j < count_columns(c):
            if finish.has_before:
                before = layout.dtype(c[row + i, column + j])
            if finish.has_bias:
                added = layout.dtype(bias[0, column + j])
        values[e] = finished(sums[e], before, added, alpha, beta, finish)
    return made(layout, values)


def word_of(dtype, low, high):
    """Two numbers as f16 or bf16 in a word."""
    if dtype is f16:
        return gp.bitcast(u32, f16x2(f16(low), f16(high)))
    return gp.bitcast(u32, f32(bf16(high))) | gp.bitcast(u32, f32(bf16(low))) >> 16


def store_pairs(total, c, row, column, dtype):
    """Store a matrix of fragments as words of two elements."""
    layout, sums = gp.layout_of(total), gp.struct_values(total)
    for e in gp.unroll(range(0, len(sums), 2)):
        i, j = place_of(layout, e)
        if is_inside(c, row + i, (column + j) // 2):
            c[row + i, (column + j) // 2] = word_of(dtype, sums[e], sums[e + 1])


def store_words(total, c, row, column, dtype, scratch, tile):
    """Store a matrix as words of two elements, of which rows are multiples of 16 bytes: some columns after the other go
    through workgroup memory, so that neighbouring invocations store neighbouring vectors."""
    layout, sums, columns = gp.layout_of(total), gp.struct_values(total), gp.static(2 * (tile.words - 4))
    vectors = gp.static(columns // 8)
    for first in gp.unroll(range(0, layout.columns, columns)):
        for e in gp.unroll(range(0, len(sums), 2)):
            i, j = gp.static(layout.place(e))
            if gp.static(first <= j // 2 * 8 < first + columns):
                own = first_column(layout) + column_offset(layout, j) - first
                scratch[first_row(layout) + row_offset(layout, i), own // 2] = word_of(dtype, sums[e], sums[e + 1])
        gp.barrier()
        for place in range(gp.local_index(), gp.static(layout.rows * vectors), count_invocations()):
            i, vector = place // vectors, place % vectors
            word = (column + first) // 2 + 4 * vector
            if row + i < c.shape[0] and word < c.shape[1]:
                gp.vstore(c[row + i], word, gp.vload(scratch[i], 4 * vector, 4))
        gp.barrier()


def store_sums(total, a, x, y, c, row, column, first, last, scratch, tile, count, finish, bias, alpha, beta):
    """Store the sums of a tile, with their finish if there is one. With a count x and y are what is multiplied."""
    if count > 0:
        total = repaired(total, x, y, c, row, column, first, last, tile)
    if finish is not None:
        total = finish_all(c, total, row, column, finish, bias, alpha, beta)
    if scratch is not None:
        store_words(total, c, row, column, a.dtype, scratch, tile)
    elif c.dtype is u32:
        store_pairs(total, c, row, column, a.dtype)
    else:
        store_matrix(total, c, row, column)


def store_tile(
    total, a, x, y, c, at, row, column, number, first, last, scratch, tile, count, finish, bias, alpha, beta, sums,
    counts,
):  # fmt: skip
    """Store the sums of the tile with a number. If there are `sums`, it is stored there as a part, and the workgroup
    that stores the last part stores the sums of all."""
    if sums is None:
        store_sums(total, a, x, y, c[at], row, column, first, last, scratch, tile, count, finish, bias, alpha, beta)
    else:
        found = gp.workgroup_array(i32, 1)
        if count > 0:
            total = repaired(total, x, y, c[at], row, column, first, last, tile)
        store_matrix(total, sums[gp.workgroup_id(1), at], row, column)
        if is_last_part(counts, number, gp.num_workgroups(1) - 1, found):
            whole = sum_of_parts(total, sums, at, row, column)
            store_sums(whole, a, x, y, c[at], row, column, first, last, scratch, tile, 0, finish, bias, alpha, beta)


def multiply(a, b, c, x, y, first, last, tile, count, finish, bias, alpha, beta, sums=None, counts=None):
    """The tiles of c = a @ b of this workgroup over the inner range [first, last), with the finish of their sums if
    there is one. All are of rank 3; one matrix of a or b may be for all of c. With a count a and b are the parts of x
    and y, those of a matrix one after the other. With `sums` the range is the part of this workgroup along y."""
    number_of_tiles = gp.static(tile.stages * max(count, 1))
    left, right = gp.tiles(a.dtype, number_of_tiles, tile.left), gp.tiles(b.dtype, number_of_tiles, tile.right)
    scratch = None
    if c.dtype is u32 and tile.has_words:
        scratch = gp.workgroup_array(u32, gp.static((tile.tile_m, tile.words)))
    if tile.is_persistent:
        multiply_all(
            left, right, a, b, c, x, y, first, last, scratch, tile, count, finish, bias, alpha, beta, sums, counts
        )
    else:
        multiply_one(
            left, right, a, b, c, x, y, first, last, scratch, tile, count, finish, bias, alpha, beta, sums, counts
        )


def multiply_one(
    left, right, a, b, c, x, y, first, last, scratch, tile, count, finish, bias, alpha, beta, sums, counts
):  # fmt: skip
    """The tile of the workgroup's number."""
    number = gp.workgroup_id(0)
    at, row, column = place_of_tile(c, number, tile)
    total = sums_for(a.dtype, (tile.tile_m, tile.tile_n))
    of_a, of_b = a[matrix_of(a, at, count)], b[matrix_of(b, at, count)]
    if gp.static(count == 0) and is_straight(a.dtype, tile):
        if is_whole(of_a, of_b, row, column, first, last, tile):
            total = multiply_whole(left, right, of_a, of_b, row, column, first, last, tile)
        else:
            total = sums_of_one(total, left, right, a, b, at, row, column, first, last, tile, count)
    else:
        total = sums_of_one(total, left, right, a, b, at, row, column, first, last, tile, count)
    of_x, of_y = matrices_of(x, y, at, count)
    store_tile(
        total, a, of_x, of_y, c, at, row, column, number, first, last, scratch, tile, count, finish, bias, alpha, beta,
        sums, counts,
    )  # fmt: skip


def sums_of_one(total, left, right, a, b, at, row, column, first, last, tile, count):
    """The sums of a tile. Copies begin before the products, so that they have these as time."""
    stages, k, stage = gp.static(tile.stages), first, 0
    for s in gp.unroll(range(stages - 1)):
        if k < last:
            fetch(left, right, s, a, b, at, row, column, k, tile, count)
        copy_group()
        k += tile.tile_k
    for _ in range((last - first + tile.tile_k - 1) // tile.tile_k):
        copy_wait(stages - 2)  # all have read the stage before, to which the next copies go
        ahead = stage - 1 if stage > 0 else gp.static(stages - 1)
        if k < last:
            fetch(left, right, ahead, a, b, at, row, column, k, tile, count)
        copy_group()
        k += tile.tile_k
        total = add_step(total, left, right, stage, tile, count)
        stage = stage + 1 if stage < gp.static(stages - 1) else 0
    return total


def multiply_all(
    left, right, a, b, c, x, y, first, last, scratch, tile, count, finish, bias, alpha, beta, sums, counts
):  # fmt: skip
    """The tiles of which the numbers are as many workgroups apart."""
    stages = gp.static(tile.stages)
    number, k, stage = gp.workgroup_id(0), first, 0
    batch, row, column = place_of_tile(c, number, tile)
    for s in gp.unroll(range(stages - 1)):
        number, batch, row, column, k = fetch_next(
            left, right, s, a, b, c, number, batch, row, column, k, first, last, tile, count
        )
    rows, columns = count_tiles(c, tile)
    for own in range(gp.workgroup_id(0), rows * columns * c.shape[0], gp.num_workgroups(0)):
        at, own_row, own_column = place_of_tile(c, own, tile)
        total = sums_for(a.dtype, (tile.tile_m, tile.tile_n))
        for _ in range((last - first + tile.tile_k - 1) // tile.tile_k):
            copy_wait(stages - 2)  # all have read the stage before, to which the next copies go
            total = add_step(total, left, right, stage, tile, count)
            ahead = stage - 1 if stage > 0 else gp.static(stages - 1)
            number, batch, row, column, k = fetch_next(
                left, right, ahead, a, b, c, number, batch, row, column, k, first, last, tile, count
            )
            stage = stage + 1 if stage < gp.static(stages - 1) else 0
        of_x, of_y = matrices_of(x, y, at, count)
        store_tile(
            total, a, of_x, of_y, c, at, own_row, own_column, own, first, last, scratch, tile, count, finish, bias,
            alpha, beta, sums, counts,
        )  # fmt: skip
