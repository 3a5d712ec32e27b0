"""What devices have, by their compute capability."""

from __future__ import annotations

from gpucore.plugin.ir import Capability

SINCE = {
    Capability.MATRIX_UNITS: (7, 5),
    Capability.MATRIX_BF16: (8, 0),
    Capability.ASYNC_COPY: (8, 0),
}
"""The first compute capability with it, from which on all have it."""

WITH_GROUPS = 9
"""The major compute capability of the devices on which four warps multiply together."""

ONLY = {
    Capability.MATRIX_GROUPS: ((WITH_GROUPS, 0),),
    # those whose units multiply 7 times as many TF32 as registers multiply f32; of others it is once or twice
    Capability.MATRIX_TF32: ((8, 0), (9, 0), (10, 0), (10, 3)),
    # those with many units for f64; of others the units for matrices of f64 are slower than registers
    Capability.MATRIX_F64: ((8, 0), (9, 0), (10, 0)),
}
"""The compute capabilities that have it."""


def of_generation(major: int, minor: int) -> frozenset[Capability]:
    """What depends on the compute capability."""
    since = {capability for capability, first in SINCE.items() if (major, minor) >= first}
    return frozenset(since | {capability for capability, those in ONLY.items() if (major, minor) in those})
