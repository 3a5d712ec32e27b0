"""The arguments of calls that sort: checked, and brought to one device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gpucore.algorithms.sort.order import SortOrder
from gpucore.array import Array, DeviceLike
from gpucore.blocks.keys import KEY_TYPES
from gpucore.creation import asarray
from gpucore.elementwise.capability import check_array
from gpucore.errors import ArgumentError
from gpucore.sharing import Borrowed
from gpucore.types import ElementDType

Check = Callable[[str, tuple[int, ...], Any], None]
"""Raises for the shape or the dtype of the argument with a name."""


class Given:
    """The arrays of a call on one device. `is_host`: they are NumPy arrays, and so are the results."""

    def __init__(self, call: str, arrays: Mapping[str, Any], check: Check, device: DeviceLike) -> None:
        self.is_host = all(isinstance(array, np.ndarray) for array in arrays.values())
        self._borrowed = Borrowed({} if self.is_host else arrays)
        self.arrays: dict[str, Array] = {}
        named = arrays if self.is_host else self._borrowed.arguments
        for name, array in named.items():
            self._check(call, name, array, named, check)
        for name, array in named.items():
            self.arrays[name] = asarray(array, device=device) if self.is_host else array
            device = self.arrays[name].device if device is None else device
        first = next(iter(self.arrays.values()))
        for array in self.arrays.values():
            if array.device is not first.device:
                raise ArgumentError(
                    f"the arrays are on {first.device.id} and {array.device.id}; move one with .to(...)"
                )
        if not self.is_host and device is not None and asarray(first, device=device) is not first:
            raise ArgumentError(
                f"the array is on {first.device.id}; move it with .to(...) to use it elsewhere in {call}"
            )

    def _check(self, call: str, name: str, array: Any, named: Mapping[str, Any], check: Check) -> None:
        if isinstance(array, Array):
            array.check_open()
        elif not isinstance(array, np.ndarray) or not self.is_host:
            mixed = any(isinstance(other, Array) for other in named.values())
            fix = "; gp.asarray makes a device array of one" if mixed else ""
            what = f", but {name} is {type(array).__name__}" if len(named) > 1 else f", not {type(array).__name__}"
            raise ArgumentError(f"{call} takes a NumPy array or a device array{what}{fix}")
        check(name, array.shape, array.dtype)

    def result(self, array: Array) -> Any:
        """What the call returns for an array."""
        return array.numpy() if self.is_host else array

    def end(self) -> None:
        """Let the libraries whose tensors were given wait for the work."""
        self._borrowed.give_back()


def check_order(descending: object) -> bool:
    """Whether the order is descending. Raises ArgumentError."""
    if isinstance(descending, SortOrder):
        return descending is SortOrder.DESCENDING
    if isinstance(descending, (bool, np.bool_)):
        return bool(descending)
    fix = "; the axis is a keyword, axis=..." if isinstance(descending, (int, np.integer)) else ""
    raise ArgumentError(f"descending must be True, False or a SortOrder, not {descending!r}{fix}")


def check_keys(call: str, dtype: ElementDType | np.dtype[Any]) -> None:
    """Raise ArgumentError unless arrays of the dtype can be sorted."""
    is_known = (
        dtype in KEY_TYPES if isinstance(dtype, ElementDType) else any(t == dtype.newbyteorder("=") for t in KEY_TYPES)
    )
    if not is_known:
        names = ", ".join(str(t.ir_type) for t in KEY_TYPES)
        raise ArgumentError(f"{call} takes {names}; this array is {dtype!r}")


def check_device(call: str, keys: Array) -> None:
    """Raise CapabilityError if the device lacks the dtype."""
    check_array(call, keys)


def check_out(call: str, out: object, like: Any, shape: tuple[int, ...]) -> None:
    """Raise ArgumentError unless a result of a shape can be stored in `out`, an array of the kind of `like`."""
    kind = Array if isinstance(like, Array) else np.ndarray
    if not isinstance(out, kind):
        wanted = "device" if kind is Array else "NumPy"
        raise ArgumentError(f"{call}: out must be a {wanted} array, as the result is, not {type(out).__name__}")
    have: Any = out
    dtype = like.dtype if kind is Array else like.dtype.newbyteorder("=")
    if have.shape != shape or have.dtype != dtype:
        raise ArgumentError(
            f"{call}: out has shape {have.shape} and dtype {have.dtype!r}, and the result {shape} and {dtype!r}"
        )
    if isinstance(have, Array):
        have.check_open()
        if have.device is not like.device:
            raise ArgumentError(f"{call}: out is on {have.device.id}, and the array on {like.device.id}")
    elif not have.flags.writeable:
        raise ArgumentError(f"{call}: out is read-only")
