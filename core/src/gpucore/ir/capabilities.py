"""What a kernel may need beyond the portable core, and how much of everything a device has."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Capability(enum.Enum):
    """A feature that some devices lack."""

    F16 = "f16"
    F64 = "f64"
    INT64 = "int64"
    FUSED_FMA = "fused_fma"  # gp.fma rounds once; never needed, only told
    DEBUG = "debug"  # print and breakpoint in kernels


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a device has. Sizes in bytes. The defaults are what every WebGPU device has."""

    max_workgroup_size: tuple[int, int, int] = (256, 256, 64)
    max_workgroup_invocations: int = 256
    max_workgroups: tuple[int, int, int] = (65535, 65535, 65535)
    max_workgroup_memory: int = 16384
    max_buffer_size: int = 1 << 28
    max_binding_size: int = 1 << 27  # largest buffer that a kernel can see
    max_buffers: int = 8  # storage buffers of one kernel
    max_loop_iterations: int | None = None  # of one invocation, all loops together; None: no limit
