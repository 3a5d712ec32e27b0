"""The limits of the device. The emitter relies on the bound of the grid, see `ranges`."""

from __future__ import annotations

import dataclasses

from gpucore.plugin.ir import Limits

_LIMITS = Limits(
    max_workgroup_size=(1024, 1024, 1024),
    max_workgroup_invocations=1024,
    max_workgroups=(2**21 - 1, 2**21 - 1, 2**21 - 1),  # so that workgroup_id * workgroup_size + local_id fits an i32
    max_workgroup_memory=256 * 1024,
    max_buffer_size=2**40,
    max_binding_size=2**40,
    max_buffers=64,
    part_alignment=1,
)


def limits_for(num_lanes: int) -> Limits:
    """The limits with this number of lanes: the subgroups are gangs."""
    if num_lanes == 1:
        return _LIMITS
    return dataclasses.replace(_LIMITS, min_subgroup_size=num_lanes, max_subgroup_size=num_lanes)
