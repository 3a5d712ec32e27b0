"""instrument: turns bounds checks, asserts and prints of a kernel into records in a hidden buffer.

The buffer is the last one, of u32: a header, then slots for records of one size. The first half of the slots is for
failures and the second for prints; a kernel that has only one of the two uses the whole space for it. Behind the
records are the marks of `written`, which tell the elements that were stored to.

    word 0: invocations that failed   word 1: prints   word 2: slots in each half   word 3: failures
    from word 4: for each plane of marks its first word, or 0

To write a record, an invocation increments a counter. The previous value is the number of the slot for the record. If
there is such a slot, the invocation writes the number of the report, its workgroup id (x, y, z), its local id
(x, y, z), and the values; otherwise the record is only counted. A counter wraps at 2**32, and later records then
overwrite whole earlier ones.

A print writes a record each time. Only the first failure of an invocation has a record. The values are written at the
check, the ids and the number of failures at the end of the kernel, because a kernel has many checks and one end.

An access guarded by `Bounds` is done in a branch of its own, so it changes nothing that was uniform over the workgroup:
the branch diverges only if the index does. An invocation that failed leaves loops without a counter, because they may
not end any more (`while x[j] >= 0.0` reads zeros past the end of x), except in kernels with barriers or
subgroup operations.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import itertools
from collections.abc import Iterator, Sequence

from gpucore.immutable import Immutable
from gpucore.ir import (
    BOOL,
    F16,
    F32,
    I32,
    U32,
    U64,
    Assign,
    Atomic,
    AtomicOp,
    Barrier,
    Bitcast,
    Block,
    Bounds,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Constant,
    Convert,
    Debug,
    DebugKind,
    Declare,
    Expr,
    If,
    Let,
    Load,
    Local,
    Loop,
    Module,
    Param,
    Place,
    ScalarType,
    Stmt,
    Store,
    Subgroup,
    Type,
    Uniform,
    Value,
    build,
    num_components,
    scalar_of,
    walk,
)
from gpucore.passes.written import Plane, mark_writes, planes_of
from gpucore.span import Span

HEADER_WORDS = 4
FAILED, PRINTS, CAPACITY, FAILURES = 0, 1, 2, 3  # words of the header
WHERE_WORDS = 7  # of a record: the number of the report, the workgroup id, the local id


class ReportKind(enum.Enum):
    """What a record reports."""

    BOUNDS = "bounds"
    ASSERT = "assert"
    PRINT = "print"


class Report(Immutable):
    """What the host needs to decode a record.

    `parts` are texts, and for each value its type: the words of the values are consecutive in the record. For BOUNDS
    they are the indices, one for each axis, then the extents.
    """

    kind: ReportKind
    span: Span | None
    array: str  # for BOUNDS: its name
    parts: tuple[str | Type, ...]

    @property
    def is_failure(self) -> bool:
        """Whether the report is an error in the kernel."""
        return self.kind is not ReportKind.PRINT

    @property
    def num_words(self) -> int:
        """Words of the values."""
        return sum(count_words(part) for part in self.parts if not isinstance(part, str))


def count_words(type: Type) -> int:
    """Words that a value occupies in a record."""
    return num_components(type) * (2 if scalar_of(type).bits == 64 else 1)


def record_words(reports: Sequence[Report]) -> int:
    """The size of each record of a kernel, in words: that of its largest."""
    return WHERE_WORDS + max((report.num_words for report in reports), default=0)


def count_halves(reports: Sequence[Report]) -> int:
    """2 if a kernel has both failures and prints, else 1."""
    return len({report.is_failure for report in reports})


class Instrumented(Immutable):
    """A module in plain IR with the hidden buffer, its reports by number, and its planes of marks."""

    module: Module
    reports: tuple[Report, ...] = ()
    planes: tuple[Plane, ...] = ()


def instrument(module: Module, *, only_marks: bool = False) -> Instrumented:
    """The module with checks, asserts and prints expanded, and each store to an Out marked.

    Breakpoints stay. With `only_marks` checks, asserts and prints stay too, for a backend that implements them itself.
    A module with nothing to report is returned unchanged, without a buffer.
    """
    reports = () if only_marks else tuple(_reports(module.body))
    planes = planes_of(module)
    if not reports and not planes:
        return Instrumented(module)
    name = "diagnostics"
    while any(buffer.name == name for buffer in module.buffers):
        name += "_"
    records = Buffer(len(module.buffers), name, U32, readable=True, writable=True, rank=0)
    kinds = {type(statement) for statement in walk.statements(module.body)}
    fails = any(report.is_failure for report in reports)
    leaves_loops = fails and Loop in kinds and not kinds & {Barrier, Subgroup, Uniform}
    first = HEADER_WORDS + len(planes)
    body = module.body
    if reports:
        body = _Instrumenter(records, reports, walk.next_id(module), first, leaves_loops=leaves_loops).body(body)
    made = dataclasses.replace(module, buffers=(*module.buffers, records), body=body)
    return Instrumented(mark_writes(made, records, planes, HEADER_WORDS), reports, planes)


def _reports(body: Block) -> Iterator[Report]:
    """All reports, in program order."""
    for statement in walk.statements(body):
        if isinstance(statement, Bounds):
            types = tuple(expr.type for expr in (*statement.indices, *statement.extents))
            yield Report(ReportKind.BOUNDS, statement.span, statement.memory.name, types)
        elif isinstance(statement, Debug) and statement.kind is not DebugKind.BREAKPOINT:
            kind = ReportKind.ASSERT if statement.kind is DebugKind.ASSERT else ReportKind.PRINT
            parts = tuple(part if isinstance(part, str) else part.type for part in statement.parts)
            yield Report(kind, statement.span, "", parts)


class _Instrumenter:
    """Rewrites blocks in program order, which numbers the reports."""

    def __init__(
        self, records: Buffer, reports: tuple[Report, ...], first_id: int, first_word: int, *, leaves_loops: bool
    ) -> None:
        self._records, self._reports, self._leaves_loops = records, reports, leaves_loops
        self._first_word = first_word  # of the records
        self._ids, self._next_report = itertools.count(first_id), 0
        self._failures, self._start = self._local("failures"), self._local("record")

    def body(self, body: Block) -> Block:
        """The whole kernel: at its end an invocation that failed writes its ids and the number of its failures."""
        written = self.block(body)
        if not any(report.is_failure for report in self._reports):
            return written
        has_place = build.ne(self._start, 0)
        total = Atomic(None, AtomicOp.ADD, Place(self._records, _word(FAILURES)), self._failures)
        report = (total, If(has_place, self._stores(self._start, 1, _where(), None)))
        variables = (Declare(self._failures, _word(0)), Declare(self._start, _word(0)))
        return (*variables, *written, If(self._has_failed(), report))

    def _has_failed(self) -> Expr:
        return build.ne(self._failures, 0)

    def block(self, block: Block) -> Block:
        """The block with every Bounds, assert and print expanded."""
        out: list[Stmt] = []
        following = iter(block)
        for statement in following:
            match statement:
                case Bounds():
                    out += self._guarded(statement, next(following))
                case Debug(kind=DebugKind.ASSERT):
                    assert statement.condition is not None
                    fails = build.logical_not(statement.condition)
                    out.append(If(fails, self._failure(_values(statement), statement.span), (), statement.span))
                case Debug(kind=DebugKind.PRINT):
                    out += self._print(statement)
                case Declare(init=None) if self._leaves_loops:  # a loop that assigns it may now end before that
                    out.append(Declare(statement.local, build.zero(statement.local.type), statement.span))
                case Loop() if self._leaves_loops:
                    leave = If(self._has_failed(), (Break(statement.span),), (), statement.span)
                    out.append(Loop((leave, *self.block(statement.body)), statement.span))
                case _:
                    out.append(walk.map_statement(statement, lambda expr: expr, self.block))
        return walk.same_or(block, out)

    def _fresh(self, name: str, type: Type) -> Value:
        return Value(next(self._ids), name, type)

    def _local(self, name: str, type: Type = U32) -> Local:
        return Local(next(self._ids), name, type)

    def _number(self) -> int:
        self._next_report += 1
        return self._next_report - 1

    # ------------------------------------------------------------ failures

    def _guarded(self, bounds: Bounds, access: Stmt) -> list[Stmt]:
        """The access if the indices are in range, else the report."""
        assert isinstance(access, (Load, Store, Atomic)) and access.place.memory == bounds.memory, access
        span = bounds.span
        in_range = self._fresh("in_range", BOOL)
        failure = self._failure([*bounds.indices, *bounds.extents], span)
        out: list[Stmt] = [Let(in_range, _is_in_range(bounds), span)]
        value = None if isinstance(access, Store) else access.value
        if isinstance(access, Store) or value is None:
            return [*out, If(in_range, (access,), failure, span)]
        found, result = self._fresh(value.name, value.type), self._local(value.name, value.type)
        done: Block = (dataclasses.replace(access, value=found), Assign(result, found, span))
        return [
            *out,
            Declare(result, build.zero(value.type), span),
            If(in_range, done, failure, span),
            Let(value, result, span),
        ]

    def _failure(self, values: Sequence[Expr], span: Span | None) -> Block:
        """Count a failure; if it is the invocation's first, write its record, without the ids."""
        number = _word(self._number())
        lets, words = self._as_words(values, span)
        is_first = build.eq(self._failures, 0)
        start = self._fresh("start", U32)
        stores = (
            Assign(self._start, start, span),
            *lets,
            *self._stores(start, 0, [number], span),
            *self._stores(start, WHERE_WORDS, words, span),
        )
        first = self._reserve_slot(FAILED, start, stores, span)
        return (
            If(is_first, first, (), span),
            Assign(self._failures, build.add(self._failures, 1), span),
        )

    # ------------------------------------------------------------ records

    def _print(self, statement: Debug) -> Block:
        number = _word(self._number())
        lets, words = self._as_words(_values(statement), statement.span)
        start = self._fresh("start", U32)
        stores = self._stores(start, 0, [number, *_where(), *words], statement.span)
        return self._reserve_slot(PRINTS, start, (*lets, *stores), statement.span)

    def _stores(self, start: Expr, first: int, words: Sequence[Expr], span: Span | None) -> Block:
        """Stores of words to the record at `start`, from its word `first` on."""
        return tuple(
            Store(Place(self._records, build.add(start, offset)), word, span)
            for offset, word in enumerate(words, first)
        )

    def _reserve_slot(self, counter: int, start: Value, then: Block, span: Span | None) -> Block:
        """Increment a counter; if there is a slot for the record, bind `start` to its first word and execute `then`."""
        slot, capacity = self._fresh("slot", U32), self._fresh("capacity", U32)
        is_second = counter == PRINTS and count_halves(self._reports) == 2
        first = build.add(slot, capacity) if is_second else slot
        offset = build.add(build.mul(first, record_words(self._reports)), self._first_word)
        return (
            Atomic(slot, AtomicOp.ADD, Place(self._records, _word(counter)), _word(1), None, span),
            Load(capacity, Place(self._records, _word(CAPACITY)), span),
            If(build.lt(slot, capacity), (Let(start, offset, span), *then), (), span),
        )

    def _as_words(self, values: Sequence[Expr], span: Span | None) -> tuple[list[Stmt], list[Expr]]:
        """The values as u32s, and the statements that bind them."""
        lets: list[Stmt] = []
        words: list[Expr] = []
        for value in values:
            if count_words(value.type) > 1 and not isinstance(value, (Value, Local, Param, Builtin)):
                bound = self._fresh("shown", value.type)
                lets.append(Let(bound, value, span))
                value = bound
            for component in build.components(value):
                words += _words(component)
        return lets, words


def _where() -> list[Expr]:
    """The ids of an invocation."""
    ids = (BuiltinKind.WORKGROUP_ID, BuiltinKind.LOCAL_ID)
    return [Bitcast(Builtin(kind, axis), U32) for kind in ids for axis in range(3)]


def _values(statement: Debug) -> list[Expr]:
    return [part for part in statement.parts if not isinstance(part, str)]


def _is_in_range(bounds: Bounds) -> Expr:
    """Whether every index is at least 0 and below its extent."""
    tests: list[Expr] = []
    for index, extent in zip(bounds.indices, bounds.extents, strict=True):
        if index.type != U32:
            tests.append(build.ge(index, 0))
        tests.append(build.lt(index, build.convert(extent, index.type)))
    return functools.reduce(build.logical_and, tests)


def _words(value: Expr) -> list[Expr]:
    """A scalar as u32: one, or two for 64 bits, low word first. f16 is written as f32, small integers as 32 bits."""
    scalar = value.type
    assert isinstance(scalar, ScalarType)
    if scalar == BOOL:
        return [build.select(value, _word(1), 0)]
    if scalar.bits == 64:
        bits = build.bitcast(value, U64)
        return [Convert(bits, U32), Convert(build.shr(bits, 32), U32)]
    if scalar == F16:
        return [Bitcast(Convert(value, F32), U32)]
    if scalar.is_storage:
        return [Bitcast(Convert(value, I32), U32)]
    return [build.bitcast(value, U32)]


def _word(value: int) -> Expr:
    return Constant(value, U32)
