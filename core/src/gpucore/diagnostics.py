"""Reports of kernels in debug mode: the report buffer of each dispatch is read back, printed and raised.

Each dispatch gets its own report buffer, whose layout is defined in `passes.instrument`. It is read after waiting for
the device: prints go to sys.stdout in the order of dispatches, and the first failure becomes an exception. The first
failure of a dispatch does not depend on the order in which the device runs invocations: it is that of the first
invocation in the order of the simulator (x fastest, workgroup by workgroup). A dispatch without such a failure fails if
it left elements of an Out unwritten.

The thread that waits first raises the failures of everything queued before, by any thread. If it did not launch the
dispatch, the failure is raised again in the launching thread, and in the first thread that reads each array that the
dispatch wrote. So no thread uses the output of a failed dispatch as a result.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore import ir
from gpucore.errors import KernelError
from gpucore.failures import (
    Axes,
    Invocation,
    assertion_failed,
    describe_unwritten,
    incomplete_output,
    out_of_range,
    shown,
)
from gpucore.immutable import Immutable
from gpucore.passes.instrument import (
    CAPACITY,
    FAILED,
    FAILURES,
    HEADER_WORDS,
    PRINTS,
    WHERE_WORDS,
    Report,
    ReportKind,
    count_halves,
    count_words,
    record_words,
)
from gpucore.passes.written import Plane
from gpucore.runtime.protocol import Buffer
from gpucore.runtime.settings import read_debug_records
from gpucore.span import Span

_DEFAULT_NBYTES = 1 << 20
_MAX_KEPT = 1000  # failures that were raised in one thread and are kept for others
_WORD = 4

_ZEROS = bytes(1 << 20)
_ALL = 0xFFFFFFFF

_Records = npt.NDArray[np.uint32]  # a row each
Shape = tuple[int, ...]


class Layout(Immutable):
    """A report buffer: `capacity` records in each half, then for each plane of marks its bits, from a word on."""

    capacity: int
    shapes: tuple[Shape, ...]  # of the array of each plane
    marks: tuple[int, ...]  # the first word of each plane; 0 for one that has no room
    first_mark: int
    nbytes: int

    def initial(self) -> Iterator[tuple[int, memoryview]]:
        """What the buffer must contain before the dispatch: bytes, each with their offset."""
        words = np.zeros(HEADER_WORDS + len(self.marks), np.uint32)
        words[CAPACITY] = self.capacity
        words[HEADER_WORDS:] = self.marks
        yield 0, words.view(np.uint8).data
        for offset in range(_WORD * self.first_mark, self.nbytes, len(_ZEROS)):
            yield offset, memoryview(_ZEROS)[: self.nbytes - offset]


class Reporting(Immutable):
    """What a compiled kernel may report; `is_ordered` sorts prints by invocation."""

    kernel: str
    workgroup_size: Axes
    reports: tuple[Report, ...]
    planes: tuple[Plane, ...] = ()
    is_ordered: bool = False
    written: frozenset[int] = frozenset()
    """The indices of the buffers that the kernel writes."""

    @property
    def stride(self) -> int:
        """Bytes of a record."""
        return _WORD * record_words(self.reports)

    @property
    def first_record(self) -> int:
        """The word at which the records begin."""
        return HEADER_WORDS + len(self.planes)

    def lay_out(self, shapes: Sequence[Shape], max_bytes: int) -> Layout:
        """The report buffer of a dispatch. `shapes` are those of the arrays of the planes.

        It has GPUCORE_DEBUG_RECORDS records in each half, by default 1 MiB in total, and at most `max_bytes`, of which
        marks take up to a half.
        """
        marks, num_words = [], 0
        for shape in shapes:
            size = -(-math.prod(shape) // 32)
            has_room = _WORD * (num_words + size) <= max_bytes // 2
            marks.append(num_words if size and has_room else None)
            num_words += size if has_room else 0
        wanted, stride = read_debug_records(), self.stride * count_halves(self.reports)
        capacity = 0
        if stride:
            room = (max_bytes - _WORD * (self.first_record + num_words)) // stride
            capacity = min(wanted or max(1, _DEFAULT_NBYTES // stride), room)
        first = self.first_record + stride * capacity // _WORD
        placed = tuple(0 if mark is None else first + mark for mark in marks)
        return Layout(capacity, tuple(shapes), placed, first, _WORD * (first + num_words))


class _Pending(Immutable):
    """A dispatch with unread reports."""

    number: int
    reporting: Reporting
    buffer: Buffer
    layout: Layout
    launcher: threading.Thread
    written: set[int]  # ids of the buffers that the kernel writes and an array still owns


@dataclass(slots=True, eq=False)
class _Failed:
    """The failures of a dispatch: their number, that of invocations, the error to raise for the first one, which takes
    the last lines of its text, and the threads that raised it."""

    dispatch: _Pending
    count: int
    invocations: int
    error: Callable[[str], KernelError]
    raised_in: list[threading.Thread] = field(default_factory=list)

    @property
    def reporting(self) -> Reporting:
        """The reports that the kernel may make."""
        return self.dispatch.reporting

    def concerns(self, thread: threading.Thread, array: int) -> bool:
        """Whether to raise it in a thread that waits to read the array whose buffer has the id `array`."""
        if not self.raised_in:
            return True
        return thread not in self.raised_in and (thread is self.dispatch.launcher or array in self.dispatch.written)

    def is_done(self) -> bool:
        """Whether every thread that must raise it has done so."""
        launcher = self.dispatch.launcher
        if launcher in self.raised_in:
            return True
        return bool(self.raised_in) and not launcher.is_alive() and not self.dispatch.written


class Diagnostics:
    """The reports of one device. Every method is called under the device's lock."""

    def __init__(self, give: Callable[[Buffer], None]) -> None:
        self._give = give  # returns a buffer to the pool
        self._pending: list[_Pending] = []
        self._failed: list[_Failed] = []
        self.newest = 0
        """The number of the last dispatch that may report; numbers increase."""

    def __len__(self) -> int:
        """The number of dispatches with unread reports."""
        return len(self._pending)

    @property
    def nbytes(self) -> int:
        """The bytes of the buffers of these dispatches."""
        return sum(pending.layout.nbytes for pending in self._pending)

    @property
    def has_unraised(self) -> bool:
        """Whether anything is unread, or not raised yet."""
        return bool(self._pending) or any(not failed.raised_in for failed in self._failed)

    @property
    def has_failures(self) -> bool:
        """Whether `error` has something to look at."""
        return bool(self._failed)

    def add(self, reporting: Reporting, buffer: Buffer, layout: Layout, arguments: Sequence[Buffer]) -> None:
        """Record a dispatch that the current thread queued with this report buffer."""
        self.newest += 1
        written = {id(arguments[index]) for index in reporting.written if index < len(arguments)}
        launcher = threading.current_thread()
        self._pending.append(_Pending(self.newest, reporting, buffer, layout, launcher, written))

    def forget_buffer(self, buffer: Buffer) -> None:
        """Forget a freed buffer: another array may reuse it."""
        if not (self._pending or self._failed):
            return
        for dispatch in (*self._pending, *(failed.dispatch for failed in self._failed)):
            dispatch.written.discard(id(buffer))

    def read(self, until: int) -> None:
        """Read the reports of dispatches up to a number, which have ended. Print lines, keep failures for `error`."""
        while self._pending and self._pending[0].number <= until:
            pending = self._pending[0]
            failed, prints = _halves(pending)
            failed = failed or _unwritten(pending)
            del self._pending[0]
            self._give(pending.buffer)
            if failed is not None:
                self._failed.append(failed)
            if lines := list(_lines(pending, *prints)):
                print("\n".join(lines))

    def forget(self, until: int) -> None:
        """Discard the reports of dispatches up to a number, which may not have completed."""
        while self._pending and self._pending[0].number <= until:
            self._give(self._pending.pop(0).buffer)

    def error(self, array: Buffer | None = None) -> KernelError | None:
        """The error to raise in the current thread, which is about to read `array`; each is raised once in a thread.

        It is the first failure of the earliest failed dispatch of this thread, else of any dispatch that concerns it.
        """
        if not self._failed:
            return None
        thread = threading.current_thread()
        due = [failed for failed in self._failed if failed.concerns(thread, id(array))]
        for failed in due:
            failed.raised_in.append(thread)
            failed.dispatch.written.discard(id(array))
        kept = [failed for failed in self._failed if not failed.is_done()]
        self._failed = kept[-_MAX_KEPT:]
        if not due:
            return None
        first, *others = sorted(due, key=lambda failed: failed.dispatch.launcher is not thread)
        return _error(first, others)


def _halves(pending: _Pending) -> tuple[_Failed | None, tuple[int, _Records]]:
    """The failures, and the prints as their number and records, in order."""
    head = _read(pending.buffer, 0, HEADER_WORDS).tolist()
    reporting, capacity = pending.reporting, pending.layout.capacity
    first_print = capacity if count_halves(reporting.reports) == 2 else 0
    failures = _records(pending, 0, min(head[FAILED], capacity))
    prints = _records(pending, first_print, min(head[PRINTS], capacity))
    failed = None
    if head[FAILED]:
        first = _by_invocation(failures)[0].copy()  # a copy, so that the other records can be freed
        failed = _Failed(pending, head[FAILURES], head[FAILED], partial(_record_error, reporting, first))
    return failed, (head[PRINTS], prints)


def _unwritten(pending: _Pending) -> _Failed | None:
    """The failure of a dispatch that left elements of an Out unwritten. For a dispatch without other failures: those
    skip stores."""
    masks: dict[str, dict[str, npt.NDArray[np.bool_]]] = {}
    reporting, layout = pending.reporting, pending.layout
    for plane, shape, first in zip(reporting.planes, layout.shapes, layout.marks, strict=True):
        if first:
            masks.setdefault(plane.array, {})[plane.field] = _unmarked(pending.buffer, first, shape)
    spans = {plane.array: plane.span for plane in reporting.planes}
    described = [(spans[array], describe_unwritten(array, fields)) for array, fields in masks.items()]
    found = [(span, text) for span, text in described if text]
    return _Failed(pending, len(found), 0, partial(_output_error, reporting.kernel, found)) if found else None


def _unmarked(buffer: Buffer, first: int, shape: Shape) -> npt.NDArray[np.bool_]:
    """Which elements have no mark."""
    size = math.prod(shape)
    words = _read(buffer, _WORD * first, -(-size // 32))
    if size % 32:
        words[-1] |= _ALL << size % 32 & _ALL  # bits without an element
    if (words == _ALL).all():
        return np.zeros(shape, bool)
    bits = np.unpackbits(words.astype("<u4").view(np.uint8), count=size, bitorder="little")
    return np.equal(bits, 0).reshape(shape)


def _records(pending: _Pending, first: int, count: int) -> _Records:
    stride = pending.reporting.stride
    offset = _WORD * pending.reporting.first_record + first * stride
    return _read(pending.buffer, offset, count * stride // _WORD).reshape(count, stride // _WORD)


def _read(buffer: Buffer, offset: int, words: int) -> _Records:
    out = np.empty(words, np.uint32)
    if words:
        buffer.read(out.view(np.uint8).data, offset)
    return out


def _by_invocation(records: _Records) -> _Records:
    """Sorted by workgroup, then local id, x fastest; the records of one invocation stay in their order."""
    return records[np.lexsort(records[:, 1:WHERE_WORDS][:, [3, 4, 5, 0, 1, 2]].T)]


# ---------------------------------------------------------------- prints


def _lines(pending: _Pending, count: int, records: _Records) -> Iterator[str]:
    reporting = pending.reporting
    for record in _by_invocation(records) if reporting.is_ordered else records:
        yield "".join(map(shown, _parts(reporting, record)[1]))
    if count > len(records):
        yield (
            f"[{reporting.kernel}: {count - len(records)} more lines were not kept; GPUCORE_DEBUG_RECORDS sets the "
            f"number of lines that are kept, now {pending.layout.capacity}]"
        )


def _parts(reporting: Reporting, record: _Records) -> tuple[Report, list[Any]]:
    """The report of a record, and its strings and values."""
    report, position = reporting.reports[int(record[0])], WHERE_WORDS
    parts: list[Any] = []
    for part in report.parts:
        if isinstance(part, str):
            parts.append(part)
        else:
            end = position + count_words(part)
            parts.append(_value(part, record[position:end]))
            position = end
    return report, parts


def _value(type: ir.Type, words: _Records) -> Any:
    """A value of a record, as in the simulator: an int, a bool, a NumPy float, or a tuple of these."""
    if isinstance(type, ir.VectorType):
        return tuple(_value(type.element, one) for one in words.reshape(type.width, -1))
    if type.kind is ir.ScalarKind.BOOL:
        return bool(words[0])
    if type.is_float:
        number = words.view(np.float64 if type.bits == 64 else np.float32)[0]
        return np.float16(number) if type.bits == 16 else number
    bits = max(32, type.bits)
    return words.view(f"{'i' if type.is_signed else 'u'}{bits // 8}")[0].item()


# ---------------------------------------------------------------- failures


def _error(failed: _Failed, others: list[_Failed]) -> KernelError:
    return failed.error("\n".join(_more(failed, others)))


def _output_error(kernel: str, found: list[tuple[Span | None, str]], more: str) -> KernelError:
    return incomplete_output(kernel, found, more=more)


def _record_error(reporting: Reporting, record: _Records, more: str) -> KernelError:
    """The error for an index or assert, from the record of its first invocation."""
    report, parts = _parts(reporting, record)
    x, y, z, lx, ly, lz = record[1:WHERE_WORDS].tolist()
    invocation = Invocation(reporting.kernel, reporting.workgroup_size, (x, y, z), (lx, ly, lz))
    if report.kind is ReportKind.ASSERT:
        return assertion_failed(invocation, report.span, parts, more=more)
    rank = len(parts) // 2
    return out_of_range(invocation, report.span, report.array, parts[:rank], parts[rank:], more=more)


def _more(failed: _Failed, others: list[_Failed]) -> Iterator[str]:
    """The number of further failures, in words."""
    if failed.invocations and failed.count > 1:
        plural = "s" if failed.invocations > 1 else ""
        yield f"  and {failed.count - 1} more, in {failed.invocations} invocation{plural}"
    if others:
        kernels = ", ".join(dict.fromkeys(one.reporting.kernel for one in others))
        which = "later" if all(one.dispatch.number > failed.dispatch.number for one in others) else "other"
        yield f"  and {sum(one.count for one in others)} more in {which} dispatches of {kernels}"
