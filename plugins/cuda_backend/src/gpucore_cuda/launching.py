"""Pipelines, and launches of their functions."""

from __future__ import annotations

import re
import struct
import threading
from typing import Any

from gpucore.plugin import Launcher, Pipeline, Source
from gpucore_cuda.dialect import MAX_STATIC_WORKGROUP_MEMORY
from gpucore_cuda.driver import Launch
from gpucore_cuda.views import Views

_GRID = struct.Struct("@3I").pack_into


class Current(threading.local):
    """The context that this thread made current last."""

    context = 0


current = Current()


class CUDAPipeline(Pipeline):
    """A module, and the function in it."""

    def __init__(self, device: Any, source: Source, module: int, function: int) -> None:
        self.source = source
        self._device = device
        self.module, self.function = module, function
        self.pack = struct.Struct(f"@{len(source.writes)}Q").pack
        at_launch = re.search(r"\bextern\s+__shared__", source.text) is not None
        if not source.text:  # a cubin of a package: `emit` has arrays of their own up to this size
            at_launch = source.workgroup_memory > MAX_STATIC_WORKGROUP_MEMORY
        self.dynamic_memory = source.workgroup_memory if at_launch else 0
        self._launch: tuple[int, Launch, Views] | None = None

    def launch(self, nbytes: int) -> tuple[Launch, Views]:
        """The prepared launch with arguments of `nbytes` bytes that `start` uses."""
        if self._launch is None or self._launch[0] != nbytes:
            self._launch = nbytes, *self.prepare(nbytes)
        return self._launch[1:]

    def prepare(self, nbytes: int) -> tuple[Launch, Views]:
        """Another one, and what is in its block behind these arguments."""
        views = self.views(nbytes)
        size = self.source.workgroup_size
        return self._device.driver.launch(self.function, size, self.dynamic_memory, views.nbytes), views

    def views(self, nbytes: int) -> Views:
        """What comes after arguments of `nbytes` bytes."""
        return Views(self._device.driver, self.function, self.source.payload, len(self.source.writes), nbytes)

    def release(self) -> None:
        if self.module:
            self._device.unload(self)


def start(device: Any, pipeline: CUDAPipeline, arguments: bytes, workgroups: tuple[int, int, int], stream: int) -> None:
    """Launch with packed arguments in a stream."""
    launch, views = pipeline.launch(len(arguments))
    launch.block[: len(arguments)] = arguments
    device.run(views.fill, launch.block)
    launch.set_stream(stream)
    _GRID(launch.grid, 0, *workgroups)
    device.run(_checked, device.driver, launch)


def _checked(driver: Any, launch: Launch) -> None:
    driver.check_launch(launch.start())


def launcher(device: Any, pipeline: CUDAPipeline, nbytes: int, stream: int) -> Launcher:
    """What dispatches the pipeline with the fewest steps."""
    launch, views = pipeline.prepare(nbytes)
    launch.set_stream(stream)
    call, grid, context, local, last = launch.start, launch.grid, device.context, current, None
    has_views = bool(views)

    def run(workgroups: tuple[int, int, int]) -> None:
        nonlocal last
        if has_views:
            device.run(views.fill, launch.block)
        if workgroups is not last:
            last = None  # Ctrl-C may come in between
            _GRID(grid, 0, *workgroups)
            last = workgroups
        if local.context != context or call():
            device.run(_checked, device.driver, launch)  # again, with the context made current

    return Launcher(launch.block[:nbytes], run)
