"""Devices that are not there: the targets of all installed backends."""

from __future__ import annotations

import difflib

from gpucore.compiler import Target
from gpucore.errors import ArgumentError
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.protocol import Backend


def find_target(name: str) -> Target:
    """The target with a name: "web", "sm_90", or "cuda:sm_90" where several backends could have it.

    Raises ArgumentError for one that no installed backend has.
    """
    owner, colon, own = name.rpartition(":")
    backends = [each for each in offline_backends() if not colon or each.name == owner]
    for backend in backends:
        info = backend.offline_device(own)
        if info is not None:
            return Target.for_info(backend, info)
    known = sorted({target for backend in backends for target in backend.offline_targets})
    close = difflib.get_close_matches(own, known, n=1)
    advice = f"did you mean {close[0]!r}?" if close else f"the targets are {', '.join(known) or 'none'}"
    raise ArgumentError(f"no installed backend has the target {name!r}; {advice}")


def offline_backends() -> list[Backend]:
    """The installed backends with targets, and core's own."""
    from gpucore.offline.spirv import SpirvBackend  # noqa: PLC0415 (an emitter, loaded when it is used)

    installed = [each for record in TABLE.load_all() for each in record.backends if each.offline_targets]
    return [*installed, SpirvBackend()]
