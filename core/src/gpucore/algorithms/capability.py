"""Check that a device supports the dtype of an array, before an algorithm's kernels are compiled."""

from __future__ import annotations

from gpucore import ir
from gpucore.device import Device
from gpucore.types import ElementDType
from gpucore.valid.capabilities import Need, capability_of, check_capabilities


def check_dtype(algorithm: str, device: Device, dtype: ElementDType) -> None:
    """Raise CapabilityError if the device lacks the dtype. The error describes the call, not gpucore's kernels."""
    capability = capability_of(ir.scalar_of(dtype.ir_type)) if not isinstance(dtype.ir_type, ir.StructType) else None
    if capability is not None:
        need = Need(capability, None, f"{algorithm} was given elements of type {dtype.ir_type}")
        check_capabilities([need], device.capabilities, f"{device.id} ({device.name})")
