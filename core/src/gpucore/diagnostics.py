"""What kernels under debug report: the hidden buffer of each dispatch, read back, printed and raised.

A dispatch gets a buffer of its own, whose layout `passes.instrument` tells. It is read when the device has been waited
for: prints go to sys.stdout in the order of dispatches, and what went wrong first becomes an exception. Which of the
failures of one dispatch is the first does not depend on the order in which a device runs them: it is that of the first
invocation, counted as the simulator runs them (x fastest, workgroup by workgroup).

Whichever thread waits for the device first gets to hear of everything that was queued before, by any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore import ir
from gpucore.errors import KernelError
from gpucore.failures import Axes, Invocation, assertion_failed, out_of_range, shown
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
_WORD = 4

_Records = npt.NDArray[np.uint32]  # a row each


@dataclass(frozen=True, slots=True)
class Reporting:
    """What a compiled kernel can report; `is_ordered` asks for prints in the order of the invocations."""

    kernel: str
    workgroup_size: Axes
    reports: tuple[Report, ...]
    is_ordered: bool = False

    @property
    def stride(self) -> int:
        """Bytes of a record."""
        return _WORD * record_words(self.reports)

    def capacity(self, most_bytes: int) -> int:
        """Records in each half of a buffer: of 1 MiB or as GPUCORE_DEBUG_RECORDS says, and of `most_bytes` at most."""
        wanted, stride = read_debug_records(), self.stride * count_halves(self.reports)
        room = (most_bytes - _WORD * HEADER_WORDS) // stride
        return min(wanted or max(1, _DEFAULT_NBYTES // stride), room)

    def nbytes(self, capacity: int) -> int:
        """Bytes of a buffer with so many records in each half."""
        return _WORD * HEADER_WORDS + self.stride * capacity * count_halves(self.reports)


@dataclass(frozen=True, slots=True)
class _Pending:
    """A dispatch whose reports have not been read."""

    number: int
    reporting: Reporting
    buffer: Buffer
    capacity: int


@dataclass(frozen=True, slots=True)
class _Failed:
    """The failures of a dispatch: how many, in how many invocations, and the first of each that found a place."""

    reporting: Reporting
    count: int
    invocations: int
    records: _Records  # the first invocation's first


class Diagnostics:
    """The reports of one device. Every method is called under the device's lock."""

    def __init__(self, give: Callable[[Buffer], None]) -> None:
        self._give = give  # takes the buffers back
        self._pending: list[_Pending] = []
        self._failed: list[_Failed] = []
        self.newest = 0
        """Number of the last dispatch that may report; the numbers grow."""

    def __len__(self) -> int:
        """Dispatches whose reports have not been read."""
        return len(self._pending)

    @property
    def has_news(self) -> bool:
        """Whether anything is unread, or not raised yet."""
        return bool(self._pending or self._failed)

    def add(self, reporting: Reporting, buffer: Buffer, capacity: int) -> None:
        """Take note of a dispatch that was queued with this buffer."""
        self.newest += 1
        self._pending.append(_Pending(self.newest, reporting, buffer, capacity))

    def read(self, until: int) -> None:
        """Read what dispatches up to a number, which have ended, report. Shows prints; keeps failures for `error`."""
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
        """Give up the reports of dispatches up to a number, which may not have run to their end."""
        while self._pending and self._pending[0].number <= until:
            self._give(self._pending.pop(0).buffer)

    def error(self) -> KernelError | None:
        """The first failure of the earliest dispatch that failed, to be raised. It, and all others, are forgotten."""
        if not self._failed:
            return None
        first, *later = self._failed
        self._failed = []
        return _error(first, later)


def header(capacity: int) -> memoryview:
    """What a buffer starts with."""
    words = np.zeros(HEADER_WORDS, np.uint32)
    words[CAPACITY] = capacity
    return words.view(np.uint8).data


def _halves(pending: _Pending) -> tuple[_Failed, tuple[int, _Records]]:
    """Failures, sorted by invocation, and prints: how many, and the records, in their order."""
    head = _read(pending.buffer, 0, HEADER_WORDS).tolist()
    reporting, capacity = pending.reporting, pending.capacity
    first_print = capacity if count_halves(reporting.reports) == 2 else 0
    failures = _records(pending, 0, min(head[FAILED], capacity))
    prints = _records(pending, first_print, min(head[PRINTS], capacity))
    return _Failed(reporting, head[FAILURES], head[FAILED], _by_invocation(failures)), (head[PRINTS], prints)


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
            f"[{reporting.kernel}: {count - len(records)} more lines found no place; GPUCORE_DEBUG_RECORDS sets the "
            f"number of places, which is {pending.capacity}]"
        )


def _parts(reporting: Reporting, record: _Records) -> tuple[Report, list[Any]]:
    """The report of a record, and its texts and values."""
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
    """A value of a record, as the simulator has it: an int, a bool, a NumPy float, a tuple of them."""
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


def _error(failed: _Failed, later: list[_Failed]) -> KernelError:
    reporting, record = failed.reporting, failed.records[0]
    report, parts = _parts(reporting, record)
    x, y, z, lx, ly, lz = record[1:WHERE_WORDS].tolist()
    invocation = Invocation(reporting.kernel, reporting.workgroup_size, (x, y, z), (lx, ly, lz))
    more = "\n".join(_more(failed, later))
    if report.kind is ReportKind.ASSERT:
        return assertion_failed(invocation, report.span, parts, more=more)
    rank = len(parts) // 2
    return out_of_range(invocation, report.span, report.array, parts[:rank], parts[rank:], more=more)


def _more(failed: _Failed, later: list[_Failed]) -> Iterator[str]:
    """What else went wrong, in numbers."""
    if failed.count > 1:
        plural = "s" if failed.invocations > 1 else ""
        yield f"  and {failed.count - 1} more, in {failed.invocations} invocation{plural}"
    if later:
        kernels = ", ".join(dict.fromkeys(one.reporting.kernel for one in later))
        yield f"  and {sum(one.count for one in later)} more in later dispatches of {kernels}"
