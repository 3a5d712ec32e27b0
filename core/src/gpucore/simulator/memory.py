"""Memory of the simulator: reads and writes, allocation, and errors for indices out of range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.errors import KernelAssertionError, OutOfRangeError
from gpucore.failures import Invocation, assertion_failed, out_of_range
from gpucore.ir.arithmetic import dtype_of
from gpucore.span import Span

POISON = 0xCD  # the byte that fills memory whose contents are undefined

_MIN_FILLED_BYTES = 4  # fewer bytes may have the value of the fill by chance

Axes = tuple[int, int, int]


def reading(place: ir.Place) -> str:
    """The expression that reads element `index` of `memory`, or the part of an element of structs given by `place`."""
    if not isinstance(place.memory, ir.Buffer):
        return "memory[index]"
    type, memory = place.type, _part(place)
    is_float = ir.scalar_of(type).is_float
    if isinstance(type, ir.VectorType):
        components = [f"{memory}[index, {k}]" for k in range(type.width)]
        return f"({', '.join(components)})" if is_float else f"tuple({memory}[index].tolist())"
    return f"{memory}[index]" if is_float else f"{memory}.item(index)"


def writing(place: ir.Place) -> str:
    """The statement that writes `value` to that element."""
    type = place.type
    if isinstance(place.memory, ir.Buffer) and isinstance(type, ir.VectorType):
        return ", ".join(f"{_part(place)}[index, {k}]" for k in range(type.width)) + " = value"
    return f"{_part(place)}[index] = value"


def _part(place: ir.Place) -> str:
    """The array that contains the place: for a buffer of structs, a view of one field."""
    return f"memory[{_field_name(place)!r}]" if place.path else "memory"


def _field_name(place: ir.Place) -> str:
    element, names = place.memory.element, []
    for number in place.path:
        assert isinstance(element, ir.StructType)
        names.append(element.fields[number].name)
        element = element.fields[number].type
    return ".".join(names)


def struct_dtype(struct: ir.StructType) -> np.dtype[Any]:
    """A NumPy dtype with one field for each scalar and vector in a struct, named by its path: "centre.x"."""
    names, formats, offsets = [], [], []
    for name, type, offset in _leaves(struct, "", 0):
        scalar = dtype_of(ir.scalar_of(type))
        names.append(name)
        formats.append(np.dtype((scalar, (type.width,))) if isinstance(type, ir.VectorType) else scalar)
        offsets.append(offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": struct.nbytes})


def _leaves(struct: ir.StructType, prefix: str, start: int) -> Iterator[tuple[str, ir.Type, int]]:
    for field in struct.fields:
        name, offset = prefix + field.name, start + field.offset
        if isinstance(field.type, ir.StructType):
            yield from _leaves(field.type, f"{name}.", offset)
        else:
            yield name, field.type, offset


def reader(place: ir.Place) -> Callable[[Any, int], Any]:
    """`reading` as a function of the memory and an index."""
    made: Callable[[Any, int], Any] = eval(f"lambda memory, index: {reading(place)}")  # noqa: S307 (generated here)
    return made


def writer(place: ir.Place) -> Callable[[Any, int, Any], None]:
    """`writing` as a function of the memory, an index and a value."""
    namespace: dict[str, Any] = {}
    exec(f"def write(memory, index, value):\n {writing(place)}", namespace)  # noqa: S102 (generated here)
    made: Callable[[Any, int, Any], None] = namespace["write"]
    return made


def view_of(memory: np.ndarray[Any, Any], element: ir.Element, writable: bool) -> np.ndarray[Any, Any]:
    """Bytes as the array of elements that a kernel sees: 1-D, or 2-D for vectors (elements, width).

    A buffer of structs is 1-D and structured.
    """
    dtype = struct_dtype(element) if isinstance(element, ir.StructType) else dtype_of(ir.scalar_of(element))
    count = memory.nbytes // element.nbytes
    view = memory[: count * element.nbytes].view(dtype)
    if isinstance(element, ir.VectorType):
        view = view.reshape(count, element.width)
    view.flags.writeable = writable
    return view


def never_written(content: np.ndarray[Any, Any], element: int) -> np.ndarray[Any, Any] | None:
    """Which elements of `element` bytes still have the fill of new memory, as uint8 of 0 and 1; None if none has.

    Single bytes of that value are common, so for elements narrower than four bytes only a whole unwritten array counts.
    """
    untouched = (content.reshape(-1, element) == POISON).all(axis=1)
    is_found = untouched.any() if element >= _MIN_FILLED_BYTES else untouched.all()
    return untouched.astype(np.uint8) if untouched.size and is_found else None


def workgroup_memory(array: ir.WorkgroupArray) -> list[Any]:
    """A new workgroup array. Floats are NaN and integers 0xCD bytes, so that reads before writes are visible."""
    scalar = ir.scalar_of(array.element)
    pattern = np.full(scalar.nbytes, POISON, np.uint8).view(dtype_of(scalar))[0]
    value = pattern.dtype.type(np.nan) if scalar.is_float else pattern.item()
    element = (value,) * array.element.width if isinstance(array.element, ir.VectorType) else value
    return [element] * array.length


class Failures:
    """Makes the exceptions that generated code raises: each names the array or text, invocation and line.

    `places` has, for each check, the array's name or the text of an assertion, and the source location.
    """

    def __init__(self, module: ir.Module, places: tuple[tuple[str, Span | None], ...]) -> None:
        self._module, self._places = module, places

    def out_of_range(self, place: int, index: Any, shape: Any, workgroup_id: Axes, local_id: Axes) -> OutOfRangeError:
        """From an index and the length of the array, or one of each for every axis."""
        name, span = self._places[place]
        indices, extents = (index, shape) if isinstance(index, tuple) else ((index,), (shape,))
        return out_of_range(self._invocation(workgroup_id, local_id), span, name, indices, extents)

    def assertion(self, place: int, parts: tuple[Any, ...], workgroup_id: Axes, local_id: Axes) -> KernelAssertionError:
        """For a failed assert, with the values in its text."""
        return assertion_failed(self._invocation(workgroup_id, local_id), self._places[place][1], parts)

    def _invocation(self, workgroup_id: Axes, local_id: Axes) -> Invocation:
        return Invocation(self._module.name, self._module.workgroup_size, workgroup_id, local_id)
