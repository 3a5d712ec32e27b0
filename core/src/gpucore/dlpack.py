"""DLPack: capsules in which libraries hand over memory without copying it. https://dmlc.github.io/dlpack/latest/

Both kinds of capsules: "dltensor", and since version 1.0 "dltensor_versioned", which can say that memory is read-only.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.types import DTYPES, DType, bf16

VERSION = 1, 0
CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # device types
_KINDS = {"i": 0, "u": 1, "f": 2}  # of NumPy -> DLPack's type codes
_CODES = {0: "int", 1: "uint", 2: "float", 3: "opaque handle", 4: "bfloat", 5: "complex", 6: "bool"}
_BFLOAT, _READ_ONLY = 4, 1
_NAME, _VERSIONED_NAME = b"dltensor", b"dltensor_versioned"
_NUMPY_IS_NEW = tuple(map(int, np.__version__.split(".")[:2])) >= (2, 1)  # it knows version 1.0
_USED_NAME, _USED_VERSIONED_NAME = b"used_dltensor", b"used_dltensor_versioned"  # capsules keep the addresses of these

_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("index", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _ManagedVersioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("version", ctypes.c_uint32 * 2),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


def _python_function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_is_valid = _python_function("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer_in = _python_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_rename = _python_function("PyCapsule_SetName", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)

# ---------------------------------------------------------------- export


class _Memory:
    """Memory as NumPy takes it, which keeps its owner."""

    def __init__(self, owner: Any, address: int, shape: tuple[int, ...], scalar: np.dtype[Any]) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": scalar.str, "data": (address, False)}


def export(
    owner: Any, address: int, shape: tuple[int, ...], dtype: DType, space: tuple[int, int], max_version: Any
) -> Any:
    """A capsule of dense row-major memory, which keeps `owner` alive as long as it is used. Vectors have a last axis of
    components. `max_version`: what the consumer knows, or None.

    The capsule is NumPy's, of an array that is never read: its functions are compiled, and a consumer may call them
    while an exception is on its way, or at the end of the process, when none of Python may run.
    """
    lengths = shape if dtype.width == 1 else (*shape, dtype.width)
    array: Any = np.asarray(_Memory(owner, address, lengths, dtype.dtype))
    capsule = capsule_of(array, max_version)
    if space != (CPU, 0):
        is_new = _is_valid(id(capsule), _VERSIONED_NAME)
        where = _pointer_in(id(capsule), _VERSIONED_NAME if is_new else _NAME)
        managed: Any = (_ManagedVersioned if is_new else _Managed).from_address(where)
        managed.tensor.device = _Device(*space)
    return capsule


def capsule_of(array: npt.NDArray[Any], max_version: Any) -> Any:
    """NumPy's capsule of an array, of version 1.0 if the consumer (see `export`) and NumPy know it."""
    if max_version is None or not _NUMPY_IS_NEW or tuple(max_version) < VERSION:
        return array.__dlpack__()
    return array.__dlpack__(max_version=VERSION)


# ---------------------------------------------------------------- import


class Memory(Immutable):
    """Dense row-major memory of another library."""

    address: int
    shape: tuple[int, ...]
    dtype: DType
    space: tuple[int, int]
    owner: Any  # keeps it


class _Taken:
    """The memory of a capsule, given back when this is dropped."""

    def __init__(self, managed: Any) -> None:
        self._managed = managed

    def __del__(self) -> None:
        if self._managed.deleter:
            _Deleter(self._managed.deleter)(ctypes.addressof(self._managed))


def take(capsule: Any, what: str) -> Memory:
    """The memory in a capsule. `what` names its object in messages. Raises ArgumentError."""
    where = id(capsule)
    if _is_valid(where, _VERSIONED_NAME):
        managed: Any = _ManagedVersioned.from_address(_pointer_in(where, _VERSIONED_NAME))
        is_new = True
    elif _is_valid(where, _NAME):
        managed, is_new = _Managed.from_address(_pointer_in(where, _NAME)), False
    else:
        raise ArgumentError(f"__dlpack__ of {what} returned {capsule!r}, which is not an unused DLPack capsule")
    if is_new and managed.version[0] != VERSION[0]:
        raise ArgumentError(f"{what} has DLPack version {managed.version[0]}, and gpucore reads version {VERSION[0]}")
    tensor = managed.tensor
    dtype = _dtype_of(tensor.dtype, what)
    if is_new and managed.flags & _READ_ONLY:
        raise ArgumentError(f"{what} is read-only, and arrays of gpucore are not; copy it, as with copy=True")
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else None
    check_dense(shape, strides, what)
    _rename(where, _USED_VERSIONED_NAME if is_new else _USED_NAME)
    address = (tensor.data or 0) + tensor.byte_offset
    return Memory(address, shape, dtype, (tensor.device.type, tensor.device.index), _Taken(managed))


def check_dense(shape: tuple[int, ...], strides: tuple[int, ...] | None, what: str) -> None:
    """Raise ArgumentError if elements (`strides` counts them; None: dense) do not follow each other in memory."""
    dense = 1
    for length, stride in zip(reversed(shape), reversed(strides or ()), strict=False):
        if length != 1 and stride != dense and 0 not in shape:
            raise ArgumentError(
                f"the elements of {what}, of shape {shape} and strides {strides}, do not follow each other in memory; "
                "make it contiguous first"
            )
        dense *= length


def _dtype_of(given: Any, what: str) -> DType:
    if (given.lanes, given.code, given.bits) == (1, _BFLOAT, 16):
        return bf16
    if given.lanes == 1 and given.code in _KINDS.values():
        kind = next(kind for kind, code in _KINDS.items() if code == given.code)
        for dtype in DTYPES:
            if dtype.width == 1 and dtype.dtype.kind == kind and 8 * dtype.dtype.itemsize == given.bits:
                return dtype
    name = f"{_CODES.get(given.code, f'type {given.code}')}{given.bits}"
    lanes = f" of {given.lanes} lanes" if given.lanes != 1 else ""
    raise ArgumentError(f"{what} holds {name}{lanes}, which gpucore has no arrays of; convert it first")
