"""The arrays of a kernel as people see them at a debugger's prompt: `x.shape`, `x[row, column].a`, without padding.

The generated code has flat memory, with names that end in _memory, beside them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from gpucore import ir
from gpucore.errors import OutOfRangeError

_COMPONENTS = "xyzw"


class ShownVector(tuple[Any, ...]):
    """A vector in memory: a tuple of its components, of which `.x`, `.y`, `.z` and `.w` can also be written."""

    _memory: Any

    def __new__(cls, memory: Any) -> Self:
        """From the components in memory, shape (width,)."""
        made = super().__new__(cls, (_scalar(component) for component in memory))
        object.__setattr__(made, "_memory", memory)
        return made

    def __getattr__(self, name: str) -> Any:
        return self[self._position(name)]

    def __setattr__(self, name: str, value: Any) -> None:
        self._memory[self._position(name)] = value

    def __repr__(self) -> str:
        return f"({', '.join(map(str, self))})"

    def _position(self, name: str) -> int:
        position = _COMPONENTS.find(name) if len(name) == 1 else -1
        if not 0 <= position < len(self):
            raise AttributeError(f"a vector of {len(self)} components has no {name!r}")
        return position


class ShownStruct:
    """A struct in memory. Its fields, also those of structs in it, are read and written as attributes."""

    _struct: ir.StructType

    def __init__(self, struct: ir.StructType, memory: Any, prefix: str = "") -> None:
        vars(self).update(_struct=struct, _memory=memory, _prefix=prefix)

    def __getattr__(self, name: str) -> Any:
        type = self._type(name)
        if isinstance(type, ir.StructType):
            return ShownStruct(type, self._memory, f"{self._prefix}{name}.")
        value = self._memory[self._prefix + name]
        return ShownVector(value) if isinstance(type, ir.VectorType) else _scalar(value)

    def __setattr__(self, name: str, value: Any) -> None:
        type = self._type(name)
        if not isinstance(type, ir.StructType):
            self._memory[self._prefix + name] = value
            return
        getattr(self, name).assign(value)

    def __dir__(self) -> list[str]:
        return self._names()

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!s}" for name in self._names())
        return f"{self._struct.name}({', '.join(fields)})"

    def assign(self, value: Any) -> None:
        """Write all fields, from another struct."""
        for name in self._names():
            setattr(self, name, getattr(value, name))

    def _names(self) -> list[str]:
        return [field.name for field in self._struct.fields]

    def _type(self, name: str) -> ir.Element:
        for field in self._struct.fields:
            if field.name == name:
                return field.type
        raise AttributeError(f"{self._struct.name} has no field {name!r}; it has {', '.join(self._names())}")


def _scalar(value: Any) -> Any:
    """A number as the kernel has it: integers are Python's."""
    return value.item() if isinstance(value, np.integer) else value


class ShownArray:
    """A parameter of a kernel. Elements are read and written as in the kernel; an index out of range raises
    OutOfRangeError. An array whose shape the kernel does not use has none; what needs it raises TypeError."""

    def __init__(self, buffer: ir.Buffer, memory: Any, shape: tuple[int, ...] | None, start: int) -> None:
        self.shape = shape
        self.dtype = (
            f"gpucore.{buffer.element}" if not isinstance(buffer.element, ir.StructType) else buffer.element.name
        )
        self._name, self._element, self._rank = buffer.name, buffer.element, buffer.rank
        self._memory = memory[start : start + math.prod(shape or (0,))]

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self._known_shape())

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._rank

    def __len__(self) -> int:
        return self._known_shape()[0]

    def __getitem__(self, index: Any) -> Any:
        value = self._memory[self._flat(index)]
        if isinstance(self._element, ir.StructType):
            return ShownStruct(self._element, value)
        return ShownVector(value) if isinstance(self._element, ir.VectorType) else _scalar(value)

    def __setitem__(self, index: Any, value: Any) -> None:
        element = self[index]
        if isinstance(element, ShownStruct):
            element.assign(value)
        else:
            self._memory[self._flat(index)] = value

    def __iter__(self) -> Iterator[Any]:
        """The elements; the rows, as NumPy arrays, if there are several axes."""
        return map(self.__getitem__, range(len(self))) if self._rank == 1 else iter(self._elements())

    def tolist(self) -> Any:
        """Nested lists of the elements."""
        return self._elements().tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self._elements(), dtype)

    def __repr__(self) -> str:
        if self.shape is None:
            return f"<{self._name}: its shape is not used by the kernel>"
        return f"<{self._name}: shape {self.shape}, {self.dtype}, {np.array2string(self._elements(), threshold=60)}>"

    def _elements(self) -> Any:
        return self._memory.reshape((*self._known_shape(), *self._memory.shape[1:]))

    def _known_shape(self) -> tuple[int, ...]:
        if self.shape is None:
            raise TypeError(f"the shape of {self._name!r} is not known, because the kernel does not use it")
        return self.shape

    def _flat(self, index: Any) -> int:
        indices, shape = index if isinstance(index, tuple) else (index,), self._known_shape()
        if len(indices) != len(shape):
            raise TypeError(f"{self._name!r} has {len(shape)} axes, and this is {len(indices)} indices")
        if not all(0 <= each < length for each, length in zip(indices, shape, strict=True)):
            which, of = (indices[0], f"length {shape[0]}") if len(shape) == 1 else (indices, f"shape {shape}")
            raise OutOfRangeError(f"index {which} is out of range for {self._name!r} of {of}")
        flat = 0
        for each, length in zip(indices, shape, strict=True):
            flat = flat * length + each
        return flat


def shown_arrays(module: ir.Module, memory: list[Any], params: list[Any]) -> list[ShownArray]:
    """The arrays of a dispatch, from their memory and the values of the kernel's params."""
    lengths: dict[tuple[str, int], int] = {}
    starts: dict[str, int] = {}
    for origin, value in zip(module.origins, params, strict=True):
        match origin:
            case ir.ShapeOrigin(name, axis):
                lengths[name, axis] = value
            case ir.StartOrigin(name):
                starts[name] = value
    arrays = []
    for buffer, flat in zip(module.buffers, memory, strict=True):
        if not buffer.rank:  # added by core
            continue
        known = [lengths.get((buffer.name, axis)) for axis in range(buffer.rank)]
        shape: tuple[Any, ...] | None = tuple(known)
        if None in known:  # all of the memory, if the kernel was not made from Python
            shape = (len(flat),) if buffer.rank <= 1 and not lengths else None
        arrays.append(ShownArray(buffer, flat, shape, starts.get(buffer.name, 0)))
    return arrays
