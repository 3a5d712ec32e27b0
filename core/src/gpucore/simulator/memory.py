"""Memory of the simulator: how a kernel reads and writes it, how the device makes it, and what a bad index raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.errors import DispatchError
from gpucore.simulator.arithmetic import dtype_of
from gpucore.span import Span

POISON = 0xCD  # the byte that fills memory whose contents are undefined

_SURE_BYTES = 4

Axes = tuple[int, int, int]


def reading(memory: ir.Memory) -> str:
    """The expression that reads element `index` of `memory`."""
    if not isinstance(memory, ir.Buffer):
        return "memory[index]"
    element = memory.element
    assert not isinstance(element, ir.StructType)
    is_float = ir.scalar_of(element).is_float
    if isinstance(element, ir.VectorType):
        components = [f"memory[index, {k}]" for k in range(element.width)]
        return f"({', '.join(components)})" if is_float else "tuple(memory[index].tolist())"
    return "memory[index]" if is_float else "memory.item(index)"


def writing(memory: ir.Memory) -> str:
    """The statement that writes `value` to it."""
    if isinstance(memory, ir.Buffer) and isinstance(memory.element, ir.VectorType):
        return ", ".join(f"memory[index, {k}]" for k in range(memory.element.width)) + " = value"
    return "memory[index] = value"


def reader(memory: ir.Memory) -> Callable[[Any, int], Any]:
    """`reading` as a function of the memory and an index."""
    made: Callable[[Any, int], Any] = eval(f"lambda memory, index: {reading(memory)}")  # noqa: S307 (the text is ours)
    return made


def writer(memory: ir.Memory) -> Callable[[Any, int, Any], None]:
    """`writing` as a function of the memory, an index and a value."""
    namespace: dict[str, Any] = {}
    exec(f"def write(memory, index, value):\n {writing(memory)}", namespace)  # noqa: S102 (the text is ours)
    made: Callable[[Any, int, Any], None] = namespace["write"]
    return made


def view_of(memory: np.ndarray[Any, Any], element: ir.Element, writable: bool) -> np.ndarray[Any, Any]:
    """Bytes as the array of elements that a kernel sees: 1-D, or 2-D for vectors (elements, width)."""
    assert not isinstance(element, ir.StructType)
    dtype = dtype_of(ir.scalar_of(element))
    count = memory.nbytes // element.nbytes
    view = memory[: count * element.nbytes].view(dtype)
    if isinstance(element, ir.VectorType):
        view = view.reshape(count, element.width)
    view.flags.writeable = writable
    return view


def never_written(content: np.ndarray[Any, Any], element: int) -> np.ndarray[Any, Any] | None:
    """Which elements of `element` bytes still hold what fills new memory, as uint8 of 0 and 1; None if none does.

    Single bytes of that value are common, so of elements narrower than four bytes only a whole array counts.
    """
    untouched = (content.reshape(-1, element) == POISON).all(axis=1)
    is_found = untouched.any() if element >= _SURE_BYTES else untouched.all()
    return untouched.astype(np.uint8) if untouched.size and is_found else None


def workgroup_memory(array: ir.WorkgroupArray) -> list[Any]:
    """A fresh array of a workgroup. Floats are NaN and integers 0xCD bytes, so that reads before writes show."""
    scalar = ir.scalar_of(array.element)
    pattern = np.full(scalar.nbytes, POISON, np.uint8).view(dtype_of(scalar))[0]
    value = pattern.dtype.type(np.nan) if scalar.is_float else pattern.item()
    element = (value,) * array.element.width if isinstance(array.element, ir.VectorType) else value
    return [element] * array.length


def index_checker(module: ir.Module, places: tuple[tuple[str, Span | None], ...]) -> Callable[..., DispatchError]:
    """The function that generated code calls as `gpucore_out_of_range`, for its result to be raised.

    `places` has the array's name and the user's place of each check.
    """

    def out_of_range(place: int, index: int, length: int, workgroup_id: Axes, local_id: Axes) -> DispatchError:
        name, span = places[place]
        axes = zip(workgroup_id, module.workgroup_size, local_id, strict=True)
        global_id = tuple(group * size + local for group, size, local in axes)
        text = f"{module.name}: index {index} is out of range for {name!r} of length {length}"
        text += f", in invocation {global_id} (local_id {local_id} of workgroup {workgroup_id})"
        return DispatchError("\n".join(part for part in (f"{span}: {text}", span.excerpt()) if part) if span else text)

    return out_of_range
