"""Subgroups on NVIDIA's OpenCL: PTX in the text, which NVRTC compiles as CUDA C where there is no GPU."""

from __future__ import annotations

import dataclasses
import re
from types import SimpleNamespace
from typing import Any

import pytest
from ir_build import KernelBuilder
from language_kernels import subgroup_values, subgroup_votes

from gpucore.ir import F32, I32, U32, Capability, DeviceFence, ValidModule
from gpucore.runtime.protocol import DeviceInfo, DeviceKind
from gpucore_opencl.platforms import capabilities_of, compute_capability
from gpucore_opencl.plugin import OpenCLBackend

SHIM = """\
typedef unsigned int uint;
#define __kernel extern "C" __global__
#define __global
#define restrict __restrict__
#define inline __device__ __forceinline__
inline uint get_local_id(int axis) { return axis == 0 ? threadIdx.x : axis == 1 ? threadIdx.y : threadIdx.z; }
inline uint as_uint(int a) { return (uint)a; }
inline uint as_uint(uint a) { return a; }
inline uint as_uint(float a) { return __float_as_uint(a); }
inline int as_int(uint a) { return (int)a; }
inline float as_float(uint a) { return __uint_as_float(a); }
inline uint popcount(uint a) { return __popc(a); }
"""
"""What the text of these kernels needs of OpenCL C."""


def gpu(generation: str) -> DeviceInfo:
    return DeviceInfo(
        id="opencl:0", backend="opencl", index=0, name="GPU", kind=DeviceKind.GPU, driver="NVIDIA CUDA 580.159",
        details=(("compute capability", generation),),
    )  # fmt: skip


def text_for(valid: ValidModule, generation: str) -> str:
    return OpenCLBackend().emit(valid, gpu(generation)).text


def as_cuda(text: str) -> str:
    text = re.sub(r"__attribute__\(\(reqd_work_group_size\([^)]*\)\)\)", "", text)
    return SHIM + text.replace("(uint4)(", "make_uint4(")


KERNELS = [
    *(subgroup_values(element, size) for element in (I32, U32, F32) for size in ((64, 1, 1), (5, 5, 4))),
    subgroup_votes((45, 1, 1)),
]


@pytest.mark.parametrize(("generation", "architecture"), [("7.5", 75), ("9.0", 90)])
def test_instructions_are_those_of_the_generation(nvrtc: Any, generation: str, architecture: int) -> None:
    for valid in KERNELS:
        source = OpenCLBackend().emit(valid, gpu(generation))
        binary, log = nvrtc.compile(dataclasses.replace(source, text=as_cuda(source.text)), architecture)
        assert binary[:4] == b"\x7fELF"
        assert not log.strip(), f"{valid.module.name}: {log}"


def test_integers_are_reduced_by_one_instruction_where_there_is_one() -> None:
    for element in (I32, U32, F32):
        valid = subgroup_values(element, (64, 1, 1))
        assert "redux" not in text_for(valid, "7.5")
        assert ("redux.sync.add.u32" in text_for(valid, "8.0")) == element.is_integer
    assert "redux.sync.min.s32" in text_for(subgroup_values(I32, (64, 1, 1)), "9.0")


def test_the_mask_has_the_invocations_that_there_are() -> None:
    text = text_for(subgroup_votes((5, 5, 4)), "9.0")
    assert "gpucore_subgroup_votes(flag, gpucore_subgroup_mask(5, 5, 4))" in text
    assert "gpucore_subgroup_wait(gpucore_subgroup_mask(5, 5, 4));" in text
    assert "cl_khr_subgroups" not in text  # it would be compiled as OpenCL C 2.0


def device(extensions: str, platform: str, generation: int) -> Any:
    return SimpleNamespace(
        extensions=extensions, profile="FULL_PROFILE", double_fp_config=0, platform=SimpleNamespace(name=platform),
        compute_capability_major_nv=generation, compute_capability_minor_nv=5, version="OpenCL 3.0",
        opencl_c_features=[],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "has_subgroups"),
    [
        (device("cl_nv_device_attribute_query", "NVIDIA CUDA", 7), True),
        (device("cl_nv_device_attribute_query", "NVIDIA CUDA", 6), False),
        (device("cl_nv_device_attribute_query", "Portable Computing Language", 9), False),
        (device("", "NVIDIA CUDA", 9), False),
    ],
)
def test_gpus_of_a_known_generation_have_subgroups(found: Any, has_subgroups: bool) -> None:
    all = {Capability.SUBGROUP, Capability.SUBGROUP_BARRIER, Capability.DEVICE_FENCE}
    assert capabilities_of(found) & all == (all if has_subgroups else set())
    assert has_subgroups == (compute_capability(found) > (7,))


def test_a_fence_is_an_instruction() -> None:
    kernel = KernelBuilder("ordered", (32, 1, 1))
    kernel.add(DeviceFence())
    text = OpenCLBackend().emit(kernel.valid(), gpu("9.0")).text
    assert text.splitlines()[-2].strip() == 'asm volatile("fence.acq_rel.gpu;" : : : "memory");'
    assert "OpenCL C 3.0" not in text
