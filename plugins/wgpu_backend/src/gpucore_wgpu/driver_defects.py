"""Known defects of drivers: each with the drivers that have it, and the place of the workaround.

Most workarounds are steps from IR to IR before validation, in `steps`. Those that are in the emitter change WGSL that
the IR cannot express: helper functions, which call each other, and conversions by WGSL's own rules.

naga's own differences from the IR (comparisons of NaN, missing operations) are not in this table: they are the same on
every device, and are handled where the text is written.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from gpucore.runtime import DeviceInfo


class Defect(enum.Enum):
    """The value describes the defect."""

    REAL_ARITHMETIC = "float arithmetic is rewritten by the laws of real numbers: x - x and x * 0 become 0"
    # Mesa's and NVIDIA's compilers; naga does not mark float operations as exact, so any driver may do it
    # step: operands are hidden from the compiler, `exact`

    NARROW_FUNCTIONS = "pow, fmod, trigonometric and hyperbolic functions of f16 are inaccurate or unusable"
    # step: they are computed in f32

    ROUNDING_OF_F64 = "round and trunc of f64 go through i32: round(1.5) is 1, trunc(1e10 + 0.5) is 1e10 + 0.5"
    # Mesa's llvmpipe and lavapipe (22.3) on x86 processors without AVX-512
    # step: both are computed by floor and ceil, which are correct there

    INFINITE_F16 = (
        "an f16 that becomes an f32 is taken to be finite: comparisons of u64(f32(x)) with constants are wrong"
    )
    # NVIDIA's Vulkan (580.159): for an infinite x, `u64(x) == 18446744073709551615` was false
    # step: before a conversion to an integer, infinities are replaced by finite numbers beyond its range

    LATE_INDEX = "the index of a private array may be read after its variable has changed"
    # Mesa's llvmpipe and lavapipe (22.3) keep the access `v[j]` as a reference to the register of `j`
    # step: a zero that the compiler cannot derive is added to the index, so that it has its own register

    UNDEFINED_DIVISION = "x / 0, INT_MIN / -1 and conversions of floats beyond an integer's range are undefined"
    # drivers of OpenGL: GLSL leaves them undefined, and naga, which guards them in SPIR-V, MSL and HLSL, does not there
    # text: guards in the helper functions of divisions and conversions, `functions.divisions`, `functions.truncations`

    DIVISION_OF_64_BITS = "in kernels that divide 64-bit integers the lowest bit of other values may be wrong"
    # NVIDIA's Vulkan (580.159): `((8 // y) & 1) * 5 + 2` was 7 for y = 32
    # text: helper functions that divide in words of 32 bits, `functions.divisions`; other helper functions call them

    SIGN_EXTENSION = "`i64(x) < constant` may be false where it is true, for an i32 x"
    # Mesa's compilers
    # text: an i64 is made of a u64, `wgsl_conversions`; as a step it would hide from the emitter, which simplifies
    # divisions by the range of their operands, that the number has 32 bits


_LLVMPIPE_LOOP_LIMIT = 65535  # LP_MAX_TGSI_LOOP_ITERATIONS in Mesa, of both its Vulkan and its OpenGL


def defects_of(device: DeviceInfo | None) -> frozenset[Defect]:
    """The defects of a device's driver; without a device those that any driver may have."""
    return frozenset(defect for defect, is_on in _DRIVERS.items() if is_on(device))


def loop_limit(adapter: str) -> int | None:
    """The iterations, of all loops of an invocation together, after which its driver silently ends every loop, or None.

    The adapters report it as `Limits.max_loop_iterations`. `emit` makes a kernel that may reach it test for that, in
    WGSL because the test needs a binding that the kernel does not have.
    """
    return _LLVMPIPE_LOOP_LIMIT if "llvmpipe" in adapter.lower() else None


def _is_any(device: DeviceInfo | None) -> bool:
    return True


def _is_opengl(device: DeviceInfo | None) -> bool:
    return device is not None and device.api.lower().startswith("opengl")


def _is_vulkan_of_nvidia(device: DeviceInfo | None) -> bool:
    return device is not None and device.api.lower() == "vulkan" and "nvidia" in device.driver.lower()


def _is_mesa(device: DeviceInfo | None) -> bool:
    return device is not None and "mesa" in device.driver.lower()


def _is_llvmpipe(device: DeviceInfo | None) -> bool:
    return device is not None and "llvmpipe" in device.name.lower()


_DRIVERS: dict[Defect, Callable[[DeviceInfo | None], bool]] = {
    Defect.REAL_ARITHMETIC: _is_any,
    Defect.NARROW_FUNCTIONS: _is_any,
    Defect.ROUNDING_OF_F64: _is_llvmpipe,
    Defect.INFINITE_F16: _is_vulkan_of_nvidia,
    Defect.LATE_INDEX: _is_llvmpipe,
    Defect.UNDEFINED_DIVISION: _is_opengl,
    Defect.DIVISION_OF_64_BITS: _is_vulkan_of_nvidia,
    Defect.SIGN_EXTENSION: _is_mesa,
}
