"""Check that a device supports the dtype of an array, before a kernel of gpucore's own is compiled."""

from __future__ import annotations

from gpucore import ir, passes
from gpucore.array import Array
from gpucore.device import Device
from gpucore.errors import CapabilityError
from gpucore.types import DType, ElementDType
from gpucore.valid.capabilities import Need, capability_of, check_capabilities

_EVERYWHERE = {"i64": "i32", "u64": "u32", "f64": "f32", "f16": "f32"}
"""A type that not every device has -> the one that is used in its place."""


def check_dtype(call: str, device: Device, dtype: ElementDType) -> None:
    """Raise CapabilityError if the device lacks the dtype. The error describes the call, not gpucore's kernels."""
    capability = capability_of(ir.scalar_of(dtype.ir_type)) if isinstance(dtype, DType) else None
    if capability is not None and capability not in passes.EMULATED:
        need = Need(capability, None, f"{call} was given elements of type {dtype.ir_type}")
        check_capabilities([need], device.capabilities, f"{device.id} ({device.name})")


def has_dtype(device: Device, dtype: ElementDType) -> bool:
    """Whether a device has a dtype, or it is emulated there."""
    try:
        check_dtype("", device, dtype)
    except CapabilityError:
        return False
    return True


def check_array(call: str, array: Array) -> None:
    """As `check_dtype`, for an array, which may be made of another type."""
    try:
        check_dtype(call, array.device, array.dtype)
    except CapabilityError as error:
        kind = str(array.dtype.ir_type)
        scalar = kind.partition("x")[0]
        other = kind.replace(scalar, _EVERYWHERE[scalar])
        fix = f"make it of {other}, as in gp.asarray(values, gp.{other}), or choose another device"
        raise CapabilityError(error.code, error.message, why=error.why, fix=fix) from None
