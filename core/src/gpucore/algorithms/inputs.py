"""Arrays that the algorithms take: of a device, of NumPy, or of another library on CUDA; and axes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gpucore.array import Array, DeviceLike
from gpucore.creation import asarray
from gpucore.device import Device
from gpucore.device import device as get_device
from gpucore.errors import ArgumentError
from gpucore.sharing import Borrowed
from gpucore.structs import StructDType
from gpucore.types import bf16


def compute(
    name: str, arrays: Mapping[str, Any], device: DeviceLike, function: Callable[..., Any], *, structs: bool = False
) -> Any:
    """`function(**arrays)` of device arrays; of NumPy arrays, which are uploaded, the results are NumPy's.

    Arrays of bool are taken as u8. Raises ArgumentError for others than arrays, arrays of several devices and, unless
    `structs`, arrays of structs.
    """
    if all(isinstance(x, (np.ndarray, np.generic)) for x in arrays.values()):
        target = get_device(device)
        return _downloaded(function(**{key: _uploaded(name, x, target, structs) for key, x in arrays.items()}))
    borrowed = Borrowed(arrays)
    if not borrowed.is_empty:
        result = compute(name, borrowed.arguments, device, function, structs=structs)
        borrowed.give_back()
        return result
    first = next(iter(arrays.values()))
    for key, x in arrays.items():
        if not isinstance(x, Array):
            is_mixed = any(isinstance(other, Array) for other in arrays.values())
            if isinstance(x, np.ndarray) and not is_mixed:
                continue  # another one is no array
            fix = "; gp.asarray makes a device array of one" if is_mixed else ""
            raise ArgumentError(f"{name} takes NumPy arrays or device arrays, and {key} is {type(x).__name__}{fix}")
        x.check_open()
        if x.device is not first.device:
            raise ArgumentError(f"the arrays are on {first.device.id} and {x.device.id}; move one with .to(...)")
        _check(name, x, structs)
    if device is not None and asarray(first, device=device) is not first:
        raise ArgumentError(f"the array is on {first.device.id}; move it with .to(...) to compute elsewhere")
    return function(**arrays)


def _uploaded(name: str, x: Any, device: Device, structs: bool) -> Array:
    made = asarray(x.astype(np.uint8) if x.dtype == np.bool_ else x, device=device)
    _check(name, made, structs)
    return made


def _check(name: str, x: Array, structs: bool) -> None:
    if isinstance(x.dtype, StructDType) and not structs:
        raise ArgumentError(f"{name} takes arrays of numbers, and this one holds {x.dtype!r}; take a field of it")
    if x.dtype is bf16:
        raise ArgumentError(f"{name} does not take gp.bf16; convert the array, as in x.astype(gp.f32)")


def check_result(name: str, dtype: object) -> None:
    """Refuse results of bf16."""
    if dtype is bf16:
        raise ArgumentError(f"{name} makes no gp.bf16; convert the result, as in y.astype(gp.bf16)")


def _downloaded(result: Any) -> Any:
    """Results as NumPy's: an array of rank 0 as a scalar."""
    if isinstance(result, tuple):
        return tuple(map(_downloaded, result))
    return result.numpy()[()] if isinstance(result, Array) else result


def check_axes(name: str, axis: Any, rank: int) -> tuple[int, ...]:
    """The axes that `axis` means, in ascending order: all for None. Raises ArgumentError."""
    if axis is None:
        return tuple(range(rank))
    given = axis if isinstance(axis, tuple) else (axis,)
    axes = [check_axis(name, each, rank) for each in given]
    if len(set(axes)) != len(axes):
        raise ArgumentError(f"{name} takes each axis once, not {axis!r}")
    return tuple(sorted(axes))


def check_axis(name: str, axis: Any, rank: int) -> int:
    """An axis, from 0 on. Raises ArgumentError."""
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)) or not -rank <= axis < rank:
        ends = f"from {-rank} to {rank - 1}" if rank else "and an array of rank 0 has none"
        raise ArgumentError(f"{name}: an axis of this array is a whole number {ends}, not {axis!r}")
    return int(axis) % rank


__all__ = ["check_axes", "check_axis", "compute"]
