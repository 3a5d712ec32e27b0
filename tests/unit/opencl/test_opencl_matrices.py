"""Products of matrices on NVIDIA's OpenCL: PTX in the text, which NVRTC compiles as CUDA C where there is no GPU."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, TypeVar

from test_opencl_warps import SHIM, gpu

import gpucore as gp
from gpucore.algorithms.matmul.units import make_kernel
from gpucore.algorithms.shapes import MatmulShape, UnitTile
from gpucore.compiler import UNLIMITED, Target, emit_for
from gpucore.ir import matrix_unit
from gpucore.kernel import Kernel, specialise_by_name
from gpucore.runtime.protocol import Source
from gpucore_opencl.nvidia_matrices import MATRICES
from gpucore_opencl.plugin import OpenCLBackend

LIMITS = dataclasses.replace(UNLIMITED, min_subgroup_size=32, max_subgroup_size=32)
BACKEND = OpenCLBackend()
CAPABILITIES = BACKEND.capabilities - {gp.Capability.F16}
MORE_SHIM = """\
#define __local
#define CLK_LOCAL_MEM_FENCE 0
typedef unsigned long long ulong;
typedef unsigned short ushort;
typedef unsigned char uchar;
typedef unsigned long long uintptr_t;
inline uint get_group_id(int axis) { return axis == 0 ? blockIdx.x : axis == 1 ? blockIdx.y : blockIdx.z; }
inline uint get_num_groups(int axis) { return axis == 0 ? gridDim.x : axis == 1 ? gridDim.y : gridDim.z; }
inline void barrier(int) { __syncthreads(); }
inline ushort convert_ushort(uint a) { return (ushort)a; }
"""
"""What these texts need of OpenCL C besides."""


def emitted(kernel: Kernel, **bindings: object) -> Source:
    target = Target(BACKEND, gpu("8.0"), CAPABILITIES, LIMITS, "a GPU of compute capability 8.0")
    return emit_for(target, kernel.lower_for(specialise_by_name(kernel.name, kernel.signature, bindings), target))


B = TypeVar("B", gp.i8, gp.u8)
S = TypeVar("S", gp.i32, gp.u32)


@gp.kernel(workgroup_size=32)
def of_bytes(a: gp.In[B, 2], b: gp.In[B, 2], c: gp.Out[S, 2]):
    left, right = gp.tiles(B, 1, (16, 32)), gp.tiles(B, 1, (16, 32))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0], b, 0, 0)
    gp.copy_wait()
    gp.store_matrix(gp.multiply_add(left[0], right[0].T, gp.matrix(S, (16, 16))), c, 0, 0)


def compiled(nvrtc: Any, source: Source) -> bytes:
    """The text as CUDA C, compiled."""
    text = re.sub(r"\((u?int|float)([24])\)\(", r"make_\1\2(", source.text)
    text = re.sub(r"__local (__attribute__\(\(aligned\(16\)\)\) \w+ \w+\[)", r"__shared__ \1", text)
    text = re.sub(r"__attribute__\(\(reqd_work_group_size\([^)]*\)\)\)", "", text)
    binary, log = nvrtc.compile(dataclasses.replace(source, text=SHIM + MORE_SHIM + text), 80)
    assert binary, log
    return bytes(binary)


def test_products_are_instructions_from_8_0_on(nvrtc: Any) -> None:
    of_bf16 = emitted(make_kernel(128, 4), H=gp.bf16, W=gp.bf16, tile=UnitTile(64, 64, 32, 4, 128, 4))
    for source, instruction in (
        (of_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32"),
        (emitted(of_bytes, B=gp.i8, S=gp.i32), "m16n8k32.row.col.s32.s8"),
        (emitted(of_bytes, B=gp.u8, S=gp.u32), "m16n8k32.row.col.s32.u8"),
    ):
        for part in (f"mma.sync.aligned.{instruction}", "ldmatrix.sync", "cp.async.cg.shared.global", "aligned(16)"):
            assert part in source.text
        assert compiled(nvrtc, source)


def test_two_stages_with_padding_in_48_kib(nvrtc: Any) -> None:
    """The tile for large products. In panels three would fit, but the driver's compiler makes slower code of them."""
    limits = dataclasses.replace(LIMITS, max_workgroup_memory=48 << 10)
    unit = matrix_unit(CAPABILITIES, limits, gp.bf16.ir_type)
    assert unit is not None
    tile = next(tile for tile in MatmulShape(()).units if tile.needs is None and tile.fits(unit, limits, 2))
    assert tile == UnitTile(128, 128, 32, 2, 128, min_tiles=192)
    kernel = make_kernel(128, 1)
    specialisation = specialise_by_name(kernel.name, kernel.signature, {"H": gp.bf16, "W": gp.u32, "tile": tile})
    target = Target(BACKEND, gpu("8.0"), CAPABILITIES, limits, "a GPU with 48 KiB of workgroup memory")
    source = emit_for(target, kernel.lower_for(specialisation, target))
    assert re.findall(r"ushort (?:left|right)\[(\d+)\]", source.text) == ["10240", "8704"]
    assert compiled(nvrtc, source)


def test_text_for_no_device_has_no_instructions_of_nvidia() -> None:
    text = make_kernel(128, 4).emit("opencl", H=gp.bf16, W=gp.bf16, tile=UnitTile(64, 64, 32, 4, 128, 4)).text
    assert "asm" not in text
    assert BACKEND.of_some_drivers == MATRICES <= BACKEND.capabilities
