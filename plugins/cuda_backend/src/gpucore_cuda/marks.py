"""Marks: events of the driver, which are reused."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from gpucore.plugin import Mark


class CUDAMark(Mark):
    """An event. It is returned to the device's pool: a finalizer must not call the driver."""

    def __init__(self, device: Any, event: int) -> None:
        self._device = device
        self.event = event

    def is_done(self) -> bool:
        return bool(self._device.run(self._device.quick_driver.is_event_done, self.event))

    def __del__(self) -> None:
        self._device.events.append(self.event)


class Unloading:
    """Modules that were released while work was queued, which may run their code."""

    def __init__(self) -> None:
        self._modules: deque[tuple[Sequence[CUDAMark], int]] = deque()

    def add(self, marks: Sequence[CUDAMark], module: int) -> None:
        """Unload a module after the work before the marks."""
        self._modules.append((marks, module))

    def finished(self) -> list[int]:
        """The modules to unload now."""
        done = []
        while self._modules and all(mark.is_done() for mark in self._modules[0][0]):
            done.append(self._modules.popleft()[1])
        return done

    def clear(self) -> None:
        """Forget all: the context, which owned them, is gone."""
        self._modules.clear()
