"""The launches of a reduction: passes over chunks until each row or column has one value."""

from __future__ import annotations

from gpucore.algorithms.plans import Plan
from gpucore.algorithms.reduce import kernels
from gpucore.algorithms.reduce.steps import Steps
from gpucore.algorithms.shapes import ReduceShape, Shapes
from gpucore.array import Array, empty
from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.kernel import Kernel
from gpucore.types import DType, ElementDType, f16, f16x4, f32, f32x4, i32, i32x4, u32, u32x4

_VECTORS: dict[ElementDType, DType] = {f16: f16x4, f32: f32x4, i32: i32x4, u32: u32x4}
_LEAST = 4  # invocations of a workgroup on a device whose subgroups are smaller, or unknown
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


def make_plan(
    launches: list[Launch], shape: tuple[int, ...], dtype: ElementDType, element: ElementDType, *,
    is_recorded: bool = True,
) -> Plan:  # fmt: skip
    """The plan of these passes over an array seen as scalars of `element`; the last array that they write has the
    result, seen as scalars, too."""

    def queue(x: Array, out: Array) -> None:
        last = launches[-1]
        arrays: tuple[Array, ...] = (_seen_as(x, element),)
        for launch in launches[:-1]:
            arrays = launch.run(arrays)
        last.run(arrays, _seen_as(out, last.dtypes[-1]))

    return Plan(queue, shape, dtype, is_recorded=is_recorded)


def _seen_as(x: Array, dtype: ElementDType) -> Array:
    """An array in rank 1, of a dtype of as many bytes or the scalars of its own."""
    return x if x.ndim == 1 and x.dtype is dtype else x.ravel().view(dtype)


class Planner(Immutable):
    """What the launches depend on besides the extent and the steps."""

    shape: ReduceShape
    device: Device
    is_aligned: bool  # the elements of the array begin at a multiple of 16 bytes

    @property
    def invocations(self) -> int:
        """The invocations of a workgroup."""
        limits = self.device.limits
        return min(self.shape.invocations or max(_LEAST, limits.max_subgroup_size), limits.max_workgroup_invocations)

    def launches(
        self, extent: Extent, steps: Steps, element: ElementDType, result: ElementDType, count: int
    ) -> list[Launch]:
        """Passes over elements of a dtype; `count` is what `steps.finish` gets."""
        found, chunk = [], self.chunk_of(extent, steps)
        while chunk < extent.length:
            turns = self.takes_turns(chunk)
            found.append(self.pass_of(extent, chunk, steps.first, element, steps.type, count, strided=turns))
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
        self, extent: Extent, chunk: int, steps: Steps, element: ElementDType, result: ElementDType, count: int, *,
        strided: bool = False,
    ) -> Launch:  # fmt: skip
        """Combine the elements of each chunk; `strided`: as many results, of elements from all over the row."""
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
        if self.shape.streams:
            options = self.invocations, self.shape.streams, self.shape.loads, self.shape.rounds
            sums = kernels.make_sums(steps, element, result, *options)
            return Launch(sums, (extent.length, chunk, chunks, count), {"workgroups": size}, size, (result,))
        vector, left = self.vector_of(extent, chunk, element)
        width = vector.width
        rows = kernels.make_rows(steps, element, vector, result, width, self.invocations, self.shape.loads, strided)
        sizes = extent.length // width, -(-chunk // width), chunks, left, count
        return Launch(rows, sizes, {"workgroups": size}, size, (result,), vector, left)

    def takes_turns(self, chunk: int) -> bool:
        """Whether workgroups take turns in a row, instead of a chunk each: where each has a turn or more."""
        return self.shape.takes_turns and chunk >= self.invocations * self.shape.loads * self.shape.width

    def vector_of(self, extent: Extent, chunk: int, element: ElementDType) -> tuple[ElementDType, int]:
        """What kernels load at once: vectors, if rows and chunks are made of them, and the number of elements left
        behind the last one."""
        vector, left = _VECTORS.get(element), extent.length % self.shape.width
        if chunk < extent.length and chunk % self.shape.width:
            return element, 0
        if vector is None or vector.width != self.shape.width or not self.is_aligned or (left and extent.outer > 1):
            return element, 0
        return vector, left


def planner_for(x: Array, shapes: Shapes) -> Planner:
    """The planner for an array, by the shapes of its device."""
    return Planner(shapes.reduce, x.device, x.offset % 16 == 0)


__all__ = ["Extent", "Launch", "Planner", "make_plan", "planner_for"]
