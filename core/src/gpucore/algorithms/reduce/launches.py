"""The launches of a reduction: passes over chunks until each row or column has one value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from gpucore.algorithms.inputs import compute
from gpucore.algorithms.reduce import kernels
from gpucore.algorithms.reduce.steps import Steps
from gpucore.algorithms.shapes import ReduceShape, shapes_of
from gpucore.array import Array, DeviceLike, empty
from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.kernel import Kernel
from gpucore.sequences import repeat
from gpucore.types import DType, ElementDType, f16, f16x4, f32, f32x4, i32, i32x4, u32, u32x4

_VECTORS: dict[ElementDType, DType] = {f16: f16x4, f32: f32x4, i32: i32x4, u32: u32x4}
_COLUMN = (32, 1024)  # the least and the most elements that an invocation combines one after the other


class Extent(Immutable):
    """The shape of the elements: outer * length * inner of them, reduced along the middle axis."""

    outer: int
    length: int
    inner: int


class Launch(Immutable):
    """One pass: a kernel with all of its arguments but the arrays. It reads what the pass before wrote."""

    kernel: Kernel
    arguments: tuple[int, ...]
    grid: dict[str, int]
    size: int  # of each array that it writes
    dtypes: tuple[ElementDType, ...]  # of these; the last one has the result
    vector: ElementDType | None = None  # the elements that the kernel loads, if it takes its array twice
    left: int = 0  # elements behind the last vector

    def run(self, read: tuple[Array, ...], result: Array | None = None) -> tuple[Array, ...]:
        """Queue it for arrays of rank 1; the arrays that it writes, the last of which may be given."""
        device, dtypes = read[0].device, self.dtypes if result is None else self.dtypes[:-1]
        written = tuple([empty(self.size, dtype, device=device) for dtype in dtypes])
        if result is not None:
            written += (result,)
        if self.vector is not None:
            (x,) = read
            read = (x[: x.size - self.left] if self.left else x, x)
        self.kernel(*read, *written, *self.arguments, **self.grid)
        return written


class Plan(Immutable, eq=False):
    """The passes of a reduction, and the shape and dtype of its result. Plans are compared by identity."""

    launches: tuple[Launch, ...]
    shape: tuple[int, ...]
    dtype: ElementDType
    element: ElementDType  # of the array, seen as scalars

    def run(self, x: Array) -> Array:
        """Reduce an array."""
        if x.ndim != 1 or x.dtype is not self.element:
            x = x.ravel().view(self.element)
        last = self.launches[-1]
        if len(self.launches) == 1:
            *_, out = last.run((x,))
        else:
            out = empty(last.size, last.dtypes[-1], device=x.device)
            repeat(x.device, self, {"x": x, "out": out}, self._queue)
        if self.dtype is not out.dtype:
            out = out.view(self.dtype)
        return out if len(self.shape) == 1 else out.reshape(self.shape)

    def _queue(self, x: Array, out: Array) -> None:
        arrays: tuple[Array, ...] = (x,)
        for launch in self.launches[:-1]:
            arrays = launch.run(arrays)
        self.launches[-1].run(arrays, out)


class Planner(Immutable):
    """What the launches depend on besides the extent and the steps."""

    shape: ReduceShape
    device: Device
    is_aligned: bool  # the elements of the array begin at a multiple of 16 bytes

    @property
    def invocations(self) -> int:
        """The invocations of a workgroup."""
        limits = self.device.limits
        return min(self.shape.invocations or max(1, limits.max_subgroup_size), limits.max_workgroup_invocations)

    def launches(
        self, extent: Extent, steps: Steps, element: ElementDType, result: ElementDType, count: int
    ) -> list[Launch]:
        """Passes over elements of a dtype; `count` is what `steps.finish` gets."""
        found, chunk = [], self.chunk_of(extent, steps)
        while chunk < extent.length:
            found.append(self.pass_of(extent, chunk, steps.first, element, steps.type, count))
            steps, element = steps.later, steps.type
            extent = Extent(extent.outer, -(-extent.length // chunk), extent.inner)
            chunk = self.chunk_of(extent, steps)
        found.append(self.pass_of(extent, extent.length, steps, element, result, count))
        return found

    def is_rows(self, extent: Extent, steps: Steps) -> bool:
        """Whether workgroups combine rows, or else invocations columns."""
        if extent.inner > 1 or extent.length < self.shape.rows_from:
            return False
        return steps.start is not None or extent.outer == 1

    def chunk_of(self, extent: Extent, steps: Steps) -> int:
        """How many elements of a row or column are combined in a pass."""
        shape = self.shape
        if not self.is_rows(extent, steps):
            least, most = _COLUMN
            parts = max(1, shape.columns // (extent.outer * extent.inner))
        elif extent.length <= shape.single:
            return extent.length
        else:
            least, most = shape.least, shape.most
            parts = max(1, shape.groups // extent.outer)
        chunk = min(most, max(least, -(-extent.length // parts)))
        return -(-chunk // shape.width) * shape.width

    def pass_of(
        self, extent: Extent, chunk: int, steps: Steps, element: ElementDType, result: ElementDType, count: int
    ) -> Launch:
        """Combine the elements of each chunk."""
        chunks = -(-extent.length // chunk)
        size = extent.outer * chunks * extent.inner
        if not self.is_rows(extent, steps):
            columns = kernels.make_columns(steps, element, result)
            sizes = extent.length, extent.inner, chunk, chunks, count
            return Launch(columns, sizes, {"invocations": size}, size, (result,))
        if steps.start is None:
            invocations = min(self.shape.ordered, self.invocations)
            runs = kernels.make_runs(steps, element, result, invocations, self.shape.run)
            return Launch(runs, (chunk, count), {"workgroups": size}, size, (result,))
        vector, left = self.vector_of(extent, element)
        width = vector.width
        rows = kernels.make_rows(steps, element, vector, result, width, self.invocations, self.shape.loads)
        sizes = extent.length // width, -(-chunk // width), chunks, left, count
        return Launch(rows, sizes, {"workgroups": size}, size, (result,), vector, left)

    def vector_of(self, extent: Extent, element: ElementDType) -> tuple[ElementDType, int]:
        """What kernels load at once: vectors, if rows are made of them, and the number of elements left behind."""
        vector, left = _VECTORS.get(element), extent.length % self.shape.width
        if vector is None or vector.width != self.shape.width or not self.is_aligned or (left and extent.outer > 1):
            return element, 0
        return vector, left


_plans: WeakKeyDictionary[Device, tuple[ReduceShape, dict[Any, Plan]]] = WeakKeyDictionary()
_MAX_PLANS = 1024  # of a device


def run_planned(
    name: str,
    x: Any,
    options: tuple[Any, ...],
    device: DeviceLike,
    make: Callable[..., Plan | Array],
    *,
    structs: bool = False,
) -> Any:
    """Run the plan of an earlier call with these options for an array of the same kind, or the one that `make` makes.

    x is what `compute` takes. `make` returns an array where there is nothing to run.
    """
    if type(x) is Array and device is None:  # the usual call: it takes a third of the time
        key = name, x.shape, x.dtype, x.offset % 16, *map(type, options), *options
        _, known = _plans_of(x.device)
        try:
            plan = known.get(key)
        except TypeError:  # an axis that is a list
            plan = None
        if plan is not None:
            return plan.run(x)

    def run(x: Array) -> Array:
        shape, known = _plans_of(x.device)
        made = make(x, planner=Planner(shape, x.device, x.offset % 16 == 0))
        if not isinstance(made, Plan):
            return made
        if len(known) >= _MAX_PLANS:
            known.clear()
        known[name, x.shape, x.dtype, x.offset % 16, *map(type, options), *options] = made
        return made.run(x)

    return compute(name, {"x": x}, device, run, structs=structs)


def _plans_of(device: Device) -> tuple[ReduceShape, dict[Any, Plan]]:
    """The shape for a device, and the plans that were made with it."""
    shape, found = shapes_of(device).reduce, _plans.get(device)
    if found is None or found[0] is not shape:
        found = _plans[device] = shape, {}
    return found


__all__ = ["Extent", "Launch", "Plan", "Planner", "run_planned"]
