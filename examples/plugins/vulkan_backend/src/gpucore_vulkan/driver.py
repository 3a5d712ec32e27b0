"""The driver: its functions without the binding's conversions, and its errors as gpucore's.

The binding looks up and converts the arguments of each call, which takes longer than the driver's own part of it. What
is called for each dispatch is therefore called through pointers, with structures that are made once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import vulkan as vk

from gpucore.plugin import DeviceError, DeviceLostError, GpucoreError, OutOfMemoryError

ffi: Any = vk.ffi

_NO_MEMORY = (vk.VK_ERROR_OUT_OF_HOST_MEMORY, vk.VK_ERROR_OUT_OF_DEVICE_MEMORY, vk.VK_ERROR_TOO_MANY_OBJECTS)
"""The last one: of allocations, whose number is limited."""
_NUMBERS = {error: number for number, error in vk.exception_codes.items()}


def function_of(device: Any, name: str) -> Any:
    """A function of an open device, without the loader in between."""
    pointer = vk.lib.vkGetDeviceProcAddr(device, name.encode())
    if pointer == ffi.NULL:
        raise DeviceError(f"the driver has no function {name}")
    return ffi.cast(f"PFN_{name}", pointer)


def number_of(handle: Any) -> int:
    """A handle as a number, for structures that are packed as bytes."""
    return int(ffi.cast("uintptr_t", handle))


def check(result: int, action: str) -> None:
    """Raise the error for what a function of the driver has returned, if it is one."""
    if result < 0:
        raise device_error(result, action)


def device_error(result: int, action: str) -> DeviceError:
    """The error for a number."""
    if result in _NO_MEMORY:
        return OutOfMemoryError(f"the device has no memory left to {action}")
    if result == vk.VK_ERROR_DEVICE_LOST:
        return DeviceLostError(f"the device is lost: it could not {action}; open it again")
    name = getattr(vk.exception_codes.get(result), "__name__", "an unknown error")
    return DeviceError(f"the driver refused to {action}: {name} ({result})")


@contextmanager
def driver_errors(action: str) -> Iterator[None]:
    """Convert the binding's exceptions during `action`."""
    try:
        yield
    except GpucoreError:
        raise
    except (vk.VkException, vk.VkError) as error:
        raise device_error(_NUMBERS.get(type(error), 0), action) from error
