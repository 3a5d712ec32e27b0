"""Copies between arrays and host memory that end later."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.conversion import bytes_of, check_element, components_of, refuse_masked, to_elements
from gpucore.device import Device
from gpucore.device import device as get_device
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.indexing import check_shape
from gpucore.runtime.protocol import DeviceInfo
from gpucore.streams import copy_queue
from gpucore.timing import Mark
from gpucore.types import f32

_LEAST_BESIDE = 1 << 18  # bytes of a copy beside kernels: the order of two queues costs more time than a smaller one
_WORD = 4  # bytes; devices write at multiples of it


@host_only
def empty_pinned(
    shape: Any, dtype: object = f32, *, device: str | DeviceInfo | Device | None = None
) -> npt.NDArray[Any]:
    """A NumPy array with undefined contents, of the shape and dtype that a device array of them has on the host, in
    page-locked memory, which the device copies at the full rate of its bus, and without the host in `Array.copy_to` and
    `Array.copy_from`. On devices without such memory it is an ordinary array.

    Locked memory is taken from all other programs: use it for the buffers of transfers. It is freed with the array, and
    is ordinary memory once the device is closed. Raises what `gp.empty` raises for the arguments, and MemoryError.
    """
    element, lengths, target = check_element(dtype), check_shape(shape), get_device(device)
    nbytes = math.prod(lengths) * element.itemsize
    with target.lock:
        memory = target.driver_device.pinned(nbytes) if nbytes else None
    host_shape = (*lengths, *components_of(element))
    if memory is None:
        return np.empty(host_shape, element.dtype)
    return np.frombuffer(memory, element.dtype).reshape(host_shape)


class Transfers:
    """What arrays have for these copies."""

    __slots__ = ()

    def set(self: Any, values: Any) -> None:
        """Store values in all elements, in queue order. They have the array's shape, and are converted as by
        `gp.asarray(values, x.dtype)`; a device array must have the same dtype. Raises ArgumentError for the values."""
        if type(values) is np.ndarray and values.dtype == self.dtype.dtype and values.shape == self._host_shape():
            self.check_open()
            self.write_elements(np.ascontiguousarray(values))  # nothing to convert, and no part to choose
            return
        shape: Any = getattr(values, "shape", None)
        if not isinstance(values, Transfers):
            shape = to_elements(values, self.dtype)[2]
        if shape != self.shape:
            raise ArgumentError(f"the values have shape {shape}, and the array has {self.shape}")
        self[...] = values

    def copy_from(self: Any, host: npt.NDArray[Any]) -> Mark:
        """Queue a copy of a contiguous NumPy array of the shape and dtype that `numpy` returns, and return a mark.

        Until the mark is done `host` must not change: the device reads it after the return. `set` takes any values, and
        has read them when it returns.

        A copy of 256 KiB or more runs beside kernels that do not use this array, on devices with several queues. Raises
        ArgumentError for another `host`.
        """
        self._check_host(host)
        return _copy(self, host, inward=True)

    def copy_to(self: Any, host: npt.NDArray[Any]) -> Mark:
        """Queue a copy to a contiguous, writable NumPy array of the shape and dtype that `numpy` returns, and return a
        mark: `host` has the elements once the mark is done. `numpy(out=host)` waits for it.

        A copy of 256 KiB or more runs beside kernels that do not write this array, on devices with several queues. Into
        memory that is not from `gp.empty_pinned` some devices copy before the return. Raises ArgumentError for another
        `host`.
        """
        self._check_host(host)
        if not host.flags.writeable:
            raise ArgumentError("the array to copy to is read-only")
        return _copy(self, host, inward=False)

    def _check_host(self: Any, host: object, what: str = "the host's side") -> None:
        """Raise ArgumentError for what is no array as `numpy` returns."""
        refuse_masked(host)
        wanted = self._host_shape(), self.dtype.dtype
        if not isinstance(host, np.ndarray) or (host.shape, host.dtype) != wanted:
            have = f"shape {host.shape}, {host.dtype}" if isinstance(host, np.ndarray) else type(host).__name__
            raise ArgumentError(f"{what} must be a NumPy array of shape {wanted[0]}, {wanted[1]}, not {have}")


def _copy(array: Any, host: npt.NDArray[Any], inward: bool) -> Mark:
    if not host.flags.c_contiguous:
        raise ArgumentError("the elements of the host's array do not follow each other in memory; pass a copy")
    device: Any = array.device
    device.refuse_while_recording("a copy that ends later")
    buffer, queues, is_queued = array.storage.buffer, device.driver_device.queues, False
    if host.nbytes and _is_whole_words(array):
        own = device.driver_device.order_of_queues
        # The memory of other libraries is in order with the first queue alone.
        is_chosen = queues > 1 and (own is None or own.queue == 0) and not (buffer.is_adopted or buffer.is_exported)
        is_chosen = is_chosen and host.nbytes >= _LEAST_BESIDE
        with device._within(copy_queue(queues, inward)) if is_chosen else nullcontext(), device.lock:
            device.collect_garbage()
            device.driver_device.check()
            device.driver_device.before(*([], [buffer]) if inward else ([buffer], []))
            start = buffer.start_write if inward else buffer.start_read
            is_queued = device.driver_device.start_copy(start, bytes_of(host), array.offset, inward=inward)
            mark = Mark(device)
            if is_queued:
                device.keep_until(mark, host)
                return mark
    if inward:
        array.write_elements(host)
    elif host.nbytes:
        device.read(buffer, bytes_of(host), array.offset)
    return Mark(device)


def _is_whole_words(array: Any) -> bool:
    end: int = array.offset + array.nbytes
    return array.offset % _WORD == 0 and bool(end % _WORD == 0 or end == array.storage.nbytes)
