"""Reports of kernels in debug mode: the report buffer of each dispatch is read back, printed and raised.

Each dispatch gets its own report buffer, whose layout is defined in `passes.instrument`. It is read after waiting for
the device: prints go to sys.stdout in the order of dispatches, and the first failure becomes an exception. The first
failure of a dispatch does not depend on the order in which the device runs invocations: it is that of the first
invocation in the order of the simulator (x fastest, workgroup by workgroup).

The thread that waits first raises the failures of everything queued before, by any thread. If it did not launch the
dispatch, the failure is raised again in the launching thread, and in the first thread that reads each array that the
dispatch wrote. So no thread uses the output of a failed dispatch as a result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore import ir
from gpucore.errors import KernelError
from gpucore.failures import Axes, Invocation, assertion_failed, out_of_range, shown
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
from gpucore.runtime.protocol import Buffer
from gpucore.runtime.settings import read_debug_records

_DEFAULT_NBYTES = 1 << 20
_MAX_KEPT = 1000  # failures that were raised in one thread and are kept for others
_WORD = 4

_Records = npt.NDArray[np.uint32]  # a row each


class Reporting(Immutable):
    """The reports that a compiled kernel may make; `is_ordered` sorts prints by invocation."""

    kernel: str
    workgroup_size: Axes
    reports: tuple[Report, ...]
    is_ordered: bool = False
    written: frozenset[int] = frozenset()
    """The indices of the buffers that the kernel writes."""

    @property
    def stride(self) -> int:
        """Bytes of a record."""
        return _WORD * record_words(self.reports)

    def capacity(self, max_bytes: int) -> int:
        """Records in each half of a buffer: GPUCORE_DEBUG_RECORDS, default 1 MiB in total; at most `max_bytes`."""
        wanted, stride = read_debug_records(), self.stride * count_halves(self.reports)
        room = (max_bytes - _WORD * HEADER_WORDS) // stride
        return min(wanted or max(1, _DEFAULT_NBYTES // stride), room)

    def nbytes(self, capacity: int) -> int:
        """Bytes of a buffer with `capacity` records in each half."""
        return _WORD * HEADER_WORDS + self.stride * capacity * count_halves(self.reports)


class _Pending(Immutable):
    """A dispatch with unread reports."""

    number: int
    reporting: Reporting
    buffer: Buffer
    capacity: int
    launcher: threading.Thread
    written: set[int]  # ids of the buffers that the kernel writes and an array still owns


@dataclass(slots=True, eq=False)
class _Failed:
    """The failures of a dispatch: their number, that of invocations, the first one, and the threads that raised it."""

    dispatch: _Pending
    count: int
    invocations: int
    record: _Records  # of the first invocation
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
    def has_unraised(self) -> bool:
        """Whether anything is unread, or not raised yet."""
        return bool(self._pending) or any(not failed.raised_in for failed in self._failed)

    def add(self, reporting: Reporting, buffer: Buffer, capacity: int, arguments: Sequence[Buffer]) -> None:
        """Record a dispatch that the current thread queued with this report buffer."""
        self.newest += 1
        written = {id(arguments[index]) for index in reporting.written if index < len(arguments)}
        launcher = threading.current_thread()
        self._pending.append(_Pending(self.newest, reporting, buffer, capacity, launcher, written))

    def forget_buffer(self, buffer: Buffer) -> None:
        """Forget a freed buffer: another array may reuse it."""
        for dispatch in (*self._pending, *(failed.dispatch for failed in self._failed)):
            dispatch.written.discard(id(buffer))

    def read(self, until: int) -> None:
        """Read the reports of dispatches up to a number, which have ended. Print lines, keep failures for `error`."""
        while self._pending and self._pending[0].number <= until:
            pending = self._pending[0]
            failures, prints = _halves(pending)
            del self._pending[0]
            self._give(pending.buffer)
            if failures.invocations:
                self._failed.append(failures)
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


def header(capacity: int) -> memoryview:
    """The header of an empty report buffer."""
    words = np.zeros(HEADER_WORDS, np.uint32)
    words[CAPACITY] = capacity
    return words.view(np.uint8).data


def _halves(pending: _Pending) -> tuple[_Failed, tuple[int, _Records]]:
    """The failures, and the prints as their number and records, in order."""
    head = _read(pending.buffer, 0, HEADER_WORDS).tolist()
    reporting, capacity = pending.reporting, pending.capacity
    first_print = capacity if count_halves(reporting.reports) == 2 else 0
    failures = _records(pending, 0, min(head[FAILED], capacity))
    prints = _records(pending, first_print, min(head[PRINTS], capacity))
    first = _by_invocation(failures)[:1].copy()  # a copy, so that the other records can be freed
    return _Failed(pending, head[FAILURES], head[FAILED], first), (head[PRINTS], prints)


def _records(pending: _Pending, first: int, count: int) -> _Records:
    stride = pending.reporting.stride
    return _read(pending.buffer, _WORD * HEADER_WORDS + first * stride, count * stride // _WORD).reshape(
        count, stride // _WORD
    )


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
            f"number of lines that are kept, now {pending.capacity}]"
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
    reporting, record = failed.reporting, failed.record[0]
    report, parts = _parts(reporting, record)
    x, y, z, lx, ly, lz = record[1:WHERE_WORDS].tolist()
    invocation = Invocation(reporting.kernel, reporting.workgroup_size, (x, y, z), (lx, ly, lz))
    more = "\n".join(_more(failed, others))
    if report.kind is ReportKind.ASSERT:
        return assertion_failed(invocation, report.span, parts, more=more)
    rank = len(parts) // 2
    return out_of_range(invocation, report.span, report.array, parts[:rank], parts[rank:], more=more)


def _more(failed: _Failed, others: list[_Failed]) -> Iterator[str]:
    """The number of further failures, in words."""
    if failed.count > 1:
        plural = "s" if failed.invocations > 1 else ""
        yield f"  and {failed.count - 1} more, in {failed.invocations} invocation{plural}"
    if others:
        kernels = ", ".join(dict.fromkeys(one.reporting.kernel for one in others))
        which = "later" if all(one.dispatch.number > failed.dispatch.number for one in others) else "other"
        yield f"  and {sum(one.count for one in others)} more in {which} dispatches of {kernels}"
