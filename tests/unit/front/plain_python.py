"""Runs a kernel's function as ordinary Python, one invocation after the other, with stand-ins for gpucore's names.

Integers are NumPy scalars, so they wrap; floats are np.float32. Kernels with barriers run with workgroups of one.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore
from gpucore.kernel import Kernel
from gpucore.types import DType


class Vector:
    """Components by name; arithmetic element by element. A loaded one is a view: `a[i].x = 1` writes the element."""

    def __init__(self, dtype: Any, parts: Any) -> None:
        self.parts = np.asarray(parts, dtype)

    def __getattr__(self, name: str) -> Any:
        positions = ["xyzw".index(letter) for letter in name]
        if len(positions) == 1:
            return self.parts[positions[0]]
        return Vector(self.parts.dtype, self.parts[positions])

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "parts":
            object.__setattr__(self, name, value)
        else:
            self.parts["xyzw".index(name)] = value

    def __getitem__(self, index: int) -> Any:
        return self.parts[index]

    def __add__(self, other: Any) -> Vector:
        return Vector(self.parts.dtype, self.parts + getattr(other, "parts", other))

    def __mul__(self, other: Any) -> Vector:
        return Vector(self.parts.dtype, self.parts * getattr(other, "parts", other))

    __rmul__ = __mul__


class Memory:
    """A buffer or an array of the kernel: refuses indices that NumPy would take from the end."""

    def __init__(self, data: np.ndarray[Any, Any], width: int = 1) -> None:
        self.data, self.width = data, width

    @property
    def size(self) -> int:
        return self.data.size // self.width

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def dtype(self) -> Any:
        return STAND_INS[{"int32": "i32", "uint32": "u32", "float32": "f32"}[self.data.dtype.name]]

    def __len__(self) -> int:
        return len(self.data)

    def _check(self, index: Any) -> Any:
        index = index if isinstance(index, tuple) else (index,)
        assert all(0 <= i < n for i, n in zip(index, self.data.shape, strict=False)), "index out of range"
        return tuple(int(i) for i in index)

    def __getitem__(self, index: Any) -> Any:
        found = self.data[self._check(index)]
        return Vector(self.data.dtype, found) if self.width > 1 else found

    def __setitem__(self, index: Any, value: Any) -> None:
        self.data[self._check(index)] = getattr(value, "parts", value)


def _scalar(name: str) -> Callable[..., Any]:
    dtype = np.dtype(name)

    def make(value: Any = 0) -> Any:
        if dtype.kind in "iu" and isinstance(value, (float, np.floating)):
            least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
            return dtype.type(0 if np.isnan(value) else min(max(int(value), least), most))
        if dtype.kind in "iu":
            return np.array(int(value), np.int64).astype(dtype)[()]  # wraps
        return dtype.type(value)

    make.dtype = dtype  # type: ignore[attr-defined]
    make.width = 1  # type: ignore[attr-defined]
    return make


def _vector(name: str, width: int) -> Callable[..., Any]:
    dtype = np.dtype(name)

    def make(*parts: Any) -> Vector:
        flat = [p for part in parts for p in (part.parts if isinstance(part, Vector) else [part])]
        return Vector(dtype, flat * width if len(flat) == 1 else flat)

    make.dtype = dtype  # type: ignore[attr-defined]
    make.width = width  # type: ignore[attr-defined]
    return make


def _array(dtype: Any, shape: Any) -> Memory:
    shape = shape if isinstance(shape, tuple) else (shape,)
    return Memory(np.zeros((*shape, dtype.width) if dtype.width > 1 else shape, dtype.dtype), dtype.width)


def _atomic_add(array: Memory, index: Any, value: Any) -> Any:
    before = array[index]
    array[index] = before + value
    return before


def _identity(value: Any) -> Any:
    return value


STAND_INS: dict[str, Any] = {
    "i32": _scalar("int32"), "u32": _scalar("uint32"), "f32": _scalar("float32"),
    "f32x4": _vector("float32", 4), "f32x2": _vector("float32", 2), "i32x4": _vector("int32", 4),
    "unroll": _identity, "static": _identity, "private_array": _array, "workgroup_array": _array,
    "barrier": lambda: None, "atomic_add": _atomic_add,
    "select": lambda condition, a, b: a if condition else b,
    "min": min, "max": max, "abs": abs, "clamp": lambda x, low, high: min(max(x, low), high),
    "max_value": lambda dtype: np.iinfo(dtype.dtype).max if dtype.dtype.kind in "iu" else np.finfo(dtype.dtype).max,
}  # fmt: skip


class _StandIn:
    """What a test module's `gp` is while its kernels run as Python."""

    def __init__(self, place: tuple[int, int, int], size: tuple[int, int, int], counts: tuple[int, int, int]) -> None:
        self._place, self._size, self._counts = place, size, counts
        for name, value in STAND_INS.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        return getattr(gpucore, name)

    def global_id(self, axis: int = 0) -> Any:
        return np.int32(self._place[axis])

    def local_id(self, axis: int = 0) -> Any:
        return np.int32(self._place[axis] % self._size[axis])

    def workgroup_id(self, axis: int = 0) -> Any:
        return np.int32(self._place[axis] // self._size[axis])

    def num_workgroups(self, axis: int = 0) -> Any:
        return np.int32(self._counts[axis])

    def workgroup_size(self, axis: int = 0) -> int:
        return self._size[axis]


def run(kernel: Kernel, arguments: list[Any], invocations: int) -> None:
    """Run `invocations` of a kernel, rounded up to workgroups, on NumPy arrays in place."""
    size = kernel.workgroup_size
    groups = -(-invocations // size[0])
    wrapped = [_wrap(kernel, index, argument) for index, argument in enumerate(arguments)]
    with np.errstate(all="ignore"):
        for x in range(groups * size[0]):
            stand_in = _StandIn((x, 0, 0), size, (groups, 1, 1))
            _rebuild(kernel.function, stand_in, {})(*wrapped)


def _wrap(kernel: Kernel, index: int, argument: Any) -> Any:
    if not isinstance(argument, np.ndarray):
        return argument
    parameter = kernel.signature.parameters[index]
    element = parameter.element  # type: ignore[union-attr]
    width = element.width if isinstance(element, DType) else 1
    data = argument.reshape(-1, width) if width > 1 else argument
    return Memory(data, width)


def _rebuild(function: Any, stand_in: _StandIn, made: dict[Any, Any]) -> Any:
    """The function over other globals: gp is the stand-in, and helpers are rebuilt likewise."""
    if function in made:
        return made[function]
    names = dict(function.__globals__)
    cells = tuple(types.CellType(_replace(cell.cell_contents, stand_in, made)) for cell in function.__closure__ or ())
    built = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
    built.__kwdefaults__ = function.__kwdefaults__
    made[function] = built
    for name in function.__code__.co_names:
        if name in names:
            names[name] = _replace(names[name], stand_in, made)
    return built


def _replace(value: Any, stand_in: _StandIn, made: dict[Any, Any]) -> Any:
    if value is gpucore:
        return stand_in
    if isinstance(value, DType):
        return STAND_INS.get(str(value.ir_type), value)
    if isinstance(value, types.FunctionType) and value.__module__ not in (None, "numpy", "math"):
        return _rebuild(value, stand_in, made)
    return value
