"""Products of f64 by warps, of bytes by four warps, and what compute capability 7.5 has, as NVRTC compiles them."""

from __future__ import annotations

import dataclasses
import re
from typing import TypeVar

import pytest
from test_cuda_matrices import LIMITS, emitted_by_groups

import gpucore as gp
from gpucore.algorithms.matmul.units import make_kernel
from gpucore.algorithms.shapes import MatmulShape, UnitTile
from gpucore.compiler import Target, emit_for
from gpucore.ir import MatrixUnit, matrix_unit
from gpucore.kernel import specialise_by_name
from gpucore.runtime.protocol import Source
from gpucore_cuda.nvrtc import Nvrtc
from gpucore_cuda.plugin import CUDABackend
from gpucore_cuda.probe import capabilities_of

B = TypeVar("B", gp.i8, gp.u8, gp.f16, gp.bf16)
S = TypeVar("S", gp.i32, gp.u32, gp.f32)
GENERATIONS = ((7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (10, 3), (12, 0))
SMALL = dataclasses.replace(LIMITS, max_workgroup_memory=64 << 10)


def target_of(major: int, minor: int) -> Target:
    limits = SMALL if (major, minor) == (7, 5) else LIMITS
    return Target(CUDABackend(), None, capabilities_of(major, minor), limits, f"a device of {major}.{minor}")


def emitted(kernel: gp.Kernel, major: int, minor: int, **bindings: object) -> Source:
    target = target_of(major, minor)
    return emit_for(target, kernel.lower_for(specialise_by_name(kernel.name, kernel.signature, bindings), target))


def test_what_each_generation_multiplies() -> None:
    wanted = {
        gp.f16: set(GENERATIONS), gp.i8: set(GENERATIONS), gp.u8: set(GENERATIONS),
        gp.bf16: set(GENERATIONS[1:]), gp.f64: {(8, 0), (9, 0), (10, 0)}, gp.f32: set(),
    }  # fmt: skip
    for dtype, those in wanted.items():
        units = {each: matrix_unit(capabilities_of(*each), LIMITS, dtype.ir_type) for each in GENERATIONS}
        assert {each for each, unit in units.items() if unit is not None} == those, dtype
        for each in those:
            assert units[each].k == 32 // dtype.itemsize and units[each].copies == (each != (7, 5))
    rounded = {each: matrix_unit(capabilities_of(*each), LIMITS, gp.f32.ir_type, "high") for each in GENERATIONS}
    those = {each: unit.k for each, unit in rounded.items() if unit is not None}
    assert those == {(8, 0): 8, (9, 0): 8, (10, 0): 8, (10, 3): 8}
    groups = {each for each in GENERATIONS if gp.Capability.MATRIX_GROUPS in capabilities_of(*each)}
    assert groups == {(9, 0)}


# ---------------------------------------------------------------- f64


@gp.kernel(workgroup_size=128)
def of_doubles(a: gp.In[gp.f64, 2], b: gp.In[gp.f64, 2], c: gp.Out[gp.f64, 2], inner: gp.Const[int]):
    left, right = gp.tiles(gp.f64, 1, (32, inner)), gp.tiles(gp.f64, 1, (32, inner))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0], b, 0, 0)
    gp.copy_wait()
    total = gp.matrix(gp.f64, (32, 32))
    for _ in range(3):
        total += left[0] @ right[0].T
    gp.store_matrix(total, c, 0, 0)


@pytest.mark.parametrize(("inner", "step"), [(4, 4), (8, 8), (16, 16), (20, 4), (32, 16)])
def test_products_of_f64_are_instructions(nvrtc: Nvrtc, inner: int, step: int) -> None:
    source = emitted(of_doubles, 9, 0, inner=inner)
    assert source.text.count(f"gpucore_matrix_multiply_f64<{step}>(") == 2  # 16 x 16 of each subgroup
    assert "= fma(" not in source.text
    for architecture in (80, 90, 100):
        if architecture in nvrtc.architectures:
            binary, log = nvrtc.compile(source, architecture)
            assert binary and log == ""


@pytest.mark.parametrize(("generation", "inner"), [((8, 6), 16), ((7, 5), 16), ((9, 0), 6)])
def test_products_of_f64_by_registers(nvrtc: Nvrtc, generation: tuple[int, int], inner: int) -> None:
    """Where a device has few units for f64, and where the inner length has no multiple of 4."""
    source = emitted(of_doubles, *generation, inner=inner)
    assert "gpucore_matrix_multiply" not in source.text and "fma(" in source.text
    assert nvrtc.compile(source, 10 * generation[0] + generation[1])[0]


def test_rows_of_f64_have_32_bytes_between() -> None:
    text = emitted(of_doubles, 9, 0, inner=16).text
    assert re.findall(r"double (?:left|right)\w*\[(\d+)\]", text)[:2] == ["640", "640"]  # 32 rows of 16 + 4


def of_tile(tile: UnitTile) -> str:
    return f"{tile.tile_m}x{tile.tile_n}x{tile.tile_k}"


@pytest.mark.parametrize("generation", [(8, 0), (9, 0)])
@pytest.mark.parametrize("tile", MatmulShape(()).doubles, ids=of_tile)
def test_tiles_of_f64_compile_without_a_warning(nvrtc: Nvrtc, tile: UnitTile, generation: tuple[int, int]) -> None:
    kernel = make_kernel(tile.invocations, tile.min_workgroups)
    source = emitted(kernel, *generation, H=gp.f64, W=gp.f64, tile=tile)
    assert "gpucore_matrix_multiply_f64<" in source.text and "cp.async.cg.shared.global" in source.text
    binary, log = nvrtc.compile(source, 10 * generation[0] + generation[1])
    assert binary and log == ""


# ---------------------------------------------------------------- bytes by groups


@gp.kernel(workgroup_size=256)
def of_bytes(a: gp.In[B, 2], b: gp.In[B, 2], c: gp.Out[S, 2], turned: gp.Const[bool], inner: gp.Const[int]):
    left, right = gp.tiles(B, 2, (128, inner)), gp.tiles(B, 2, (128, inner))
    other = gp.tiles(B, 2, (inner, 128))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0] if turned else other[0], b, 0, 0)
    gp.copy_wait()
    total = gp.matrix(S, (128, 128))
    for _ in range(3):
        total += left[0] @ (right[0].T if turned else other[0])
    gp.store_matrix(total, c, 0, 0)


@pytest.mark.parametrize("inner", [128, 256])
@pytest.mark.parametrize(("name", "sums", "kind"), [("i8", "i32", "s8"), ("u8", "u32", "u8")])
def test_products_of_bytes_by_groups(nvrtc: Nvrtc, name: str, sums: str, kind: str, inner: int) -> None:
    types = {"B": getattr(gp, name), "S": getattr(gp, sums)}
    source = emitted_by_groups(of_bytes, **types, turned=True, inner=inner)
    assert f"gpucore_group_multiply_{name}_128<{inner}, 0, 16384, 1, 16384>(" in source.text
    assert f"wgmma.mma_async.sync.aligned.m64n128k32.s32.{kind}.{kind}" in source.text
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@gp.kernel(workgroup_size=256)
def of_bytes_ahead(a: gp.In[gp.i8, 2], b: gp.In[gp.i8, 2], c: gp.Out[gp.i32, 2]):
    left, right = gp.tiles(gp.i8, 3, (128, 128)), gp.tiles(gp.i8, 3, (128, 128))
    total = gp.matrix(gp.i32, (128, 128))
    for step in range(2 + a.shape[1] // 128):
        gp.copy_tile(left[step % 3], a, 0, 128 * step)
        gp.copy_tile(right[step % 3], b, 0, 128 * step)
        gp.copy_group()
        gp.copy_wait(1)
        if step > 0:
            total += left[(step + 2) % 3] @ right[(step + 2) % 3].T
    gp.store_matrix(total, c, 0, 0)


def test_another_invocation_copies_parts_of_bytes(nvrtc: Nvrtc) -> None:
    source = emitted_by_groups(of_bytes_ahead)
    assert source.workgroup_size == (256 + 32, 1, 1)
    assert "gpucore_copy_view_2<128, 128, 128, 0>(" in source.text and "gpucore_group_multiply_i8_128<" in source.text
    binary, log = nvrtc.compile(source, 90)
    assert binary and log == ""


@pytest.mark.parametrize(("turned", "inner"), [(False, 128), (True, 64), (True, 96)])
def test_bytes_that_no_group_multiplies(nvrtc: Nvrtc, turned: bool, inner: int) -> None:
    """Of a right tile that is stored by rows, by registers; of tiles that are no whole panels, by subgroups."""
    source = emitted_by_groups(of_bytes, B=gp.i8, S=gp.i32, turned=turned, inner=inner)
    assert "wgmma" not in source.text and ("gpucore_matrix_multiply_i8(" in source.text) == turned
    assert nvrtc.compile(source, 90)[0]


# ---------------------------------------------------------------- compute capability 7.5


@pytest.mark.parametrize(
    ("name", "sums", "parts"),
    [("f16", "f32", 2), ("i8", "i32", 4), ("u8", "u32", 4)],
)
def test_units_of_7_5_multiply_in_smaller_parts(nvrtc: Nvrtc, name: str, sums: str, parts: int) -> None:
    source = emitted(of_bytes, 7, 5, B=getattr(gp, name), S=getattr(gp, sums), turned=True, inner=32)
    assert f"gpucore_matrix_multiply_{name}(" in source.text and "cp.async" not in source.text
    smaller = {"f16": "m16n8k8", "i8": "m8n8k16", "u8": "m8n8k16"}[name]
    assert source.text.count(f"mma.sync.aligned.{smaller}.") == parts
    for architecture in (75, 80):
        binary, log = nvrtc.compile(source, architecture)
        assert binary and log == ""


def test_7_5_multiplies_bf16_by_registers(nvrtc: Nvrtc) -> None:
    source = emitted(of_bytes, 7, 5, B=gp.bf16, S=gp.f32, turned=True, inner=32)
    assert "mma.sync" not in source.text and "fmaf(" in source.text
    assert nvrtc.compile(source, 75)[0]


OF_7_5 = [
    tile
    for tile in MatmulShape(()).units
    if tile.needs is None and tile.fits(MatrixUnit(16, 16, 16, 32, 64 << 10, copies=False), SMALL, 2)
]


@pytest.mark.parametrize("tile", OF_7_5, ids=of_tile)
def test_tiles_for_7_5_compile_without_a_warning(nvrtc: Nvrtc, tile: UnitTile) -> None:
    source = emitted(make_kernel(tile.invocations, tile.min_workgroups), 7, 5, H=gp.f16, W=gp.f16, tile=tile)
    assert "gpucore_matrix_multiply_f16(" in source.text and "cp.async" not in source.text
    assert source.workgroup_memory <= 64 << 10
    binary, log = nvrtc.compile(source, 75)
    assert binary and log == ""


def test_texts_have_the_instructions_of_8_0_and_of_7_5() -> None:
    """A text for no device has whole instructions, and the smaller ones for 7.5, which the compiler chooses."""
    text = of_bytes.emit("cuda", B=gp.f16, S=gp.f32, turned=True, inner=32).text
    assert text.index("#if __CUDA_ARCH__ >= 800") < text.index("m16n8k16.row") < text.index("m16n8k8.row")
