"""The fast product: register tiles over double-buffered tiles in workgroup memory, vectors of four everywhere.

A workgroup makes `tile_m` x `tile_n` entries of c, in steps of `tile_k` along the inner dimension; an invocation makes
`own_m` x `own_n` of them in registers. Two stages of workgroup memory alternate: the next tile is loaded into registers
before a step computes and stored after it, so a step has one barrier. a lies in vectors along k, read by broadcast; b in
vectors along n. The rows and column vectors of an invocation are spread over the tile, which keeps neighbours on
different banks. Source of the scheme: S. Boehm, "How to optimize a CUDA matmul kernel for cuBLAS-like performance" (2022).
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.kernel import Kernel, kernel
from gpucore.types import Const, In, InOut, Out, f32, f32x4, i32, i32x4, u32, u32x4

T = TypeVar("T", f32, i32, u32)
V = TypeVar("V", f32x4, i32x4, u32x4)


def multiply_add(a, b, c):
    """a * b + c, on vectors: fused for floats."""
    if gp.static(is_float(b)):
        return gp.fma(a, b, c)
    return a * b + c


def place_of_workgroup(rows, columns, group):
    """The tile of this workgroup: tiles go down `group` rows before the next column, so that neighbours share b in the cache."""
    number = gp.workgroup_id(0)
    across = group * columns
    band = number // across
    height = gp.min(rows - band * group, group)
    inside = number - band * across
    return band * group + inside % height, inside // height


def compute_step(left, right, sums, stage, x, y, dtype, tile_m, tile_n, tile_k, own_m, own_n):
    """Multiply the tiles of one stage into the sums."""
    threads_x, threads_y = tile_n // own_n, tile_m // own_m
    for k4 in gp.unroll(range(tile_k // 4)):
        rows = gp.private_array(dtype, own_m)
        for i in gp.unroll(range(own_m)):
            rows[i] = left[stage * (tile_m * (tile_k // 4)) + (y + i * threads_y) * (tile_k // 4) + k4]
        for k in gp.unroll(range(4)):
            for j in gp.unroll(range(own_n // 4)):
                columns = right[stage * (tile_k * (tile_n // 4)) + (k4 * 4 + k) * (tile_n // 4) + j * threads_x + x]
                for i in gp.unroll(range(own_m)):
                    sums[i, j] = gp.fma(dtype(rows[i][k]), columns, sums[i, j]) if dtype is f32x4 else sums[i, j] + rows[i][k] * columns


def make(size, tile_m, tile_n, tile_k, own_m, own_n, group):
    """The pair of kernels (full tiles, guarded edges) of one shape of tile, with `size` invocations for each workgroup."""
    threads_x, threads_y = tile_n // own_n, tile_m // own_m
    assert threads_x * threads_y == size
    vectors_a, vectors_b = tile_m * tile_k // 4, tile_k * tile_n // 4
    loads_a, loads_b = vectors_a // size, vectors_b // size
    assert loads_a * size == vectors_a and loads_b * size == vectors_b

    @kernel(workgroup_size=size)
    def full(a: In[V, 2], b: In[V, 2], c: InOut[V, 2], first: i32, last: i32):
        left = gp.workgroup_array(V, 2 * vectors_a)
        right = gp.workgroup_array(V, 2 * vectors_b)
        sums = gp.private_array(V, (own_m, own_n // 4))
        next_a = gp.private_array(V, loads_a)
        next_b = gp.private_array(V, loads_b)
        t = gp.local_id(0)
        x, y = t % threads_x, t // threads_x
        tile_row, tile_column = place_of_workgroup(c.shape[0] // tile_m, c.shape[1] // (tile_n // 4), group)
        row, column = tile_row * tile_m, tile_column * (tile_n // 4)
        if first > 0:
            for i in gp.unroll(range(own_m)):
                for j in gp.unroll(range(own_n // 4)):
                    sums[i, j] = c[row + y + i * threads_y, column + j * threads_x + x]
        for q in gp.unroll(range(loads_a)):
            place = t + q * size
            left[place] = a[row + place // (tile_k // 4), first // 4 + place % (tile_k // 4)]
        for q in gp.unroll(range(loads_b)):
            place = t + q * size
            right[place] = b[first + place // (tile_n // 4), column + place % (tile_n // 4)]
        gp.barrier()
        steps = (last - first) // tile_k
        for step in range(steps):
            k = first + (step + 1) * tile_k
            if step + 1 < steps:
                for q in gp.unroll(range(loads_a)):
                    place = t + q * size
                    next_a[q] = a[row + place // (tile_k // 4), k // 4 + place % (tile_k // 4)]
                for q in gp.unroll(range(loads_b)):
                    place = t + q * size
                    next_b[q] = b[k + place // (tile_n // 4), column + place % (tile_n // 4)]
            compute_step(left, right, sums, step & 1, x, y, V, tile_m, tile_n, tile_k, own_m, own_n)
            if step + 1 < steps:
                for q in gp.unroll(range(loads_a)):
                    left[((step + 1) & 1) * vectors_a + t + q * size] = next_a[q]
                for q in gp.unroll(range(loads_b)):
                    right[((step + 1) & 1) * vectors_b + t + q * size] = next_b[q]
            gp.barrier()
        for i in gp.unroll(range(own_m)):
            for j in gp.unroll(range(own_n // 4)):
                c[row + y + i * threads_y, column + j * threads_x + x] = sums[i, j]

    @kernel(workgroup_size=size)
    def guarded(a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32, vector: Const[type]):
        left = gp.workgroup_array(vector, 2 * vectors_a)
        right = gp.workgroup_array(vector, 2 * vectors_b)
        sums = gp.private_array(vector, (own_m, own_n // 4))
        next_a = gp.private_array(vector, loads_a)
        next_b = gp.private_array(vector, loads_b)
        t = gp.local_id(0)
        x, y = t % threads_x, t // threads_x
        rows, columns = c.shape[0], c.shape[1]
        tile_row, tile_column = place_of_workgroup((rows + tile_m - 1) // tile_m, (columns + tile_n - 1) // tile_n, group)
        row, column = tile_row * tile_m, tile_column * tile_n
        if first > 0:
            for i in gp.unroll(range(own_m)):
                for j in gp.unroll(range(own_n // 4)):
                    sums[i, j] = four(c, row + y + i * threads_y, column + (j * threads_x + x) * 4, rows, columns, vector)
        for q in gp.unroll(range(loads_a)):
            place = t + q * size
            left[place] = four(a, row + place // (tile_k // 4), first + place % (tile_k // 4) * 4, rows, last, vector)
        for q in gp.unroll(range(loads_b)):
            place = t + q * size
            right[place] = four(b, first + place // (tile_n // 4), column + place % (tile_n // 4) * 4, last, columns, vector)
        gp.barrier()
        steps = (last - first + tile_k - 1) // tile_k
        for step in range(steps):
            k = first + (step + 1) * tile_k
            if step + 1 < steps:
                for q in gp.unroll(range(loads_a)):
                    place = t + q * size
                    next_a[q] = four(a, row + place // (tile_k // 4), k + place % (tile_k // 4) * 4, rows, last, vector)
                for q in gp.unroll(range(loads_b)):
                    place = t + q * size
                    next_b[q] = four(b, k + place // (tile_n // 4), column + place % (tile_n // 4) * 4, last, columns, vector)
            compute_step(left, right, sums, step & 1, x, y, vector, tile_m, tile_n, tile_k, own_m, own_n)
            if step + 1 < steps:
                for q in gp.unroll(range(loads_a)):
                    left[((step + 1) & 1) * vectors_a + t + q * size] = next_a[q]
                for q in gp.unroll(range(loads_b)):
                    right[((step + 1) & 1) * vectors_b + t + q * size] = next_b[q]
            gp.barrier()
        for i in gp.unroll(range(own_m)):
            for j in gp.unroll(range(own_n // 4)):
                store_four(c, row + y + i * threads_y, column + (j * threads_x + x) * 4, rows, columns, sums[i, j])

    return full, guarded
