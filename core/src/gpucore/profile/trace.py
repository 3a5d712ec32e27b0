"""A trace in the Chrome trace event format, which Perfetto and chrome://tracing show.

Lanes are threads of a process: those of the host are in process 1, and each device is a process with its queues.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from gpucore.version import __version__

_HOST = 1
_MAX_EVENTS = 1_000_000
_MICRO = 1e6


class _Event(NamedTuple):
    process: int
    lane: int
    began: float
    seconds: float
    name: str
    category: str
    facts: dict[str, Any]


class Trace:
    """What happened after a time of `time.perf_counter`. Thread safe."""

    def __init__(self, start: float) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._mine = threading.local()  # the lane of each thread: the ids of threads are used again
        self._threads: list[str] = []
        self._devices: dict[str, tuple[int, str]] = {}
        self._ends: dict[tuple[str, int], float] = {}  # of the last event of each queue of a device
        self._events: list[_Event] = []
        self._num_left_out = 0

    def add_device(self, device: str, name: str) -> None:
        """A process for a device, which may have one already."""
        with self._lock:
            self._devices.setdefault(device, (_HOST + 1 + len(self._devices), f"{device} ({name})"))

    def add_host(self, name: str, category: str, began: float, ended: float, **facts: Any) -> None:
        """Something that this thread did."""
        lane = getattr(self._mine, "lane", 0)
        if not lane:
            with self._lock:
                self._threads.append(threading.current_thread().name)
                lane = self._mine.lane = len(self._threads)
        self._add(_Event(_HOST, lane, began, ended - began, name, category, facts))

    def add_work(self, device: str, name: str, category: str, began: float, seconds: float, **facts: Any) -> None:
        """Something that a device did, in the order of its queue; `queue=` numbers it, 0 is the first."""
        place = device, facts.pop("queue", 0) + 1
        began = max(began, self._ends.get(place, began))  # clocks are rounded
        self._ends[place] = began + seconds
        self._add(_Event(self._devices[device][0], place[1], began, seconds, name, category, facts))

    def _add(self, event: _Event) -> None:
        if len(self._events) < _MAX_EVENTS:
            self._events.append(event)
        else:
            self._num_left_out += 1

    def to_json(self) -> dict[str, Any]:
        """The file's contents."""
        with self._lock:
            processes = [(_HOST, "host"), *self._devices.values()]
            lanes = [(_HOST, number, name) for number, name in enumerate(self._threads, 1)]
            lanes += [(number, 1, "queue") for number, _ in self._devices.values()]
            more = sorted(place for place in [*self._ends] if place[1] > 1)
            lanes += [(self._devices[device][0], lane, f"queue {lane - 1}") for device, lane in more]
            events = sorted(self._events, key=lambda event: (event.began, -event.seconds))
        named = [_named("process_name", number, 0, name=name) for number, name in processes]
        named += [_named("process_sort_index", number, 0, sort_index=number) for number, _ in processes]
        named += [_named("thread_name", number, lane, name=name) for number, lane, name in lanes]
        other = {"gpucore": __version__, "events left out": self._num_left_out}
        return {"traceEvents": [*named, *map(self._shown, events)], "displayTimeUnit": "ns", "otherData": other}

    def _shown(self, event: _Event) -> dict[str, Any]:
        return {
            "name": event.name, "cat": event.category, "ph": "X", "ts": (event.began - self._start) * _MICRO,
            "dur": event.seconds * _MICRO, "pid": event.process, "tid": event.lane, "args": event.facts,
        }  # fmt: skip


def _named(what: str, process: int, lane: int, **facts: Any) -> dict[str, Any]:
    """A metadata event. It has no duration, but programs may read one of every event."""
    return {"name": what, "ph": "M", "ts": 0.0, "dur": 0.0, "pid": process, "tid": lane, "args": facts}
