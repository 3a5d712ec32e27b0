"""Products of f32 by units for matrices of bf16: each number is the sum of parts, and parts are multiplied.

x = h + m + l, with h the nearest bf16 of x, m that of x - h and l that of the rest, holds all 24 bits of an f32 of
2**-110 and more; the bits of smaller ones below 2**-133 are lost. Of the nine products of two such sums the six largest
are added: what is left out is about 2**-23 of |x y| at most. The units add with fewer bits than f32 and round towards
zero, so their sums are added to f32 in registers after each tile. With two parts three products are added, with an
error of 2**-15 of |x y|. Devices without groups multiply f32 themselves, which their units round
(`gpucore.blocks.matrices.rounded`).

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
from gpucore.algorithms.matmul.pipeline import multiply
from gpucore.algorithms.matmul.versions import range_of_part
from gpucore.algorithms.shapes import UnitTile
from gpucore.calls import Kernel, kernel
from gpucore.hints import Const, In, InOut, Out
from gpucore.types import bf16, f32, f32x4, i32, u32, u32x2

H = TypeVar("H", bf16, f32)
"""What is multiplied: parts, or the matrices themselves where units round their numbers."""


def bits_of(value):
    """The bits of the nearest bf16 of an f32, as the upper half of a word."""
    return gp.bitcast(u32, f32(bf16(value)))


def load_four(x, i, j):
    """Four elements of a row, the j-th ones; beyond the columns 0."""
    four = f32x4(0)
    if 4 * j + 4 <= x.shape[1]:
        four = gp.vload(x[i], 4 * j, 4)
    else:
        for q in gp.unroll(range(4)):
            if 4 * j + q < x.shape[1]:
                four[q] = x[i, 4 * j + q]
    return four


def store_parts(parts, x, row, j, count):
    """The parts of the j-th four elements of a row of x, each the nearest bf16 of what the ones before leave. Those of
    a matrix follow each other: parts[b * count + p] is part p of matrix b."""
    rest = load_four(x, row, j)
    batch, i = row // parts.shape[1], row % parts.shape[1]
    for p in gp.unroll(range(count)):
        a, b, c, d = bits_of(rest.x), bits_of(rest.y), bits_of(rest.z), bits_of(rest.w)
        parts[batch * count + p, i, j] = u32x2(b | a >> 16, d | c >> 16)
        rest -= f32x4(gp.bitcast(f32, a), gp.bitcast(f32, b), gp.bitcast(f32, c), gp.bitcast(f32, d))


@kernel(workgroup_size=256)
def split(x: In[f32, 2], y: In[f32, 2], of_x: Out[u32x2, 3], of_y: Out[u32x2, 3], count: Const[int]):
    """The parts of each element of two arrays of matrices, given by all of their rows: the largest ones first, four
    elements of a row at once. Beyond the columns they are 0. The rows of y follow those of x in the grid."""
    row, j = gp.global_id(1), gp.global_id(0)
    i = row - x.shape[0]
    if i < 0:
        if j < of_x.shape[2]:
            store_parts(of_x, x, row, j, count)
    elif i < y.shape[0] and j < of_y.shape[2]:
        store_parts(of_y, y, i, j, count)


@cache
def make_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """The kernel for workgroups of a size, of which so many share a multiprocessor. k is the inner length."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_split(
        a: In[H, 3], b: In[H, 3], c: Out[f32, 3], x: In[f32, 3], y: In[f32, 3], k: i32, tile: Const[UnitTile],
        count: Const[int],
    ):  # fmt: skip
        multiply(a, b, c, x, y, 0, k, tile, count, None, None, None, None)

    return matmul_split


@cache
def make_finishing_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, with the finish of all sums. `bias` has one row, of any length if there is no bias."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_split(
        a: In[H, 3], b: In[H, 3], c: InOut[f32, 3], x: In[f32, 3], y: In[f32, 3], bias: In[f32, 2], alpha: f32,
        beta: f32, k: i32, tile: Const[UnitTile], count: Const[int], finish: Const[Finish],
    ):  # fmt: skip
        multiply(a, b, c, x, y, 0, k, tile, count, finish, bias, alpha, beta)

    return matmul_split


@cache
def make_parts_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, for parts of the inner dimension, each of `length`, which is whole tiles: sums[p] is the
    product over part p."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_split_parts(
        a: In[H, 3], b: In[H, 3], sums: Out[f32, 4], x: In[f32, 3], y: In[f32, 3], length: i32, k: i32,
        tile: Const[UnitTile], count: Const[int],
    ):  # fmt: skip
        part = gp.workgroup_id(1)
        first, last = range_of_part(part, length, k)
        multiply(a, b, sums[part], x, y, first, last, tile, count, None, None, None, None)

    return matmul_split_parts


@cache
def make_gathering_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_parts_kernel`, in which the workgroup that comes last at a tile adds its parts up and stores them in c,
    with their finish. `counts` has a 0 for each tile, before and after."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_split_gathered(
        a: In[H, 3], b: In[H, 3], c: InOut[f32, 3], x: In[f32, 3], y: In[f32, 3], bias: In[f32, 2],
        sums: InOut[f32, 4], counts: InOut[u32], alpha: f32, beta: f32, length: i32, k: i32, tile: Const[UnitTile],
        count: Const[int], finish: Const[Finish],
    ):  # fmt: skip
        first, last = range_of_part(gp.workgroup_id(1), length, k)
        multiply(a, b, c, x, y, first, last, tile, count, finish, bias, alpha, beta, sums, counts)

    return matmul_split_gathered
