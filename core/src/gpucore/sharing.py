"""Arrays in memory of other libraries: what DLPack and the CUDA array interface hand over, without a copy."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from gpucore import dlpack
from gpucore.array import Array, DeviceLike, asarray_on, empty
from gpucore.device import Device, open_devices
from gpucore.device import device as get_device
from gpucore.dlpack import Memory
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.indexing import check_shape
from gpucore.storage import Storage
from gpucore.types import as_dtype

_ALIGNMENT = 16  # of memory that a device adopts
_HOST = dlpack.CPU, 0
_HOST_TYPES = (dlpack.CPU, dlpack.CUDA_HOST)
_CUDA_TYPES = (dlpack.CUDA, dlpack.CUDA_MANAGED)


class OnCuda(Protocol):
    """What type checkers know tensors of other libraries by."""

    @property
    def __cuda_array_interface__(self) -> Any: ...


@host_only
def from_dlpack(x: Any, /, *, device: DeviceLike = None, copy: bool | None = None) -> Array:
    """An array of another library's elements, through DLPack: in the same memory if `device` can use it.

    `x` is a NumPy array, a tensor of PyTorch, an array of CuPy, JAX, or anything with `__dlpack__`. Memory of the host
    goes to "cpu" (or to `device="simulator"`) without a copy, that of a CUDA GPU to "cuda"; on another `device` it is a
    copy. `copy=True` always copies, `copy=False` never.

    Then each library sees what the other writes. On the CPU, call `synchronize()` before the other one uses the memory.
    On CUDA, gpucore works in the default stream; for a library that uses another one, see `Device.wait_for_stream` and
    `Device.block_stream`. Kernels that are called with the other library's object itself are ordered so.

    Raises ArgumentError for elements that do not follow each other in memory or are not aligned, for memory that may
    not be written (read-only arrays, all of JAX's), dtypes that gpucore does not have, masks and tensors that record
    gradients. `copy=True` accepts the first three of these on the host, and any byte order. Also where `copy=False`
    would need a copy.
    """
    if copy is not None and not isinstance(copy, bool):
        raise ArgumentError(f"copy must be True, False or None, not {copy!r}")
    if isinstance(x, Array):
        moved = x if device is None else x.to(device)
        if moved is not x and copy is False:
            raise ArgumentError(f"the array is on {x.device.id}, so an array on {moved.device.id} is a copy")
        return moved.copy() if copy and moved is x else moved
    if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
        raise ArgumentError(f"{_name(x)} has no __dlpack__; gp.asarray copies what NumPy can convert")
    if isinstance(x, np.ma.MaskedArray):
        raise ArgumentError(f"{_name(x)} has a mask, and device arrays have none; fill it first, as with x.filled(0)")
    with _refusals(x):
        kind, number = map(int, x.__dlpack_device__())
    if kind in _HOST_TYPES:
        return _from_host(x, device, copy)
    if kind not in _CUDA_TYPES:
        raise ArgumentError(f"{_name(x)} is on a device of DLPack's type {kind}; gpucore shares memory of type 1 (CPU) "
                            "and 2 (CUDA)")  # fmt: skip
    if not copy:
        _check_writable(x)
    return _elsewhere(_adopt_tensor(x, _cuda_device(number)), device, copy)


@contextmanager
def _refusals(x: Any) -> Iterator[None]:
    """Turns what a library raises that does not hand over its memory into an ArgumentError."""
    try:
        yield
    except (BufferError, RuntimeError, ValueError, TypeError) as error:
        raise ArgumentError(f"{_name(x)} does not hand over its memory: {error}") from error


def _check_writable(x: Any) -> None:
    """Refuse arrays that their library never changes. Their capsules may not say so."""
    if type(x).__module__.partition(".")[0] in ("jax", "jaxlib"):
        raise ArgumentError("arrays of JAX never change, and kernels can write to arrays of gpucore; copy it, as with "
                            "copy=True")  # fmt: skip


def is_on_cuda(x: Any) -> bool:
    """Whether an object has memory of a CUDA GPU to share."""
    if isinstance(x, (Array, np.ndarray, np.generic, int, float)):
        return False
    if hasattr(type(x), "__dlpack_device__") and hasattr(x, "__dlpack__"):
        try:
            return x.__dlpack_device__()[0] in _CUDA_TYPES
        except (BufferError, RuntimeError, ValueError):  # it has no memory, as torch's on the device "meta"
            return False
    return getattr(x, "__cuda_array_interface__", None) is not None


def adopt(x: Any, device: DeviceLike = None) -> Array:
    """An array in the memory of an object on CUDA, or its copy on another device."""
    if hasattr(x, "__dlpack__"):
        return from_dlpack(x, device=device)
    return _elsewhere(_adopt_interface(x), device, None)


class Borrowed:
    """The arguments of a kernel call, with arrays in the place of other libraries' objects on CUDA."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self.arguments = dict(arguments)
        self._streams: set[tuple[Device, int]] = set()
        self.is_empty = True
        for name, value in arguments.items():
            if is_on_cuda(value):
                self.is_empty = False
                array = self.arguments[name] = adopt(value)
                stream = _stream_of(value)
                if stream is not None:
                    self._streams.add((array.device, stream))

    def give_back(self) -> None:
        """Let the streams of their owners wait for the kernel."""
        for device, stream in self._streams:
            device.block_stream(stream)


def _from_host(x: Any, device: DeviceLike, copy: bool | None) -> Array:
    target = get_device("cpu" if device is None else device)
    if target.driver_device.memory_space != _HOST:
        if copy is False:
            raise ArgumentError(f"{_name(x)} is in the host's memory, so an array on {target.id} is a copy")
        copy = True
    if copy:
        with _refusals(x):
            host = x if isinstance(x, np.ndarray) else np.from_dlpack(x)
        native = np.ascontiguousarray(host, host.dtype.newbyteorder("=")).reshape(host.shape)
        return asarray_on(target, native, as_dtype(native.dtype))
    _check_writable(x)
    return _place(dlpack.take(_capsule(x), _name(x)), target)


def _cuda_device(number: int) -> Device:
    """The device of CUDA's device with that number."""
    for each in open_devices():
        if each.driver_device.memory_space == (dlpack.CUDA, number):
            return each
    return get_device(f"cuda:{number}")


def _elsewhere(array: Array, device: DeviceLike, copy: bool | None) -> Array:
    target = array.device if device is None else get_device(device)
    if target is array.device:
        return array.copy() if copy else array
    if copy is False:
        raise ArgumentError(f"the elements are on {array.device.id}, so an array on {target.id} is a copy")
    return array.to(target)


def _capsule(x: Any, **stream: int | None) -> Any:
    with _refusals(x):
        try:
            return x.__dlpack__(max_version=dlpack.VERSION, **stream)
        except TypeError:  # it is older than version 1.0
            return x.__dlpack__(**stream)


def _adopt_tensor(x: Any, device: Device) -> Array:
    # Its library lets this device's stream wait for the stream that it used.
    memory = dlpack.take(_capsule(x, stream=device.driver_device.stream), _name(x))
    if device.driver_device.order_of_queues is not None:
        device.wait_for_stream(device.driver_device.stream)
    return _place(memory, device)


def _adopt_interface(x: Any) -> Array:
    given, what = x.__cuda_array_interface__, _name(x)
    if given.get("mask") is not None:
        raise ArgumentError(f"{what} is masked; devices have no masked arrays")
    (address, is_read_only), shape, scalar = given["data"], tuple(given["shape"]), np.dtype(given["typestr"])
    if is_read_only:
        raise ArgumentError(f"{what} is read-only, and arrays of gpucore are not; copy it")
    strides = given.get("strides")
    if strides is not None and any(step % scalar.itemsize for step in strides):
        raise ArgumentError(f"the elements of {what} do not follow each other in memory; make it contiguous first")
    counted = None if strides is None else tuple(step // scalar.itemsize for step in strides)
    dlpack.check_dense(shape, counted, what)
    device = _cuda_device(0)
    stream = given.get("stream")
    if stream is not None:
        device.wait_for_stream(stream)
    dtype = as_dtype(scalar)
    return _place(Memory(address, shape, dtype, (dlpack.CUDA, 0), x), device)  # type: ignore[arg-type]


def _place(memory: Memory, device: Device) -> Array:
    """An array of that memory."""
    size, itemsize = math.prod(check_shape(memory.shape)), memory.dtype.itemsize
    if size == 0:
        return empty(memory.shape, memory.dtype, device=device)
    if memory.address % itemsize:
        raise ArgumentError(f"the elements are not at a multiple of their {itemsize} bytes; copy them")
    offset = memory.address % _ALIGNMENT
    while offset % (3 * itemsize) and offset < 3 * _ALIGNMENT:  # whole vectors of three, if a kernel takes it for them
        offset += _ALIGNMENT
    storage = Storage.adopt(device, memory.address - offset, offset + size * itemsize, memory.owner)
    return Array(storage, memory.shape, memory.dtype, offset)


def _stream_of(x: Any) -> int | None:
    """The stream that the library of an object uses now, to which it gives no way through DLPack."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        stream: int = torch.cuda.current_stream(x.device).cuda_stream
        return stream
    interface = getattr(x, "__cuda_array_interface__", None) or {}
    given: int | None = interface.get("stream")
    return given


def _name(x: Any) -> str:
    kind = type(x)
    return f"the {kind.__module__.split('.')[0]}.{kind.__name__}" if kind.__module__ != "builtins" else kind.__name__
