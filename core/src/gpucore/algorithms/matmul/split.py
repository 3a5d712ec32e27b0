"""Products of f32 by units for matrices of bf16: each number is the sum of parts, and parts are multiplied.

x = h + m + l, with h the nearest bf16 of x, m that of x - h and l that of the rest, holds all 24 bits of an f32 of
2**-110 and more; the bits of smaller ones below 2**-133 are lost. Of the nine products of two such sums the six largest
are added: what is left out is about 2**-23 of |x y| at most. The units add with fewer bits than f32 and round towards
zero, so their sums are added to f32 in registers after each tile. With two parts three products are added, with an
error of 2**-15 of |x y|.

An infinity, a NaN or a magnitude that rounds to infinity in bf16 makes the sums infinite or NaN. Such elements are
computed again from the matrices themselves, and so are those of IEEE 754.

Sources: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32
theoretical peak performance" (2022); G. Henry, P. T. P. Tang and A. Heinecke, "Leveraging the bfloat16 artificial
intelligence datatype for higher-precision computations" (2019).
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.matmul.units import finish_all, place_of_workgroup
from gpucore.algorithms.matmul.versions import range_of_part
from gpucore.algorithms.shapes import UnitTile
from gpucore.blocks.matrices import PANEL, copy_group, copy_panels, copy_wait, matrix, moved_piece, store_matrix
from gpucore.blocks.matrices.opaque import made
from gpucore.blocks.matrices.places import place_of
from gpucore.calls import Kernel, kernel
from gpucore.hints import Const, In, InOut, Out
from gpucore.types import bf16, f32, f32x4, i32, u32, u32x2

E = TypeVar("E", f32, f32x4)
PAIRS = {3: ((0, 2), (2, 0), (1, 1), (0, 1), (1, 0), (0, 0)), 2: ((0, 1), (1, 0), (0, 0)), 1: ((0, 0),)}
"""By the number of parts: the parts of a and b that are multiplied, the smallest products first."""


def bits_of(value):
    """The bits of the nearest bf16 of an f32, as the upper half of a word."""
    return gp.bitcast(u32, f32(bf16(value)))


def load_four(x, i, j):
    """Four elements of a row, the j-th ones; beyond the columns 0."""
    four = f32x4(0)
    if x.dtype is f32x4:
        if j < x.shape[1]:
            four = x[i, j]
    else:
        for q in gp.unroll(range(4)):
            if 4 * j + q < x.shape[1]:
                four[q] = x[i, 4 * j + q]
    return four


def store_parts(parts, x, i, j, count):
    """The parts of the j-th four elements of row i of x, each the nearest bf16 of what the ones before leave."""
    rest = f32x4(0)
    if i < x.shape[0]:
        rest = load_four(x, i, j)
    fours, panels = gp.static(PANEL // 4), parts.shape[0] // count
    piece = moved_piece(j % fours // 2, i)
    for p in gp.unroll(range(count)):
        a, b, c, d = bits_of(rest.x), bits_of(rest.y), bits_of(rest.z), bits_of(rest.w)
        parts[p * panels + j // fours, i, piece * 2 + j % 2] = u32x2(b | a >> 16, d | c >> 16)
        rest -= f32x4(gp.bitcast(f32, a), gp.bitcast(f32, b), gp.bitcast(f32, c), gp.bitcast(f32, d))


@kernel(workgroup_size=256)
def split(x: In[E, 2], y: In[E, 2], of_x: Out[u32x2, 3], of_y: Out[u32x2, 3], count: Const[int]):
    """The parts of each element of two matrices in panels, four elements of a row at once. The first panels have the
    largest parts. Beyond the rows and columns the parts are 0. The rows of y follow those of x in the grid."""
    row, j = gp.global_id(1), gp.global_id(0)
    i = row - of_x.shape[1]
    if i < 0:
        if j < of_x.shape[0] // count * gp.static(PANEL // 4):
            store_parts(of_x, x, row, j, count)
    elif i < of_y.shape[1] and j < of_y.shape[0] // count * gp.static(PANEL // 4):
        store_parts(of_y, y, i, j, count)


def fetch(left, right, a, b, stage, row, column, k, last, count):
    """Begin to copy the tiles of all parts of a and b, from k on."""
    if k < last:
        for p in gp.unroll(range(count)):
            copy_panels(left[stage * count + p], a, row, p * (a.shape[0] // count) + k // PANEL)
            copy_panels(right[stage * count + p], b, k, p * (b.shape[0] // count) + column // PANEL)
    copy_group()


def dot(x, y, row, column, first, last):
    """One element of x @ y over the inner range [first, last)."""
    total = f32(0)
    for k in range(first, last):
        total = gp.fma(x[row, k], y[k, column], total)
    return total


def repaired(total, x, y, row, column, first, last):
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
            if is_own and row + i < x.shape[0] and column + j < y.shape[1]:
                value = dot(x, y, row + i, column + j, first, last)
                for e in gp.unroll(range(len(sums))):
                    if number == e:
                        values[e] = value
    return made(layout, values)


def multiply(a, b, c, x, y, first, last, tile, count, finish, bias, alpha, beta):
    """One tile of c = x @ y, whose parts are a and b, over the inner range [first, last), with the finish of its sums
    if there is one."""
    stages, pairs = gp.static((tile.stages, PAIRS[count]))
    left = gp.tiles(bf16, stages * count, (tile.tile_m, tile.tile_k))
    right = gp.tiles(bf16, stages * count, (tile.tile_k, tile.tile_n))
    row, column = place_of_workgroup(c, tile)
    for s in gp.unroll(range(stages - 1)):
        fetch(left, right, a, b, s, row, column, first + s * tile.tile_k, last, count)
    total = matrix(f32, (tile.tile_m, tile.tile_n))
    for step in range((last - first + tile.tile_k - 1) // tile.tile_k):
        copy_wait(stages - 2)  # all have read the stage before, to which the next copies go
        stage, ahead = step % stages * count, step + stages - 1
        fetch(left, right, a, b, ahead % stages, row, column, first + ahead * tile.tile_k, last, count)
        part = matrix(f32, (tile.tile_m, tile.tile_n))
        for number in gp.unroll(range(len(pairs))):
            part += left[stage + pairs[number][0]] @ right[stage + pairs[number][1]]
        total = total + part
    total = repaired(total, x, y, row, column, first, last)
    if finish is not None:
        total = finish_all(c, total, row, column, finish, bias, alpha, beta)
    store_matrix(total, c, row, column)


@cache
def make_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """The kernel for workgroups of a size, of which so many share a multiprocessor."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_split(
        a: In[bf16, 3], b: In[bf16, 3], c: Out[f32, 2], x: In[f32, 2], y: In[f32, 2], tile: Const[UnitTile],
        count: Const[int],
    ):  # fmt: skip
        multiply(a, b, c, x, y, 0, x.shape[1], tile, count, None, None, None, None)

    return matmul_split


@cache
def make_finishing_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, with the finish of all sums. `bias` has one row, of any length if there is no bias."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_split(
        a: In[bf16, 3], b: In[bf16, 3], c: InOut[f32, 2], x: In[f32, 2], y: In[f32, 2], bias: In[f32, 2], alpha: f32,
        beta: f32, tile: Const[UnitTile], count: Const[int], finish: Const[Finish],
    ):  # fmt: skip
        multiply(a, b, c, x, y, 0, x.shape[1], tile, count, finish, bias, alpha, beta)

    return matmul_split


@cache
def make_parts_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, for parts of the inner dimension, each of `length`, which is whole tiles: sums[p] is the
    product over part p."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_split_parts(
        a: In[bf16, 3], b: In[bf16, 3], sums: Out[f32, 3], x: In[f32, 2], y: In[f32, 2], length: i32,
        tile: Const[UnitTile], count: Const[int],
    ):  # fmt: skip
        part = gp.workgroup_id(1)
        first, last = range_of_part(part, length, x.shape[1])
        multiply(a, b, sums[part], x, y, first, last, tile, count, None, None, None, None)

    return matmul_split_parts
