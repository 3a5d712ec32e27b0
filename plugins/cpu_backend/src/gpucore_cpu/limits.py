"""The limits of the device. The emitter relies on the bound of the grid, see `ranges`."""

from __future__ import annotations

from gpucore.ir import Limits

LIMITS = Limits(
    max_workgroup_size=(1024, 1024, 1024),
    max_workgroup_invocations=1024,
    max_workgroups=(2**21 - 1, 2**21 - 1, 2**21 - 1),  # so that workgroup_id * workgroup_size + local_id fits an i32
    max_workgroup_memory=256 * 1024,
    max_buffer_size=2**40,
    max_binding_size=2**40,
    max_buffers=64,
)
