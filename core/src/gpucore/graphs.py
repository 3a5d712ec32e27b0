"""Recorded work: the kernels, copies and stores of a block, queued again by one call, without their checks.

    with device.record(x=x) as graph:
        for _ in range(20):
            step(x, y)
    graph.replay()
    graph.replay(x=other)

While a thread records, what it queues on the device is kept and not run. The memory and the compiled kernels that a
graph uses are kept until it is dropped, whatever becomes of their arrays.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.runtime.protocol import Buffer, CopyStep, DispatchStep, Pipeline, Recording, Step, WriteStep

_MAX_BOUND = 8  # memories of a graph for which its buffers are known: results often alternate between two
_ALIKE = ("dtype", "shape", "offset", "start")
_ADVICE = dict.fromkeys(("offset", "start"), "pass a slice that begins at the same place of its array, or record again")


class Recorded(Immutable, eq=False):
    """What a graph remembers of an array that may be replaced: not the array itself, which may be dropped."""

    kind: Any
    alike: tuple[Any, ...]  # what `_ALIKE` names
    memory: Buffer
    nbytes: int  # of the memory


class _Bound:
    """The steps of a graph with the buffers of a replay."""

    __slots__ = ("buffers", "calls", "others")

    def __init__(self, others: dict[Buffer, Buffer], buffers: list[tuple[Buffer, ...]]) -> None:
        self.others, self.buffers = others, buffers  # others: the memory in the place of that of the recording
        self.calls: list[Callable[[], None]] = []  # that queue the steps, if the device has made no recording


class Graph:
    """Work that `device.record` kept. `replay` queues it again, any number of times."""

    def __init__(self, device: Any, arrays: Mapping[str, Recorded]) -> None:
        self._device, self._arrays = device, arrays
        self._thread = threading.get_ident()
        self._steps: list[Step] = []
        self._buffers: list[tuple[Buffer, ...]] | None = None  # of the steps; None while they are recorded
        self._memory: list[list[Buffer]] = []  # of each step, without parts
        self._recording: Recording | None = None
        self._stored = 0  # bytes from the host
        self._bound = _Bound({}, [])  # of the last replay
        self._repeated: dict[tuple[Buffer, ...], _Bound] = {}  # of the last calls of `repeat`
        self._kept: Counter[Buffer | Pipeline] = Counter()

    def __repr__(self) -> str:
        state = f"{self.num_steps} steps" if self._buffers is not None else "being recorded"
        return f"<graph of {self._device.id}: {state}>"

    @property
    def num_steps(self) -> int:
        """The number of kernels, copies and stores."""
        return len(self._steps)

    @property
    def steps(self) -> tuple[Step, ...]:
        """What was recorded, in order, as its backend gets it."""
        return tuple(self._steps)

    @property
    def kept_nbytes(self) -> int:
        """Bytes of the memory that it keeps."""
        return sum(thing.nbytes for thing in self._kept if isinstance(thing, Buffer))

    def __del__(self) -> None:
        self._device._dropped_graphs.append((self._recording, self._kept))

    def replay(self, **arrays: Any) -> None:
        """Queue the recorded work, with other arrays in the place of those that `device.record` named, for this time.

        They have the same dtype, shape and place in their memory, and share none with the arrays of the graph. Returns
        before the work has run. Raises ArgumentError for other arrays, ClosedError if the device was closed.
        """
        if self._buffers is None:
            raise ArgumentError(
                "a graph is replayed after the end of its `with` block; one whose block raised an exception cannot be"
            )
        self._device.refuse_while_recording("a replay")
        if self._stored and (self._recording is None or self._device.driver_device.profiler is not None):
            self._device.wait_for_room(self._stored)
        with self._device.lock:
            driver = self._device.driver_device
            driver.check()
            self._device.collect_garbage()
            self._queue(driver, self._bind(self._replaced(arrays) if arrays else {}))

    def repeat(self, memories: tuple[Buffer, ...]) -> None:
        """Replay for arrays that are known to fit, given by their memory, in the order in which they were named.

        The caller holds the device's lock, and stores nothing from the host.
        """
        device = self._device
        driver = device.driver_device
        driver.check()
        if any(device.waiting):
            device.collect_garbage()
        bound = self._repeated.get(memories)
        if bound is None:
            bound = self._bind(dict(zip([own.memory for own in self._arrays.values()], memories, strict=True)))
            if len(self._repeated) >= _MAX_BOUND:
                self._repeated.clear()
            self._repeated[memories] = bound
        self._queue(driver, bound)

    def forget_arrays(self) -> None:
        """Keep the memory of the named arrays no longer: from now on each replay is a `repeat`, which replaces it."""
        kept = {own.memory: self._kept.pop(own.memory, 0) for own in self._arrays.values()}
        self._device._dropped_graphs.append((None, Counter(kept)))

    def _queue(self, driver: Any, bound: _Bound) -> None:
        """Queue the steps with the buffers that are bound."""
        recording = self._recording
        if recording is not None:
            if driver.is_plain:
                recording.run(bound.buffers)
                return
            if driver.replay(recording, self._steps, bound.buffers):
                return
        if not bound.calls:
            bound.calls = self._plan(bound.buffers)
        for call in bound.calls:
            call()

    # ---------------------------------------------------------------- recording

    def is_recording(self) -> bool:
        """Whether this thread records it now."""
        return self._buffers is None and self._thread == threading.get_ident()

    def dispatch(self, _: Any, pipeline: Pipeline, buffers: Sequence[Buffer], *rest: Any) -> None:
        """Keep a dispatch."""
        self._keep(pipeline)
        self._add(DispatchStep(tuple(buffers), pipeline, *rest))

    def copy(self, _: Any, source: Buffer, target: Buffer, nbytes: int) -> None:
        """Keep a copy."""
        self._add(CopyStep((source, target), nbytes))

    def write(self, buffer: Buffer, data: memoryview, offset: int) -> None:
        """Keep a store of bytes from the host."""
        self._add(WriteStep((buffer,), memoryview(bytes(data)), offset))
        self._stored += data.nbytes

    def _add(self, step: Step) -> None:
        for buffer in step.buffers:
            self._keep(buffer.whole or buffer)
        self._steps.append(step)

    def _keep(self, thing: Buffer | Pipeline) -> None:
        self._kept[thing] += 1
        self._device._kept[thing] += 1

    def end(self) -> None:
        """Called at the end of the block, unless that raised an error. The caller holds the lock."""
        self._buffers = [step.buffers for step in self._steps]
        self._memory = [[buffer.whole or buffer for buffer in step.buffers] for step in self._steps]
        self._bound = _Bound({}, self._buffers)
        self._recording = self._device.driver_device.record(self._steps) if self._steps else None

    # ---------------------------------------------------------------- replay

    def _bind(self, others: dict[Buffer, Buffer]) -> _Bound:
        """Replace memory in the steps; those of which the memory is that of the last replay keep their buffers."""
        last, before = self._bound, self._bound.others
        changed = {memory for memory in before.keys() | others.keys()
                   if before.get(memory, memory) is not others.get(memory, memory)}  # fmt: skip
        if changed:
            assert self._buffers is not None
            bound = [
                kept if changed.isdisjoint(memory) else tuple([_other(buffer, others) for buffer in own])
                for kept, own, memory in zip(last.buffers, self._buffers, self._memory, strict=True)
            ]
            self._bound = _Bound(others, bound)
        return self._bound

    def _plan(self, buffers: Sequence[Sequence[Buffer]]) -> list[Callable[[], None]]:
        """The calls that queue the steps one by one."""
        driver = self._device.driver_device
        return [_call(driver, step, each) for step, each in zip(self._steps, buffers, strict=True)]

    def _replaced(self, arrays: Mapping[str, Any]) -> dict[Buffer, Buffer]:
        """The memory of the arrays of the graph, each with that of the array in its place."""
        others: dict[Buffer, Buffer] = {}
        for name, array in arrays.items():
            own = self._arrays.get(name)
            if own is None:
                known = ", ".join(self._arrays) or "none"
                raise ArgumentError(f"the graph has no array {name!r}; record(...) named {known}")
            if type(array) is not own.kind or array.device is not self._device:
                raise ArgumentError(f"{name!r} must be an array on {self._device.id}, not {array!r:.80}")
            for what, wanted in zip(_ALIKE, own.alike, strict=True):
                if getattr(array, what) != wanted:
                    raise ArgumentError(
                        f"{name!r} has the {what} {getattr(array, what)!r}, and {wanted!r} was recorded; "
                        f"{_ADVICE.get(what, f'pass an array of this {what}, or record again')}"
                    )
            if array.storage.nbytes != own.nbytes:
                raise ArgumentError(
                    f"{name!r} is in a memory of {array.storage.nbytes} bytes, and of {own.nbytes} in the recording; "
                    "pass a .copy()"
                )
            if others.setdefault(own.memory, array.storage.buffer) is not array.storage.buffer:
                raise ArgumentError(f"{name!r} shares its memory with another array of record(...), and is replaced by "
                                    "one that does not; pass slices of one array")  # fmt: skip
        self._check_apart(others)
        return others

    def _check_apart(self, others: Mapping[Buffer, Buffer]) -> None:
        """Refuse memory in two places: kernels were recorded for arrays that share none."""
        rest = [thing for thing in self._kept if isinstance(thing, Buffer) and thing not in others]
        used = [*rest, *others.values()]
        for new in others.values():
            if sum(_is_same(new, each) for each in used) > 1:
                raise ArgumentError(
                    "an array that is replaced shares memory with another array of the graph; pass a .copy()"
                )


def _call(driver: Any, step: Step, buffers: Sequence[Buffer]) -> Callable[[], None]:
    match step:
        case DispatchStep(_, pipeline, scalars, workgroups):
            return partial(driver.dispatch, pipeline, buffers, scalars, workgroups)
        case CopyStep(_, nbytes):
            return partial(driver.copy, *buffers, nbytes)
        case WriteStep(_, data, offset):
            return partial(driver.write, buffers[0], data, offset)
    raise TypeError(f"a graph has no such step: {step!r:.80}")


def _is_same(a: Buffer, b: Buffer) -> bool:
    if a is b or not (a.address and b.address and (a.is_adopted or b.is_adopted)):
        return a is b
    return a.address < b.address + b.nbytes and b.address < a.address + a.nbytes


def _other(buffer: Buffer, others: Mapping[Buffer, Buffer]) -> Buffer:
    """The memory in the place of a buffer, or of a part of one."""
    if buffer.whole is None:
        return others.get(buffer, buffer)
    whole = others.get(buffer.whole)
    if whole is None:
        return buffer
    part = whole.part(buffer.first, buffer.nbytes)
    part.whole, part.first = whole, buffer.first
    return part


class Recordable:
    """What a device has for graphs."""

    _graph: Graph | None
    _kept: Counter[Buffer | Pipeline]
    _dropped_graphs: deque[tuple[Recording | None, Counter[Buffer | Pipeline]]]
    _parked: set[Buffer | Pipeline]

    @contextmanager
    def record(self: Any, **arrays: Any) -> Iterator[Graph]:
        """Keep what this thread queues on this device in the `with` block, instead of running it, as a graph.

        `arrays` names those that `Graph.replay` can replace. Kernels are compiled as usual. What waits for results,
        such as `x.numpy()`, is refused, and so are kernels in debug mode. One graph at a time is recorded.

        Raises ArgumentError for what cannot be recorded.
        """
        for name, array in arrays.items():
            if getattr(array, "device", None) is not self:
                raise ArgumentError(f"{name!r} must be an array on {self.id}, not {array!r:.80}")
        named = {
            name: Recorded(type(array), tuple(getattr(array, what) for what in _ALIKE), array.storage.buffer,
                           array.storage.nbytes)
            for name, array in arrays.items()
        }  # fmt: skip
        graph = Graph(self, named)
        with self.recording, self.lock:
            self.driver_device.check()
            if self._graph is not None:
                raise ArgumentError(f"{self.id} is recording already; one graph at a time is recorded")
            self.collect_garbage()
            self._graph = self.driver_device.graph = graph
        try:
            yield graph
        finally:
            with self.lock:
                self._graph = self.driver_device.graph = None
        with self.lock:
            graph.end()

    def refuse_while_recording(self: Any, what: str) -> None:
        """Raise ArgumentError if this thread records a graph of this device."""
        if self._graph is not None and self._graph.is_recording():
            raise ArgumentError(
                f"{what} cannot be recorded: while {self.id} records a graph, nothing runs; do it before the block or "
                "after a replay"
            )

    def forget_dropped_graphs(self: Any) -> None:
        """Give back what only graphs that are gone have kept. The caller holds the lock."""
        while self._dropped_graphs:
            recording, kept = self._dropped_graphs.popleft()
            if recording is not None:
                recording.release()
            for thing, count in kept.items():
                self._kept[thing] -= count
                if self._kept[thing] <= 0:
                    del self._kept[thing]
                    if thing in self._parked:
                        self._parked.remove(thing)
                        (self.discard if isinstance(thing, Buffer) else self.discard_pipeline)(thing)
