"""`HostMemoryDevice`, the base of devices whose buffers are memory of the process."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gpucore.plugin import Buffer, HostMemoryDevice, Mark, Pipeline, Source


class _Queue(HostMemoryDevice):
    """Has marks of its own, and not the time between them."""

    def compile(self, source: Source) -> Pipeline:
        raise NotImplementedError

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class _OwnMark(Mark):
    def is_done(self) -> bool:
        return True

    def wait(self) -> None:
        raise NotImplementedError


def test_marks_of_its_own_need_an_elapsed_of_its_own() -> None:
    device = _Queue()
    assert device.elapsed(device.mark(), device.mark()) >= 0.0
    with pytest.raises(NotImplementedError, match=r"_Queue has marks of its own, and must override elapsed\(\)"):
        device.elapsed(device.mark(), _OwnMark())
