"""Structs, small integers, atomics and subgroups as CUDA C, compiled for every architecture with no GPU."""

from __future__ import annotations

import pytest
from ir_build import KernelBuilder, constant
from language_kernels import (
    counting,
    exchanging,
    storage_conversions,
    storage_params,
    struct_atomics,
    subgroup_values,
    subgroup_votes,
)

from gpucore.ir import F32, F64, I32, I64, U8, U32, U64, AtomicOp, ValidModule, VectorType, lay_out
from gpucore_cuda.nvrtc import Nvrtc
from gpucore_cuda.plugin import CUDABackend

emit = CUDABackend().emit

KERNELS = [
    *(storage_conversions(), storage_params(), struct_atomics()),
    *(counting(element) for element in (I64, U64, F32)),
    *(exchanging(element, memory) for element in (I32, I64, U64, F32) for memory in ("buffer", "workgroup")),
    *(subgroup_values(element, size) for element in (I32, U32, F32) for size in ((64, 1, 1), (5, 5, 4))),
    subgroup_votes((45, 1, 1)),
]


@pytest.mark.parametrize("architecture", [75, 80, 90, 100, 120])
def test_every_kernel_compiles_without_a_warning(nvrtc: Nvrtc, architecture: int) -> None:
    for valid in KERNELS:
        binary, log = nvrtc.compile(emit(valid), architecture)
        assert binary[:4] == b"\x7fELF" and valid.module.name.encode() in binary
        assert not log.strip(), f"{valid.module.name}: {log}"


def last_lines(valid: ValidModule, count: int) -> list[str]:
    return [line.strip() for line in emit(valid).text.splitlines()[-count - 1 : -1]]


def test_the_mask_has_the_invocations_that_there_are() -> None:
    text = emit(subgroup_votes((5, 5, 4))).text
    assert "__ballot_sync(gpucore_subgroup_mask<5, 5, 4>(), flag)" in text
    assert "\n    __syncwarp(gpucore_subgroup_mask<5, 5, 4>());\n" in text
    assert "x + 31" not in text and "(100 + 31) / 32" in text


def test_functions_of_subgroups_are_written_where_they_are_used() -> None:
    assert "gpucore_subgroup" not in emit(storage_params()).text
    assert "gpucore_subgroup_min_f32" not in emit(subgroup_values(I32, (32, 1, 1))).text


STRUCT = """\
struct Inner {
    unsigned char kind;
    double weight;
};
static_assert(sizeof(struct Inner) == 16);
struct Outer {
    struct Inner inner;
    float4 int_2;
};
static_assert(sizeof(struct Outer) == 32);

extern "C" __global__ void __launch_bounds__(1) nest(
    struct Outer* __restrict__ items)
{
    const float4 items_value = items[0].int_2;
    items[1].int_2 = items_value;
    const double weight = items[2].inner.weight;
    items[3].inner.weight = weight;
}
"""


def test_text_of_a_struct() -> None:
    inner = lay_out("Inner", (("kind", U8), ("weight", F64)))
    outer = lay_out("Outer", (("inner", inner), ("int", VectorType(F32, 4))))
    kernel = KernelBuilder("nest", (1, 1, 1))
    items = kernel.buffer("items", outer)
    kernel.store(items, constant(1), kernel.load(items, constant(0), path=(1,)), (1,))
    kernel.store(items, constant(3), kernel.load(items, constant(2), "weight", (0, 1)), (0, 1))
    assert emit(kernel.valid()).text == STRUCT


def test_atomics_of_64_bits_are_on_the_unsigned_type_save_order() -> None:
    kernel = KernelBuilder("wide", (1, 1, 1))
    cells = kernel.buffer("cells", I64)
    for op in (AtomicOp.SUB, AtomicOp.MIN, AtomicOp.XOR):
        kernel.atomic(op, cells, constant(0), constant(5, I64))
    assert last_lines(kernel.valid(), 3) == [
        "const long long old = (long long)atomicAdd((unsigned long long*)&cells[0], 0ULL - (unsigned long long)(5LL));",
        "const long long old_2 = atomicMin((long long*)&cells[0], 5LL);",
        "const long long old_3 = (long long)atomicXor((unsigned long long*)&cells[0], (unsigned long long)(5LL));",
    ]


def test_plain_accesses_beside_atomics_in_a_struct_are_real_ones() -> None:
    text = emit(struct_atomics()).text
    assert "struct Cell* __restrict__ cells" in text and "volatile struct" not in text
    assert "= *(volatile unsigned int*)&cells[i].count;" in text
    assert "const float4 colour = cells[i].colour;" in text
