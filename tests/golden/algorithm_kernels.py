"""Every kernel of gpucore.algorithms and gpucore.random, in every specialisation that calls can ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gpucore as gp
from gpucore.algorithms.matmul import VARIANTS, versions
from gpucore.algorithms.matmul.tiled import VECTORS, make_kernels
from gpucore.algorithms.select import distinct_kernels, quantile_kernels
from gpucore.algorithms.select import kernels as selection
from gpucore.algorithms.shapes import COLUMNS, CPU_TILES, LARGE, SHAPES, SMALL
from gpucore.algorithms.sort import chunks, columns, few, gather, kernels, merge_path, radix, search
from gpucore.blocks.keys import KEY_TYPES
from gpucore.ir import Limits
from gpucore.random import fill
from gpucore.runtime.protocol import DeviceKind

Case = tuple[gp.Kernel, dict[str, Any]]


WIDE = {dtype: key for dtype, key in KEY_TYPES.items() if not dtype.ir_type.is_storage}
"""Without the integers of 8 and 16 bits, which are those of 32 in kernels."""


def sort_cases() -> Iterator[tuple[str, Case]]:
    """The kernels of sort for each dtype and order."""
    for dtype, key in WIDE.items():
        for order in gp.SortOrder:
            name, descending = f"{dtype.ir_type}_{order}", order is gp.SortOrder.DESCENDING
            yield f"sort_small_{name}", (kernels.sort_small, {"T": dtype, "key": key, "descending": descending})
            yield f"sort_tiles_{name}", (kernels.sort_tiles, {"T": dtype, "K": key, "descending": descending})
            yield (
                f"merge_tiles_last_{name}",
                (kernels.merge_tiles_last, {"T": dtype, "K": key, "descending": descending}),
            )
    for key in (gp.u32, gp.u64):
        yield f"merge_tiles_{key.ir_type}", (kernels.merge_tiles, {"K": key})
        yield f"merge_pass_{key.ir_type}", (kernels.merge_pass, {"K": key, "levels": 3})
        for levels in (1, 2, 3):
            yield f"mirror_pass_{levels}_{key.ir_type}", (kernels.mirror_pass, {"K": key, "levels": levels})


def radix_cases() -> Iterator[tuple[str, Case]]:
    """The kernels of the radix sort for each dtype and order, in the shape of CPUs."""
    shape = SHAPES[DeviceKind.CPU].sort
    for dtype, key in WIDE.items():
        for order in gp.SortOrder:
            name, types = f"{dtype.ir_type}_{order}", {"T": dtype, "descending": order is gp.SortOrder.DESCENDING}
            yield f"sort_whole_{name}", (radix.sort_whole, {**types, "K": key, "bits": shape.whole_bits})


def chunk_cases() -> Iterator[tuple[str, Case]]:
    """The kernels of the radix sort by chunks."""
    for dtype, key in ((gp.f32, gp.u32), (gp.f64, gp.u64)):
        name, types = dtype.ir_type, {"S": dtype, "bits": 11, "encode": True, "descending": True}
        yield f"count_chunk_{name}", (chunks.count_chunk, types)
        types |= {"D": key, "ahead": True, "decode": False}
        yield f"move_chunk_{name}", (chunks.move_chunk, types)
        yield f"move_pairs_{name}", (chunks.move_pairs, {**types, "V": gp.u32, "index": False})


def counting_cases() -> Iterator[tuple[str, Case]]:
    """The kernels that sort few keys, and those that follow indices."""
    for dtype in (gp.f32, gp.f64, gp.i8):
        key, name = KEY_TYPES[dtype], dtype.ir_type
        types = {"T": dtype, "D": key, "key": key, "capacity": 2048, "decode": False, "descending": True}
        yield f"count_{name}", (few.count, types)
        yield f"count_pairs_{name}", (few.count_pairs, {**types, "V": gp.u32, "index": False})
        merged = {"K": key, "D": dtype, "block": 2048, "decode": True, "descending": True}
        yield f"merge_{name}", (few.merge, merged)
        yield f"merge_pairs_{name}", (few.merge_pairs, merged)
        rows = {"T": dtype, "descending": False}
        for kernel in (few.count_rows, few.count_rows_indices, few.count_segments):
            yield f"{kernel.name}_{name}", (kernel, rows)
    for word in (gp.u8, gp.u32x4):
        yield f"gather_words_{word.ir_type}", (gather.gather_words, {"W": word})
    yield "number_rows_u16", (gather.number_rows, {"N": gp.u16})
    yield "number_segments_u32", (gather.number_segments, {"N": gp.u32})
    yield "find_places_f32", (search.find_places, {"T": gp.f32, "or_same": True})
    yield "merge_arrays_f32", (search.merge_arrays, {"T": gp.f32})
    yield "subtract_starts", (gather.subtract_starts, {})


def selection_cases() -> Iterator[tuple[str, Case]]:
    """The kernels that select by rank, and those that merge long arrays, in the shape of GPUs."""
    shape, merge = SHAPES[DeviceKind.GPU].select, SHAPES[DeviceKind.GPU].merge
    for dtype in (gp.f32, gp.u64, gp.i8):
        key, name = KEY_TYPES[dtype], dtype.ir_type
        yield f"count_digit_{name}", (selection.make_count(dtype, key, shape.bits, True, shape.invocations), {})
        yield f"split_pairs_{name}", (selection.make_split_pairs(dtype, key, 1, 2, True, *shape.moved), {})
        yield f"merge_tiles_{name}", (merge_path.make_tiles(key, *merge.tile), {"T": dtype})
    kind = gp.f32, gp.u32, 2, 5, False
    yield "begin", (selection.make_begin(gp.u32), {})
    yield "find_digit", (selection.make_find(gp.u32, shape.bits, shape.invocations), {})
    yield "decode", (selection.make_decode(gp.f32, gp.u32), {})
    yield "count_classes", (selection.make_count_classes(*kind, shape.invocations), {})
    yield "split", (selection.make_split(*kind, *shape.moved), {})
    yield "merge_runs", (merge_path.merge_runs, {"T": gp.f32})
    for dtype in (gp.f16, gp.f32, gp.f64, gp.i8):
        result, name = gp.f32 if dtype is gp.i8 else dtype, dtype.ir_type
        yield f"interpolate_{name}", (quantile_kernels.make_interpolate(dtype, result, False), {})
        if dtype is not gp.i8:
            yield f"unify_{name}", (distinct_kernels.make_unify(dtype), {})
    yield "interpolate_mean", (quantile_kernels.make_interpolate(gp.f32, gp.f32, True), {})
    yield "pick", (quantile_kernels.make_pick(gp.f32), {})
    yield "mark", (distinct_kernels.make_mark(gp.f32), {})
    yield "count_runs", (distinct_kernels.count_runs, {})
    yield "place_numbers", (distinct_kernels.place_numbers, {})


def columns_cases() -> Iterator[tuple[str, Case]]:
    """The kernels of the radix sort by columns: first, middle and last digits."""
    tile = COLUMNS[-1]
    made = columns.make_kernels(tile.invocations)
    yield "columns_scan", (columns.scan, {})
    yield "columns_bases", (columns.find_bases, {})
    for dtype, key in ((gp.f32, gp.u32), (gp.u64, gp.u64)):
        name = dtype.ir_type
        yield f"upsweep_{name}", (made.upsweep, {"S": dtype, "tile": tile, "encode": True, "descending": True})
        types = {"S": dtype, "D": dtype, "key": key, "tile": tile, "encode": True, "decode": True, "descending": False}
        yield f"scatter_{name}", (made.scatter, types)
        yield f"scatter_pairs_{name}", (made.scatter_pairs, {**types, "V": gp.u32, "index": False})


def matmul_cases() -> Iterator[tuple[str, Case]]:
    """The versions of matmul for each dtype, and the tiled one for each tile, full and guarded."""
    for variant in VARIANTS:
        for dtype in WIDE if variant != "auto" else ():
            yield f"{variant}_{dtype.ir_type}", (getattr(versions, variant), {"T": dtype})
    for size, tile in (("large", LARGE), ("small", SMALL)):
        full, guarded = make_kernels(tile)
        for dtype, vector in VECTORS.items():
            yield f"tiled_{size}_full_{dtype.ir_type}", (full, {"V": vector, "vector": vector, "tile": tile})
            constants = {"T": dtype, "vector": vector, "tile": tile, "guarded": True}
            yield f"tiled_{size}_guarded_{dtype.ir_type}", (guarded, constants)
    for tile in CPU_TILES:
        if tile.nbytes == 4 and tile.workgroup_memory <= Limits().max_workgroup_memory:
            _, of_elements = make_kernels(tile)
            for is_guarded in (False, True):
                constants = {"T": gp.f32, "vector": gp.f32, "tile": tile, "guarded": is_guarded}
                yield f"tiled_gangs_of_{tile.gang}_{is_guarded}", (of_elements, constants)


def random_cases() -> Iterator[tuple[str, Case]]:
    """The kernels that fill arrays with random numbers."""
    for kernel in (fill.uniform_f32, fill.uniform_f64, fill.normal_f32):
        yield f"random_{kernel.name}", (kernel, {})
    for dtype in (gp.i32, gp.u32):
        yield f"random_integers_{dtype.ir_type}", (fill.integers_32, {"T": dtype})
    for dtype in (gp.i64, gp.u64):
        yield f"random_integers_{dtype.ir_type}", (fill.integers_64, {"W": dtype})


CASES: dict[str, Case] = dict(
    [
        *sort_cases(),
        *radix_cases(),
        *counting_cases(),
        *selection_cases(),
        *columns_cases(),
        *matmul_cases(),
        *random_cases(),
    ]
)
