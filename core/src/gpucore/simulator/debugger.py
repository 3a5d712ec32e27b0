"""The arrays of a kernel as people see them at a debugger's prompt: `x.shape`, `x[row, column]`, without padding.

The generated code has flat memory, with names that end in _memory, beside them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.errors import OutOfRangeError


class ShownArray:
    """A parameter of a kernel. Elements are read and written as in the kernel; an index out of range raises
    OutOfRangeError. An array whose shape the kernel does not use has none, and no elements."""

    def __init__(self, buffer: ir.Buffer, memory: Any, shape: tuple[int, ...] | None, start: int) -> None:
        self.shape = shape
        self.dtype = (
            f"gpucore.{buffer.element}" if not isinstance(buffer.element, ir.StructType) else buffer.element.name
        )
        self._name = buffer.name
        self._memory = memory[start : start + math.prod(shape or (0,))]

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape or (0,))

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape or ())

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 0

    def __getitem__(self, index: Any) -> Any:
        value = self._memory[self._flat(index)]
        return tuple(value) if isinstance(value, np.ndarray) else value

    def __setitem__(self, index: Any, value: Any) -> None:
        self._memory[self._flat(index)] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self._elements())

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
        return self._memory.reshape((*(self.shape or (0,)), *self._memory.shape[1:]))

    def _flat(self, index: Any) -> int:
        indices, shape = index if isinstance(index, tuple) else (index,), self.shape or (0,)
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
