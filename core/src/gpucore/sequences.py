"""The library's own sequences of launches, such as those of a sort, recorded as graphs at their second use.

A replay makes none of the checks of the launches, which the library knows to hold, and on CUDA it is one launch. It is
done for small arrays, where launches take longer than the work. A graph keeps the temporary memory that the sequence
allocates itself, not that of its arrays, which each replay replaces. That memory is bounded: of a sequence, and of all
of a device.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from gpucore.array import Array
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.runtime.protocol import Buffer

_MAX_SEQUENCES = 64  # of a device
_MAX_NBYTES = 4 << 20  # of the arrays of a sequence, unless the caller knows better
_MAX_ALL_KEPT = 256 << 20  # bytes of temporary memory that all sequences of a device keep
MAX_KEPT = 16 << 20
"""Bytes of temporary memory that a sequence keeps: to allocate more takes less time than the work on it."""
MAX_RECORDED = 1 << 30
"""Bytes of the arrays of a sequence that is much work of few launches: of more, these take less time than the work."""

_TOO_LARGE = False
"""In the place of the recording of a sequence with much temporary memory."""


def is_recorded(device: Device) -> bool:
    """Whether what is queued now is recorded, and does not run."""
    return device.driver_device.graph is not None


def repeat(
    device: Device,
    key: Hashable,
    arrays: Mapping[str, Array],
    queue: Callable[..., None],
    max_nbytes: int | None = None,
) -> None:
    """Call `queue(**arrays)`, which queues launches that `key` determines but for the memory; or replay them.

    So the key determines which arrays there are, in which order, their shapes and dtypes. Arrays of more than
    `max_nbytes` together (by default 4 MiB) are not recorded, nor are sequences with much temporary memory.
    """
    known: OrderedDict[Hashable, Any] = device.sequences
    memories = _memories(device, arrays, _MAX_NBYTES if max_nbytes is None else max_nbytes)
    if memories is None:
        queue(**arrays)
        return
    with device.lock:
        graph = known.get(key)
        is_recorded = graph is not _TOO_LARGE
        if graph is not None and is_recorded:
            known.move_to_end(key)
            graph.repeat(memories)
            return
        is_new = key not in known
        if is_new:  # it may be the only time
            known[key] = None
            if len(known) > _MAX_SEQUENCES:
                known.popitem(last=False)
    # Calls of kernels may compile, with a lock of their own: another thread that compiles waits for the device's.
    if is_new or not is_recorded or not device.recording.acquire(blocking=False):
        queue(**arrays)
        return
    try:
        with device.record(**arrays) as graph:
            queue(**arrays)
    except ArgumentError:  # kernels in debug mode are not recorded
        queue(**arrays)
        return
    finally:
        device.recording.release()
    with device.lock:
        graph.replay()
        graph.forget_arrays()
        if key in known:
            # Buffers are up to an eighth larger than their arrays.
            known[key] = graph if graph.kept_nbytes <= MAX_KEPT * 9 // 8 else _TOO_LARGE
            _drop_oldest(known)


def _drop_oldest(known: OrderedDict[Hashable, Any]) -> None:
    """Drop the recordings that were not used for longest, as long as all together keep too much memory."""
    kept = {key: graph.kept_nbytes for key, graph in known.items() if graph}
    total = sum(kept.values())
    for key, nbytes in kept.items():
        if total <= _MAX_ALL_KEPT:
            break
        del known[key]
        total -= nbytes


def _memories(device: Device, arrays: Mapping[str, Array], max_nbytes: int) -> tuple[Buffer, ...] | None:
    """The memory of each array; None if something is recorded now, or the arrays are large, or one is not all of a
    memory of its own."""
    if is_recorded(device):
        return None
    found: list[Buffer] = []
    nbytes = 0
    for array in arrays.values():
        storage, own = array.storage, array.nbytes
        buffer = storage.buffer
        if own != storage.nbytes or storage.is_adopted or buffer in found:
            return None
        found.append(buffer)
        nbytes += own
    return tuple(found) if nbytes <= max_nbytes else None
