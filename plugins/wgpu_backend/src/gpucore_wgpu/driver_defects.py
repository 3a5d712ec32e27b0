"""Known driver defects: each with the drivers that have it and the workaround in the emitter.

A defect that any driver may have, or naga itself, is worked around on every device by the code that writes the text.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from gpucore.runtime import DeviceInfo


class Defect(enum.Enum):
    """The value describes the defect."""

    UNDEFINED_DIVISION = "x / 0, INT_MIN / -1 and conversions of floats beyond an integer's range are undefined"
    # drivers of OpenGL: GLSL leaves them undefined, and naga, which guards them in SPIR-V, MSL and HLSL, does not there
    # divisions and conversions are written with guards: functions.divisions, functions.truncations

    DIVISION_OF_64_BITS = "in kernels that divide 64-bit integers the lowest bit of other values may be wrong"
    # NVIDIA's Vulkan (580.159): `((8 // y) & 1) * 5 + 2` was 7 for y = 32
    # such divisions are written in words of 32 bits: functions.divisions

    INFINITE_F16 = (
        "an f16 that becomes an f32 is taken to be finite: comparisons of u64(f32(x)) with constants are wrong"
    )
    # NVIDIA's Vulkan (580.159): for an infinite x, `u64(x) == 18446744073709551615` was false
    # infinities are detected before the conversion: functions.truncations

    ROUNDING_OF_F64 = "round and trunc of f64 go through i32: round(1.5) is 1, trunc(1e10 + 0.5) is 1e10 + 0.5"
    # Mesa's llvmpipe and lavapipe (22.3) on x86 processors without AVX-512
    # both are computed by floor and ceil, which are correct there: functions.rounding


def defects_of(device: DeviceInfo) -> frozenset[Defect]:
    """The defects of a device's driver."""
    return frozenset(defect for defect, is_on in _DRIVERS.items() if is_on(device))


def _is_opengl(device: DeviceInfo) -> bool:
    return device.api.lower().startswith("opengl")


def _is_vulkan_of_nvidia(device: DeviceInfo) -> bool:
    return device.api.lower() == "vulkan" and "nvidia" in device.driver.lower()


def _is_llvmpipe(device: DeviceInfo) -> bool:
    return "llvmpipe" in device.name.lower()


_DRIVERS: dict[Defect, Callable[[DeviceInfo], bool]] = {
    Defect.UNDEFINED_DIVISION: _is_opengl,
    Defect.DIVISION_OF_64_BITS: _is_vulkan_of_nvidia,
    Defect.INFINITE_F16: _is_vulkan_of_nvidia,
    Defect.ROUNDING_OF_F64: _is_llvmpipe,
}
