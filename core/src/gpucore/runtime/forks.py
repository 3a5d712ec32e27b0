"""Drivers that must not be used in a forked child process.

A driver that was loaded, by a probe or by opening a device, has threads and locks that a fork does not copy. Some
drivers hang in the child's first call, others refuse every call. So a child makes no call.
A driver's own clean-up at the child's exit cannot be prevented, and may end the child with a signal
(docs/limitations.md).
"""

from __future__ import annotations

import os

from gpucore.errors import ForkedProcessError
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.protocol import Backend

ADVICE = (
    'start processes with multiprocessing\'s "spawn" or "forkserver", or fork before the first use of a device '
    "(GPUCORE_PROBE=subprocess keeps drivers out of this process until one is opened)"
)

_used: set[str] = set()  # backends whose drivers were called in this process
_unusable: set[str] = set()  # those of them that were called before a fork


def note_use(backend: Backend) -> None:
    """Remember that a backend's driver is about to be called in this process.

    The simulator has no driver; another backend that has none says so with `survives_fork = True`.
    """
    if backend.name != SIMULATOR and not getattr(backend, "survives_fork", False):
        _used.add(backend.name)


def is_unusable(backend: Backend) -> bool:
    """Whether the backend's driver was in use when this process was forked."""
    return backend.name in _unusable


def check_usable(backend: Backend, device: str) -> None:
    """Raise ForkedProcessError for a device whose driver was in use when this process was forked."""
    if is_unusable(backend):
        raise ForkedProcessError(
            f"{device} cannot be opened in this process: it was forked while the driver was in use; {ADVICE}"
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _unusable.update(_used))
