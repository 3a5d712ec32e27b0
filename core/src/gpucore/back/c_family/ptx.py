"""Instructions of PTX for matrices and copies, which the compilers of CUDA C and of NVIDIA's OpenCL C take inline."""

from __future__ import annotations

from gpucore.ir import MatrixInputs

FIRST_WITH_MATRICES = (8, 0)
"""The compute capability from which on a device has them."""

MULTIPLY = {
    MatrixInputs.F16: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    MatrixInputs.BF16: "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
    MatrixInputs.TF32: "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    MatrixInputs.I8: "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
    MatrixInputs.U8: "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32",
}
"""A MatrixMultiply: the registers are in its order."""

LOAD, LOAD_TRANSPOSED = "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"
"""A MatrixLoad."""

COPY, COPY_OF_16 = "cp.async.ca.shared.global", "cp.async.cg.shared.global"
"""A CopyAsync of 4 or 8 bytes, and one of 16, which goes by the cache of the multiprocessor."""

COPY_GROUP, COPY_WAIT = "cp.async.commit_group", "cp.async.wait_group"
"""A CopyGroup, and a CopyWait."""
