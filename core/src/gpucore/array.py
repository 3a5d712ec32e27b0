"""Device arrays."""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpucore.conversion import check_whole, convert_value, convert_values
from gpucore.device import Device
from gpucore.device import device as get_device
from gpucore.errors import ArgumentError, ClosedError
from gpucore.host import host_only
from gpucore.runtime.protocol import Buffer, DeviceInfo
from gpucore.structs import StructDType
from gpucore.types import ElementDType, as_dtype, bool_, f32, i32

if TYPE_CHECKING:
    from gpucore.hints import ArrayParameter
else:
    ArrayParameter = object

DeviceLike = str | DeviceInfo | Device | None
Shape = int | Sequence[int]

_MIN_BYTES = 16
_MAX_ELEMENTS = 2**31 - 1  # of an array and of an axis, as kernels count in i32
_FILL_CHUNK = 1 << 24
_ALTERNATIVES = {
    "shape": "y.reshape(...) gives a view of another shape",
    "dtype": "convert on the host, as in gp.asarray(y.numpy().astype(...))",
    "device": "y.to(device) gives an array on another device",
}


def _refuse_change(name: str, what: str) -> AttributeError:
    instead = _ALTERNATIVES.get(name)
    return AttributeError(f"{name!r} of an array cannot be {what}{f'; {instead}' if instead else ''}")


class Storage:
    """Memory on a device, shared by an array and its reshaped views; freed with the last of them."""

    def __init__(self, device: Device, nbytes: int, element_nbytes: int = 0) -> None:
        self.device, self.nbytes = device, nbytes
        # An empty array has room for one element, as kernels with clamped indices access the first.
        self.buffer: Buffer = device.allocate(max(_MIN_BYTES, element_nbytes, nbytes))
        self.is_closed = False
        self._finalizer = weakref.finalize(self, _discard, device, self.buffer)
        self._finalizer.atexit = False

    def close(self) -> None:
        """Free the memory now."""
        self.is_closed = True
        self._finalizer()


def _discard(device: Device, buffer: Buffer) -> None:
    if device.driver_device.is_usable:
        device.discard(buffer)


@host_only
class Array(ArrayParameter):
    """A dense row-major array on one device. Create one with `gp.asarray`, `empty`, `zeros`, `full` or `arange`."""

    if TYPE_CHECKING:  # checkers would take the properties of slots for attributes that hold properties

        @property
        def device(self) -> Device: ...

        @property
        def dtype(self) -> ElementDType: ...

        @property
        def nbytes(self) -> int: ...

        @property
        def shape(self) -> tuple[int, ...]: ...

    else:
        # Each launch reads them several times, and a slot takes a quarter of the time of a property.
        __slots__ = {
            "__weakref__": "",
            "_storage": "",
            "device": "The device that holds the elements.",
            "dtype": "The element type: `gp.f32`, `gp.f32x4` or a struct.",
            "nbytes": "The number of bytes of all elements.",
            "shape": "The lengths of the axes. `reshape` gives a view of another shape.",
        }

    def __init__(self, storage: Storage, shape: tuple[int, ...], dtype: ElementDType) -> None:
        self._storage = storage
        put = object.__setattr__
        put(self, "device", storage.device)
        put(self, "shape", shape)
        put(self, "dtype", dtype)
        put(self, "nbytes", math.prod(shape) * dtype.itemsize)

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            """Refuse to change the attributes of an array: kernels rely on them for memory safety."""
            if name != "_storage":
                raise _refuse_change(name, "assigned")
            object.__setattr__(self, name, value)

        def __delattr__(self, name: str) -> None:
            """Refuse, as for an assignment."""
            raise _refuse_change(name, "deleted")

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def storage(self) -> Storage:
        """The memory of this array; ClosedError after close()."""
        if self._storage.is_closed:
            self.check_open()
        return self._storage

    def check_open(self) -> None:
        """Raise ClosedError after close()."""
        if self._storage.is_closed:
            raise ClosedError(f"this array ({self._describe()}) was closed; create a new one")

    @property
    def is_closed(self) -> bool:
        """Whether close() was called on this array or a view of it."""
        return self._storage.is_closed

    def _describe(self) -> str:
        return f"shape {self.shape}, {self.dtype!r}, on {self.device.id}"

    def __repr__(self) -> str:
        return f"<gpucore array: {self._describe()}{', closed' if self.is_closed else ''}>"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of rank 0 has no length")
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("the elements are on a device, so NumPy needs a copy")
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def __getitem__(self, index: object) -> Any:
        raise TypeError("a device array cannot be indexed from the host: call .numpy() first, or write a kernel")

    def __bool__(self) -> bool:
        raise TypeError("a device array has no truth value on the host: call .numpy() first, or test its size")

    def __eq__(self, other: object) -> bool:
        raise TypeError("a device array cannot be compared on the host: call .numpy() first, or write a kernel; "
                        "`is` tests whether two names refer to the same array")  # fmt: skip

    __hash__ = object.__hash__  # by identity

    def __reduce__(self) -> Any:
        raise TypeError("a device array cannot be pickled, as its memory is on a device; pickle its .numpy()")

    def numpy(self) -> npt.NDArray[Any]:
        """Wait for all queued work, and copy to a NumPy array. A vector dtype adds a last axis of its width."""
        storage, shape = self.storage, self._host_shape()
        host = np.empty(shape, self.dtype.dtype)
        if host.nbytes:
            self.device.read(storage.buffer, _bytes_of(host))
        return host

    def _host_shape(self) -> tuple[int, ...]:
        return (*self.shape, self.dtype.width) if self.dtype.width > 1 else self.shape

    def copy(self) -> Array:
        """A copy on the same device."""
        source = self.storage
        made = empty(self.shape, self.dtype, device=self.device)
        if self.nbytes:
            with self.device.lock:
                self.device.driver_device.copy(source.buffer, made.storage.buffer, self.nbytes)
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Array:
        return self.copy()

    def to(self, device: DeviceLike) -> Array:
        """A copy on another device, or this array if it is already there."""
        self.check_open()
        target = get_device(device)
        if target is self.device:
            return self
        made = empty(self.shape, self.dtype, device=target)
        _upload(made, self.numpy())
        return made

    def reshape(self, *shape: Any) -> Array:
        """A view with another shape of the same size; one length may be -1."""
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return Array(self.storage, _fit_shape(tuple(wanted), self.size), self.dtype)

    def close(self) -> None:
        """Free the memory of this array and its views now, instead of when the last of them is garbage collected."""
        self._storage.close()


def _fit_shape(shape: tuple[Any, ...], size: int) -> tuple[int, ...]:
    free = [axis for axis, length in enumerate(shape) if isinstance(length, (int, np.integer)) and length == -1]
    if len(free) != 1:
        checked = _check_shape(shape)
        if math.prod(checked) != size:
            raise ArgumentError(
                f"an array of {size} elements cannot have the shape {checked}, which has {math.prod(checked)}"
            )
        return checked
    before, after = _check_shape(shape[: free[0]]), _check_shape(shape[free[0] + 1 :])
    rest = math.prod(before) * math.prod(after)
    if rest == 0 or size % rest:
        raise ArgumentError(f"an array of {size} elements cannot have the shape {shape}: no length fits in place of -1")
    return (*before, size // rest, *after)


def _check_shape(shape: Any) -> tuple[int, ...]:
    lengths: tuple[Any, ...] = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    for length in lengths:
        if isinstance(length, bool) or not isinstance(length, (int, np.integer)) or length < 0:
            raise ArgumentError(f"a shape consists of whole numbers from 0, not {length!r}")
    checked = tuple(int(length) for length in lengths)
    if max(checked, default=0) > _MAX_ELEMENTS:
        raise ArgumentError(f"an axis of an array has at most 2**31 - 1 elements; the shape is {checked}")
    if math.prod(checked) > _MAX_ELEMENTS:
        raise ArgumentError(f"an array has at most 2**31 - 1 elements; the shape {checked} has {math.prod(checked)}")
    return checked


def _check_element(dtype: object) -> ElementDType:
    checked = as_dtype(dtype)
    if checked is bool_:
        raise ArgumentError("device arrays cannot hold bool; use gp.u32, as in x.astype(numpy.uint32)")
    return checked


@host_only
def empty(shape: Shape, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """An array with undefined contents."""
    element, lengths = _check_element(dtype), _check_shape(shape)
    return Array(Storage(get_device(device), math.prod(lengths) * element.itemsize, element.itemsize), lengths, element)


@host_only
def full(shape: Shape, value: float, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """An array filled with `value`, which must fit the dtype. For a vector dtype, every component is `value`."""
    checked = _check_element(dtype)
    if isinstance(checked, StructDType):
        if value != 0:
            raise ArgumentError(
                f"an array of {checked!r} can only be filled with zeros; use gp.asarray(values, {checked!r})"
            )
        return _fill_with_zeros(empty(shape, checked, device=device))
    element = convert_value(value, checked)
    made = empty(shape, dtype, device=device)
    chunk = np.full(max(1, min(made.nbytes, _FILL_CHUNK) // made.dtype.dtype.itemsize), element)
    for offset in range(0, made.nbytes, chunk.nbytes):
        made.device.write(made.storage.buffer, _bytes_of(chunk)[: made.nbytes - offset], offset)
    return made


def _fill_with_zeros(made: Array) -> Array:
    chunk = np.zeros(min(made.nbytes, _FILL_CHUNK), np.uint8)
    for offset in range(0, made.nbytes, _FILL_CHUNK):
        made.device.write(made.storage.buffer, _bytes_of(chunk)[: made.nbytes - offset], offset)
    return made


@host_only
def zeros(shape: Shape, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """An array of zeros."""
    return full(shape, 0, dtype, device=device)


@host_only
def ones(shape: Shape, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """An array of ones."""
    return full(shape, 1, dtype, device=device)


@host_only
def arange(
    start: int, stop: int | None = None, step: int = 1, *, dtype: object = i32, device: DeviceLike = None
) -> Array:
    """Whole numbers from `start` (or 0) up to, not including, `stop`, as NumPy's arange."""
    ends: tuple[Any, ...] = (0, start, step) if stop is None else (start, stop, step)
    for name, end in zip(("start", "stop", "step"), ends, strict=True):
        if not isinstance(end, (int, np.integer)) or isinstance(end, bool):
            raise ArgumentError(f"arange takes whole numbers; its {name} is {end!r}")
    first, last, stride = map(int, ends)
    if stride == 0:
        raise ArgumentError("the step of arange must not be 0")
    element = _check_element(dtype)
    count = max(0, -((first - last) // stride))
    _check_shape(count)
    for end in (first, first + (count - 1) * stride) if count else ():
        convert_value(end, element)
    if element.dtype.kind == "f":
        numbers = np.arange(count, dtype=np.float64) * float(stride if count > 1 else 0) + float(first if count else 0)
        return asarray(numbers, element, device=device)
    wrapped = np.arange(count, dtype=np.uint64) * np.uint64(stride % 2**64) + np.uint64(first % 2**64)
    return asarray(wrapped.astype(element.dtype), element, device=device)  # exact: every number fits


@host_only
def asarray(values: Any, dtype: object = None, *, device: DeviceLike = None) -> Array:
    """A device array from a NumPy array, or from anything that NumPy converts to one.

    The dtype is that of the values. With `dtype`, the values are converted on the host first: to the nearest float, or
    exactly to integers. ArgumentError names the first value that the dtype cannot hold: an integer out of range, a
    fraction or NaN for integers, or a number that would become infinite. A vector dtype takes the last axis as its
    components; a struct takes a structured NumPy array of its `.dtype`. The source may have any strides, byte order and
    alignment. A device array is returned unchanged, and copied only if `device` is another device.
    """
    if isinstance(values, Array):
        if dtype is not None and as_dtype(dtype) is not values.dtype:
            raise ArgumentError(
                f"this device array is {values.dtype!r}; convert on the host, as in x.numpy().astype(...)"
            )
        return values if device is None else values.to(device)
    if isinstance(values, np.ma.MaskedArray):
        raise ArgumentError(
            "devices have no masked arrays; use .filled(value), or .compressed() for the unmasked values"
        )
    try:
        host = np.asarray(values)
    except (ValueError, TypeError) as error:
        raise ArgumentError(f"NumPy cannot make an array of this value: {error}") from None
    if dtype is not None and isinstance(as_dtype(dtype), StructDType):
        return _structs(host, as_dtype(dtype), device)
    if dtype is not None and host.dtype.kind not in "biuf":
        raise ArgumentError(f"an array of {host.dtype} cannot be converted to {as_dtype(dtype)!r}; use astype first")
    element = _check_element(dtype if dtype is not None else host.dtype.newbyteorder("="))
    shape = host.shape
    if element.width > 1:
        if not shape or shape[-1] != element.width:
            raise ArgumentError(f"{element!r} takes a last axis of {element.width} components; the shape is {shape}")
        shape = shape[:-1]
    if dtype is None:
        check_whole(values, host)
    numbers = convert_values(values, host, element)
    made = empty(shape, element, device=device)
    _upload(made, numbers)
    return made


def _structs(host: npt.NDArray[Any], dtype: ElementDType, device: DeviceLike) -> Array:
    """An array of structs from a structured NumPy array of exactly that layout."""
    if host.dtype != dtype.dtype:
        raise ArgumentError(
            f"an array of {dtype!r} is made from a NumPy array of {dtype!r}.dtype, not of {host.dtype}; make it with "
            f"numpy.zeros(n, {dtype!r}.dtype) and fill its fields, or convert with astype({dtype!r}.dtype)"
        )
    made = empty(host.shape, dtype, device=device)
    _upload(made, np.ascontiguousarray(host))
    return made


def _upload(target: Array, host: npt.NDArray[Any]) -> None:
    if host.nbytes:
        target.device.write(target.storage.buffer, _bytes_of(host))


def _bytes_of(host: npt.NDArray[Any]) -> memoryview:
    """The bytes of a contiguous array, without a copy."""
    return host.reshape(-1).view(np.uint8).data
