"""Products by warps, and copies that end later, as instructions of PTX that NVRTC compiles."""

from __future__ import annotations

import dataclasses
import re
from typing import TypeVar

import numpy as np
import pytest

import gpucore as gp
from gpucore import lang
from gpucore.algorithms.matmul import staged
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.matmul.units import make_gathering_kernel, make_kernel
from gpucore.algorithms.shapes import GPU_TILES, MatmulShape, Tile, UnitTile
from gpucore.compiler import UNLIMITED, Target, emit_for
from gpucore.kernel import specialise_by_name
from gpucore.runtime.protocol import Source
from gpucore_cuda.nvrtc import Nvrtc
from gpucore_cuda.plugin import CUDABackend
from gpucore_cuda.probe import capabilities_of

T = TypeVar("T", gp.f16, gp.i8, gp.f32)
TILES = [tile for tile in MatmulShape(()).units if tile.needs is None]
GROUP_TILES = [tile for tile in MatmulShape(()).units if tile.needs is gp.Capability.MATRIX_GROUPS]
LIMITS = dataclasses.replace(UNLIMITED, min_subgroup_size=32, max_subgroup_size=32)
HOPPER = Target(CUDABackend(), None, capabilities_of(9, 0), LIMITS, "a device of compute capability 9.0")


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: f"{tile.tile_m}x{tile.tile_n}x{tile.tile_k}")
def test_products_compile_without_a_warning(nvrtc: Nvrtc, tile: UnitTile) -> None:
    source = make_kernel(tile.invocations, tile.min_workgroups).emit("cuda", H=gp.f16, W=gp.f16, tile=tile)
    for part in ("ldmatrix", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "cp.async.cg.shared.global"):
        assert part in source.text
    for architecture in (80, 90):
        binary, log = nvrtc.compile(source, architecture)
        assert binary and log == "", architecture


@gp.kernel(workgroup_size=32)
def bytes_and_floats(a: gp.In[gp.i8, 2], b: gp.In[gp.i8, 2], x: gp.In[gp.f32, 2], c: gp.Out[gp.i32, 2]):
    left, right = gp.tiles(gp.i8, 1, (16, 32)), gp.tiles(gp.i8, 1, (16, 32))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0], b, 0, 0)
    floats = gp.tiles(gp.f32, 1, (16, 16))
    gp.copy_tile(floats[0], x, 0, 0)
    gp.copy_wait()
    total = gp.multiply_add(left[0], right[0].T, gp.matrix(gp.i32, (16, 16)))
    of_floats = gp.multiply_add(floats[0], floats[0].T, gp.matrix(gp.f32, (16, 16)))
    gp.store_matrix(total + gp.map(gp.i32, of_floats), c, 0, 0)


@pytest.mark.parametrize("architecture", [80, 90])
def test_bytes_by_units_and_floats_by_registers(nvrtc: Nvrtc, architecture: int) -> None:
    source = bytes_and_floats.emit("cuda")
    assert source.text.count("= gpucore_matrix_multiply_i8(") == 2 and "fmaf(" in source.text
    binary, log = nvrtc.compile(source, architecture)
    assert binary and log == ""
    a, x = np.ones((16, 32), np.int8), np.ones((16, 16), np.float32)
    found = np.zeros((16, 16), np.int32)
    with gp.device("simulator") as device:
        c = gp.asarray(found, device=device)
        bytes_and_floats(*(gp.asarray(each, device=device) for each in (a, a, x)), c, workgroups=1)
        assert np.array_equal(c.numpy(), np.full((16, 16), 32 + 16))


COPIED = [tile for tile in GPU_TILES if tile.needs is gp.Capability.ASYNC_COPY]


@pytest.mark.parametrize("of_b", [gp.f32, gp.f32x4], ids=["elements", "vectors"])
@pytest.mark.parametrize("tile", COPIED, ids=lambda tile: f"{tile.tile_m}x{tile.tile_n}x{tile.stages}")
def test_products_in_registers_compile_without_a_warning(nvrtc: Nvrtc, tile: Tile, of_b: gp.ElementDType) -> None:
    """Whole copies in the loop over the steps, and each sum down the columns."""
    source = emitted_by_groups(staged.make_kernel(tile), E=gp.f32, B=of_b, C=of_b, tile=tile)
    loop = source.text[source.text.index("for (", source.text.index("__global__")) :]
    assert "gpucore_copy_whole<4" in loop and f"gpucore_copy_whole<{of_b.itemsize}" in loop
    assert "gpucore_copy_async" not in loop
    assert loop.count("fmaf(") == tile.own_m * tile.own_n * tile.tile_k // tile.slices
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@pytest.mark.parametrize("tile", GROUP_TILES, ids=lambda tile: f"{tile.tile_m}x{tile.tile_n}x{tile.tile_k}")
def test_parts_that_the_last_workgroup_adds_compile(nvrtc: Nvrtc, tile: UnitTile) -> None:
    """Another invocation copies in these kernels, too."""
    kernel = make_gathering_kernel(tile.invocations, tile.min_workgroups)
    source = emitted_by_groups(kernel, H=gp.f16, S=gp.f32, W=gp.f16, tile=tile, finish=Finish())
    assert source.text.count("__threadfence();") == 2 and source.workgroup_size == (tile.invocations + 32, 1, 1)
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


def emitted_by_groups(kernel: gp.Kernel, **bindings: object) -> Source:
    """For a device whose groups multiply."""
    specialisation = specialise_by_name(kernel.name, kernel.signature, bindings)
    return emit_for(HOPPER, kernel.lower_for(specialisation, HOPPER))


@pytest.mark.parametrize("tile", GROUP_TILES, ids=lambda tile: f"{tile.tile_m}x{tile.tile_n}x{tile.tile_k}")
def test_products_by_groups_compile_without_a_warning(nvrtc: Nvrtc, tile: UnitTile) -> None:
    """Another invocation copies whole tiles."""
    source = emitted_by_groups(make_kernel(tile.invocations, tile.min_workgroups), H=gp.f16, W=gp.f16, tile=tile)
    assert f"gpucore_group_multiply_f16_{tile.tile_n}<{tile.tile_k}, 0, " in source.text
    assert "ldmatrix" not in source.text
    assert source.workgroup_size == (tile.invocations + 32, 1, 1)
    assert "cp.async.bulk.tensor.3d." in source.text and "cp.async.cg" not in source.text
    assert source.payload == ((0, (0, 4, 8), 2, tile.tile_m), (1, (12, 16, 20), 2, tile.tile_k))
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@gp.kernel(workgroup_size=128)
def not_in_roles(x: gp.In[gp.f16, 3], y: gp.InOut[gp.f16, 3], c: gp.Out[gp.f32, 2], why: gp.Const[str]):
    tile = gp.tiles(gp.f16, 2, (64, 64))
    total = gp.matrix(gp.f32, (64, 64))
    for step in range(4):
        if why == "written":
            gp.copy_tile(tile[step % 2], y[step], 0, 0)
        else:
            gp.copy_tile(tile[step % 2], x[step], 0, 0)
        gp.copy_group()
        gp.copy_wait(0)
        if why == "stored" and gp.local_index() == 0:
            tile[1, 0, 0] = gp.f16(1)
        total += tile[step % 2] @ tile[step % 2]
    gp.store_matrix(total, c, 0, 0)
    if why == "written":
        y[0, 0, gp.local_index() % 64] = gp.f16(0)


@pytest.mark.parametrize("why", ["stored", "written"])
def test_all_invocations_copy_where_the_order_may_matter(nvrtc: Nvrtc, why: str) -> None:
    source = emitted_by_groups(not_in_roles, why=why)
    assert source.workgroup_size == (128, 1, 1)
    assert "gpucore_copy_part<64, 64, 0, 128>" in source.text and "mbarrier" not in source.text
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""
    assert emitted_by_groups(not_in_roles, why="").workgroup_size == (160, 1, 1)


@gp.kernel(workgroup_size=128)
def copied_after_a_test(x: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2], n: gp.i32, by_product: gp.Const[bool]):
    tile = gp.tiles(gp.f16, 2, (64, 64))
    total = gp.matrix(gp.f32, (64, 64))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_group()
    for step in range(n):
        gp.copy_wait()
        total += tile[step % 2] @ tile[step % 2]
        if gp.assume_uniform(lang.struct_values(total)[0] < 5.0) if by_product else step < 5:
            gp.copy_tile(tile[(step + 1) % 2], x, 0, step * 64)
        gp.copy_group()
    gp.store_matrix(total, c, 0, 0)


@pytest.mark.parametrize("by_product", [False, True])
def test_no_other_invocation_copies_what_a_product_decides(nvrtc: Nvrtc, by_product: bool) -> None:
    source = emitted_by_groups(copied_after_a_test, by_product=by_product)
    assert source.workgroup_size == ((128 if by_product else 160), 1, 1)
    assert ("mbarrier" in source.text) != by_product
    assert source.text.count("gpucore_group_multiply_f16_64<64") == 1
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@gp.kernel(workgroup_size=128)
def through_memory(x: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2], has_barrier: gp.Const[bool]):
    tile, weights = gp.tiles(gp.f16, 2, (64, 64)), gp.tiles(gp.f16, 1, (64, 64))
    total = gp.matrix(gp.f32, (64, 64))
    for step in range(4):
        gp.copy_tile(tile[step % 2], x, 64 * step, 0)
        gp.copy_group()
        gp.copy_wait(0)
        gp.store_matrix(total, weights[0], 0, 0)
        gp.barrier()
        total += weights[0] @ tile[step % 2]
        if has_barrier:
            gp.barrier()
    gp.store_matrix(total, c, 0, 0)


def test_the_barrier_of_a_wait_remains_where_other_memory_needs_it(nvrtc: Nvrtc) -> None:
    """What the product reads is written again after the next wait."""
    for has_barrier in (False, True):
        source = emitted_by_groups(through_memory, has_barrier=has_barrier)
        loop = source.text[source.text.index("gpucore_pipeline_wait<4, 0>(gpucore_pipeline,") :]
        assert source.workgroup_size == (160, 1, 1) and loop.count('"bar.sync 1, 128;"') == 2
        assert (loop.index("bar.sync") < loop.index("weights[")) != has_barrier
        binary, log = nvrtc.compile(source, 90)
        assert binary and log == ""


@gp.kernel(workgroup_size=128)
def rows_beside_a_product(x: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2]):
    tile, scores = gp.tiles(gp.f16, 1, (64, 64)), gp.matrix(gp.f32, (64, 64))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_wait()
    for _ in range(4):
        upcoming = gp.multiply_add(tile[0], tile[0].T, gp.matrix(gp.f32, (64, 64)))
        top = gp.reduce_rows(gp.max, scores, keepdims=True)
        gp.store_matrix(gp.map(gp.exp2, scores - top), c, 0, 0)
        scores = upcoming


def test_rows_are_combined_in_registers_while_a_product_is_computed(nvrtc: Nvrtc) -> None:
    source = emitted_by_groups(rows_beside_a_product)
    loop = source.text[source.text.rindex("gpucore_group_multiply_f16_64<") : source.text.rindex("gpucore_group_wait<")]
    assert loop.count("__shfl_xor_sync(") == 4 and "__syncthreads" not in loop and "gpucore_exp2(" in loop
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@pytest.mark.parametrize("stages", [2, 4])
def test_the_wait_for_products_comes_after_the_copies_that_follow(stages: int) -> None:
    tile = dataclasses.replace(GROUP_TILES[0], stages=stages)
    kernel = make_kernel(256, 1)
    specialisation = specialise_by_name(kernel.name, kernel.signature, {"H": gp.f16, "W": gp.f16, "tile": tile})
    target = dataclasses.replace(HOPPER, limits=dataclasses.replace(LIMITS, max_workgroup_invocations=256))
    text = emit_for(target, kernel.lower_for(specialisation, target)).text  # no room for another invocation
    lines = [line.strip() for line in text.splitlines()]
    at = {name: [k for k, line in enumerate(lines) if line.startswith(f"gpucore_{name}")] for name in
          ("group_multiply", "group_wait", "copy_group", "copy_wait")}  # fmt: skip
    (multiply,), (wait,) = at["group_multiply"], at["group_wait"]
    assert [k for k in at["copy_group"] if multiply < k < wait] and not [
        k for k in at["copy_wait"] if multiply < k < wait
    ]


@gp.kernel(workgroup_size=128)
def by_all_means(a: gp.In[gp.f16, 2], b: gp.In[gp.f16, 2], x: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2]):
    left, right, narrow = gp.tiles(gp.f16, 1, (64, 128)), gp.tiles(gp.f16, 1, (128, 64)), gp.tiles(gp.f16, 1, (64, 16))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0], b, 0, 0)
    gp.copy_tile(narrow[0], x, 0, 0)
    gp.copy_wait()
    total = gp.multiply_add(left[0], left[0].T, gp.matrix(gp.f32, (64, 64)))
    total += right[0].T @ right[0]
    total += narrow[0] @ narrow[0].T
    gp.store_matrix(total, c, 0, 0)


def test_tiles_in_panels_and_others(nvrtc: Nvrtc) -> None:
    """Of four transposes, and by subgroups where a tile is too narrow for a panel."""
    source = emitted_by_groups(by_all_means)
    for part in ("f16_64<128, 0, 8192, 1, 8192>", "f16_64<128, 1, 16384, 0, 16384>", "gpucore_matrix_load<"):
        assert part in source.text
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@gp.kernel(workgroup_size=128)
def elements_of_a_tile(x: gp.In[T, 2], y: gp.Out[T, 2]):
    tile = gp.tiles(T, 1, (16, 128))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_wait()
    y[0, gp.local_index()] = tile[0, gp.local_index() % 16, gp.local_index()]


@pytest.mark.parametrize(("name", "in_panels"), [("f16", True), ("i8", True), ("f32", False)])
def test_tiles_that_no_group_multiplies_lie_in_rows(name: str, in_panels: bool) -> None:
    """Elements of one and two bytes are in panels, whose places have a `^`; others are as on devices without groups."""
    specialisation = specialise_by_name("elements", elements_of_a_tile.signature, {"T": getattr(gp, name)})
    text = emit_for(HOPPER, elements_of_a_tile.lower_for(specialisation, HOPPER)).text
    assert ("^" in text) == in_panels
    assert (text == elements_of_a_tile.emit("cuda", T=getattr(gp, name)).text) != in_panels


@gp.kernel(workgroup_size=128)
def one_after_the_other(x: gp.In[gp.f16, 2], y: gp.Out[gp.f32, 2], z: gp.Out[gp.f32, 2]):
    one, two = gp.tiles(gp.f16, 1, (64, 64)), gp.tiles(gp.f16, 1, (64, 64))
    never = gp.tiles(gp.f16, 1, (64, 64))
    gp.store_matrix(gp.load_matrix(x, 0, 0, (64, 64)), one[0], 0, 0)
    gp.barrier()
    gp.store_matrix(gp.multiply_add(one[0], one[0].T, gp.matrix(gp.f32, (64, 64))), y, 0, 0)
    gp.barrier()
    gp.store_matrix(gp.load_matrix(x, 64, 0, (64, 64)), two[0], 0, 0)
    gp.barrier()
    gp.barrier()
    gp.store_matrix(gp.multiply_add(two[0], never[0], gp.matrix(gp.f32, (64, 64))), z, 0, 0)


def test_tiles_that_share_memory_and_one_that_only_products_read(nvrtc: Nvrtc) -> None:
    source = emitted_by_groups(one_after_the_other)
    assert source.text.count("__shared__ __align__(1024)") == 2 and source.text.count("&one_or_two") == 3
    assert source.text.count("__syncthreads();") == source.text.count("fence.proxy.async") == 3
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@gp.kernel(workgroup_size=128)
def beside_others(x: gp.In[gp.f16, 2], y: gp.Out[gp.f32, 2]):
    small, tile = gp.workgroup_array(gp.f32, 5), gp.tiles(gp.f16, 1, (64, 1728))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_wait()
    total = gp.multiply_add(tile[0], tile[0].T, gp.matrix(gp.f32, (64, 64)))
    small[gp.local_index() % 5] = 1.0
    gp.barrier()
    gp.store_matrix(total + small[3], y, 0, 0)


def test_memory_is_what_the_check_counts() -> None:
    source = emitted_by_groups(beside_others)
    assert source.workgroup_memory == 64 * 1728 * 2 + 32 and "__align__(1024)" in source.text
    limits = dataclasses.replace(LIMITS, max_workgroup_memory=source.workgroup_memory - 1)
    target = dataclasses.replace(HOPPER, limits=limits)
    lowered = beside_others.lower_for(specialise_by_name(beside_others.name, beside_others.signature, {}), target)
    with pytest.raises(gp.LimitError, match="221216 bytes of workgroup memory"):
        emit_for(target, lowered)


def test_only_texts_for_9_0_are_of_one_architecture(nvrtc: Nvrtc) -> None:
    text = '// no "wgmma." here\nextern "C" __global__ void k(float* x) { x[0] = 1.0f; }'
    source = dataclasses.replace(by_all_means.emit("cuda"), text=text, entry="k")
    for architecture in (80, 89, 90, 100):
        if architecture in nvrtc.architectures:
            assert nvrtc.compile(source, architecture)[0]


@gp.kernel(workgroup_size=128)
def written_by_users(a: gp.In[gp.f16, 2], b: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2], order: gp.Const[str]):
    left, right, used = gp.tiles(gp.f16, 2, (64, 64)), gp.tiles(gp.f16, 2, (64, 64)), gp.workgroup_array(gp.f32, 128)
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0], b, 0, 0)
    gp.copy_group()
    total = gp.matrix(gp.f32, (64, 64))
    for step in range(a.shape[1] // 64):
        gp.copy_wait(0)
        if order == "product first":
            total += left[step % 2] @ right[step % 2]
        if order == "barrier between":
            used[gp.local_index()] = 1
            gp.barrier()
            total += used[127 - gp.local_index()]
        gp.copy_tile(left[(step + 1) % 2], a, 0, (step + 1) * 64)
        gp.copy_tile(right[(step + 1) % 2], b, (step + 1) * 64, 0)
        gp.copy_group()
        if order != "product first":
            total += left[step % 2] @ right[step % 2]
    gp.store_matrix(total, c, 0, 0)


@pytest.mark.parametrize("order", ["product first", "copies first", "barrier between"])
def test_memory_is_released_right_after_a_wait_unless_a_barrier_follows(nvrtc: Nvrtc, order: str) -> None:
    """Then what comes before the barrier may read it. That barrier is of the invocations that compute."""
    source = emitted_by_groups(written_by_users, order=order)
    assert source.workgroup_size == (160, 1, 1)
    lines = [line.strip() for line in source.text.splitlines()]
    computing = lines[lines.index("return;") :]
    begins = {each: f"gpucore_pipeline_{each}<" for each in ("wait", "release")}
    begins["barrier"] = 'asm volatile("bar.sync 1, 128;'
    at = {name: k for k, line in enumerate(computing) for name, begin in begins.items() if line.startswith(begin)}
    at["release"] = next(k for k, line in enumerate(computing) if k > at["wait"] and line.startswith(begins["release"]))
    if order == "barrier between":
        assert at["wait"] < at["barrier"] < at["release"]
    else:
        assert at["release"] == at["wait"] + 1 and "barrier" not in at
    assert "__syncthreads" not in "".join(computing)
    assert lines[lines.index("return;") - 2].startswith("gpucore_pipeline_drain<4>(")  # the last copies are not awaited
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@gp.kernel(workgroup_size=128)
def ends_with_copies(a: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2]):
    tile = gp.tiles(gp.f16, 2, (64, 64))
    gp.copy_tile(tile[0], a, 0, 0)
    gp.copy_wait()
    gp.store_matrix(gp.multiply_add(tile[0], tile[0], gp.matrix(gp.f32, (64, 64))), c, 0, 0)
    gp.copy_tile(tile[1], a, 0, 64)


def test_copies_at_the_end_have_a_group_and_are_awaited(nvrtc: Nvrtc) -> None:
    source = emitted_by_groups(ends_with_copies)
    copying, computing = source.text.split("return;\n")[-2:]
    names = re.findall(r"gpucore_(copy_view|pipeline_commit|pipeline_drain)\w*<", copying.split("__global__")[1])
    assert names == ["copy_view", "pipeline_commit", "copy_view", "pipeline_commit", "pipeline_drain"]
    assert computing.count("gpucore_pipeline_release<") == 2
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""
