"""Device arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpucore.conversion import as_values, bytes_of, check_element, components_of, element_of, packed, to_elements
from gpucore.device import Device
from gpucore.device import device as get_device
from gpucore.errors import ArgumentError, ClosedError
from gpucore.exports import Exports
from gpucore.glimpse import glimpse, table
from gpucore.host import host_only
from gpucore.host_words import OtherNames
from gpucore.immutable import slots_setter
from gpucore.indexing import Region, check_shape, choose, choose_part, fit, fit_shape, shown, view_shape, whole
from gpucore.operators import Copied, Operators, kernels
from gpucore.reductions import Reductions
from gpucore.runtime.protocol import Buffer, DeviceInfo
from gpucore.storage import Storage
from gpucore.structs import StructDType, find_part
from gpucore.transfers import Transfers
from gpucore.types import ElementDType, f32

if TYPE_CHECKING:
    from gpucore.hints import ArrayParameter
else:
    ArrayParameter = object

DeviceLike = str | DeviceInfo | Device | None
Shape = int | Sequence[int]

_WORD = 4  # bytes; devices write at multiples of it
_FILL_CHUNK = 1 << 24
_ALTERNATIVES = {
    "shape": "y.reshape(...) gives a view of another shape",
    "dtype": "y.astype(dtype) gives an array of another dtype",
    "device": "y.to(device) gives an array on another device",
}


def _refuse_change(name: str, what: str) -> AttributeError:
    instead = _ALTERNATIVES.get(name)
    return AttributeError(f"{name!r} of an array cannot be {what}{f'; {instead}' if instead else ''}")


@host_only
class Array(Operators, Reductions, Exports, OtherNames, Transfers, ArrayParameter):
    """A dense row-major array on one device, of any rank. Make one with `gp.asarray`, `gp.zeros` and others.

    Kernels take arrays of rank 1 to 4. Attributes cannot be assigned. After `close()` what needs the elements raises
    ClosedError. Methods that wait raise what `Device.synchronize` raises.
    """

    if TYPE_CHECKING:  # checkers would take the properties of slots for attributes that hold properties
        _storage: Storage

        @property
        def device(self) -> Device: ...

        @property
        def dtype(self) -> ElementDType: ...

        @property
        def nbytes(self) -> int: ...

        @property
        def offset(self) -> int: ...

        @property
        def buffer(self) -> Buffer: ...

        @property
        def start(self) -> int: ...

        @property
        def placement(self) -> int: ...

        @property
        def shape(self) -> tuple[int, ...]: ...

    else:
        # Each launch reads them several times, and a slot takes a quarter of the time of a property.
        __slots__ = {
            "__weakref__": "",
            "_storage": "",
            "buffer": "What a dispatch binds.",
            "device": "The device that holds the elements.",
            "dtype": "The type of an element: `gp.f32`, `gp.f32x4` or a struct.",
            "nbytes": "Bytes of all elements.",
            "offset": "Bytes from the beginning of its memory to its first element; 0 unless it is a slice.",
            "placement": "0 if it begins at a multiple of 16 bytes, 2 if inside `buffer`, else 1.",
            "shape": "The lengths of the axes.",
            "start": "The elements in `buffer` before the first one.",
        }

    def __init__(self, storage: Storage, shape: tuple[int, ...], dtype: ElementDType, offset: int = 0) -> None:
        nbytes = math.prod(shape) * dtype.itemsize
        buffer, start = storage.bind(offset, nbytes, dtype.itemsize)
        place = 2 if start else 1 if offset % 16 else 0
        _PUT(self, storage, buffer, storage.device, dtype, nbytes, offset, shape, start, place)

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
        elements = "closed" if self.is_closed else self._glimpse()
        return f"<gpucore array: {self._describe()}{f', {elements}' if elements else ''}>"

    def _repr_html_(self) -> str:
        elements = "closed" if self.is_closed else self._glimpse() or "work is queued"
        return table(
            {"shape": str(self.shape), "dtype": repr(self.dtype), "device": self.device.id, "elements": elements}
        )

    def _glimpse(self) -> str | None:
        """Its first and last elements, if no work is queued."""
        return glimpse(self.device, self.storage.buffer, self.offset, self.size, self.dtype)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of rank 0 has no length")
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("the elements are on a device, so NumPy needs a copy")
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def __bool__(self) -> bool:
        raise TypeError("a device array has no truth value on the host: call .numpy() first, or test its size")

    def __reduce__(self) -> Any:
        raise TypeError("a device array cannot be pickled, as its memory is on a device; pickle its .numpy()")

    def __enter__(self) -> Array:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ---------------------------------------------------------------- elements and slices

    def __getitem__(self, key: Any) -> Any:
        """An element, or a slice that shares memory with this array.

        `x[3]` of an array of rank 1 waits, and reads the element: a NumPy scalar (of a struct: a read-only one; of a
        vector: an array of its components). `x[10:20]` and `x[2]` of a matrix are arrays in the same memory, which
        kernels take as they do others. Elements that do not follow each other in memory cannot be such an array:
        `x.copied[:, ::2]` is a copy. `x["mass"]` is a field of all elements of an array of structs, by the same rule;
        `x["body.mass"]` is one of that field.

        Raises IndexError for an index out of range, TypeError for a key that is not made of whole numbers, slices and
        `...`, ArgumentError for elements that do not follow each other in memory.
        """
        if isinstance(key, str) and isinstance(self.dtype, StructDType):
            return self._field(key)
        region = choose(self.shape, key)
        if len(region.shape) == 0:
            return self._slice(region)._read(is_element=True)[()]
        if not region.is_contiguous:
            at = shown(key)
            raise ArgumentError(
                f"the elements x[{at}] of an array of shape {self.shape} do not follow each other in memory, so they "
                f"cannot be an array that shares it; x.copied[{at}] is a copy of them, and an assignment stores to "
                f"them: write x[{at}] = x.copied[{at}] + 1, not x[{at}] += 1"
            )
        return self._slice(region)

    def __setitem__(self, key: Any, values: Any) -> None:
        """Store values in chosen elements, or in a field of all of them: a number, a device array, or what NumPy
        converts to an array.

        Values are converted as by `gp.asarray(values, x.dtype)`, and repeated as NumPy broadcasts. The region may have
        any steps. A device array must have the same dtype and device.

        Raises IndexError and TypeError for the key, ArgumentError for the values.
        """
        self.check_open()
        region, part = choose_part(self.shape, self.dtype, key)
        dtype = self.dtype if part is None else part.dtype
        if isinstance(values, Array):
            kernels().assign(self, region, values, part)
            return
        elements, _, given = to_elements(as_values(values, dtype), dtype)
        shape, components = fit(given, len(region.shape)), components_of(dtype)
        whole(shape).broadcast(region.shape)  # raises
        spread = np.broadcast_to(packed(elements).reshape((*shape, *components)), (*region.shape, *components))
        if region.is_contiguous and part is None:
            self._slice(region).write_elements(np.ascontiguousarray(spread))
        else:
            kernels().assign(self, region, asarray_on(self.device, np.ascontiguousarray(spread), dtype), part)

    def _field(self, path: str) -> Array:
        """A field of all elements."""
        self.check_open()
        dtype = find_part(self.dtype, path).dtype
        if self.size == 0:
            return empty(self.shape, dtype, device=self.device)
        if dtype.itemsize != self.dtype.itemsize:
            raise ArgumentError(
                f"the field {path!r} of these elements does not follow each other in memory, so it cannot be an array "
                f"that shares it; x.copied[{path!r}] is a copy of it, and x[{path!r}] = values stores to it"
            )
        return Array(self.storage, self.shape, dtype, self.offset)

    def _slice(self, region: Region) -> Array:
        self.check_open()
        if region.size == 0:  # with memory of its own: an index out of range must not reach the elements beside it
            return empty(region.shape, self.dtype, device=self.device)
        return Array(self.storage, region.shape, self.dtype, self.offset + region.first * self.dtype.itemsize)

    @property
    def copied(self) -> Copied[Array]:
        """`x.copied[key]` is a copy, on the same device, of the elements that `key` chooses, slices of any step too, or
        of the field that it names."""
        return Copied(self)

    def item(self, *index: int) -> Any:
        """Wait, and return an element as a Python number: the only one of an array of size 1, or the one at `index`: a
        whole number for each axis, or one in row-major order. Raises IndexError and ArgumentError for the index."""
        if not index and self.size != 1:
            raise ArgumentError(f"item() without an index is for an array of one element; this one has {self.size}")
        flat = self.ravel()
        chosen = self[index] if len(index) > 1 else flat[index[0] if index else 0]
        if isinstance(chosen, Array):
            raise ArgumentError(f"item takes one index, or one for each of the {self.ndim} axes, not {len(index)}")
        return chosen.tolist() if isinstance(chosen, np.ndarray) else chosen.item()

    def __int__(self) -> int:
        return int(self._number("int"))

    def __float__(self) -> float:
        return float(self._number("float"))

    def _number(self, what: str) -> Any:
        if self.size != 1:
            raise TypeError(f"only an array of one element can be converted to {what}; this one has {self.size}")
        return self.item()

    def __iter__(self) -> Iterator[Any]:
        """The elements of an array of rank 1, read at once; otherwise the slices along the first axis. Raises TypeError
        for rank 0."""
        if not self.shape:
            raise TypeError("an array of rank 0 cannot be iterated over")
        return iter(self._read(is_element=True)) if self.ndim == 1 else (self[index] for index in range(len(self)))

    def tolist(self) -> Any:
        """Wait, and return the elements as nested lists of Python numbers."""
        return self.numpy().tolist()

    # ---------------------------------------------------------------- copies between host and device

    def numpy(self, *, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Wait for all queued work, and copy to a NumPy array: a new one, or `out`, of the same shape and dtype. A
        vector dtype adds a last axis of its width, a struct gives a structured array.

        Raises ArgumentError for a wrong `out`.
        """
        if out is None:
            return self._read()
        self._check_host(out, "out")
        if not out.flags.writeable:
            raise ArgumentError("out is read-only")
        if out.flags.c_contiguous and out.nbytes:
            self.device.read(self.storage.buffer, bytes_of(out), self.offset)
        else:
            out[...] = self._read()
        return out

    def _read(self, is_element: bool = False) -> npt.NDArray[Any]:
        storage, shape = self.storage, self._host_shape()
        host = np.empty(shape, self.dtype.dtype)
        if host.nbytes:
            self.device.read(storage.buffer, bytes_of(host), self.offset)
        if is_element and isinstance(self.dtype, StructDType):  # a store, as in x[3]["mass"] = 1, would be lost
            host.flags.writeable = False
        return host

    def _host_shape(self) -> tuple[int, ...]:
        return (*self.shape, *components_of(self.dtype))

    def fill(self, value: object) -> None:
        """Store one value in all elements, in queue order: a number, for vectors of each component; the components of a
        vector; a struct, a tuple of its fields, or 0. Raises ArgumentError for a value that does not fit the dtype."""
        element = element_of(value, self.dtype)
        self.check_open()
        count = max(1, min(self.nbytes, _FILL_CHUNK) // self.dtype.itemsize)
        chunk = np.ascontiguousarray(np.broadcast_to(element, (count, *element.shape)))
        for first in range(0, self.nbytes, chunk.nbytes):
            self._write(bytes_of(chunk)[: self.nbytes - first], first)

    def write_elements(self, host: npt.NDArray[Any]) -> None:
        """Store a contiguous array of the dtype's scalars, of as many bytes, in queue order."""
        if host.nbytes:
            self._write(bytes_of(host), 0)

    def _write(self, data: memoryview, first: int) -> None:
        """Store bytes from byte `first` on."""
        storage, offset = self.storage, self.offset + first
        end, is_shared = offset + data.nbytes, self.device.driver_device.memory_space is not None
        if is_shared or (offset % _WORD == 0 and (end % _WORD == 0 or end == storage.nbytes)):
            self.device.write(storage.buffer, data, offset)
            return
        # Other devices write whole words: those at the ends have bytes of neighbours. This waits for the queue.
        before, whole_end = offset % _WORD, min(-(-end // _WORD) * _WORD, storage.nbytes)
        words = np.empty(whole_end - offset + before, np.uint8)
        with self.device.lock:
            self.device.read(storage.buffer, words.data, offset - before)
            words[before : before + data.nbytes] = np.frombuffer(data, np.uint8)
            self.device.write(storage.buffer, words.data, offset - before)

    def copy(self) -> Array:
        """A copy on the same device."""
        made = empty(self.shape, self.dtype, device=self.device)
        if self.nbytes and self.start:
            kernels().assign(made, whole(self.shape), self)
        elif self.nbytes:
            with self.device.lock:
                self.device.driver_device.copy(self._open_buffer(), made.buffer, self.nbytes)
        return made

    def _open_buffer(self) -> Buffer:
        self.check_open()
        return self.buffer

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Array:
        return self.copy()

    def to(self, device: DeviceLike) -> Array:
        """A copy on another device, through the host's memory, or this array if it is already there. Raises what
        `gp.device` raises."""
        self.check_open()
        target = get_device(device)
        if target is self.device:
            return self
        return asarray_on(target, self.numpy(), self.dtype)

    def astype(self, dtype: object) -> Array:
        """A copy of another scalar dtype on the same device, converted as in a kernel: to the nearest float; from a
        float to an integer toward zero, the ends of its range for what is beyond, 0 for NaN; of integers the low bits.

        Raises ArgumentError for vectors and structs, CapabilityError if the device lacks one of the two dtypes.
        """
        made: Array = kernels().convert(self, check_element(dtype))
        return made

    # ---------------------------------------------------------------- shapes

    def reshape(self, *shape: Any) -> Array:
        """A view with another shape of the same size, given as ints or as a tuple; one length may be -1.

        Raises ArgumentError for a shape of another size.
        """
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return Array(self.storage, fit_shape(tuple(wanted), self.size), self.dtype, self.offset)

    def view(self, dtype: object) -> Array:
        """The same memory as elements of another dtype: f32 as the u32 of their bits, u8 as u32 of four each.

        The last axis becomes as many times shorter as the elements are longer. Raises ArgumentError where its bytes are
        no whole number of them, or where they would not begin at a multiple of their size.
        """
        element = check_element(dtype)
        self.check_open()
        shape = view_shape(self.shape, self.dtype, element)
        if self.offset % element.itemsize:
            raise ArgumentError(
                f"this array begins at byte {self.offset} of its memory, and elements of {element!r} begin at "
                f"multiples of {element.itemsize}; view a .copy()"
            )
        if math.prod(shape) == 0:  # with memory for one element
            return empty(shape, element, device=self.device)
        return Array(self.storage, shape, element, self.offset)

    def ravel(self) -> Array:
        """A view of rank 1, in row-major order."""
        return self.reshape(-1)

    def transpose(self, *axes: Any) -> Array:
        """A copy with the axes in another order, given as ints or as a tuple; reversed by default: element (i, j) of it
        is element (j, i). Raises ArgumentError unless `axes` has each axis once."""
        wanted = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes or range(self.ndim)[::-1]
        order = tuple(wanted)
        if sorted(order) != list(range(self.ndim)):
            raise ArgumentError(f"transpose takes each axis from 0 to {self.ndim - 1} once, not {order}")
        dense = whole(self.shape)
        turned = Region(0, tuple(dense.shape[axis] for axis in order), tuple(dense.strides[axis] for axis in order))
        made: Array = kernels().copied(self, turned)
        return made

    @property
    def T(self) -> Array:  # noqa: N802 (NumPy's name)
        """A copy with the axes reversed."""
        return self.transpose()

    def overlaps(self, other: Array) -> bool:
        """Whether the two may share elements. Slices of one array do not, if none of their elements is the same."""
        if not self._storage.shares_bytes(other._storage):
            return False
        if self.device.limits.part_alignment == 0:  # the kernel gets the whole buffer for each
            return True
        first = self.offset
        if self._storage is not other._storage:  # memory of another library
            first += self._storage.buffer.address - other._storage.buffer.address
        return first < other.offset + other.nbytes and other.offset < first + self.nbytes

    def has_memory_of(self, other: Array) -> bool:
        """Whether both begin and end at the same byte of the same memory."""
        return self._storage is other._storage and (self.offset, self.nbytes) == (other.offset, other.nbytes)

    def close(self) -> None:
        """Free the memory of this array, its views and slices now, as the end of `with gp.empty(n) as x:` does."""
        self._storage.close()


_NEW = object.__new__
_SLOTS = ("_storage", "buffer", "device", "dtype", "nbytes", "offset", "shape", "start", "placement")
_PUT = slots_setter(Array, _SLOTS)


@host_only
def empty(shape: Shape, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """A device array with undefined contents.

    `shape` is a whole number, or a tuple or list of them for any number of axes; lengths of 0 are allowed. `dtype` is
    any type but `gp.bool`: a scalar, a vector, a struct, or what NumPy takes as the dtype of such a scalar.

    Raises ArgumentError for another shape or dtype, for more than 2**31 - 1 elements, and for more bytes than the
    device's largest buffer; OutOfMemoryError; what `gp.device` raises for `device`.
    """
    return new_array(check_shape(shape), check_element(dtype), get_device(device))


def new_array(shape: tuple[int, ...], dtype: ElementDType, device: Device) -> Array:
    """`empty`, of a shape and an element type that are known to be right."""
    itemsize = dtype.itemsize
    nbytes = math.prod(shape) * itemsize
    storage = Storage(device, nbytes, itemsize)
    made = _NEW(Array)
    _PUT(made, storage, storage.buffer, device, dtype, nbytes, 0, shape, 0, 0)
    return made


def asarray_on(device: Device, host: npt.NDArray[Any], dtype: ElementDType) -> Array:
    """A device array from a contiguous array of the dtype's scalars."""
    shape = host.shape[:-1] if dtype.width > 1 else host.shape
    made = empty(shape, dtype, device=device)
    made.write_elements(host)
    return made
