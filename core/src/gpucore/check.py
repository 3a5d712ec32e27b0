"""`gp.check`: runs a kernel call on the simulator, tracks every memory access, and reports defects."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gpucore import compiler, ir
from gpucore.arguments import ArrayChecks, bind, check_default_grid, choose_invocations, element_of
from gpucore.array import Array
from gpucore.creation import asarray
from gpucore.dispatch import plan_grid
from gpucore.errors import ArgumentError
from gpucore.findings import CheckReport, FindingCode
from gpucore.front.text.signature import BufferParameter, Signature
from gpucore.host import host_only
from gpucore.kernel import Kernel
from gpucore.launch import packed_scalars
from gpucore.layout import make_layout
from gpucore.sharing import is_on_cuda

if TYPE_CHECKING:
    from gpucore.simulator.checking import Bytes, Order, Result, Watch

SIMULATOR = "simulator"

_MAX_SUBGROUP_SIZE = 64
_ENDING = {FindingCode.DIVERGENT_BARRIER, FindingCode.NO_END}
"""These findings end a run early, so that its results are not compared."""


@host_only
def check(
    kernel: Kernel,
    /,
    *args: Any,
    invocations: Any = None,
    workgroups: Any = None,
    subgroup_size: int = 32,
    schedules: int = 3,
    overflow: bool = False,
    nan: bool = False,
    seed: int = 0,
    **keywords: Any,
) -> CheckReport:
    """Run a kernel call on the simulator, on copies of its arguments, and report races and other defects.

    Arguments are those of the call itself; arrays may be on any device, or NumPy arrays, and are not modified. The
    kernel runs in Python: choose small sizes. It detects races, barriers not reached by all invocations, indices out of
    range, reads of uninitialised elements, elements of an Out that no invocation wrote, shuffles from missing lanes,
    and results that depend on the order of invocations; with `overflow` and `nan` also signed integer overflow, and NaN
    computed from other numbers.

    `schedules` is the number of runs, each with another order of invocations and workgroups: ascending, descending,
    then random, with `seed`. `subgroup_size` is from 1 to 64, not necessarily a power of two.

    Raises ArgumentError and CompileError as the call would, and ArgumentError for a native kernel.
    See docs/checking.md for the meaning of each finding.
    """
    _check_options(kernel, subgroup_size, schedules)
    call = _Call(kernel, args, keywords, invocations, workgroups, subgroup_size)
    watch = call.run(schedules, seed, subgroup_size=subgroup_size, overflow=overflow, nan=nan)
    return CheckReport(kernel.name, watch.findings, call.num_invocations, schedules, subgroup_size, call.skipped)


def count_invocations(
    kernel: Kernel, args: Sequence[Any], keywords: Mapping[str, Any], invocations: Any, workgroups: Any
) -> int:
    """The number of invocations of a call, rounded up to whole workgroups."""
    if workgroups is None:
        invocations = choose_invocations(kernel.name, kernel.signature, args, keywords, invocations)
    limit = compiler.UNLIMITED.max_workgroups
    grid = plan_grid(kernel.name, kernel.workgroup_size, limit, invocations, workgroups)
    return math.prod(grid.requested) * math.prod(kernel.workgroup_size)


def _check_options(kernel: object, subgroup_size: object, schedules: object) -> None:
    if not isinstance(kernel, Kernel):
        raise ArgumentError(f"gp.check takes a kernel and its arguments, not {kernel!r}")
    if kernel.is_native:
        raise ArgumentError(
            f"{kernel.name} is a native kernel, without the Python source that gp.check runs; check an equivalent "
            "kernel in Python, and compare their results"
        )
    if not isinstance(subgroup_size, int) or not 1 <= subgroup_size <= _MAX_SUBGROUP_SIZE:
        raise ArgumentError(
            f"subgroup_size must be a whole number from 1 to {_MAX_SUBGROUP_SIZE}, not {subgroup_size!r}"
        )
    if not isinstance(schedules, int) or schedules < 1:
        raise ArgumentError(f"schedules must be a whole number from 1, not {schedules!r}")


class _Call:
    """A checked call: its arguments on the simulator, and the kernel validated for them."""

    def __init__(
        self,
        kernel: Kernel,
        args: Sequence[Any],
        keywords: dict[str, Any],
        invocations: Any,
        workgroups: Any,
        subgroup_size: int,
    ) -> None:
        signature = kernel.signature
        is_default = invocations is None and workgroups is None
        given = bind(kernel.name, signature, args, keywords)
        arguments = _on_simulator(kernel.name, signature, given)
        if workgroups is None:  # after NumPy's axis of the components of vectors has gone
            invocations = choose_invocations(kernel.name, signature, tuple(arguments.values()), {}, invocations)
        device, self._arrays, specialisation = kernel.check_arguments(arguments)
        limit = compiler.UNLIMITED.max_workgroups
        grid = plan_grid(kernel.name, kernel.workgroup_size, limit, invocations, workgroups)
        limits = dataclasses.replace(device.limits, min_subgroup_size=subgroup_size, max_subgroup_size=subgroup_size)
        target = dataclasses.replace(compiler.Target.for_device(device), limits=limits)
        lowered = kernel.lower_for(specialisation, target)
        self._valid = compiler.validate_for(target, lowered)
        layout = make_layout(self._valid, lowered)
        if is_default:
            check_default_grid(kernel.name, layout)
        values = tuple(arguments.values())
        self._scalars = packed_scalars(kernel.name, layout, signature, values, grid)
        self._workgroups = grid.requested
        self._shapes = [array.shape for array in self._arrays]
        self.num_invocations = math.prod(grid.requested) * self._valid.module.num_invocations
        self.skipped: tuple[str, ...] = ()

    def run(self, schedules: int, seed: int, **options: Any) -> Watch:
        """Run the schedules, up to the first that ends early."""
        from gpucore.simulator import checking  # noqa: PLC0415 (a backend, loaded when it is used)

        watch = checking.Watch()
        if not self.num_invocations:
            return watch
        program = checking.emit_checked(self._valid, checking.Options(**options))
        contents = tuple(map(_bytes_of, self._arrays))
        elements = [buffer.element.nbytes for buffer in self._valid.module.buffers]
        never_written = tuple(map(checking.never_written, contents, elements))
        dispatch = checking.Dispatch(contents, never_written, self._scalars, self._workgroups)
        first: Result | None = None
        for number, order in zip(range(schedules), _orders(seed), strict=False):
            result = checking.run_checked(program, dispatch, watch, order)
            if watch.codes & _ENDING:
                if number + 1 < schedules:
                    self.skipped = (f"only {number + 1} of {schedules} schedules ran, because a finding ended the run",)
                return watch
            if first is None:
                first = result
                checking.report_incomplete_outputs(
                    watch, self._valid.module, self._workgroups, result.reach, self._shapes, result.shadows
                )
                if result.missing:
                    checking.try_missing_lanes(program, dispatch, watch, result)
            self._compare(first, result, watch)
        return watch

    def _compare(self, first: Result, other: Result, watch: Watch) -> None:
        """Report, for each buffer, the first element that differs between two schedules."""
        for buffer in self._valid.module.buffers:
            count, index, byte = first.differences(other, buffer.index)
            if not count:
                continue
            values = [result.value(buffer.index, index) for result in (first, other)]
            sites = [result.writer(buffer.index, index, byte) for result in (first, other)]
            message = (
                f"the result depends on the schedule: {buffer.name!r} has {values[0]} as element {index} after one "
                f"order of the invocations and {values[1]} after another; elements that differ: {count}"
            )
            spans = tuple(dict.fromkeys(site.span for site in sites if site is not None))
            watch.report(FindingCode.SCHEDULE, message, spans, (), buffer.name)


def _orders(seed: int) -> Iterator[Order]:
    """Ascending, descending, then random ones."""
    yield list
    yield lambda items: items[::-1]
    generator = random.Random(seed)
    while True:
        yield lambda items: generator.sample(items, len(items))


def _on_simulator(name: str, signature: Signature, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with arrays copied to the simulator. Raises ArgumentError for arrays that share memory where the
    call does."""
    made: dict[str, Any] = dict(arguments)
    parameters = [each for each in signature.parameters if isinstance(each, BufferParameter)]
    ArrayChecks(name, signature).refuse_aliases([made[parameter.name] for parameter in parameters])
    for parameter in parameters:
        value = made[parameter.name]
        if isinstance(value, Array):
            made[parameter.name] = _copied(value)
        elif isinstance(value, np.ndarray):
            made[parameter.name] = asarray(value, _dtype_of(parameter, value), device=SIMULATOR)
        elif is_on_cuda(value):
            made[parameter.name] = asarray(value, device=SIMULATOR)
    return made


def _copied(array: Array) -> Array:
    copy = array.to(SIMULATOR)
    return copy.copy() if copy is array else copy


def _dtype_of(parameter: BufferParameter, values: np.ndarray[Any, Any]) -> object:
    """The dtype for a NumPy array if it cannot be derived from NumPy's: a struct or vector; else None.

    An array of vectors has one axis more than the parameter.
    """
    element = parameter.element
    if isinstance(element, TypeVar):
        return None
    is_of_vectors = isinstance(element_of(element), ir.VectorType) and values.ndim == parameter.rank + 1
    return element if is_of_vectors or values.dtype.names is not None else None


def _bytes_of(array: Array) -> Bytes:
    """The bytes of an array on the simulator, including uninitialised ones."""
    content = np.empty(array.nbytes, np.uint8)
    if array.nbytes:
        array.device.read(array.storage.buffer, content.data, array.offset)
    return content
