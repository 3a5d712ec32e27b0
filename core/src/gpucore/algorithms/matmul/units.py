"""Products by the device's units for matrices over the whole inner length: f16 and bf16 summed in f32, f64 in f64."""

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
from gpucore.types import bf16, f16, f32, f64, i32, u32

H = TypeVar("H", f16, bf16, f64)
S = TypeVar("S", f32, f64)
W = TypeVar("W", f16, bf16, f64, u32)
"""What is stored: elements, or words of two of them (`UnitTile.has_words`)."""
N = TypeVar("N", f16, bf16, f32, f64, i32, u32)


@kernel(workgroup_size=256)
def pad(x: In[N, 2], out: Out[N, 2]):
    """A copy with zeros behind the rows."""
    i, j = gp.global_id(1), gp.global_id(0)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = x[i, j] if j < x.shape[1] else x.dtype(0)


@cache
def make_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """The kernel for workgroups of a size, of which so many share a multiprocessor. k is the inner length."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_units(a: In[H, 3], b: In[H, 3], c: Out[W, 3], k: i32, tile: Const[UnitTile]):
        multiply(a, b, c, None, None, 0, k, tile, 0, None, None, None, None)

    return matmul_units


@cache
def make_finishing_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, with the finish of all sums. `bias` has one row, of any length if there is no bias."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_units(
        a: In[H, 3], b: In[H, 3], c: InOut[W, 3], bias: In[H, 2], alpha: S, beta: S, k: i32, tile: Const[UnitTile],
        finish: Const[Finish],
    ):  # fmt: skip
        multiply(a, b, c, None, None, 0, k, tile, 0, finish, bias, alpha, beta)

    return matmul_units


@cache
def make_parts_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, for parts of the inner dimension, each of `length`, which is whole tiles: sums[p] is the
    product over part p."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_parts(a: In[H, 3], b: In[H, 3], sums: Out[S, 4], length: i32, k: i32, tile: Const[UnitTile]):
        part = gp.workgroup_id(1)
        first, last = range_of_part(part, length, k)
        multiply(a, b, sums[part], None, None, first, last, tile, 0, None, None, None, None)

    return matmul_parts


@cache
def make_gathering_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_parts_kernel`, in which the workgroup that comes last at a tile adds its parts up and stores them in c,
    with their finish. `counts` has a 0 for each tile, before and after."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_gathered(
        a: In[H, 3], b: In[H, 3], c: InOut[W, 3], bias: In[H, 2], sums: InOut[S, 4], counts: InOut[u32], alpha: S,
        beta: S, length: i32, k: i32, tile: Const[UnitTile], finish: Const[Finish],
    ):  # fmt: skip
        first, last = range_of_part(gp.workgroup_id(1), length, k)
        multiply(a, b, c, None, None, first, last, tile, 0, finish, bias, alpha, beta, sums, counts)

    return matmul_gathered
