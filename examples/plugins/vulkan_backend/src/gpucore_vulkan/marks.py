"""Points in the queue of a device, and the time between them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import vulkan as vk

from gpucore.plugin import Mark
from gpucore_vulkan.driver import check, driver_errors, ffi
from gpucore_vulkan.queue import Queue

_QUERIES = 1024  # how many marks with a timestamp can exist at once
_RESULT = vk.VK_QUERY_RESULT_64_BIT | vk.VK_QUERY_RESULT_WAIT_BIT


class VulkanFence(Mark):
    """A mark that is waited for, and not measured: the end of a submit."""

    polls = 300

    def __init__(self, queue: Queue, submit: int, arrive: Callable[[], None]) -> None:
        """`arrive` is called whenever the work is found to have ended. It raises the errors of that work."""
        self._queue, self.submit, self._arrive = queue, submit, arrive

    def is_done(self) -> bool:
        if not self._queue.has_ended(self.submit):
            return False
        self._arrive()
        return True

    def pause(self, seconds: float) -> None:
        self._queue.pause(self.submit, seconds)


class VulkanMark(VulkanFence):
    """A mark that can be measured. `timestamp` is its query, or None; `ended` the host's time when it was first found
    done."""

    def __init__(self, queue: Queue, submit: int, arrive: Callable[[], None], timestamp: Timestamp | None) -> None:
        super().__init__(queue, submit, arrive)
        self.timestamp = timestamp
        self.ended = 0.0

    def is_done(self) -> bool:
        is_done = super().is_done()
        if is_done and not self.ended:
            self.ended = time.perf_counter()
        return is_done


class Timestamp:
    """One query of a clock, returned when the mark that owns it is gone."""

    def __init__(self, number: int, free: list[int]) -> None:
        self.number, self._free = number, free

    def __del__(self) -> None:
        self._free.append(self.number)


class Clock:
    """The timestamps of a device."""

    def __init__(self, device: Any, period: float, exists: bool) -> None:
        """`period`: nanoseconds of a step."""
        self._device, self._period = device, period
        self.queries: Any = None
        self._free: list[int] = []
        if exists:
            with driver_errors("make timestamps"):
                create = vk.VkQueryPoolCreateInfo(queryType=vk.VK_QUERY_TYPE_TIMESTAMP, queryCount=_QUERIES)
                self.queries = vk.vkCreateQueryPool(device, create, None)
            self._free = list(range(_QUERIES - 1, -1, -1))

    def take(self) -> Timestamp | None:
        """A query that no mark has; None if there is none."""
        return Timestamp(self._free.pop(), self._free) if self._free else None

    def seconds(self, start: Timestamp, end: Timestamp) -> float:
        """Device time between two timestamps that were written."""
        steps = []
        for each in (start, end):
            value = ffi.new("uint64_t*")
            check(
                vk.lib.vkGetQueryPoolResults(self._device, self.queries, each.number, 1, 8, value, 8, _RESULT),
                "read timestamps",
            )
            steps.append(int(value[0]))
        return max(0, steps[1] - steps[0]) * self._period * 1e-9

    def destroy(self) -> None:
        if self.queries is not None:
            vk.vkDestroyQueryPool(self._device, self.queries, None)
