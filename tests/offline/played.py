"""Runs the sequences of a manifest on a device of the wgpu plugin, as a page does: the "web" target has WGSL that naga
takes too."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore.runtime.protocol import Buffer
from gpucore.saved import source_from_json

Host = npt.NDArray[Any]


class Player:
    """A manifest on a device: `run` runs a sequence with arrays of the host, and returns its outputs."""

    def __init__(self, manifest: Any, device: gp.Device) -> None:
        self._manifest, self._device = manifest, device
        self._driver = device.driver_device
        self._pipelines = [self._driver.compile(source_from_json(each)) for each in manifest["pipelines"]]
        self._memories = [self._driver.allocate(nbytes) for nbytes in manifest["memories"]]
        for step in manifest["setup"]:
            self._queue(step)

    def run(self, name: str, **arrays: Host) -> dict[str, Host]:
        """The outputs."""
        sequence = self._manifest["sequences"][name]
        for each, host in arrays.items():
            place = sequence["inputs"][each]
            assert list(host.shape) == place["shape"] and str(host.dtype) == _dtype(place)
            self._driver.write(self._memories[place["memory"]], memoryview(host).cast("B"), place["offset"])
        for step in sequence["steps"]:
            self._queue(step)
        return {each: self._read(place) for each, place in sequence["outputs"].items()}

    def _read(self, place: Any) -> Host:
        out = np.empty(place["shape"], _dtype(place))
        self._device.synchronize()
        mark = self._driver.mark()
        while not mark.is_done():
            mark.pause(1e-4)
        if out.size:
            self._driver.read(self._memories[place["memory"]], memoryview(out.reshape(-1)).cast("B"), place["offset"])
        return out

    def _queue(self, step: Any) -> None:
        match step:
            case {"dispatch": pipeline, "buffers": buffers, "scalars": scalars, "workgroups": workgroups}:
                bound = [self._place(each) for each in buffers]
                self._driver.dispatch(
                    self._pipelines[pipeline], bound, base64.b64decode(scalars), tuple(workgroups)  # type: ignore[arg-type]  # three integers
                )  # fmt: skip
            case {"copy": [source, target], "nbytes": nbytes}:
                self._driver.copy(self._place(source), self._place(target), nbytes)
            case {"write": memory, "offset": offset, "data": data}:
                self._driver.write(self._place(memory), memoryview(base64.b64decode(data)), offset)
            case _:
                raise AssertionError(step)

    def _place(self, place: Any) -> Buffer:
        if isinstance(place, int):
            return self._memories[place]
        memory, first, nbytes = place
        part = self._memories[memory].part(first, nbytes)
        part.whole, part.first = self._memories[memory], first
        return part


def _dtype(place: Any) -> str:
    return {"f32": "float32", "u32": "uint32", "i32": "int32"}[place["element"]]


def size_of(place: Any) -> int:
    """The number of elements of an array in a manifest."""
    return math.prod(place["shape"])
