"""Known defects of drivers: which drivers have each defect, and where it is worked around.

Where the IR can express a workaround, it is a step from IR to IR before validation, in `steps`. The others are in the
emitter, marked "text" here, because they change helper functions and conversions of WGSL, which are not in the IR.

Not in the table is what every device gets, with the reason beside it: workarounds whose text costs nothing (`sign`, the
number of subgroups, 64-bit bit counts), and differences between naga's WGSL and the IR (comparisons of NaN, missing
operations).
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from gpucore.plugin import DeviceInfo
from gpucore_wgpu.pages import is_page


class Defect(enum.Enum):
    """The value describes the defect. The comments name the drivers and the workaround."""

    REAL_ARITHMETIC = "float arithmetic is rewritten by identities of real numbers: x - x and x * 0 become 0"
    # Mesa's and NVIDIA's compilers do it; any may, because naga does not mark float operations as exact
    # step: operands are hidden from the compiler, `exact`

    NARROW_FUNCTIONS = "pow, fmod, trigonometric and hyperbolic functions of f16 are inaccurate or unusable"
    # some drivers; done on every device
    # step: they are computed in f32

    ROUNDING_OF_F64 = "round and trunc of f64 go through i32: round(1.5) is 1, trunc(1e10 + 0.5) is 1e10 + 0.5"
    # Mesa's llvmpipe and lavapipe (22.3) on x86 processors without AVX-512
    # step: both are computed by floor and ceil, which are correct there

    INFINITE_F16 = "an f16 converted to f32 is assumed to be finite: u64(f32(x)) == constant is wrong for infinities"
    # NVIDIA's Vulkan (580.159): for an infinite x, `u64(x) == 18446744073709551615` was false
    # step: before a conversion to an integer, infinities are replaced by finite numbers beyond its range

    ABSOLUTE_VALUE = "the absolute value of an integer is assumed not to be negative: abs(INT64_MIN) < 0 may be false"
    # NVIDIA's Vulkan (580.159): `mul_hi(abs(x), x) < 1`, which needs the sign of abs(x), was true for x = INT64_MIN
    # step: it is selected from x and -x

    LATE_INDEX = "the index of a private array may be read after its variable has changed"
    # Mesa's llvmpipe and lavapipe (22.3): they keep `v[j]` as a reference to the register of `j`
    # step: a zero that the compiler cannot derive is added to the index, so that the index gets its own register

    UNDEFINED_DIVISION = "x / 0, INT_MIN / -1 and conversions of floats beyond an integer's range are undefined"
    # drivers of OpenGL: GLSL leaves them undefined, and naga guards them in SPIR-V, MSL and HLSL, but not in GLSL
    # text: guards in the helper functions of divisions and conversions, `functions.divisions`, `functions.truncations`

    DIVISION_OF_64_BITS = "in kernels that divide 64-bit integers the lowest bit of other values may be wrong"
    # NVIDIA's Vulkan (580.159): `((8 // y) & 1) * 5 + 2` was 7 for y = 32; its conversions from floats do it too
    # text: division is a helper function that divides in words of 32 bits, `functions.divisions`; the remainder of f64,
    # another helper function, calls it

    SIGN_EXTENSION = "`i64(x) < constant` may be false where it is true, for an i32 x"
    # Mesa's compilers
    # text: an i64 is made from a u64, `wgsl_conversions`; a step would make the range of the number unknown to the
    # emitter, which simplifies divisions by the ranges of their operands

    SPECIAL_ARGUMENTS = "exp, log and sqrt of NaN, infinities, zeros and negative numbers are not those of IEEE 754"
    # SwiftShader, through which browsers run WebGPU where there is no GPU; a page does not know its driver
    # text: results for such arguments are selected, `functions.specials`

    CONSTANT_ZERO = "the sign of a constant -0.0 is lost"
    # Tint, Chromium's compiler
    # text: it is made from its bits, `wgsl_expressions`


ANY_DRIVER = "any driver"
"""The driver of devices that are not there: kernels for them work around the defects of all."""
LLVMPIPE = "llvmpipe"  # in the names of Mesa's software adapters
_LLVMPIPE_LOOP_LIMIT = 65535  # LP_MAX_TGSI_LOOP_ITERATIONS in Mesa, of both its Vulkan and its OpenGL


def defects_of(device: DeviceInfo | None) -> frozenset[Defect]:
    """The defects of a device's driver; without a device those that any driver may have."""
    is_any = device is not None and device.driver == ANY_DRIVER
    return frozenset(
        defect for defect, is_on in _DRIVERS.items() if is_on(device) or (is_any and is_on is not _is_llvmpipe)
    )


def loop_limit(adapter: str) -> int | None:
    """After how many iterations, of all loops of an invocation together, the adapter's driver ends every loop, or None.

    A device reports it as `Limits.max_loop_iterations`. `emit` adds a check to a kernel that may reach it. The check is
    WGSL, because it needs a binding that is not one of the kernel's buffers.
    """
    return _LLVMPIPE_LOOP_LIMIT if LLVMPIPE in adapter.lower() else None


def _is_any(device: DeviceInfo | None) -> bool:
    return True


def _is_opengl(device: DeviceInfo | None) -> bool:
    return device is not None and device.api.lower().startswith("opengl")


def _is_vulkan_of_nvidia(device: DeviceInfo | None) -> bool:
    return device is not None and device.api.lower() == "vulkan" and "nvidia" in device.driver.lower()


def _is_mesa(device: DeviceInfo | None) -> bool:
    return device is not None and "mesa" in device.driver.lower()


def _is_llvmpipe(device: DeviceInfo | None) -> bool:
    return device is not None and LLVMPIPE in device.name.lower()


_DRIVERS: dict[Defect, Callable[[DeviceInfo | None], bool]] = {
    Defect.REAL_ARITHMETIC: _is_any,
    Defect.NARROW_FUNCTIONS: _is_any,
    Defect.ROUNDING_OF_F64: _is_llvmpipe,
    Defect.INFINITE_F16: _is_vulkan_of_nvidia,
    Defect.ABSOLUTE_VALUE: _is_vulkan_of_nvidia,
    Defect.LATE_INDEX: _is_llvmpipe,
    Defect.UNDEFINED_DIVISION: _is_opengl,
    Defect.DIVISION_OF_64_BITS: _is_vulkan_of_nvidia,
    Defect.SIGN_EXTENSION: _is_mesa,
    Defect.SPECIAL_ARGUMENTS: is_page,
    Defect.CONSTANT_ZERO: is_page,
}
