"""Capabilities that a kernel may need beyond the portable core, and the limits of a device."""

from __future__ import annotations

import enum

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.ir.ops import COOPERATIVE_SUMS, MATRIX_INPUTS, MATRIX_LANES, PRECISIONS, MatrixInputs
from gpucore.ir.panels import has_padding
from gpucore.ir.types import F32, Element, StructType


class Capability(enum.Enum):
    """A feature that some devices lack. Compiling a kernel that needs a missing one raises CapabilityError."""

    F16 = "f16"  # f16 and its vectors
    F64 = "f64"  # f64: arithmetic, sqrt, rounding
    F64_MATH = "f64_math"  # exp, log, pow, sin and the like on f64
    INT64 = "int64"  # i64 and u64
    INT8 = "int8"  # native i8 and u8 in memory; without it, core emulates them in words
    INT16 = "int16"  # native i16 and u16 in memory; without it, core emulates them in words
    ATOMIC_F32 = "atomic_f32"  # native load, store, add, sub and exchange on f32; without it, core emulates them
    ATOMIC_INT64 = "atomic_int64"  # atomics on i64 and u64
    SUBGROUP = "subgroup"  # native subgroups; without it, core emulates them in workgroup memory
    SUBGROUP_BARRIER = "subgroup_barrier"  # orders memory within a subgroup alone; without it, the workgroup waits
    MATRIX_UNITS = "matrix_units"  # products of f16, i8 and u8 matrices by subgroups of 32; without it, by registers
    MATRIX_BF16 = "matrix_bf16"  # those of bf16, too
    MATRIX_TF32 = "matrix_tf32"  # those of f32 in 11 bits, too, several times as fast as f32
    MATRIX_F64 = "matrix_f64"  # those of f64, too, faster than by registers
    MATRIX_GROUPS = "matrix_groups"  # f16, bf16, i8 and u8 matrices by groups of 128; without it, by subgroups
    COOPERATIVE_MATRICES = "cooperative_matrices"  # of f16, whose elements only workgroup memory shows
    ASYNC_COPY = "async_copy"  # copies to workgroup memory that end later; without it, they end at once
    DEVICE_FENCE = "device_fence"  # orders accesses to buffers for all invocations of the device
    FUSED_FMA = "fused_fma"  # gp.fma rounds once; reported only, never required
    BREAKPOINT = "breakpoint"  # breakpoint() in kernels


OF_ONE_ARCHITECTURE = frozenset({Capability.MATRIX_GROUPS, Capability.COOPERATIVE_MATRICES})
"""The capabilities that kernels use for speed alone, where a device has them. Texts for no device do without."""

EMULATED_SUBGROUP_SIZE = 8
"""The size of subgroups that core makes, for devices that have none."""


class Limits(Immutable):
    """The limits of a device. Sizes in bytes. The defaults are what every WebGPU device supports.

    The most that C004 of the conformance kit accepts: `max_workgroup_invocations` 2**16, also along each axis,
    `max_workgroups` 2**31 - 1 along each axis, `max_workgroup_memory` 2**30, `max_buffers` 2**32, `max_buffer_size`
    2**62 and `max_binding_size` 2**62.
    """

    max_workgroup_size: tuple[int, int, int] = (256, 256, 64)  # along x, y and z
    max_workgroup_invocations: int = 256  # in all
    max_workgroups: tuple[int, int, int] = (65535, 65535, 65535)  # of one dispatch; core folds larger grids
    max_workgroup_memory: int = 16384  # bytes of the workgroup arrays of a kernel
    max_buffer_size: int = 1 << 28  # bytes of an array
    max_binding_size: int = 1 << 27  # bytes of the largest buffer that a kernel can access
    max_buffers: int = 8  # storage buffers per kernel
    min_subgroup_size: int = 0  # of native subgroups; 0: none, or unknown
    max_subgroup_size: int = 0  # likewise
    cooperative_edge: int = 16  # rows and columns of cooperative matrices: 16 or 8
    part_alignment: int = 0  # any number of bytes, of the memory that Buffer.part gives; 0: none
    max_loop_iterations: int | None = None  # per invocation, summed over all loops; None: no limit


def known_subgroup_size(capabilities: frozenset[Capability], limits: Limits) -> int:
    """The size of a device's subgroups, native or emulated; 0 if they have different sizes, or it is unknown."""
    if Capability.SUBGROUP not in capabilities:
        return EMULATED_SUBGROUP_SIZE
    return limits.max_subgroup_size if limits.min_subgroup_size == limits.max_subgroup_size else 0


_SUBGROUPS = 8
"""For so many a kernel has workgroup memory beside its tiles, in which elements of cooperative matrices are seen."""


class MatrixUnit(Immutable):
    """What the units of a device multiply: a matrix of the workgroup has a multiple of `m` rows and of `n` columns for
    each of its subgroups, of `invocations`, and the tiles a multiple of `k` between them."""

    m: int
    n: int
    k: int
    invocations: int
    memory: int  # bytes of workgroup memory that a kernel can have
    copies: bool  # gp.copy_tile ends later, while the kernel goes on
    has_padding: bool = False  # between the rows of all tiles: none is in panels


_OF_INPUTS = {
    MatrixInputs.BF16: Capability.MATRIX_BF16,
    MatrixInputs.TF32: Capability.MATRIX_TF32,
    MatrixInputs.F64: Capability.MATRIX_F64,
}


def matrix_capability(inputs: MatrixInputs) -> Capability:
    """What a device with MATRIX_UNITS has, too, whose subgroups multiply matrices of such elements."""
    return _OF_INPUTS.get(inputs, Capability.MATRIX_UNITS)


def check_precision(precision: object) -> None:
    """Raises ArgumentError for what is no precision."""
    if precision not in PRECISIONS:
        raise ArgumentError(f"precision must be one of {', '.join(PRECISIONS)}, not {precision!r:.60}")


def matrix_unit(
    capabilities: frozenset[Capability], limits: Limits, element: Element, precision: str = PRECISIONS[0]
) -> MatrixUnit | None:
    """The units of a device for tiles of an element type, of f32 with a precision; None if it has none. Raises
    ArgumentError for what is no precision."""
    check_precision(precision)
    if isinstance(element, StructType) or known_subgroup_size(capabilities, limits) != MATRIX_LANES:
        return None
    lanes, memory, copies = MATRIX_LANES, limits.max_workgroup_memory, Capability.ASYNC_COPY in capabilities
    if Capability.MATRIX_UNITS in capabilities:
        is_rounded = element == F32 and precision != PRECISIONS[0]
        inputs = MatrixInputs.TF32 if is_rounded else MATRIX_INPUTS.get(element)
        if inputs is None or matrix_capability(inputs) not in capabilities:
            return None
        return MatrixUnit(16, 16, 32 // element.nbytes, lanes, memory, copies, has_padding(memory))
    edge = limits.cooperative_edge
    if Capability.COOPERATIVE_MATRICES in capabilities and element in COOPERATIVE_SUMS.get(edge, {}):
        scratch = _SUBGROUPS * edge * edge * F32.nbytes
        return MatrixUnit(edge, edge, edge, lanes, memory - scratch, copies, has_padding=True)
    return None
